package dev.callbound.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.callbound.testkit.client.Answer;
import dev.callbound.testkit.client.McpClient;
import dev.callbound.testkit.client.McpRequest;
import dev.callbound.testkit.client.PendingCall;
import dev.callbound.testkit.client.Revision;
import dev.callbound.testkit.client.WireException;
import dev.callbound.testkit.wire.JsonRpc;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the server asks the client, in both generations of the protocol. */
class AskingTest {
  private final FaultServer server = FaultServer.http().start();

  @AfterEach
  void close() {
    server.close();
  }

  @ParameterizedTest
  @EnumSource(Revision.class)
  void aQuestionIsAnsweredAndTheCallGoesOn(Revision revision) throws Exception {
    try (McpClient client =
        McpClient.http(server.url())
            .revision(revision)
            .capabilities("{\"elicitation\": {}}")
            .onRequest((method, params) -> accept(method))
            .connect()) {
      JsonNode result = client.call("need_elicitation", "{}").path("result");
      assertThat(result.toString()).contains("accept");
      assertThat(server.ledger().calls()).hasSize(revision.hasSessions() ? 1 : 2);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"need_sampling", "need_roots"})
  void aClientWithoutTheCapabilityRefuses(String tool) throws Exception {
    try (McpClient client = McpClient.http(server.url()).connect()) {
      assertThat(client.call(tool, "{}").path("result").toString()).contains("-32601");
      assertThat(client.serverRequests()).hasSize(1);
    }
  }

  @Test
  void aPingIsAnsweredAndASilentClientIsToldSo() throws Exception {
    try (McpClient client = McpClient.http(server.url()).connect()) {
      assertThat(client.call("need_ping", "{}").path("result").has("isError")).isFalse();
    }
    try (McpClient silent =
        McpClient.http(server.url())
            .onRequest((method, params) -> new Answer.Silence())
            .connect()) {
      JsonNode result = silent.call("need_ping", "{\"timeout_ms\": 50}").path("result");
      assertThat(result.path("isError").asBoolean()).isTrue();
    }
  }

  @Test
  void withoutAnswersTheQuestionIsTheResult() throws Exception {
    try (McpClient client = stateless()) {
      JsonNode asked = client.call("need_roots", "{}").path("result");
      assertThat(asked.path("resultType").asText()).isEqualTo("input_required");
      McpRequest repeat =
          McpRequest.call("need_roots", "{}")
              .param("inputResponses", "{\"q1\": {\"roots\": []}}")
              .param("requestState", asked.path("requestState").toString());
      JsonNode result = client.call(repeat).path("result");
      assertThat(result.path("resultType").asText()).isEqualTo("complete");
    }
  }

  @Test
  void since2026AClosedResponseStreamIsACancellation() throws Exception {
    try (McpClient client = stateless()) {
      PendingCall call =
          client.begin(
              "write_slow", "{\"marker\": \"w\", \"delay_ms\": 30000, \"honor_cancel\": true}");
      assertThat(Eventually.holds(() -> server.ledger().callsMarked("w").size() == 1)).isTrue();
      call.cancel("enough");
      assertThatThrownBy(call::await).isInstanceOf(WireException.class);
      assertThat(
              Eventually.holds(
                  () -> "cancelled".equals(server.ledger().calls().getFirst().outcome())))
          .isTrue();
      assertThat(server.ledger().effects()).isEmpty();
    }
  }

  @Test
  void since2026ListChangesComeToThoseWhoListen() throws Exception {
    try (McpClient client = stateless()) {
      assertThat(client.request("server/discover", "{}").toString()).contains("2026-07-28");
      PendingCall listening =
          client.begin(
              McpRequest.of(
                  "subscriptions/listen",
                  JsonRpc.parse("{\"notifications\": {\"toolsListChanged\": true}}")));
      String acknowledged = "notifications/subscriptions/acknowledged";
      assertThat(Eventually.holds(() -> client.notifications(acknowledged).size() == 1)).isTrue();
      assertThat(Eventually.holds(() -> server.ledger().events("listen").size() == 1)).isTrue();
      server.control("{\"toolset\": \"v2\"}");
      String changed = "notifications/tools/list_changed";
      assertThat(Eventually.holds(() -> client.notifications(changed).size() == 1)).isTrue();
      assertThat(client.notifications(changed).getFirst().toString())
          .contains("\"io.modelcontextprotocol/subscriptionId\":\"" + listening.id().asText());
      listening.hangUp();
    }
  }

  @Test
  void aHeaderThatContradictsTheBodyIsRefused() throws Exception {
    try (McpClient client = stateless()) {
      McpRequest lie = McpRequest.call("read_ok", "{}").header("Mcp-Name", "write_ok");
      assertThat(client.call(lie).path("error").path("code").asInt()).isEqualTo(-32020);
      assertThat(server.ledger().calls()).isEmpty();
    }
  }

  private McpClient stateless() throws InterruptedException {
    return McpClient.http(server.url()).revision(Revision.V2026_07_28).connect();
  }

  private static Answer accept(String method) {
    return method.equals("elicitation/create")
        ? Answer.result("{\"action\": \"accept\", \"content\": {\"ok\": true}}")
        : new Answer.Standard();
  }
}

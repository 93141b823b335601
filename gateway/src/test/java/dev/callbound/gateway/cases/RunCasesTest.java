package dev.callbound.gateway.cases;

import static dev.callbound.gateway.cases.Marked.arguments;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.callbound.testkit.Eventually;
import dev.callbound.testkit.client.McpClient;
import dev.callbound.testkit.client.McpRequest;
import dev.callbound.testkit.wire.JsonRpc;
import dev.callbound.testkit.wire.SseReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run is something to come back to: after a lost answer, a lost stream, a lost gateway. */
class RunCasesTest {
  @TempDir Path folder;

  @Test
  void noEventIsLostOrToldTwiceAcrossTheDeathOfTheGateway() throws Exception {
    try (Faults faults = Faults.http(folder, "fault")) {
      Path config = World.file(folder, List.of(faults), "deadline: 30s, attempts: 1", "");
      List<SseReader.Event> told = new ArrayList<>();
      String run;
      try (GatewayProcess first = GatewayProcess.serve(folder, config);
          Programs program = new Programs(first.url())) {
        run = program.post("/v1/runs", "{\"name\":\"night\"}").body().path("id").asText();
        McpClient client = McpClient.http(first.url()).connect();
        client.call(inRun(run, "read_ok", "{}"));
        client.call(inRun(run, "status_500", "{}"));
        client.begin(inRun(run, "write_then_hang", arguments("night")));
        assertThat(Eventually.holds(() -> !faults.ledger().effectsMarked("night").isEmpty()))
            .isTrue();
        told.addAll(program.events(run, "0", event -> event.data().contains("write_then_hang")));
        first.kill();
      }
      try (GatewayProcess second = GatewayProcess.serve(folder, config);
          Programs program = new Programs(second.url())) {
        String last = told.getLast().id();
        told.addAll(program.events(run, last, event -> is(event, "call_ended")));
        program.post("/v1/runs/" + run + "/cancel", "");
        told.addAll(program.events(run, told.getLast().id(), event -> is(event, "run_ended")));
        String call = JsonRpc.parse(told.get(told.size() - 2).data()).path("call").asText();
        program.post("/v1/calls/" + call + "/settle", "{\"landed\":true}");
        // Now nothing is in doubt: the stream ends by itself.
        told.addAll(program.events(run, told.getLast().id(), _ -> false));

        assertThat(told)
            .extracting(SseReader.Event::id)
            .containsExactlyElementsOf(
                IntStream.rangeClosed(1, told.size()).mapToObj(Integer::toString).toList());
        // How much is told of a short read depends on how soon it is over; its end always is.
        assertThat(told)
            .filteredOn(event -> !isShort(event))
            .extracting(SseReader.Event::type)
            .containsExactly(
                "run_opened",
                "call_ended",
                "call_ended",
                "call_opened",
                "attempt_ended",
                "call_ended",
                "run_ended",
                "call_settled",
                "run_changed");
        assertThat(program.events(run, told.getLast().id(), _ -> false)).isEmpty();
      }
    }
  }

  @Test
  void theSameRequestFindsTheSameRunAlsoAfterARestart() throws Exception {
    try (World world = World.of(folder, World.Way.HTTP, "", "")) {
      String wish = "{\"deadline\":\"10m\",\"retries\":3}";
      JsonNode first;
      try (Programs program = new Programs(world.gateway().url())) {
        Programs.Answer answer = program.post("/v1/runs", wish, "Idempotency-Key", "k1");
        assertThat(answer.status()).isEqualTo(201);
        first = answer.body();
      }
      world.restart();
      try (Programs program = new Programs(world.gateway().url())) {
        Programs.Answer again =
            program.post(
                "/v1/runs", "{\"retries\":3,\"deadline\":\"600s\"}", "Idempotency-Key", "\"k1\"");
        assertThat(again.status()).isEqualTo(200);
        assertThat(again.body()).isEqualTo(first);

        Programs.Answer other =
            program.post("/v1/runs", "{\"retries\":4}", "Idempotency-Key", "k1");
        assertThat(other.status()).isEqualTo(422);
        assertThat(other.body().at("/error/message").asText()).contains(first.path("id").asText());
      }
    }
  }

  @Test
  void aNameFindsItsRunUnlessMoreIsAskedForThanItWasOpenedWith() throws Exception {
    try (World world = World.of(folder, World.Way.HTTP, "", "");
        Programs program = new Programs(world.gateway().url())) {
      world.client().call(inRun("night", "read_ok", "{}"));

      Programs.Answer found = program.post("/v1/runs", "{\"name\":\"night\"}");
      assertThat(found.status()).isEqualTo(200);
      assertThat(found.body().path("calls").asInt()).isEqualTo(1);
      Programs.Answer longer = program.post("/v1/runs", "{\"name\":\"night\",\"deadline\":\"1h\"}");
      assertThat(longer.status()).isEqualTo(409);
      assertThat(longer.body().at("/error/code").asText()).isEqualTo("name_taken");
    }
  }

  /** Whether it is one that a short read may do without. */
  private static boolean isShort(SseReader.Event event) {
    return event.data().contains("\"failure\":\"server_error\"")
        || (is(event, "call_opened") && !event.data().contains("write_then_hang"));
  }

  private static boolean is(SseReader.Event event, String type) {
    return type.equals(event.type());
  }

  private static McpRequest inRun(String run, String tool, String arguments) {
    return McpRequest.call(tool, arguments).meta("dev.callbound/run", "\"" + run + "\"");
  }
}

package dev.callbound.gateway.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.gateway.mcp.Message;
import dev.callbound.gateway.mcp.Revision;
import dev.callbound.gateway.mcp.RpcError;
import java.util.Map;
import org.junit.jupiter.api.Test;

class UnattendedTest {
  private final Unattended exchange = new Unattended(Revision.V2026_07_28, 1_000);

  @Test
  void itIsTheGatewayThatAsks() {
    assertThat(exchange.caller()).isEqualTo(Dialect.gateway(Revision.V2026_07_28));
    assertThat(exchange.maxResultBytes()).isEqualTo(1_000);
    assertThat(exchange.mirroredArguments()).isEmpty();
  }

  @Test
  void everyQuestionIsRefusedUnderItsName() {
    Message.Request roots = new Message.Request(Json.number(1), "roots/list", JsonObject.EMPTY);
    Message.Request strange = new Message.Request(Json.number(2), "no/such", JsonObject.EMPTY);

    Map<String, Message.Response> answers = exchange.ask(Map.of("a", roots, "b", strange));

    assertThat(answers)
        .containsOnlyKeys("a", "b")
        .allSatisfy((name, answer) -> assertThat(answer).isInstanceOf(Message.ErrorResponse.class));
    assertThat(answers.get("a").id()).isEqualTo(Json.number(1));
    assertThat(answers.get("b").id()).isEqualTo(Json.number(2));
  }

  @Test
  void whatExplainsAFailureIsKept() {
    assertThat(exchange.error()).isNull();
    RpcError error = RpcError.of(RpcError.INTERNAL_ERROR, "not today");

    exchange.errorAnswer(error);
    exchange.note("exit code 1");
    exchange.note("started again");

    assertThat(exchange.error()).isEqualTo(error);
    assertThat(exchange.notes()).containsExactly("exit code 1", "started again");
  }
}

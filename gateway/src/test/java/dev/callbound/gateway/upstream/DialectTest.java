package dev.callbound.gateway.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.gateway.mcp.Revision;
import dev.callbound.gateway.mcp.RpcError;
import dev.callbound.policy.Reply;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DialectTest {
  private static final Exchange.Caller CALLER =
      new Exchange.Caller(
          Revision.V2026_07_28,
          Json.of("{\"name\":\"agent\"}").asObject().orElseThrow(),
          Json.of("{\"roots\":{}}").asObject().orElseThrow());

  @ParameterizedTest
  @CsvSource({
    "2025-11-25, V2025_11_25", "2025-06-18, V2025_06_18",
    "2025-03-26, V2025_03_26", "2024-11-05, V2025_03_26"
  })
  void anyRevisionWithSessionsIsAccepted(String date, Revision revision) {
    Json result =
        Json.of(
            "{\"protocolVersion\":\""
                + date
                + "\",\"serverInfo\":{\"name\":\"s\"},\"capabilities\":{\"tools\":{}},"
                + "\"instructions\":\"i\"}");
    assertThat(Dialect.introduced(result))
        .isEqualTo(
            new Reply.Answered<>(
                new Introduction(
                    revision,
                    Json.of("{\"name\":\"s\"}"),
                    JsonObject.of("tools", Json.of("{}")),
                    "i")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "[]",
        "{\"protocolVersion\":\"2026-07-28\"}",
        "{\"protocolVersion\":\"1999-01-01\"}",
        "{\"protocolVersion\":7}"
      })
  void anythingElseIsNotSpokenHere(String result) {
    assertThat(Dialect.introduced(Json.of(result))).isInstanceOf(Reply.Failed.class);
    assertThat(Dialect.discovered(Json.of(result))).isInstanceOf(Reply.Failed.class);
  }

  @Test
  void whoADiscoveredServerIsStandsInItsMeta() {
    Reply<Introduction> reply =
        Dialect.discovered(
            Json.of(
                "{\"supportedVersions\":[\"2026-07-28\"],\"capabilities\":{},\"_meta\":"
                    + "{\"io.modelcontextprotocol/serverInfo\":{\"name\":\"s\"}}}"));
    assertThat(reply)
        .isEqualTo(
            new Reply.Answered<>(
                new Introduction(
                    Revision.V2026_07_28, Json.of("{\"name\":\"s\"}"), JsonObject.EMPTY, null)));
  }

  @Test
  void everyToolCallAsksForProgressUnderATokenOfOurs() {
    JsonObject params =
        Dialect.params(
            "tools/call",
            Json.of("{\"name\":\"t\",\"_meta\":{\"a.b/c\":1}}").asObject().orElseThrow(),
            Revision.V2025_11_25,
            CALLER,
            Json.number(7));
    assertThat(params.toJson())
        .isEqualTo(Json.of("{\"name\":\"t\",\"_meta\":{\"a.b/c\":1,\"progressToken\":7}}"));
  }

  @Test
  void since20260728EveryRequestSaysWhoMakesIt() {
    JsonObject params =
        Dialect.params(
            "tools/list", JsonObject.EMPTY, Revision.V2026_07_28, CALLER, Json.number(7));
    assertThat(params.toJson())
        .isEqualTo(
            Json.of(
                "{\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
                    + "\"io.modelcontextprotocol/clientInfo\":{\"name\":\"agent\"},"
                    + "\"io.modelcontextprotocol/clientCapabilities\":{\"roots\":{}}}}"));
    assertThat(
            Dialect.params(
                    "tools/list", JsonObject.EMPTY, Revision.V2025_11_25, CALLER, Json.number(7))
                .isEmpty())
        .isTrue();
  }

  @Test
  void onlyAnErrorOf20260728TellsAServerOfIt() {
    assertThat(Dialect.speaks2026(RpcError.of(RpcError.HEADER_MISMATCH, ""))).isTrue();
    assertThat(Dialect.speaks2026(RpcError.of(RpcError.METHOD_NOT_FOUND, ""))).isFalse();
    assertThat(Dialect.speaks2026(RpcError.of(RpcError.UNSUPPORTED_REVISION, ""))).isFalse();
    assertThat(
            Dialect.speaks2026(
                new RpcError(
                    RpcError.UNSUPPORTED_REVISION,
                    "",
                    Json.of("{\"supported\":[\"2026-07-28\"]}"))))
        .isTrue();
  }
}

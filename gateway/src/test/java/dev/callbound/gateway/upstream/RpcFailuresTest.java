package dev.callbound.gateway.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.RpcError;
import dev.callbound.policy.Failure;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RpcFailuresTest {
  private static final Instant NOW = Instant.parse("2026-12-01T10:00:00Z");

  @ParameterizedTest
  @ValueSource(ints = {-32700, -32600, -32601, -32602, -32002, -32020, -32021, -32022, -32042})
  void whatASpecificationCallsARefusalIsOne(int code) {
    assertThat(of(code, null)).isEqualTo(new Failure.Refused(code, "error " + code + ": no"));
  }

  @ParameterizedTest
  @ValueSource(ints = {-32603, -32000, -32001, -32019, -32024, -1, 0, 42})
  void anyOtherCodeExcludesNothing(int code) {
    assertThat(of(code, null)).isEqualTo(new Failure.ServerError(code, "error " + code + ": no"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "2 | PT2S",
        "0.5 | PT0.5S",
        "0.0001 | PT0.001S",
        "\"7\" | PT7S",
        "1e999999999 | PT87600H",
        "\"Tue, 01 Dec 2026 10:00:09 GMT\" | PT9S"
      })
  void aLimitNamesItsWaitInSeconds(String json, Duration wait) {
    assertThat(of(RpcFailures.RATE_LIMITED, "{\"retryAfter\":" + json + "}"))
        .isInstanceOfSatisfying(
            Failure.Limited.class, limited -> assertThat(limited.retryAfter()).isEqualTo(wait));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1", "\"soon\"", "null", "{}", "true"})
  void rubbishNamesNoWait(String json) {
    assertThat(of(RpcFailures.RATE_LIMITED, "{\"retryAfter\":" + json + "}"))
        .isInstanceOfSatisfying(
            Failure.Limited.class, limited -> assertThat(limited.retryAfter()).isNull());
  }

  @Test
  void anErrorThatWrapsTheStatusOfAProviderIsThatStatus() {
    assertThat(of(-32000, "{\"httpStatus\":429,\"retryAfter\":\"3\"}"))
        .isInstanceOfSatisfying(
            Failure.Limited.class,
            limited -> assertThat(limited.retryAfter()).isEqualTo(Duration.ofSeconds(3)));
    assertThat(of(-32603, "{\"statusCode\":403}")).isInstanceOf(Failure.Refused.class);
    assertThat(of(-32000, "{\"status\":503}")).isInstanceOf(Failure.ServerError.class);
    assertThat(of(-32000, "{\"status\":503,\"retry_after\":1}"))
        .isInstanceOf(Failure.Limited.class);
    assertThat(of(-32602, "{\"status\":500}")).isInstanceOf(Failure.ServerError.class);
    assertThat(of(-32602, "{\"status\":200}")).isInstanceOf(Failure.Refused.class);
    assertThat(of(-32602, "[1]")).isInstanceOf(Failure.Refused.class);
  }

  @Test
  void statusesThatTheOperatorCallsRefusalsAre() {
    assertThat(HttpStatuses.failure(502, null, "", Set.of(502)))
        .isEqualTo(new Failure.Refused(502, "status 502"));
    assertThat(HttpStatuses.failure(502, null, "", Set.of(503)))
        .isEqualTo(new Failure.ServerError(502, "status 502"));
  }

  @ParameterizedTest
  @ValueSource(ints = {408, 425})
  void aRequestThatDidNotArriveWholeWasNotSent(int status) {
    assertThat(HttpStatuses.failure(status, null, "x", Set.of()))
        .isEqualTo(new Failure.NotSent("status " + status + ": x"));
  }

  private static Failure of(int code, String data) {
    RpcError error = new RpcError(code, "no", data == null ? null : Json.of(data));
    return RpcFailures.of(error, Set.of(), NOW);
  }
}

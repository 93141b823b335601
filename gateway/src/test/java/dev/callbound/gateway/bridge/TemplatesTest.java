package dev.callbound.gateway.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.callbound.gateway.mcp.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TemplatesTest {
  private static final Json ARGUMENTS =
      Json.of("{\"issue\":12,\"repo\":\"a\",\"in\":{\"list\":[true]}}");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"n\":\"{/issue}\"} | {\"n\":12}",
        "{\"q\":\"repo:{/repo} {key}\"} | {\"q\":\"repo:a K\"}",
        "{\"q\":\"#{/issue}\"} | {\"q\":\"#12\"}",
        "{\"deep\":{\"x\":[\"{/in/list/0}\",\"{key}\",5]}} | {\"deep\":{\"x\":[true,\"K\",5]}}",
        "{\"q\":\"{no pointer} {}\"} | {\"q\":\"{no pointer} {}\"}",
        "{\"whole\":\"{/in}\"} | {\"whole\":{\"list\":[true]}}",
      })
  void placesAreFilledFromTheCall(String template, String filled) {
    assertThat(Templates.fill(Json.of(template), ARGUMENTS, "K")).hasToString(filled);
  }

  @Test
  void aPlaceThatTheCallDoesNotHaveCanNotBeFilled() {
    assertThat(Templates.fill(Json.of("{\"a\":\"{/nothing}\"}"), ARGUMENTS, "K")).isNull();
    assertThat(Templates.fill(Json.of("{\"a\":\"x {/in/list/1}\"}"), ARGUMENTS, "K")).isNull();
  }

  @Test
  void whatAnArgumentHoldsIsNotReadAsAPlace() {
    Json arguments = Json.of("{\"a\":\"$1 {key} \\\\\"}");

    assertThat(Templates.fill(Json.of("{\"q\":\"<{/a}>\"}"), arguments, "K").text("q"))
        .isEqualTo("<$1 {key} \\>");
  }
}

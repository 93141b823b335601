package dev.callbound.gateway.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.policy.Failure;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TextStatusTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "API request failed (HTTP 429): Too Many Requests | 429",
        "Request failed with status code 401 | 401",
        "Error: 503 Service Unavailable | 503",
        "HTTP/1.1 502 Bad Gateway | 502",
        "{\"statusCode\": 500, \"message\": \"oops\"} | 500",
        "status=403 reason=forbidden | 403",
        "Response code: 504 | 504",
        "error code 429 | 429",
        "got 429 (Too Many Requests) from the provider | 429",
        "HTTP error 524 | 524"
      })
  void aStatusThatIsPlainlyNamedIsFound(String text, int status) {
    assertThat(read(text).status()).isEqualTo(status);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "no such page",
        "429 of 500 rows failed, see line 503",
        "room 401 is taken",
        "the invoice 500 was not found",
        "HTTP 404: no such page",
        "status 200 expected, 422 found",
        "status: 4290",
        "status: 5000 items pending",
        "http://host:500/path is not a page",
        "https status page",
        "order 403-17 refused",
        "503",
        "",
        "unauthorized",
        "the value must be at most 429"
      })
  void aNumberIsNoStatus(String text) {
    assertThat(read(text)).isEqualTo(Failure.ToolError.PLAIN);
  }

  @Test
  void aPageOfTextIsNotSearched() {
    assertThat(read("x".repeat(2_000) + " HTTP 429")).isEqualTo(Failure.ToolError.PLAIN);
  }

  @Test
  void aResultWithoutTextWrapsNothing() {
    for (String result : List.of("{}", "{\"content\": []}", "{\"content\": 5}", image())) {
      assertThat(TextStatus.read(Json.of(result), null)).isEqualTo(Failure.ToolError.PLAIN);
    }
  }

  private static String image() {
    return "{\"content\": [{\"type\": \"image\", \"data\": \"HTTP 429\"}]}";
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Retry after 1 seconds. | 1000",
        "Retry-After: 30 | 30000",
        "try again in 250ms | 250",
        "Please try again in 5 minutes | 300000",
        "retry in 2h | 7200000",
        "retry after 0 seconds | ",
        "wait a little | "
      })
  void theWaitOfALimitIsReadFromItsText(String wait, @Nullable Long millis) {
    assertThat(read("HTTP 429: slow down. " + wait).retryAfter())
        .isEqualTo(millis == null ? null : Duration.ofMillis(millis));
    assertThat(read("HTTP 503: slow down. " + wait).retryAfter()).isNull();
  }

  private static Failure.ToolError read(String text) {
    JsonObject content = JsonObject.of("type", Json.text("text")).with("text", Json.text(text));
    return TextStatus.read(
        JsonObject.of("content", Json.array(List.of(content.toJson())))
            .with("isError", Json.TRUE)
            .toJson(),
        null);
  }
}

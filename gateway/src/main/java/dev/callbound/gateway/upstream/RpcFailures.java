package dev.callbound.gateway.upstream;

import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.gateway.mcp.RpcError;
import dev.callbound.policy.Failure;
import dev.callbound.policy.RetryAfter;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a JSON-RPC error says about whether the request was done. Pure.
 *
 * <p>An error that plainly wraps the HTTP status of a provider behind the server ({@code
 * data.httpStatus}, {@code statusCode} or {@code status}) is that status; else its code decides.
 * Codes that no specification gives a meaning to exclude nothing.
 */
public final class RpcFailures {
  /** A limit was met (SEP-3304, a proposal: read where a server sends it, never sent). */
  static final int RATE_LIMITED = -32023;

  private static final List<String> STATUS = List.of("httpStatus", "statusCode", "status");
  private static final List<String> RETRY_AFTER = List.of("retryAfter", "retry_after");

  /** The longest wait that is told apart from a longer one, in seconds: ten years. */
  private static final BigDecimal LONGEST_SECONDS = BigDecimal.valueOf(315_360_000L);

  private RpcFailures() {}

  /**
   * The failure that an error reports.
   *
   * @param refused 5xx statuses by which this server says that it did not do the request
   * @param now when the error arrived
   */
  public static Failure of(RpcError error, Set<Integer> refused, Instant now) {
    JsonObject data =
        error.data() == null ? JsonObject.EMPTY : error.data().asObject().orElse(JsonObject.EMPTY);
    String said = FailureText.of(error.message());
    Integer status = status(data);
    if (status != null) {
      return HttpStatuses.failure(status, retryAfter(error, now), said, refused);
    }
    String detail = "error " + error.code() + (said.isEmpty() ? "" : ": " + said);
    return switch (error.code()) {
      case RATE_LIMITED -> new Failure.Limited(retryAfter(error, now), detail);
      case RpcError.PARSE_ERROR,
          RpcError.INVALID_REQUEST,
          RpcError.METHOD_NOT_FOUND,
          RpcError.INVALID_PARAMS,
          RpcError.HEADER_MISMATCH,
          RpcError.MISSING_CAPABILITY,
          RpcError.UNSUPPORTED_REVISION,
          RpcError.RESOURCE_NOT_FOUND,
          RpcError.URL_ELICITATION_REQUIRED ->
          new Failure.Refused(error.code(), detail);
      default -> new Failure.ServerError(error.code(), detail);
    };
  }

  /** The wait that an error's data names: seconds, or the text of a header; null without. */
  public static @Nullable Duration retryAfter(RpcError error, Instant now) {
    JsonObject data =
        error.data() == null ? JsonObject.EMPTY : error.data().asObject().orElse(JsonObject.EMPTY);
    for (String name : RETRY_AFTER) {
      Json value = data.get(name);
      if (value == null) {
        continue;
      }
      Duration wait =
          value.isNumber()
              ? seconds(value)
              : RetryAfter.parse(value.asText().orElse(null), null, now).orElse(null);
      if (wait != null) {
        return wait;
      }
    }
    return null;
  }

  private static @Nullable Integer status(JsonObject data) {
    for (String name : STATUS) {
      Json value = data.get(name);
      OptionalLong number = value == null ? OptionalLong.empty() : value.asLong();
      if (number.isPresent() && number.getAsLong() >= 400 && number.getAsLong() <= 599) {
        return (int) number.getAsLong();
      }
    }
    return null;
  }

  private static @Nullable Duration seconds(Json number) {
    BigDecimal seconds = new BigDecimal(number.toString());
    // Compared before it is scaled: 1e999999999 must cost nothing.
    if (seconds.signum() <= 0 || seconds.compareTo(LONGEST_SECONDS) > 0) {
      return seconds.signum() <= 0 ? null : Duration.ofSeconds(LONGEST_SECONDS.longValueExact());
    }
    long millis = seconds.scaleByPowerOfTen(3).longValue();
    return Duration.ofMillis(Math.max(1, millis));
  }
}

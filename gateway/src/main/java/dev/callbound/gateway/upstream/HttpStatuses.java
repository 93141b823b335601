package dev.callbound.gateway.upstream;

import dev.callbound.policy.Failure;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What an HTTP status says about whether the request was done (RFC 9110 §15). Pure. */
public final class HttpStatuses {
  private HttpStatuses() {}

  /**
   * The failure that a status reports.
   *
   * @param status 400 to 599
   * @param retryAfter the wait that came with it, more than zero; null for none
   * @param said what the server said in its body, short; may be empty
   * @param refused 5xx statuses by which this server says that it did not do the request
   * @throws IllegalArgumentException if the status reports no failure
   */
  public static Failure failure(
      int status, @Nullable Duration retryAfter, String said, Set<Integer> refused) {
    if (status < 400 || status > 599) {
      throw new IllegalArgumentException("status must be 400 to 599: " + status);
    }
    String detail = "status " + status + (said.isEmpty() ? "" : ": " + said);
    return switch (status) {
      case 429 -> new Failure.Limited(retryAfter, detail);
      // The request did not arrive whole (RFC 9110 §15.5.9), or was not looked at (RFC 8470 §5.2).
      case 408, 425 -> new Failure.NotSent(detail);
      default -> {
        if (status == 503 && retryAfter != null) {
          yield new Failure.Limited(retryAfter, detail);
        }
        yield status < 500 || refused.contains(status)
            ? new Failure.Refused(status, detail)
            : new Failure.ServerError(status, detail);
      }
    };
  }
}

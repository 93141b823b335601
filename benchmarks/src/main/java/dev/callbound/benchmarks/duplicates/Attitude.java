package dev.callbound.benchmarks.duplicates;

import com.fasterxml.jackson.databind.JsonNode;
import dev.callbound.testkit.client.WireException;
import dev.failsafe.Failsafe;
import dev.failsafe.FailsafeException;
import dev.failsafe.RetryPolicy;
import java.time.Duration;

/** What a client without Callbound does about an attempt that failed. */
enum Attitude {
  /** Tries again at once, whatever it was: three attempts, as agent loops do. */
  RETRIES_ANYTHING {
    @Override
    JsonNode call(Attempt attempt) throws InterruptedException {
      for (int number = 1; ; number++) {
        try {
          return attempt.make();
        } catch (WireException e) {
          if (number == MOST_ATTEMPTS) {
            throw e;
          }
        }
      }
    }
  },

  /** Takes the first failure for the end. */
  NEVER_RETRIES {
    @Override
    JsonNode call(Attempt attempt) throws InterruptedException {
      return attempt.make();
    }
  },

  /**
   * What resilience libraries and gateways are set up to do: Failsafe's policy, three attempts for
   * timeouts, lost connections, 429 and 5xx, with exponential backoff and jitter.
   */
  FAILSAFE {
    @Override
    JsonNode call(Attempt attempt) throws InterruptedException {
      try {
        return Failsafe.with(POLICY).get(attempt::make);
      } catch (FailsafeException e) {
        if (e.getCause() instanceof InterruptedException interrupted) {
          throw interrupted;
        }
        throw e;
      }
    }
  };

  private static final int MOST_ATTEMPTS = 3;

  private static final int TOO_MANY_REQUESTS = 429;

  private static final RetryPolicy<JsonNode> POLICY =
      RetryPolicy.<JsonNode>builder()
          .handleIf(failure -> failure instanceof WireException e && passes(e))
          .withMaxAttempts(MOST_ATTEMPTS)
          .withBackoff(Duration.ofMillis(250), Duration.ofSeconds(2))
          .withJitter(0.5)
          .build();

  /** One try on the wire. */
  interface Attempt {
    /**
     * Waits for the response.
     *
     * @throws WireException if there is none
     */
    JsonNode make() throws InterruptedException;
  }

  /**
   * Makes attempts until there is a response, or it has had enough.
   *
   * @throws WireException what the last attempt failed with
   */
  abstract JsonNode call(Attempt attempt) throws InterruptedException;

  /** Whether the failure is of those that are said to pass. */
  private static boolean passes(WireException failure) {
    return failure
        .response()
        .map(response -> response.status() == TOO_MANY_REQUESTS || response.status() >= 500)
        .orElse(true);
  }
}

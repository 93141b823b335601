package dev.callbound.policy;

import dev.callbound.policy.Gate.Admission.Refused;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a call is told that an entrance turns away. Never in the words of the server: what it said
 * to one client is not for the others.
 */
final class TurnedAway {
  private TurnedAway() {}

  /**
   * Too many calls have failed lately.
   *
   * @param left until the next try; null while it is under way
   */
  static Refused byCircuit(Circuit.Terms terms, Entrance.Cause last, @Nullable Duration left) {
    String why =
        "its circuit is open, after %s within %d ms%s; %s"
            .formatted(
                count(terms.failures(), "failure"),
                terms.window().toMillis(),
                last.failure().isEmpty() ? "" : ", the last one " + last.failure(),
                next(left));
    return new Refused(Reason.Stopped.CIRCUIT_OPEN, why, left);
  }

  /**
   * The server does not let us in.
   *
   * @param left until the next try; null while it is under way
   */
  static Refused byCredentials(@Nullable Duration left) {
    String why = "its server refuses the gateway's credentials (401); " + next(left);
    return new Refused(Reason.Stopped.REFUSED, why, left);
  }

  private static String next(@Nullable Duration left) {
    return left == null
        ? "another call is trying whether it works again"
        : "the next try is in %d ms".formatted(left.toMillis());
  }

  /**
   * The provider asked another call for a wait, for which this one has no time.
   *
   * @param left of that wait
   * @param mine what is left of the call
   */
  static Refused byHold(Duration left, Duration mine) {
    String why =
        "the provider asked for a wait, of which %d ms are left; it does not fit the %d ms that are left, so it was not begun"
            .formatted(left.toMillis(), mine.toMillis());
    return new Refused(Reason.Stopped.RATE_LIMITED, why, left.isPositive() ? left : null);
  }

  /** Too many wait in line already. */
  static Refused byLine(Entrance.Crowd crowd) {
    String why =
        "its server gets %s at once, and %s for a place already"
            .formatted(
                count(crowd.places(), "call"),
                crowd.waiting() == 1 ? "1 waits" : crowd.waiting() + " wait");
    return new Refused(Reason.Stopped.RATE_LIMITED, why, null);
  }

  /** It has waited in line until its own time was over. */
  static Refused tooLate(Entrance.Crowd crowd) {
    String why =
        "its server gets %s at once, and no place became free in time"
            .formatted(count(crowd.places(), "call"));
    return new Refused(Reason.Stopped.DEADLINE_EXCEEDED, why, null);
  }

  private static String count(int number, String what) {
    return number + " " + what + (number == 1 ? "" : "s");
  }
}

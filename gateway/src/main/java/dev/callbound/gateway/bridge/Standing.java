package dev.callbound.gateway.bridge;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a call stands that is going on.
 *
 * @param age how long ago it was made, or taken up by this process
 * @param attempt the attempt that is going on, or was made last; zero before the first
 * @param attempts how many it may make
 * @param attemptAge how long ago that attempt began; null while none is going on
 * @param lastProgress how long ago the server last reported progress in it; null where it has not
 * @param approval whether it waits for a person to approve it
 */
record Standing(
    Duration age,
    int attempt,
    int attempts,
    @Nullable Duration attemptAge,
    @Nullable Duration lastProgress,
    boolean approval) {

  /** The same for people, such as {@code attempt 1 of 3, for 34 s; last progress 2 s ago}. */
  String text() {
    if (approval) {
      return "it waits for a person to approve it";
    }
    if (attempt == 0) {
      return "no attempt has begun yet";
    }
    if (attemptAge == null) {
      return "attempt %d of %d has ended, and it waits to try again".formatted(attempt, attempts);
    }
    String progress =
        lastProgress == null
            ? "no progress reported"
            : "last progress %s ago".formatted(Answers.spoken(lastProgress));
    return "attempt %d of %d, for %s; %s"
        .formatted(attempt, attempts, Answers.spoken(attemptAge), progress);
  }
}

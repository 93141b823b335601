package dev.callbound.journal;

import dev.callbound.policy.Money;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A run as it is remembered. Times have whole milliseconds.
 *
 * @param id see {@link Ids#run()}
 * @param name what its client calls it, unique per principal; null when it has no name
 * @param principal whose run it is
 * @param client the client's own name for itself, for people
 * @param retryLimit how many retries its calls may make together
 * @param retriesUsed how many they have made: the attempts after the first that the journal holds,
 *     so neither a reconnect nor a restart refills the budget
 * @param spendLimit how much its calls may spend together; null for as much as they like
 * @param spent what their attempts have cost, those that are going on included: summed from the
 *     journal as well
 * @param endedAt null exactly while it is running
 * @param endedBecause one sentence for people; null while it is running
 */
public record RunRecord(
    String id,
    @Nullable String name,
    String principal,
    String client,
    RunState state,
    Instant createdAt,
    Instant deadline,
    int retryLimit,
    int retriesUsed,
    @Nullable Money spendLimit,
    Money spent,
    @Nullable Instant endedAt,
    @Nullable String endedBecause) {

  public RunRecord {
    Check.id(id, Ids.RUN);
    if (name != null && name.isBlank()) {
      throw new IllegalArgumentException("name must not be blank; null means none");
    }
    if (retryLimit < 0 || retriesUsed < 0) {
      throw new IllegalArgumentException(
          "retryLimit and retriesUsed must not be negative: " + retryLimit + ", " + retriesUsed);
    }
    if ((state == RunState.RUNNING) != (endedAt == null)
        || (endedAt == null) != (endedBecause == null)) {
      throw new IllegalArgumentException(
          "endedAt and endedBecause come with an ended state: " + state + ", " + endedAt);
    }
    createdAt = Check.millis(createdAt);
    deadline = Check.millis(deadline);
    endedAt = endedAt == null ? null : Check.millis(endedAt);
  }

  /** Whether there is anything to say about its money: a limit, or a cost. */
  public boolean spendsMoney() {
    return spendLimit != null || !spent.isZero();
  }

  /** A run that begins, and may spend as much as it likes. */
  public static RunRecord running(
      String id,
      @Nullable String name,
      String principal,
      String client,
      Instant createdAt,
      Instant deadline,
      int retryLimit) {
    return running(id, name, principal, client, createdAt, deadline, retryLimit, null);
  }

  /** A run that begins. */
  public static RunRecord running(
      String id,
      @Nullable String name,
      String principal,
      String client,
      Instant createdAt,
      Instant deadline,
      int retryLimit,
      @Nullable Money spendLimit) {
    return new RunRecord(
        id,
        name,
        principal,
        client,
        RunState.RUNNING,
        createdAt,
        deadline,
        retryLimit,
        0,
        spendLimit,
        Money.ZERO,
        null,
        null);
  }
}

package dev.callbound.gateway.run;

import dev.callbound.journal.RunRecord;
import dev.callbound.policy.Deadline;
import dev.callbound.policy.RetryBudget;
import dev.callbound.policy.SpendLimit;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A run that this process knows. Thread-safe.
 *
 * <p>Whoever works for a run joins it and leaves it; when the run ends, everyone who has joined is
 * told, once.
 */
public final class Run {
  /** Something that goes on within a run, and ends with it. */
  @FunctionalInterface
  public interface Member {
    /** The run has ended. Must not block. */
    void runEnded();

    /** Whether it goes on when the client has gone that it began for. */
    default boolean outlivesClient() {
      return false;
    }
  }

  private final Deadline deadline;
  private final RetryBudget budget;
  private final SpendLimit spend;
  private final AtomicReference<RunRecord> record;
  private final Set<Member> members = ConcurrentHashMap.newKeySet();
  private volatile Instant lastUsed;

  Run(RunRecord record, Deadline deadline) {
    this.record = new AtomicReference<>(record);
    this.deadline = deadline;
    this.budget = RetryBudget.of(record.retryLimit(), record.retriesUsed());
    this.spend = SpendLimit.of(record.spendLimit(), record.spent());
    this.lastUsed = record.createdAt();
  }

  /** Its id. */
  public String id() {
    return record().id();
  }

  /** When it is over, whatever is going on. */
  public Deadline deadline() {
    return deadline;
  }

  /** The retries that its calls share. */
  public RetryBudget budget() {
    return budget;
  }

  /** The money that its calls share. */
  public SpendLimit spend() {
    return spend;
  }

  /** Whether it takes no more calls. */
  public boolean over() {
    return record().endedAt() != null;
  }

  /** The record as it stands; its counts are those of the last read. */
  public RunRecord record() {
    return record.get();
  }

  /**
   * Joins the run.
   *
   * @return false when the run is over; the member is then not told anything
   */
  public boolean join(Member member) {
    members.add(member);
    // Asked after joining: a run that ends in between tells the member itself.
    if (over()) {
      return !members.remove(member);
    }
    return true;
  }

  /** Leaves the run. */
  public void leave(Member member) {
    members.remove(member);
  }

  /** Whether anybody works for it now. */
  boolean busy() {
    return !members.isEmpty();
  }

  /** Whether anybody works for it who goes on when its client has gone. */
  boolean outlivesClient() {
    return members.stream().anyMatch(Member::outlivesClient);
  }

  Instant lastUsed() {
    return lastUsed;
  }

  void usedAt(Instant now) {
    lastUsed = now;
  }

  /** Takes over how the run ended, and tells every member. */
  void ended(RunRecord end) {
    record.set(end);
    for (Member member : List.copyOf(members)) {
      if (members.remove(member)) {
        member.runEnded();
      }
    }
  }
}

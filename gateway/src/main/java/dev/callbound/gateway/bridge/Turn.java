package dev.callbound.gateway.bridge;

import dev.callbound.policy.Deadline;
import dev.callbound.policy.Gate;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The gate as one call sees it, which remembers how long it waited and why it was turned away. */
final class Turn implements Gate {
  private final Gate gate;
  private final CallJournal journal;
  private Admission.@Nullable Refused refused;

  Turn(Gate gate, CallJournal journal) {
    this.gate = gate;
    this.journal = journal;
  }

  @Override
  public Admission enter(Deadline by) throws InterruptedException {
    long begun = System.nanoTime();
    Admission admission = gate.enter(by);
    switch (admission) {
      case Admission.Admitted _ -> journal.held(Duration.ofNanos(System.nanoTime() - begun));
      case Admission.Refused refusal -> refused = refusal;
    }
    return admission;
  }

  /** When it makes sense to ask again, for a call that was turned away; null where nobody knows. */
  @Nullable Duration retryAfter() {
    return refused == null ? null : refused.retryAfter();
  }
}

package dev.callbound.policy;

import dev.callbound.policy.testing.SimulatedTime;
import java.time.Duration;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** A gate that lets through, makes wait and turns away as the seed says, and keeps count. */
final class SimulatedGate implements Gate {
  private static final Reason.Stopped[] REASONS = {
    Reason.Stopped.CIRCUIT_OPEN, Reason.Stopped.RATE_LIMITED, Reason.Stopped.REFUSED
  };

  private final SplittableRandom random;
  private final SimulatedTime time;
  private final boolean open;
  private Reason.@Nullable Stopped refused;
  private boolean interrupted;
  private int asked;
  private int admitted;
  private int used;
  private int unused;

  SimulatedGate(SplittableRandom random, SimulatedTime time) {
    this.random = random;
    this.time = time;
    this.open = random.nextBoolean();
  }

  @Override
  public Admission enter(Deadline by) throws InterruptedException {
    asked++;
    if (!open && Draw.oneIn(random, 4)) {
      await(by);
    }
    if (!open && Draw.oneIn(random, 6)) {
      refused = Draw.of(random, REASONS);
      return new Admission.Refused(refused, "the seed says no", null);
    }
    admitted++;
    return new Admission.Admitted(
        new Pass() {
          @Override
          public void used(Attempt attempt, @Nullable Failure failure) {
            used++;
          }

          @Override
          public void unused() {
            unused++;
          }
        });
  }

  /** Waits, at most until the call is over. */
  private void await(Deadline by) throws InterruptedException {
    Duration wait = Draw.duration(random, 1, 60_000);
    Duration left = by.left(time);
    interrupted = true;
    time.sleep(wait.compareTo(left) < 0 ? wait : left);
    interrupted = false;
  }

  boolean refusedWith(Reason reason) {
    return reason.equals(refused);
  }

  boolean wasInterrupted() {
    return interrupted;
  }

  int asked() {
    return asked;
  }

  int admitted() {
    return admitted;
  }

  int used() {
    return used;
  }

  int unused() {
    return unused;
  }

  @Override
  public String toString() {
    return "gate: asked %d, admitted %d, used %d, unused %d, refused %s, interrupted %s"
        .formatted(asked, admitted, used, unused, refused, interrupted);
  }
}

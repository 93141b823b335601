package dev.callbound.gateway.bridge;

import dev.callbound.journal.AttemptEnd;
import dev.callbound.journal.CallRecord;
import dev.callbound.journal.Durability;
import dev.callbound.journal.Ending;
import dev.callbound.journal.Evidence;
import dev.callbound.journal.FailureRecord;
import dev.callbound.journal.Interrupted;
import dev.callbound.journal.JournalException;
import dev.callbound.journal.JournalStore;
import dev.callbound.journal.LastAttempt;
import dev.callbound.policy.Decision;
import dev.callbound.policy.Failure;
import dev.callbound.policy.Intent;
import dev.callbound.policy.Past;
import dev.callbound.policy.Reason;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.Semaphore;

/**
 * What an earlier process left behind: writes that were under way when it died, which go on from
 * where the journal says they stood, and unknowns that can still be asked about.
 *
 * <p>Recovery is the same loop: an attempt that was begun and not ended failed because its worker
 * died, and the classifier says what that means.
 */
final class Leftovers {
  private static final System.Logger LOG = System.getLogger(Leftovers.class.getName());

  private static final AttemptEnd WORKER_DIED =
      new AttemptEnd(
          null,
          FailureRecord.of(new Failure.WorkerDied()),
          new Decision(Decision.Action.UNKNOWN, null, "the write may have happened"),
          Evidence.NONE);

  private static final int MOST_UNKNOWN = 1_000;
  private static final int AT_ONCE = 16;

  private final JournalStore journal;
  private final InstantSource clock;
  private final KeptOrders orders;
  private final Flights flights;
  private final Questions.Parked parked;
  private final ToolCalls calls;
  private final Settler settler;
  private final Semaphore places = new Semaphore(AT_ONCE);

  Leftovers(
      JournalStore journal,
      InstantSource clock,
      KeptOrders orders,
      Flights flights,
      Questions.Parked parked,
      ToolCalls calls,
      Settler settler) {
    this.journal = journal;
    this.clock = clock;
    this.orders = orders;
    this.flights = flights;
    this.parked = parked;
    this.calls = calls;
    this.settler = settler;
  }

  /**
   * Takes up what is left. When it returns, a client that asks for one of these calls again joins
   * it; the work itself goes on beside.
   */
  void takeUp() {
    journal.recovery().toResume().forEach(this::takeUp);
    for (CallRecord call : journal.unsettledCheckable(MOST_UNKNOWN)) {
      askAbout(call);
    }
  }

  private void takeUp(Interrupted left) {
    CallRecord call = left.call();
    Optional<Order> kept = orders.of(call, left.resend());
    String key = call.key();
    if (kept.isEmpty() || key == null) {
      end(left);
      return;
    }
    Order order = kept.get();
    Audience audience = new Audience(parked);
    Flight flight = new Flight(key, call.argumentsDigest(), audience);
    flight.isCall(call.run(), call.id());
    String place = Intents.place(intent(order), key);
    flights.enter(place, flight);
    Thread.ofVirtual()
        .name("take-up")
        .start(
            () -> {
              places.acquireUninterruptibly();
              try {
                LOG.log(
                    System.Logger.Level.INFO,
                    "call={0} server={1} tool={2} taken_up=yes",
                    call.id(),
                    call.server(),
                    call.tool());
                calls.takeUp(order, past(left), audience);
              } catch (RuntimeException | Error e) {
                LOG.log(System.Logger.Level.ERROR, "call=" + call.id() + " taken_up=failed", e);
                audience.fail(Unrecorded.error(e));
              } finally {
                places.release();
                flights.leave(place, flight);
              }
            });
  }

  private static Intent intent(Order order) {
    CallRecord call = order.record();
    return new Intent(
        order.run().record().principal(), call.run(), call.step(), call.server(), call.tool(), "");
  }

  private static Past past(Interrupted left) {
    return Past.died(
        left.attempts().size(),
        left.doubt(),
        left.waitedAsTold(),
        left.amidAttempt() ? new Failure.WorkerDied() : null);
  }

  /** Nothing can be sent or asked: its server is no longer configured. */
  private void end(Interrupted left) {
    String call = left.call().id();
    try {
      journal.endCall(
          call,
          left.amidAttempt() ? new LastAttempt(left.attempts().size(), WORKER_DIED) : null,
          Ending.without(
              Ending.Status.UNKNOWN,
              Reason.Unknown.WORKER_DIED,
              "the process died, and server " + left.call().server() + " is no longer configured",
              left.attempts().size(),
              clock.instant()),
          null,
          Durability.ON_DISK);
    } catch (JournalException e) {
      LOG.log(System.Logger.Level.ERROR, "call={0} recorded=no {1}", call, e.getMessage());
    }
  }

  private void askAbout(CallRecord call) {
    Ending ending = call.ending();
    Optional<String> resend = journal.resend(call.id());
    if (ending == null || resend.isEmpty()) {
      return;
    }
    Duration ago = Duration.between(ending.endedAt(), clock.instant());
    orders
        .of(call, resend.get())
        .ifPresent(order -> settler.keepAsking(order, System.nanoTime() - ago.toNanos()));
  }
}

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
import dev.callbound.policy.Effect;
import dev.callbound.policy.Failure;
import dev.callbound.policy.Intent;
import dev.callbound.policy.Past;
import dev.callbound.policy.Reason;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.Semaphore;

/**
 * What an earlier process left behind: calls that were under way when it died, which go on from
 * where the journal says they stood, and unknowns that can still be asked about.
 *
 * <p>Recovery is the same loop: an attempt that was begun and not ended failed because its worker
 * died, and the classifier says what that means.
 */
final class Leftovers {
  private static final System.Logger LOG = System.getLogger(Leftovers.class.getName());

  private static final int MOST_UNKNOWN = 1_000;
  private static final int AT_ONCE = 16;

  private final JournalStore journal;
  private final InstantSource clock;
  private final KeptOrders orders;
  private final Flights flights;
  private final Questions.Parked parked;
  private final TaskBook tasks;
  private final ToolCalls calls;
  private final Settler settler;
  private final Semaphore places = new Semaphore(AT_ONCE);

  Leftovers(
      JournalStore journal,
      InstantSource clock,
      KeptOrders orders,
      Flights flights,
      Questions.Parked parked,
      TaskBook tasks,
      ToolCalls calls,
      Settler settler) {
    this.journal = journal;
    this.clock = clock;
    this.orders = orders;
    this.flights = flights;
    this.parked = parked;
    this.tasks = tasks;
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
    if (kept.isEmpty()) {
      end(left);
      return;
    }
    Order order = kept.get();
    boolean detached = journal.tasks().task(call.id()).isPresent();
    Audience audience = new Audience(parked, tasks);
    audience.refer(new Conversation.Reference(call.run(), call.id()));
    Runnable work = () -> goOn(left, order, audience, detached);
    Runnable entered = entered(order, audience, work);
    // One that somebody comes back for was not held up by others before, and is not now.
    Thread.ofVirtual().name("take-up").start(detached ? entered : () -> inTurn(entered));
  }

  /** The work in the place where requests with the same intent find it: from now on. */
  private Runnable entered(Order order, Audience audience, Runnable work) {
    CallRecord call = order.record();
    String key = call.key();
    if (key == null) {
      return work;
    }
    Flight flight = new Flight(key, call.argumentsDigest(), audience);
    flight.isCall(call.run(), call.id());
    String place = Intents.place(intent(order), key);
    flights.enter(place, flight);
    return () -> {
      try {
        work.run();
      } finally {
        flights.leave(place, flight);
      }
    };
  }

  private void inTurn(Runnable work) {
    places.acquireUninterruptibly();
    try {
      work.run();
    } finally {
      places.release();
    }
  }

  private void goOn(Interrupted left, Order order, Audience audience, boolean detached) {
    CallRecord call = left.call();
    try {
      LOG.log(
          System.Logger.Level.INFO,
          "call={0} server={1} tool={2} taken_up=yes",
          call.id(),
          call.server(),
          call.tool());
      calls.takeUp(order, past(left), audience, detached);
    } catch (RuntimeException | Error e) {
      LOG.log(System.Logger.Level.ERROR, "call=" + call.id() + " taken_up=failed", e);
      audience.fail(Unrecorded.error(e));
    }
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
    boolean inDoubt =
        left.call().effect() == Effect.WRITE && (left.amidAttempt() || left.doubt() != null);
    String why =
        "the process died, and server " + left.call().server() + " is no longer configured";
    try {
      journal.endCall(
          call,
          left.amidAttempt() ? new LastAttempt(left.attempts().size(), died(inDoubt)) : null,
          Ending.without(
              inDoubt ? Ending.Status.UNKNOWN : Ending.Status.STOPPED,
              inDoubt ? Reason.Unknown.WORKER_DIED : Reason.Stopped.CANCELLED,
              why,
              left.attempts().size(),
              clock.instant()),
          null,
          Durability.ON_DISK);
    } catch (JournalException e) {
      LOG.log(System.Logger.Level.ERROR, "call={0} recorded=no {1}", call, e.getMessage());
    }
  }

  private static AttemptEnd died(boolean inDoubt) {
    return new AttemptEnd(
        null,
        FailureRecord.of(new Failure.WorkerDied()),
        inDoubt
            ? new Decision(Decision.Action.UNKNOWN, null, "the write may have happened")
            : new Decision(Decision.Action.STOP, null, "it can't be asked for again"),
        Evidence.NONE);
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

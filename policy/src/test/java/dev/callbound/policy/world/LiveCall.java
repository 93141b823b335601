package dev.callbound.policy.world;

import static java.util.Objects.requireNonNull;

import dev.callbound.policy.Attempt;
import dev.callbound.policy.Backoff;
import dev.callbound.policy.BoundedCall;
import dev.callbound.policy.Deadline;
import dev.callbound.policy.Decision;
import dev.callbound.policy.Draw;
import dev.callbound.policy.Effect;
import dev.callbound.policy.Entrance;
import dev.callbound.policy.Failure;
import dev.callbound.policy.Finding;
import dev.callbound.policy.Journal;
import dev.callbound.policy.Means;
import dev.callbound.policy.Outcome;
import dev.callbound.policy.Past;
import dev.callbound.policy.Plan;
import dev.callbound.policy.Recognition;
import dev.callbound.policy.Reply;
import dev.callbound.policy.Time;
import dev.callbound.policy.Upstream;
import dev.callbound.policy.world.Book.Entry;
import dev.callbound.policy.world.Book.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A call that is under way in this process, and who waits for it. */
final class LiveCall implements Upstream<String>, Journal, Time, Entrance.Waiting {
  /** A call as one process made it, from when to when. */
  record Made(
      Entry.Opened opened,
      Plan plan,
      Past past,
      long begunNanos,
      long endedNanos,
      @Nullable Long cancelledNanos,
      Duration oversleep,
      Outcome<String> outcome) {}

  private final World world;
  private final Gateway gateway;
  private final Entry.Opened opened;
  private final Plan plan;
  private final List<Client.Waiter> waiters = new ArrayList<>();
  private Turns.@Nullable Actor actor;
  private @Nullable Long lastEndNanos;
  private @Nullable Long cancelledNanos;
  private Duration oversleep = Duration.ZERO;
  private boolean woken;

  LiveCall(World world, Gateway gateway, Entry.Opened opened) {
    this.world = world;
    this.gateway = gateway;
    this.opened = opened;
    Tool tool = opened.request().tool();
    Long until = tool.recognition == Recognition.KEY ? gateway.keyUntil(opened.key()) : null;
    this.plan =
        new Plan(
            tool.effect,
            tool.recognition,
            Draw.duration(gateway.random(), 100, 30_000),
            Deadline.after(Draw.duration(gateway.random(), 1_000, 120_000), world.time()),
            world.run(),
            World.ATTEMPTS,
            until == null ? null : new Deadline(until));
  }

  private Turns.Actor actor() {
    return requireNonNull(actor, "the call is not being made yet");
  }

  String call() {
    return opened.call();
  }

  List<Client.Waiter> waiters() {
    return waiters;
  }

  void join(Client.Waiter waiter) {
    waiters.add(waiter);
    waiter.whenLeaving(
        () -> {
          waiters.remove(waiter);
          if (waiters.isEmpty() && Draw.oneIn(gateway.random(), 2) && gateway.alive()) {
            cancelledNanos = world.time().nanos();
            actor().cancel();
          }
        });
  }

  /** Makes the call, on the thread of the actor. */
  Outcome<String> make(Past past, Turns.Actor maker) {
    actor = maker;
    long begun = world.time().nanos();
    Outcome<String> outcome =
        new BoundedCall<>(
                plan,
                past,
                gateway.gate(opened.request().tool(), plan.timeout(), this),
                this,
                this,
                Means.freeOfCharge(gateway.budget()),
                Backoff.STANDARD,
                this,
                gateway.random())
            .run();
    Thread.interrupted();
    world.made(
        new Made(
            opened, plan, past, begun, world.time().nanos(), cancelledNanos, oversleep, outcome));
    return outcome;
  }

  // Upstream.

  @Override
  public Reply<String> attempt(Attempt attempt) {
    var send = new Provider.Send(opened, attempt, world.time().nanos(), actor(), gateway);
    try {
      return world.provider().attempt(send);
    } finally {
      lastEndNanos = world.time().nanos();
    }
  }

  @Override
  public Finding<String> check(Deadline by) {
    return new Check(world, gateway, opened, actor()).ask(by.left(world.time()), lastEndNanos);
  }

  // Journal.

  @Override
  public void begun(Attempt attempt) {
    write(new Entry.Begun(call(), attempt.number(), world.time().nanos()), true);
  }

  @Override
  public void ended(
      Attempt attempt, Duration waited, @Nullable Failure failure, Decision decision) {
    ended(attempt.number(), failure, decision);
  }

  @Override
  public void takenUp(int number, Failure failure, Decision decision) {
    ended(number, failure, decision);
  }

  private void ended(int number, @Nullable Failure failure, Decision decision) {
    write(new Entry.Ended(call(), number, failure, decision.action(), world.time().nanos()), false);
  }

  @Override
  public void ended(Outcome<?> outcome) {
    long now = world.time().nanos();
    Entry.Closed closed =
        switch (outcome) {
          case Outcome.Ok<?>(Object result, int attempts) ->
              new Entry.Closed(call(), Status.OK, null, (String) result, attempts, "", now);
          case Outcome.Stopped<?> it ->
              new Entry.Closed(
                  call(),
                  Status.STOPPED,
                  it.reason(),
                  (String) it.answer(),
                  it.attempts(),
                  it.detail(),
                  now);
          case Outcome.Unknown<?> it ->
              new Entry.Closed(
                  call(), Status.UNKNOWN, it.reason(), null, it.attempts(), it.detail(), now);
        };
    write(closed, true);
  }

  /** A read is recorded without waiting for the disk. */
  private void write(Entry entry, boolean toDisk) {
    gateway.write(entry, toDisk && opened.request().tool().effect == Effect.WRITE);
  }

  // Time.

  @Override
  public long nanos() {
    return world.time().nanos();
  }

  @Override
  public void sleep(Duration wait) throws InterruptedException {
    world.sleeps(this, plan, wait);
    oversleep =
        Draw.oneIn(gateway.random(), 10)
            ? Draw.duration(gateway.random(), 1, 10_000)
            : Duration.ZERO;
    actor().sleep(wait.plus(oversleep));
    if (actor().cancelled()) {
      throw new InterruptedException("cancelled");
    }
  }

  // At the entrance.

  @Override
  public void await(Duration atMost) throws InterruptedException {
    if (!woken) {
      actor().sleep(atMost);
    }
    woken = false;
    if (actor().cancelled()) {
      throw new InterruptedException("cancelled");
    }
  }

  @Override
  public void wake() {
    woken = true;
    actor().wake();
  }
}

package dev.callbound.policy.world;

import static java.util.Objects.requireNonNull;

import dev.callbound.policy.Circuit;
import dev.callbound.policy.Decision;
import dev.callbound.policy.Draw;
import dev.callbound.policy.Effect;
import dev.callbound.policy.Entrance;
import dev.callbound.policy.Failure;
import dev.callbound.policy.Finding;
import dev.callbound.policy.Gate;
import dev.callbound.policy.Outcome;
import dev.callbound.policy.Past;
import dev.callbound.policy.Reason;
import dev.callbound.policy.Recognition;
import dev.callbound.policy.Repeat;
import dev.callbound.policy.Reply;
import dev.callbound.policy.RetryBudget;
import dev.callbound.policy.testing.SimulatedTime;
import dev.callbound.policy.world.Book.Entry;
import dev.callbound.policy.world.Book.Row;
import dev.callbound.policy.world.Book.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One process of the gateway, from its start to its death. */
final class Gateway {
  private static final Duration LATE_WINDOW = Duration.ofSeconds(30);
  private static final Duration SETTLE_FOR = Duration.ofMinutes(10);

  /** Soon opened, so that it is met often. */
  private static final Circuit.Terms CIRCUIT =
      new Circuit.Terms(2, Duration.ofSeconds(30), Duration.ofSeconds(15));

  private final World world;
  private final SimulatedTime time;
  private final Turns turns;
  private final Book book;
  private final SplittableRandom random;
  private final RetryBudget budget;
  private final Entrance entrance;
  private final long startedNanos;
  private final List<Turns.Actor> actors = new ArrayList<>();
  private final Map<String, LiveCall> lives = new LinkedHashMap<>();
  private boolean alive = true;
  private boolean ready;

  Gateway(World world, SplittableRandom random) {
    this.world = world;
    this.time = world.time();
    this.turns = world.turns();
    this.book = world.book();
    this.random = random;
    this.startedNanos = time.nanos();
    this.budget = RetryBudget.of(world.retries(), book.retries());
    this.entrance =
        new Entrance(
            new Entrance.Order(1 + random.nextInt(3), random.nextInt(4), CIRCUIT, 0),
            time,
            random.split(),
            _ -> {});
  }

  /** What stands between a call and its tool, in every second world. */
  Gate gate(Tool tool, Duration timeout, Entrance.Waiting waiting) {
    return world.hasEntrance()
        ? entrance.gate(new Entrance.Place(tool.name(), CIRCUIT, true), timeout, waiting)
        : Gate.OPEN;
  }

  RetryBudget budget() {
    return budget;
  }

  long startedNanos() {
    return startedNanos;
  }

  SplittableRandom random() {
    return random;
  }

  boolean alive() {
    return alive;
  }

  /** Takes up what the last process left, before anything else. */
  void start() {
    spawn(
        _ -> {
          for (Row row : book.open()) {
            recover(row);
          }
          for (Row row : book.rows()) {
            settleWhatItFollows(row);
            settleByCheck(row);
          }
          ready = true;
        });
  }

  /** Somebody asks. */
  void request(Client.Waiter waiter) {
    if (!alive || !ready) {
      waiter.lost();
      return;
    }
    waiter.whenLeaving(() -> {});
    spawn(actor -> serve(waiter, actor));
  }

  private void serve(Client.Waiter waiter, Turns.Actor actor) {
    Request asked = waiter.asked;
    if (world.run().passed(time)) {
      waiter.hears(new World.Heard(null, null, Status.STOPPED, null, time.nanos()));
      return;
    }
    String key = asked.key();
    Row first = asked.hasKey() ? book.latest(asked, key) : null;
    Repeat repeat =
        Repeat.decide(
            first(first),
            asked.step() != null,
            asked.tool().recognition,
            forgotten(asked.tool(), key),
            asked.tool() == Tool.REPEATS,
            first != null && first.opened.request().sameArguments(asked));
    world.note("asked", asked, repeat);
    world.count(repeat);
    switch (repeat) {
      case RUN -> open(waiter, actor, key, null);
      case ASK -> open(waiter, actor, key, requireNonNull(first));
      case JOIN -> requireNonNull(lives.get(requireNonNull(first).call())).join(waiter);
      case REPLAY, TOLD -> tell(waiter, requireNonNull(first), repeat);
      case CONFLICT ->
          waiter.hears(new World.Heard(null, repeat, Status.STOPPED, null, time.nanos()));
    }
  }

  private static Repeat.First first(@Nullable Row row) {
    if (row == null) {
      return Repeat.First.NONE;
    }
    return switch (row.status()) {
      case null -> Repeat.First.OPEN;
      case OK -> Repeat.First.OK;
      case STOPPED -> Repeat.First.STOPPED;
      case UNKNOWN -> Repeat.First.UNKNOWN;
    };
  }

  private boolean forgotten(Tool tool, String key) {
    Long until = tool.recognition == Recognition.KEY ? keyUntil(key) : null;
    return until != null && until - time.nanos() <= 0;
  }

  /** When the provider may have forgotten a key; null if it never does. */
  @Nullable Long keyUntil(String key) {
    Duration expires = world.expires();
    if (expires == null) {
      return null;
    }
    long first = time.nanos();
    for (Row row : book.ofKey(key)) {
      for (Book.Tried tried : row.attempts) {
        if (tried.mayHaveRun() && tried.begun().atNanos() - first < 0) {
          first = tried.begun().atNanos();
        }
      }
    }
    return first + expires.toNanos();
  }

  private void open(Client.Waiter waiter, Turns.Actor actor, String key, @Nullable Row first) {
    Request asked = waiter.asked;
    boolean resend = asked.tool().recognition != Recognition.NONE && !Draw.oneIn(random, 6);
    var opened =
        new Entry.Opened(world.newCall(), asked, key, first == null ? null : first.call(), resend);
    write(opened, false);
    var live = new LiveCall(world, this, opened);
    live.join(waiter);
    lives.put(live.call(), live);
    make(live, actor, first == null ? Past.NOTHING : Past.unknown(doubtOf(first)));
  }

  private void make(LiveCall live, Turns.Actor actor, Past past) {
    Outcome<String> outcome = live.make(past, actor);
    lives.remove(live.call());
    Row row = book.row(live.call());
    settleWhatItFollows(row);
    for (Client.Waiter waiter : live.waiters()) {
      tell(waiter, row, null);
    }
    world.note("ended", live.call(), outcome);
    settleByCheck(row);
  }

  private void tell(Client.Waiter waiter, Row row, @Nullable Repeat repeat) {
    waiter.hears(
        new World.Heard(
            row.call(), repeat, requireNonNull(row.status()), row.result(), time.nanos()));
  }

  // Recovery.

  private void recover(Row row) {
    Book.Tried last = row.attempts.isEmpty() ? null : row.attempts.getLast();
    boolean inTheAir = last != null && last.end() == null;
    if (row.opened.resend()
        && !world.run().passed(time)
        && (last == null
            || inTheAir
            || requireNonNull(last.end()).action() == Decision.Action.RETRY)) {
      var past =
          Past.died(
              row.attempts.size(),
              doubt(row),
              row.attempts.stream().anyMatch(Gateway::waitedAsTold),
              inTheAir ? new Failure.WorkerDied() : null);
      world.note("taken up", row.call(), past);
      world.took(past);
      var live = new LiveCall(world, this, row.opened);
      lives.put(live.call(), live);
      spawn(actor -> make(live, actor, past));
      return;
    }
    end(row, last, inTheAir);
  }

  /** Ends what can't go on, as the journal of the product does. */
  private void end(Row row, Book.@Nullable Tried last, boolean inTheAir) {
    if (inTheAir) {
      write(
          new Entry.Ended(
              row.call(),
              row.attempts.size(),
              new Failure.WorkerDied(),
              Decision.Action.UNKNOWN,
              time.nanos()),
          true);
    }
    boolean answered = last != null && !inTheAir && requireNonNull(last.end()).failure() == null;
    boolean write = row.tool().effect == Effect.WRITE;
    Reason.Unknown doubt = write ? doubt(row) : null;
    if (doubt == null && write && inTheAir) {
      doubt = Reason.Unknown.WORKER_DIED;
    }
    Status status = answered ? Status.OK : doubt != null ? Status.UNKNOWN : Status.STOPPED;
    Reason reason =
        switch (status) {
          case OK -> null;
          case UNKNOWN -> requireNonNull(doubt);
          case STOPPED ->
              last != null
                      && requireNonNull(row.attempts.getLast().end()).failure()
                          instanceof Failure.ToolError
                  ? Reason.Stopped.TOOL_ERROR
                  : Reason.Stopped.CANCELLED;
        };
    write(
        new Entry.Closed(
            row.call(), status, reason, null, row.attempts.size(), "died", time.nanos()),
        true);
  }

  /** Why something of an open call may have run, in an attempt that has ended or before. */
  private Reason.@Nullable Unknown doubt(Row row) {
    boolean checked = row.tool().recognition == Recognition.CHECK;
    // A checked write is sent only after the check has called the earlier effect absent.
    String follows = row.opened.follows();
    if (follows != null && !(checked && !row.attempts.isEmpty())) {
      return doubtOf(book.row(follows));
    }
    for (Book.Tried tried : row.attempts) {
      Entry.Ended end = tried.end();
      boolean absent = checked && end != null && end.action() == Decision.Action.RETRY;
      if (end != null && end.failure() != null && end.failure().mayHaveRun() && !absent) {
        return Reason.Unknown.CONNECTION_LOST;
      }
    }
    return null;
  }

  private static Reason.Unknown doubtOf(Row unknown) {
    return (Reason.Unknown) requireNonNull(requireNonNull(unknown.closed).reason());
  }

  private static boolean waitedAsTold(Book.Tried tried) {
    Entry.Ended end = tried.end();
    return end != null
        && end.action() == Decision.Action.RETRY
        && end.failure() instanceof Failure.Limited limited
        && limited.retryAfter() != null;
  }

  // Settling.

  /** A call that followed an unknown one and learnt what became of it settles that one. */
  private void settleWhatItFollows(Row row) {
    String follows = row.opened.follows();
    Status status = row.status();
    if (follows != null && (status == Status.OK || status == Status.STOPPED)) {
      settle(follows, status, row.result(), "repeat");
    }
  }

  private void settleByCheck(Row row) {
    if (row.tool() != Tool.CHECKED || row.status() != Status.UNKNOWN) {
      return;
    }
    spawn(actor -> settleByCheck(row.call(), actor));
  }

  private void settleByCheck(String call, Turns.Actor actor) {
    var check = new Check(world, this, book.row(call).opened, actor);
    long until = time.nanos() + SETTLE_FOR.toNanos();
    for (Duration pause = Duration.ofSeconds(1);
        until - time.nanos() > 0 && book.row(call).status() == Status.UNKNOWN;
        pause = pause.multipliedBy(2)) {
      actor.sleep(pause);
      switch (check.ask(Duration.ofSeconds(15), null)) {
        case Finding.Landed<String>(String result) -> settle(call, Status.OK, result, "check");
        case Finding.Absent<String> _ -> settle(call, Status.STOPPED, null, "check");
        case Finding.Unclear<String> _ -> {}
      }
    }
  }

  /** An answer to an attempt that nobody waits for any more. */
  void late(Entry.Opened opened, Provider.Send send, Reply<String> reply) {
    Long ended = requireNonNull(send.endedNanos);
    boolean listening =
        alive
            && send.mayHaveRun()
            && opened.request().tool().recognition == Recognition.NONE
            && opened.request().tool().effect == Effect.WRITE
            && time.nanos() - ended <= LATE_WINDOW.toNanos()
            && !world.run().passed(time);
    if (listening) {
      spawn(_ -> late(opened.call(), reply));
    }
  }

  private void late(String call, Reply<String> reply) {
    switch (reply) {
      case Reply.Answered<String>(String result) -> settle(call, Status.OK, result, "late answer");
      case Reply.Failed<String> failed -> {
        if (!failed.failure().mayHaveRun()) {
          settle(call, Status.STOPPED, failed.answer(), "late answer");
        }
      }
    }
  }

  /** Somebody looked into the provider and says what became of a call. */
  void person(String call, Status status) {
    if (alive) {
      spawn(_ -> settle(call, status, null, "person"));
    }
  }

  private void settle(String call, Status status, @Nullable String result, String by) {
    Row row = book.row(call);
    if (row.status() == Status.UNKNOWN) {
      write(new Entry.Settled(call, status, result, by, time.nanos()), true);
      world.settled(by);
      settleWhatItFollows(row);
    } else if (row.status() != null && row.status() != status) {
      world.divergent(call, by);
    }
  }

  // Life and death.

  /** Writes, and may die at it: before the write is done, or after. */
  void write(Entry entry, boolean toDisk) {
    if (!alive) {
      throw new Turns.Killed();
    }
    dieIf(world.diesNow());
    book.write(entry, toDisk);
    world.note("wrote", entry, toDisk);
    dieIf(world.diesNow());
  }

  private void dieIf(boolean now) {
    if (now) {
      die();
      throw new Turns.Killed();
    }
  }

  /** kill -9. */
  void die() {
    if (!alive) {
      return;
    }
    alive = false;
    world.note("died", "", "");
    actors.forEach(Turns.Actor::kill);
    lives.values().forEach(live -> live.waiters().forEach(Client.Waiter::lost));
    world.gatewayDied();
  }

  private void spawn(Consumer<Turns.Actor> part) {
    actors.add(
        turns.start(
            actor -> {
              if (alive) {
                part.accept(actor);
              }
            }));
  }
}

package dev.callbound.policy.world;

import dev.callbound.policy.Deadline;
import dev.callbound.policy.Draw;
import dev.callbound.policy.Effect;
import dev.callbound.policy.Outcome;
import dev.callbound.policy.Past;
import dev.callbound.policy.Plan;
import dev.callbound.policy.Reason;
import dev.callbound.policy.Recognition;
import dev.callbound.policy.Repeat;
import dev.callbound.policy.testing.SimulatedTime;
import dev.callbound.policy.world.Book.Row;
import dev.callbound.policy.world.Book.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * One schedule: a run of up to five minutes, drawn from a seed, and all that is known about it when
 * it is over. The same seed plays the same schedule.
 */
final class World {
  static final int ATTEMPTS = 3;

  /** Longer than anything goes on: the run, a death at its end, and settling by a check. */
  private static final Duration END = Duration.ofHours(1);

  /**
   * What a client was told.
   *
   * @param call null where it was turned away
   * @param repeat null where it waited for the call itself
   */
  record Heard(
      @Nullable String call,
      @Nullable Repeat repeat,
      Status status,
      @Nullable String result,
      long atNanos) {}

  /** A wait of a call, and how much of the call was left when it began. */
  record Sleep(String call, Duration asked, Duration left) {}

  private final SplittableRandom random;
  private final SimulatedTime time;
  private final Turns turns;
  private final Book book = new Book();
  private final Provider provider;
  private final Deadline run;
  private final int retries;
  private final boolean entrance;
  private final @Nullable Duration expires;
  private final Set<Integer> deaths = new TreeSet<>();
  private final @Nullable List<String> story;

  private final List<Heard> heard = new ArrayList<>();
  private final List<LiveCall.Made> made = new ArrayList<>();
  private final List<Sleep> sleeps = new ArrayList<>();
  private final Set<String> seen = new TreeSet<>();
  private final Set<String> misled = new HashSet<>();
  private final List<String> broken = new ArrayList<>();
  private Gateway gateway;
  private int calls;
  private int moments;

  /** A world about to be played; one that tells a story remembers what happened in it. */
  World(long seed, boolean tellsStory) {
    random = new SplittableRandom(seed);
    long start =
        Draw.oneIn(random, 4)
            ? Long.MAX_VALUE - Draw.duration(random, 1, 60_000).toNanos()
            : random.nextLong();
    time = new SimulatedTime(start);
    turns = new Turns(time);
    story = tellsStory ? new ArrayList<>() : null;
    run = Deadline.after(Draw.duration(random, 5_000, 300_000), time);
    retries = random.nextInt(10);
    entrance = random.nextBoolean();
    expires = Draw.oneIn(random, 2) ? null : Draw.duration(random, 1_000, 120_000);
    provider = new Provider(time, random.split(), expires);
    gateway = new Gateway(this, random.split());
  }

  /** Plays it to its end. */
  World play() {
    for (int i = random.nextInt(3); i > 0; i--) {
      if (Draw.oneIn(random, 2)) {
        deaths.add(random.nextInt(80));
      } else {
        time.after(Draw.duration(random, 100, 120_000), () -> gateway.die());
      }
    }
    for (int i = random.nextInt(4); i > 0; i--) {
      time.after(Draw.duration(random, 1_000, 300_000), this::personLooks);
    }
    gateway.start();
    int clients = 1 + random.nextInt(4);
    Tool[] tools = {Draw.of(random, Tool.values()), Draw.of(random, Tool.values())};
    for (int i = 0; i < clients; i++) {
      var request =
          new Request(
              Draw.of(random, tools),
              random.nextInt(2),
              0,
              Draw.oneIn(random, 2) ? "step " + random.nextInt(2) : null);
      new Client(this, time, random.split(), request).begin();
    }
    turns.play(END);
    return this;
  }

  /** A person settles what nothing is under way for; one in ten is mistaken. */
  private void personLooks() {
    List<Row> unknown = book.unknown();
    if (unknown.isEmpty()) {
      return;
    }
    Row row = unknown.get(random.nextInt(unknown.size()));
    String key = row.opened.key();
    if (provider.pending(key)) {
      return;
    }
    boolean mistaken = Draw.oneIn(random, 10);
    if (mistaken) {
      misled.add(key);
    }
    boolean landed = mistaken != done(row);
    gateway.person(row.call(), landed ? Status.OK : Status.STOPPED);
  }

  /** Whether what a call was to do has been done, by the ledger. */
  boolean done(Row row) {
    boolean alone = row.tool().recognition == Recognition.NONE;
    return provider.ledger().stream()
        .anyMatch(
            it ->
                alone ? it.send().call.equals(row.call()) : it.send().key.equals(row.opened.key()));
  }

  /** The process has died: another one is started a while later. */
  void gatewayDied() {
    seen.add("died");
    time.after(
        Draw.duration(random, 100, 30_000),
        () -> {
          book.reopen(random);
          gateway = new Gateway(this, random.split());
          gateway.start();
        });
  }

  /** Whether the process dies at this write. */
  boolean diesNow() {
    return deaths.contains(moments++);
  }

  String newCall() {
    return "call-" + calls++;
  }

  void heard(Heard it) {
    String call = it.call();
    if (call != null
        && book.row(call).tool().effect == Effect.WRITE
        && !book.outcomeIsOnDisk(call)) {
      broken.add("heard before it was on disk: " + it);
    }
    heard.add(it);
    seen.add("heard " + it.status());
    note("heard", it, "");
  }

  void made(LiveCall.Made it) {
    made.add(it);
    seen.add("made " + it.outcome().getClass().getSimpleName());
    if (it.outcome() instanceof Outcome.Stopped<String>(Reason.Stopped reason, _, _, _)
        && reason == Reason.Stopped.CIRCUIT_OPEN) {
      seen.add("turned away");
    }
  }

  void sleeps(LiveCall call, Plan plan, Duration asked) {
    sleeps.add(new Sleep(call.call(), asked, plan.call().earlier(plan.run()).left(time)));
  }

  void took(Past past) {
    seen.add(past.pending() != null ? "taken up in the air" : "taken up in a wait");
  }

  void settled(String by) {
    seen.add("settled by " + by);
  }

  void divergent(String call, String by) {
    seen.add("divergent");
    note("divergent", call, by);
  }

  void count(Repeat repeat) {
    seen.add(repeat.name());
  }

  void note(String what, Object first, Object second) {
    if (story != null) {
      story.add("%15d %-10s %s %s".formatted(time.nanos(), what, first, second));
    }
  }

  Gateway gateway() {
    return gateway;
  }

  SimulatedTime time() {
    return time;
  }

  Turns turns() {
    return turns;
  }

  Book book() {
    return book;
  }

  Provider provider() {
    return provider;
  }

  Deadline run() {
    return run;
  }

  int retries() {
    return retries;
  }

  /** Whether calls go through an entrance, with a circuit and a line. */
  boolean hasEntrance() {
    return entrance;
  }

  /** Null where no key is ever forgotten. */
  @Nullable Duration expires() {
    return expires;
  }

  List<Heard> heard() {
    return heard;
  }

  List<LiveCall.Made> made() {
    return made;
  }

  List<Sleep> sleeps() {
    return sleeps;
  }

  /** What happened in it, by names that a test can expect. */
  Set<String> seen() {
    return seen;
  }

  /** Whether a mistaken person has spoken of it: what is said of it then is theirs. */
  boolean misled(String key) {
    return misled.contains(key);
  }

  /** What was found to be wrong while it was played. */
  List<String> broken() {
    return broken;
  }

  /** What happened, line by line; empty unless it tells a story. */
  List<String> story() {
    return story == null ? List.of() : story;
  }
}

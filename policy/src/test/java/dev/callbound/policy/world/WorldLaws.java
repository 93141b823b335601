package dev.callbound.policy.world;

import static org.assertj.core.api.Assertions.assertThat;

import dev.callbound.policy.Effect;
import dev.callbound.policy.Outcome;
import dev.callbound.policy.Reason;
import dev.callbound.policy.Recognition;
import dev.callbound.policy.world.Book.Row;
import dev.callbound.policy.world.Book.Status;
import dev.callbound.policy.world.Provider.Execution;
import dev.callbound.policy.world.Provider.Send;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What must hold of every world, whatever happens in it. Where a mistaken person has settled a
 * call, what follows is on their word and is left out.
 */
final class WorldLaws {
  private final World world;
  private final List<Send> sends;
  private final Map<String, List<Send>> byCall;
  private final Map<String, List<Send>> byKey;

  WorldLaws(World world) {
    this.world = world;
    this.sends = world.provider().sends();
    this.byCall = grouped(send -> send.call);
    this.byKey = grouped(send -> send.key);
  }

  private Map<String, List<Send>> grouped(Function<Send, String> by) {
    return sends.stream()
        .filter(send -> send.request.tool().effect == Effect.WRITE)
        .collect(Collectors.groupingBy(by, LinkedHashMap::new, Collectors.toList()));
  }

  void check() {
    assertThat(world.broken()).isEmpty();
    nothingIsDoneTwice();
    anUnrecognisedWriteIsSentOnce();
    oneIntentIsOneCallAtATime();
    everyAttemptCarriesTheKeyOfItsIntent();
    aForgottenKeyRecognisesNothing();
    attemptsAndRetriesKeepTheirLimits();
    nothingOutlivesItsDeadline();
    cancellationIsPrompt();
    everyCallEnds();
    outcomesAreTrue();
    whatWasHeardIsWhatIsRecorded();
  }

  private void nothingIsDoneTwice() {
    Map<String, List<Execution>> effects =
        world.provider().ledger().stream()
            .filter(done -> !done.ownError() && !world.misled(done.send().key))
            .collect(Collectors.groupingBy(WorldLaws::meaning));
    effects.forEach((meaning, done) -> assertThat(done).as("done once: %s", meaning).hasSize(1));
  }

  /** Where nothing tells two equal calls apart or together, each call is meant by itself. */
  private static String meaning(Execution done) {
    Send send = done.send();
    boolean one =
        send.request.step() != null || send.request.tool().recognition != Recognition.NONE;
    return one ? send.key : send.call;
  }

  /** Property 1. */
  private void anUnrecognisedWriteIsSentOnce() {
    byCall.forEach(
        (call, tried) -> {
          if (tried.getFirst().request.tool().recognition == Recognition.NONE) {
            assertThat(tried.subList(0, tried.size() - 1))
                .as("repeated only after what surely never ran")
                .noneMatch(Send::mayHaveRun);
          }
        });
  }

  /** The second of two calls waits until the first has ended, and not as unknown. */
  private void oneIntentIsOneCallAtATime() {
    List<Row> rows = world.book().rows();
    for (int i = 0; i < rows.size(); i++) {
      Row later = rows.get(i);
      for (Row earlier : rows.subList(0, i)) {
        boolean same = earlier.opened.key().equals(later.opened.key());
        boolean countsTwice = later.tool() == Tool.REPEATS && later.opened.request().step() == null;
        if (same && later.opened.request().hasKey() && !countsTwice) {
          later.attempts.forEach(tried -> mayBeBegun(tried.begun().atNanos(), later, earlier));
        }
      }
    }
  }

  private static void mayBeBegun(long atNanos, Row later, Row earlier) {
    Book.Entry.Closed closed = earlier.closed;
    Book.Entry.Settled settled = earlier.settled;
    assertThat(closed != null && closed.atNanos() - atNanos <= 0)
        .as("%s was over when %s was sent", earlier.call(), later.call())
        .isTrue();
    boolean inDoubt =
        closed != null
            && closed.status() == Status.UNKNOWN
            && (settled == null || settled.atNanos() - atNanos > 0);
    assertThat(inDoubt && later.opened.follows() == null)
        .as("%s was in doubt when %s was sent, which does not follow it", earlier.call(), later)
        .isFalse();
  }

  /** Property 2. */
  private void everyAttemptCarriesTheKeyOfItsIntent() {
    assertThat(sends).allSatisfy(send -> assertThat(send.key).isEqualTo(send.request.key()));
  }

  private void aForgottenKeyRecognisesNothing() {
    Duration expires = world.expires();
    if (expires == null) {
      return;
    }
    byKey.forEach(
        (key, tried) -> {
          boolean keyed = tried.getFirst().request.tool().recognition == Recognition.KEY;
          if (keyed && !world.misled(key)) {
            Send first = null;
            for (Send send : tried) {
              assertThat(first == null || send.begunNanos - first.begunNanos < expires.toNanos())
                  .as("repeated while the provider knows the key: %s", send)
                  .isTrue();
              first = first == null && send.mayHaveRun() && !settled(send) ? send : first;
            }
          }
        });
  }

  /** Whether it is known by now that an attempt was not executed. */
  private boolean settled(Send send) {
    return world.book().row(send.call).status() == Status.STOPPED;
  }

  /** Property 3. */
  private void attemptsAndRetriesKeepTheirLimits() {
    int retries = 0;
    for (List<Send> tried :
        sends.stream().collect(Collectors.groupingBy(send -> send.call)).values()) {
      assertThat(tried.size()).as("attempts").isLessThanOrEqualTo(World.ATTEMPTS);
      retries += tried.size() - 1;
    }
    assertThat(retries)
        .as("retries of the run, in all its processes")
        .isLessThanOrEqualTo(world.retries() + world.book().lostReads());
    byCall.forEach(
        (call, tried) -> {
          for (int i = 0; i < tried.size(); i++) {
            assertThat(tried.get(i).attempt.number()).as("attempts count on").isGreaterThan(i);
          }
        });
  }

  /** Property 4. */
  private void nothingOutlivesItsDeadline() {
    for (Send send : sends) {
      assertThat(world.run().isBefore(send.attempt.deadline())).as("within the run").isFalse();
      assertThat(send.attempt.deadline().atNanos() - send.begunNanos).as("begun").isPositive();
      long ended = send.endedNanos == null ? Long.MAX_VALUE : send.endedNanos;
      assertThat(send.attempt.deadline().atNanos() - ended).as("ended").isNotNegative();
    }
    for (World.Sleep sleep : world.sleeps()) {
      assertThat(sleep.asked()).as("a sleep ends in time").isLessThan(sleep.left());
    }
    for (LiveCall.Made made : world.made()) {
      long end = made.plan().call().earlier(made.plan().run()).atNanos();
      long atMost = Math.max(0, end - made.begunNanos()) + made.oversleep().toNanos();
      assertThat(made.endedNanos() - made.begunNanos())
          .as("duration of %s", made.opened().call())
          .isLessThanOrEqualTo(atMost);
    }
  }

  private void cancellationIsPrompt() {
    for (LiveCall.Made made : world.made()) {
      Long cancelled = made.cancelledNanos();
      if (cancelled != null) {
        assertThat(made.endedNanos()).as("ends when cancelled").isEqualTo(cancelled);
      }
    }
  }

  /** Properties 5 and 7; that no call is closed twice is checked where it is written. */
  private void everyCallEnds() {
    assertThat(world.book().open()).as("open for ever").isEmpty();
    for (LiveCall.Made made : world.made()) {
      Row row = world.book().find(made.opened().call());
      if (row != null && row.tool().effect == Effect.WRITE) {
        assertThat(made.outcome().attempts())
            .as("attempts in the outcome of %s", row.call())
            .isEqualTo(row.attempts.size());
      }
    }
  }

  /** Property 6, and its two sisters. */
  private void outcomesAreTrue() {
    for (Row row : world.book().rows()) {
      Status status = row.status();
      if (row.tool().effect == Effect.READ) {
        assertThat(status).as("a read is never unknown").isNotEqualTo(Status.UNKNOWN);
      } else if (status != null && !world.misled(row.opened.key())) {
        isTrue(row, status);
      }
    }
  }

  private void isTrue(Row row, Status status) {
    List<Execution> own =
        world.provider().ledger().stream()
            .filter(done -> done.send().call.equals(row.call()))
            .toList();
    switch (status) {
      case OK -> assertThat(world.done(row)).as("ok: the effect is there: %s", row.opened).isTrue();
      case STOPPED -> {
        assertThat(own).as("stopped: nothing but its own error").allMatch(Execution::ownError);
        assertThat(own.isEmpty() || reason(row) == Reason.Stopped.TOOL_ERROR)
            .as("stopped: the tool itself answered")
            .isTrue();
      }
      case UNKNOWN ->
          assertThat(inDoubt(row)).as("unknown: something may have run: %s", row.opened).isTrue();
    }
  }

  private static boolean inDoubt(Row row) {
    if (row.tool().recognition == Recognition.CHECK && !row.attempts.isEmpty()) {
      // Whatever came before the last attempt was called absent, or it would not have been made.
      return row.attempts.getLast().mayHaveRun();
    }
    return row.opened.follows() != null || row.attempts.stream().anyMatch(Book.Tried::mayHaveRun);
  }

  private static @Nullable Reason reason(Row row) {
    // A tool's own error that came late settles it, and is its answer too.
    return row.settled != null && row.settled.by().equals("late answer")
        ? Reason.Stopped.TOOL_ERROR
        : row.closed == null ? null : row.closed.reason();
  }

  private void whatWasHeardIsWhatIsRecorded() {
    var wrong = new ArrayList<World.Heard>();
    for (World.Heard heard : world.heard()) {
      String call = heard.call();
      if (call != null && heard.status() != Status.UNKNOWN) {
        Row row = world.book().find(call);
        if (row == null || row.tool().effect == Effect.READ) {
          // The record of a read may be lost.
          continue;
        }
        if (heard.status() != row.status()
            || (heard.result() != null && !heard.result().equals(row.result()))) {
          wrong.add(heard);
        }
      }
    }
    assertThat(wrong).isEmpty();
    for (LiveCall.Made made : world.made()) {
      boolean settles =
          made.opened().follows() != null && !(made.outcome() instanceof Outcome.Unknown);
      if (settles) {
        assertThat(world.book().row(made.opened().follows()).status())
            .as("what it follows is settled")
            .isNotEqualTo(Status.UNKNOWN);
      }
    }
  }
}

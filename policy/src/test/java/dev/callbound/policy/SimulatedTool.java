package dev.callbound.policy;

import dev.callbound.policy.testing.SimulatedTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A tool whose every attempt goes a way of its own, drawn at random: what comes back, how late, and
 * whether the effect happened before, happens later, or never does.
 *
 * <p>It keeps a ledger of effects, which is the ground truth. It never lies in what the rules build
 * on: what it reports as not sent, refused, limited or unsafe has no effect, a result means that
 * the effect is there, and its check calls an effect absent only if it will not come either.
 */
final class SimulatedTool implements Upstream<Object> {
  /**
   * One attempt.
   *
   * @param arrived whether the tool saw it
   */
  record Trial(
      Attempt attempt, long begunNanos, long endedNanos, boolean arrived, Reply<Object> reply) {}

  /** One question whether the effect is there, after so many attempts of this process. */
  record Check(int afterTrials, Deadline by, long begunNanos, Finding<Object> finding) {}

  /** An execution of the write, now or still to come. */
  record Execution(int attempt, long atNanos) {}

  private enum Way {
    ANSWER,
    HANG,
    STALL,
    NOT_SENT,
    REFUSED,
    KEY_CONFLICT,
    UNSAFE,
    LIMITED,
    SERVER_ERROR,
    BROKEN,
    GARBLED,
    TOO_LARGE,
    WORKER_DIED,
    TOOL_ERROR,
    SHUT_DOWN
  }

  /** Drawn from with equal chance: what is tried again is more frequent than what is final. */
  private static final Way[] WAYS = {
    Way.ANSWER,
    Way.ANSWER,
    Way.ANSWER,
    Way.HANG,
    Way.HANG,
    Way.STALL,
    Way.NOT_SENT,
    Way.NOT_SENT,
    Way.NOT_SENT,
    Way.NOT_SENT,
    Way.NOT_SENT,
    Way.REFUSED,
    Way.KEY_CONFLICT,
    Way.UNSAFE,
    Way.LIMITED,
    Way.LIMITED,
    Way.LIMITED,
    Way.LIMITED,
    Way.SERVER_ERROR,
    Way.SERVER_ERROR,
    Way.SERVER_ERROR,
    Way.BROKEN,
    Way.BROKEN,
    Way.BROKEN,
    Way.GARBLED,
    Way.TOO_LARGE,
    Way.WORKER_DIED,
    Way.TOOL_ERROR,
    Way.TOOL_ERROR,
    Way.TOOL_ERROR,
    Way.SHUT_DOWN
  };

  private final SplittableRandom random;
  private final SimulatedTime time;
  private final RecordingJournal journal;
  private final List<Trial> trials = new ArrayList<>();
  private final List<Check> checks = new ArrayList<>();
  private final List<Execution> executions = new ArrayList<>();
  private boolean arrived;

  SimulatedTool(SplittableRandom random, SimulatedTime time, RecordingJournal journal) {
    this.random = random;
    this.time = time;
    this.journal = journal;
  }

  /** An attempt of another process, before this one looked, may have been executed. */
  void mayHaveRunBefore(int attempt) {
    executePerhaps(attempt, time.nanos());
  }

  @Override
  public Reply<Object> attempt(Attempt attempt) {
    journal.sent(attempt);
    long begun = time.nanos();
    Reply<Object> reply = reply(attempt, begun);
    trials.add(new Trial(attempt, begun, time.nanos(), arrived, reply));
    return reply;
  }

  private Reply<Object> reply(Attempt attempt, long begun) {
    arrived = false;
    if (time.cancelled()) {
      return cancelled(false);
    }
    Way way = WAYS[random.nextInt(WAYS.length)];
    Duration left = attempt.deadline().left(time);
    Duration latency = way == Way.HANG ? left : Draw.duration(random, 1, 20_000);
    boolean inTime = latency.compareTo(left) < 0;
    boolean cancelled = !time.advance(inTime ? latency : left);
    boolean sent = way != Way.NOT_SENT;
    arrived = sent;
    if (cancelled || !inTime) {
      if (mayExecute(way)) {
        executePerhaps(attempt.number(), begun);
      }
      if (cancelled) {
        return cancelled(sent);
      }
      return Reply.failed(
          sent
              ? new Failure.TimedOut(since(begun), Failure.TimedOut.Timer.DEADLINE)
              : new Failure.NotSent("no connection"));
    }
    if (way == Way.ANSWER) {
      executions.add(new Execution(attempt.number(), begun));
      return new Reply.Answered<>(new Object());
    }
    arrived = sent && way != Way.UNSAFE && way != Way.SHUT_DOWN;
    Reply<Object> failed = failed(way, begun);
    // A tool's own error says nothing about its effect, whatever the text is.
    if (mayExecute(way) && way != Way.SHUT_DOWN) {
      executePerhaps(attempt.number(), begun);
    }
    return failed;
  }

  private Reply<Object> failed(Way way, long begun) {
    return switch (way) {
      case STALL -> Reply.failed(new Failure.TimedOut(since(begun), Failure.TimedOut.Timer.STALL));
      case NOT_SENT -> Reply.failed(new Failure.NotSent("connection refused"));
      case REFUSED -> Reply.failed(new Failure.Refused(403, "403"));
      case KEY_CONFLICT -> Reply.failed(new Failure.KeyConflict("other arguments"));
      case UNSAFE -> Reply.failed(new Failure.Unsafe("10.0.0.1"));
      case LIMITED ->
          Reply.failed(
              random.nextInt(3) == 0
                  ? new Failure.Limited(null, "429")
                  : new Failure.Limited(Draw.duration(random, 1, 60_000), "429"));
      case SERVER_ERROR -> Reply.failed(new Failure.ServerError(503, "503"));
      case BROKEN -> Reply.failed(new Failure.Broken("reset"));
      case GARBLED -> Reply.failed(new Failure.Garbled("<html>"));
      case TOO_LARGE -> Reply.failed(new Failure.TooLarge(2, 1));
      case WORKER_DIED -> Reply.failed(new Failure.WorkerDied());
      case TOOL_ERROR -> new Reply.Failed<>(toolError(), new Object());
      case SHUT_DOWN -> Reply.failed(new Failure.Cancelled(Failure.Cancelled.By.SHUTDOWN, false));
      case ANSWER, HANG -> throw new AssertionError(way);
    };
  }

  private Failure toolError() {
    return switch (random.nextInt(5)) {
      case 0 -> new Failure.ToolError(401, null);
      case 1 -> new Failure.ToolError(429, null);
      case 2 -> new Failure.ToolError(429, Draw.duration(random, 1, 60_000));
      case 3 -> new Failure.ToolError(502, null);
      default -> Failure.ToolError.PLAIN;
    };
  }

  private static boolean mayExecute(Way way) {
    return switch (way) {
      case NOT_SENT, REFUSED, KEY_CONFLICT, UNSAFE, LIMITED -> false;
      case ANSWER,
          HANG,
          STALL,
          SERVER_ERROR,
          BROKEN,
          GARBLED,
          TOO_LARGE,
          WORKER_DIED,
          TOOL_ERROR,
          SHUT_DOWN ->
          true;
    };
  }

  /** Before the attempt ended, some time after, or never. */
  private void executePerhaps(int attempt, long begun) {
    switch (random.nextInt(3)) {
      case 0 -> executions.add(new Execution(attempt, begun));
      case 1 ->
          executions.add(
              new Execution(attempt, time.nanos() + Draw.duration(random, 1, 20_000).toNanos()));
      default -> {}
    }
  }

  @Override
  public Finding<Object> check(Deadline by) {
    long begun = time.nanos();
    Finding<Object> finding = finding(by);
    checks.add(new Check(trials.size(), by, begun, finding));
    return finding;
  }

  private Finding<Object> finding(Deadline by) {
    Duration left = by.left(time);
    Duration latency = Draw.duration(random, 1, 5_000);
    boolean inTime = latency.compareTo(left) < 0;
    if (!time.advance(inTime ? latency : left) || !inTime || random.nextInt(4) == 0) {
      return new Finding.Unclear<>("no answer");
    }
    if (executions.isEmpty()) {
      return new Finding.Absent<>();
    }
    boolean there = executions.stream().anyMatch(done -> done.atNanos() - time.nanos() <= 0);
    return there ? new Finding.Landed<>(new Object()) : new Finding.Unclear<>("not settled");
  }

  private Duration since(long begun) {
    return Duration.ofNanos(time.nanos() - begun);
  }

  private static Reply<Object> cancelled(boolean sent) {
    return Reply.failed(new Failure.Cancelled(Failure.Cancelled.By.CLIENT, sent));
  }

  List<Trial> trials() {
    return trials;
  }

  List<Check> checks() {
    return checks;
  }

  /** Every execution there was or will be. */
  List<Execution> executions() {
    return executions;
  }
}

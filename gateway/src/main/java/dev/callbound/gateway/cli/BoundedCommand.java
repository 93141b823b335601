package dev.callbound.gateway.cli;

import dev.callbound.gateway.process.Leader;
import dev.callbound.journal.JournalReader;
import dev.callbound.journal.OutputRecord;
import dev.callbound.journal.RunRecord;
import dev.callbound.journal.RunState;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A command that is executed within a run: it ends when the run does, with all that it started, and
 * its run ends when it does.
 */
final class BoundedCommand {
  /**
   * Those that are passed on. One that asks to end does not end us: the command says how it ends.
   */
  private static final List<String> SIGNALS = List.of("TERM", "INT", "HUP");

  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(250);

  /** How long the command has to end after TERM before it is killed. */
  private static final Duration GRACE = Duration.ofSeconds(5);

  /** How long the gateway may take to end a run whose deadline has passed, and its calls. */
  private static final Duration RUN_PATIENCE = Duration.ofSeconds(10);

  /** How long one that was started again may take to be there. */
  private static final Duration GATEWAY_PATIENCE = Duration.ofSeconds(3);

  private static final int KILLED = StopSignal.KILLED + 9;

  private final RunsApi api;
  private final JournalReader journal;
  private final String run;

  BoundedCommand(RunsApi api, JournalReader journal, String run) {
    this.api = api;
    this.journal = journal;
    this.run = run;
  }

  /** What ended the command. */
  enum Cause {
    ITSELF,
    /** The run's deadline passed. */
    DEADLINE,
    /** Somebody ended the run. */
    RUN_OVER
  }

  /**
   * How it ended.
   *
   * @param status its exit status; 128 and the signal's number where a signal ended it
   * @param trouble why its run could not be ended with it, which is left to the next gateway on the
   *     journal; null when it was
   */
  record Ended(int status, Cause cause, @Nullable String trouble) {
    /** One whose run is over, too. */
    Ended(int status, Cause cause) {
      this(status, cause, null);
    }
  }

  /**
   * Executes the command, and sees to it that nothing of it is left and that its run is over.
   *
   * @param environment what is added to ours
   * @throws NotStartedException if it can't be started
   */
  Ended execute(List<String> command, Map<String, String> environment)
      throws NotStartedException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(command).inheritIO();
    builder.environment().putAll(environment);
    PassedSignals signals = new PassedSignals();
    HeardSignals.listen(SIGNALS, signals::pass);
    Leader leader;
    try {
      leader = Leader.start(builder);
    } catch (IOException e) {
      trouble(() -> api.cancel(run, "its command could not be started"));
      throw new NotStartedException(command.getFirst(), e);
    }
    signals.to(leader.family());
    Cause cause = awaitEnd(leader.process());
    // Also when the command has ended by itself: what it left running would go on without a run.
    leader.family().end(GRACE);
    int status = status(leader.process());
    return new Ended(status, cause, endRun(status, cause));
  }

  private Cause awaitEnd(Process process) throws InterruptedException {
    while (!process.waitFor(BETWEEN_LOOKS)) {
      RunRecord now = journal.run(run).orElseThrow();
      if (now.state() == RunState.EXPIRED || !Instant.now().isBefore(now.deadline())) {
        return Cause.DEADLINE;
      }
      if (now.endedAt() != null) {
        return Cause.RUN_OVER;
      }
    }
    return Cause.ITSELF;
  }

  private static int status(Process process) throws InterruptedException {
    // One that could not even be killed is not waited for.
    return process.waitFor(BETWEEN_LOOKS) ? process.exitValue() : KILLED;
  }

  /** Ends the run, and returns why it can't be ended; null when it is over. */
  private @Nullable String endRun(int status, Cause cause) throws InterruptedException {
    String trouble =
        switch (cause) {
          case ITSELF -> trouble(() -> api.finish(run, "its command ended with status " + status));
          case DEADLINE ->
              isOverWithin(RUN_PATIENCE)
                  ? null
                  : trouble(() -> api.cancel(run, "its deadline passed"));
          // It needs no further end.
          case RUN_OVER -> null;
        };
    if (trouble == null) {
      // What its calls came to is part of how the run ended.
      isOverWithin(RUN_PATIENCE);
    }
    return trouble;
  }

  private interface Request {
    void make() throws InterruptedException;
  }

  /**
   * Asks the gateway, which may have died meanwhile, and may be coming back.
   *
   * @return what is wrong with it; null when it did as it was asked
   */
  private static @Nullable String trouble(Request request) throws InterruptedException {
    long until = System.nanoTime() + GATEWAY_PATIENCE.toNanos();
    while (true) {
      try {
        request.make();
        return null;
      } catch (CommandFailedException e) {
        if (System.nanoTime() - until >= 0) {
          return e.getMessage();
        }
      }
      Thread.sleep(BETWEEN_LOOKS);
    }
  }

  private boolean isOverWithin(Duration patience) throws InterruptedException {
    long until = System.nanoTime() + patience.toNanos();
    while (!isOver()) {
      if (System.nanoTime() - until >= 0) {
        return false;
      }
      Thread.sleep(BETWEEN_LOOKS);
    }
    return true;
  }

  /** Whether the run and its calls are over, and what it was to bring about has been looked for. */
  private boolean isOver() {
    RunRecord now = journal.run(run).orElseThrow();
    return now.endedAt() != null
        && journal.outcomes(run).open() == 0
        && (now.state() == RunState.UNKNOWN
            || journal.outputsOf(run).stream().allMatch(OutputRecord::isFinal));
  }
}

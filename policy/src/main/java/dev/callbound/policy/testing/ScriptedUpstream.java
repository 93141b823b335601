package dev.callbound.policy.testing;

import dev.callbound.policy.Attempt;
import dev.callbound.policy.Deadline;
import dev.callbound.policy.Failure;
import dev.callbound.policy.Finding;
import dev.callbound.policy.Reply;
import dev.callbound.policy.Upstream;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * An upstream that plays a script: each attempt takes the next line. It keeps an attempt's deadline
 * and answers a cancellation as a real one does. The last line is repeated when the script is over.
 *
 * <p>Not thread-safe: one test, one thread.
 *
 * @param <T> what a result is
 */
public final class ScriptedUpstream<T> implements Upstream<T> {
  private record Line<T>(Duration takes, Reply<T> reply) {}

  private final SimulatedTime time;
  private final Deque<Line<T>> script = new ArrayDeque<>();
  private final Deque<Finding<T>> findings = new ArrayDeque<>();
  private final List<Attempt> attempts = new ArrayList<>();

  /** An upstream with an empty script, which lives in the given time. */
  public ScriptedUpstream(SimulatedTime time) {
    this.time = time;
  }

  /** Adds a result that takes a while. */
  public ScriptedUpstream<T> answers(Duration takes, T result) {
    script.add(new Line<>(takes, new Reply.Answered<>(result)));
    return this;
  }

  /** Adds a failure that takes a while to show. */
  public ScriptedUpstream<T> fails(Duration takes, Failure failure) {
    return replies(takes, Reply.failed(failure));
  }

  /** Adds any reply. */
  public ScriptedUpstream<T> replies(Duration takes, Reply<T> reply) {
    script.add(new Line<>(takes, reply));
    return this;
  }

  /** Adds an attempt that never ends by itself. */
  public ScriptedUpstream<T> hangs() {
    return fails(Duration.ofDays(10_000), new Failure.Broken("never reached"));
  }

  /** Adds what the next check finds. */
  public ScriptedUpstream<T> finds(Finding<T> finding) {
    findings.add(finding);
    return this;
  }

  @Override
  public Reply<T> attempt(Attempt attempt) {
    attempts.add(attempt);
    if (script.isEmpty()) {
      throw new IllegalStateException("the script is empty: add what the first attempt meets");
    }
    if (time.cancelled()) {
      return cancelled(false);
    }
    Line<T> line = script.size() > 1 ? script.remove() : script.element();
    long begun = time.nanos();
    Duration left = attempt.deadline().left(time);
    boolean inTime = line.takes().compareTo(left) < 0;
    if (!time.advance(inTime ? line.takes() : left)) {
      return cancelled(true);
    }
    return inTime
        ? line.reply()
        : Reply.failed(
            new Failure.TimedOut(
                Duration.ofNanos(time.nanos() - begun), Failure.TimedOut.Timer.DEADLINE));
  }

  private static <T> Reply<T> cancelled(boolean sent) {
    return Reply.failed(new Failure.Cancelled(Failure.Cancelled.By.CLIENT, sent));
  }

  @Override
  public Finding<T> check(Deadline by) {
    return findings.isEmpty() ? new Finding.Unclear<>("nothing scripted") : findings.remove();
  }

  /** The attempts made so far. */
  public List<Attempt> attempts() {
    return List.copyOf(attempts);
  }
}

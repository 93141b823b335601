package dev.callbound.benchmarks;

import dev.callbound.policy.Attempt;
import dev.callbound.policy.Backoff;
import dev.callbound.policy.BoundedCall;
import dev.callbound.policy.Deadline;
import dev.callbound.policy.Decision;
import dev.callbound.policy.Effect;
import dev.callbound.policy.Failure;
import dev.callbound.policy.Finding;
import dev.callbound.policy.Journal;
import dev.callbound.policy.Outcome;
import dev.callbound.policy.Plan;
import dev.callbound.policy.Recognition;
import dev.callbound.policy.Reply;
import dev.callbound.policy.RetryBudget;
import dev.callbound.policy.Time;
import dev.callbound.policy.Upstream;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What does the loop add to a call that succeeds at once?
 *
 * <p>The plan with its deadlines, the loop and its outcome, with the real clock; the tool answers
 * at once and the journal keeps nothing, because what those take is theirs. Run it with {@code
 * -prof gc}: {@code gc.alloc.rate.norm} is the bytes that a call allocates. The goals are under a
 * microsecond and under 1 KiB.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(3)
public class BoundedCallBenchmark {

  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final Duration RUN = Duration.ofHours(2);
  private static final int ATTEMPTS = 3;

  private final Time time = new SystemTime();
  private final Upstream<String> upstream = new AnsweringUpstream();
  private final Journal journal = new ForgetfulJournal();
  private final RetryBudget budget = RetryBudget.of(50, 0);
  private final RandomGenerator random = RandomGenerator.getDefault();
  private final Deadline run = Deadline.after(RUN, time);

  /** A read that succeeds at its first attempt. */
  @Benchmark
  public Outcome<String> succeedsAtOnce() {
    var call = Deadline.after(TIMEOUT.multipliedBy(ATTEMPTS), time);
    var plan = new Plan(Effect.READ, Recognition.NONE, TIMEOUT, call, run, ATTEMPTS);
    return new BoundedCall<>(plan, upstream, journal, budget, Backoff.STANDARD, time, random).run();
  }

  private static final class SystemTime implements Time {

    @Override
    public long nanos() {
      return System.nanoTime();
    }

    @Override
    public void sleep(Duration wait) throws InterruptedException {
      Thread.sleep(wait);
    }
  }

  private static final class AnsweringUpstream implements Upstream<String> {

    private final Reply<String> reply = new Reply.Answered<>("done");

    @Override
    public Reply<String> attempt(Attempt attempt) {
      return reply;
    }

    @Override
    public Finding<String> check(Deadline by) {
      throw new IllegalStateException("a call that succeeds is not checked");
    }
  }

  private static final class ForgetfulJournal implements Journal {

    @Override
    public void begun(Attempt attempt) {}

    @Override
    public void ended(
        Attempt attempt, Duration waited, @Nullable Failure failure, Decision decision) {}

    @Override
    public void takenUp(int number, Failure failure, Decision decision) {}

    @Override
    public void ended(Outcome<?> outcome) {}
  }
}

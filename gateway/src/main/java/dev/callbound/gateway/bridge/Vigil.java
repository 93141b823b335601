package dev.callbound.gateway.bridge;

import dev.callbound.gateway.config.WhenStuck;
import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.journal.CallRecord;
import dev.callbound.journal.JournalException;
import dev.callbound.journal.JournalStore;
import dev.callbound.journal.Pulse;
import dev.callbound.policy.Failure;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Looks each second at the attempts that are under way: writes down what is seen of their tools, so
 * that the record is right also before they end; and says, once for each, when one has made no
 * progress for too long. A sign of life is not progress. Thread-safe.
 */
final class Vigil implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Vigil.class.getName());

  private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(1);

  /** What ends sooner is written down when it ends. */
  private static final Duration WRITTEN_FROM = Duration.ofSeconds(2);

  private final JournalStore journal;
  private final InstantSource clock;
  private final Alerts alerts;
  private final Set<Watch> watches = ConcurrentHashMap.newKeySet();
  private final Thread watching;

  Vigil(JournalStore journal, InstantSource clock, Alerts alerts) {
    this.journal = journal;
    this.clock = clock;
    this.alerts = alerts;
    this.watching = Thread.ofVirtual().name("vigil").unstarted(this::watch);
  }

  /** Begins to look. */
  void start() {
    watching.start();
  }

  /**
   * Watches an attempt that is about to be made, until it is closed.
   *
   * @param last the evidence of the attempt made last, which becomes that of this one
   */
  Watch watch(Order order, int attempt, Supplier<@Nullable Live> last, Cancellation cancellation) {
    Watch watch = new Watch(order, attempt, last, cancellation);
    watches.add(watch);
    return watch;
  }

  private void watch() {
    try {
      while (true) {
        Thread.sleep(BETWEEN_LOOKS);
        look();
      }
    } catch (InterruptedException e) {
      // Closed: nobody is to be watched any more.
    }
  }

  /** Looks once at each attempt. By one thread at a time; whatever fails is only logged. */
  void look() {
    for (Watch watch : watches) {
      try {
        watch.look();
      } catch (RuntimeException e) {
        // A bug, in what one attempt shows: it must not leave the others without being watched.
        LOG.log(
            System.Logger.Level.ERROR,
            "call=" + watch.order.record().id() + " seen=failed_unexpectedly",
            e);
      }
    }
  }

  @Override
  public void close() {
    watching.interrupt();
  }

  /** One attempt that is watched. */
  final class Watch implements AutoCloseable {
    private final Order order;
    private final int attempt;
    private final Supplier<@Nullable Live> last;
    private final @Nullable Live before;
    private final Cancellation cancellation;
    private final long begun = System.nanoTime();
    private @Nullable Pulse written;
    private @Nullable Instant stuckSince;

    private Watch(
        Order order, int attempt, Supplier<@Nullable Live> last, Cancellation cancellation) {
      this.order = order;
      this.attempt = attempt;
      this.last = last;
      this.before = last.get();
      this.cancellation = cancellation;
    }

    @Override
    public void close() {
      watches.remove(this);
    }

    /** By the thread that looks, alone. */
    private void look() {
      Live live = last.get();
      if (live == null || live == before) {
        return;
      }
      long now = System.nanoTime();
      Duration stuckAfter = order.bounds().stuck().after();
      boolean stuck =
          stuckSince == null && stuckAfter != null && now - live.silentAt(stuckAfter) >= 0;
      if (stuck) {
        stuckSince = clock.instant();
      }
      try {
        if (stuckSince != null || now - begun >= WRITTEN_FROM.toNanos()) {
          write(live.pulse(clock.instant(), stuckSince));
        }
      } finally {
        // Found out once: whatever becomes of the record, it is told, and the call cancelled.
        if (stuck) {
          tell(Duration.ofNanos(now - begun), live);
        }
      }
    }

    private void write(Pulse pulse) {
      if (pulse.equals(written)) {
        return;
      }
      try {
        journal.attemptSeen(order.record().id(), attempt, pulse);
        written = pulse;
      } catch (JournalException e) {
        // It is only the beat that is lost: the next one tells more.
        LOG.log(
            System.Logger.Level.DEBUG, "call={0} seen=no {1}", order.record().id(), e.getMessage());
      }
    }

    private void tell(Duration age, Live live) {
      CallRecord call = order.record();
      boolean cancel = order.bounds().stuck().then() == WhenStuck.CANCEL;
      Duration silence = live.sinceProgress();
      LOG.log(
          System.Logger.Level.WARNING,
          "run={0} call={1} server={2} tool={3} attempt={4} stuck=yes age_ms={5,number,#}"
              + " since_progress_ms={6,number,#} cancelled={7}",
          call.run(),
          call.id(),
          call.server(),
          order.tool(),
          attempt,
          age.toMillis(),
          silence.toMillis(),
          cancel ? "yes" : "no");
      if (cancel) {
        cancellation.cancel(Failure.Cancelled.By.STUCK);
      }
      alerts.raise(
          JsonObject.of("kind", Json.text("call_stuck"))
              .with("at", Json.text(clock.instant().toString()))
              .with("run", Json.text(call.run()))
              .with("call", Json.text(call.id()))
              .with("server", Json.text(call.server()))
              .with("tool", Json.text(order.tool()))
              .with("attempt", Json.number(attempt))
              .with("attempt_age_ms", Json.number(age.toMillis()))
              .with("since_progress_ms", Json.number(silence.toMillis()))
              .with("cancelled", Json.bool(cancel)));
    }
  }
}

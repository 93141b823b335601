package dev.callbound.gateway.run;

import dev.callbound.journal.JournalException;
import dev.callbound.journal.JournalStore;
import dev.callbound.journal.OutputRecord;
import dev.callbound.journal.RunRecord;
import dev.callbound.journal.RunState;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Looks for what runs are expected to bring about: while they go, and once more when they and their
 * calls are over, which is final. What is to be looked for stands in the journal, so a restart
 * forgets nothing. Thread-safe.
 */
public final class Outputs implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Outputs.class.getName());

  private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(3);

  /** More are looked for in the next round. */
  private static final int MOST_IN_ONE_ROUND = 10_000;

  private static final int RUNS_AT_ONCE = 8;
  private static final Duration LAST_LOOK = Duration.ofSeconds(1);

  /** A file carries the time of the kernel's last tick, which may be as old as this. */
  private static final Duration TICK = Duration.ofMillis(10);

  private final JournalStore journal;
  private final InstantSource clock;
  private final Function<URI, Optional<String>> urls;
  private final Consumer<OutputRecord> whenMissed;
  private final Semaphore wakes = new Semaphore(0);
  private final Thread watching;

  /**
   * @param urls why a URL does not count as answered; empty where it does
   * @param whenMissed told of each output that is not there in the end
   */
  public Outputs(
      JournalStore journal,
      InstantSource clock,
      Function<URI, Optional<String>> urls,
      Consumer<OutputRecord> whenMissed) {
    this.journal = journal;
    this.clock = clock;
    this.urls = urls;
    this.whenMissed = whenMissed;
    this.watching = Thread.ofVirtual().name("outputs").unstarted(this::watch);
  }

  /** Begins to look, every few seconds. */
  public void start() {
    watching.start();
  }

  private void watch() {
    try {
      while (true) {
        wakes.tryAcquire(BETWEEN_LOOKS.toMillis(), TimeUnit.MILLISECONDS);
        wakes.drainPermits();
        look();
      }
    } catch (InterruptedException e) {
      // Closed: what is expected is looked for by the next process.
    }
  }

  /** Something has ended: what is there now need not wait to be seen. */
  public void wake() {
    wakes.release();
  }

  private void look() throws InterruptedException {
    Map<String, List<OutputRecord>> byRun;
    try {
      byRun =
          journal.outputsToLookFor(MOST_IN_ONE_ROUND).stream()
              .collect(Collectors.groupingBy(OutputRecord::run));
    } catch (JournalException e) {
      LOG.log(System.Logger.Level.WARNING, "outputs=not_looked_for {0}", e.getMessage());
      return;
    } catch (RuntimeException e) {
      // A bug; what others expect is looked for in the next round all the same.
      LOG.log(System.Logger.Level.ERROR, "outputs=failed_unexpectedly", e);
      return;
    }
    Semaphore places = new Semaphore(RUNS_AT_ONCE);
    try (ExecutorService looking = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Map.Entry<String, List<OutputRecord>> expected : byRun.entrySet()) {
        places.acquire();
        looking.execute(
            () -> {
              try {
                look(expected.getKey(), expected.getValue());
              } finally {
                places.release();
              }
            });
      }
    }
  }

  private void look(String id, List<OutputRecord> expected) {
    try {
      RunRecord run = journal.run(id).orElse(null);
      if (run == null) {
        return;
      }
      // Known before it is looked: what is found afterwards is what the run has left.
      boolean over = run.endedAt() != null && journal.outcomes(id).open() == 0;
      for (OutputRecord known : expected) {
        look(run, over, known);
      }
    } catch (JournalException e) {
      LOG.log(
          System.Logger.Level.WARNING, "run={0} outputs=not_looked_for {1}", id, e.getMessage());
    } catch (RuntimeException e) {
      LOG.log(System.Logger.Level.ERROR, "run=" + id + " outputs=failed_unexpectedly", e);
    }
  }

  private void look(RunRecord run, boolean over, OutputRecord known) {
    ExpectedOutput output = ExpectedOutput.parse(known.output());
    // A call that is unknown can still turn out to have ended ok.
    boolean last =
        over && !(output instanceof ExpectedOutput.Tool && run.state() == RunState.UNKNOWN);
    OutputRecord seen = known.seen(missing(run, output), clock.instant(), last);
    if (!seen.equals(known)) {
      journal.outputSeen(seen);
    }
    if (last && !seen.there()) {
      whenMissed.accept(seen);
    }
  }

  /** Why an output does not count as there; null when it does. */
  private @Nullable String missing(RunRecord run, ExpectedOutput output) {
    return switch (output) {
      case ExpectedOutput.Tool(String server, String tool) ->
          journal.hasEndedOk(run.id(), server, tool) ? null : "no call of it has ended ok";
      case ExpectedOutput.File(Path path) -> missing(path, run.createdAt());
      case ExpectedOutput.Url(URI url) -> urls.apply(url).orElse(null);
    };
  }

  private static @Nullable String missing(Path file, Instant begun) {
    try {
      Instant changed = Files.getLastModifiedTime(file).toInstant();
      return changed.isBefore(begun.minus(TICK)) ? "it was not changed since the run began" : null;
    } catch (NoSuchFileException e) {
      return "there is no such file";
    } catch (IOException e) {
      return "it can't be looked at: " + e.getClass().getSimpleName();
    }
  }

  /** Looks no more. Waits a moment for what is being looked for. */
  @Override
  public void close() {
    watching.interrupt();
    try {
      watching.join(LAST_LOOK);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}

package dev.callbound.gateway.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.callbound.gateway.config.RunConfig;
import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.run.Run;
import dev.callbound.gateway.run.Runs;
import dev.callbound.journal.Ids;
import dev.callbound.journal.JournalStore;
import dev.callbound.journal.RunState;
import dev.callbound.journal.sqlite.SqliteJournal;
import dev.callbound.policy.Deadline;
import dev.callbound.policy.Failure;
import dev.callbound.policy.Reply;
import dev.callbound.testkit.Eventually;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LateWindowsTest {
  private static final Duration LONG = Duration.ofSeconds(30);
  private static final Reply<Json> ANSWER = new Reply.Answered<>(Json.TRUE);

  @TempDir Path folder;

  private final LateWindows windows = new LateWindows(3);
  private final List<String> heard = new CopyOnWriteArrayList<>();
  private JournalStore journal;
  private Runs runs;
  private Run run;

  @BeforeEach
  void start() {
    InstantSource clock = InstantSource.system();
    journal = SqliteJournal.open(folder.resolve("journal.db"), clock);
    RunConfig config = new RunConfig(Duration.ofHours(2), 5, null, Duration.ofMinutes(30));
    runs = new Runs(config, journal, new Ids(clock), new Cancellation(), clock);
    run = runs.open("me", "agent", null, null, null);
  }

  @AfterEach
  void stop() {
    windows.close();
    journal.close();
  }

  @Test
  void anAnswerThatComesIsHeard() throws Exception {
    Unanswered write = new Unanswered();
    open("c1", write, LONG);

    write.answer();

    assertThat(Eventually.holds(() -> heard.contains("c1"))).isTrue();
  }

  @Test
  void underPressureTheOldestCloseAndTheOthersGoOnListening() throws Exception {
    List<Unanswered> writes = IntStream.range(0, 8).mapToObj(_ -> new Unanswered()).toList();
    for (int i = 0; i < writes.size(); i++) {
      open("c" + i, writes.get(i), LONG);
    }

    for (Unanswered old : writes.subList(0, 5)) {
      assertThat(Eventually.holds(old::isWithdrawn)).isTrue();
    }
    assertThat(writes.subList(5, 8)).noneMatch(Unanswered::isWithdrawn);
    writes.forEach(Unanswered::answer);
    assertThat(Eventually.holds(() -> heard.size() == 3)).isTrue();
    assertThat(heard).containsExactlyInAnyOrder("c5", "c6", "c7");
  }

  @Test
  void aWindowThatHasClosedMakesRoom() throws Exception {
    Unanswered kept = new Unanswered();
    open("kept", kept, LONG);
    for (int i = 0; i < 5; i++) {
      Unanswered write = new Unanswered();
      open("c" + i, write, LONG);
      write.answer();
      int count = i + 1;
      assertThat(Eventually.holds(() -> heard.size() == count)).isTrue();
    }

    kept.answer();

    assertThat(Eventually.holds(() -> heard.contains("kept"))).isTrue();
  }

  @Test
  void aWindowEndsWithItsTime() throws Exception {
    Unanswered write = new Unanswered();

    open("c1", write, Duration.ofMillis(50));

    assertThat(Eventually.holds(write::isWithdrawn)).isTrue();
    assertThat(heard).isEmpty();
  }

  @Test
  void aWindowEndsWithItsRun() throws Exception {
    Unanswered write = new Unanswered();
    open("c1", write, LONG);

    runs.end(run, RunState.CANCELLED, "enough");

    assertThat(Eventually.holds(write::isWithdrawn)).isTrue();
    assertThat(heard).isEmpty();
  }

  @Test
  void nothingIsListenedForOnceClosed() throws Exception {
    Unanswered before = new Unanswered();
    open("before", before, LONG);

    windows.close();
    Unanswered after = new Unanswered();
    open("after", after, LONG);

    assertThat(Eventually.holds(before::isWithdrawn)).isTrue();
    assertThat(after.isWithdrawn()).isTrue();
    assertThat(heard).isEmpty();
  }

  private void open(String call, Unanswered write, Duration window) {
    windows.open(call, write.pending, run, window, (reply, _) -> heard.add(call));
  }

  /** A write whose time is over, and which is answered when the test says so. */
  private static final class Unanswered {
    private final CompletableFuture<Reply<Json>> answer = new CompletableFuture<>();
    private final CompletableFuture<Boolean> withdrawn = new CompletableFuture<>();
    private final WriteAttempt.Pending pending;

    Unanswered() {
      Live live = new Live(Live.Asker.NOBODY, AttemptsTest.CALLER, 1_000, Map.of());
      Deadline soon = Deadline.after(Duration.ofMillis(20), new Cancellation());
      WriteAttempt attempt =
          new WriteAttempt(new Patience(live, soon, null, System.nanoTime()), true);
      live.sent();
      attempt.make(this::await);
      pending = Objects.requireNonNull(attempt.pending());
    }

    private Reply<Json> await() {
      try {
        return answer.get();
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
        withdrawn.complete(true);
        return Reply.failed(new Failure.Broken("withdrawn"));
      } catch (ExecutionException e) {
        throw new IllegalStateException(e);
      }
    }

    void answer() {
      answer.complete(ANSWER);
    }

    boolean isWithdrawn() {
      return withdrawn.isDone();
    }
  }
}

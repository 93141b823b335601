package dev.callbound.gateway.demo;

import dev.callbound.gateway.Gateway;
import dev.callbound.gateway.config.Config;
import dev.callbound.gateway.config.ConfigLoader;
import dev.callbound.gateway.demo.Report.Line;
import dev.callbound.gateway.demo.Report.Side;
import dev.callbound.gateway.door.http.CannotListenException;
import dev.callbound.journal.CallRecord;
import dev.callbound.journal.JournalReader;
import dev.callbound.journal.RunRecord;
import dev.callbound.journal.RunState;
import dev.callbound.journal.sqlite.SqliteJournal;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Lets both clients do all tasks, and counts. The tasks follow each other, so that none is slow
 * because of another; the two clients do each of them at the same time, each at servers of its own.
 */
final class Demo {
  static final String NAIVE = "naive";
  static final String BOUNDED = "callbound";

  private static final String RUN = "demo";
  private static final int MORE_THAN_ALL_CALLS = 1_000;

  private final Path folder;
  private final Progress progress;

  /** Hears of each task that is over. */
  interface Progress {
    void finished(int number, Task task, Duration took);
  }

  private record Answers(Task task, Belief naive, Told told) {}

  /**
   * @param folder where the config, the journal and the ledgers are left
   */
  Demo(Path folder, Progress progress) {
    this.folder = folder;
    this.progress = progress;
  }

  /**
   * Does everything.
   *
   * @throws BrokenDemoException if it shows nothing: a client failed, or the gateway gave no
   *     answer, or told its client something else than its journal
   */
  Report run() throws IOException, InterruptedException {
    try (Backend naive = Backend.start(NAIVE, folder);
        Backend bounded = Backend.start(BOUNDED, folder)) {
      List<Answers> answers = answers(naive, bounded);
      // Read when the gateway has stopped: only then is everything on disk.
      return report(answers, naive, bounded);
    }
  }

  private List<Answers> answers(Backend naive, Backend bounded)
      throws IOException, InterruptedException {
    try (Gateway gateway = gateway(bounded);
        BoundedClient client = BoundedClient.connect(gateway.url(), RUN)) {
      client.warmUp();
      NaiveClient loop = new NaiveClient(naive);
      List<Answers> answers = new ArrayList<>();
      for (Task task : Task.ALL) {
        long begun = System.nanoTime();
        if (task.limitedFor().isPositive()) {
          naive.limit(task.tool(), task.limitedFor());
          bounded.limit(task.tool(), task.limitedFor());
        }
        answers.add(together(task, loop, client));
        naive.awaitQuiet();
        bounded.awaitQuiet();
        Duration took = Duration.ofNanos(System.nanoTime() - begun);
        progress.finished(answers.size(), task, took);
      }
      return answers;
    }
  }

  private Gateway gateway(Backend backend) throws IOException {
    Config config = new ConfigLoader(Map.of()).load(DemoConfig.write(folder, backend), null);
    try {
      return Gateway.start(config);
    } catch (CannotListenException e) {
      throw new BrokenDemoException("the gateway can't listen on loopback", e);
    }
  }

  private static Answers together(Task task, NaiveClient loop, BoundedClient client)
      throws InterruptedException {
    try (ExecutorService both = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<Belief> naive = both.submit(() -> loop.perform(task));
      Future<Told> bounded = both.submit(() -> client.perform(task));
      return new Answers(task, naive.get(), bounded.get());
    } catch (ExecutionException e) {
      throw new BrokenDemoException(task.name() + ": " + e.getCause(), e.getCause());
    }
  }

  private Report report(List<Answers> answers, Backend naive, Backend bounded) {
    Path file = DemoConfig.journal(folder);
    try (JournalReader journal = SqliteJournal.openReadOnly(file)) {
      RunRecord run =
          journal.runs(EnumSet.allOf(RunState.class), MORE_THAN_ALL_CALLS).stream()
              .filter(record -> RUN.equals(record.name()))
              .findFirst()
              .orElseThrow(() -> new BrokenDemoException("the journal has no run named " + RUN));
      Map<String, CallRecord> records =
          journal.callsOf(run.id(), MORE_THAN_ALL_CALLS).stream()
              .filter(call -> call.ending() != null)
              .collect(Collectors.toMap(CallRecord::tool, Function.identity(), (a, _) -> a));
      List<Line> lines =
          answers.stream().map(answer -> line(answer, naive, bounded, records)).toList();
      return new Report(lines, run.id(), file);
    }
  }

  private static Line line(
      Answers answers, Backend naive, Backend bounded, Map<String, CallRecord> records) {
    Task task = answers.task();
    CallRecord record = records.get(task.tool());
    if (record == null || record.ending() == null) {
      throw new BrokenDemoException("the journal does not say how it ended: " + task.name());
    }
    Told recorded = Told.by(record.ending());
    if (!recorded.equals(answers.told())) {
      throw new BrokenDemoException(
          "the client was told %s, but the journal says %s: %s"
              .formatted(answers.told(), recorded, task.name()));
    }
    return new Line(
        task,
        new Side(task.effect(), answers.naive(), naive.count(task)),
        new Side(task.effect(), recorded.belief(), bounded.count(task)),
        recorded,
        record.id());
  }
}

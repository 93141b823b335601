package dev.callbound.journal.sqlite;

import static dev.callbound.journal.Durability.ON_DISK;
import static dev.callbound.journal.Durability.SOON;

import dev.callbound.journal.CallRecord;
import dev.callbound.journal.Ending;
import dev.callbound.journal.Ids;
import dev.callbound.journal.RunRecord;
import dev.callbound.policy.Effect;
import dev.callbound.policy.Recognition;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Writes until it is killed, and tells on its standard output what is on disk: {@code B id} once an
 * attempt has begun, {@code E id} once its call has ended, {@code U id} once it has ended unknown,
 * {@code S id} once that has been settled, and {@code K id} in place of the first where the call
 * can be taken up.
 */
final class WritingProcess {
  static final int THREADS = 8;
  static final String RESEND = "{\"title\":\"x\"}";

  private WritingProcess() {}

  public static void main(String[] arguments) {
    Path file = Path.of(arguments[0]);
    SplittableRandom seeds = new SplittableRandom(Long.parseLong(arguments[1]));
    Ids ids = new Ids(InstantSource.system());
    OutputStream output = new FileOutputStream(FileDescriptor.out);
    try (SqliteJournal journal = SqliteJournal.open(file, InstantSource.system());
        ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor()) {
      RunRecord run =
          journal.openRun(
              RunRecord.running(
                  ids.run(), null, "local", "c", Records.NOW, Records.NOW.plusSeconds(1), 0));
      for (int i = 0; i < THREADS; i++) {
        SplittableRandom random = seeds.split();
        pool.execute(
            () -> {
              while (true) {
                write(journal, run, ids.call(), random, output);
              }
            });
      }
    }
  }

  private static void write(
      SqliteJournal journal,
      RunRecord run,
      String id,
      SplittableRandom random,
      OutputStream output) {
    String arguments = random.nextInt(4) == 0 ? "x".repeat(random.nextInt(20_000)) : null;
    boolean keyed = random.nextBoolean();
    CallRecord call =
        keyed
            ? Records.keyed(id, run.id(), Recognition.KEY, null, "key of " + id, null)
            : Records.call(id, run.id(), Effect.WRITE, arguments);
    journal.openCall(call, keyed ? RESEND : null, SOON);
    journal.beginAttempt(id, Records.attempt(1), ON_DISK);
    tell(output, (keyed ? "K " : "B ") + id);
    journal.endAttempt(id, 1, Records.ANSWERED, SOON);
    if (random.nextInt(4) > 0) {
      journal.endCall(id, Records.ok(), null, ON_DISK);
      tell(output, "E " + id);
      return;
    }
    journal.endCall(id, Records.unknown(), null, ON_DISK);
    tell(output, "U " + id);
    journal.settle(Records.settling(id, Ending.Status.STOPPED));
    tell(output, "S " + id);
  }

  /** One write to the pipe for each line, so that a kill can't cut one in two. */
  private static void tell(OutputStream output, String line) {
    try {
      output.write((line + "\n").getBytes(StandardCharsets.US_ASCII));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

package dev.callbound.gateway.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.callbound.gateway.process.ShortCommand.End;
import dev.callbound.testkit.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class ShortCommandTest {
  private static final Duration AMPLE = Duration.ofSeconds(20);
  private static final Duration SHORT = Duration.ofMillis(300);
  private static final int MOST = 1_000;

  /** Each of two processes of the family leaves its number. */
  private static final String TWO_PROCESSES =
      "trap '' TERM; (trap '' TERM; sleep 60) & echo $! > child; echo $$ > leader.new;"
          + " mv leader.new leader; ";

  @TempDir Path folder;

  @Test
  void whatItPrintsIsWhole() throws Exception {
    for (int i = 0; i < 20; i++) {
      assertThat(run("printf abc; echo said >&2; printf def"))
          .isEqualTo(exited(0, "abcdef", "said"));
    }
  }

  @Test
  void anExitCodeComesWithTheLastThatWasSaid() throws Exception {
    assertThat(run("echo first >&2; echo '  the last ' >&2; echo >&2; exit 3"))
        .isEqualTo(exited(3, "", "the last"));
  }

  @Test
  void itHasNoInput() throws Exception {
    assertThat(run("cat; echo over")).isEqualTo(exited(0, "over\n", ""));
  }

  @Test
  void floodsAreDrainedAndNotKept() throws Exception {
    assertThat(run("head -c 300000 /dev/zero")).isEqualTo(new End.TooMuch());
    assertThat(run("head -c 1000 /dev/zero")).isInstanceOf(End.Exited.class);
    assertThat(run("yes noise | head -c 300000 >&2; echo the end >&2; printf fine"))
        .isEqualTo(exited(0, "fine", "the end"));
    assertThat(run("head -c 5000 /dev/zero | tr '\\0' x >&2; printf fine"))
        .isEqualTo(exited(0, "fine", ""));
  }

  @Test
  void oneThatHangsIsCutOffWithAllThatItStarted() throws Exception {
    assertThat(run(TWO_PROCESSES + "echo on it >&2; wait", SHORT))
        .isEqualTo(new End.CutOff("", "on it"));

    assertNothingLeft();
  }

  @Test
  void whatItLeavesBehindIsEndedAndNotWaitedFor() throws Exception {
    assertThat(run(TWO_PROCESSES + "printf fine")).isEqualTo(exited(0, "fine", ""));

    assertNothingLeft();
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void whatHoldsItsPipesFromASessionOfItsOwnIsNotWaitedFor() throws Exception {
    long begun = System.nanoTime();

    End end = run("setsid sleep 60 & echo $! > held; printf fine; echo said >&2");

    Duration took = Duration.ofNanos(System.nanoTime() - begun);
    long holder = Long.parseLong(Files.readString(folder.resolve("held")).strip());
    try {
      assertThat(end).isEqualTo(exited(0, "fine", "said"));
      assertThat(took).isLessThan(Duration.ofSeconds(1));
      assertThat(ProcessHandle.of(holder).filter(ProcessHandle::isAlive)).isPresent();
      assertThat(Eventually.holds(ShortCommandTest::nothingIsRead)).isTrue();
    } finally {
      ProcessHandle.of(holder).ifPresent(ProcessHandle::destroyForcibly);
    }
  }

  @Test
  void anInterruptEndsIt() throws Exception {
    FutureTask<End> task = new FutureTask<>(() -> run(TWO_PROCESSES + "wait"));
    Thread thread = Thread.ofVirtual().start(task);
    assertThat(Eventually.holds(() -> Files.exists(folder.resolve("leader")))).isTrue();

    thread.interrupt();

    assertThatThrownBy(task::get).hasCauseInstanceOf(InterruptedException.class);
    assertNothingLeft();
  }

  @Test
  void oneThatIsNotThereIsNamed() {
    assertThatThrownBy(
            () -> ShortCommand.run(new ProcessBuilder("no-such-program", "s3cr3t"), AMPLE, MOST))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("no-such-program")
        .hasMessageNotContaining("s3cr3t");
  }

  @Test
  void whatItPrintedIsNotShown() throws Exception {
    assertThat(run("printf s3cr3t; exit 1").toString()).doesNotContain("s3cr3t");
    assertThat(run("printf s3cr3t; sleep 60", SHORT).toString()).doesNotContain("s3cr3t");
  }

  private End run(String script) throws IOException, InterruptedException {
    return run(script, AMPLE);
  }

  private End run(String script, Duration limit) throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder("/bin/sh", "-c", script);
    return ShortCommand.run(builder.directory(folder.toFile()), limit, MOST);
  }

  private static boolean nothingIsRead() {
    return Thread.getAllStackTraces().keySet().stream()
        .noneMatch(thread -> thread.getName().equals("drain"));
  }

  private static End exited(int code, String output, String lastError) {
    return new End.Exited(code, output, lastError);
  }

  private void assertNothingLeft() throws IOException {
    long leader = Long.parseLong(Files.readString(folder.resolve("leader")).strip());
    long child = Long.parseLong(Files.readString(folder.resolve("child")).strip());
    if (ProcessTable.isThere()) {
      // Where the first process of a container never reaps, those who ended are still there.
      assertThat(ProcessTable.noneRuns(leader)).isTrue();
    } else {
      assertThat(ProcessHandle.of(child).filter(ProcessHandle::isAlive)).isEmpty();
    }
    assertThat(ProcessHandle.of(leader).filter(ProcessHandle::isAlive)).isEmpty();
  }
}

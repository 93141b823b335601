package dev.callbound.testkit;

import static dev.callbound.testkit.wire.JsonRpc.object;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.function.IntConsumer;

/**
 * The fault server as a process: over HTTP, or over stdio with {@code --stdio}.
 *
 * <p>It prints the address of its MCP endpoint as the first line on stdout, and on stdio the
 * address of its admin endpoint on stderr if {@code --admin-port} is given. It leaves by halting,
 * so that its ways to die are its own: the one shutdown hook is there to hear SIGTERM.
 */
public final class FaultServerMain {
  private static final int BAD_USAGE = 2;

  private FaultServerMain() {}

  /** Serves until it is told to stop, its client goes away, or a step kills it. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    FaultOptions options;
    try {
      options = FaultOptions.parse(arguments);
    } catch (IllegalArgumentException e) {
      System.err.println("faultserver: " + e.getMessage());
      Runtime.getRuntime().halt(BAD_USAGE);
      return;
    }
    run(options);
  }

  private static void run(FaultOptions options) throws IOException, InterruptedException {
    IntConsumer exit = Runtime.getRuntime()::halt;
    StdioOutput out =
        new StdioOutput(
            new BufferedOutputStream(new FileOutputStream(FileDescriptor.out)),
            () -> exit.accept(0));
    ScenarioRunner.StderrFlood flood =
        options.stdio()
            ? bytes -> out.holdingUp(() -> FaultLife.floodErr(bytes))
            : FaultLife::floodErr;
    EffectLedger ledger = new EffectLedger(options.ledger());
    FaultEngine engine = new FaultEngine(options, ledger, flood, exit);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> terminated(options, ledger, exit)));
    if (options.flag("grandchild")) {
      Process child =
          new ProcessBuilder("sleep", "3600")
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      ledger.event("grandchild", object("child", child.pid()));
    }
    if (!options.stdio()) {
      FaultLife life = new FaultLife(engine, options.number("port"));
      System.out.println("faultserver: " + life.url(options.text("path")));
      new CountDownLatch(1).await();
    }
    if (!options.text("admin-port").isEmpty()) {
      FaultLife life = new FaultLife(engine, options.number("admin-port"));
      System.err.println("faultserver: admin at " + life.url(""));
    }
    new StdioDoor(engine, out, exit).serve(new BufferedInputStream(System.in));
    linger(options.text("linger-ms"));
    exit.accept(0);
  }

  /** Stays after stdin has ended: so many milliseconds, or for ever. */
  private static void linger(String wish) throws InterruptedException {
    if (wish.equals("forever")) {
      new CountDownLatch(1).await();
    }
    Thread.sleep(Duration.ofMillis(Long.parseLong(wish)));
  }

  /** Runs on SIGTERM. While a shutdown hook has not returned, the process goes on as before. */
  private static void terminated(FaultOptions options, EffectLedger ledger, IntConsumer exit) {
    ledger.event("sigterm", object());
    if (!options.flag("ignore-sigterm")) {
      exit.accept(0);
    }
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}

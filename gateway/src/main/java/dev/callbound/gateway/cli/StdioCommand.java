package dev.callbound.gateway.cli;

import dev.callbound.gateway.StdioGateway;
import dev.callbound.gateway.config.Config;
import dev.callbound.journal.JournalException;
import java.io.BufferedInputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code callbound stdio}. */
@Command(
    name = "stdio",
    header = "Serve the client that started this program, over stdin and stdout.",
    description = {
      "",
      "For a client that starts its MCP servers itself: name this command in its config in place of",
      "its servers. Nothing but protocol is written to stdout; the log goes to stderr. Several may",
      "run at once: each further one keeps its record beside the first, in callbound-2.db and so on.",
      ""
    },
    footer = {
      "",
      "Example, in the client's config:",
      "  {\"mcpServers\": {\"callbound\": {",
      "    \"command\": \"/path/to/callbound\",",
      "    \"args\": [\"stdio\", \"--mcp-config\", \"/path/to/my-servers.json\"]}}}"
    })
final class StdioCommand implements Callable<Integer> {
  private static final System.Logger LOG = System.getLogger(StdioCommand.class.getName());

  @Mixin private ConfigOptions options = new ConfigOptions();

  /** For picocli. */
  StdioCommand() {}

  @Override
  public Integer call() {
    InputStream in = new BufferedInputStream(new FileInputStream(FileDescriptor.in), 1 << 16);
    OutputStream out = new FileOutputStream(FileDescriptor.out);
    // Whatever some library prints must not get between the messages.
    System.setOut(new PrintStream(System.err, true));
    Config config = options.load();
    Thread serving = Thread.currentThread();
    try (StdioGateway gateway = start(config, in, out)) {
      StopSignal.onFirst(
          () -> {
            gateway.drain();
            serving.interrupt();
          });
      serve(gateway);
    }
    return ExitCode.OK;
  }

  /**
   * A client that runs twice starts this program twice. Unless a journal was named, the second one
   * keeps its record beside that of the first.
   */
  private StdioGateway start(Config config, InputStream in, OutputStream out) {
    int most = options.namesJournal() ? 1 : JournalFiles.MOST;
    for (int number = 1; ; number++) {
      Path file = JournalFiles.numbered(config.journal().file(), number);
      try {
        return StdioGateway.start(config.with(config.journal().in(file)), in, out);
      } catch (JournalException e) {
        if (e.kind() != JournalException.Kind.IN_USE || number >= most) {
          throw e;
        }
        LOG.log(System.Logger.Level.INFO, "journal={0} in_use=yes trying=next", file);
      }
    }
  }

  private static void serve(StdioGateway gateway) {
    try {
      gateway.serve();
    } catch (InterruptedException e) {
      // A signal: what was in flight has had its time. The flag stays cleared, so that closing
      // waits
      // for the servers' processes.
      LOG.log(System.Logger.Level.INFO, "stopped by a signal");
    }
  }
}

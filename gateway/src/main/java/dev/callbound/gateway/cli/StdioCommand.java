package dev.callbound.gateway.cli;

import dev.callbound.gateway.StdioGateway;
import dev.callbound.gateway.config.Config;
import java.io.BufferedInputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
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
      "run at once only with a journal for each.",
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
    try (StdioGateway gateway = StdioGateway.start(config, in, out)) {
      StopSignal.onFirst(
          () -> {
            gateway.drain();
            serving.interrupt();
          });
      serve(gateway);
    }
    return ExitCode.OK;
  }

  private static void serve(StdioGateway gateway) {
    try {
      gateway.serve();
    } catch (InterruptedException e) {
      // A signal: what was in flight has had its time. The flag stays cleared, so that closing waits
      // for the servers' processes.
      System.getLogger(StdioCommand.class.getName())
          .log(System.Logger.Level.INFO, "stopped by a signal");
    }
  }
}

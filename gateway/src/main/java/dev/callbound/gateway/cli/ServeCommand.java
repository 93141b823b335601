package dev.callbound.gateway.cli;

import dev.callbound.gateway.Gateway;
import dev.callbound.gateway.config.Config;
import dev.callbound.gateway.config.ListenAddress;
import dev.callbound.gateway.door.http.CannotListenException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code callbound serve}. */
@Command(
    name = "serve",
    header = "Serve MCP clients over HTTP, many of them, in front of many servers.",
    description = {
      "",
      "Prints one line with its URL when it is ready: /mcp for all servers, /mcp/NAME for one.",
      "SIGTERM or Ctrl-C stops it: no new calls, those in flight get listen.shutdown_grace (30 s),",
      "then end recorded. A second one ends it at once.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  callbound serve                                 with ./callbound.yaml",
      "  callbound serve --mcp-config .mcp.json          with the servers of another client",
      "  callbound serve --listen 127.0.0.1:0            on a free port"
    })
final class ServeCommand implements Callable<Integer> {
  @Mixin private ConfigOptions options = new ConfigOptions();

  @Option(
      names = "--listen",
      paramLabel = "HOST:PORT",
      description = {
        "Where to listen. Default: what the config says, else 127.0.0.1:7420.",
        "Port 0 picks a free one."
      })
  private @Nullable String listen;

  @Spec private @Nullable CommandSpec spec;

  /** For picocli. */
  ServeCommand() {}

  @Override
  public Integer call() throws CannotListenException, InterruptedException {
    Config config = withListen(options.load());
    CountDownLatch stopped = new CountDownLatch(1);
    StopSignal.onFirst(stopped::countDown);
    try (Gateway gateway = Gateway.start(config)) {
      gateway.announce();
      PrintWriter out = Program.of(spec).getOut();
      out.println("callbound: " + gateway.url());
      out.flush();
      stopped.await();
    }
    return ExitCode.OK;
  }

  private Config withListen(Config config) {
    if (listen == null) {
      return config;
    }
    try {
      return config.with(config.listen().at(ListenAddress.parse(listen)));
    } catch (IllegalArgumentException e) {
      throw new ParameterException(Program.of(spec), "--listen: " + e.getMessage(), e);
    }
  }
}

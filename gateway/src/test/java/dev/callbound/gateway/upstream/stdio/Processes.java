package dev.callbound.gateway.upstream.stdio;

import dev.callbound.gateway.config.Annotations;
import dev.callbound.gateway.config.Prefix;
import dev.callbound.gateway.config.ProfileChoice;
import dev.callbound.gateway.config.Protocol;
import dev.callbound.gateway.config.Secret;
import dev.callbound.gateway.config.ServerConfig;
import dev.callbound.gateway.config.ServerConfig.Stdio;
import dev.callbound.gateway.config.ToolBounds;
import dev.callbound.policy.Backoff;
import dev.callbound.testkit.FaultServerMain;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.UnaryOperator;

/** Servers for the tests, each a real process: a shell script, or the fault server. */
final class Processes {
  static final Duration GRACE = Duration.ofMillis(300);
  static final int MAX_RESULT = 1 << 20;

  private Processes() {}

  /** A server that answers the handshake and runs these commands for each request. */
  static Stdio answering(String commands) {
    return shell(
        """
        answer() { printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$1" "$2"; }
        INTRODUCTION='{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"sh"}}'
        while IFS= read -r line; do
          id=${line#*\\"id\\":}; id=${id%%,*}
          case $line in
            *'"method":"initialize"'*) answer "$id" "$INTRODUCTION";;
            *'"method":"notifications/'*) ;;
            *) COMMANDS;;
          esac
        done
        """
            .replace("COMMANDS", commands));
  }

  /** A server that is a shell script. */
  static Stdio shell(String script) {
    return command("sh", List.of("-c", script));
  }

  /** The fault server, with its options. */
  static Stdio faults(String... options) {
    List<String> arguments = new ArrayList<>(List.of("-XX:TieredStopAtLevel=1", "-cp"));
    arguments.add(System.getProperty("java.class.path"));
    arguments.add(FaultServerMain.class.getName());
    arguments.add("--stdio");
    arguments.addAll(List.of(options));
    return command(Path.of(System.getProperty("java.home"), "bin", "java").toString(), arguments);
  }

  static Stdio command(String command, List<String> arguments) {
    return new Stdio(command, arguments, Map.<String, Secret>of(), null, GRACE);
  }

  static StdioServer server(Stdio stdio) {
    return server(stdio, Protocol.AUTO, Duration.ofSeconds(10), ProcessLedger.NONE);
  }

  static StdioServer server(
      Stdio stdio, Protocol protocol, Duration startTimeout, ProcessLedger ledger) {
    Backoff backoff = new Backoff(Duration.ofMillis(200), Duration.ofSeconds(20));
    return new StdioServer(
        config(stdio, protocol, startTimeout),
        stdio,
        ledger,
        UnaryOperator.identity(),
        new Restarts(backoff, new Random(1)));
  }

  static ServerConfig config(Stdio stdio, Protocol protocol, Duration startTimeout) {
    return new ServerConfig(
        "test",
        stdio,
        Annotations.BELIEVED,
        Prefix.COLLISIONS,
        protocol,
        startTimeout,
        MAX_RESULT,
        ServerConfig.Crowd.STANDARD,
        new ProfileChoice.ByServer(),
        ToolBounds.STANDARD);
  }

  /** The processes that have this text among their arguments. */
  static List<ProcessHandle> having(String argument) {
    return ProcessHandle.allProcesses()
        .filter(
            process ->
                process
                    .info()
                    .arguments()
                    .filter(arguments -> String.join(" ", arguments).contains(argument))
                    .isPresent())
        .toList();
  }
}

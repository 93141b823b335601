package dev.callbound.gateway.cli;

import dev.callbound.gateway.config.Config;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code callbound check}. */
@Command(
    name = "check",
    header = "Validate the config, connect to every server, and list its tools.",
    description = {
      "",
      "Shows for each tool whether it reads or writes and where that came from, its deadline and that",
      "of a whole call, and how a repeat of it would be recognised. Calls no tool. Exits with 1 if",
      "anything is wrong.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  callbound check                             with ./callbound.yaml",
      "  callbound check --mcp-config .mcp.json      with the servers of another client",
      "  callbound check --json | jq '.servers[].tools[] | select(.effect == \"write\") .name'"
    })
final class CheckCommand implements Callable<Integer> {
  @Mixin private ConfigOptions options = new ConfigOptions();
  @Mixin private OutputOptions output = new OutputOptions();

  @Spec private @Nullable CommandSpec spec;

  /** For picocli. */
  CheckCommand() {}

  @Override
  public Integer call() throws InterruptedException {
    Config config = options.load();
    List<Inspected> servers = new Inspector(config).inspect();
    output.print(
        Program.of(spec),
        () -> CheckJson.of(config, servers),
        screen -> new CheckView(screen).show(config, servers));
    return servers.stream().allMatch(server -> server.errors().isEmpty())
        ? ExitCode.OK
        : ExitCode.FAILED;
  }
}

package dev.callbound.gateway.cli;

import dev.callbound.gateway.config.Config;
import dev.callbound.gateway.config.ServerConfig;
import dev.callbound.gateway.profile.Draft;
import dev.callbound.gateway.upstream.Introduction;
import java.io.PrintWriter;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code callbound profile}. */
@Command(
    name = "profile",
    header = "Draft a profile from the tools that a server lists.",
    description = {
      "",
      "Connects to one server of the config and prints, as YAML, what is known of its tools, with",
      "comments on what only a person can say. Calls no tool. docs/profiles.md tells how to go on.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  callbound profile crm > crm.yaml            then, in the config: profile: ./crm.yaml",
      "  callbound profile --mcp-config .mcp.json crm"
    })
final class ProfileCommand implements Callable<Integer> {
  @Parameters(paramLabel = "SERVER", description = "A server's name in the config.")
  private String server = "";

  @Mixin private ConfigOptions options = new ConfigOptions();

  @Spec private @Nullable CommandSpec spec;

  /** For picocli. */
  ProfileCommand() {}

  @Override
  public Integer call() throws InterruptedException {
    Config config = options.load();
    ServerConfig named = config.servers().get(server);
    if (named == null) {
      throw new CommandFailedException(
          "no server is named "
              + server
              + "; the config has "
              + String.join(", ", config.servers().keySet()));
    }
    Inspected found = new Inspector(config.with(Map.of(server, named))).inspect().getFirst();
    Introduction introduction = found.introduction();
    if (introduction == null || found.tools().isEmpty()) {
      List<String> said = found.errors().isEmpty() ? found.warnings() : found.errors();
      throw new CommandFailedException(server + ": " + String.join("\n", said));
    }
    Map<String, Draft.Tool> tools = new TreeMap<>();
    found
        .tools()
        .forEach(
            tool ->
                tools.put(
                    tool.name(),
                    new Draft.Tool(
                        tool.listed(), tool.effect().effect(), tool.effect().source().code())));
    PrintWriter out = Program.of(spec).getOut();
    out.print(
        Draft.of(
            introduction.serverInfo().textAt("name"),
            introduction.serverInfo().textAt("version"),
            LocalDate.now(ZoneId.systemDefault()),
            tools));
    out.flush();
    return ExitCode.OK;
  }
}

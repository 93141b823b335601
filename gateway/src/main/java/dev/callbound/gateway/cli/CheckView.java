package dev.callbound.gateway.cli;

import dev.callbound.gateway.config.CircuitConfig;
import dev.callbound.gateway.config.Config;
import dev.callbound.gateway.config.HeadersCommand;
import dev.callbound.gateway.config.Profile;
import dev.callbound.gateway.config.Recognise;
import dev.callbound.gateway.config.ServerConfig;
import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.upstream.Introduction;
import dev.callbound.policy.Circuit;
import dev.callbound.policy.Effect;
import dev.callbound.policy.Entrance;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What {@code check} found, for people. */
final class CheckView {
  private final Screen screen;
  private final Style style;

  CheckView(Screen screen) {
    this.screen = screen;
    this.style = screen.style();
  }

  void show(Config config, List<Inspected> servers) {
    screen.field("journal", config.journal().file().toString());
    screen.field(
        "run",
        "at most %s, %s and %s"
            .formatted(
                Times.length(config.run().deadline()),
                config.run().retries() == 1 ? "1 retry" : config.run().retries() + " retries",
                config.run().spend() == null
                    ? "no limit on what it spends"
                    : config.run().spend() + " spent"));
    config.warnings().forEach(warning -> screen.field("warning", warning, style::stopped));
    servers.forEach(this::server);
    screen.blank();
    long failed = servers.stream().filter(server -> !server.errors().isEmpty()).count();
    int tools = servers.stream().mapToInt(server -> server.tools().size()).sum();
    screen.line(
        failed == 0
            ? style.good("All is well:")
                + " "
                + Text.count(servers.size(), "server")
                + ", "
                + Text.count(tools, "tool")
                + "."
            : style.alarming(
                "%d of %s can't be used as configured."
                    .formatted(failed, Text.count(servers.size(), "server"))));
  }

  private void server(Inspected found) {
    ServerConfig server = found.server();
    screen.blank();
    screen.heading(server.name());
    screen.field("reached by", transport(server));
    HeadersCommand command = headersCommand(server);
    if (command != null) {
      screen.field("headers", "by " + command.key() + ", and again after a 401");
    }
    screen.field("gets", crowd(server.crowd()));
    screen.field("circuit", circuit(server.tool(Entrance.SERVER).circuit()));
    Introduction introduction = found.introduction();
    if (introduction != null) {
      screen.field("it is", identity(introduction));
    }
    if (introduction != null) {
      screen.field("profile", Text.line(profile(found.profile(), found.tools())));
    }
    found.errors().forEach(error -> screen.field("error", Text.plain(error), style::alarming));
    found
        .warnings()
        .forEach(warning -> screen.field("warning", Text.plain(warning), style::stopped));
    if (!found.tools().isEmpty()) {
      screen.blank();
      screen.lines(table(found.tools()).lines());
    }
  }

  /**
   * How a server is reached, without what may carry a secret: arguments, headers, a URL's query.
   */
  static String transport(ServerConfig server) {
    return switch (server.transport()) {
      case ServerConfig.Stdio stdio ->
          "stdio, "
              + stdio.command()
              + (stdio.args().isEmpty()
                  ? ""
                  : " with " + Text.count(stdio.args().size(), "argument"));
      case ServerConfig.Http http -> "http, " + withoutQuery(http.url());
    };
  }

  /** What prints headers for the server; null where nothing does. */
  static @Nullable HeadersCommand headersCommand(ServerConfig server) {
    return server.transport() instanceof ServerConfig.Http http ? http.headersCommand() : null;
  }

  private static String crowd(ServerConfig.Crowd crowd) {
    return crowd.atOnce() == Integer.MAX_VALUE
        ? "any number of calls at once"
        : "%s at once, and %s in line".formatted(Text.count(crowd.atOnce(), "call"), crowd.queue());
  }

  /** When calls are kept from a tool, in a few words. */
  static String circuit(CircuitConfig circuit) {
    Circuit.Terms terms = circuit.terms();
    return terms == null
        ? "off"
        : "per %s: opens at %s within %s, for %s at most"
            .formatted(
                circuit.per().name().toLowerCase(Locale.ROOT),
                Text.count(terms.failures(), "failure"),
                Times.length(terms.window()),
                Times.length(terms.coolDown()));
  }

  private static String withoutQuery(URI url) {
    String path = url.getRawPath() == null ? "" : url.getRawPath();
    return url.getScheme() + "://" + url.getRawAuthority() + path;
  }

  private static String identity(Introduction introduction) {
    Json info = introduction.serverInfo();
    String name = info.textAt("name");
    String version = info.textAt("version");
    return Text.line(
        (name == null ? "(no name)" : name)
            + (version == null ? "" : " " + version)
            + ", MCP "
            + introduction.revision().date());
  }

  private static String profile(@Nullable Profile profile, List<Inspected.Tool> tools) {
    if (profile == null) {
      return "none";
    }
    long unknown = tools.stream().filter(tool -> !profile.tools().containsKey(tool.name())).count();
    return "%s, checked with %s on %s%s"
        .formatted(
            profile.name(),
            profile.version(),
            profile.checked(),
            unknown == 0 ? "" : "; it does not know " + Text.count(unknown, "tool"));
  }

  /** How a repeat is recognised, in a few words. */
  static String recognition(Recognise recognise) {
    return switch (recognise) {
      case Recognise.Nothing _ -> "none";
      case Recognise.ByKey(var carrier, String name, _) ->
          "key, " + carrier.name().toLowerCase(Locale.ROOT) + " " + name;
      case Recognise.ByCheck(_, var check) -> "check, " + check.tool();
    };
  }

  private Table table(List<Inspected.Tool> tools) {
    Table table =
        new Table(
            style,
            0,
            "  ",
            "TOOL",
            "EFFECT",
            "FROM",
            "DEADLINE",
            "FROM",
            "CALL",
            "ATTEMPTS",
            "PRICE",
            "RECOGNITION",
            "FROM");
    for (Inspected.Tool tool : tools) {
      table.row(
          Table.Cell.of(Text.line(tool.name())),
          new Table.Cell(
              tool.effect().effect().name().toLowerCase(Locale.ROOT),
              tool.effect().effect() == Effect.WRITE ? style::bold : style::dim),
          Table.Cell.of(tool.effect().source().code()),
          Table.Cell.of(Times.length(tool.bounds().deadline())),
          Table.Cell.of(tool.bounds().from().deadline().code()),
          Table.Cell.of(Times.length(tool.bounds().callDeadline())),
          Table.Cell.of(Integer.toString(tool.bounds().attempts())),
          Table.Cell.of(tool.bounds().price().isZero() ? "" : tool.bounds().price().toString()),
          Table.Cell.of(Text.line(recognition(tool.bounds().recognise()))),
          Table.Cell.of(tool.bounds().from().recognise().code()));
    }
    return table;
  }
}

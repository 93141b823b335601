package dev.callbound.gateway.cli;

import dev.callbound.gateway.config.Config;
import dev.callbound.gateway.config.ConfigLoader;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of the commands that need the whole config. */
final class ConfigOptions {
  @Option(
      names = {"-c", "--config"},
      paramLabel = "FILE",
      description = {
        "The config. Without it and without --mcp-config: ./callbound.yaml, else",
        "callbound/callbound.yaml in your config folder (XDG)."
      })
  private @Nullable Path config;

  @Option(
      names = "--mcp-config",
      paramLabel = "FILE",
      description = {
        "An unchanged mcpServers JSON file, such as the .mcp.json of Claude Code,",
        "whose servers are added. Needs no other config."
      })
  private @Nullable Path mcpConfig;

  @Option(
      names = "--journal",
      paramLabel = "FILE",
      description = {
        "Where the record is kept. Default: what the config says, else",
        "callbound.db in ~/.local/state/callbound (XDG)."
      })
  private @Nullable Path journal;

  /** For picocli. */
  ConfigOptions() {}

  /** Whether the journal was named on the command line. */
  boolean namesJournal() {
    return journal != null;
  }

  /** What a command about the same journal needs, with a space before each option. */
  String typedJournal() {
    return journal != null
        ? JournalOptions.typed("--journal", journal)
        : JournalOptions.typed("--config", config);
  }

  /** Loads the config that the options name. */
  Config load() {
    Config loaded = new ConfigLoader(System.getenv()).load(config, mcpConfig);
    return journal == null ? loaded : loaded.with(loaded.journal().in(journal));
  }
}

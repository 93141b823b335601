package dev.callbound.gateway.cli;

import dev.callbound.gateway.config.ConfigException;
import dev.callbound.gateway.config.ConfigLoader;
import dev.callbound.journal.JournalReader;
import dev.callbound.journal.sqlite.SqliteJournal;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of the commands that look at the journal. They need no config that is in order. */
final class JournalOptions {
  @Option(
      names = "--journal",
      paramLabel = "FILE",
      description = {
        "The journal. Default: what the config says, else callbound.db in",
        "~/.local/state/callbound (XDG). A gateway may be using it."
      })
  private @Nullable Path journal;

  @Option(
      names = {"-c", "--config"},
      paramLabel = "FILE",
      description = "The config that says where the journal lies.")
  private @Nullable Path config;

  /** For picocli. */
  JournalOptions() {}

  /** The config that was named; null where none was. */
  @Nullable Path config() {
    return config;
  }

  /** Opens the journal for reading; unless it was named, those beside it too. */
  JournalReader open() {
    return open(files());
  }

  /** Opens these for reading, as one. */
  static JournalReader open(List<Path> files) {
    List<JournalReader> journals = files.stream().map(SqliteJournal::openReadOnly).toList();
    return journals.size() == 1 ? journals.getFirst() : new SeveralJournals(journals);
  }

  /** The journal; unless it was named, those beside it too. */
  List<Path> files() {
    return journal != null ? List.of(journal) : JournalFiles.existing(file());
  }

  /** The one of the journals that holds the call. */
  static Path fileOf(String call, List<Path> files) {
    for (Path file : files) {
      try (JournalReader reader = SqliteJournal.openReadOnly(file)) {
        if (reader.call(call).isPresent()) {
          return file;
        }
      }
    }
    throw new CommandFailedException("there is no " + call);
  }

  /** The options as they were typed, with a space before each: for a command that is to follow. */
  String typed() {
    return typed("--journal", journal) + typed("--config", config);
  }

  static String typed(String option, @Nullable Path value) {
    if (value == null) {
      return "";
    }
    String path = value.toString();
    boolean plain = path.matches("[\\w./+,:@%-]+");
    return " " + option + " " + (plain ? path : "'" + path.replace("'", "'\\''") + "'");
  }

  private Path file() {
    if (journal != null) {
      return journal;
    }
    try {
      return new ConfigLoader(System.getenv()).loadJournal(config).file();
    } catch (ConfigException e) {
      throw new CommandFailedException(
          "the config does not say where the journal lies: "
              + e.getMessage()
              + System.lineSeparator()
              + "Name the journal with --journal FILE to do without the config.");
    }
  }
}

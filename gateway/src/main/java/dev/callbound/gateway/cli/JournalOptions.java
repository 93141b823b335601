package dev.callbound.gateway.cli;

import dev.callbound.gateway.config.ConfigException;
import dev.callbound.gateway.config.ConfigLoader;
import dev.callbound.journal.JournalReader;
import dev.callbound.journal.sqlite.SqliteJournal;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of the commands that only read the journal. They need no config that is in order. */
final class JournalOptions {
  @Option(
      names = "--journal",
      paramLabel = "FILE",
      description = {
        "The journal to read. Default: what the config says, else callbound.db in",
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

  /** Opens the journal for reading; unless it was named, those beside it too. */
  JournalReader open() {
    List<Path> files = journal != null ? List.of(journal) : JournalFiles.existing(file());
    List<JournalReader> journals = files.stream().map(SqliteJournal::openReadOnly).toList();
    return journals.size() == 1 ? journals.getFirst() : new SeveralJournals(journals);
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

package dev.callbound.gateway.config;

import java.nio.file.Path;
import java.time.Duration;

/**
 * Where the journal lies and how long it remembers.
 *
 * @param file the database file; its folder need not exist yet
 * @param retention how long a settled call is kept; more than zero
 */
public record JournalConfig(Path file, Duration retention) {
  public JournalConfig {
    Positive.check("retention", retention);
  }

  /** The same, with the journal in another file. */
  public JournalConfig in(Path otherFile) {
    return new JournalConfig(otherFile, retention);
  }
}

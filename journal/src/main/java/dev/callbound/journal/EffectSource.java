package dev.callbound.journal;

import java.util.Locale;

/** Where the decision came from that a tool reads or writes. */
public enum EffectSource {
  /** The configuration says so. */
  CONFIG,
  /** The profile of a known server says so. */
  PROFILE,
  /** The server's annotations say so. */
  ANNOTATIONS,
  /** The tool's name says so, against its annotations. */
  NAME,
  /** Nothing says so; what may write is taken to write. */
  DEFAULT;

  /** The name as it stands in the journal and in answers, such as {@code annotations}. */
  public String code() {
    return name().toLowerCase(Locale.ROOT);
  }
}

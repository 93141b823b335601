package dev.callbound.gateway.mcp;

import java.util.Arrays;
import java.util.Optional;

/** The revisions of MCP that are spoken here, oldest first. */
public enum Revision {
  V2025_03_26("2025-03-26"),
  V2025_06_18("2025-06-18"),
  V2025_11_25("2025-11-25"),
  V2026_07_28("2026-07-28");

  /** The newest revision that begins with {@code initialize}. */
  public static final Revision NEWEST_WITH_SESSIONS = V2025_11_25;

  /** The newest revision. */
  public static final Revision NEWEST = V2026_07_28;

  private final String date;

  Revision(String date) {
    this.date = date;
  }

  /** The revision of that date, if it is spoken here. */
  public static Optional<Revision> of(String date) {
    return Arrays.stream(values()).filter(revision -> revision.date.equals(date)).findFirst();
  }

  /** The name on the wire. */
  public String date() {
    return date;
  }

  /**
   * Whether a client and a server begin with {@code initialize} and share a session; else every
   * request stands for itself (MCP 2026-07-28).
   */
  public boolean hasSessions() {
    return this != V2026_07_28;
  }

  @Override
  public String toString() {
    return date;
  }
}

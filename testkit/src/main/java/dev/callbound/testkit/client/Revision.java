package dev.callbound.testkit.client;

/** The revisions of MCP that the client speaks. */
public enum Revision {
  V2025_03_26("2025-03-26"),
  V2025_06_18("2025-06-18"),
  V2025_11_25("2025-11-25"),
  /** Has no handshake and no session: every request says who asks. */
  V2026_07_28("2026-07-28");

  private final String text;

  Revision(String text) {
    this.text = text;
  }

  /** The revision as it is written on the wire. */
  public String text() {
    return text;
  }

  /** Whether a client of this revision begins with initialize and may be given a session. */
  public boolean hasSessions() {
    return this != V2026_07_28;
  }
}

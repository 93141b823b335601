package dev.callbound.gateway.config;

/** The revision of MCP that is spoken to a server. */
public enum Protocol {
  /** Asked of the server, never by a call that could do something. */
  AUTO("auto"),
  /** MCP 2025-03-26. */
  V2025_03_26("2025-03-26"),
  /** MCP 2025-06-18. */
  V2025_06_18("2025-06-18"),
  /** MCP 2025-11-25. */
  V2025_11_25("2025-11-25"),
  /** MCP 2026-07-28. */
  V2026_07_28("2026-07-28");

  private final String revision;

  Protocol(String revision) {
    this.revision = revision;
  }

  /** The revision as the protocol and the file spell it; {@code auto} for {@link #AUTO}. */
  public String revision() {
    return revision;
  }
}

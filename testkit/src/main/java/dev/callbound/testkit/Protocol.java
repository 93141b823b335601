package dev.callbound.testkit;

import java.util.List;

/** The revisions of MCP, told apart where they behave differently. */
final class Protocol {
  static final List<String> WITH_SESSIONS =
      List.of("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05");
  static final String LATEST_WITH_SESSIONS = WITH_SESSIONS.getFirst();
  static final String STATELESS = "2026-07-28";

  /** What holds for a request that names no revision and has no session (MCP 2025-06-18). */
  static final String WHEN_UNSAID = "2025-03-26";

  private Protocol() {}

  /** Whether this revision has no sessions, no GET stream and no resumption. */
  static boolean isStateless(String revision) {
    return revision.compareTo(STATELESS) >= 0;
  }

  /** Whether a stream begins with an event that holds only an id. */
  static boolean primesStreams(String revision) {
    return revision.compareTo("2025-11-25") >= 0;
  }

  static boolean hasStructuredContent(String revision) {
    return revision.compareTo("2025-06-18") >= 0;
  }

  /** The revision to answer an initialize with. */
  static String negotiate(String asked, String highest) {
    boolean newer = asked.compareTo(LATEST_WITH_SESSIONS) > 0 && asked.compareTo(highest) <= 0;
    return newer || WITH_SESSIONS.contains(asked) ? asked : LATEST_WITH_SESSIONS;
  }
}

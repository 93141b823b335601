package dev.callbound.gateway.upstream.http;

import dev.callbound.gateway.mcp.Revision;
import dev.callbound.gateway.upstream.Introduction;
import org.jspecify.annotations.Nullable;

/**
 * What was agreed on with a server: how it introduced itself, and the session, where there is one.
 * Two agreements are never the same one, even when they read alike. Immutable.
 */
final class Terms {
  private final Introduction introduction;
  private final @Nullable String session;

  Terms(Introduction introduction, @Nullable String session) {
    this.introduction = introduction;
    this.session = session;
  }

  Introduction introduction() {
    return introduction;
  }

  Revision revision() {
    return introduction.revision();
  }

  /** The session's id; null where the server gave none. */
  @Nullable String session() {
    return session;
  }
}

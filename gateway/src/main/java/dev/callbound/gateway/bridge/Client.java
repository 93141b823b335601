package dev.callbound.gateway.bridge;

import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.gateway.mcp.Message;
import dev.callbound.gateway.mcp.Revision;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One client as a door knows it: a session where its revision has sessions, else a single request.
 * Made and closed by {@link Bridge}; thread-safe.
 */
public interface Client extends AutoCloseable {
  /** The revision spoken with it. */
  Revision revision();

  /** What it can do, as it declared. */
  JsonObject capabilities();

  /** How it named itself. */
  JsonObject info();

  /** Whose calls these are. */
  String principal();

  /**
   * The next thing to tell the client outside any request (list-changed, resource updates, logs).
   *
   * @return null when there was nothing to say meanwhile
   */
  @Nullable Message next(Duration patience) throws InterruptedException;

  /** The client is gone for good: its session ended. Idempotent. */
  @Override
  void close();
}

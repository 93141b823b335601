package dev.callbound.gateway.bridge;

import dev.callbound.gateway.mcp.JsonObject;

/**
 * Where somebody is told that something needs a look. Thread-safe; never blocks, and never fails.
 */
@FunctionalInterface
public interface Alerts {
  /** Nobody is told. */
  Alerts NONE = _ -> {};

  /**
   * Tells.
   *
   * @param alert with a {@code kind} and an {@code at}
   */
  void raise(JsonObject alert);
}

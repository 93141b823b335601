package dev.callbound.gateway.bridge;

/** By what a client comes back for a call that it no longer waits for. */
enum Handle {
  /** A task, as the extension of MCP 2026-07-28 has it. */
  TASK,
  /** A task, as MCP 2025-11-25 has it: the client asked for one, and gets nothing else. */
  REQUESTED_TASK,
  /** The call's id, for {@code callbound_await}. */
  CALL,
  /** It has one, came back by it, and will do so again. */
  AGAIN
}

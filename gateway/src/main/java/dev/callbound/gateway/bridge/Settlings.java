package dev.callbound.gateway.bridge;

import dev.callbound.gateway.config.ToolConfig;
import dev.callbound.gateway.mcp.Json;
import dev.callbound.journal.CallRecord;
import dev.callbound.journal.Ending;
import dev.callbound.journal.SettledBy;
import dev.callbound.journal.Settling;
import dev.callbound.policy.Reason;
import java.time.InstantSource;

/** What was learnt about an unknown call, as the journal takes it. Thread-safe. */
final class Settlings {
  /** Who says so where nobody else does. */
  static final String GATEWAY = "callbound";

  static final String FOUND = "a check found the effect";
  static final String NOT_FOUND = "a check found no effect";

  private final ContentsByTool contents;
  private final InstantSource clock;

  Settlings(ContentsByTool contents, InstantSource clock) {
    this.contents = contents;
    this.clock = clock;
  }

  /**
   * It took effect, and this is what it left.
   *
   * @param order of the call, or of one that follows it: they are recorded alike
   */
  Settling landed(String call, Json result, Order order, SettledBy by, String who, String detail) {
    return landed(call, order.bounds(), result, by, who, detail);
  }

  /** As the other, where there is no order. */
  Settling landed(
      CallRecord call, ToolConfig bounds, Json result, SettledBy by, String who, String detail) {
    return landed(call.id(), bounds, result, by, who, detail);
  }

  private Settling landed(
      String call, ToolConfig bounds, Json result, SettledBy by, String who, String detail) {
    Contents kept = contents.of(bounds);
    return Settling.happened(
        call,
        contents.secrets().redact(detail),
        by,
        who,
        clock.instant(),
        kept.replay(result),
        Contents.digestOfResult(result),
        result.length(),
        kept.kept(result));
  }

  /** It took no effect. */
  Settling absent(String call, SettledBy by, String who, String detail) {
    return Settling.without(
        call,
        Ending.Status.STOPPED,
        contents.secrets().redact(detail),
        by,
        who,
        null,
        clock.instant());
  }

  /** The tool itself said how it failed, or that it will not do it. */
  Settling stopped(String call, Reason.Stopped reason, SettledBy by, String who, String detail) {
    return Settling.stopped(
        call, reason, contents.secrets().redact(detail), by, who, clock.instant());
  }
}

package dev.callbound.gateway.bridge;

import dev.callbound.gateway.config.Recognise;
import dev.callbound.gateway.config.ToolConfig;
import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.gateway.mcp.MalformedMessageException;
import dev.callbound.gateway.mcp.Revision;
import dev.callbound.gateway.run.Run;
import dev.callbound.gateway.run.Runs;
import dev.callbound.gateway.upstream.Dialect;
import dev.callbound.gateway.upstream.Exchange;
import dev.callbound.journal.CallRecord;
import dev.callbound.journal.JournalReader;
import dev.callbound.policy.Recognition;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;

/**
 * Orders as the journal kept them, for calls of which no client is at hand. What the configuration
 * says today counts: a recognition that it no longer has is none. Thread-safe.
 */
final class KeptOrders {
  /** The server is spoken to for the gateway itself. */
  private static final Exchange.Caller CALLER = Dialect.gateway(Revision.NEWEST_WITH_SESSIONS);

  private final Catalog catalog;
  private final Runs runs;
  private final JournalReader journal;
  private final InstantSource clock;

  KeptOrders(Catalog catalog, Runs runs, JournalReader journal, InstantSource clock) {
    this.catalog = catalog;
    this.runs = runs;
    this.journal = journal;
    this.clock = clock;
  }

  /**
   * The order of a call.
   *
   * @return empty where its server is no longer configured, or its parameters were not kept
   */
  Optional<Order> of(CallRecord call, String resend) {
    ServerTools server = catalog.server(call.server());
    Optional<Run> run = runs.find(call.run());
    Optional<JsonObject> params = read(resend);
    if (server == null || run.isEmpty() || params.isEmpty()) {
      return Optional.empty();
    }
    ToolConfig bounds = server.bounds(call.tool());
    Recognise today = Order.recognise(bounds, call.effect(), params.get());
    boolean same = today.kind() == call.recognition();
    String key = call.key();
    return Optional.of(
        new Order(
            server,
            call.tool(),
            bounds,
            params.get(),
            CALLER,
            Map.of(),
            run.get(),
            same ? call : unrecognised(call),
            same && key != null ? KeyLife.until(today, key, journal, clock) : null));
  }

  private static Optional<JsonObject> read(String resend) {
    try {
      return Json.parse(resend.getBytes(StandardCharsets.UTF_8)).asObject();
    } catch (MalformedMessageException _) {
      // A journal that was edited by hand: there is nothing that could be sent.
      return Optional.empty();
    }
  }

  private static CallRecord unrecognised(CallRecord call) {
    return new CallRecord(
        call.id(),
        call.run(),
        call.step(),
        call.server(),
        call.tool(),
        call.effect(),
        call.effectFrom(),
        Recognition.NONE,
        call.key(),
        call.follows(),
        call.argumentsDigest(),
        call.arguments(),
        call.startedAt(),
        call.ending(),
        call.settled());
  }
}

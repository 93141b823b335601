package dev.callbound.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.callbound.testkit.wire.JsonRpc;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * What a fault server has seen and done up to one moment; immutable.
 *
 * @param effects the writes that were executed, those of earlier lives included
 * @param calls the {@code tools/call} requests that arrived, reads too
 * @param events everything else that was noted: cancellations, disconnects, replays, ...
 */
public record LedgerReport(List<Effect> effects, List<Call> calls, List<Event> events) {

  public LedgerReport {
    effects = List.copyOf(effects);
    calls = List.copyOf(calls);
    events = List.copyOf(events);
  }

  /**
   * One executed write.
   *
   * @param object the id of what it created
   * @param key the idempotency key it came with; null if none
   * @param marker the free text it came with; null if none
   * @param millis monotonic milliseconds since the server that executed it started
   */
  public record Effect(
      String tool,
      String object,
      @Nullable String key,
      @Nullable String marker,
      JsonNode arguments,
      Instant at,
      long millis) {}

  /**
   * One call that arrived.
   *
   * @param n its number, counted from 1
   * @param rpcId the JSON-RPC id it came under
   * @param session the session it came in; null if none
   * @param protocol the revision it was made in
   * @param progressToken the token it asked for progress under; missing node if none
   * @param outcome how it ended, for example {@code ok}, {@code hang} or {@code cancelled}; null
   *     while it runs
   * @param millis when it arrived, in monotonic milliseconds since the server started
   */
  public record Call(
      int n,
      String tool,
      JsonNode rpcId,
      @Nullable String session,
      String protocol,
      @Nullable String key,
      @Nullable String marker,
      JsonNode progressToken,
      @Nullable String outcome,
      Instant at,
      long millis) {}

  /** Anything else: its kind, and all its fields as they are in the ledger. */
  public record Event(String kind, JsonNode fields, long millis) {}

  /** Reads the JSON of {@code GET /_ledger}. */
  public static LedgerReport read(JsonNode report) {
    return new LedgerReport(
        stream(report.path("effects")).map(LedgerReport::effect).toList(),
        stream(report.path("calls")).map(LedgerReport::call).toList(),
        stream(report.path("events"))
            .map(e -> new Event(e.path("kind").asText(), e, e.path("ms").asLong()))
            .toList());
  }

  /**
   * Reads a ledger file, with the calls and events of every life and every process that wrote to
   * it: what to look at where the server is started by somebody else.
   */
  public static LedgerReport readFile(Path file) throws IOException {
    List<Effect> effects = new ArrayList<>();
    List<Event> events = new ArrayList<>();
    Map<String, ObjectNode> calls = new LinkedHashMap<>();
    String text = Files.exists(file) ? Files.readString(file) : "";
    // A last line without its line feed is still being written.
    for (String line : text.substring(0, text.lastIndexOf('\n') + 1).split("\n", -1)) {
      if (line.isBlank()) {
        continue;
      }
      ObjectNode entry = (ObjectNode) JsonRpc.parse(line);
      String call = entry.path("pid").asText() + "/" + entry.path("n").asText();
      switch (entry.path("kind").asText()) {
        case "effect" -> effects.add(effect(entry));
        case "call" -> calls.put(call, entry);
        case "end" -> {
          ObjectNode ended = calls.get(call);
          if (ended != null) {
            ended.set("outcome", entry.path("outcome"));
          }
        }
        default ->
            events.add(new Event(entry.path("kind").asText(), entry, entry.path("ms").asLong()));
      }
    }
    return new LedgerReport(
        effects, calls.values().stream().map(LedgerReport::call).toList(), events);
  }

  public List<Effect> effectsMarked(String marker) {
    return effects.stream().filter(effect -> marker.equals(effect.marker())).toList();
  }

  public List<Call> callsMarked(String marker) {
    return calls.stream().filter(call -> marker.equals(call.marker())).toList();
  }

  public List<Call> callsOf(String tool) {
    return calls.stream().filter(call -> tool.equals(call.tool())).toList();
  }

  /** The events of one kind, for example {@code cancel}, {@code disconnect} or {@code replay}. */
  public List<Event> events(String kind) {
    return events.stream().filter(event -> kind.equals(event.kind())).toList();
  }

  private static Effect effect(JsonNode e) {
    return new Effect(
        e.path("tool").asText(),
        e.path("object").asText(),
        text(e, "key"),
        text(e, "marker"),
        e.path("args"),
        Instant.parse(e.path("at").asText()),
        e.path("ms").asLong());
  }

  private static Call call(JsonNode c) {
    return new Call(
        c.path("n").asInt(),
        c.path("tool").asText(),
        c.path("rpcId"),
        text(c, "session"),
        c.path("protocol").asText(),
        text(c, "key"),
        text(c, "marker"),
        c.path("progressToken"),
        text(c, "outcome"),
        Instant.parse(c.path("at").asText()),
        c.path("ms").asLong());
  }

  private static @Nullable String text(JsonNode entry, String field) {
    return entry.hasNonNull(field) ? entry.path(field).asText() : null;
  }

  private static Stream<JsonNode> stream(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false);
  }
}

package dev.callbound.testkit;

import static dev.callbound.testkit.FaultEngine.nullIfMissing;
import static dev.callbound.testkit.wire.JsonRpc.object;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.callbound.testkit.wire.HttpHeaders;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Takes {@code tools/call} requests, notes them, and does what the tool's plan says. Thread-safe.
 */
final class CallHandler {
  private final FaultOptions options;
  private final EffectLedger ledger;
  private final Toolbox tools;
  private final ScenarioRunner runner;
  private final DueFaults dueFaults;
  private final Map<String, AtomicInteger> counters = new ConcurrentHashMap<>();

  /** Gives the steps of a fault that is due for one of these names; null if none is. */
  interface DueFaults {
    @Nullable List<Step> take(String... names);
  }

  CallHandler(
      FaultOptions options,
      EffectLedger ledger,
      Toolbox tools,
      ScenarioRunner runner,
      DueFaults dueFaults) {
    this.options = options;
    this.ledger = ledger;
    this.tools = tools;
    this.runner = runner;
    this.dueFaults = dueFaults;
  }

  /** Forgets how often each scope has been called. */
  void reset() {
    counters.clear();
  }

  /** Notes the call, and returns what does it. */
  FaultEngine.Work accept(JsonNode params, Exchange exchange, HttpHeaders headers) {
    String name = params.path("name").asText();
    ToolArguments arguments = new ToolArguments(params.path("arguments"));
    String key = idempotencyKey(params, headers);
    Session session = exchange.session();
    CallEntry call = ledger.call(arrival(params, exchange, key));
    Tool tool = tools.find(name);
    boolean honoursCancel = arguments.flag("honor_cancel") && tool != null && !tool.ignoresCancel();
    Scenario scenario = new Scenario(name, params, exchange, key, call, honoursCancel);
    if (session != null) {
      session.inFlight().put(exchange.id(), call);
    }
    exchange.whenGone(() -> clientLeft(call, exchange));
    return () -> perform(tool, arguments, call, scenario);
  }

  private void perform(
      @Nullable Tool tool, ToolArguments arguments, CallEntry call, Scenario scenario)
      throws InterruptedException {
    Exchange exchange = scenario.exchange();
    Session session = exchange.session();
    String form = arguments.text("reply", options.text("reply"));
    if (form.equals("sse") && exchange.canStream()) {
      exchange.stream();
    }
    runner.run(plan(scenario.tool(), tool, arguments, scenario.key()), scenario);
    // A call that was left hanging can still be cancelled, and the ledger is to name it then.
    String outcome = call.outcome();
    if (session != null && !"hang".equals(outcome) && !"stalled".equals(outcome)) {
      session.inFlight().remove(exchange.id(), call);
    }
  }

  private List<Step> plan(
      String name, @Nullable Tool tool, ToolArguments arguments, @Nullable String key) {
    String scope = arguments.text("scope", key == null ? arguments.text("marker", "") : key);
    int nth =
        counters
            .computeIfAbsent(name + "|" + scope, fresh -> new AtomicInteger())
            .incrementAndGet();
    List<Step> fault = tool == null ? null : dueFaults.take("tools/call:" + name, "tools/call");
    if (fault != null) {
      return fault;
    }
    if (tool == null) {
      return List.of(new Step.RpcError(-32602, "Unknown tool: " + name, null));
    }
    try {
      return tool.plan().steps(arguments, nth);
    } catch (IllegalArgumentException e) {
      return List.of(new Step.RpcError(-32603, "faultserver: " + e.getMessage(), null));
    }
  }

  private static ObjectNode arrival(JsonNode params, Exchange exchange, @Nullable String key) {
    Session session = exchange.session();
    boolean duplicate = session != null && session.inFlight().containsKey(exchange.id());
    return object(
        "tool", params.path("name").asText(),
        "rpcId", exchange.id(),
        "session", session == null ? null : session.id(),
        "protocol", exchange.protocol(),
        "key", key,
        "marker", nullIfMissing(params.path("arguments").path("marker")),
        "progressToken", nullIfMissing(params.path("_meta").path("progressToken")),
        "duplicateId", duplicate ? true : null);
  }

  private void clientLeft(CallEntry call, Exchange exchange) {
    ledger.event(
        "disconnect",
        object("n", call.n(), "tool", call.tool(), "answered", call.outcome() != null));
    // Only since 2026-07-28 does a closed response stream mean that the call is cancelled.
    if (Protocol.isStateless(exchange.protocol())) {
      call.cancel();
    }
  }

  private static @Nullable String idempotencyKey(JsonNode params, HttpHeaders headers) {
    JsonNode arguments = params.path("arguments");
    List<JsonNode> places = new ArrayList<>();
    places.add(arguments.path("idempotency_key"));
    places.add(arguments.path("idempotencyKey"));
    places.add(params.path("idempotencyKey"));
    for (Map.Entry<String, JsonNode> meta : params.path("_meta").properties()) {
      if (meta.getKey().matches("(?i).*idempotency[-_]?key")) {
        places.add(meta.getValue());
      }
    }
    for (JsonNode place : places) {
      if (!place.isMissingNode() && !place.isNull()) {
        return place.asText();
      }
    }
    return headers.first("Idempotency-Key");
  }
}

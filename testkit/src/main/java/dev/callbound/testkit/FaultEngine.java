package dev.callbound.testkit;

import static dev.callbound.testkit.wire.JsonRpc.object;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.callbound.testkit.wire.HttpHeaders;
import dev.callbound.testkit.wire.JsonRpc;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One life of a fault server, whatever its transport: answers requests, takes notifications, and
 * keeps all that would be lost in a crash. The ledger is what is not. Thread-safe.
 */
final class FaultEngine {
  private static final String SUBSCRIPTION_ID = "io.modelcontextprotocol/subscriptionId";

  private final FaultOptions options;
  private final EffectLedger ledger;
  private final FaultControl control;
  private final Toolbox tools;
  private final Questions questions = new Questions();
  private final PendingKeys pendingKeys = new PendingKeys();
  private final ScenarioRunner runner;
  private final CallHandler calls;
  private final List<Consumer<JsonNode>> listeners = new CopyOnWriteArrayList<>();

  FaultEngine(
      FaultOptions options,
      EffectLedger ledger,
      ScenarioRunner.StderrFlood flood,
      IntConsumer crash) {
    this.options = options;
    this.ledger = ledger;
    this.control = new FaultControl(options);
    this.tools = new Toolbox(ledger, control, options.number("tool-count"), this::switchToolset);
    this.runner = new ScenarioRunner(ledger, questions, pendingKeys, flood, crash);
    this.calls = new CallHandler(options, ledger, tools, runner, this::dueFault);
    ledger.event("start", object("transport", transport(), "name", options.name()));
  }

  FaultOptions options() {
    return options;
  }

  EffectLedger ledger() {
    return ledger;
  }

  FaultControl control() {
    return control;
  }

  ScenarioRunner runner() {
    return runner;
  }

  /** The ledger in the form of {@code GET /_ledger}. */
  ObjectNode report(int sessions) {
    return ledger.report(
        object("name", options.name(), "transport", transport(), "sessions", sessions));
  }

  /** Applies a control request. */
  void control(JsonNode want) {
    control.apply(want);
    if (want.hasNonNull("toolset")) {
      announceToolset();
    }
  }

  /** Forgets effects, calls, counters and control settings. */
  void reset() {
    control.reset();
    calls.reset();
    pendingKeys.clear();
    ledger.reset();
  }

  /** Sends what concerns every client to this one too. */
  void listen(Consumer<JsonNode> listener) {
    listeners.add(listener);
  }

  /** The steps of a control fault that is due for one of these names; null if none is. */
  @Nullable List<Step> dueFault(String... names) {
    FaultControl.Due due = control.take(names);
    if (due == null) {
      return null;
    }
    ledger.event("fault", object("match", due.match(), "left", due.left()));
    return due.steps();
  }

  /** The rest of a request's handling, which may take its time. */
  interface Work {
    void run() throws InterruptedException;
  }

  /**
   * Takes a request: a call is in the ledger, and can be cancelled, once this has returned.
   *
   * @return what answers the request, or fails to as it is told; it returns when that is over
   */
  Work accept(JsonNode message, Exchange exchange, HttpHeaders headers) {
    String method = message.path("method").asText();
    JsonNode params = message.path("params");
    if (method.equals("tools/call")) {
      return calls.accept(params, exchange, headers);
    }
    return () -> {
      List<Step> fault = dueFault(method);
      if (fault == null) {
        answer(method, params, exchange);
      } else {
        runner.run(fault, Scenario.of(method, params, exchange));
      }
    };
  }

  private void answer(String method, JsonNode params, Exchange exchange)
      throws InterruptedException {
    boolean stateless = Protocol.isStateless(exchange.protocol());
    switch (method) {
      case "initialize" -> initialize(params, exchange);
      case "server/discover" -> answer(exchange, discovery());
      case "ping", "logging/setLevel" -> answer(exchange, object());
      case "subscriptions/listen" -> subscribe(params, exchange);
      case "tools/list" -> {
        Thread.sleep(control.state().listDelay());
        ledger.event("list", object("cursor", nullIfMissing(params.path("cursor"))));
        ObjectNode page = tools.page(params.path("cursor"));
        answer(exchange, stateless ? page.put("ttlMs", 0).put("cacheScope", "private") : page);
      }
      default ->
          exchange.answer(
              JsonRpc.error(exchange.id(), -32601, "Method not found: " + method, null),
              stateless ? 404 : 200,
              false);
    }
  }

  /** Takes a notification, or the client's answer to a question of ours. */
  void notice(JsonNode message, @Nullable Session session) {
    String method = message.path("method").asText("");
    JsonNode params = message.path("params");
    if (method.equals("notifications/cancelled")) {
      JsonNode requestId = params.path("requestId");
      CallEntry call = session == null ? null : session.inFlight().get(requestId);
      ledger.event(
          "cancel",
          object(
              "requestId",
              nullIfMissing(requestId),
              "reason",
              nullIfMissing(params.path("reason")),
              "n",
              call == null ? null : call.n(),
              "tool",
              call == null ? null : call.tool()));
      if (call != null) {
        call.cancel();
      }
    } else if (!method.isEmpty()) {
      ledger.event("notification", object("method", method));
    } else {
      String asked = questions.answered(message);
      ledger.event(
          "answer",
          object(
              "id", nullIfMissing(message.path("id")),
              "method", asked,
              "error", nullIfMissing(message.path("error"))));
    }
  }

  private void initialize(JsonNode params, Exchange exchange) throws InterruptedException {
    Thread.sleep(control.state().initDelay());
    Session session = exchange.session();
    ledger.event(
        "initialize",
        object(
            "session", session == null ? null : session.id(),
            "protocol", exchange.protocol(),
            "client", nullIfMissing(params.path("clientInfo").path("name"))));
    answer(
        exchange,
        object(
            "protocolVersion", exchange.protocol(),
            "capabilities", capabilities(),
            "serverInfo", serverInfo()));
  }

  /** Keeps the response open for what the client wants to hear of (MCP 2026-07-28). */
  private void subscribe(JsonNode params, Exchange exchange) {
    boolean wantsTools = params.path("notifications").path("toolsListChanged").asBoolean();
    ObjectNode tag = object(SUBSCRIPTION_ID, exchange.id().asText());
    ObjectNode honoured = wantsTools ? object("toolsListChanged", true) : object();
    exchange.stream();
    exchange.message(
        JsonRpc.notification(
            "notifications/subscriptions/acknowledged",
            object("_meta", tag, "notifications", honoured)));
    ledger.event("listen", object("id", exchange.id()));
    if (wantsTools) {
      Consumer<JsonNode> listener =
          message ->
              exchange.message(
                  JsonRpc.notification(message.path("method").asText(), object("_meta", tag)));
      listeners.add(listener);
      exchange.whenGone(() -> listeners.remove(listener));
    }
  }

  private ObjectNode discovery() {
    List<String> versions = new ArrayList<>(List.of(Protocol.STATELESS));
    versions.addAll(Protocol.WITH_SESSIONS);
    return object(
        "resultType",
        "complete",
        "supportedVersions",
        versions,
        "capabilities",
        capabilities(),
        "serverInfo",
        serverInfo(),
        "ttlMs",
        0,
        "cacheScope",
        "private");
  }

  private void switchToolset(String to) {
    control.apply(object("toolset", to));
    announceToolset();
  }

  private void announceToolset() {
    JsonNode changed = JsonRpc.notification("notifications/tools/list_changed", null);
    listeners.forEach(listener -> listener.accept(changed));
  }

  private static void answer(Exchange exchange, ObjectNode result) throws InterruptedException {
    if (Protocol.isStateless(exchange.protocol())) {
      result.put("resultType", "complete");
    }
    exchange.answer(JsonRpc.result(exchange.id(), result), 200, false);
  }

  static @Nullable JsonNode nullIfMissing(JsonNode node) {
    return node instanceof MissingNode ? null : node;
  }

  private static ObjectNode capabilities() {
    return object("tools", object("listChanged", true), "logging", object());
  }

  private ObjectNode serverInfo() {
    return object("name", options.name(), "version", "1.0.0");
  }

  private String transport() {
    return options.stdio() ? "stdio" : "http";
  }
}

package dev.callbound.testkit;

import static dev.callbound.testkit.wire.JsonRpc.object;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.callbound.testkit.wire.HttpHeaders;
import dev.callbound.testkit.wire.JsonRpc;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Does the steps of a scenario, one after the other, on the thread of its request.
 *
 * <p>The ledger hears of the end of a call before the client does: sending may be the last thing
 * that this process does.
 */
final class ScenarioRunner {
  /** IMF-fixdate (RFC 9110 §5.6.7), whose day always has two digits. */
  private static final DateTimeFormatter HTTP_DATE =
      DateTimeFormatter.ofPattern("EEE, dd MMM uuuu HH:mm:ss 'GMT'", Locale.ENGLISH)
          .withZone(ZoneOffset.UTC);

  /** Arguments that say how to behave, not what to do: they do not make two calls different. */
  private static final Set<String> NOT_IN_FINGERPRINT =
      Set.of(
          "idempotency_key",
          "idempotencyKey",
          "reply",
          "times",
          "scope",
          "then",
          "while_pending",
          "delay_ms");

  /** RFC 9110, 5.6.7. Java's own RFC_1123_DATE_TIME writes a day below ten with one digit. */
  private final EffectLedger ledger;

  private final Questions questions;
  private final PendingKeys pendingKeys;
  private final StderrFlood flood;
  private final IntConsumer crash;

  /** Where bytes of noise go beside the message stream. */
  interface StderrFlood {
    void write(int bytes);
  }

  /** The call was cancelled and stops here. */
  private static final class Cancelled extends Exception {
    private static final long serialVersionUID = 1;
  }

  /**
   * @param crash ends this server as a killed process ends, with an exit code
   */
  ScenarioRunner(
      EffectLedger ledger,
      Questions questions,
      PendingKeys pendingKeys,
      StderrFlood flood,
      IntConsumer crash) {
    this.ledger = ledger;
    this.questions = questions;
    this.pendingKeys = pendingKeys;
    this.flood = flood;
    this.crash = crash;
  }

  /** Does the steps until one of them ends the scenario; a plain answer ends it otherwise. */
  void run(List<Step> steps, Scenario scenario) throws InterruptedException {
    try {
      for (Step step : steps) {
        if (!scenario.over()) {
          perform(step, scenario);
        }
      }
      if (!scenario.over()) {
        perform(Step.Reply.normal(), scenario);
      }
    } catch (Cancelled e) {
      finish(scenario, "cancelled");
      scenario.exchange().endUnanswered();
    } finally {
      release(scenario);
    }
  }

  private void perform(Step step, Scenario s) throws InterruptedException, Cancelled {
    Exchange exchange = s.exchange();
    switch (step) {
      case Step.Effect effect -> execute(effect, s);
      case Step.Reserve reserve -> reserve(reserve, s);
      case Step.Sleep sleep -> sleep(sleep.duration(), s);
      case Step.Progress progress -> progress(progress, s);
      case Step.Heartbeat heartbeat -> heartbeat(heartbeat, s);
      case Step.Noise noise -> noise(noise, exchange);
      case Step.Ask ask -> ask(ask, s);
      case Step.Reply reply -> reply(reply, s);
      case Step.RpcError error -> {
        finish(s, "rpc_error " + error.code());
        exchange.answer(
            JsonRpc.error(exchange.id(), error.code(), error.message(), error.data()), 200, false);
      }
      case Step.Status status -> {
        finish(s, "status " + status.status());
        exchange.status(status.status(), headers(status), status.body());
      }
      case Step.Raw raw -> {
        finish(s, "raw " + raw.status());
        exchange.raw(raw.status(), raw.type(), raw.body());
      }
      case Step.Truncate truncate -> {
        finish(s, "truncated");
        exchange.truncate(JsonRpc.result(exchange.id(), ToolResult.of(truncate.content(), s)));
      }
      case Step.Stall() -> {
        finish(s, "stalled");
        exchange.stall();
      }
      case Step.Drop drop -> {
        if (!drop.resumable()) {
          finish(s, "dropped");
        }
        exchange.drop(drop.resumable());
      }
      case Step.Resumed resumed -> exchange.awaitResumed(resumed.timeout());
      case Step.Reset() -> {
        finish(s, "reset");
        exchange.reset();
      }
      case Step.Close() -> {
        finish(s, "closed");
        exchange.close();
      }
      case Step.Hang() -> finish(s, "hang");
      case Step.Crash death -> {
        finish(s, "crash");
        crash.accept(death.exitCode());
      }
    }
  }

  private void execute(Step.Effect step, Scenario s) throws InterruptedException {
    EffectLedger.Recorded recorded = record(step, s);
    switch (recorded.recognition()) {
      case EXECUTED -> s.effect(recorded.effect(), false);
      case REPLAYED -> {
        s.effect(recorded.effect(), true);
        ledger.event(
            "replay",
            object("tool", s.tool(), "key", s.key(), "object", recorded.effect().get("object")));
      }
      case CONFLICT -> {
        finish(s, "conflict");
        ObjectNode reason = object("reason", "idempotency_conflict");
        String message = "idempotency_conflict: this key was used with other arguments";
        s.exchange().answer(JsonRpc.error(s.exchange().id(), -32602, message, reason), 200, false);
      }
    }
    release(s);
  }

  private EffectLedger.Recorded record(Step.Effect step, Scenario s) {
    JsonNode marker = s.arguments().path("marker");
    CallEntry call = s.call();
    Session session = s.exchange().session();
    Duration keptFor = step.keptFor();
    ObjectNode fields =
        object(
            "tool", s.tool(),
            "key", s.key(),
            "marker", marker.isMissingNode() ? null : marker,
            "args", s.arguments().isMissingNode() ? object() : s.arguments(),
            "call", call == null ? null : call.n(),
            "session", session == null ? null : session.id(),
            "fingerprint", fingerprint(s.arguments()),
            "expiresAt", keptFor == null ? null : System.currentTimeMillis() + keptFor.toMillis());
    String key = s.key();
    if (step.keyed() && key != null) {
      return ledger.executeKeyed(key, fields);
    }
    return step.oncePerMarker() && marker.isTextual()
        ? ledger.executeOnce(marker.asText(), fields)
        : ledger.execute(fields);
  }

  private void reserve(Step.Reserve step, Scenario s) throws InterruptedException {
    String key = s.key();
    if (key == null || ledger.knows(key)) {
      return;
    }
    CountDownLatch busy = pendingKeys.claim(key);
    if (busy == null) {
      s.holdsKey(true);
    } else if (step.refuseSecond()) {
      finish(s, "status 409");
      s.exchange()
          .status(409, jsonType(), "{\"error\":\"a request with this key is in progress\"}");
    } else {
      busy.await();
    }
  }

  private void release(Scenario s) {
    String key = s.key();
    if (s.holdsKey() && key != null) {
      s.holdsKey(false);
      pendingKeys.release(key);
    }
  }

  private static void sleep(Duration wait, Scenario s) throws InterruptedException, Cancelled {
    CallEntry call = s.call();
    if (call == null || !s.honoursCancel()) {
      Thread.sleep(wait);
    } else if (call.awaitCancel(wait)) {
      throw new Cancelled();
    }
  }

  private static void progress(Step.Progress step, Scenario s)
      throws InterruptedException, Cancelled {
    JsonNode token = s.params().path("_meta").path("progressToken");
    for (int i = 1; goesOn(i, step.count(), s); i++) {
      sleep(step.every(), s);
      if (!token.isMissingNode()) {
        ObjectNode params =
            object(
                "progressToken",
                token,
                "progress",
                i,
                "total",
                step.count() == 0 ? null : step.count(),
                "message",
                "step " + i);
        s.exchange().message(JsonRpc.notification("notifications/progress", params));
      }
    }
  }

  private void heartbeat(Step.Heartbeat step, Scenario s) throws InterruptedException, Cancelled {
    for (int i = 1; goesOn(i, step.count(), s); i++) {
      sleep(step.every(), s);
      switch (step.sign()) {
        case COMMENT -> s.exchange().comment("keep-alive");
        case LOG ->
            s.exchange()
                .message(
                    JsonRpc.notification(
                        "notifications/message", object("level", "info", "data", "still alive")));
        case PING -> questions.send(s.exchange(), "ping", object());
      }
    }
  }

  private static boolean goesOn(int turn, int count, Scenario s) {
    return (count == 0 || turn <= count) && !s.exchange().gone();
  }

  private void noise(Step.Noise step, Exchange exchange) {
    if (step.bytes() > 0) {
      flood.write(step.bytes());
    }
    for (int i = 1; i <= step.lines(); i++) {
      exchange.noise("[INFO] \u250c\u2500 connecting to database, attempt " + i + " \u2500\u2510");
    }
  }

  private void ask(Step.Ask step, Scenario s) throws InterruptedException, Cancelled {
    Exchange exchange = s.exchange();
    boolean ping = step.method().equals("ping");
    if (Protocol.isStateless(exchange.protocol()) && !ping) {
      JsonNode given = s.params().path("inputResponses");
      if (given.isObject()) {
        s.answer(given);
        return;
      }
      ObjectNode question = object("method", step.method(), "params", step.params());
      ObjectNode result =
          object(
              "resultType", "input_required",
              "inputRequests", object("q1", question),
              "requestState", "opaque");
      finish(s, "input_required");
      exchange.answer(JsonRpc.result(exchange.id(), result), 200, false);
      return;
    }
    if (!exchange.canStream()) {
      perform(new Step.RpcError(-32600, "cannot ask: no event stream accepted", null), s);
      return;
    }
    JsonNode answer = questions.ask(exchange, step.method(), step.params(), step.timeout());
    if (answer == null) {
      String silence =
          "the client did not answer "
              + step.method()
              + " within "
              + step.timeout().toMillis()
              + " ms";
      reply(Step.Reply.of(Step.Content.error(silence)), s);
    } else {
      s.answer(answer);
    }
  }

  private void reply(Step.Reply step, Scenario s) throws InterruptedException {
    Exchange exchange = s.exchange();
    JsonNode id =
        switch (step.id()) {
          case SAME -> exchange.id();
          case AS_STRING -> JsonRpc.tree(exchange.id().asText());
          case WRONG -> JsonRpc.tree("not-your-id");
        };
    ObjectNode answer = JsonRpc.result(id, ToolResult.of(step.content(), s));
    finish(s, step.content().error() ? "is_error" : "ok");
    if (step.twice()) {
      exchange.message(answer);
    }
    exchange.answer(answer, 200, step.split());
  }

  private void finish(Scenario s, String outcome) {
    s.end();
    CallEntry call = s.call();
    if (call != null) {
      ledger.end(call, outcome);
    }
  }

  private static HttpHeaders headers(Step.Status status) {
    HttpHeaders headers = HttpHeaders.of("Content-Type", status.type()).setAll(status.headers());
    Step.@Nullable RetryDate retryAt = status.retryAt();
    if (retryAt != null) {
      // Rounded up to the next second: the form has no fractions, and early would be a lie.
      Instant at = Instant.now().plus(retryAt.ahead()).plusMillis(999);
      headers.set("Retry-After", HTTP_DATE.format(at));
    }
    if (status.status() == 401 && !headers.contains("WWW-Authenticate")) {
      headers.set("WWW-Authenticate", "Bearer error=\"invalid_token\"");
    }
    return headers;
  }

  private static HttpHeaders jsonType() {
    return HttpHeaders.of("Content-Type", "application/json");
  }

  private static String fingerprint(JsonNode arguments) {
    TreeMap<String, JsonNode> sorted = new TreeMap<>();
    arguments.properties().forEach(field -> sorted.put(field.getKey(), field.getValue()));
    sorted.keySet().removeAll(NOT_IN_FINGERPRINT);
    return JsonRpc.text(JsonRpc.tree(sorted));
  }
}

package dev.callbound.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/** What is known while the steps of one request are done. Belongs to the thread that does them. */
final class Scenario {
  private final String tool;
  private final JsonNode params;
  private final Exchange exchange;
  private final @Nullable String key;
  private final @Nullable CallEntry call;
  private final boolean honoursCancel;
  private @Nullable ObjectNode effect;
  private boolean replayed;
  private @Nullable JsonNode answer;
  private boolean over;
  private boolean holdsKey;

  /**
   * @param key the call's idempotency key; null if it has none
   * @param call the call's entry in the ledger; null for requests other than calls
   * @param honoursCancel whether it stops when it is cancelled
   */
  Scenario(
      String tool,
      JsonNode params,
      Exchange exchange,
      @Nullable String key,
      @Nullable CallEntry call,
      boolean honoursCancel) {
    this.tool = tool;
    this.params = params;
    this.exchange = exchange;
    this.key = key;
    this.call = call;
    this.honoursCancel = honoursCancel;
  }

  /** A scenario in place of a request that is no call. */
  static Scenario of(String method, JsonNode params, Exchange exchange) {
    return new Scenario(method, params, exchange, null, null, false);
  }

  String tool() {
    return tool;
  }

  JsonNode params() {
    return params;
  }

  JsonNode arguments() {
    return params.path("arguments");
  }

  Exchange exchange() {
    return exchange;
  }

  @Nullable String key() {
    return key;
  }

  @Nullable CallEntry call() {
    return call;
  }

  boolean honoursCancel() {
    return honoursCancel;
  }

  /** What this call executed, or found executed; null if nothing yet. */
  @Nullable ObjectNode effect() {
    return effect;
  }

  boolean replayed() {
    return replayed;
  }

  void effect(ObjectNode done, boolean earlier) {
    effect = done;
    replayed = earlier;
  }

  /** What the client answered to our question; null if it was not asked. */
  @Nullable JsonNode answer() {
    return answer;
  }

  void answer(JsonNode given) {
    answer = given;
  }

  boolean over() {
    return over;
  }

  void end() {
    over = true;
  }

  boolean holdsKey() {
    return holdsKey;
  }

  void holdsKey(boolean holds) {
    holdsKey = holds;
  }
}

package dev.callbound.testkit.client;

import com.fasterxml.jackson.databind.JsonNode;
import dev.callbound.testkit.wire.JsonRpc;

/** What the client answers to a request of the server. */
public sealed interface Answer {

  record Result(JsonNode result) implements Answer {}

  record Refusal(int code, String message) implements Answer {}

  /** No answer at all. */
  record Silence() implements Answer {}

  /** What a client without the capability says: {} to a ping, -32601 to everything else. */
  record Standard() implements Answer {}

  static Answer result(String json) {
    return new Result(JsonRpc.parse(json));
  }

  /** Answers the requests of a server; may block, and is called on a thread of its own. */
  interface Source {
    Answer answer(String method, JsonNode params) throws InterruptedException;
  }
}

package dev.callbound.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import dev.callbound.testkit.wire.HttpHeaders;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** One request's way back to its client, with every way to go wrong on it. */
interface Exchange {

  /** The session it belongs to; null if none. */
  @Nullable Session session();

  /** The revision of MCP that the request was made in. */
  String protocol();

  /** The id of the request. */
  JsonNode id();

  /** Whether messages can be sent ahead of the answer. */
  boolean canStream();

  /** Whether the client has gone away. */
  boolean gone();

  /** Runs the action when the client goes away before it was answered. */
  void whenGone(Runnable action);

  /** Answers with an event stream from here on, where the transport has a choice. */
  void stream();

  /** Sends a message ahead of the answer; nothing where that cannot be done. */
  void message(JsonNode message);

  /** Sends a sign of life that is no message. */
  void comment(String text);

  /** Sends a line that is no message. */
  void noise(String line);

  /** Sends the answer; {@code split} cuts it within a multi-byte character. */
  void answer(JsonNode answer, int status, boolean split) throws InterruptedException;

  /** Answers with a bare HTTP status, or what comes nearest to one. */
  void status(int status, HttpHeaders headers, String body) throws InterruptedException;

  /** Answers with a body that is no JSON-RPC message. */
  void raw(int status, String type, String body);

  /** Sends half of the answer and cuts the connection. */
  void truncate(JsonNode answer);

  /** Sends the beginning of an answer and leaves it at that. */
  void stall();

  /** Cuts the event stream. */
  void drop(boolean resumable);

  /** Waits until the client has come back for a dropped stream. */
  void awaitResumed(Duration timeout) throws InterruptedException;

  void reset();

  void close();

  /** Ends without an answer, where the transport needs an end. */
  void endUnanswered();
}

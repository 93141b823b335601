package dev.callbound.testkit.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.callbound.testkit.wire.HttpHeaders;

/** The transport of a client. */
interface Channel extends AutoCloseable {

  /**
   * Sends a request and waits for its response; messages that come before it go to the inbox.
   *
   * @throws WireException if there is no response
   */
  JsonNode exchange(ObjectNode request, HttpHeaders headers, PendingCall call)
      throws InterruptedException;

  /**
   * Sends a notification or an answer.
   *
   * @throws WireException if the server does not take it
   */
  void send(ObjectNode message);

  /** Withdraws a call without a word. */
  void disconnect();

  /** Ends the connection as a polite client does. */
  @Override
  void close();
}

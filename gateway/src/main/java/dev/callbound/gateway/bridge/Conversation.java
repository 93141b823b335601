package dev.callbound.gateway.bridge;

import dev.callbound.gateway.mcp.Message;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One client request and all that is said to its client about it: notifications, questions, and
 * last of all the answer. A door takes what there is to say and writes it in its own form.
 *
 * <p>Used by one thread, except {@link #left()}, which any thread may call.
 */
public interface Conversation {
  /**
   * The next thing to tell the client: a notification, a request of the server's to the client, or
   * the answer, a {@link Message.Response} that ends the conversation.
   *
   * @param patience how long to wait for it
   * @return null when there was nothing to say meanwhile
   */
  @Nullable Message next(Duration patience) throws InterruptedException;

  /** The client has gone: its connection closed before the answer was written. Idempotent. */
  void left();

  /**
   * What a person may look the call up by, once it is known.
   *
   * @return null when the request is no tool call
   */
  @Nullable Reference reference();

  /** The call and the run that it belongs to. */
  record Reference(String run, String call) {}
}

package dev.callbound.gateway.upstream;

import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.gateway.mcp.Message;
import dev.callbound.gateway.mcp.Revision;
import dev.callbound.gateway.mcp.RpcError;
import java.util.Map;

/**
 * One request on its way, as its sender sees it: what the wire reports while it waits for the
 * answer, and who answers what the server asks meanwhile.
 *
 * <p>The wire calls these from its own threads; an implementation is thread-safe and, but for
 * {@link #ask}, does not block.
 */
public interface Exchange {
  /** The client on whose behalf the request is made. */
  record Caller(Revision revision, JsonObject info, JsonObject capabilities) {}

  /** The client on whose behalf the request is made. */
  Caller caller();

  /**
   * Values of arguments that the tool's schema asks to be mirrored into headers ({@code
   * x-mcp-header}, MCP 2026-07-28), by the header's name without {@code Mcp-Param-}.
   */
  Map<String, String> mirroredArguments();

  /** Header fields of the caller's own that go with the request over HTTP, by their names. */
  default Map<String, String> headers() {
    return Map.of();
  }

  /** The largest result that is taken, in bytes; a larger one is refused, not cut. */
  long maxResultBytes();

  /** Called before the first byte of the request may leave. From here on it may have arrived. */
  void sent();

  /**
   * Called when it has become certain that the request was not taken after all, as when the session
   * had expired: what {@link #sent()} said holds no longer, until it is called again.
   */
  void notTaken();

  /**
   * Whether its time is over, or nobody waits for it any more. Its answer may still be listened
   * for, but nothing more is sent for it, also where it turns out that it was not taken.
   */
  default boolean isOver() {
    return false;
  }

  /** Something came that shows life and no progress: a ping, a comment line, a log message. */
  void signOfLife();

  /** The server reported progress on this request; the token is ours and says nothing to others. */
  void progress(JsonObject params);

  /** A notification of the server that belongs to this request: a log message, say. */
  void notification(Message.Notification notification);

  /** The server answered this request with an error, as it came. The reply says what it means. */
  void errorAnswer(RpcError error);

  /** Something for the record: the process's exit code, the session that was renewed. Bounded. */
  void note(String note);

  /**
   * Puts the server's questions (roots/list, sampling/createMessage, elicitation/create) to the
   * client, and waits. Interrupted when the request has ended meanwhile.
   *
   * @param questions by a name that the answers come back under; the ids of the requests are the
   *     server's own
   * @return the answers: an error answer where the client can't be asked, and none to a question
   *     that the client was asked and left out
   */
  Map<String, Message.Response> ask(Map<String, Message.Request> questions)
      throws InterruptedException;
}

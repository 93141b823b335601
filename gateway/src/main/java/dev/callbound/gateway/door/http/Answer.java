package dev.callbound.gateway.door.http;

import dev.callbound.gateway.bridge.Conversation;
import dev.callbound.gateway.mcp.Message;
import dev.callbound.gateway.mcp.Revision;
import dev.callbound.gateway.mcp.RpcError;
import io.helidon.http.Status;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.http.ServerResponse;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Tells a client what a conversation has to say.
 *
 * <p>An answer that comes within a second, and nothing before it, is plain JSON. Anything else is a
 * stream of events with a comment line at each beat: nothing is ever read from a client that waits,
 * so a write is the only way to notice that it has gone. The first write after it closed still
 * succeeds (its machine answers it with a reset), the second fails: two beats must fit into the two
 * seconds that a client's leaving may go unnoticed.
 */
final class Answer {
  /** How long an answer is waited for before it becomes a stream. */
  static final Duration PATIENCE = Duration.ofSeconds(1);

  /** The time between two comment lines while a call is open. */
  static final Duration BEAT = Duration.ofMillis(800);

  /** The time between two comment lines on a stream that is there to be waited on. */
  static final Duration SLOW_BEAT = Duration.ofSeconds(15);

  private final Conversation conversation;
  private final Revision revision;
  private final ServerResponse response;
  private final Duration beat;
  private @Nullable String session;

  Answer(Conversation conversation, Revision revision, ServerResponse response, Duration beat) {
    this.conversation = conversation;
    this.revision = revision;
    this.response = response;
    this.beat = beat;
  }

  /** Tells the client the id of the session that this answer begins, unless it is a refusal. */
  Answer beginning(@Nullable String session) {
    this.session = session;
    return this;
  }

  /**
   * Writes until the answer is written.
   *
   * @return the answer
   * @throws CloseConnectionException if the client has gone or the program stops; the conversation
   *     has been told
   */
  Message.Response write() {
    boolean told = false;
    try {
      @Nullable Message first = conversation.next(PATIENCE);
      showReference();
      if (session != null && !(first instanceof Message.ErrorResponse)) {
        response.header(HeaderField.SESSION, session);
      }
      Message.Response last =
          first instanceof Message.Response answer ? plain(answer) : stream(first);
      told = true;
      return last;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CloseConnectionException("the door is closing", e);
    } finally {
      if (!told) {
        conversation.left();
      }
    }
  }

  private Message.Response plain(Message.Response answer) {
    Replies.send(response, status(answer), answer);
    return answer;
  }

  private Message.Response stream(@Nullable Message first) throws InterruptedException {
    EventStream events = new EventStream(response);
    @Nullable Message next = first;
    while (true) {
      if (next == null) {
        events.comment();
      } else {
        events.message(next, null);
      }
      if (next instanceof Message.Response answer) {
        return answer;
      }
      next = conversation.next(beat);
    }
  }

  private void showReference() {
    Conversation.Reference reference = conversation.reference();
    if (reference != null) {
      response.header(HeaderField.RUN, reference.run());
      response.header(HeaderField.CALL, reference.call());
    }
  }

  /** Up to 2025-11-25 an error is an answer like any other; since then some have a status. */
  private Status status(Message.Response answer) {
    if (revision.hasSessions() || !(answer instanceof Message.ErrorResponse failed)) {
      return Status.OK_200;
    }
    return switch (failed.error().code()) {
      case RpcError.METHOD_NOT_FOUND -> Status.NOT_FOUND_404;
      case RpcError.PARSE_ERROR,
          RpcError.INVALID_REQUEST,
          RpcError.HEADER_MISMATCH,
          RpcError.MISSING_CAPABILITY,
          RpcError.UNSUPPORTED_REVISION ->
          Status.BAD_REQUEST_400;
      default -> Status.OK_200;
    };
  }
}

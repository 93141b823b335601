package dev.callbound.gateway.bridge;

import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.RpcError;
import dev.callbound.policy.Effect;
import dev.callbound.policy.Outcome;
import dev.callbound.policy.Reason;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What those are told who wait for a call when it ends.
 *
 * @param modelSettles whether a model may say what became of it, should it end unknown
 * @param begun the reading of the clock when the call began
 */
record CallAnswers(Order order, boolean modelSettles, long begun) {
  /**
   * Answers one client.
   *
   * @param name the name that it calls the tool by
   * @param own the error that the server answered with last; null when it did not
   * @param retryAfter when it makes sense to ask again; null where nobody has named a time
   */
  void answer(
      Talk talk,
      Session session,
      String name,
      Outcome<Json> outcome,
      @Nullable RpcError own,
      @Nullable Duration retryAfter) {
    switch (outcome) {
      case Outcome.Ok<Json>(Json result, _) -> talk.answer(Audience.translated(session, result));
      case Outcome.Stopped<Json> stopped -> {
        RpcError error = errorOf(stopped, own);
        if (stopped.answer() != null) {
          talk.answer(Audience.translated(session, stopped.answer()));
        } else if (error != null) {
          talk.fail(error);
        } else {
          Answers.Facts facts = facts(name, stopped.attempts(), retryAfter);
          talk.answer(
              stopped.reason() == Reason.Stopped.REFUSED
                      && order.server().entrance().refusesCredentials()
                  ? Answers.unauthorized(session.revision(), stopped.detail(), facts)
                  : Answers.stopped(session.revision(), stopped.reason(), stopped.detail(), facts));
        }
      }
      case Outcome.Unknown<Json> unknown ->
          talk.answer(
              Answers.unknown(
                  session.revision(),
                  unknown.reason(),
                  unknown.detail(),
                  facts(name, unknown.attempts(), null)));
    }
  }

  /** The server's own error, where that is the call's answer; null where it is not. */
  static @Nullable RpcError errorOf(Outcome<?> outcome, @Nullable RpcError own) {
    return outcome instanceof Outcome.Stopped<?> stopped
            && stopped.answer() == null
            && own != null
            && ProtocolErrors.forClient(own)
        ? own
        : null;
  }

  private Answers.Facts facts(String name, int made, @Nullable Duration retryAfter) {
    return new Answers.Facts(
        name,
        order.record().effect() == Effect.WRITE,
        made,
        order.bounds().deadline(),
        Duration.ofNanos(System.nanoTime() - begun),
        order.run().id(),
        order.record().id(),
        order.record().key(),
        Answers.Settles.of(order.record().recognition(), modelSettles),
        retryAfter);
  }
}

package dev.callbound.gateway.bridge;

import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.gateway.mcp.RpcError;
import dev.callbound.gateway.upstream.Exchange;
import dev.callbound.gateway.upstream.UpstreamServer;
import dev.callbound.policy.Attempt;
import dev.callbound.policy.Backoff;
import dev.callbound.policy.BoundedCall;
import dev.callbound.policy.Deadline;
import dev.callbound.policy.Decision;
import dev.callbound.policy.Effect;
import dev.callbound.policy.Failure;
import dev.callbound.policy.Journal;
import dev.callbound.policy.Outcome;
import dev.callbound.policy.Plan;
import dev.callbound.policy.Reason;
import dev.callbound.policy.Recognition;
import dev.callbound.policy.Reply;
import dev.callbound.policy.RetryBudget;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * A request that is no tool call: a list, a resource, a prompt, a completion. It only looks, so it
 * is bounded like any read, with attempts of its own, and leaves no record.
 */
final class PlainRequest {
  private static final int ATTEMPTS = 3;

  /** What came of it. */
  sealed interface Answer {
    /** The server's result, as it came. */
    record Result(Json result) implements Answer {}

    /** An error: the server's own where it gave one. */
    record Failed(RpcError error) implements Answer {}
  }

  private final UpstreamServer server;
  private final String method;
  private final JsonObject params;
  private final Duration timeout;
  private final long maxResultBytes;
  private final Exchange.Caller caller;
  private final Live.Asker asker;
  private final Cancellation cancellation;

  PlainRequest(
      UpstreamServer server,
      String method,
      JsonObject params,
      Duration timeout,
      long maxResultBytes,
      Exchange.Caller caller,
      Live.Asker asker,
      Cancellation cancellation) {
    this.server = server;
    this.method = method;
    this.params = params;
    this.timeout = timeout;
    this.maxResultBytes = maxResultBytes;
    this.caller = caller;
    this.asker = asker;
    this.cancellation = cancellation;
  }

  /** A request of which its caller hears nothing but the answer. */
  static PlainRequest unattended(
      UpstreamServer server,
      String method,
      JsonObject params,
      Duration timeout,
      long maxBytes,
      Exchange.Caller caller) {
    return new PlainRequest(
        server, method, params, timeout, maxBytes, caller, Live.Asker.NOBODY, new Cancellation());
  }

  /** Makes the request, on this thread. All its attempts together end within the timeout. */
  Answer make() {
    Deadline deadline = Deadline.after(timeout, cancellation);
    Plan plan = new Plan(Effect.READ, Recognition.NONE, timeout, deadline, deadline, ATTEMPTS);
    Attempts attempts =
        new Attempts(
            Effect.READ,
            () -> new Live(asker, caller, maxResultBytes, Map.of()),
            this::send,
            cancellation,
            null);
    Outcome<Json> outcome =
        new BoundedCall<>(
                plan,
                attempts,
                NO_RECORD,
                RetryBudget.of(ATTEMPTS - 1, 0),
                Backoff.STANDARD,
                cancellation,
                ThreadLocalRandom.current())
            .run();
    return switch (outcome) {
      case Outcome.Ok<Json>(Json result, _) -> new Answer.Result(result);
      case Outcome.Stopped<Json>(Reason.Stopped reason, String detail, _, _) ->
          new Answer.Failed(error(attempts, reason, detail));
      case Outcome.Unknown<Json> unknown ->
          throw new IllegalStateException("a read is never in doubt: " + unknown.reason());
    };
  }

  /** What the server answers with an error of its own is its answer, and is not asked for again. */
  private Reply<Json> send(Live live) {
    Reply<Json> reply = Rounds.send(server, method, params, live);
    RpcError own = live.error();
    return own != null && reply instanceof Reply.Failed<Json>
        ? Reply.failed(new Failure.Refused(own.code(), own.message()))
        : reply;
  }

  private RpcError error(Attempts attempts, Reason reason, String detail) {
    Live last = attempts.last();
    RpcError own = last == null ? null : last.error();
    if (own != null) {
      return own;
    }
    return new RpcError(
        RpcError.INTERNAL_ERROR,
        "%s on server %s: %s (%s)".formatted(method, server.name(), detail, reason.code()),
        JsonObject.of("reason", Json.text(reason.code())).toJson());
  }

  private static final Journal NO_RECORD =
      new Journal() {
        @Override
        public void begun(Attempt attempt) {}

        @Override
        public void ended(
            Attempt attempt, Duration waited, @Nullable Failure failure, Decision decision) {}

        @Override
        public void ended(Outcome<?> outcome) {}
      };
}

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
import dev.callbound.policy.Means;
import dev.callbound.policy.Outcome;
import dev.callbound.policy.Past;
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
  private static final String CALL = "tools/call";

  /** What came of it. */
  sealed interface Answer {
    /** The server's result, as it came. */
    record Result(Json result) implements Answer {}

    /** An error: the server's own where it gave one. */
    record Failed(RpcError error) implements Answer {}
  }

  private final UpstreamServer server;
  private final Doorway doorway;
  private final String method;
  private final JsonObject params;
  private final Duration timeout;
  private final long maxResultBytes;
  private final Exchange.Caller caller;
  private final Live.Asker asker;
  private final Cancellation cancellation;
  private final int attempts;
  private final Duration total;

  private PlainRequest(
      UpstreamServer server,
      Doorway doorway,
      String method,
      JsonObject params,
      Duration timeout,
      long maxResultBytes,
      Exchange.Caller caller,
      Live.Asker asker,
      Cancellation cancellation,
      int attempts,
      Duration total) {
    this.server = server;
    this.doorway = doorway;
    this.method = method;
    this.params = params;
    this.timeout = timeout;
    this.maxResultBytes = maxResultBytes;
    this.caller = caller;
    this.asker = asker;
    this.cancellation = cancellation;
    this.attempts = attempts;
    this.total = total;
  }

  /** A request of a client, which may be asked back, and may cancel it. */
  static PlainRequest attended(
      ServerTools server,
      String method,
      JsonObject params,
      Duration timeout,
      Exchange.Caller caller,
      Live.Asker asker,
      Cancellation cancellation) {
    return new PlainRequest(
        server.server(),
        server.doorway(),
        method,
        params,
        timeout,
        server.config().maxResultBytes(),
        caller,
        asker,
        cancellation,
        ATTEMPTS,
        timeout);
  }

  /**
   * A call of a tool that only looks, made on behalf of another call and cancelled with it.
   *
   * @param timeout how long one attempt may take
   * @param total how long all of them may take together
   */
  static PlainRequest check(
      ServerTools server,
      String tool,
      JsonObject arguments,
      Duration timeout,
      Duration total,
      int attempts,
      Exchange.Caller caller,
      Cancellation cancellation) {
    return new PlainRequest(
        server.server(),
        server.doorway(tool),
        CALL,
        JsonObject.of("name", Json.text(tool)).with("arguments", arguments),
        timeout,
        server.config().maxResultBytes(),
        caller,
        Live.Asker.NOBODY,
        cancellation,
        attempts,
        total);
  }

  /** A request of which its caller hears nothing but the answer. */
  static PlainRequest unattended(
      UpstreamServer server,
      Doorway doorway,
      String method,
      JsonObject params,
      Duration timeout,
      long maxBytes,
      Exchange.Caller caller) {
    return new PlainRequest(
        server,
        doorway,
        method,
        params,
        timeout,
        maxBytes,
        caller,
        Live.Asker.NOBODY,
        new Cancellation(),
        ATTEMPTS,
        timeout);
  }

  /** Makes the request, on this thread. All its attempts together end within the total. */
  Answer make() {
    Deadline deadline = Deadline.after(total, cancellation);
    Plan plan = new Plan(Effect.READ, Recognition.NONE, timeout, deadline, deadline, attempts);
    Attempts tries =
        new Attempts(
            Effect.READ,
            () -> new Live(asker, caller, maxResultBytes, Map.of()),
            this::send,
            cancellation,
            null);
    Outcome<Json> outcome =
        new BoundedCall<>(
                plan,
                Past.NOTHING,
                doorway.gate(cancellation, timeout),
                tries,
                NO_RECORD,
                Means.freeOfCharge(RetryBudget.of(attempts - 1, 0)),
                Backoff.STANDARD,
                cancellation,
                ThreadLocalRandom.current())
            .run();
    return switch (outcome) {
      case Outcome.Ok<Json>(Json result, _) -> new Answer.Result(result);
      case Outcome.Stopped<Json>(Reason.Stopped reason, String detail, _, _) ->
          new Answer.Failed(error(tries, reason, detail));
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

  private RpcError error(Attempts tries, Reason reason, String detail) {
    Live last = tries.last();
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
        public void takenUp(int number, Failure failure, Decision decision) {}

        @Override
        public void ended(Outcome<?> outcome) {}
      };
}

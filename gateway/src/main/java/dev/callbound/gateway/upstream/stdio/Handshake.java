package dev.callbound.gateway.upstream.stdio;

import dev.callbound.gateway.config.Protocol;
import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.gateway.mcp.Message;
import dev.callbound.gateway.mcp.Revision;
import dev.callbound.gateway.mcp.RpcError;
import dev.callbound.gateway.upstream.Dialect;
import dev.callbound.gateway.upstream.FailureText;
import dev.callbound.gateway.upstream.Introduction;
import dev.callbound.gateway.upstream.Unattended;
import dev.callbound.policy.Failure;
import dev.callbound.policy.Reply;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a conversation with a process is opened, and with it which revision is spoken for as long as
 * the process lives. The server is asked with {@code server/discover} or {@code initialize}, never
 * with a call that could do something (MCP 2026-07-28, stdio, Backward Compatibility).
 *
 * <p>The revision of the first client decides what is tried first: it is what needs the least
 * translation. A server that knows only the other is understood too.
 */
final class Handshake {
  /** How long an answer to the first question is waited for: older servers may ignore it. */
  private static final Duration PROBE = Duration.ofSeconds(3);

  private final StdioConnection connection;
  private final long maxResultBytes;
  private final long untilNanos;
  private final Duration timeout;

  /**
   * @param timeout how long all of it may take
   */
  Handshake(StdioConnection connection, long maxResultBytes, Duration timeout) {
    this.connection = connection;
    this.maxResultBytes = maxResultBytes;
    this.timeout = timeout;
    this.untilNanos = System.nanoTime() + timeout.toNanos();
  }

  /**
   * Opens the conversation.
   *
   * @param protocol what the config says
   * @param first the revision of the first client
   * @return always a {@link Failure.NotSent} when it fails: nothing but the handshake was sent
   */
  Reply<Introduction> open(Protocol protocol, Revision first) throws InterruptedException {
    return switch (protocol) {
      case AUTO -> first.hasSessions() ? initializeElseDiscover() : discoverElseInitialize();
      case V2026_07_28 -> discover(left());
      case V2025_03_26 -> initialize(Revision.V2025_03_26);
      case V2025_06_18 -> initialize(Revision.V2025_06_18);
      case V2025_11_25 -> initialize(Revision.V2025_11_25);
    };
  }

  private Reply<Introduction> initializeElseDiscover() throws InterruptedException {
    PendingRequest initialize = beginInitialize(Revision.NEWEST_WITH_SESSIONS);
    try {
      Reply<Introduction> introduced = initialized(initialize.await(left()));
      return initialize.ending() instanceof PendingRequest.Answered(Message.ErrorResponse _)
              && discover(probing()) instanceof Reply.Answered<Introduction> discovered
          ? discovered
          : introduced;
    } finally {
      connection.forget(initialize);
    }
  }

  private Reply<Introduction> discoverElseInitialize() throws InterruptedException {
    PendingRequest probe = beginDiscover();
    try {
      PendingRequest.Ending ending = probe.await(probing());
      if (ending != null && (speaks2026(ending) || !connection.alive())) {
        return discovered(ending);
      }
      Reply<Introduction> introduced = initialize(Revision.NEWEST_WITH_SESSIONS);
      // A server that was slow to start has answered the first question before it refused this one.
      PendingRequest.Ending late = probe.ending();
      return introduced instanceof Reply.Failed<Introduction> && late != null && speaks2026(late)
          ? discovered(late)
          : introduced;
    } finally {
      connection.forget(probe);
    }
  }

  private Reply<Introduction> initialize(Revision offered) throws InterruptedException {
    PendingRequest request = beginInitialize(offered);
    try {
      return initialized(request.await(left()));
    } finally {
      connection.forget(request);
    }
  }

  private Reply<Introduction> discover(Duration patience) throws InterruptedException {
    PendingRequest request = beginDiscover();
    try {
      return discovered(request.await(patience));
    } finally {
      connection.forget(request);
    }
  }

  private PendingRequest beginInitialize(Revision offered) {
    return connection.begin(
        Dialect.INITIALIZE,
        Dialect.initialize(offered),
        offered,
        new Unattended(offered, maxResultBytes));
  }

  private PendingRequest beginDiscover() {
    return connection.begin(
        Dialect.DISCOVER,
        JsonObject.EMPTY,
        Revision.V2026_07_28,
        new Unattended(Revision.V2026_07_28, maxResultBytes));
  }

  private Reply<Introduction> initialized(PendingRequest.@Nullable Ending ending) {
    Reply<Introduction> introduced =
        ending instanceof PendingRequest.Answered(Message.Result(_, Json result))
            ? Dialect.introduced(result)
            : failed(Dialect.INITIALIZE, ending);
    if (introduced instanceof Reply.Answered<Introduction>) {
      connection.send(new Message.Notification(Dialect.INITIALIZED, JsonObject.EMPTY));
    }
    return introduced;
  }

  private Reply<Introduction> discovered(PendingRequest.@Nullable Ending ending) {
    return ending instanceof PendingRequest.Answered(Message.Result(_, Json result))
        ? Dialect.discovered(result)
        : failed(Dialect.DISCOVER, ending);
  }

  private static boolean speaks2026(PendingRequest.Ending ending) {
    return switch (ending) {
      case PendingRequest.Answered(Message.Result(_, Json result)) ->
          Dialect.discovered(result) instanceof Reply.Answered<Introduction>;
      case PendingRequest.Answered(Message.ErrorResponse(_, RpcError error)) ->
          Dialect.speaks2026(error);
      case PendingRequest.Lost _ -> false;
    };
  }

  private Reply<Introduction> failed(String method, PendingRequest.@Nullable Ending ending) {
    String detail =
        switch (ending) {
          case null -> "no answer to " + method + " within " + timeout.toMillis() + " ms";
          case PendingRequest.Answered(Message.ErrorResponse(_, RpcError error)) ->
              "the server answered "
                  + method
                  + " with error "
                  + error.code()
                  + ": "
                  + FailureText.of(error.message());
          case PendingRequest.Answered(Message.Result _) ->
              throw new IllegalArgumentException("a result is no failure");
          case PendingRequest.Lost(Failure failure) -> failure.detail();
        };
    return Reply.failed(new Failure.NotSent(detail));
  }

  private Duration probing() {
    Duration left = left();
    return left.compareTo(PROBE) < 0 ? left : PROBE;
  }

  private Duration left() {
    return Duration.ofNanos(Math.max(0, untilNanos - System.nanoTime()));
  }
}

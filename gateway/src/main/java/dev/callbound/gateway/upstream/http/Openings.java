package dev.callbound.gateway.upstream.http;

import dev.callbound.gateway.config.Protocol;
import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.gateway.mcp.Message;
import dev.callbound.gateway.mcp.Revision;
import dev.callbound.gateway.mcp.RpcError;
import dev.callbound.gateway.upstream.Dialect;
import dev.callbound.gateway.upstream.Introduction;
import dev.callbound.gateway.upstream.Shared;
import dev.callbound.gateway.upstream.Unattended;
import dev.callbound.policy.Failure;
import dev.callbound.policy.Reply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is agreed on with the server, for each of the two generations of the protocol. A request
 * goes in its caller's generation if the server speaks that, else in the other: what is not
 * translated can't be translated wrongly. All callers share one agreement, and the making of it.
 * Thread-safe.
 */
final class Openings {
  /** A server of the older generation may leave a question of the newer unanswered. */
  private static final Duration PROBE = Duration.ofSeconds(5);

  private final Shared<Opening> legacy = new Shared<>("initialize");
  private final Shared<Opening> modern = new Shared<>("discover");
  private final Requests requests;
  private final OneWay oneWay;
  private final Listening listening;
  private final Protocol protocol;
  private final Duration startTimeout;

  /**
   * @param startTimeout how long the server may take for a handshake, connecting included; not how
   *     long it takes to fetch the credentials that the server wants
   */
  Openings(
      Requests requests,
      OneWay oneWay,
      Listening listening,
      Protocol protocol,
      Duration startTimeout) {
    this.requests = requests;
    this.oneWay = oneWay;
    this.listening = listening;
    this.protocol = protocol;
    this.startTimeout = startTimeout;
  }

  /** The terms for a request of a caller of this revision; agreed on now, if need be. */
  Reply<Terms> terms(Revision callers) throws InterruptedException {
    List<Opening.NotSpoken> refusals = new ArrayList<>();
    for (boolean sessions : generations(callers)) {
      Reply<Opening> opened =
          sessions ? legacy.obtain(this::initialize) : modern.obtain(this::discover);
      switch (opened) {
        case Reply.Failed<Opening>(Failure failure, _) -> {
          return Reply.failed(failure);
        }
        case Reply.Answered<Opening>(Opening.Agreed(Terms terms)) -> {
          return new Reply.Answered<>(terms);
        }
        case Reply.Answered<Opening>(Opening.NotSpoken notSpoken) -> refusals.add(notSpoken);
      }
    }
    // It speaks nothing: that may be a deployment under way, so it is asked again next time.
    refusals.forEach(legacy::drop);
    refusals.forEach(modern::drop);
    return Reply.failed(refusals.getFirst().why());
  }

  /** Forgets terms that hold no longer, if they are still the current ones. */
  void drop(Terms terms) {
    Opening opening = new Opening.Agreed(terms);
    listening.end(terms);
    legacy.drop(opening);
    modern.drop(opening);
  }

  /** The session's terms, if there is one now. */
  @Nullable Terms currentSession() {
    return legacy.current() instanceof Opening.Agreed(Terms terms) ? terms : null;
  }

  /** Gives up handshakes that are under way. */
  void interrupt() {
    legacy.interrupt();
    modern.interrupt();
  }

  /** The generations to try, in their order: with sessions, or without. */
  private List<Boolean> generations(Revision callers) {
    return switch (protocol) {
      case AUTO -> callers.hasSessions() ? List.of(true, false) : List.of(false, true);
      case V2025_03_26, V2025_06_18, V2025_11_25 -> List.of(true);
      case V2026_07_28 -> List.of(false);
    };
  }

  private Reply<Opening> initialize() {
    Revision offered =
        protocol == Protocol.AUTO
            ? Revision.NEWEST_WITH_SESSIONS
            : Revision.of(protocol.revision()).orElseThrow();
    Unattended exchange = new Unattended(offered);
    Try opened;
    boolean late;
    try (TimeLimit limit = TimeLimit.of(startTimeout)) {
      Terms nothing = nothingYet(offered);
      JsonObject params = Dialect.initialize(offered);
      opened = requests.open(nothing, Dialect.INITIALIZE, params, exchange, limit);
      late = limit.passed();
    }
    return switch (opened) {
      case Try.TermsOver(_, Failure failure) -> refusal(Dialect.INITIALIZE, failure);
      case Try.FailedAndOver(Failure failure) -> refusal(Dialect.INITIALIZE, failure);
      case Try.Done(Reply.Failed<Json>(Failure failure, _), _) ->
          late ? failed(late(Dialect.INITIALIZE)) : refusal(Dialect.INITIALIZE, failure);
      case Try.Done(Reply.Answered<Json>(Json result), @Nullable String session) ->
          agreed(Dialect.introduced(result), session);
    };
  }

  private Reply<Opening> discover() {
    Unattended exchange = new Unattended(Revision.V2026_07_28);
    Duration patience =
        protocol == Protocol.AUTO && PROBE.compareTo(startTimeout) < 0 ? PROBE : startTimeout;
    Try opened;
    boolean late;
    try (TimeLimit limit = TimeLimit.of(patience)) {
      Terms nothing = nothingYet(Revision.V2026_07_28);
      opened = requests.open(nothing, Dialect.DISCOVER, JsonObject.EMPTY, exchange, limit);
      late = limit.passed();
    }
    return switch (opened) {
      case Try.TermsOver(_, Failure failure) -> refusal(Dialect.DISCOVER, failure);
      case Try.FailedAndOver(Failure failure) -> refusal(Dialect.DISCOVER, failure);
      case Try.Done(Reply.Failed<Json>(Failure failure, _), _) -> {
        if (late) {
          yield notSpoken(late(Dialect.DISCOVER));
        }
        RpcError error = exchange.error();
        yield error != null && Dialect.speaks2026(error)
            ? failed(new Failure.NotSent("server/discover failed: " + failure.detail()))
            : refusal(Dialect.DISCOVER, failure);
      }
      case Try.Done(Reply.Answered<Json>(Json result), _) ->
          switch (Dialect.discovered(result)) {
            case Reply.Failed<Introduction>(Failure failure, _) -> notSpoken(failure);
            case Reply.Answered<Introduction> introduced -> agreed(introduced, null);
          };
    };
  }

  private Reply<Opening> agreed(Reply<Introduction> introduced, @Nullable String session) {
    return switch (introduced) {
      case Reply.Failed<Introduction>(Failure failure, _) -> failed(failure);
      case Reply.Answered<Introduction>(Introduction introduction) -> {
        Terms terms = new Terms(introduction, session);
        if (terms.revision().hasSessions()) {
          oneWay.post(terms, new Message.Notification(Dialect.INITIALIZED, JsonObject.EMPTY));
        }
        listening.begin(terms);
        yield new Reply.Answered<>(new Opening.Agreed(terms));
      }
    };
  }

  /** What a refused opening means: the request itself was never sent. */
  private static Reply<Opening> refusal(String method, Failure failure) {
    return switch (failure) {
      case Failure.Refused(int code, _) when code == 401 || code == 403 -> failed(failure);
      case Failure.Limited _, Failure.Unsafe _ -> failed(failure);
      // An older or newer server says in its own way that it knows no such method.
      case Failure.Refused _, Failure.Garbled _ -> notSpoken(cause(method, failure));
      case Failure.ServerError _ when method.equals(Dialect.DISCOVER) ->
          notSpoken(cause(method, failure));
      case Failure.NotSent _ -> failed(failure);
      case Failure.ServerError _,
          Failure.TimedOut _,
          Failure.Broken _,
          Failure.WorkerDied _,
          Failure.TooLarge _,
          Failure.ToolError _,
          Failure.KeyConflict _,
          Failure.Cancelled _ ->
          failed(cause(method, failure));
    };
  }

  private static Failure cause(String method, Failure failure) {
    return new Failure.NotSent(method + " failed: " + failure.detail());
  }

  private Failure late(String method) {
    return new Failure.NotSent(method + " was not answered in time");
  }

  private static Terms nothingYet(Revision offered) {
    return new Terms(
        new Introduction(offered, JsonObject.EMPTY.toJson(), JsonObject.EMPTY, null), null);
  }

  private static Reply<Opening> notSpoken(Failure why) {
    return new Reply.Answered<>(new Opening.NotSpoken(why));
  }

  private static Reply<Opening> failed(Failure failure) {
    return Reply.failed(failure);
  }
}

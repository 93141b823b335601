package dev.callbound.gateway.bridge;

import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.gateway.mcp.Revision;
import dev.callbound.journal.CallRecord;
import dev.callbound.journal.Ending;
import dev.callbound.journal.Settlement;
import dev.callbound.policy.Effect;
import dev.callbound.policy.Reason;
import dev.callbound.policy.Recognition;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a model and its program are told when a call did not end {@code ok}: one paragraph that a
 * model can act on, and the facts for a program. All the texts stand here.
 *
 * <p>A paragraph says, in at most four sentences, what happened, whether it may have taken effect,
 * whether calling again is safe, and what to do instead.
 */
final class Answers {
  /** The member of {@code _meta} that carries the facts. */
  static final String FACTS = "dev.callbound/outcome";

  private static final long SPOKEN_EXACTLY = 10_000;
  private static final long SPOKEN_IN_SECONDS = 120_000;
  private static final int LONGEST_DETAIL = 500;

  /**
   * The facts of a call that is over.
   *
   * @param tool the name that the client called it by
   * @param write whether the tool writes
   * @param deadline how long one attempt was given
   * @param waited how long the call took
   * @param key what a repeat of the call is known by; null without one
   * @param unknowns what can be done about a call that is unknown
   * @param retryAfter the time that the provider named last; null for none
   */
  record Facts(
      String tool,
      boolean write,
      int attempts,
      Duration deadline,
      Duration waited,
      String run,
      String call,
      @Nullable String key,
      Settles unknowns,
      @Nullable Duration retryAfter) {}

  /** Who can find out what became of an unknown call. */
  enum Settles {
    /** The gateway, which recognises a repeat and asks before it sends anything. */
    GATEWAY,
    /** The model, which may look and say so. */
    MODEL,
    /** A person. */
    PERSON;

    static Settles of(Recognition recognition, boolean model) {
      if (recognition != Recognition.NONE) {
        return GATEWAY;
      }
      return model ? MODEL : PERSON;
    }
  }

  /**
   * What an earlier call is to a request that means the same.
   *
   * @param tool the name that the client called it by
   * @param first the earlier call
   * @param ago how long ago it was made
   * @param deadline how long one attempt was given
   * @param modelSettles whether the model may say what became of it
   */
  record Repeated(
      String tool, CallRecord first, Duration ago, Duration deadline, boolean modelSettles) {
    private Facts facts() {
      Ending ending = first.ending();
      return new Facts(
          tool,
          first.effect() == Effect.WRITE,
          ending == null ? 0 : ending.attempts(),
          deadline,
          ending == null ? ago : Duration.between(first.startedAt(), ending.endedAt()),
          first.run(),
          first.id(),
          first.key(),
          Settles.of(Recognition.NONE, modelSettles),
          null);
    }
  }

  private Answers() {}

  /** The answer to a call that is over with nothing in doubt. */
  static Json stopped(Revision revision, Reason.Stopped reason, String detail, Facts facts) {
    String next = next(reason, facts);
    String text = happened(reason, bounded(detail), facts) + " " + next;
    return result(revision, text, "stopped", reason, safeToRepeat(reason), next, facts);
  }

  /** The answer to a call whose server refuses the gateway's own credentials. */
  static Json unauthorized(Revision revision, String detail, Facts facts) {
    String next =
        "No tool of this server will work before its credentials are renewed: report that, and go on"
            + " without it.";
    String text = happened(Reason.Stopped.REFUSED, bounded(detail), facts) + " " + next;
    return result(revision, text, "stopped", Reason.Stopped.REFUSED, true, next, facts);
  }

  /** The answer to a write that may or may not have happened. */
  static Json unknown(Revision revision, Reason.Unknown reason, String detail, Facts facts) {
    String what =
        "It is unknown whether %s took effect: %s."
            .formatted(facts.tool(), because(reason, detail));
    String next =
        switch (facts.unknowns()) {
          case GATEWAY ->
              "You may call it again with the same arguments: the gateway finds out first what became"
                  + " of call "
                  + facts.call()
                  + ", and does nothing twice. Do not change the arguments, and do not reach the"
                  + " same end in another way before that.";
          case MODEL ->
              "Do not call it again: that could do it twice. Look with a read tool whether the"
                  + " effect is there and say so with callbound_outcome for call "
                  + facts.call()
                  + ", or go on with work that does not depend on it.";
          case PERSON ->
              "Do not call it again: that could do it twice. Look with a read tool whether the"
                  + " effect is there, or report call "
                  + facts.call()
                  + " as unknown and go on with work that does not depend on it.";
        };
    boolean safe = facts.unknowns() == Settles.GATEWAY;
    return result(revision, what + " " + next, "unknown", reason, safe, next, facts);
  }

  /** The answer to a repeat of a write that is still unknown: nothing was sent this time. */
  static Json stillUnknown(Revision revision, Reason.Unknown reason, Repeated of) {
    Ending ending = of.first().ending();
    String detail = ending == null ? "" : ending.detail();
    String what =
        "Nothing was sent: the same call of %s was made %s ago, and it is still unknown whether it took effect: %s."
            .formatted(of.tool(), spoken(of.ago()), because(reason, detail));
    String settle =
        of.modelSettles()
            ? "say so with callbound_outcome for call " + of.first().id()
            : "report call " + of.first().id() + " as unknown, so that a person settles it";
    String next =
        "Do not try to do it in another way: that could do it twice. Look with a read tool whether"
            + " the effect is there and "
            + settle
            + "; until then go on with work that does not depend on it.";
    return result(revision, what + " " + next, "unknown", reason, false, next, of.facts());
  }

  /**
   * The recorded result of an earlier call, which a repeat of it gets.
   *
   * @param masked whether something is missing from it that the record does not keep
   */
  static Json replayed(Json result, boolean masked, Repeated of) {
    JsonObject facts = repeatedOk(of);
    JsonObject members = result.asObject().orElse(JsonObject.EMPTY);
    JsonObject meta =
        members.object("_meta").with(FACTS, masked ? facts.with("masked", Json.TRUE) : facts);
    return members.with("_meta", meta).toJson();
  }

  /** What a repeat gets of an earlier call that took effect, and whose result nobody has. */
  static Json happened(Revision revision, Repeated of) {
    Settlement settled = of.first().settled();
    String how = settled == null ? "" : " (settled by %s)".formatted(settled.by().code());
    String text =
        "%s has already taken effect: call %s, %s ago%s. Its result is not on record, and nothing was sent this time."
                .formatted(of.tool(), of.first().id(), spoken(of.ago()), how)
            + " Go on; use a read tool where you need what it left.";
    JsonObject content = JsonObject.of("type", Json.text("text")).with("text", Json.text(text));
    JsonObject result =
        JsonObject.of("content", Json.array(List.of(content.toJson())))
            .with("isError", Json.FALSE)
            .with("_meta", JsonObject.of(FACTS, repeatedOk(of).toJson()));
    return (revision.hasSessions() ? result : result.with("resultType", Json.text("complete")))
        .toJson();
  }

  private static JsonObject repeatedOk(Repeated of) {
    JsonObject facts =
        JsonObject.of("status", Json.text("ok"))
            .with("replayed", Json.TRUE)
            .with("run", Json.text(of.first().run()))
            .with("call", Json.text(of.first().id()));
    String key = of.first().key();
    return key == null ? facts : facts.with("key", Json.text(key));
  }

  private static String happened(Reason.Stopped reason, String detail, Facts facts) {
    String tool = facts.tool();
    String nothing = facts.write() ? " Nothing was changed." : "";
    return switch (reason) {
      case REFUSED -> "%s was refused: %s.".formatted(tool, detail) + nothing;
      case TOOL_ERROR -> "%s reported an error of its own: %s.".formatted(tool, detail);
      case RATE_LIMITED ->
          "%s is rate limited: %s.".formatted(tool, detail)
              + nothing
              + (facts.retryAfter() == null
                  ? ""
                  : " The provider asks to wait %s.".formatted(spokenWait(facts.retryAfter())));
      case RETRIES_EXHAUSTED ->
          "%s failed %s: %s.".formatted(tool, times(facts.attempts()), detail) + nothing;
      case NO_TIME_LEFT ->
          "%s failed and there was no time left to try it again: %s.".formatted(tool, detail)
              + nothing;
      case DEADLINE_EXCEEDED ->
          "%s ran out of time after %s: %s.".formatted(tool, spoken(facts.waited()), detail)
              + nothing;
      case CANCELLED -> "%s was cancelled: %s.".formatted(tool, detail) + nothing;
      case RESPONSE_TOO_LARGE -> "The result of %s was refused: %s.".formatted(tool, detail);
      case UNSAFE_ENDPOINT ->
          "%s leads to an address that the gateway does not allow: %s.".formatted(tool, detail)
              + nothing;
      case CIRCUIT_OPEN, SPEND_EXHAUSTED ->
          facts.attempts() == 0
              ? "%s was not called: %s.".formatted(tool, detail)
              : "%s failed %s and was not called again: %s."
                      .formatted(tool, times(facts.attempts()), detail)
                  + nothing;
      case INVALID_ARGUMENTS ->
          "%s was not called: the arguments do not fit its input schema: %s."
              .formatted(tool, detail);
      case KEY_CONFLICT -> "%s was not called again: %s.".formatted(tool, detail);
      case DENIED, SPEND_UNVERIFIED -> "%s was not called: %s.".formatted(tool, detail);
      case RUN_OVER -> "%s was not called: the run %s is over.".formatted(tool, facts.run());
      case RETRY_BUDGET_SPENT ->
          facts.attempts() == 0
              ? "%s was not called: the run %s has used all of its retries."
                  .formatted(tool, facts.run())
              : "%s was given up: the run %s has used all of its retries."
                      .formatted(tool, facts.run())
                  + nothing;
    };
  }

  private static String next(Reason.Stopped reason, Facts facts) {
    return switch (reason) {
      case REFUSED ->
          "Calling it again with the same arguments will be refused again; change them.";
      case TOOL_ERROR -> "Read the error before calling it again.";
      case RATE_LIMITED ->
          facts.retryAfter() == null
              ? "It is safe to call it again later."
              : "It is safe to call it again after that.";
      case RETRIES_EXHAUSTED, NO_TIME_LEFT, DEADLINE_EXCEEDED ->
          "It is safe to call it again later, or go on without it.";
      case CIRCUIT_OPEN ->
          facts.retryAfter() == null
              ? "It is safe to call it again later, or go on without it."
              : "It is safe to call it again after %s, or go on without it."
                  .formatted(spokenWait(facts.retryAfter()));
      case UNSAFE_ENDPOINT -> "Go on without it, and report it.";
      case CANCELLED -> "It is safe to call it again.";
      case RESPONSE_TOO_LARGE -> "Ask for less: a smaller page, a filter, fewer fields.";
      case INVALID_ARGUMENTS -> "Correct the arguments and call it again.";
      case KEY_CONFLICT ->
          "Name another step for other work; the same arguments get what was recorded.";
      case DENIED -> "Do not call it again; go on without it.";
      case RUN_OVER, RETRY_BUDGET_SPENT, SPEND_EXHAUSTED, SPEND_UNVERIFIED ->
          "Do not call it again in this run; finish, and report what is left to do.";
    };
  }

  /** Whether a repeat can't do it twice: so it is, unless the tool itself failed half-way. */
  private static boolean safeToRepeat(Reason.Stopped reason) {
    return reason != Reason.Stopped.TOOL_ERROR;
  }

  private static String because(Reason.Unknown reason, String detail) {
    String shown = bounded(detail);
    return switch (reason) {
      case TIMED_OUT -> "it was sent, and " + shown;
      case CONNECTION_LOST -> "it was sent, and then the connection was lost: " + shown;
      case SERVER_ERROR -> "the server failed while it had it: " + shown;
      case GARBLED_ANSWER -> "it was sent, and the answer could not be understood: " + shown;
      case RESPONSE_TOO_LARGE -> "it was answered, but the answer was refused: " + shown;
      case WORKER_DIED -> "it was sent, and the gateway died before the answer came";
      case CANCELLED_IN_FLIGHT -> "it was " + shown;
      case CHECK_FAILED -> "it was sent, and looking for its effect gave no clear answer: " + shown;
    };
  }

  private static Json result(
      Revision revision,
      String text,
      String status,
      Reason reason,
      boolean safeToRepeat,
      String next,
      Facts facts) {
    JsonObject outcome =
        JsonObject.of("status", Json.text(status))
            .with("reason", Json.text(reason.code()))
            .with("attempts", Json.number(facts.attempts()))
            .with("deadline_ms", Json.number(facts.deadline().toMillis()))
            .with("waited_ms", Json.number(facts.waited().toMillis()))
            .with("run", Json.text(facts.run()))
            .with("call", Json.text(facts.call()))
            .with("safe_to_repeat", Json.bool(safeToRepeat))
            .with("next", Json.text(next));
    if (facts.key() != null) {
      outcome = outcome.with("key", Json.text(facts.key()));
    }
    if (facts.retryAfter() != null) {
      outcome = outcome.with("retry_after_ms", Json.number(facts.retryAfter().toMillis()));
    }
    JsonObject content = JsonObject.of("type", Json.text("text")).with("text", Json.text(text));
    JsonObject result =
        JsonObject.of("content", Json.array(List.of(content.toJson())))
            .with("isError", Json.TRUE)
            .with("_meta", JsonObject.of(FACTS, outcome.toJson()));
    return (revision.hasSessions() ? result : result.with("resultType", Json.text("complete")))
        .toJson();
  }

  private static String bounded(String detail) {
    String plain = detail.strip();
    String cut =
        plain.length() <= LONGEST_DETAIL ? plain : plain.substring(0, LONGEST_DETAIL) + "…";
    return cut.endsWith(".") ? cut.substring(0, cut.length() - 1) : cut;
  }

  private static String times(int attempts) {
    return attempts == 1 ? "once" : attempts + " times";
  }

  /** A time to be waited: never less than it is, or whoever keeps to it comes too early. */
  static String spokenWait(Duration wait) {
    long millis = wait.toMillis();
    long unit = millis < SPOKEN_EXACTLY ? 1 : millis < SPOKEN_IN_SECONDS ? 1_000 : 60_000;
    return spoken(Duration.ofMillis(Math.ceilDiv(millis, unit) * unit));
  }

  static String spoken(Duration time) {
    long millis = time.toMillis();
    if (millis < SPOKEN_EXACTLY) {
      return millis % 1_000 == 0 ? millis / 1_000 + " s" : millis + " ms";
    }
    return millis < SPOKEN_IN_SECONDS ? time.toSeconds() + " s" : time.toMinutes() + " min";
  }
}

package dev.callbound.gateway.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.Revision;
import dev.callbound.journal.CallRecord;
import dev.callbound.journal.EffectSource;
import dev.callbound.journal.Ending;
import dev.callbound.journal.SettledBy;
import dev.callbound.journal.Settlement;
import dev.callbound.policy.Effect;
import dev.callbound.policy.Reason;
import dev.callbound.policy.Recognition;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Every text that a model can read, in one file: a change to any of them is seen where it is made.
 * {@code -Dcallbound.texts=FILE} writes them anew.
 */
class EveryAnswerTest {
  private static final Revision REVISION = Revision.NEWEST_WITH_SESSIONS;
  private static final String DETAIL = "no answer within 60000 ms";
  private static final Instant BEGUN = Instant.parse("2026-12-01T02:00:00Z");

  @Test
  void everyTextIsAsItStandsInTheFile() throws IOException {
    String texts = texts();
    String target = System.getProperty("callbound.texts");
    if (target != null) {
      Files.writeString(Path.of(target), texts);
    }

    try (InputStream file =
        Objects.requireNonNull(EveryAnswerTest.class.getResourceAsStream("every-answer.txt"))) {
      assertThat(texts).isEqualTo(new String(file.readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  private static String texts() {
    StringBuilder texts = new StringBuilder();
    for (Reason.Stopped reason : Reason.Stopped.values()) {
      boolean later =
          reason == Reason.Stopped.RATE_LIMITED || reason == Reason.Stopped.CIRCUIT_OPEN;
      Duration pause = later ? Duration.ofSeconds(90) : null;
      add(
          texts,
          "stopped: " + reason.code(),
          Answers.stopped(REVISION, reason, detail(reason), AnswersTest.facts(true, pause)));
    }
    add(
        texts,
        "stopped: refused, for credentials of ours",
        Answers.unauthorized(
            REVISION,
            "its server refuses the gateway's credentials (401); the next try is in 12000 ms",
            AnswersTest.facts(true, Duration.ofSeconds(12))));
    for (Reason.Unknown reason : Reason.Unknown.values()) {
      add(
          texts,
          "unknown: " + reason.code(),
          Answers.unknown(REVISION, reason, detail(reason), AnswersTest.facts(true, null)));
    }
    for (Answers.Settles settles : Answers.Settles.values()) {
      add(
          texts,
          "unknown, and settled by the " + settles.name().toLowerCase(Locale.ROOT),
          Answers.unknown(
              REVISION, Reason.Unknown.TIMED_OUT, DETAIL, AnswersTest.facts(true, settles, null)));
    }
    for (boolean model : new boolean[] {false, true}) {
      add(
          texts,
          "the same call again, still unknown" + (model ? ", and the model may settle it" : ""),
          Answers.stillUnknown(
              REVISION, Reason.Unknown.TIMED_OUT, repeated(Reason.Unknown.TIMED_OUT, model)));
    }
    add(
        texts,
        "the same call again, settled by a person",
        Answers.happened(REVISION, repeated(null, false)));
    addComingBack(texts);
    return texts.toString();
  }

  private static void addComingBack(StringBuilder texts) {
    CallRecord call = repeated(null, false).first();
    Conversation.Reference reference = new Conversation.Reference(call.run(), call.id());
    Duration age = Duration.ofSeconds(50);
    Standing working =
        new Standing(age, 1, 3, Duration.ofSeconds(49), Duration.ofSeconds(2), false);
    Standing silent = new Standing(age, 1, 3, Duration.ofSeconds(49), null, false);
    Standing between = new Standing(age, 1, 3, null, null, false);
    Standing early = new Standing(age, 0, 3, null, null, false);
    Standing approval = new Standing(age, 0, 3, null, null, true);
    add(
        texts,
        "it takes longer than the client waits",
        ComingBack.detached("notes__add", reference, working, false));
    add(
        texts,
        "it waits for a person",
        ComingBack.detached("notes__add", reference, approval, false));
    add(texts, "asked for, and still working", ComingBack.working(call, working));
    add(texts, "asked for, without progress", ComingBack.working(call, silent));
    add(texts, "asked for between two attempts", ComingBack.working(call, between));
    add(texts, "asked for before the first", ComingBack.working(call, early));
    add(texts, "asked for, and waiting for a person", ComingBack.working(call, approval));
    add(
        texts,
        "asked for, and nobody has its result",
        ComingBack.withoutResult(call, Duration.ofMinutes(75)));
  }

  /** What stands there in operation. */
  private static String detail(Reason reason) {
    return switch (reason) {
      case Reason.Stopped stopped ->
          switch (stopped) {
            case REFUSED -> "status 403: not your notebook";
            case TOOL_ERROR -> "the tool reported an error";
            case RATE_LIMITED -> "status 429: slow down";
            case RETRIES_EXHAUSTED, NO_TIME_LEFT -> "connection refused";
            case CANCELLED -> "the client cancelled it before it was sent";
            case RESPONSE_TOO_LARGE -> "9437184 bytes are more than the limit of 8388608";
            case UNSAFE_ENDPOINT -> "notes.example.com is 169.254.169.254, a link-local address";
            case INVALID_ARGUMENTS -> "$.title: is missing";
            case KEY_CONFLICT ->
                "the step send stands for something else: call c_2 had other arguments";
            case RUN_OVER -> "the run is over: it was cancelled";
            case RETRY_BUDGET_SPENT -> "the run has used all of its 50 retries";
            case DEADLINE_EXCEEDED -> DETAIL;
            case DENIED -> "anna denied it: not on a Friday";
            case CIRCUIT_OPEN ->
                "its circuit is open, after 5 failures within 30000 ms, the last one server_error; the"
                    + " next try is in 90000 ms";
            case SPEND_EXHAUSTED ->
                "the run has spent 0.20 of the 0.20 that it may spend, and an attempt costs 0.01";
            case SPEND_UNVERIFIED -> "(not built yet)";
          };
      case Reason.Unknown unknown ->
          switch (unknown) {
            case TIMED_OUT -> DETAIL;
            case CONNECTION_LOST -> "connection reset";
            case SERVER_ERROR -> "status 504: Gateway Timeout";
            case GARBLED_ANSWER -> "not JSON, at byte 1";
            case RESPONSE_TOO_LARGE -> "9437184 bytes are more than the limit of 8388608";
            case WORKER_DIED -> "the process died while the tool was at it";
            case CANCELLED_IN_FLIGHT -> "cancelled by the client after it had been sent";
            case CHECK_FAILED -> "the check by list_notes: it found the effect 2 times";
          };
    };
  }

  private static Answers.Repeated repeated(Reason.@Nullable Unknown reason, boolean model) {
    Settlement settled =
        new Settlement(
            BEGUN.plusSeconds(600),
            SettledBy.PERSON,
            "anna",
            null,
            Reason.Unknown.TIMED_OUT,
            DETAIL);
    CallRecord first =
        new CallRecord(
            "c_01kbdq2xa700000000000000a0",
            "r_01kbdq2x4m00000000000000a0",
            "send",
            "notes",
            "add",
            Effect.WRITE,
            EffectSource.DEFAULT,
            Recognition.NONE,
            "5a1f0c9e-3f1b-8a52-9d0e-7c3b1c7e2f10",
            null,
            "sha256:0",
            null,
            BEGUN,
            Ending.without(
                reason == null ? Ending.Status.OK : Ending.Status.UNKNOWN,
                reason,
                DETAIL,
                1,
                BEGUN.plusSeconds(60)),
            reason == null ? settled : null);
    return new Answers.Repeated(
        "notes__add", first, Duration.ofMinutes(75), Duration.ofMinutes(1), model);
  }

  private static void add(StringBuilder texts, String what, Json answer) {
    texts.append(what).append("\n  ").append(AnswersTest.text(answer)).append("\n\n");
  }
}

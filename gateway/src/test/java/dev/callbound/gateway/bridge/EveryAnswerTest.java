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
      Duration pause = reason == Reason.Stopped.RATE_LIMITED ? Duration.ofSeconds(90) : null;
      add(
          texts,
          "stopped: " + reason.code(),
          Answers.stopped(REVISION, reason, DETAIL, AnswersTest.facts(true, pause)));
    }
    for (Reason.Unknown reason : Reason.Unknown.values()) {
      add(
          texts,
          "unknown: " + reason.code(),
          Answers.unknown(REVISION, reason, DETAIL, AnswersTest.facts(true, null)));
    }
    for (Answers.Settles settles : Answers.Settles.values()) {
      add(
          texts,
          "unknown, and settled by the " + settles.name().toLowerCase(Locale.ROOT),
          Answers.unknown(
              REVISION,
              Reason.Unknown.TIMED_OUT,
              DETAIL,
              AnswersTest.facts(true, settles, null)));
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
    return texts.toString();
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

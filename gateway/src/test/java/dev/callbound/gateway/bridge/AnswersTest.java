package dev.callbound.gateway.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.Revision;
import dev.callbound.policy.Reason;
import java.time.Duration;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class AnswersTest {
  private static final Pattern SENTENCE_END = Pattern.compile("[.!?](\\s|$)");
  private static final String DETAIL = "status 503: the provider is asleep";

  @ParameterizedTest
  @EnumSource(Reason.Stopped.class)
  void aStoppedCallIsToldInAtMostFourSentences(Reason.Stopped reason) {
    for (boolean write : new boolean[] {true, false}) {
      for (Duration retryAfter : new Duration[] {null, Duration.ofSeconds(90)}) {
        Json answer = stopped(reason, DETAIL, facts(write, retryAfter));

        assertReadable(text(answer));
        assertThat(answer.textAt("_meta", Answers.FACTS, "status")).isEqualTo("stopped");
        assertThat(answer.textAt("_meta", Answers.FACTS, "reason")).isEqualTo(reason.code());
        assertThat(text(answer)).contains("notes__add").doesNotContain("unknown");
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Reason.Unknown.class)
  void anUnknownCallIsToldInAtMostFourSentences(Reason.Unknown reason) {
    for (Answers.Settles settles : Answers.Settles.values()) {
      Json answer =
          Answers.unknown(
              Revision.NEWEST_WITH_SESSIONS, reason, DETAIL, facts(true, settles, null));
      boolean safe = settles == Answers.Settles.GATEWAY;

      assertReadable(text(answer));
      assertThat(text(answer))
          .contains("unknown whether notes__add took effect", "c_1")
          .doesNotContain("failed.", "Nothing was changed");
      assertThat(text(answer).contains("Do not call it again")).isEqualTo(!safe);
      assertThat(answer.at("_meta", Answers.FACTS, "safe_to_repeat")).isEqualTo(Json.bool(safe));
      assertThat(answer.at("isError")).isEqualTo(Json.TRUE);
    }
  }

  @Test
  void onlyAWriteIsSaidToHaveChangedNothing() {
    assertThat(text(stopped(Reason.Stopped.REFUSED, "no", facts(true, null))))
        .contains("Nothing was changed");
    assertThat(text(stopped(Reason.Stopped.REFUSED, "no", facts(false, null))))
        .doesNotContain("changed");
  }

  @Test
  void theFactsAreForPrograms() {
    Json answer = stopped(Reason.Stopped.RATE_LIMITED, "slow", facts(false, Duration.ofMinutes(5)));

    assertThat(answer.at("_meta", Answers.FACTS))
        .isEqualTo(
            Json.of(
                "{\"status\":\"stopped\",\"reason\":\"rate_limited\",\"attempts\":2,"
                    + "\"deadline_ms\":60000,\"waited_ms\":1234,\"run\":\"r_1\",\"call\":\"c_1\","
                    + "\"safe_to_repeat\":true,"
                    + "\"next\":\"It is safe to call it again after that.\","
                    + "\"key\":\"5a1f0c9e-3f1b-8a52-9d0e-7c3b1c7e2f10\","
                    + "\"retry_after_ms\":300000}"));
    assertThat(text(answer)).contains("wait 5 min");
  }

  @Test
  void aLongDetailIsCut() {
    assertThat(text(stopped(Reason.Stopped.REFUSED, "x".repeat(9_000), facts(true, null))))
        .hasSizeLessThan(700)
        .contains("…");
  }

  @Test
  void onlyTheRevisionWithoutSessionsNamesTheTypeOfItsResult() {
    assertThat(stopped(Reason.Stopped.DENIED, "no", facts(true, null)).at("resultType")).isNull();
    assertThat(
            Answers.stopped(Revision.V2026_07_28, Reason.Stopped.DENIED, "no", facts(true, null))
                .textAt("resultType"))
        .isEqualTo("complete");
  }

  private static void assertReadable(String text) {
    long sentences = SENTENCE_END.matcher(text).results().count();
    assertThat(sentences).as(text).isBetween(1L, 4L);
    assertThat(text).doesNotContain("..", "  ", "null").endsWith(".");
  }

  private static Json stopped(Reason.Stopped reason, String detail, Answers.Facts facts) {
    return Answers.stopped(Revision.NEWEST_WITH_SESSIONS, reason, detail, facts);
  }

  static Answers.Facts facts(boolean write, @Nullable Duration retryAfter) {
    return facts(write, Answers.Settles.PERSON, retryAfter);
  }

  static Answers.Facts facts(
      boolean write, Answers.Settles settles, @Nullable Duration retryAfter) {
    return new Answers.Facts(
        "notes__add",
        write,
        2,
        Duration.ofMinutes(1),
        Duration.ofMillis(1_234),
        "r_1",
        "c_1",
        "5a1f0c9e-3f1b-8a52-9d0e-7c3b1c7e2f10",
        settles,
        retryAfter);
  }

  static String text(Json answer) {
    return answer.at("content").elements().getFirst().textAt("text");
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0 s",
    "250, 250 ms",
    "9999, 9999 ms",
    "10000, 10 s",
    "11895, 12 s",
    "119001, 2 min",
    "3599984, 60 min"
  })
  void aWaitIsNeverToldShorterThanItIs(long millis, String told) {
    assertThat(Answers.spokenWait(Duration.ofMillis(millis))).isEqualTo(told);
  }
}

package dev.callbound.gateway.cases;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.callbound.gateway.cases.World.Way;
import dev.callbound.journal.AttemptRecord;
import dev.callbound.journal.CallRecord;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Calls that never come back, and calls that are cut too early. */
class TimeoutCasesTest {
  @TempDir Path folder;

  /** A tool call that never comes back holds an agent for half a day. */
  @ParameterizedTest
  @EnumSource(Way.class)
  void aReadThatHangsIsGivenUpAfterThreeAttempts(Way way) throws Exception {
    try (World world = World.of(folder, way, "deadline: 1s", "run: {deadline: 30s}")) {
      long begun = System.nanoTime();
      JsonNode answer = world.client().call("read_hang", "{}");
      Duration waited = Duration.ofNanos(System.nanoTime() - begun);

      assertThat(World.outcome(answer)).isEqualTo("stopped/retries_exhausted");
      assertThat(World.facts(answer).path("attempts").asInt()).isEqualTo(3);
      assertThat(World.facts(answer).path("safe_to_repeat").asBoolean()).isTrue();
      assertThat(waited).isBetween(Duration.ofMillis(3_400), Duration.ofSeconds(20));
      assertThat(world.server().ledger().callsOf("read_hang")).hasSize(3);
      CallRecord call = world.recorded("read_hang");
      List<AttemptRecord> attempts = world.attempts(call);
      assertThat(attempts).hasSize(3);
      for (AttemptRecord attempt : attempts) {
        assertThat(attempt.timeout()).isEqualTo(Duration.ofSeconds(1));
        assertThat(attempt.end()).isNotNull();
        assertThat(attempt.end().waited()).isBetween(Duration.ofMillis(900), Duration.ofSeconds(5));
        assertThat(attempt.end().failure().kind()).isEqualTo("timed_out");
      }
      assertThat(World.outcome(world.client().call("read_ok", "{}"))).isEqualTo("ok");
    }
  }

  /** The create that "timed out" had been done. */
  @ParameterizedTest
  @EnumSource(Way.class)
  void aWriteThatHangsAfterItsEffectIsUnknownAndNotRepeated(Way way) throws Exception {
    try (World world = World.of(folder, way, "deadline: 1s", "")) {
      JsonNode answer = world.client().call("write_then_hang", "{\"marker\":\"c07\"}");

      assertThat(World.outcome(answer)).isEqualTo("unknown/timed_out");
      assertThat(World.facts(answer).path("safe_to_repeat").asBoolean()).isFalse();
      assertThat(World.text(answer))
          .contains("unknown", "Do not call it again", World.facts(answer).path("call").asText())
          .doesNotContain("failed");
      assertThat(world.server().ledger().effectsMarked("c07")).hasSize(1);
      assertThat(world.server().ledger().callsOf("write_then_hang")).hasSize(1);
      AttemptRecord attempt = world.attempts(world.recorded("write_then_hang")).getFirst();
      assertThat(attempt.timeout()).isEqualTo(Duration.ofSeconds(1));
      assertThat(attempt.end().decision().why()).contains("without key or check");
    }
  }
}

package dev.callbound.gateway.cases;

import static dev.callbound.gateway.cases.Marked.arguments;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.callbound.gateway.cases.World.Way;
import dev.callbound.journal.AttemptEnd;
import dev.callbound.policy.Decision;
import dev.callbound.testkit.client.McpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The provider says not now, and when to come back: as a number, as a date, or as rubbish. */
class RateLimitCasesTest {
  private static final Duration TOLD = Duration.ofSeconds(2);

  /** A busy machine makes a wait longer, never shorter. */
  private static final Duration GENEROUS = Duration.ofSeconds(15);

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource(Way.class)
  void theWaitThatTheServerNamesIsKeptOnce(Way way) throws Exception {
    try (World world = World.of(folder, way, "record: full", "")) {
      McpClient client = world.client();
      String wait = "\"retry_after\": 2";
      var read = client.callAsync("status_429", arguments("read", wait));
      var write = client.callAsync("write_rejected", arguments("write", wait));
      var busy =
          client.callAsync(
              "inject_write",
              arguments(
                  "busy",
                  "\"times\": 1, \"steps\": [{\"do\": \"status\", \"status\": 503, "
                      + wait
                      + "}], \"then\": [{\"do\": \"effect\"}]"));
      var readTwice = client.callAsync("status_429", arguments("read-2", wait + ", \"times\": 2"));
      var writeTwice =
          client.callAsync("write_rejected", arguments("write-2", wait + ", \"times\": 2"));

      assertWaited(world, "status_429", "read", read.join());
      assertWaited(world, "write_rejected", "write", write.join());
      assertWaited(world, "inject_write", "busy", busy.join());
      assertThat(world.server().ledger().effectsMarked("write")).hasSize(1);
      assertThat(world.server().ledger().effectsMarked("busy")).hasSize(1);
      assertLimited(world, "status_429", "read-2", readTwice.join());
      assertLimited(world, "write_rejected", "write-2", writeTwice.join());
      assertThat(World.text(writeTwice.join())).contains("Nothing was changed");
      assertThat(world.server().ledger().effectsMarked("write-2")).isEmpty();
    }
  }

  @Test
  void theClientIsToldTheLatestWait() throws Exception {
    try (World world = World.of(folder, Way.HTTP, "record: full", "")) {
      world.server().control("{\"faults\": [" + limit(1) + "," + limit(77) + "]}");
      JsonNode answer = world.client().call("read_ok", arguments("later"));

      assertThat(World.outcome(answer)).isEqualTo("stopped/rate_limited");
      assertThat(World.facts(answer).path("retry_after_ms").asLong()).isEqualTo(77_000);
      assertThat(World.text(answer)).contains("77 s").doesNotContain("1000 ms");
    }
  }

  private static String limit(int seconds) {
    return "{\"match\": \"tools/call:read_ok\", \"steps\": [{\"do\": \"status\", \"status\": 429,"
        + " \"retry_after\": "
        + seconds
        + "}]}";
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void aDateIsAWait(Way way) throws Exception {
    try (World world = World.of(folder, way, "record: full", "")) {
      JsonNode answer =
          world.client().call("retry_after_date", arguments("date", "\"seconds\": 3"));

      assertThat(World.outcome(answer)).isEqualTo("ok");
      assertDated(world, "retry_after_date", "date");
    }
  }

  @Test
  void aDateIsReadByTheServersOwnClock() throws Exception {
    try (World world = World.of(folder, Way.HTTP, "record: full", "")) {
      McpClient client = world.client();
      var slow = client.callAsync("inject_read", skewed("slow", Duration.ofMinutes(-1)));
      var fast = client.callAsync("inject_read", skewed("fast", Duration.ofMinutes(1)));

      assertThat(World.outcome(slow.join())).isEqualTo("ok");
      assertThat(World.outcome(fast.join())).isEqualTo("ok");
      assertDated(world, "inject_read", "slow");
      assertDated(world, "inject_read", "fast");
    }
  }

  /** A limit whose dates come from a clock that is wrong by so much. */
  private static String skewed(String marker, Duration skew) {
    Instant theirs = Instant.now().plus(skew);
    return arguments(
        marker,
        "\"times\": 1, \"steps\": [{\"do\": \"status\", \"status\": 429, \"headers\": {\"Date\": \""
            + httpDate(theirs)
            + "\", \"Retry-After\": \""
            + httpDate(theirs.plusSeconds(3))
            + "\"}}], \"then\": [{\"do\": \"reply\"}]");
  }

  private static String httpDate(Instant instant) {
    return DateTimeFormatter.ofPattern("EEE, dd MMM uuuu HH:mm:ss 'GMT'", Locale.ENGLISH)
        .format(instant.atZone(ZoneOffset.UTC));
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void rubbishNamesNoWaitAndIsNoReasonToHurry(Way way) throws Exception {
    List<String> rubbish =
        List.of("soon", "-5", "0", "1000abc", "Mon, 99 Foo 2026", "", "1.5", "NaN", "\u0660");
    try (World world = World.of(folder, way, "record: full", "")) {
      McpClient client = world.client();
      Map<String, CompletableFuture<JsonNode>> calls = new LinkedHashMap<>();
      for (int i = 0; i < rubbish.size(); i++) {
        String wait = "\"times\": 2, \"retry_after\": \"" + rubbish.get(i) + "\"";
        // A header can't carry this one.
        if (way == Way.STDIO || rubbish.get(i).chars().allMatch(c -> c < 128)) {
          calls.put("r" + i, client.callAsync("status_429", arguments("r" + i, wait)));
        }
      }

      for (Map.Entry<String, CompletableFuture<JsonNode>> call : calls.entrySet()) {
        String marker = call.getKey();
        assertThat(World.outcome(call.getValue().join())).as(marker).isEqualTo("ok");
        assertThat(world.server().ledger().callsMarked(marker)).as(marker).hasSize(3);
        assertThat(Marked.gaps(world.server().ledger(), marker))
            .as(marker)
            .allSatisfy(gap -> assertThat(gap).isBetween(Duration.ofMillis(249), GENEROUS));
        assertThat(pause(world, "status_429", marker))
            .as(marker)
            .isBetween(Duration.ofMillis(250), Duration.ofSeconds(1));
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void aWaitThatDoesNotFitTheRunIsNotBegun(Way way) throws Exception {
    try (World world = World.of(folder, way, "record: full", "run: {deadline: 30s}")) {
      McpClient client = world.client();
      long begun = System.nanoTime();
      JsonNode limited =
          client.call("status_429", arguments("hour", "\"retry_after\": 3600, \"times\": -1"));
      JsonNode busy =
          client.call(
              "inject_read",
              arguments(
                  "busy",
                  "\"steps\": [{\"do\": \"status\", \"status\": 503, \"retry_after\": 3600}]"));

      assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(10));
      assertNotBegun(world, "status_429", "hour", limited);
      assertNotBegun(world, "inject_read", "busy", busy);
    }
  }

  private static void assertNotBegun(World world, String tool, String marker, JsonNode answer)
      throws Exception {
    assertThat(World.outcome(answer)).isEqualTo("stopped/rate_limited");
    assertThat(world.server().ledger().callsMarked(marker)).hasSize(1);
    assertThat(World.facts(answer).path("retry_after_ms").asLong()).isEqualTo(3_600_000);
    assertThat(World.text(answer)).contains("rate limited", "60 min", "does not fit");
    Decision decision = world.attempts(world.marked(tool, marker)).getLast().end().decision();
    assertThat(decision.action()).isEqualTo(Decision.Action.STOP);
    assertThat(decision.why()).contains("3600000 ms", "left", "not begun");
  }

  private static void assertWaited(World world, String tool, String marker, JsonNode answer)
      throws Exception {
    assertThat(World.outcome(answer)).as(marker).isEqualTo("ok");
    assertThat(world.server().ledger().callsMarked(marker)).hasSize(2);
    assertThat(Marked.gaps(world.server().ledger(), marker).getFirst())
        .as(marker)
        .isBetween(TOLD.minusMillis(1), GENEROUS);
    AttemptEnd first = world.attempts(world.marked(tool, marker)).getFirst().end();
    assertThat(first.failure().kind()).isEqualTo("limited");
    assertThat(first.decision().pause()).isEqualTo(TOLD);
    assertThat(first.decision().why()).contains("the provider named this wait");
  }

  private static void assertLimited(World world, String tool, String marker, JsonNode answer)
      throws Exception {
    assertThat(World.outcome(answer)).as(marker).isEqualTo("stopped/rate_limited");
    assertThat(World.facts(answer).path("attempts").asInt()).isEqualTo(2);
    assertThat(World.facts(answer).path("retry_after_ms").asLong()).isEqualTo(2_000);
    assertThat(World.facts(answer).path("safe_to_repeat").asBoolean()).isTrue();
    assertThat(world.server().ledger().callsMarked(marker)).hasSize(2);
    assertThat(World.outcome(world.marked(tool, marker))).isEqualTo("stopped/rate_limited");
  }

  private static void assertDated(World world, String tool, String marker) throws Exception {
    assertThat(world.server().ledger().callsMarked(marker)).hasSize(2);
    assertThat(Marked.gaps(world.server().ledger(), marker).getFirst())
        .isBetween(Duration.ofSeconds(2), GENEROUS);
    assertThat(pause(world, tool, marker)).isBetween(Duration.ofSeconds(2), Duration.ofSeconds(4));
  }

  /** The first wait that was decided on. */
  private static Duration pause(World world, String tool, String marker) throws Exception {
    return world.attempts(world.marked(tool, marker)).getFirst().end().decision().pause();
  }
}

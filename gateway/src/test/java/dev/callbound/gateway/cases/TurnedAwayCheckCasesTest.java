package dev.callbound.gateway.cases;

import static dev.callbound.gateway.cases.Marked.arguments;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.callbound.gateway.cases.World.Way;
import dev.callbound.journal.CallRecord;
import dev.callbound.journal.SettledBy;
import dev.callbound.testkit.Eventually;
import dev.callbound.testkit.client.McpClient;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A check that is kept from the server tells nothing: the write whose outcome depends on it is
 * unknown, says why, and is asked about again when the way is open.
 */
class TurnedAwayCheckCasesTest {
  private static final String CHECKED =
      "tools: {write_then_hang: {deadline: 300ms, call_deadline: 600ms, recognise: {check:"
          + " {tool: find_by_marker, arguments: {marker: '{/marker}'}, found: {at: '/objects/*'}}}}}";

  @TempDir Path folder;

  @Test
  void byACircuitThatIsOpen() throws Exception {
    try (World world =
        World.of(
            folder,
            Way.HTTP,
            "attempts: 1, circuit: {failures: 3, cool_down: 1200ms}, " + CHECKED,
            "")) {
      McpClient client = world.client();
      faults(world, "find_by_marker", 3, "{\"do\":\"status\",\"status\":500}");
      for (int i = 0; i < 3; i++) {
        assertThat(World.outcome(client.call("find_by_marker", arguments("down"))))
            .isEqualTo("stopped/retries_exhausted");
      }

      JsonNode answer = client.call("write_then_hang", arguments("w"));

      assertUnknown(world, answer, "the check by find_by_marker", "its circuit is open");
      assertSettled(world);
    }
  }

  @Test
  void byAWaitThatTheProviderAskedAnotherCallFor() throws Exception {
    try (World world = World.of(folder, Way.HTTP, "attempts: 2, " + CHECKED, "")) {
      McpClient client = world.client();
      faults(world, "find_by_marker", 1, "{\"do\":\"status\",\"status\":429,\"retry_after\":1}");
      CompletableFuture<JsonNode> told = client.callAsync("find_by_marker", arguments("told"));
      assertThat(Eventually.holds(() -> world.waits("find_by_marker"))).isTrue();

      JsonNode answer = client.call("write_then_hang", arguments("w"));

      assertUnknown(world, answer, "the provider asked for a wait", "not begun");
      assertThat(World.outcome(told.join())).isEqualTo("ok");
      assertSettled(world);
    }
  }

  @Test
  void byALineInWhichNoPlaceBecomesFree() throws Exception {
    try (World world = World.of(folder, Way.HTTP, "at_once: 1, queue: 1, " + CHECKED, "")) {
      McpClient client = world.client();
      CompletableFuture<JsonNode> write = client.callAsync("write_then_hang", arguments("w"));
      assertThat(Eventually.holds(() -> !world.server().ledger().effectsMarked("w").isEmpty()))
          .isTrue();
      CompletableFuture<JsonNode> next =
          client.callAsync("read_slow", arguments("next", "\"ms\": 600"));

      assertUnknown(world, write.join(), "its server gets 1 call at once");
      assertThat(World.outcome(next.join())).isEqualTo("ok");
      assertSettled(world);
    }
  }

  private static void faults(World world, String tool, int times, String step) throws Exception {
    world
        .server()
        .control(
            "{\"faults\":[{\"match\":\"tools/call:%s\",\"times\":%d,\"steps\":[%s]}]}"
                .formatted(tool, times, step));
  }

  private static void assertUnknown(World world, JsonNode answer, String... why) throws Exception {
    assertThat(World.outcome(answer)).isEqualTo("unknown/check_failed");
    assertThat(World.text(answer)).contains(why);
    CallRecord record = world.recorded("write_then_hang");
    assertThat(record.ending().detail()).contains(why);
    assertThat(world.server().ledger().callsMarked("w"))
        .as("neither the check nor a repeat is sent")
        .extracting(call -> call.tool())
        .containsExactly("write_then_hang");
  }

  private static void assertSettled(World world) throws Exception {
    assertThat(Eventually.holds(() -> world.recorded("write_then_hang").settled() != null))
        .as("asked about again")
        .isTrue();
    CallRecord record = world.recorded("write_then_hang");
    assertThat(World.outcome(record)).isEqualTo("ok");
    assertThat(record.settled().by()).isEqualTo(SettledBy.CHECK);
    assertThat(world.server().ledger().callsOf("write_then_hang")).hasSize(1);
  }
}

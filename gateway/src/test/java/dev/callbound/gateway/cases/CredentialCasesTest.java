package dev.callbound.gateway.cases;

import static dev.callbound.gateway.cases.Marked.arguments;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.callbound.gateway.TokenCommand;
import dev.callbound.gateway.cases.World.Way;
import dev.callbound.journal.AttemptRecord;
import dev.callbound.testkit.Eventually;
import dev.callbound.testkit.LedgerReport;
import dev.callbound.testkit.client.McpClient;
import dev.callbound.testkit.client.Revision;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An expired token is found out about once, and not asked for again for hours. */
class CredentialCasesTest {
  private static final int CALLS = 50;

  @TempDir Path folder;

  @Test
  void aServerThatRefusesOurCredentialsIsLeftAloneListsIncluded() throws Exception {
    try (World world = World.of(folder, Way.HTTP, "circuit: {cool_down: 10m}", "")) {
      McpClient client = world.client();
      world.server().control("{\"token\": \"new\"}");

      JsonNode first = client.call("read_ok", arguments("first"));
      assertThat(World.outcome(first)).isEqualTo("stopped/refused");
      assertThat(World.text(first)).contains("401", "credentials are renewed");
      for (int i = 0; i < CALLS; i++) {
        JsonNode refused = client.call("read_ok", arguments("later"));
        assertThat(World.outcome(refused)).isEqualTo("stopped/refused");
        assertThat(World.text(refused)).contains("refuses the gateway's credentials", "next try");
        assertThat(World.facts(refused).path("attempts").asInt()).isZero();
        assertThat(World.facts(refused).path("retry_after_ms").asLong()).isPositive();
        client.request("tools/list", "{}");
      }

      assertThat(unauthorized(world)).isBetween(1L, 2L);
    }
  }

  @Test
  void oneCallFindsOutThatTheyAreRenewed() throws Exception {
    try (World world = World.of(folder, Way.HTTP, "circuit: {cool_down: 1s}", "")) {
      McpClient client = world.client();
      world.server().control("{\"token\": \"new\"}");
      assertThat(World.outcome(client.call("read_ok", arguments("first"))))
          .isEqualTo("stopped/refused");

      world.server().control("{\"token\": null}");

      assertThat(
              Eventually.holds(
                  () -> World.outcome(client.call("read_ok", arguments("again"))).equals("ok")))
          .isTrue();
      assertThat(World.outcome(client.call("read_ok", arguments("more")))).isEqualTo("ok");
    }
  }

  /** All at once, each in its own right, and nobody logs in twice. */
  @ParameterizedTest
  @EnumSource(
      value = Revision.class,
      names = {"V2025_11_25", "V2026_07_28"})
  void oneRenewalServesAllWhoAreRefused(Revision revision) throws Exception {
    TokenCommand command = TokenCommand.in(folder, "first");
    try (World world = renewable("circuit: {cool_down: 10m}")) {
      world.server().control("{\"token\": \"first\"}");
      McpClient client = world.client(revision);
      assertThat(World.outcome(client.call("read_ok", arguments("before")))).isEqualTo("ok");
      assertThat(command.runs()).isEqualTo(1);

      command.prints("second");
      world.server().control("{\"token\": \"second\"}");
      List<CompletableFuture<JsonNode>> calls = new ArrayList<>();
      for (int i = 0; i < CALLS - 1; i++) {
        calls.add(client.callAsync("read_ok", arguments("read" + i)));
      }
      calls.add(client.callAsync("write_ok", arguments("written")));
      client.request("tools/list", "{}");

      for (CompletableFuture<JsonNode> call : calls) {
        assertThat(World.outcome(call.get(20, TimeUnit.SECONDS))).isEqualTo("ok");
      }
      assertThat(command.runs()).isEqualTo(2);
      assertThat(world.server().ledger().effectsMarked("written")).hasSize(1);
      // The calls, the list and the stream that hears of changes: each once at most.
      assertThat(unauthorized(world)).isBetween(1L, CALLS + 2L);
      assertThat(world.recorded("write_ok"))
          .satisfies(
              call -> {
                assertThat(World.outcome(call)).isEqualTo("ok");
                assertThat(world.attempts(call)).hasSize(1);
              });
    }
  }

  @Test
  void theRecordSaysThatTheyWereRenewedAndATokenCanExpireAgain() throws Exception {
    TokenCommand command = TokenCommand.in(folder, "token0");
    try (World world = renewable("circuit: {cool_down: 10m}")) {
      world.server().control("{\"token\": \"token0\"}");
      McpClient client = world.client();
      for (int i = 1; i <= 2; i++) {
        command.prints("token" + i);
        world.server().control("{\"token\": \"token" + i + "\"}");

        assertThat(World.outcome(client.call("write_ok", arguments("again" + i)))).isEqualTo("ok");

        assertThat(command.runs()).isEqualTo(1 + i);
        AttemptRecord attempt = world.attempt(world.recorded("write_ok", i).getLast());
        assertThat(Objects.requireNonNull(attempt.end()).evidence().upstreamNote())
            .isEqualTo("credentials renewed");
      }
    }
  }

  @Test
  void aCommandThatFailsIsNamedAndThenLeftAlone() throws Exception {
    TokenCommand command = TokenCommand.in(folder, "first");
    try (World world = renewable("circuit: {cool_down: 10m}")) {
      world.server().control("{\"token\": \"first\"}");
      McpClient client = world.client();
      command.does("echo 'log in first' >&2; exit 2");
      world.server().control("{\"token\": \"second\"}");

      JsonNode first = client.call("write_ok", arguments("first"));
      assertThat(World.outcome(first)).isEqualTo("stopped/refused");
      assertThat(World.text(first))
          .contains("401", "headers_command ended with exit code 2; the log has its last words")
          .doesNotContain("log in first");
      for (int i = 0; i < CALLS; i++) {
        assertThat(World.outcome(client.call("read_ok", arguments("later"))))
            .isEqualTo("stopped/refused");
        client.request("tools/list", "{}");
      }

      assertThat(command.runs()).isEqualTo(2);
      assertThat(unauthorized(world)).isBetween(1L, 2L);
    }
  }

  @Test
  void eachProbeRunsTheCommandOnceUntilItPrintsWhatIsTaken() throws Exception {
    TokenCommand command = TokenCommand.in(folder, "first");
    try (World world = renewable("circuit: {cool_down: 1s}")) {
      world.server().control("{\"token\": \"first\"}");
      McpClient client = world.client();
      world.server().control("{\"token\": \"second\"}");
      JsonNode first = client.call("write_ok", arguments("first"));
      assertThat(World.outcome(first)).isEqualTo("stopped/refused");
      assertThat(World.text(first)).contains("headers_command printed the same headers as before");
      assertThat(unauthorized(world)).isEqualTo(1);

      assertThat(
              Eventually.holds(
                  () -> {
                    client.call("read_ok", arguments("later"));
                    return command.runs() == 4;
                  }))
          .isTrue();
      assertThat(unauthorized(world)).isBetween(3L, 6L);
      command.prints("second");

      assertThat(
              Eventually.holds(
                  () -> World.outcome(client.call("write_ok", arguments("then"))).equals("ok")))
          .isTrue();
      assertThat(command.runs()).isEqualTo(5);
      assertThat(world.server().ledger().effectsMarked("first")).isEmpty();
      assertThat(world.server().ledger().effectsMarked("then")).hasSize(1);
    }
  }

  @Test
  void aCommandThatHangsEndsWithTheCallsDeadlineAndNothingIsSent() throws Exception {
    TokenCommand command = TokenCommand.in(folder, "first");
    long pid;
    try (World world = renewable("deadline: 1s, attempts: 1")) {
      world.server().control("{\"token\": \"first\"}");
      McpClient client = world.client();
      command.does("trap '' TERM; echo $$ > pid.new; mv pid.new pid; while :; do sleep 1; done");
      world.server().control("{\"token\": \"second\"}");

      JsonNode cut = client.call("write_ok", arguments("cut"));

      assertThat(World.outcome(cut)).startsWith("stopped/");
      assertThat(World.facts(cut).path("waited_ms").asLong()).isLessThan(5_000);
      assertThat(world.server().ledger().effectsMarked("cut")).isEmpty();
      pid = Long.parseLong(Files.readString(folder.resolve("pid")).strip());
    }
    assertThat(ProcessHandle.of(pid).filter(ProcessHandle::isAlive)).isEmpty();
  }

  /** The late 401 says that nothing was done. To do it now, unasked, would be worse. */
  @Test
  void aWriteThatIsRefusedAfterItsDeadlineIsNotSentAgain() throws Exception {
    TokenCommand command = TokenCommand.in(folder, "first");
    try (World world = renewable("deadline: 500ms, attempts: 1, late_window: 20s")) {
      McpClient client = world.client();
      command.prints("second");
      world
          .server()
          .control(
              "{\"faults\": [{\"match\": \"tools/call:write_ok\", \"times\": 1, \"steps\": ["
                  + "{\"do\": \"sleep\", \"ms\": 2000}, {\"do\": \"status\", \"status\": 401}]}]}");

      assertThat(World.outcome(client.call("write_ok", arguments("late"))))
          .isEqualTo("unknown/timed_out");

      assertThat(
              Eventually.holds(
                  () -> World.outcome(world.recorded("write_ok")).equals("stopped/refused")))
          .isTrue();
      assertThat(command.runs()).isEqualTo(2);
      assertThat(world.server().ledger().callsMarked("late")).hasSize(1);
      assertThat(world.server().ledger().effectsMarked("late")).isEmpty();
    }
  }

  /** Nobody would hear what came of it; and the 401 says that nothing came of it until now. */
  @Test
  void aWriteWhoseClientHasGoneIsNotSentAgain() throws Exception {
    TokenCommand command = TokenCommand.in(folder, "first");
    try (World world = renewable("deadline: 20s, attempts: 1")) {
      McpClient client = world.client(Revision.V2026_07_28);
      command.prints("second");
      world
          .server()
          .control(
              "{\"faults\": [{\"match\": \"tools/call:write_ok\", \"times\": 1, \"steps\": ["
                  + "{\"do\": \"sleep\", \"ms\": 4000}, {\"do\": \"status\", \"status\": 401}]}]}");
      CompletableFuture<JsonNode> _ = client.callAsync("write_ok", arguments("left"));
      assertThat(Eventually.holds(() -> !world.server().ledger().callsMarked("left").isEmpty()))
          .isTrue();

      client.disconnect();

      assertThat(
              Eventually.holds(() -> World.outcome(world.recorded("write_ok")).startsWith("sto")))
          .isTrue();
      assertThat(world.server().ledger().callsMarked("left")).hasSize(1);
      assertThat(world.server().ledger().effectsMarked("left")).isEmpty();
    }
  }

  @Test
  void anUnchangedHelperOfAnotherProgramWorks() throws Exception {
    TokenCommand command = TokenCommand.in(folder, "first");
    Faults server = Faults.http(folder, "fault");
    String json =
        "{\"mcpServers\": {\"fault\": {\"type\": \"http\", \"url\": \""
            + server.url()
            + "\", \"headersHelper\": \"sh ./headers.sh | cat\"}}}";
    try (World world = World.taken(folder, json, List.of(server))) {
      world.server().control("{\"token\": \"first\"}");
      McpClient client = world.client();
      assertThat(World.outcome(client.call("read_ok", arguments("one")))).isEqualTo("ok");
      command.prints("second");
      world.server().control("{\"token\": \"second\"}");

      assertThat(World.outcome(client.call("write_ok", arguments("two")))).isEqualTo("ok");

      assertThat(command.runs()).isEqualTo(2);
    }
  }

  private World renewable(String server) throws Exception {
    return World.of(folder, Way.HTTP, TokenCommand.entry() + ", " + server, "");
  }

  private static long unauthorized(World world) {
    return world.server().ledger().events().stream()
        .map(LedgerReport.Event::kind)
        .filter("unauthorized"::equals)
        .count();
  }
}

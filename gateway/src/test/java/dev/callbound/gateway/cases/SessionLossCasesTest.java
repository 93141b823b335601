package dev.callbound.gateway.cases;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.callbound.gateway.cases.World.Way;
import dev.callbound.journal.AttemptRecord;
import dev.callbound.journal.CallRecord;
import dev.callbound.testkit.LedgerReport;
import dev.callbound.testkit.client.McpClient;
import dev.callbound.testkit.client.PendingCall;
import dev.callbound.testkit.client.Revision;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers that no longer know the session they gave, after a restart or at another replica. */
class SessionLossCasesTest {
  private static final String EXPIRE = "{\"expire_sessions\":true,\"stale_status\":%d}";

  @TempDir Path folder;

  /** The client goes on with a dead session until somebody restarts it. */
  @ParameterizedTest
  @ValueSource(ints = {404, 400})
  void anExpiredSessionIsRenewedAndTheCallSentAgain(int staleStatus) throws Exception {
    try (World world = World.of(folder, Way.HTTP, "deadline: 30s", "")) {
      McpClient client = world.client();
      String session = client.sessionId();
      world.server().control(EXPIRE.formatted(staleStatus));
      assertThat(World.outcome(client.call("read_ok", "{}"))).isEqualTo("ok");
      world.server().control(EXPIRE.formatted(staleStatus));
      assertThat(World.outcome(client.call("write_ok", "{\"marker\":\"c\"}"))).isEqualTo("ok");

      LedgerReport ledger = world.server().ledger();
      assertThat(ledger.events("initialize")).hasSize(3);
      assertThat(ledger.callsOf("read_ok")).hasSize(1);
      assertThat(ledger.callsMarked("c")).hasSize(1);
      assertThat(ledger.effectsMarked("c")).hasSize(1);
      assertThat(client.sessionId()).isEqualTo(session);
      AttemptRecord attempt = world.attempt(world.recorded("write_ok"));
      assertThat(attempt.end().evidence().upstreamNote()).contains("session lost");
    }
  }

  /** A session lost behind a 503: nothing is proven, so only a read is sent again. */
  @Test
  void anExpiredSessionBehindA503LeavesAWriteInDoubt() throws Exception {
    try (World world = World.of(folder, Way.HTTP, "deadline: 30s", "")) {
      McpClient client = world.client();
      world.server().control(EXPIRE.formatted(503));
      assertThat(World.outcome(client.call("read_ok", "{}"))).isEqualTo("ok");
      assertThat(world.attempts(world.recorded("read_ok"))).hasSize(2);
      assertThat(world.server().ledger().events("initialize")).hasSize(2);
      world.server().control(EXPIRE.formatted(503));
      JsonNode write = client.call("write_ok", "{\"marker\":\"first\"}");
      assertThat(World.outcome(write)).isEqualTo("unknown/server_error");
      assertThat(World.facts(write).path("safe_to_repeat").asBoolean()).isFalse();

      assertThat(World.outcome(client.call("write_ok", "{\"marker\":\"second\"}"))).isEqualTo("ok");
      LedgerReport ledger = world.server().ledger();
      assertThat(ledger.callsMarked("first")).isEmpty();
      assertThat(ledger.effectsMarked("first")).isEmpty();
      assertThat(ledger.effectsMarked("second")).hasSize(1);
      assertThat(ledger.events("initialize")).hasSize(3);
    }
  }

  /** A 400 that says nothing of a session is about the call, and the session lives on. */
  @Test
  void anyOtherRefusalIsFinalAndCostsNoSession() throws Exception {
    try (World world = World.of(folder, Way.HTTP, "deadline: 30s", "")) {
      McpClient client = world.client();

      assertThat(World.outcome(client.call("status_400", "{}"))).isEqualTo("stopped/refused");
      JsonNode about =
          client.call(
              "inject_write",
              "{\"marker\":\"about\",\"steps\":[{\"do\":\"status\",\"status\":400,"
                  + "\"body\":{\"error\":\"session must be one of morning, evening\"}}]}");
      assertThat(World.outcome(about)).isEqualTo("stopped/refused");
      assertThat(World.outcome(client.call("read_ok", "{}"))).isEqualTo("ok");
      LedgerReport ledger = world.server().ledger();
      assertThat(ledger.callsOf("status_400")).hasSize(1);
      assertThat(ledger.callsMarked("about")).hasSize(1);
      assertThat(ledger.events("initialize")).hasSize(1);
    }
  }

  /** Twenty calls find the session gone at the same moment. */
  @Test
  void callsAtTheSameTimeShareOneRenewal() throws Exception {
    try (World world = World.of(folder, Way.HTTP, "deadline: 30s", "")) {
      McpClient client = world.client();
      world.server().control("{\"expire_sessions\":true,\"init_delay_ms\":500}");
      List<PendingCall> calls = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        calls.add(
            client.begin("write_ok", "{\"marker\":\"at once\",\"text\":\"call %d\"}".formatted(i)));
      }

      for (PendingCall call : calls) {
        assertThat(World.outcome(call.await())).isEqualTo("ok");
      }
      LedgerReport ledger = world.server().ledger();
      assertThat(ledger.events("initialize")).hasSize(2);
      assertThat(ledger.callsMarked("at once")).hasSize(20);
      assertThat(ledger.effectsMarked("at once")).hasSize(20);
    }
  }

  /** Replicas without affinity: the one that gives the session is never the one that is called. */
  @ParameterizedTest
  @ValueSource(strings = {"read_ok", "write_ok"})
  void aSessionThatIsNeverKnownIsRenewedOnceAnAttemptAndThenGivenUp(String tool) throws Exception {
    Faults one = Faults.http(folder, "one");
    Faults other = Faults.http(folder, "other");
    try (Balancer balancer = Balancer.start(request -> request.begins() ? one.url() : other.url());
        World world =
            World.of(
                folder,
                List.of(Faults.at(balancer.url(), "both", one, other)),
                "deadline: 30s, attempts: 3, tools: {read_ok: {effect: read}}",
                "")) {
      McpClient client = world.client();
      int before = one.ledger().events("initialize").size();
      JsonNode answer = client.call(tool, "{\"marker\":\"never\"}");

      assertThat(World.outcome(answer)).isEqualTo("stopped/retries_exhausted");
      assertThat(World.text(answer)).contains("session");
      // Three attempts to list the tools and three at the call: each opens a session where there is
      // none, and renews it once.
      assertThat(one.ledger().events("initialize").size() - before).isBetween(3, 12);
      assertThat(one.ledger().callsMarked("never")).isEmpty();
      assertThat(other.ledger().callsMarked("never")).isEmpty();
      CallRecord call = world.recorded(tool);
      assertThat(world.attempts(call))
          .hasSize(3)
          .allMatch(attempt -> attempt.end().failure().kind().equals("not_sent"));
      assertThat(world.attempts(call).getFirst().end().evidence().upstreamNote())
          .contains("session lost");
    }
  }

  /** Replicas in strict turn: however it ends, it ends soon, and nothing is done twice. */
  @Test
  void replicasInTurnNeverDoAWriteTwice() throws Exception {
    Faults one = Faults.http(folder, "one");
    Faults other = Faults.http(folder, "other");
    try (Balancer balancer =
            Balancer.start(request -> request.number() % 2 == 0 ? one.url() : other.url());
        World world =
            World.of(
                folder,
                List.of(Faults.at(balancer.url(), "both", one, other)),
                "deadline: 30s, attempts: 3",
                "")) {
      McpClient client = world.client();
      for (int i = 0; i < 6; i++) {
        String marker = "turn " + i;
        String outcome =
            World.outcome(client.call("write_ok", "{\"marker\":\"%s\"}".formatted(marker)));

        int effects =
            one.ledger().effectsMarked(marker).size() + other.ledger().effectsMarked(marker).size();
        assertThat(outcome).isIn("ok", "stopped/retries_exhausted");
        assertThat(effects).as(outcome).isEqualTo(outcome.equals("ok") ? 1 : 0);
      }
    }
  }

  /** Behind one door one of two servers has lost its session, and nobody else notices. */
  @ParameterizedTest
  @EnumSource(
      value = Revision.class,
      names = {"V2025_03_26", "V2025_11_25"})
  void onlyTheServerThatLostItsSessionIsTouched(Revision revision) throws Exception {
    Faults alpha = Faults.http(folder, "alpha");
    Faults beta = Faults.http(folder, "beta");
    try (World world = World.of(folder, List.of(alpha, beta), "deadline: 30s", "")) {
      McpClient client = world.client(revision);
      String session = client.sessionId();
      PendingCall slow = client.begin("beta__read_slow", "{\"delay_ms\":1500}");
      alpha.control("{\"expire_sessions\":true}");

      assertThat(World.outcome(client.call("alpha__write_ok", "{\"marker\":\"both\"}")))
          .isEqualTo("ok");
      assertThat(World.outcome(client.call("beta__write_ok", "{\"marker\":\"both\"}")))
          .isEqualTo("ok");
      assertThat(World.outcome(slow.await())).isEqualTo("ok");
      assertThat(alpha.ledger().events("initialize")).hasSize(2);
      assertThat(beta.ledger().events("initialize")).hasSize(1);
      assertThat(alpha.ledger().effectsMarked("both")).hasSize(1);
      assertThat(beta.ledger().effectsMarked("both")).hasSize(1);
      assertThat(client.sessionId()).isEqualTo(session);
    }
  }
}

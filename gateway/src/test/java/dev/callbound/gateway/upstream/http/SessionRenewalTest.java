package dev.callbound.gateway.upstream.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.callbound.gateway.upstream.RecordingExchange;
import dev.callbound.policy.Failure;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(30)
class SessionRenewalTest {
  private Faults faults;

  @BeforeEach
  void start() throws Exception {
    faults = Faults.start();
    faults.ok("read_ok", "{}");
  }

  @AfterEach
  void stop() {
    faults.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {404, 400})
  void aLostSessionIsRenewedAndTheRequestSentOnceMore(int status) throws Exception {
    faults.control("{\"stale_status\":" + status + ",\"expire_sessions\":true}");
    RecordingExchange exchange = new RecordingExchange();
    Faults.ok(faults.call("write_ok", "{\"marker\":\"s\"}", exchange));
    assertThat(exchange.events()).startsWith("sent", "not taken", "sent");
    assertThat(exchange.notes).anyMatch(note -> note.contains("session"));
    assertThat(faults.ledger().effectsMarked("s")).hasSize(1);
    assertThat(faults.ledger().events("initialize")).hasSize(2);
  }

  @Test
  void concurrentCallsShareOneRenewal() throws Exception {
    faults.control("{\"expire_sessions\":true}");
    List<Callable<Object>> calls = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      calls.add(() -> faults.ok("read_slow", "{\"delay_ms\":100}"));
    }
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Future<Object> call : threads.invokeAll(calls)) {
        call.get();
      }
    }
    assertThat(faults.ledger().events("initialize")).hasSize(2);
  }

  @Test
  void aStatusThatExcludesNothingDropsTheSessionAndIsReported() throws Exception {
    faults.control("{\"stale_status\":503,\"expire_sessions\":true}");
    RecordingExchange exchange = new RecordingExchange();
    assertThat(Faults.failure(faults.call("write_ok", "{\"marker\":\"s\"}", exchange)))
        .isInstanceOf(Failure.ServerError.class);
    assertThat(exchange.events()).containsExactly("sent");
    faults.ok("read_ok", "{}");
    assertThat(faults.ledger().events("initialize")).hasSize(2);
  }

  @Test
  void aPlain404IsTriedOnANewSessionOnceAndThenFinal() throws Exception {
    assertThat(faults.failure("status_404", "{}"))
        .isInstanceOfSatisfying(
            Failure.Refused.class, refused -> assertThat(refused.code()).isEqualTo(404));
    assertThat(faults.ledger().callsOf("status_404")).hasSize(2);
    faults.ok("read_ok", "{}");
  }

  @Test
  void aSessionThatIsLostAtOnceIsNotSent() throws Exception {
    String refusal =
        "{\"do\":\"status\",\"status\":404,\"body\":{\"error\":\"Session not found\"}}";
    faults.control(
        "{\"faults\":[{\"match\":\"tools/call:write_ok\",\"times\":2,\"steps\":["
            + refusal
            + "]}]}");
    RecordingExchange exchange = new RecordingExchange();
    assertThat(Faults.failure(faults.call("write_ok", "{}", exchange)))
        .isInstanceOfSatisfying(
            Failure.NotSent.class, lost -> assertThat(lost.detail()).contains("session"));
    assertThat(exchange.events()).containsExactly("sent", "not taken", "sent", "not taken");
  }

  @Test
  void aConnectionThatTheServerClosedIsReplacedBeforeAWriteGoesOut() throws Exception {
    if (faults.inside() == null) {
      return;
    }
    faults.inside().restart();
    RecordingExchange exchange = new RecordingExchange();
    Faults.ok(faults.call("write_ok", "{\"marker\":\"r\"}", exchange));
    assertThat(faults.ledger().effectsMarked("r")).hasSize(1);
  }
}

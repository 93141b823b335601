package dev.callbound.gateway.upstream.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.Revision;
import dev.callbound.gateway.upstream.RecordingExchange;
import dev.callbound.policy.Failure;
import dev.callbound.policy.Reply;
import dev.callbound.testkit.LedgerReport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An interrupt ends a request wherever it stands, and leaves nothing behind. */
@Timeout(30)
class InterruptTest {
  /** A hundred milliseconds on a machine of its own; a build machine may be busy. */
  private static final Duration AT_ONCE = Duration.ofSeconds(5);

  private Faults faults;

  @BeforeEach
  void start() throws Exception {
    faults = Faults.start();
  }

  @AfterEach
  void stop() {
    faults.close();
  }

  @ParameterizedTest
  @CsvSource({
    "read_hang, {}, sent",
    "stall_after_headers, {}, sent",
    "heartbeat_forever, {\"every_ms\":50}, life",
    "progress_forever, {\"every_ms\":20}, progress",
    "write_slow, '{\"delay_ms\":3000,\"when\":\"after\",\"honor_cancel\":true}', sent",
  })
  void aRequestThatIsWaitedForIsWithdrawn(String tool, String arguments, String event)
      throws Exception {
    faults.ok("read_ok", "{}");
    RecordingExchange exchange = new RecordingExchange();
    Failure failure =
        interrupt(
            () -> faults.call(tool, arguments, exchange),
            () -> exchange.events().contains(event) && called(tool));
    assertThat(failure).isInstanceOf(Failure.Broken.class);
    assertThat(faults.server.inFlight()).isZero();
    assertThat(Faults.eventually(() -> faults.server.connectionsInUse() == 0)).isTrue();
    Json id = Json.of(faults.ledger().callsOf(tool).getFirst().rpcId().toString());
    assertThat(Faults.eventually(() -> !events("cancel").isEmpty())).isTrue();
    assertThat(events("cancel"))
        .singleElement()
        .satisfies(
            cancel ->
                assertThat(Json.of(cancel.fields().get("requestId").toString())).isEqualTo(id));
    assertThat(faults.ledger().effects()).isEmpty();
    faults.ok("read_ok", "{}");
    assertThat(events("initialize")).hasSize(1);
  }

  @Test
  void since20260728TheEndOfTheConnectionSaysIt() throws Exception {
    RecordingExchange exchange = new RecordingExchange(Revision.V2026_07_28);
    String slow = "{\"delay_ms\":3000,\"when\":\"after\",\"honor_cancel\":true}";
    Failure failure =
        interrupt(() -> faults.call("write_slow", slow, exchange), () -> called("write_slow"));
    assertThat(failure).isInstanceOf(Failure.Broken.class);
    assertThat(Faults.eventually(() -> !events("disconnect").isEmpty())).isTrue();
    assertThat(events("cancel")).isEmpty();
    assertThat(faults.ledger().effects()).isEmpty();
  }

  @Test
  void aHandshakeIsLeftToThoseWhoStillWaitForIt() throws Exception {
    faults.control("{\"init_delay_ms\":700}");
    FutureTask<Json> patient = new FutureTask<>(() -> faults.ok("read_ok", "{}"));
    Thread.ofVirtual().start(patient);
    RecordingExchange exchange = new RecordingExchange();
    long begin = System.nanoTime();
    Failure failure =
        interrupt(
            () -> faults.call("read_ok", "{}", exchange),
            () -> System.nanoTime() - begin > 200_000_000);
    assertThat(failure).isInstanceOf(Failure.NotSent.class);
    assertThat(exchange.events()).isEmpty();
    assertThat(patient.get(10, TimeUnit.SECONDS)).isNotNull();
    assertThat(events("cancel")).isEmpty();
    assertThat(events("initialize")).hasSize(1);
  }

  @Test
  void waitingForAConnectionEnds() throws Exception {
    Evidence evidence = new Evidence(new RecordingExchange());
    Sender.Outgoing get = new Sender.Outgoing("GET", Map.of(), null);
    try (ScriptedHttp http = new ScriptedHttp(_ -> ScriptedHttp.Said.stream(":"));
        Sender sender = new Sender(Faults.transport(http.url()), 1);
        Answer holding = sender.send(get, evidence)) {
      assertThat(holding.status()).isEqualTo(200);
      RecordingExchange exchange = new RecordingExchange();
      long begin = System.nanoTime();
      Failure failure =
          interrupt(
              () -> {
                try (Answer answer = sender.send(get, new Evidence(exchange))) {
                  throw new AssertionError("answered: " + answer.status());
                } catch (IOException e) {
                  return Reply.failed(WireFailures.of(e, false, 0));
                }
              },
              () -> System.nanoTime() - begin > 200_000_000);
      assertThat(failure).isInstanceOf(Failure.NotSent.class);
      assertThat(exchange.events()).isEmpty();
    }
  }

  @Test
  void connectingEnds() throws Exception {
    InetAddress here = InetAddress.ofLiteral("127.0.0.1");
    // Nobody accepts, and the queue is full: a further connection is never answered.
    try (ServerSocket full = new ServerSocket(0, 1, here)) {
      List<Socket> queue = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        Socket waiting = new Socket();
        queue.add(waiting);
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    waiting.connect(new InetSocketAddress(here, full.getLocalPort()));
                  } catch (IOException _) {
                    // The queue is full, which is the point.
                  }
                });
      }
      URI url = URI.create("http://127.0.0.1:" + full.getLocalPort() + "/mcp");
      try (StreamableHttpServer server = Faults.connect(Faults.transport(url))) {
        RecordingExchange exchange = new RecordingExchange();
        long begin = System.nanoTime();
        Failure failure =
            interrupt(
                () -> Faults.call(server, "read_ok", "{}", exchange),
                () -> System.nanoTime() - begin > 300_000_000);
        assertThat(failure).isInstanceOf(Failure.NotSent.class);
        assertThat(exchange.events()).isEmpty();
      }
      for (Socket waiting : queue) {
        waiting.close();
      }
    }
  }

  @Test
  void aTlsHandshakeEnds() throws Exception {
    // Takes the connection, and never says a word.
    try (ServerSocket silent = new ServerSocket(0, 10, InetAddress.ofLiteral("127.0.0.1"))) {
      URI url = URI.create("https://127.0.0.1:" + silent.getLocalPort() + "/mcp");
      try (Sender sender = new Sender(Faults.transport(url), 1)) {
        RecordingExchange exchange = new RecordingExchange();
        long begin = System.nanoTime();
        Failure failure =
            interrupt(
                () -> {
                  Sender.Outgoing get = new Sender.Outgoing("GET", Map.of(), null);
                  try (Answer answer = sender.send(get, new Evidence(exchange))) {
                    throw new AssertionError("answered: " + answer.status());
                  } catch (IOException e) {
                    return Reply.failed(WireFailures.of(e, false, 0));
                  }
                },
                () -> System.nanoTime() - begin > 500_000_000);
        assertThat(failure).isInstanceOf(Failure.NotSent.class);
        assertThat(exchange.events()).isEmpty();
      }
    }
  }

  @Test
  void aLateAnswerHarmsNobody() throws Exception {
    faults.ok("read_ok", "{}");
    for (String reply : List.of("json", "sse")) {
      for (int i = 0; i < 10; i++) {
        RecordingExchange exchange = new RecordingExchange();
        String late = "{\"delay_ms\":1000,\"reply\":\"" + reply + "\"}";
        interrupt(
            () -> faults.call("late_response", late, exchange), () -> exchange.timesSent() > 0);
      }
    }
    assertThat(faults.server.inFlight()).isZero();
    faults.ok("read_ok", "{}");
    assertThat(events("initialize")).hasSize(1);
  }

  private List<LedgerReport.Event> events(String kind) {
    try {
      return faults.ledger().events(kind);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private boolean called(String tool) {
    try {
      return !faults.ledger().callsOf(tool).isEmpty();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private static Failure interrupt(Callable<Reply<Json>> call, BooleanSupplier when)
      throws Exception {
    AtomicBoolean flag = new AtomicBoolean();
    FutureTask<Reply<Json>> task =
        new FutureTask<>(
            () -> {
              Reply<Json> reply = call.call();
              flag.set(Thread.currentThread().isInterrupted());
              return reply;
            });
    Thread thread = Thread.ofVirtual().start(task);
    assertThat(Faults.eventually(when)).isTrue();
    long begin = System.nanoTime();
    thread.interrupt();
    Reply<Json> reply = task.get(10, TimeUnit.SECONDS);
    long took = System.nanoTime() - begin;
    assertThat(Duration.ofNanos(took)).isLessThan(AT_ONCE);
    assertThat(flag).isTrue();
    return Faults.failure(reply);
  }
}

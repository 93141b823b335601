package dev.callbound.gateway.cases;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.callbound.gateway.cases.World.Way;
import dev.callbound.journal.CallRecord;
import dev.callbound.testkit.LedgerReport;
import dev.callbound.testkit.client.McpClient;
import dev.callbound.testkit.client.PendingCall;
import dev.callbound.testkit.client.Revision;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Results that are larger than anybody wants to carry. */
class LargeResultCasesTest {
  /** What a result may have unless the configuration says otherwise. */
  private static final int LIMIT = 8 << 20;

  private static final int FAR_TOO_LARGE = 9 << 20;

  @TempDir Path folder;

  /** How a result comes. */
  enum Form {
    JSON(Way.HTTP),
    SSE(Way.HTTP),
    LINE(Way.STDIO);

    private final Way way;

    Form(Way way) {
      this.way = way;
    }

    String arguments(int bytes, String as) {
      String reply = this == LINE ? "json" : name().toLowerCase(Locale.ROOT);
      return "{\"bytes\":%d,\"as\":\"%s\",\"reply\":\"%s\"}".formatted(bytes, as, reply);
    }
  }

  /** The limit counts the whole result, exactly. */
  @ParameterizedTest
  @EnumSource(Form.class)
  void aResultOfTheLimitPassesWholeAndOneByteMoreIsRefused(Form form) throws Exception {
    try (World world = World.of(folder, form.way, "deadline: 60s", "")) {
      McpClient client = world.client();
      for (String as : List.of("text", "image")) {
        int around = sizeOf(client.call("huge_result", form.arguments(1, as))) - 1;
        for (int size : List.of(LIMIT - 1, LIMIT)) {
          JsonNode answer = client.call("huge_result", form.arguments(size - around, as));
          assertThat(World.outcome(answer)).as("%s of %d bytes", as, size).isEqualTo("ok");
          assertThat(sizeOf(answer)).isEqualTo(size);
          assertThat(world.recorded("huge_result").ending().resultBytes()).isEqualTo(size);
        }
        JsonNode over = client.call("huge_result", form.arguments(LIMIT + 1 - around, as));
        assertThat(World.outcome(over)).isEqualTo("stopped/response_too_large");
        assertThat(World.text(over)).contains(String.valueOf(LIMIT + 1), String.valueOf(LIMIT));
      }
      assertThat(world.server().ledger().callsOf("huge_result")).hasSize(8);
      assertThat(world.server().ledger().events("initialize")).hasSize(1);
    }
  }

  /** Far over the limit: refused and not cut, not asked for again, and everything else goes on. */
  @ParameterizedTest
  @EnumSource(Form.class)
  void aResultFarOverTheLimitIsRefusedOnceAndDisturbsNothing(Form form) throws Exception {
    try (World world = World.of(folder, form.way, "deadline: 60s", "")) {
      McpClient client = world.client();
      PendingCall beside = client.begin("read_slow", "{\"delay_ms\":2000}");
      for (String as : List.of("text", "image")) {
        JsonNode answer = client.call("huge_result", form.arguments(FAR_TOO_LARGE, as));
        assertThat(World.outcome(answer)).isEqualTo("stopped/response_too_large");
        assertThat(World.text(answer)).contains(String.valueOf(LIMIT)).hasSizeLessThan(1_000);
      }
      JsonNode write =
          client.call(
              "write_huge_result",
              "{\"marker\":\"huge\",\"bytes\":%d,\"reply\":\"%s\"}"
                  .formatted(FAR_TOO_LARGE, form == Form.SSE ? "sse" : "json"));
      assertThat(World.outcome(write)).isEqualTo("unknown/response_too_large");
      assertThat(World.text(write)).contains("answered", "refused");

      assertThat(World.outcome(client.call("read_ok", "{}"))).isEqualTo("ok");
      assertThat(World.outcome(beside.await())).isEqualTo("ok");
      LedgerReport ledger = world.server().ledger();
      assertThat(ledger.callsOf("huge_result")).hasSize(2);
      assertThat(ledger.callsOf("read_slow")).hasSize(1);
      assertThat(ledger.callsMarked("huge")).hasSize(1);
      assertThat(ledger.effectsMarked("huge")).hasSize(1);
      assertThat(ledger.events("start")).hasSize(1);
      assertThat(ledger.events("initialize")).hasSize(1);
      for (CallRecord call : world.recorded("huge_result", 2)) {
        assertThat(world.attempt(call).end().failure().kind()).isEqualTo("too_large");
        assertThat(call.ending().detail()).contains("the limit is " + LIMIT);
      }
    }
  }

  /** A smaller limit of one's own, for one server. */
  @ParameterizedTest
  @EnumSource(Form.class)
  void theConfiguredLimitCounts(Form form) throws Exception {
    try (World world = World.of(folder, form.way, "deadline: 60s, max_result: 64KiB", "")) {
      McpClient client = world.client(Revision.V2026_07_28);
      int around = sizeOf(client.call("huge_result", form.arguments(1, "text"))) - 1;
      JsonNode fits = client.call("huge_result", form.arguments((64 << 10) - around, "text"));
      JsonNode over = client.call("huge_result", form.arguments((64 << 10) + 1 - around, "text"));

      assertThat(World.outcome(fits)).isEqualTo("ok");
      assertThat(World.outcome(over)).isEqualTo("stopped/response_too_large");
      assertThat(World.text(over)).contains("the limit is 65536");
    }
  }

  /** Twenty at once, in a gateway with no more memory than its launcher gives it. */
  @Test
  void twentyHugeResultsAtOnceFitIntoASmallHeap() throws Exception {
    Faults http = Faults.http(folder, "http");
    Faults stdio = Faults.stdio(folder, "stdio");
    Path config = World.file(folder, List.of(http, stdio), "deadline: 120s", "");
    try (http;
        GatewayProcess gateway = GatewayProcess.serve(folder, config, "-Xmx256m");
        McpClient client = McpClient.http(gateway.url()).connect()) {
      client.request("tools/list", "{}");
      List<PendingCall> calls = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        Form form = Form.values()[i % 3];
        String tool = form.way == Way.HTTP ? "http__huge_result" : "stdio__huge_result";
        calls.add(client.begin(tool, form.arguments(FAR_TOO_LARGE, "text")));
      }
      PendingCall small = client.begin("http__read_ok", "{}");

      assertThat(World.outcome(small.await())).isEqualTo("ok");
      for (PendingCall call : calls) {
        assertThat(World.outcome(call.await())).isEqualTo("stopped/response_too_large");
      }
      assertThat(gateway.process().isAlive()).isTrue();
      assertThat(World.outcome(client.call("stdio__read_ok", "{}"))).isEqualTo("ok");
      assertThat(http.ledger().callsOf("huge_result").size()).isEqualTo(14);
      assertThat(stdio.ledger().callsOf("huge_result").size()).isEqualTo(6);
    }
  }

  /** How large the result is on the wire: these servers write no white space. */
  private static int sizeOf(JsonNode answer) {
    return answer.path("result").toString().length();
  }
}

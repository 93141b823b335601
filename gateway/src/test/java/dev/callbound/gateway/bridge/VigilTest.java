package dev.callbound.gateway.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.callbound.gateway.LogLines;
import dev.callbound.gateway.config.RunConfig;
import dev.callbound.gateway.config.ServerConfig;
import dev.callbound.gateway.config.Stuck;
import dev.callbound.gateway.config.ToolConfig;
import dev.callbound.gateway.config.WhenStuck;
import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.gateway.run.Run;
import dev.callbound.gateway.run.Runs;
import dev.callbound.journal.CallRecord;
import dev.callbound.journal.EffectSource;
import dev.callbound.journal.Ids;
import dev.callbound.journal.JournalStore;
import dev.callbound.journal.sqlite.SqliteJournal;
import dev.callbound.policy.Effect;
import dev.callbound.policy.Failure;
import dev.callbound.policy.Recognition;
import dev.callbound.testkit.Eventually;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever goes wrong in one look, every attempt that is stuck is told of and ended. */
class VigilTest {
  private static final ServerConfig CONFIG =
      ServerConfig.standard(
          "one", new ServerConfig.Stdio("never-started", List.of(), Map.of(), null, Duration.ZERO));

  @TempDir Path folder;

  private final InstantSource clock = InstantSource.system();
  private final Ids ids = new Ids(clock);
  private final Cancellation cancellation = new Cancellation();
  private final List<JsonObject> alerts = new CopyOnWriteArrayList<>();
  private JournalStore journal;
  private Order order;

  @BeforeEach
  void start() {
    journal = SqliteJournal.open(folder.resolve("journal.db"), clock);
    order = order();
  }

  @AfterEach
  void stop() {
    journal.close();
  }

  @Test
  void aLookThatFailsLeavesNoAttemptUnwatched() throws Exception {
    try (LogLines log = LogLines.of(Vigil.class);
        Vigil vigil = new Vigil(journal, clock, alerts::add);
        Vigil.Watch _ = vigil.watch(order, 1, new Shown(1), cancellation);
        Vigil.Watch _ = vigil.watch(order, 2, new Shown(0), new Cancellation())) {
      vigil.look();

      assertThat(alerts).extracting(VigilTest::attempt).containsExactly("2");
      assertThat(log.troubles())
          .filteredOn(line -> line.startsWith("SEVERE"))
          .singleElement()
          .asString()
          .contains(order.record().id(), "seen=failed_unexpectedly");

      vigil.look();

      assertThat(alerts).extracting(VigilTest::attempt).containsExactly("2", "1");
      assertThat(cancellation.by()).isEqualTo(Failure.Cancelled.By.STUCK);
    }
  }

  @Test
  void itGoesOnLookingAfterALookThatFailed() throws Exception {
    try (Vigil vigil = new Vigil(journal, clock, alerts::add);
        Vigil.Watch _ = vigil.watch(order, 1, new Shown(1), cancellation)) {
      vigil.start();

      assertThat(Eventually.holds(() -> alerts.size() == 1)).isTrue();
    }
  }

  @Test
  void anAttemptOfWhichNothingCanBeRecordedIsToldOfAndEndedAllTheSame() {
    journal.close();
    try (Vigil vigil = new Vigil(journal, clock, alerts::add);
        Vigil.Watch _ = vigil.watch(order, 1, new Shown(0), cancellation)) {
      vigil.look();
      vigil.look();

      assertThat(alerts).hasSize(1);
      assertThat(cancellation.by()).isEqualTo(Failure.Cancelled.By.STUCK);
    }
  }

  @Test
  void anAttemptOfWhichNobodyCanBeToldIsEndedAllTheSame() {
    Alerts failing =
        alert -> {
          throw new IllegalStateException("nobody is there");
        };
    try (Vigil vigil = new Vigil(journal, clock, failing);
        Vigil.Watch _ = vigil.watch(order, 1, new Shown(0), cancellation)) {
      vigil.look();

      assertThat(cancellation.by()).isEqualTo(Failure.Cancelled.By.STUCK);
    }
  }

  private static String attempt(JsonObject alert) {
    return String.valueOf(alert.get("attempt"));
  }

  /** What a watch is shown: nothing before the attempt, then failures, then an attempt. */
  private static final class Shown implements Supplier<@Nullable Live> {
    private final Live live = new Live(Live.Asker.NOBODY, AttemptsTest.CALLER, 1_000, Map.of());
    private final int failures;
    private int times;

    Shown(int failures) {
      this.failures = failures;
    }

    @Override
    public @Nullable Live get() {
      int before = times++;
      if (before > 0 && before <= failures) {
        throw new IllegalStateException("this look fails");
      }
      return before == 0 ? null : live;
    }
  }

  private Order order() {
    RunConfig config = new RunConfig(Duration.ofHours(2), 5, null, Duration.ofMinutes(30));
    Run run =
        new Runs(config, journal, ids, new Cancellation(), clock)
            .open("me", "agent", null, null, null);
    CallRecord record =
        new CallRecord(
            ids.call(),
            run.id(),
            null,
            "one",
            "act",
            Effect.WRITE,
            EffectSource.DEFAULT,
            Recognition.NONE,
            null,
            null,
            "sha256:0",
            null,
            clock.instant(),
            null,
            null);
    ServerTools tools =
        new ServerTools(
            CONFIG,
            new ScriptedServer(_ -> ScriptedServer.answered("{}")),
            Gates.unremembered(CONFIG, new Cancellation()),
            KnownTools.NOTHING,
            clock);
    return new Order(
        tools,
        "act",
        stuckAtOnce(ToolConfig.standard()),
        JsonObject.EMPTY,
        AttemptsTest.CALLER,
        Map.of(),
        run,
        record,
        null);
  }

  private static ToolConfig stuckAtOnce(ToolConfig standard) {
    return new ToolConfig(
        standard.effect(),
        standard.deadline(),
        standard.callDeadline(),
        standard.attempts(),
        standard.stall(),
        standard.record(),
        standard.mask(),
        standard.target(),
        standard.repeats(),
        standard.recognise(),
        standard.lateWindow(),
        standard.settleFor(),
        standard.price(),
        standard.waiting(),
        new Stuck(Duration.ofNanos(1), WhenStuck.CANCEL),
        standard.circuit(),
        standard.from());
  }
}

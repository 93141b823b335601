package dev.callbound.gateway;

import dev.callbound.gateway.bridge.Alerts;
import dev.callbound.gateway.bridge.Bridge;
import dev.callbound.gateway.bridge.GatewayBridge;
import dev.callbound.gateway.config.Config;
import dev.callbound.gateway.door.CallsPort;
import dev.callbound.gateway.door.CircuitsPort;
import dev.callbound.gateway.door.RunsPort;
import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.gateway.run.Expectations;
import dev.callbound.gateway.run.Outputs;
import dev.callbound.gateway.run.Runs;
import dev.callbound.gateway.upstream.UpstreamServer;
import dev.callbound.gateway.upstream.http.UrlLook;
import dev.callbound.gateway.upstream.http.Webhook;
import dev.callbound.journal.Ids;
import dev.callbound.journal.JournalReader;
import dev.callbound.journal.JournalStore;
import dev.callbound.journal.OutputRecord;
import dev.callbound.journal.Recovery;
import dev.callbound.journal.sqlite.SqliteJournal;
import dev.callbound.policy.Money;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** All that stands behind the doors. Thread-safe. */
final class Engine implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Engine.class.getName());

  private final JournalStore journal;
  private final List<UpstreamServer> servers;
  private final GatewayBridge bridge;
  private final RunsPort runs;
  private final CallsPort calls;
  private final CircuitsPort circuits;
  private final Housekeeping housekeeping;
  private final Outputs outputs;
  private final @Nullable Webhook webhook;

  private Engine(Config config, JournalStore journal, InstantSource clock) {
    this.journal = journal;
    JournaledProcesses processes = new JournaledProcesses(journal);
    processes.cleanUp();
    Ids ids = new Ids(clock);
    Runs all = new Runs(config.run(), journal, ids, SystemTime.INSTANCE, clock);
    this.webhook = config.alerts() == null ? null : new Webhook(config.alerts());
    Alerts alerts = webhook == null ? Alerts.NONE : webhook::post;
    this.servers = Servers.of(config, processes);
    this.bridge =
        new GatewayBridge(config, servers, all, journal, ids, SystemTime.INSTANCE, clock, alerts);
    bridge.takeUp();
    this.outputs =
        new Outputs(
            journal,
            clock,
            url -> UrlLook.at(url, config.expect().addresses(url)),
            missing -> tell(missing, alerts));
    this.runs =
        new RunsForPrograms(
            all,
            journal,
            new Expectations(config.expect(), config.servers().keySet()),
            outputs,
            config.run());
    outputs.start();
    this.calls = new CallsForPrograms(bridge.unknowns(), bridge.approvals(), journal, clock);
    this.circuits = new CircuitsForPrograms(bridge.gates());
    this.housekeeping =
        Housekeeping.start(all, bridge.gates(), journal, config.journal().retention(), clock);
  }

  /**
   * Opens the journal, ends what a dead gateway left open, and connects everything. No server is
   * reached before it is needed.
   *
   * @throws dev.callbound.journal.JournalException if the journal can't be opened
   */
  static Engine start(Config config) {
    config.warnings().forEach(warning -> LOG.log(Level.WARNING, "config: {0}", warning));
    InstantSource clock = InstantSource.system();
    JournalStore journal = SqliteJournal.open(config.journal().file(), clock);
    try {
      tell(journal.recovery());
      Money most = config.run().spend();
      if (most != null) {
        // Whoever lowers it means the runs that burn money now.
        journal.limitSpend(most);
      }
      return new Engine(config, journal, clock);
    } catch (RuntimeException e) {
      journal.close();
      throw e;
    }
  }

  private static void tell(OutputRecord missing, Alerts alerts) {
    String detail = missing.detail() == null ? "" : missing.detail();
    LOG.log(
        Level.WARNING,
        "run={0} output={1} missing=yes {2}",
        missing.run(),
        missing.output(),
        detail);
    alerts.raise(
        JsonObject.of("kind", Json.text("output_missing"))
            .with("at", Json.text(missing.since().toString()))
            .with("run", Json.text(missing.run()))
            .with("output", Json.text(missing.output()))
            .with("detail", Json.text(detail)));
  }

  private static void tell(Recovery recovery) {
    if (recovery.calls() > 0 || recovery.runsEnded() > 0) {
      LOG.log(
          recovery.unknown() > 0 ? Level.WARNING : Level.INFO,
          "recovered ok={0} stopped={1} unknown={2} runs_ended={3}",
          recovery.ok(),
          recovery.stopped(),
          recovery.unknown(),
          recovery.runsEnded());
    }
  }

  Bridge bridge() {
    return bridge;
  }

  RunsPort runs() {
    return runs;
  }

  CallsPort calls() {
    return calls;
  }

  CircuitsPort circuits() {
    return circuits;
  }

  /** Leaves word beside the journal of where the door is. */
  void announce(URI url) {
    journal.announce(url.toString());
  }

  JournalReader journal() {
    return journal;
  }

  /** Takes nothing new, and waits for what is in flight, which after the grace is cancelled. */
  void stop(Duration grace) {
    try {
      bridge.stop(grace);
    } catch (InterruptedException e) {
      // Whoever interrupts wants the end sooner; what is open is ended when the journal next opens.
      Thread.currentThread().interrupt();
    }
  }

  /** Ends the servers, and last of all the journal. */
  @Override
  public void close() {
    housekeeping.close();
    outputs.close();
    if (webhook != null) {
      webhook.close();
    }
    Servers.close(servers);
    journal.close();
  }
}

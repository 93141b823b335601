package dev.callbound.gateway.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.callbound.gateway.Servers;
import dev.callbound.gateway.bridge.ProviderCheck;
import dev.callbound.gateway.config.Config;
import dev.callbound.gateway.config.ConfigLoader;
import dev.callbound.gateway.config.ServerConfig;
import dev.callbound.gateway.upstream.UpstreamServer;
import dev.callbound.gateway.upstream.stdio.ProcessLedger;
import dev.callbound.journal.CallRecord;
import dev.callbound.journal.Ending;
import dev.callbound.journal.Ids;
import dev.callbound.journal.JournalReader;
import dev.callbound.journal.OutcomeCounts;
import dev.callbound.journal.RunRecord;
import dev.callbound.journal.RunState;
import dev.callbound.journal.SettleResult;
import dev.callbound.journal.SettledBy;
import dev.callbound.journal.Settlement;
import dev.callbound.journal.Settling;
import dev.callbound.journal.sqlite.SqliteJournal;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code callbound settle}. */
@Command(
    name = "settle",
    header = "Say whether a write that is unknown took effect, or have its server asked.",
    description = {
      "",
      "Look at the server first: callbound show CALL says what to look for. What you say is recorded",
      "with your name and the time, and stands: the call is ok from then on, or stopped, and a run",
      "that was unknown for nothing but it becomes what it would have been.",
      "",
      "With neither --landed nor --not-landed the server is asked, by the check that the config or a",
      "profile has for the tool. Then the whole config is needed.",
      "",
      "Works while a gateway is running, and without one.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  callbound unknown                           what is in doubt",
      "  callbound settle c_01kbdq2xb8 -c callbound.yaml    asks the server",
      "  callbound settle c_01kbdq2xb8 --landed      it took effect",
      "  callbound settle c_01kbdq2xb8 --not-landed --note 'no such issue, see #12'"
    })
final class SettleCommand implements Callable<Integer> {
  private static final int LONGEST_NOTE = 1_000;

  @Parameters(
      index = "0",
      paramLabel = "CALL",
      description = "Its id, or as much of its beginning as tells it from others.")
  private String id = "";

  @Option(names = "--landed", description = "It took effect.")
  private boolean landed;

  @Option(
      names = "--not-landed",
      description = "It did not, and will not: the same call may then be made again.")
  private boolean notLanded;

  @Option(
      names = "--note",
      paramLabel = "TEXT",
      description = "How you know, for whoever reads the record; 1000 characters at most.")
  private @Nullable String note;

  @Option(
      names = "--mcp-config",
      paramLabel = "FILE",
      description =
          "To have the server asked: the mcpServers JSON file that tells how to reach it.")
  private @Nullable Path mcpConfig;

  @Mixin private JournalOptions journal = new JournalOptions();
  @Mixin private OutputOptions output = new OutputOptions();

  @Spec private @Nullable CommandSpec spec;

  /** For picocli. */
  SettleCommand() {}

  @Override
  public Integer call() {
    requireSense();
    List<Path> files = journal.files();
    try (JournalReader reader = JournalOptions.open(files)) {
      CallRecord call = callNamed(reader);
      Settling settling = landed || notLanded ? settling(call.id()) : learnt(reader, call);
      SettleResult result =
          SqliteJournal.settleBeside(JournalOptions.fileOf(call.id(), files), settling);
      CallRecord now = reader.call(call.id()).orElse(call);
      switch (result) {
        case SETTLED, ALREADY -> tell(reader, now, result);
        case DIVERGENT, NOT_UNKNOWN, OPEN, NO_SUCH_CALL ->
            throw new CommandFailedException(complaint(now, result));
      }
    }
    return ExitCode.OK;
  }

  private void requireSense() {
    if (landed && notLanded) {
      throw usage("either --landed or --not-landed: a call can't be both");
    }
    if (!landed && !notLanded && note != null) {
      throw usage("--note goes with --landed or --not-landed");
    }
    if (note != null && note.length() > LONGEST_NOTE) {
      throw usage("--note takes %d characters at most: %d".formatted(LONGEST_NOTE, note.length()));
    }
  }

  private ParameterException usage(String message) {
    return new ParameterException(Program.of(spec), message);
  }

  private CallRecord callNamed(JournalReader reader) {
    if (id.strip().toLowerCase(Locale.ROOT).startsWith(Ids.RUN)) {
      throw new CommandFailedException(
          "%s is a run, and what is settled is a call: callbound show %s lists its calls"
              .formatted(id, id));
    }
    String whole = TypedId.whole(reader, id);
    return reader.call(whole).orElseThrow(() -> new CommandFailedException("there is no " + whole));
  }

  private Settling settling(String call) {
    return Settling.without(
        call,
        landed ? Ending.Status.OK : Ending.Status.STOPPED,
        landed
            ? "a person found that it took effect"
            : "a person found that it did not take effect",
        SettledBy.PERSON,
        System.getProperty("user.name"),
        note == null || note.isBlank() ? null : note.strip(),
        Instant.now());
  }

  /** What the server says itself. */
  private Settling learnt(JournalReader reader, CallRecord call) {
    Ending ending = call.ending();
    if (ending == null || ending.status() != Ending.Status.UNKNOWN) {
      throw new CommandFailedException(
          complaint(call, ending == null ? SettleResult.OPEN : SettleResult.NOT_UNKNOWN));
    }
    ProviderCheck.Learnt learnt =
        reader
            .resend(call.id())
            .map(resend -> ask(call, resend))
            .orElseGet(() -> new ProviderCheck.Learnt.Nothing("its arguments were not kept"));
    return switch (learnt) {
      case ProviderCheck.Learnt.Known(Settling settling) -> settling;
      case ProviderCheck.Learnt.Nothing(String why) ->
          throw new CommandFailedException(
              "%s is still unknown, its server does not tell: %s. Look yourself, and say --landed or --not-landed"
                  .formatted(call.id(), why));
    };
  }

  private ProviderCheck.Learnt ask(CallRecord call, String resend) {
    Config config = new ConfigLoader(System.getenv()).load(journal.config(), mcpConfig);
    // No ledger: what is started here ends with this command.
    List<UpstreamServer> servers = Servers.of(config, ProcessLedger.NONE);
    try {
      for (UpstreamServer server : servers) {
        ServerConfig bounds = config.servers().get(server.name());
        if (bounds != null && server.name().equals(call.server())) {
          return new ProviderCheck(bounds, server, config.secrets(), InstantSource.system())
              .ask(call, resend, System.getProperty("user.name"));
        }
      }
      return new ProviderCheck.Learnt.Nothing("the config has no server " + call.server());
    } finally {
      Servers.close(servers);
    }
  }

  private String complaint(CallRecord call, SettleResult result) {
    Ending ending = call.ending();
    Settlement settled = call.settled();
    if (ending == null || result == SettleResult.OPEN) {
      return call.id()
          + " has not ended yet, so there is nothing to settle. If no gateway is running, the next"
          + " start on this journal takes it up";
    }
    if (settled == null) {
      return "%s is not in doubt: it ended %s at %s, and nothing was changed"
          .formatted(call.id(), outcome(ending), Times.local().whole(ending.endedAt()));
    }
    return "%s was settled as %s at %s, %s. That stands; what you say is recorded beside it"
        .formatted(
            call.id(),
            outcome(ending),
            Times.local().whole(settled.at()),
            AfterwardsView.by(settled.by(), settled.who()));
  }

  private static String outcome(Ending ending) {
    String status = ending.status().code();
    return ending.reason() == null ? status : status + " (" + ending.reason().code() + ")";
  }

  private void tell(JournalReader reader, CallRecord call, SettleResult result) {
    CallHistory history = CallHistory.of(reader, call);
    OutcomeCounts outcomes = reader.outcomes(call.run());
    RunRecord run = history.run();
    output.print(
        Program.of(spec),
        () -> {
          ObjectNode json = RecordJson.call(call);
          json.put("settling", result.name().toLowerCase(Locale.ROOT));
          if (run != null) {
            json.put("run_state", run.state().code());
          }
          return json;
        },
        screen -> show(screen, history, outcomes, result));
  }

  private static void show(
      Screen screen, CallHistory history, OutcomeCounts outcomes, SettleResult result) {
    CallRecord call = history.call();
    RunRecord run = history.run();
    String what = Text.line(call.tool()) + " on " + Text.line(call.server());
    Ending ending = call.ending();
    Settlement settled = call.settled();
    if (ending == null || settled == null) {
      return;
    }
    String status = ending.status().code();
    boolean ok = ending.status() == Ending.Status.OK;
    String took = ok ? "took effect" : "did not take effect";
    if (result == SettleResult.ALREADY) {
      screen.paragraph(
          "%s %s: so it was already settled at %s, %s."
              .formatted(
                  what,
                  took,
                  screen.times().whole(settled.at()),
                  AfterwardsView.by(settled.by(), settled.who())),
          "");
      return;
    }
    screen.line(
        "%s %s. %s is now %s."
            .formatted(what, took, call.id(), screen.outcome(status).apply(outcome(ending))));
    for (CallRecord other : Arrays.asList(history.followed(), history.follower())) {
      if (other != null && isSettledWith(other, settled)) {
        screen.line("So is " + other.id() + ", which meant the same.");
      }
    }
    if (!ok) {
      screen.line("The same call may be made again.");
    }
    if (run != null) {
      screen.line(ofRun(screen, run, outcomes));
    }
  }

  private static boolean isSettledWith(CallRecord other, Settlement settled) {
    Settlement its = other.settled();
    return its != null && its.at().equals(settled.at()) && its.by() == settled.by();
  }

  private static String ofRun(Screen screen, RunRecord run, OutcomeCounts outcomes) {
    String name = run.name() == null ? run.id() : Text.line(run.name());
    if (outcomes.unknown() > 0) {
      return "Its run, %s, still has %s in doubt."
          .formatted(name, Text.count(outcomes.unknown(), "call"));
    }
    String state = run.state().code();
    return run.state() == RunState.RUNNING
        ? "Nothing else in its run, %s, is in doubt.".formatted(name)
        : "Its run, %s, is now %s.".formatted(name, screen.outcome(state).apply(state));
  }
}

package dev.callbound.gateway.cli;

import static java.nio.file.StandardOpenOption.APPEND;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.callbound.journal.CallRecord;
import dev.callbound.journal.JournalReader;
import dev.callbound.journal.RunRecord;
import dev.callbound.journal.RunState;
import dev.callbound.journal.sqlite.SqliteJournal;
import dev.callbound.policy.Money;
import dev.callbound.testkit.FaultServer;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code exec} as a process, with real commands. */
class ExecCommandTest {
  /** Tells the processes of this test from all others. */
  private final String seconds = "3600." + System.nanoTime();

  @TempDir Path folder;
  private FaultServer faults;

  @BeforeEach
  void configure() throws IOException {
    faults = FaultServer.http().start();
    Files.writeString(
        folder.resolve("callbound.yaml"),
        """
        servers: {faults: {url: %s, deadline: 1s, late_window: 0s}}
        listen: {address: 127.0.0.1:0}
        journal: {file: callbound.db}
        """
            .formatted(faults.url()));
  }

  @AfterEach
  void leaveNothing() {
    left().forEach(ProcessHandle::destroyForcibly);
    faults.close();
  }

  private List<ProcessHandle> left() {
    return ProcessHandle.allProcesses()
        .filter(
            process ->
                process
                    .info()
                    .arguments()
                    .filter(arguments -> String.join(" ", arguments).contains(seconds))
                    .isPresent())
        .toList();
  }

  @Test
  void aCommandFindsWhatItNeedsToReachItsRunAndNothingElseIsPrinted() throws Exception {
    try (ProgramProcess program =
        exec(
            "sh",
            "-c",
            "echo $CALLBOUND_RUN; echo $CALLBOUND_URL; echo $CALLBOUND_MCP_CONFIG;"
                + " tr -d '\\n' < \"$1\"; echo; echo $2",
            "sh",
            "{mcp_config}",
            "--one={mcp_config},{mcp_config}")) {
      String run = program.line();
      String url = program.line();
      String file = program.line();
      JsonNode server = new ObjectMapper().readTree(program.line()).at("/mcpServers/callbound");
      assertThat(program.line()).isEqualTo("--one=" + file + "," + file);

      assertThat(program.exitCode()).isZero();
      assertThat(program.err()).isEmpty();
      assertThat(url).matches("http://127\\.0\\.0\\.1:\\d+/mcp");
      assertThat(server.path("url").asText()).isEqualTo(url);
      assertThat(server.path("type").asText()).isEqualTo("http");
      assertThat(server.at("/headers/Callbound-Run").asText()).isEqualTo(run);
      assertThat(Path.of(file).getParent()).doesNotExist();
      RunRecord recorded = run();
      assertThat(recorded.id()).isEqualTo(run);
      assertThat(recorded.client()).isEqualTo("exec sh");
      assertThat(recorded.state()).isEqualTo(RunState.DONE);
      assertThat(recorded.endedBecause()).isEqualTo("its command ended with status 0");
    }
  }

  @Test
  void anAgentWorksWithinTheRun() throws Exception {
    try (ProgramProcess program = exec(agent("write_ok", "{\"marker\":\"night\"}"))) {
      assertThat(program.exitCode()).isZero();
      assertThat(faults.ledger().effectsMarked("night")).hasSize(1);
      assertThat(callsOf(run())).extracting(CallRecord::tool).containsExactly("write_ok");
    }
  }

  @Test
  void aWriteInDoubtIsNotOverlooked() throws Exception {
    try (ProgramProcess program = exec(agent("write_then_hang", "{\"marker\":\"night\"}"))) {
      assertThat(program.exitCode()).isEqualTo(75);
      assertThat(program.err().lines().toList())
          .hasSizeLessThanOrEqualTo(10)
          .allMatch(line -> line.startsWith("callbound: "))
          .anyMatch(line -> line.contains("unknown after"))
          .anyMatch(line -> line.matches(".*in doubt: c_\\w+ faults write_then_hang, timed_out"))
          .anyMatch(line -> line.contains("callbound show " + run().id()));
    }
  }

  @Test
  void theStatusOfTheCommandIsItsOwn() throws Exception {
    try (ProgramProcess program = exec("sh", "-c", "exit 3")) {
      assertThat(program.exitCode()).isEqualTo(3);
      assertThat(program.err()).contains("the command ended with status 3", "no calls");
    }
  }

  /** A shell that starts children, all of which ignore TERM. */
  @Test
  void nothingIsLeftAfterTheDeadline() throws Exception {
    String stubborn = "trap '' TERM HUP INT; ";
    String child = "(" + stubborn + "sleep " + seconds + ") & ";
    String orphan = "(" + stubborn + "(" + stubborn + "sleep " + seconds + ") & ) ; ";
    try (ProgramProcess program =
        exec(
            List.of("--deadline", "2s"),
            "sh",
            "-c",
            stubborn + child + child + orphan + "sleep " + seconds + "; sleep " + seconds)) {
      assertThat(program.exitCode()).isEqualTo(124);
      assertThat(left()).isEmpty();
      assertThat(run().state()).isEqualTo(RunState.EXPIRED);
      assertThat(program.err()).contains("its deadline passed, and the command was ended");
    }
  }

  @Test
  void whatTheCommandLeavesRunningEndsWithIt() throws Exception {
    try (ProgramProcess program = exec("sh", "-c", "sleep " + seconds + " & echo begun")) {
      assertThat(program.exitCode()).isZero();
      assertThat(left()).isEmpty();
    }
  }

  @Test
  void signalsAndInputArePassedOn() throws Exception {
    try (ProgramProcess program =
        exec(
            "sh",
            "-c",
            "trap 'echo asked; exit 7' TERM; read line; echo $line; while :; do sleep 0.05; done")) {
      program.process().getOutputStream().write("hello\n".getBytes(StandardCharsets.US_ASCII));
      program.process().getOutputStream().flush();
      assertThat(program.line()).isEqualTo("hello");

      program.terminate();

      assertThat(program.line()).isEqualTo("asked");
      assertThat(program.exitCode()).isEqualTo(7);
      assertThat(run().state()).isEqualTo(RunState.DONE);
    }
  }

  @Test
  void aCommandThatASignalEndsHasTheStatusThatAShellGivesIt() throws Exception {
    try (ProgramProcess program = exec("sh", "-c", "echo begun; exec sleep " + seconds)) {
      assertThat(program.line()).isEqualTo("begun");

      new ProcessBuilder("kill", "-INT", Long.toString(program.process().pid())).start().waitFor();

      assertThat(program.exitCode()).isEqualTo(128 + 2);
      assertThat(left()).isEmpty();
    }
  }

  @Test
  void aCommandLineThatMakesNoSenseIsNoStatusOfTheCommands() {
    assertThat(Invocation.of("exec").exitCode()).isEqualTo(125);
    assertThat(Invocation.of("exec", "--retries", "x", "--", "true").exitCode()).isEqualTo(125);
    assertThat(Invocation.of("runs", "--retries", "x").exitCode()).isEqualTo(2);
  }

  @Test
  void theGatewayThatServesTheJournalIsUsed() throws Exception {
    try (ProgramProcess serving = ProgramProcess.start(folder, "serve")) {
      String url = serving.line().substring("callbound: ".length());
      try (ProgramProcess program = exec("sh", "-c", "echo $CALLBOUND_URL")) {
        assertThat(program.line()).isEqualTo(url);
        assertThat(program.exitCode()).isZero();
      }
      assertThat(serving.process().isAlive()).isTrue();
      assertThat(run().state()).isEqualTo(RunState.DONE);
    }
  }

  /** Two at once would do the same steps, and the first to end would end the run of both. */
  @Test
  void oneCommandAtATimeWorksInANamedRun() throws Exception {
    List<String> night = List.of("--name", "night");
    try (ProgramProcess serving = ProgramProcess.start(folder, "serve")) {
      serving.line();
      try (ProgramProcess first = exec(night, "sh", "-c", "echo begun; exec sleep " + seconds)) {
        assertThat(first.line()).isEqualTo("begun");
        try (ProgramProcess second = exec(night, "echo", "too")) {
          assertThat(second.exitCode()).isEqualTo(125);
          assertThat(second.err()).contains("another callbound exec works in the run night");
          assertThat(second.line()).isEmpty();
        }
        assertThat(run().state()).isEqualTo(RunState.RUNNING);
        first.process().destroyForcibly().waitFor();
      }
      try (ProgramProcess again = exec(night, "echo", "again")) {
        assertThat(again.line()).isEqualTo("again");
        assertThat(again.exitCode()).isZero();
      }
      assertThat(run().state()).isEqualTo(RunState.DONE);
    }
  }

  /** The next journal would not know the run, nor what was done in it. */
  @Test
  void aNamedRunIsInOneJournal() throws Exception {
    try (ProgramProcess first = exec("sh", "-c", "echo begun; exec sleep " + seconds)) {
      assertThat(first.line()).isEqualTo("begun");
      try (ProgramProcess second = exec(List.of("--name", "night"), "echo", "too")) {
        assertThat(second.exitCode()).isEqualTo(125);
        assertThat(second.err()).contains("another process", "callbound.db");
      }
    }
  }

  /** Somebody cancels the run from elsewhere. */
  @Test
  void theEndOfTheRunEndsTheCommand() throws Exception {
    try (ProgramProcess serving = ProgramProcess.start(folder, "serve")) {
      String url = serving.line().substring("callbound: ".length());
      try (ProgramProcess program =
          exec("sh", "-c", "echo $CALLBOUND_RUN; exec sleep " + seconds)) {
        try (RunsApi api = new RunsApi(URI.create(url), null)) {
          api.cancel(program.line(), "wrong branch");
        }

        assertThat(program.exitCode()).isEqualTo(143);
        assertThat(program.err()).contains("the run was ended");
        assertThat(left()).isEmpty();
      }
    }
  }

  /** The command ends all the same, and nothing says that all was well. */
  @Test
  void aGatewayThatDiesMeanwhileIsSaid() throws Exception {
    try (ProgramProcess serving = ProgramProcess.start(folder, "serve")) {
      String url = serving.line().substring("callbound: ".length());
      try (ProgramProcess program = exec("sh", "-c", "echo begun; read line; exit 0")) {
        assertThat(program.line()).isEqualTo("begun");
        serving.process().destroyForcibly().waitFor();
        program.process().getOutputStream().close();

        assertThat(program.exitCode()).isEqualTo(125);
        assertThat(program.err())
            .contains("running after", "the command ended with status 0")
            .contains("the run could not be ended: the gateway at " + url + " does not answer")
            .doesNotContain("\tat ");
      }
    }
  }

  @Test
  void aNamedRunThatIsOverIsNotBegunAgain() throws Exception {
    try (ProgramProcess first = exec(List.of("--name", "night"), "true")) {
      assertThat(first.exitCode()).isZero();
    }
    try (ProgramProcess second = exec(List.of("--name", "night"), "true")) {
      assertThat(second.exitCode()).isEqualTo(125);
      assertThat(second.err()).contains("run night, r_", "is over", "take another");
    }
  }

  @Test
  void whatIsMissingInTheEndIsSaid() throws Exception {
    try (ProgramProcess program =
        exec(
            List.of("--expect", "file:report.md", "--expect", "file:other.md"),
            "sh",
            "-c",
            "echo done > report.md")) {
      assertThat(program.exitCode()).isZero();
      assertThat(program.err())
          .contains("missing: file:" + folder.toRealPath().resolve("other.md"))
          .contains("there is no such file")
          .doesNotContain("report.md");
    }
    Invocation show =
        Invocation.of("show", run().id(), "--journal", folder.resolve("callbound.db").toString());
    assertThat(show.out()).contains("report.md, there since", "other.md, missing: there is no");
  }

  @Test
  void aCommandThatIsNotThereIsNamed() throws Exception {
    try (ProgramProcess program = exec("no-such-program")) {
      assertThat(program.exitCode()).isEqualTo(127);
      assertThat(program.err())
          .contains("can't start no-such-program", "PATH")
          .doesNotContain("\tat ");
      assertThat(run().state()).isEqualTo(RunState.CANCELLED);
    }
  }

  @Test
  void itCanSpendNoMoreThanItIsAllowed() throws Exception {
    Files.writeString(folder.resolve("callbound.yaml"), "defaults: {price: 0.02}\n", APPEND);
    try (ProgramProcess program =
        exec(List.of("--spend", "0.01"), agent("write_ok", "{\"marker\":\"dear\"}"))) {
      assertThat(program.exitCode()).isZero();
      assertThat(program.line()).contains("has spent 0.00 of the 0.01 that it may spend");
      assertThat(program.err()).contains("1 call stopped, for there was nothing left");
      assertThat(faults.ledger().callsMarked("dear")).isEmpty();
      assertThat(run().spendLimit()).isEqualTo(Money.parse("0.01"));
    }
  }

  @Test
  void whatTheGatewayRefusesIsSaid() throws Exception {
    try (ProgramProcess program = exec(List.of("--deadline", "9h"), "true")) {
      assertThat(program.exitCode()).isEqualTo(125);
      assertThat(program.err()).contains("run.deadline");
    }
  }

  private ProgramProcess exec(String... command) throws IOException {
    return exec(List.of(), command);
  }

  private ProgramProcess exec(List<String> options, String... command) throws IOException {
    List<String> arguments = new ArrayList<>(List.of("exec"));
    arguments.addAll(options);
    arguments.add("--");
    arguments.addAll(List.of(command));
    return ProgramProcess.start(folder, arguments.toArray(String[]::new));
  }

  private static String[] agent(String tool, String arguments) {
    return new String[] {
      Path.of(System.getProperty("java.home"), "bin", "java").toString(),
      "-XX:TieredStopAtLevel=1",
      "-cp",
      System.getProperty("java.class.path"),
      ExecAgent.class.getName(),
      tool,
      arguments
    };
  }

  private RunRecord run() {
    return read(journal -> journal.runs(EnumSet.allOf(RunState.class), 10).getFirst());
  }

  private List<CallRecord> callsOf(RunRecord run) {
    return read(journal -> journal.callsOf(run.id(), 10));
  }

  private <T> T read(Function<JournalReader, T> question) {
    try (JournalReader journal = SqliteJournal.openReadOnly(folder.resolve("callbound.db"))) {
      return question.apply(journal);
    }
  }
}

package dev.callbound.gateway.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.callbound.journal.JournalStore;
import dev.callbound.journal.sqlite.SqliteJournal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The commands that read the journal. */
class RecordCommandsTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir Path folder;
  private String journal = "";

  @BeforeEach
  void fillTheJournal() {
    journal = SampleJournal.in(folder).toString();
  }

  @Test
  void runsAreListedWithHowTheirCallsEnded() {
    Invocation runs = Invocation.of("runs", "--journal", journal);

    assertThat(runs.exitCode()).isZero();
    assertThat(runs.lines()).hasSize(2);
    assertThat(runs.lines().getFirst())
        .matches("RUN +STATE +STARTED +TOOK +OK +STOPPED +UNKNOWN +OPEN +NAME OR CLIENT");
    // A run with a call in doubt is unknown, whatever its client said.
    assertThat(runs.lines().get(1))
        .matches(
            "r_01kbdq2x4m +unknown +\\w{3} \\d\\d \\d\\d:\\d\\d +3 m 20 s +1 +1 +1 +· +nightly");
  }

  @Test
  void runsCanBeChosenByTheirState() {
    assertThat(Invocation.of("runs", "--journal", journal, "--state", "unknown,done").out())
        .contains("nightly");
    assertThat(Invocation.of("runs", "--journal", journal, "--state", "running").out())
        .isEqualToIgnoringNewLines("No runs.");
  }

  @Test
  void aStateThatDoesNotExistIsNamedWithThoseThatDo() {
    Invocation runs = Invocation.of("runs", "--journal", journal, "--state", "ended");

    assertThat(runs.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(runs.err()).contains("ended", "running, done, stopped, cancelled, expired, unknown");
  }

  @Test
  void aRunIsShownWithItsCallsAndWhatIsInDoubt() {
    Invocation show = Invocation.of("show", "r_01kb", "--journal", journal);

    assertThat(show.exitCode()).isZero();
    assertThat(show.out())
        .contains("Run " + SampleJournal.RUN)
        .contains("name         nightly")
        .contains("state        unknown")
        .contains("retries      1 of 50 used")
        .contains("calls        3: 1 ok, 1 stopped, 1 unknown")
        .containsPattern("c_01kbdq2xa7 .* ok +read +github list_issues +2")
        .containsPattern("c_01kbdq2xb8 .* 1 m +unknown timed_out +write +github create_issue +1")
        .containsPattern("c_01kbdq2xc9 .* stopped invalid_arguments +write +github close_issue +0")
        .contains("In doubt");
  }

  @Test
  void aCallIsShownAttemptByAttempt() {
    String out = Invocation.of("show", SampleJournal.READ, "--journal", journal).out();

    assertThat(out)
        .contains("tool         list_issues on github")
        .contains("effect       read, its server's annotations say so")
        .contains("arguments    sha256:44136fa3")
        .containsPattern(
            "1 {2}\\d\\d:15:01.000 {2}given 1 m \\(the tool's deadline\\), waited 120 ms")
        .contains("limited: status 429")
        .contains("→ again after 7 s: the provider named this wait")
        .contains("→ ok: the tool answered")
        .doesNotContain("What to do");
  }

  @Test
  void aCallInDoubtSaysWhatIsKnownAndWhatToDo() {
    String out = Invocation.of("show", "c_01kbdq2xb8", "--journal", journal).out();

    assertThat(out)
        .contains("effect       write, as nothing says that it only reads")
        .contains("arguments    {\"title\":\"Night\"}")
        .contains("outcome      unknown: timed_out")
        .contains("timed_out: no answer within 60002 ms (may have run)")
        .contains("seen: 3 progress reports, the last 41 s before the end; 12 other signs of life")
        .contains("→ unknown: a write without key or check may have happened")
        .contains("What to do")
        .contains("Look at github")
        .contains("if it did       callbound settle c_01kbdq2xb8 --landed --journal " + journal)
        .contains("if it did not   callbound settle c_01kbdq2xb8 --not-landed --journal " + journal)
        .contains("Until then a repeat of it is told this and is not sent");
  }

  @Test
  void whatAServerSaidCanNotSteerTheTerminal() {
    assertThat(Invocation.of("show", SampleJournal.WRITE, "--journal", journal).out())
        .contains("rate limiter asleep")
        .doesNotContain("\u001b");
  }

  @Test
  void coloursComeOnlyWhereTheyAreAskedFor() {
    assertThat(
            Invocation.of("show", SampleJournal.READ, "--journal", journal, "--color=always").out())
        .contains("\u001b[32mok");
    assertThat(
            Invocation.of("show", SampleJournal.READ, "--journal", journal, "--color=never").out())
        .doesNotContain("\u001b");
  }

  @ParameterizedTest
  @ValueSource(strings = {"r_01kb", "c_01kbdq2xa7", "c_01kbdq2xb8", "c_01kbdq2xc9"})
  void noLineIsWiderThanTheScreen(String id) {
    // What is to be copied is not wrapped.
    assertThat(Invocation.of("show", id, "--journal", journal).lines())
        .filteredOn(line -> !line.contains("callbound settle"))
        .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(Style.WIDTH));
  }

  @Test
  void unsettledWritesAreListed() {
    Invocation unknown = Invocation.of("unknown", "--journal", journal);

    assertThat(unknown.exitCode()).isZero();
    assertThat(unknown.lines().get(1))
        .matches(
            "c_01kbdq2xb8 +\\w{3} \\d\\d \\d\\d:\\d\\d +github create_issue +timed_out +r_01kbdq2x4m");
  }

  @Test
  void programsGetTheSameAsJson() throws IOException {
    JsonNode runs = JSON.readTree(Invocation.of("runs", "--json", "--journal", journal).out());
    JsonNode call =
        JSON.readTree(
            Invocation.of("show", SampleJournal.WRITE, "--json", "--journal", journal).out());

    assertThat(runs.at("/0/id").asText()).isEqualTo(SampleJournal.RUN);
    assertThat(runs.at("/0/outcomes/unknown").asInt()).isEqualTo(1);
    assertThat(call.at("/status").asText()).isEqualTo("unknown");
    assertThat(call.at("/reason").asText()).isEqualTo("timed_out");
    assertThat(call.at("/attempt_list/0/waited_ms").asLong()).isEqualTo(60_002);
    assertThat(call.at("/attempt_list/0/may_have_run").asBoolean()).isTrue();
    assertThat(call.at("/next").asText()).startsWith("Look at github");
  }

  @Test
  void anIdThatSeveralBeginWithListsThem() {
    Invocation show = Invocation.of("show", "c_01kb", "--journal", journal);

    assertThat(show.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(show.err())
        .contains("several ids begin with c_01kb")
        .contains(SampleJournal.READ, SampleJournal.WRITE, SampleJournal.REFUSED);
  }

  @ParameterizedTest
  @ValueSource(strings = {"c_01zzzz", "x", "c_0"})
  void anIdThatIsNoneIsSaidToBeSo(String id) {
    Invocation show = Invocation.of("show", id, "--journal", journal);

    assertThat(show.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(show.err()).startsWith("callbound: ").contains(id).doesNotContain("\tat ");
  }

  @Test
  void theJournalIsReadWhileAnotherProcessWritesIt() {
    try (JournalStore writing = SqliteJournal.open(Path.of(journal), InstantSource.system())) {
      assertThat(writing.recovery().calls()).isZero();
      assertThat(Invocation.of("runs", "--journal", journal).out()).contains("nightly");
    }
  }

  @Test
  void aMissingJournalIsNamed() {
    Invocation runs = Invocation.of("runs", "--journal", folder.resolve("none.db").toString());

    assertThat(runs.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(runs.err()).contains("none.db", "no such file").doesNotContain("\tat ");
  }

  @Test
  void aFileThatIsNoJournalIsNamed() throws IOException {
    Path text = Files.writeString(folder.resolve("notes.txt"), "not a database, by any means");

    Invocation runs = Invocation.of("runs", "--journal", text.toString());

    assertThat(runs.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(runs.err()).contains("notes.txt").doesNotContain("\tat ");
  }

  @Test
  void theJournalIsFoundThroughAConfigThatCouldNotServe() throws IOException {
    Path config =
        Files.writeString(
            folder.resolve("callbound.yaml"),
            "servers: {github: {url: '${NOT_SET_ANYWHERE}'}}\njournal: {file: callbound.db}\n");

    assertThat(Invocation.of("runs", "--config", config.toString()).out()).contains("nightly");
  }

  @Test
  void aConfigThatCanNotBeReadSaysHowToDoWithoutIt() throws IOException {
    Path config = Files.writeString(folder.resolve("callbound.yaml"), "servers: [\n");

    Invocation runs = Invocation.of("runs", "--config", config.toString());

    assertThat(runs.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(runs.err()).contains("callbound.yaml", "--journal FILE");
  }

  @Test
  void aLimitOutOfBoundsIsRefused() {
    Invocation runs = Invocation.of("runs", "--journal", journal, "--limit", "0");

    assertThat(runs.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(runs.err()).contains("--limit must be from 1 to 10000: 0");
  }
}

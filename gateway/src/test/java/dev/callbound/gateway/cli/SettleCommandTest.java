package dev.callbound.gateway.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.callbound.journal.CallRecord;
import dev.callbound.journal.Ending.Status;
import dev.callbound.journal.JournalReader;
import dev.callbound.journal.JournalStore;
import dev.callbound.journal.RunState;
import dev.callbound.journal.SettledBy;
import dev.callbound.journal.Settlement;
import dev.callbound.journal.sqlite.SqliteJournal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code settle}, and how what was settled or asked for again is shown. */
class SettleCommandTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir Path folder;
  private Path journal = Path.of("");

  @BeforeEach
  void fillTheJournal() {
    journal = SampleWrites.in(folder);
  }

  private Invocation run(String... arguments) {
    return Invocation.of(
        Stream.concat(Stream.of(arguments), Stream.of("--journal", journal.toString()))
            .toArray(String[]::new));
  }

  private CallRecord call(String id) {
    try (JournalReader reader = SqliteJournal.openReadOnly(journal)) {
      return reader.call(id).orElseThrow();
    }
  }

  private Status status(String id) {
    var ending = call(id).ending();
    assertThat(ending).isNotNull();
    return ending.status();
  }

  @Test
  void aPersonSaysThatAWriteTookEffect() {
    Invocation settle = run("settle", "c_01kbe0002b", "--landed", "--note", " saw it: #12 ");

    assertThat(settle.exitCode()).isZero();
    assertThat(settle.out())
        .contains("create_issue on github took effect. " + SampleWrites.LOST + " is now ok.")
        .contains("Its run, deploy, still has 2 calls in doubt.");
    assertThat(status(SampleWrites.LOST)).isEqualTo(Status.OK);
    Settlement settled = call(SampleWrites.LOST).settled();
    assertThat(settled).isNotNull();
    assertThat(settled.by()).isEqualTo(SettledBy.PERSON);
    assertThat(settled.who()).isEqualTo(System.getProperty("user.name"));
    assertThat(settled.note()).isEqualTo("saw it: #12");
  }

  @Test
  void aPersonSaysThatAWriteDidNotTakeEffect() {
    Invocation settle = run("settle", SampleWrites.LOST, "--not-landed");

    assertThat(settle.out())
        .contains("did not take effect")
        .contains("is now stopped (deadline_exceeded)")
        .contains("The same call may be made again.");
    assertThat(status(SampleWrites.LOST)).isEqualTo(Status.STOPPED);
    assertThat(run("show", SampleWrites.LOST).out())
        .contains("outcome      stopped: deadline_exceeded")
        .contains("a person found that it did not take effect")
        .contains(", by " + System.getProperty("user.name"))
        .contains("until then unknown: timed_out, no answer within 60002 ms")
        .contains("Nothing is in doubt: the call may be made again.");
  }

  @Test
  void theLastOfARunMakesItWhatItWouldHaveBeen() {
    run("settle", SampleWrites.LOST, "--landed");

    Invocation settle = run("settle", SampleWrites.ASKED, "--landed");

    assertThat(settle.out())
        .contains("So is " + SampleWrites.ASKING + ", which meant the same.")
        .contains("Its run, deploy, is now done.");
    assertThat(run("unknown").out()).isEqualToIgnoringNewLines("Nothing is in doubt.");
    assertThat(run("show", SampleWrites.RUN).out())
        .contains("state        done")
        .containsPattern("c_01kbe0002b .* ok, settled +write +github create_issue");
  }

  @Test
  void aGatewayMayBeRunning() {
    try (JournalStore gateway = SqliteJournal.open(journal, InstantSource.system())) {
      assertThat(run("settle", SampleWrites.LOST, "--landed").exitCode()).isZero();
      assertThat(gateway.call(SampleWrites.LOST)).contains(call(SampleWrites.LOST));
      assertThat(gateway.run(SampleWrites.RUN).orElseThrow().state()).isEqualTo(RunState.UNKNOWN);
    }
  }

  @Test
  void aCallIsFoundInWhicheverJournalHoldsIt() throws IOException {
    Files.delete(journal);
    SqliteJournal.open(journal, InstantSource.system()).close();
    Path second = SampleWrites.in(folder, "callbound-2.db");
    Path config =
        Files.writeString(
            folder.resolve("callbound.yaml"),
            "servers: {github: {url: '${NOT_SET_ANYWHERE}'}}\njournal: {file: callbound.db}\n");

    Invocation settle =
        Invocation.of("settle", "c_01kbe0002b", "--landed", "--config", config.toString());

    assertThat(settle.err()).isEmpty();
    journal = second;
    assertThat(status(SampleWrites.LOST)).isEqualTo(Status.OK);
  }

  @Test
  void whatToTypeNextNamesTheJournalThatWasNamed() throws IOException {
    Path odd = Files.createDirectory(folder.resolve("it's here"));
    journal = SampleWrites.in(odd);

    assertThat(run("show", SampleWrites.LOST).out())
        .contains("c_01kbe0002b --landed --journal '" + folder + "/it'\\''s here/callbound.db'");
  }

  @Test
  void whatCanNotBeAskedAboutIsNotSettledWithoutAWord() {
    Invocation neither = run("settle", SampleWrites.LOST);
    Invocation both = run("settle", SampleWrites.LOST, "--landed", "--not-landed");

    assertThat(neither.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(neither.err())
        .contains("still unknown", "its arguments were not kept", "say --landed or --not-landed");
    assertThat(both.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(both.err()).contains("either --landed or --not-landed");
    assertThat(status(SampleWrites.LOST)).isEqualTo(Status.UNKNOWN);
  }

  @Test
  void aNoteHasALimit() {
    Invocation settle = run("settle", SampleWrites.LOST, "--landed", "--note", "x".repeat(1_001));

    assertThat(settle.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(settle.err()).contains("1000 characters at most: 1001");
  }

  @Test
  void whatIsNotInDoubtIsLeftAlone() {
    Invocation ok = run("settle", SampleWrites.KEYED, "--not-landed");
    Invocation stopped = run("settle", SampleWrites.STOPPED, "--landed");
    Invocation open = run("settle", SampleWrites.OPEN, "--landed");

    assertThat(List.of(ok.exitCode(), stopped.exitCode(), open.exitCode()))
        .containsOnly(ExitCode.FAILED);
    assertThat(ok.err()).contains(SampleWrites.KEYED + " is not in doubt: it ended ok at ");
    assertThat(stopped.err()).contains("is not in doubt: it ended stopped (denied) at ");
    assertThat(open.err()).contains("has not ended yet").contains("next start on this journal");
  }

  @Test
  void whoSettledItFirstIsNamedAndStands() {
    Invocation same = run("settle", SampleWrites.LATE, "--landed");
    Invocation contrary = run("settle", SampleWrites.LATE, "--not-landed", "--note", "not there");

    assertThat(same.exitCode()).isZero();
    assertThat(same.out())
        .contains("create_release on github took effect: so it was already settled at ")
        .contains("by a late");
    assertThat(contrary.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(contrary.err())
        .contains("was settled as ok at ")
        .contains("by a late answer of github. That stands; what you say is recorded beside it");
    assertThat(status(SampleWrites.LATE)).isEqualTo(Status.OK);
    assertThat(run("show", SampleWrites.LATE).out())
        .contains("Contradicted since, which changes nothing")
        .contains("stopped: deadline_exceeded, by ana")
        .contains("note: not there")
        .doesNotContain("\u001b");
  }

  @ParameterizedTest
  @ValueSource(strings = {"c_01zzzz", "c_0", "x", "r_01kbe0", "c_01kbe0"})
  void whatNamesNoCallIsSaidToBeSo(String id) {
    Invocation settle = run("settle", id, "--landed");

    assertThat(settle.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(settle.err()).startsWith("callbound: ").contains(id).doesNotContain("\tat ");
  }

  @Test
  void aMissingJournalIsNotMade() {
    journal = folder.resolve("none.db");

    Invocation settle = run("settle", SampleWrites.LOST, "--landed");

    assertThat(settle.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(settle.err()).contains("none.db", "no such file");
    assertThat(journal).doesNotExist();
  }

  @Test
  void whoAskedAgainIsShown() {
    assertThat(run("show", SampleWrites.KEYED).out())
        .contains("recognition  by key: the server tells a repeat from a second one")
        .contains("key          8b1c1f0a-5a0e-8c3d-9f00-1234567890ab")
        .containsPattern(":02 {2}waited for this call \\(claude-code 2.1, step charge 17\\)")
        .containsPattern(":00 {2}got this call's result \\(claude-code 2.1, step charge 17\\)")
        .contains("was refused: the same step, with other arguments");
    assertThat(run("show", SampleWrites.LOST).out())
        .contains("was told that this call is unknown (claude-code 2.1)");
  }

  @Test
  void aCallAndTheOneThatFollowsItNameEachOther() {
    assertThat(run("show", SampleWrites.ASKED).out())
        .contains("asked again as " + SampleWrites.ASKING + ", which ended unknown")
        .contains("Or have it made again: github is asked first");
    assertThat(run("show", SampleWrites.ASKING).out())
        .contains("follows      " + SampleWrites.ASKED + ", the same call made before (unknown)");
  }

  @Test
  void theArgumentsOfAnUnknownAreShownAsLongAsTheyAreKept() {
    assertThat(run("show", SampleWrites.ASKED).out())
        .contains("arguments    {\"body\":\"done\"}")
        .doesNotContain("only a digest");
    run("settle", SampleWrites.ASKED, "--landed");
    assertThat(run("show", SampleWrites.ASKED).out()).contains("arguments    sha256:44136fa3");
  }

  @Test
  void programsGetTheSameAsJson() throws IOException {
    JsonNode settled =
        JSON.readTree(
            run("settle", SampleWrites.LOST, "--landed", "--note", "#12", "--json").out());
    JsonNode again = JSON.readTree(run("settle", SampleWrites.LOST, "--landed", "--json").out());
    JsonNode keyed = JSON.readTree(run("show", SampleWrites.KEYED, "--json").out());
    JsonNode late = JSON.readTree(run("show", SampleWrites.LATE, "--json").out());
    JsonNode asking = JSON.readTree(run("show", SampleWrites.ASKING, "--json").out());

    assertThat(settled.at("/settling").asText()).isEqualTo("settled");
    assertThat(settled.at("/status").asText()).isEqualTo("ok");
    assertThat(settled.at("/settled/by").asText()).isEqualTo("person");
    assertThat(settled.at("/settled/note").asText()).isEqualTo("#12");
    assertThat(settled.at("/settled/was").asText()).isEqualTo("timed_out");
    assertThat(settled.at("/run_state").asText()).isEqualTo("unknown");
    assertThat(again.at("/settling").asText()).isEqualTo("already");
    assertThat(keyed.at("/key").asText()).startsWith("8b1c1f0a");
    assertThat(keyed.at("/repeats").findValuesAsText("kind"))
        .containsExactly("joined", "replayed", "conflict");
    assertThat(late.at("/divergences/0/status").asText()).isEqualTo("stopped");
    assertThat(late.at("/divergences/0/who").asText()).isEqualTo("ana");
    assertThat(asking.at("/follows").asText()).isEqualTo(SampleWrites.ASKED);
    assertThat(asking.at("/next").asText())
        .contains("if it did, callbound settle c_01kbe0004d --landed --journal " + journal);
  }
}

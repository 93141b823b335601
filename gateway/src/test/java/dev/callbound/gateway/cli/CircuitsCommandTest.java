package dev.callbound.gateway.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.callbound.journal.CircuitRecord;
import dev.callbound.journal.JournalReader;
import dev.callbound.journal.JournalStore;
import dev.callbound.journal.sqlite.SqliteJournal;
import dev.callbound.policy.Circuit;
import dev.callbound.policy.Entrance;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CircuitsCommandTest {
  @TempDir Path folder;
  private Path journal = Path.of("");

  @BeforeEach
  void fillTheJournal() {
    journal = folder.resolve("journal.db");
    try (JournalStore store = SqliteJournal.open(journal, InstantSource.system())) {
      store.servers().changed(record("crm", "find", Entrance.Bar.FAILURES, 600, 1));
      store.servers().changed(record("crm", Entrance.SERVER, Entrance.Bar.CREDENTIALS, -1, 2));
      store.servers().changed(record("mail", "send", Entrance.Bar.LIMIT, 600, 3));
      store.servers().changed(record("mail", "list", Entrance.Bar.LIMIT, -1, 4));
    }
  }

  private static CircuitRecord record(
      String server, String tool, Entrance.Bar bar, int left, long number) {
    Instant now = Instant.now();
    return new CircuitRecord(
        server,
        tool,
        bar,
        Circuit.State.OPEN,
        now,
        now.plusSeconds(left),
        "server_error",
        "status 503: \u001b[31mdown",
        number);
  }

  private Invocation run(String... arguments) {
    return Invocation.of(
        Stream.concat(Stream.of(arguments), Stream.of("--journal", journal.toString()))
            .toArray(String[]::new));
  }

  @Test
  void whatIsInTheWayIsListed() {
    Invocation circuits = run("circuits");

    assertThat(circuits.exitCode()).isZero();
    assertThat(circuits.out())
        .containsPattern("crm/find +failures .* a try in 9 m 5\\d s +server_error")
        .containsPattern("crm +credentials .* the next call tries")
        .containsPattern("mail/send +limit .* in 9 m 5\\d s")
        .contains("status 503")
        .doesNotContain("mail/list", "\u001b");
  }

  @Test
  void programsGetTheSame() throws Exception {
    JsonNode json = new ObjectMapper().readTree(run("circuits", "--json").out());

    assertThat(json).hasSize(3);
    assertThat(json.path(0).has("tool")).isFalse();
    assertThat(json.path(1).path("tool").asText()).isEqualTo("find");
    assertThat(json.path(1).path("bar").asText()).isEqualTo("failures");
    assertThat(json.path(1).path("state").asText()).isEqualTo("open");
    assertThat(
            Duration.between(
                Instant.parse(json.path(1).path("since").asText()),
                Instant.parse(json.path(1).path("until").asText())))
        .isEqualTo(Duration.ofMinutes(10));
  }

  @Test
  void oneToolIsReset() {
    Invocation reset = run("circuits", "reset", "crm/find");

    assertThat(reset.exitCode()).isZero();
    assertThat(reset.out()).contains("crm/find is free again.").doesNotContain("mail");
    assertThat(run("circuits").out()).doesNotContain("crm/find").contains("mail/send");
  }

  @Test
  void aServerIsReset() {
    assertThat(run("circuits", "reset", "crm").out())
        .contains("crm is free again.", "crm/find is free again.");
    assertThat(run("circuits").out()).doesNotContain("crm").contains("mail/send");
  }

  @Test
  void everythingIsReset() {
    run("circuits", "reset");

    assertThat(run("circuits").out()).contains("Nothing is in the way.");
    assertThat(run("circuits", "reset").out()).contains("Nothing was in the way");
    try (JournalReader reader = SqliteJournal.openReadOnly(journal)) {
      assertThat(reader.circuits()).allMatch(it -> it.state() == Circuit.State.CLOSED);
    }
  }

  @Test
  void aNameThatNamesNothingIsBadUsage() {
    Invocation reset = run("circuits", "reset", "crm/");

    assertThat(reset.exitCode()).isEqualTo(2);
    assertThat(reset.err()).contains("SERVER/TOOL: crm/");
  }
}

package dev.callbound.gateway.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.callbound.journal.ApprovalRecord;
import dev.callbound.journal.JournalStore;
import dev.callbound.journal.Ruling;
import dev.callbound.journal.sqlite.SqliteJournal;
import dev.callbound.policy.Effect;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code waiting}, {@code approve} and {@code deny}, beside a gateway that has the journal. */
@SuppressWarnings("NullAway.Init") // Set before each test.
class WaitingCommandsTest {
  private static final String CALL = OneCall.CALL;

  @TempDir Path folder;
  private Path file;
  private JournalStore gateway;

  @BeforeEach
  void letACallWait() {
    file = folder.resolve("callbound.db");
    gateway = SqliteJournal.open(file, InstantSource.system());
    Instant now = Instant.now();
    OneCall.open(gateway, "delete_customer", Effect.WRITE, now);
    gateway
        .tasks()
        .ask(
            new ApprovalRecord(
                CALL, now, now.plusSeconds(60), "{\"id\":7,\"token\":\"***\"}", true, null),
            now.plus(Duration.ofHours(1)),
            null);
  }

  @AfterEach
  void close() {
    gateway.close();
  }

  private Invocation run(String... arguments) {
    return Invocation.of(
        Stream.concat(Stream.of(arguments), Stream.of("--journal", file.toString()))
            .toArray(String[]::new));
  }

  @Test
  void whatWaitsIsListedWithWhatWillBeSent() throws Exception {
    assertThat(run("waiting").out())
        .contains("delete_customer on crm")
        .contains("{\"id\":7,\"token\":\"***\"}")
        .contains("masked here, and sent as it is");
    JsonNode json = new ObjectMapper().readTree(run("waiting", "--json").out());
    assertThat(json.path(0).path("approval").path("state").asText()).isEqualTo("waiting");
    assertThat(run("show", CALL).out())
        .contains("waited for until")
        .contains("callbound approve c_01kbe0003b")
        .contains("its client can come back until");
  }

  @Test
  void oneIsApprovedAndThatStands() {
    Invocation approve = run("approve", "c_01kbe0003b", "--note", " asked Ana ");

    assertThat(approve.exitCode()).isZero();
    assertThat(approve.out()).contains("delete_customer on crm is approved: " + CALL);
    assertThat(run("approve", CALL).out()).contains("is already approved");
    Invocation deny = run("deny", CALL);
    assertThat(deny.exitCode()).isEqualTo(1);
    assertThat(deny.err()).contains("was approved at").contains("That stands");
    assertThat(run("waiting").out()).isEqualToIgnoringNewLines("Nothing waits to be approved.");
    assertThat(gateway.tasks().approval(CALL).orElseThrow().ruling())
        .satisfies(ruling -> assertThat(ruling.note()).isEqualTo("asked Ana"));
    assertThat(run("show", CALL).out()).contains("approved").contains("note: asked Ana");
  }

  @Test
  void whatNobodyRuledOnInTimeIsSaidToBeSo() {
    gateway.tasks().rule(CALL, new Ruling(Ruling.Kind.LAPSED, Instant.now(), "gateway", null));

    Invocation late = run("approve", CALL);

    assertThat(late.exitCode()).isEqualTo(1);
    assertThat(late.err()).contains(CALL + " waited until", "It is not made any more");
  }

  @Test
  void whatIsNoCallThatWaitsIsRefused() {
    assertThat(run("approve", "c_01kbe0009z").err()).contains("nothing in the journal begins with");
    assertThat(run("approve", "c_01").err()).contains("characters of the id are needed");
    assertThat(run("approve", "c_01kbe0009z").exitCode()).isEqualTo(1);
    assertThat(run("approve", "r_01kbe0003b").err()).contains("is a run, and what waits is a call");
    assertThat(run("deny", CALL, "--note", "x".repeat(1_001)).exitCode()).isEqualTo(2);
  }
}

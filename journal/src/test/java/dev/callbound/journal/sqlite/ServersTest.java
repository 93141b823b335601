package dev.callbound.journal.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.callbound.journal.CircuitRecord;
import dev.callbound.journal.CircuitReset;
import dev.callbound.journal.ToolList;
import dev.callbound.policy.Circuit.State;
import dev.callbound.policy.Entrance;
import dev.callbound.policy.Entrance.Bar;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is remembered of servers. */
class ServersTest {
  private static final Instant NOW = Instant.parse("2026-12-01T00:00:00.123Z");

  @TempDir Path folder;
  private Path file;
  private SqliteJournal journal;

  @BeforeEach
  void open() {
    file = folder.resolve("journal.db");
    journal = SqliteJournal.open(file, InstantSource.fixed(NOW));
  }

  @AfterEach
  void close() {
    journal.close();
  }

  @Test
  void aCircuitIsRememberedAsItLastChanged() {
    CircuitRecord open = record("crm", "find", Bar.FAILURES, State.OPEN, 1);
    CircuitRecord closed = record("crm", "find", Bar.FAILURES, State.CLOSED, 2);
    CircuitRecord limit = record("crm", "find", Bar.LIMIT, State.OPEN, 3);
    journal.servers().changed(open);
    journal.servers().changed(closed);
    journal.servers().changed(limit);
    reopen();

    assertThat(journal.circuits()).containsExactly(closed, limit);
    assertThat(journal.servers().circuits()).isEqualTo(journal.circuits());
  }

  @Test
  void aChangeThatWasOvertakenIsPassedOver() {
    CircuitRecord later = record("crm", "find", Bar.FAILURES, State.CLOSED, 8);
    journal.servers().changed(later);
    journal.servers().changed(record("crm", "find", Bar.FAILURES, State.OPEN, 7));
    reopen();

    assertThat(journal.circuits()).containsExactly(later);
  }

  @Test
  void aResetBesideClosesWhatIsMeantAndLeavesWord() {
    CircuitRecord tool = record("crm", "find", Bar.FAILURES, State.OPEN, 1);
    CircuitRecord server = record("crm", Entrance.SERVER, Bar.CREDENTIALS, State.HALF_OPEN, 2);
    CircuitRecord other = record("mail", "send", Bar.FAILURES, State.OPEN, 3);
    List.of(tool, server, other).forEach(journal.servers()::changed);
    assertThat(journal.servers().lastReset()).isZero();
    settle();

    assertThat(SqliteJournal.resetCircuitsBeside(file, "crm", "find", "ann", NOW))
        .containsExactly(tool);
    assertThat(SqliteJournal.resetCircuitsBeside(file, "crm", null, "bob", NOW))
        .containsExactly(server);
    assertThat(SqliteJournal.resetCircuitsBeside(file, null, null, "eve", NOW))
        .containsExactly(other);

    assertThat(journal.circuits()).allMatch(it -> it.state() == State.CLOSED);
    assertThat(journal.servers().resetsAfter(0))
        .containsExactly(
            new CircuitReset(1, "crm", "find", "ann"),
            new CircuitReset(2, "crm", null, "bob"),
            new CircuitReset(3, null, null, "eve"));
    assertThat(journal.servers().resetsAfter(2)).hasSize(1);
    assertThat(journal.servers().lastReset()).isEqualTo(3);
  }

  @Test
  void aResetOfWhatIsNotShutLeavesWordAllTheSame() {
    assertThat(SqliteJournal.resetCircuitsBeside(file, "crm", null, "ann", NOW)).isEmpty();

    assertThat(journal.servers().resetsAfter(0)).hasSize(1);
  }

  @Test
  void aChangeAfterAResetHolds() {
    journal.servers().changed(record("crm", "find", Bar.FAILURES, State.OPEN, 1));
    settle();
    SqliteJournal.resetCircuitsBeside(file, null, null, "ann", NOW);

    CircuitRecord again = record("crm", "find", Bar.FAILURES, State.OPEN, 3);
    journal.servers().changed(again);
    settle();

    assertThat(journal.circuits()).containsExactly(again);
  }

  @Test
  void whatHasLongNotChangedIsForgotten() {
    CircuitRecord old = record("crm", "find", Bar.FAILURES, State.OPEN, 1);
    journal.servers().changed(old);
    settle();

    journal.purge(NOW);
    assertThat(journal.circuits()).containsExactly(old);
    journal.purge(NOW.plusSeconds(60));
    assertThat(journal.circuits()).isEmpty();
  }

  @Test
  void theListOfAServerIsTheLastOne() {
    ToolList first = new ToolList("crm", NOW, "[{\"name\":\"find\"}]");
    ToolList second = new ToolList("crm", NOW.plusSeconds(1), "[]");
    journal.servers().listed(first);
    journal.servers().listed(second);
    reopen();

    assertThat(journal.servers().toolList("crm")).contains(second);
    assertThat(journal.servers().toolList("mail")).isEmpty();
  }

  /** What was handed in is on disk when a later write that is awaited is. */
  private void settle() {
    journal.rememberTools("none", List.of("none"));
  }

  private void reopen() {
    journal.close();
    open();
  }

  private static CircuitRecord record(
      String server, String tool, Bar bar, State state, long number) {
    return new CircuitRecord(
        server, tool, bar, state, NOW, NOW.plusSeconds(15), "timed_out", "no answer", number);
  }
}

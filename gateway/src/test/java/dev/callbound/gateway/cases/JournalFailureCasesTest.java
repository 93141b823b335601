package dev.callbound.gateway.cases;

import static dev.callbound.gateway.cases.Marked.arguments;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.callbound.gateway.Gateway;
import dev.callbound.gateway.cases.World.Way;
import dev.callbound.gateway.config.Config;
import dev.callbound.gateway.config.ConfigLoader;
import dev.callbound.gateway.config.ListenAddress;
import dev.callbound.journal.JournalException;
import dev.callbound.testkit.client.McpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A journal that takes nothing more: no write is sent that could not be recorded. */
class JournalFailureCasesTest {
  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource(Way.class)
  void aWriteThatCannotBeRecordedIsNotSentAndReadsGoOn(Way way) throws Exception {
    try (World world = World.of(folder, way, "", "")) {
      McpClient client = world.client();
      assertThat(World.outcome(client.call("write_ok", arguments("before")))).isEqualTo("ok");
      refuseNew(world, "attempts");

      assertNotSent(world, client.call("write_ok", arguments("not-sent")), "not-sent");
      assertThat(World.outcome(client.call("read_ok", arguments("read")))).isEqualTo("ok");

      acceptAgain(world);
      assertThat(World.outcome(client.call("write_ok", arguments("after")))).isEqualTo("ok");
      assertThat(world.server().ledger().effects()).hasSize(2);
    }
  }

  @Test
  void aCallWithoutARunOnRecordIsNotSent() throws Exception {
    try (World world = World.of(folder, Way.HTTP, "", "")) {
      refuseNew(world, "runs");

      assertNotSent(world, world.client().call("write_ok", arguments("no-run")), "no-run");
    }
  }

  @Test
  void whatCannotBeRecordedAfterAWriteIsNotCalledAnOutcome() throws Exception {
    try (World world = World.of(folder, Way.HTTP, "", "")) {
      McpClient client = world.client();
      execute(
          world,
          "CREATE TRIGGER refused_end BEFORE UPDATE OF status ON calls"
              + " BEGIN SELECT RAISE(ABORT, 'no space for the end'); END");
      JsonNode answer = client.call("write_ok", arguments("sent"));

      assertThat(World.outcome(answer)).isEqualTo("error/-32603");
      assertThat(answer.path("error").path("message").asText())
          .contains("could not be recorded", "may have been sent");
      assertThat(world.server().ledger().effectsMarked("sent")).hasSize(1);
      execute(world, "DROP TRIGGER refused_end");
      world.restart();
      // That it was answered had been written: from that the outcome is known after all.
      assertThat(World.outcome(world.recorded("write_ok"))).isEqualTo("ok");
    }
  }

  @Test
  void aJournalThatCannotBeOpenedStopsTheStart() throws Exception {
    Path file =
        Files.writeString(
            folder.resolve("callbound.yaml"),
            "servers: {one: {url: \"http://127.0.0.1:9/mcp\"}}\n");
    Path noFolder = Files.writeString(folder.resolve("file"), "not a folder");
    Config loaded = new ConfigLoader(Map.of()).load(file, null);
    Config config =
        loaded
            .with(loaded.listen().at(ListenAddress.parse("127.0.0.1:0")))
            .with(loaded.journal().in(noFolder.resolve("callbound.db")));

    assertThatThrownBy(() -> Gateway.start(config))
        .isInstanceOf(JournalException.class)
        .hasMessageContaining(noFolder.toString());
  }

  private static void assertNotSent(World world, JsonNode answer, String marker) {
    assertThat(World.outcome(answer)).isEqualTo("error/-32603");
    assertThat(answer.path("error").path("message").asText())
        .contains("could not be recorded", "nothing was sent", "callbound.db");
    assertThat(answer.path("error").path("data").path("reason").asText()).startsWith("journal_");
    assertThat(world.server().ledger().callsMarked(marker)).isEmpty();
    assertThat(world.server().ledger().effectsMarked(marker)).isEmpty();
  }

  /** From here on the file takes no new row in the table. */
  private static void refuseNew(World world, String table) throws SQLException {
    execute(
        world,
        "CREATE TRIGGER refused BEFORE INSERT ON "
            + table
            + " BEGIN SELECT RAISE(ABORT, 'no space'); END");
  }

  private static void acceptAgain(World world) throws SQLException {
    execute(world, "DROP TRIGGER refused");
  }

  private static void execute(World world, String sql) throws SQLException {
    String file = "jdbc:sqlite:" + world.folder().resolve("callbound.db");
    try (Connection connection = DriverManager.getConnection(file);
        Statement statement = connection.createStatement()) {
      statement.execute("PRAGMA busy_timeout = 10000");
      statement.execute(sql);
    }
  }
}

package dev.callbound.journal.sqlite;

import dev.callbound.journal.CircuitRecord;
import dev.callbound.journal.CircuitReset;
import dev.callbound.journal.ToolList;
import dev.callbound.policy.Circuit;
import dev.callbound.policy.Entrance;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What is written and asked about servers. */
final class ServerSql {
  private static final int RESETS_KEPT = 1_000;

  /** A null asks for all. */
  private static final String MEANT = "(?1 IS NULL OR server = ?1) AND (?2 IS NULL OR tool = ?2)";

  private ServerSql() {}

  static void changed(Sql sql, CircuitRecord circuit) throws SQLException {
    sql.update(
        """
        INSERT INTO circuits (server, tool, bar, state, changed_at_ms, until_ms, failure, detail,
                              number)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (server, tool, bar) DO UPDATE
        SET state = excluded.state, changed_at_ms = excluded.changed_at_ms,
          until_ms = excluded.until_ms, failure = excluded.failure, detail = excluded.detail,
          number = excluded.number
        WHERE excluded.number > circuits.number
        """,
        circuit.server(),
        circuit.tool(),
        Columns.code(circuit.bar()),
        Columns.code(circuit.state()),
        circuit.changedAt().toEpochMilli(),
        circuit.until().toEpochMilli(),
        circuit.failure(),
        circuit.detail(),
        circuit.number());
  }

  static List<CircuitRecord> circuits(Sql sql) throws SQLException {
    return sql.list("SELECT * FROM circuits ORDER BY server, tool, bar", ServerSql::circuit);
  }

  /** Closes what is meant, and leaves word for a gateway. Returns what was shut. */
  static List<CircuitRecord> reset(
      Sql sql, @Nullable String server, @Nullable String tool, String who, Instant at)
      throws SQLException {
    List<CircuitRecord> shut =
        sql.list(
            "SELECT * FROM circuits WHERE " + MEANT + " ORDER BY server, tool, bar",
            ServerSql::circuit,
            server,
            tool);
    sql.update(
        "UPDATE circuits SET state = 'closed', changed_at_ms = ?3, until_ms = ?3,"
            + " number = number + 1 WHERE state <> 'closed' AND "
            + MEANT,
        server,
        tool,
        at.toEpochMilli());
    sql.update(
        "INSERT INTO circuit_resets (at_ms, server, tool, who) VALUES (?, ?, ?, ?)",
        at.toEpochMilli(),
        server,
        tool,
        who);
    sql.update(
        "DELETE FROM circuit_resets WHERE id <= (SELECT max(id) FROM circuit_resets) - ?",
        RESETS_KEPT);
    return shut.stream().filter(circuit -> circuit.isShut(at)).toList();
  }

  /** Forgets what neither changed nor kept anybody out since then. Returns how many. */
  static int forgetCircuits(Sql sql, Instant before) throws SQLException {
    return sql.update(
        "DELETE FROM circuits WHERE changed_at_ms < ?1 AND until_ms < ?1", before.toEpochMilli());
  }

  static long lastReset(Sql sql) throws SQLException {
    return sql.number("SELECT coalesce(max(id), 0) FROM circuit_resets");
  }

  static List<CircuitReset> resetsAfter(Sql sql, long id) throws SQLException {
    return sql.list(
        "SELECT * FROM circuit_resets WHERE id > ? ORDER BY id",
        row ->
            new CircuitReset(
                row.getLong("id"),
                Columns.text(row, "server"),
                Columns.text(row, "tool"),
                row.getString("who")),
        id);
  }

  static Optional<ToolList> toolList(Sql sql, String server) throws SQLException {
    return sql.first(
        "SELECT * FROM tool_lists WHERE server = ?",
        row ->
            new ToolList(
                row.getString("server"),
                Columns.instant(row, "listed_at_ms"),
                row.getString("tools")),
        server);
  }

  static void listed(Sql sql, ToolList list) throws SQLException {
    sql.update(
        """
        INSERT INTO tool_lists (server, listed_at_ms, tools) VALUES (?, ?, ?)
        ON CONFLICT (server) DO UPDATE
        SET listed_at_ms = excluded.listed_at_ms, tools = excluded.tools
        """,
        list.server(),
        list.listedAt().toEpochMilli(),
        list.tools());
  }

  private static CircuitRecord circuit(ResultSet row) throws SQLException {
    return new CircuitRecord(
        row.getString("server"),
        row.getString("tool"),
        Columns.value(Entrance.Bar.class, row, "bar"),
        Columns.value(Circuit.State.class, row, "state"),
        Columns.instant(row, "changed_at_ms"),
        Columns.instant(row, "until_ms"),
        row.getString("failure"),
        row.getString("detail"),
        row.getLong("number"));
  }
}

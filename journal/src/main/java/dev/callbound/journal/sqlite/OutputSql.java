package dev.callbound.journal.sqlite;

import dev.callbound.journal.OutputRecord;
import dev.callbound.journal.RunRecord;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/** What is written and asked about what runs are expected to bring about. */
final class OutputSql {
  private OutputSql() {}

  static void expect(Sql sql, RunRecord run, List<String> outputs) throws SQLException {
    for (String output : outputs) {
      sql.update(
          "INSERT INTO outputs (run, output, since_ms) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
          run.id(),
          output,
          run.createdAt().toEpochMilli());
    }
  }

  static void seen(Sql sql, OutputRecord output) throws SQLException {
    sql.update(
        """
        UPDATE outputs SET there = ?, since_ms = ?, detail = ?, final = ?
        WHERE run = ? AND output = ? AND final = 0
        """,
        output.there() ? 1 : 0,
        output.since().toEpochMilli(),
        output.detail(),
        output.isFinal() ? 1 : 0,
        output.run(),
        output.output());
  }

  static List<OutputRecord> of(Sql sql, String run) throws SQLException {
    return sql.list("SELECT * FROM outputs WHERE run = ? ORDER BY output", OutputSql::output, run);
  }

  static List<OutputRecord> toLookFor(Sql sql, int limit) throws SQLException {
    return sql.list(
        "SELECT * FROM outputs WHERE final = 0 ORDER BY run LIMIT ?", OutputSql::output, limit);
  }

  static boolean hasEndedOk(Sql sql, String run, String server, String tool) throws SQLException {
    return sql.number(
            """
            SELECT EXISTS (SELECT 1 FROM calls
              WHERE run = ? AND server = ? AND tool = ? AND status = 'ok')
            """,
            run,
            server,
            tool)
        == 1;
  }

  private static OutputRecord output(ResultSet row) throws SQLException {
    return new OutputRecord(
        row.getString("run"),
        row.getString("output"),
        row.getBoolean("there"),
        Columns.instant(row, "since_ms"),
        Columns.text(row, "detail"),
        row.getBoolean("final"));
  }
}

package dev.callbound.journal.sqlite;

import dev.callbound.journal.CallRecord;
import dev.callbound.journal.RepeatRecord;
import dev.callbound.journal.Replay;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What is written and asked about repeats of a call. */
final class RepeatSql {
  private static final int MOST_REPEATS = 1_000;

  /** The condition of the index calls_by_key: without it that index is not used. */
  private static final String HAS_KEY =
      """
      key IS NOT NULL
        AND (status IS NULL OR status = 'unknown'
          OR (status = 'ok' AND (step IS NOT NULL OR recognition <> 'none')))
      """;

  static final String LATEST_OF_KEY =
      CallSql.SELECT + "WHERE key = ? AND " + HAS_KEY + " ORDER BY id DESC LIMIT 1";

  static final String LATEST_OF_STEP =
      CallSql.SELECT
          + """
          WHERE run = ? AND step = ? AND server = ? AND tool = ?
            AND step IS NOT NULL AND (status IS NULL OR status <> 'stopped')
          ORDER BY id DESC LIMIT 1
          """;

  /** An attempt whose end is not recorded may have been sent. */
  static final String FIRST_SENT =
      """
      SELECT min(attempts.started_at_ms) AS first FROM calls JOIN attempts ON call = id
      WHERE key = ? AND %s
        AND (decision IS NULL OR failure IS NULL OR may_have_run = 1)
      HAVING first IS NOT NULL
      """
          .formatted(HAS_KEY);

  private RepeatSql() {}

  static Optional<CallRecord> latestOfKey(Sql sql, String key) throws SQLException {
    return sql.first(LATEST_OF_KEY, CallRows::call, key);
  }

  /** Of one key there are few. */
  static List<CallRecord> unknownsOfKey(Sql sql, String key) throws SQLException {
    return sql.list(
        CallSql.SELECT
            + "WHERE key = ? AND "
            + HAS_KEY
            + " AND status = 'unknown' ORDER BY id LIMIT 100",
        CallRows::call,
        key);
  }

  static Optional<CallRecord> latestOfStep(
      Sql sql, String run, String step, String server, String tool) throws SQLException {
    return sql.first(LATEST_OF_STEP, CallRows::call, run, step, server, tool);
  }

  static Optional<Instant> firstSent(Sql sql, String key) throws SQLException {
    return sql.first(FIRST_SENT, row -> Columns.instant(row, "first"), key);
  }

  static void repeated(Sql sql, RepeatRecord repeat) throws SQLException {
    sql.update(
        """
        INSERT INTO repeats (call, at_ms, kind, step, client)
        SELECT id, ?2, ?3, ?4, ?5 FROM calls
        WHERE id = ?1 AND (SELECT count(*) FROM repeats WHERE call = ?1) < ?6
        """,
        repeat.call(),
        repeat.at().toEpochMilli(),
        repeat.kind().code(),
        repeat.step(),
        repeat.client(),
        MOST_REPEATS);
  }

  static List<RepeatRecord> repeats(Sql sql, String call) throws SQLException {
    return sql.list(
        "SELECT * FROM repeats WHERE call = ? ORDER BY at_ms, rowid", RepeatSql::repeat, call);
  }

  private static RepeatRecord repeat(ResultSet row) throws SQLException {
    return new RepeatRecord(
        row.getString("call"),
        Columns.instant(row, "at_ms"),
        Columns.value(RepeatRecord.Kind.class, row, "kind"),
        Columns.text(row, "step"),
        row.getString("client"));
  }

  static Optional<Replay> replay(Sql sql, String call) throws SQLException {
    return sql.first(
        "SELECT replay, replay_masked FROM payloads WHERE call = ? AND replay IS NOT NULL",
        row -> new Replay(row.getString("replay"), row.getBoolean("replay_masked")),
        call);
  }

  static Optional<String> resend(Sql sql, String call) throws SQLException {
    return sql.first(
        "SELECT resend FROM payloads WHERE call = ? AND resend IS NOT NULL",
        row -> row.getString("resend"),
        call);
  }

  static List<CallRecord> unsettledCheckable(Sql sql, int limit) throws SQLException {
    return sql.list(
        CallSql.SELECT
            + "WHERE status = 'unknown' AND recognition = 'check' ORDER BY id DESC LIMIT ?",
        CallRows::call,
        limit);
  }
}

package dev.callbound.journal.sqlite;

import dev.callbound.journal.ApprovalRecord;
import dev.callbound.journal.CallRecord;
import dev.callbound.journal.Ruling;
import dev.callbound.journal.TaskRecord;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What is written and asked about calls that go on without their client, or wait for a person. */
final class TaskSql {
  private TaskSql() {}

  static void detach(Sql sql, String call, Instant at, Instant keptUntil, @Nullable String resend)
      throws SQLException, InconsistentException {
    sql.update(
        """
        INSERT INTO tasks (call, principal, detached_at_ms, kept_until_ms)
        SELECT calls.id, runs.principal, ?2, ?3 FROM calls JOIN runs ON runs.id = calls.run
        WHERE calls.id = ?1
        ON CONFLICT (call) DO NOTHING
        """,
        call,
        at.toEpochMilli(),
        keptUntil.toEpochMilli());
    if (find(sql, call).isEmpty()) {
      throw new InconsistentException("call " + call + " is detached, but there is none");
    }
    if (resend != null) {
      sql.update(
          """
          INSERT INTO payloads (call, resend)
          SELECT id, ?2 FROM calls WHERE id = ?1 AND status IS NULL
          ON CONFLICT (call) DO UPDATE SET resend = coalesce(resend, excluded.resend)
          """,
          call,
          resend);
    }
  }

  static void ask(Sql sql, ApprovalRecord asked) throws SQLException {
    sql.update(
        """
        INSERT INTO approvals (call, asked_at_ms, until_ms, arguments, masked)
        VALUES (?, ?, ?, ?, ?) ON CONFLICT (call) DO NOTHING
        """,
        asked.call(),
        asked.askedAt().toEpochMilli(),
        asked.until().toEpochMilli(),
        asked.arguments(),
        asked.masked() ? 1 : 0);
  }

  /** The transaction holds the file's one write lock: of several who rule, one is first. */
  static Ruling.Result rule(Sql sql, String call, Ruling ruling) throws SQLException {
    Optional<CallRecord> found = CallSql.find(sql, call);
    if (found.isEmpty()) {
      return Ruling.Result.NO_SUCH_CALL;
    }
    boolean lapse = ruling.kind() == Ruling.Kind.LAPSED;
    int ruled =
        sql.update(
            """
            UPDATE approvals SET ruling = ?, ruled_at_ms = ?, ruled_by = ?, note = ?
            WHERE call = ? AND ruling IS NULL AND (? = 1 OR until_ms > ?)
              AND EXISTS (SELECT 1 FROM calls WHERE id = call AND status IS NULL)
            """,
            ruling.kind().code(),
            ruling.at().toEpochMilli(),
            ruling.who(),
            ruling.note(),
            call,
            lapse ? 1 : 0,
            ruling.at().toEpochMilli());
    if (ruled == 1) {
      return Ruling.Result.RULED;
    }
    Optional<ApprovalRecord> asked = approval(sql, call);
    if (asked.isEmpty()) {
      return Ruling.Result.NOT_ASKED;
    }
    Ruling before = asked.get().ruling();
    if (before == null) {
      return found.get().ending() == null ? Ruling.Result.TOO_LATE : Ruling.Result.OVER;
    }
    if (before.kind() == ruling.kind()) {
      return Ruling.Result.ALREADY;
    }
    return before.kind() == Ruling.Kind.LAPSED
        ? Ruling.Result.TOO_LATE
        : Ruling.Result.CONTRADICTED;
  }

  static void cancelled(Sql sql, String call, Instant at) throws SQLException {
    sql.update(
        """
        UPDATE tasks SET cancelled_at_ms = ? WHERE call = ? AND cancelled_at_ms IS NULL
          AND EXISTS (SELECT 1 FROM calls WHERE id = call AND status IS NULL)
        """,
        at.toEpochMilli(),
        call);
  }

  static void failed(Sql sql, String call, String error) throws SQLException {
    sql.update("UPDATE tasks SET error = ? WHERE call = ?", error, call);
  }

  /**
   * A result stays where a repeat may still be answered with it.
   *
   * @return how many tasks were forgotten: none when there are no more
   */
  static int forget(Sql sql, Instant keptBefore, int limit) throws SQLException {
    List<String> old =
        sql.list(
            """
            SELECT call FROM tasks JOIN calls ON id = call
            WHERE kept_until_ms < ? AND status IS NOT NULL LIMIT ?
            """,
            row -> row.getString(1),
            keptBefore.toEpochMilli(),
            limit);
    for (String call : old) {
      sql.update(
          """
          UPDATE payloads SET replay = NULL, replay_masked = NULL
          WHERE call = ? AND EXISTS (
            SELECT 1 FROM calls WHERE id = call
              AND (status <> 'ok' OR (step IS NULL AND recognition = 'none')))
          """,
          call);
      sql.update("DELETE FROM tasks WHERE call = ?", call);
    }
    return old.size();
  }

  static Optional<TaskRecord> find(Sql sql, String call) throws SQLException {
    return sql.first("SELECT * FROM tasks WHERE call = ?", TaskSql::task, call);
  }

  static List<TaskRecord> tasks(Sql sql, String principal, @Nullable String after, int limit)
      throws SQLException {
    return sql.list(
        "SELECT * FROM tasks WHERE principal = ? AND call > ? ORDER BY call LIMIT ?",
        TaskSql::task,
        principal,
        after == null ? "" : after,
        limit);
  }

  static Optional<ApprovalRecord> approval(Sql sql, String call) throws SQLException {
    return sql.first("SELECT * FROM approvals WHERE call = ?", TaskSql::approval, call);
  }

  static List<String> ruled(Sql sql) throws SQLException {
    return sql.list(
        """
        SELECT id FROM calls JOIN approvals ON call = id
        WHERE status IS NULL AND ruling IS NOT NULL
        """,
        row -> row.getString(1));
  }

  static List<ApprovalRecord> waiting(Sql sql, int limit) throws SQLException {
    return sql.list(
        """
        SELECT approvals.* FROM approvals JOIN calls ON id = call
        WHERE ruling IS NULL AND status IS NULL ORDER BY call LIMIT ?
        """,
        TaskSql::approval,
        limit);
  }

  private static TaskRecord task(ResultSet row) throws SQLException {
    return new TaskRecord(
        row.getString("call"),
        row.getString("principal"),
        Columns.instant(row, "detached_at_ms"),
        Columns.instant(row, "kept_until_ms"),
        Columns.instantOrNull(row, "cancelled_at_ms"),
        Columns.text(row, "error"));
  }

  private static ApprovalRecord approval(ResultSet row) throws SQLException {
    String ruling = Columns.text(row, "ruling");
    return new ApprovalRecord(
        row.getString("call"),
        Columns.instant(row, "asked_at_ms"),
        Columns.instant(row, "until_ms"),
        row.getString("arguments"),
        row.getBoolean("masked"),
        ruling == null
            ? null
            : new Ruling(
                Columns.value(Ruling.Kind.class, ruling),
                Columns.instant(row, "ruled_at_ms"),
                row.getString("ruled_by"),
                Columns.text(row, "note")));
  }
}

package dev.callbound.journal.sqlite;

import dev.callbound.journal.AttemptEnd;
import dev.callbound.journal.AttemptRecord;
import dev.callbound.journal.CallRecord;
import dev.callbound.journal.Ending;
import dev.callbound.journal.Evidence;
import dev.callbound.journal.FailureRecord;
import dev.callbound.journal.Pulse;
import dev.callbound.journal.Replay;
import dev.callbound.policy.Reason;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What is written and asked about calls and attempts. */
final class CallSql {
  /** Without payloads, which can be large: a list of calls does not bring them along. */
  static final String SELECT = "SELECT *, NULL AS arguments, NULL AS result FROM calls ";

  private CallSql() {}

  static void open(Sql sql, CallRecord call, @Nullable String resend) throws SQLException {
    sql.update(
        """
        INSERT INTO calls (id, run, step, server, tool, effect, effect_from, recognition, key,
                           follows, arguments_digest, started_at_ms)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
        call.id(),
        call.run(),
        call.step(),
        call.server(),
        call.tool(),
        Columns.code(call.effect()),
        call.effectFrom().code(),
        Columns.code(call.recognition()),
        call.key(),
        call.follows(),
        call.argumentsDigest(),
        call.startedAt().toEpochMilli());
    if (call.arguments() != null || resend != null) {
      sql.update(
          "INSERT INTO payloads (call, arguments, resend) VALUES (?, ?, ?)",
          call.id(),
          call.arguments(),
          resend);
    }
  }

  /** A call that is recorded when it has ended, and leaves nothing to be kept. */
  static void ended(Sql sql, CallRecord call, Ending ending) throws SQLException {
    Reason reason = ending.reason();
    sql.update(
        """
        INSERT INTO calls (id, run, step, server, tool, effect, effect_from, recognition, key,
                           follows, arguments_digest, started_at_ms, ended_at_ms, status, reason,
                           detail, attempts, result_digest, result_bytes)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
        call.id(),
        call.run(),
        call.step(),
        call.server(),
        call.tool(),
        Columns.code(call.effect()),
        call.effectFrom().code(),
        Columns.code(call.recognition()),
        call.key(),
        call.follows(),
        call.argumentsDigest(),
        call.startedAt().toEpochMilli(),
        ending.endedAt().toEpochMilli(),
        ending.status().code(),
        reason == null ? null : reason.code(),
        ending.detail(),
        ending.attempts(),
        ending.resultDigest(),
        ending.resultBytes());
  }

  /** The attempt of such a call. */
  static void ended(Sql sql, CallRecord call, AttemptRecord attempt, AttemptEnd end)
      throws SQLException {
    FailureRecord failure = end.failure();
    Evidence evidence = end.evidence();
    sql.update(
        """
        INSERT INTO attempts (call, run, number, timeout_ms, limited_by, started_at_ms, held_ms,
                              cost_millionths, waited_us, failure, failure_detail, may_have_run,
                              decision, pause_ms, why, progress_count, last_progress_age_ms,
                              signs_of_life, upstream_note)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
        call.id(),
        call.run(),
        attempt.number(),
        attempt.timeout().toMillis(),
        Columns.code(attempt.limitedBy()),
        attempt.startedAt().toEpochMilli(),
        attempt.held().toMillis(),
        isCharged(failure) ? attempt.cost().millionths() : 0,
        Columns.micros(end.waited()),
        failure == null ? null : failure.kind(),
        failure == null ? null : failure.detail(),
        failure == null ? null : failure.mayHaveRun() ? 1 : 0,
        Columns.code(end.decision().action()),
        Columns.millis(end.decision().pause()),
        end.decision().why(),
        evidence.progressCount(),
        Columns.millis(evidence.lastProgressAge()),
        evidence.signsOfLife(),
        evidence.upstreamNote());
  }

  static void beginAttempt(Sql sql, String call, AttemptRecord attempt)
      throws SQLException, InconsistentException {
    int begun =
        sql.update(
            """
            INSERT INTO attempts (call, run, number, timeout_ms, limited_by, started_at_ms, held_ms,
                                  cost_millionths)
            SELECT id, run, ?, ?, ?, ?, ?, ? FROM calls WHERE id = ? AND status IS NULL
            """,
            attempt.number(),
            attempt.timeout().toMillis(),
            Columns.code(attempt.limitedBy()),
            attempt.startedAt().toEpochMilli(),
            attempt.held().toMillis(),
            attempt.cost().millionths(),
            call);
    if (begun != 1) {
      throw new InconsistentException(
          "attempt %d of call %s begins, but no such call is open"
              .formatted(attempt.number(), call));
    }
  }

  private static boolean isCharged(@Nullable FailureRecord failure) {
    return failure == null || !failure.neverArrived();
  }

  static void attemptSeen(Sql sql, String call, int number, Pulse pulse) throws SQLException {
    sql.update(
        """
        UPDATE attempts SET pulse_at_ms = ?, progress_count = ?, last_progress_at_ms = ?,
          signs_of_life = ?, last_sign_at_ms = ?, stuck_since_ms = ?
        WHERE call = ? AND number = ? AND decision IS NULL
        """,
        System.currentTimeMillis(),
        pulse.progressCount(),
        Columns.millis(pulse.lastProgressAt()),
        pulse.signsOfLife(),
        Columns.millis(pulse.lastSignAt()),
        Columns.millis(pulse.stuckSince()),
        call,
        number);
  }

  static void endAttempt(Sql sql, String call, int number, AttemptEnd end)
      throws SQLException, InconsistentException {
    FailureRecord failure = end.failure();
    Evidence evidence = end.evidence();
    int ended =
        sql.update(
            """
            UPDATE attempts SET waited_us = ?, failure = ?, failure_detail = ?, may_have_run = ?,
              decision = ?, pause_ms = ?, why = ?, progress_count = ?, last_progress_age_ms = ?,
              signs_of_life = ?, upstream_note = ?,
              cost_millionths = iif(?, cost_millionths, 0)
            WHERE call = ? AND number = ? AND decision IS NULL
            """,
            Columns.micros(end.waited()),
            failure == null ? null : failure.kind(),
            failure == null ? null : failure.detail(),
            failure == null ? null : failure.mayHaveRun() ? 1 : 0,
            Columns.code(end.decision().action()),
            Columns.millis(end.decision().pause()),
            end.decision().why(),
            evidence.progressCount(),
            Columns.millis(evidence.lastProgressAge()),
            evidence.signsOfLife(),
            evidence.upstreamNote(),
            isCharged(failure) ? 1 : 0,
            call,
            number);
    if (ended != 1) {
      throw new InconsistentException(
          "attempt %d of call %s ends, but was not going on".formatted(number, call));
    }
  }

  static void end(Sql sql, String call, Ending ending, @Nullable Replay replay)
      throws SQLException, InconsistentException {
    Reason reason = ending.reason();
    int ended =
        sql.update(
            """
            UPDATE calls SET ended_at_ms = ?, status = ?, reason = ?, detail = ?, attempts = ?,
              result_digest = ?, result_bytes = ?
            WHERE id = ? AND status IS NULL
            """,
            ending.endedAt().toEpochMilli(),
            ending.status().code(),
            reason == null ? null : reason.code(),
            ending.detail(),
            ending.attempts(),
            ending.resultDigest(),
            ending.resultBytes(),
            call);
    if (ended != 1) {
      throw new InconsistentException("call " + call + " ends, but was not open");
    }
    keepResult(sql, call, ending.result(), replay);
    if (ending.status() == Ending.Status.UNKNOWN) {
      RunSql.spreadUnknown(sql, call);
      forgetResendIfOfNoUse(sql, call);
    } else {
      forgetResend(sql, call);
    }
  }

  static void keepResult(Sql sql, String call, @Nullable String result, @Nullable Replay replay)
      throws SQLException {
    if (result == null && replay == null) {
      return;
    }
    sql.update(
        """
        INSERT INTO payloads (call, result, replay, replay_masked) VALUES (?, ?, ?, ?)
        ON CONFLICT (call) DO UPDATE
        SET result = excluded.result, replay = excluded.replay,
          replay_masked = excluded.replay_masked
        """,
        call,
        result,
        replay == null ? null : replay.result(),
        replay == null ? null : replay.masked() ? 1 : 0);
  }

  static void forgetResend(Sql sql, String call) throws SQLException {
    sql.update("UPDATE payloads SET resend = NULL WHERE call = ? AND resend IS NOT NULL", call);
  }

  /** Nobody can ask what became of it, nor send it again. */
  private static void forgetResendIfOfNoUse(Sql sql, String call) throws SQLException {
    sql.update(
        """
        UPDATE payloads SET resend = NULL WHERE call = ? AND resend IS NOT NULL
          AND EXISTS (SELECT 1 FROM calls WHERE id = call AND recognition = 'none')
        """,
        call);
  }

  static Optional<CallRecord> find(Sql sql, String id) throws SQLException {
    return sql.first(
        """
        SELECT calls.*, payloads.arguments, payloads.result
        FROM calls LEFT JOIN payloads ON payloads.call = calls.id WHERE calls.id = ?
        """,
        CallRows::call,
        id);
  }

  static List<CallRecord> newestOf(Sql sql, String run, int limit) throws SQLException {
    return sql.list(SELECT + "WHERE run = ? ORDER BY id DESC LIMIT ?", CallRows::call, run, limit)
        .reversed();
  }

  static List<CallRecord> open(Sql sql) throws SQLException {
    return sql.list(SELECT + "WHERE status IS NULL ORDER BY id", CallRows::call);
  }

  static List<CallRecord> unknowns(Sql sql, int limit) throws SQLException {
    return sql.list(
        SELECT + "WHERE status = 'unknown' ORDER BY id DESC LIMIT ?", CallRows::call, limit);
  }

  static List<AttemptRecord> attempts(Sql sql, String call) throws SQLException {
    return sql.list(
        "SELECT * FROM attempts WHERE call = ? ORDER BY number", CallRows::attempt, call);
  }

  static List<String> idsBeginning(Sql sql, String prefix, int limit) throws SQLException {
    // '{' comes after every character of an id.
    String end = prefix + "{";
    return sql.list(
        """
        SELECT id FROM runs WHERE id >= ?1 AND id < ?2
        UNION ALL SELECT id FROM calls WHERE id >= ?1 AND id < ?2 ORDER BY id LIMIT ?3
        """,
        row -> row.getString(1),
        prefix,
        end,
        limit);
  }
}

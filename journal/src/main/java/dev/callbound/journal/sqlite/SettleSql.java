package dev.callbound.journal.sqlite;

import dev.callbound.journal.CallRecord;
import dev.callbound.journal.Divergence;
import dev.callbound.journal.Ending;
import dev.callbound.journal.Ending.Status;
import dev.callbound.journal.Replay;
import dev.callbound.journal.SettleResult;
import dev.callbound.journal.SettledBy;
import dev.callbound.journal.Settlement;
import dev.callbound.journal.Settling;
import dev.callbound.policy.Reason;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How unknown calls become known. */
final class SettleSql {
  private static final int MOST_DIVERGENCES = 100;

  private SettleSql() {}

  /**
   * Settles a call if it is unknown. The transaction holds the file's one write lock, so that of
   * several who settle the same call, in whatever process, one is first.
   */
  static SettleResult settle(Sql sql, Settling settling) throws SQLException {
    CallRecord call = CallSql.find(sql, settling.call()).orElse(null);
    if (call == null) {
      return SettleResult.NO_SUCH_CALL;
    }
    Ending ending = call.ending();
    if (ending == null) {
      return SettleResult.OPEN;
    }
    if (ending.reason() instanceof Reason.Unknown doubt) {
      settle(sql, call.id(), settling, doubt);
      for (CallRecord same : ofTheSameIntent(sql, call)) {
        Ending its = same.ending();
        if (its != null
            && its.reason() instanceof Reason.Unknown alike
            && isTrueOf(same, its, settling)) {
          settle(sql, same.id(), settling, alike);
        }
      }
      return SettleResult.SETTLED;
    }
    if (call.settled() == null) {
      return SettleResult.NOT_UNKNOWN;
    }
    if (ending.status() == settling.to()) {
      complete(sql, settling);
      return SettleResult.ALREADY;
    }
    diverge(sql, settling, call.settled().was());
    return SettleResult.DIVERGENT;
  }

  /** Whether what was learned of a call is true of one that meant the same, too. */
  private static boolean isTrueOf(CallRecord same, Ending its, Settling settling) {
    return settling.to() == Status.OK
        || switch (settling.by()) {
          case PERSON, MODEL -> true;
          // Of a later attempt it may have been asked too soon.
          case CHECK -> its.attempts() == 0 || same.id().compareTo(settling.call()) < 0;
          // The answer to one request; another one of the same key may have been done.
          case LATE_ANSWER, REPEAT -> false;
        };
  }

  /** The unknown calls that are tied to this one by what they follow, in both directions. */
  private static List<CallRecord> ofTheSameIntent(Sql sql, CallRecord call) throws SQLException {
    String key = call.key();
    if (key == null) {
      return List.of();
    }
    List<CallRecord> unknown = RepeatSql.unknownsOfKey(sql, key);
    List<CallRecord> tied = new ArrayList<>();
    Deque<CallRecord> from = new ArrayDeque<>(List.of(call));
    while (!from.isEmpty()) {
      CallRecord one = from.remove();
      for (CallRecord other : unknown) {
        boolean adjacent = other.id().equals(one.follows()) || one.id().equals(other.follows());
        if (adjacent && !tied.contains(other)) {
          tied.add(other);
          from.add(other);
        }
      }
    }
    return tied;
  }

  private static void settle(Sql sql, String call, Settling settling, Reason.Unknown doubt)
      throws SQLException {
    Reason.Stopped reason = reason(settling, doubt);
    // On the right side of an assignment a column has the value that it had before.
    sql.update(
        """
        UPDATE calls SET status = ?, reason = ?, detail = ?, result_digest = ?, result_bytes = ?,
          settled_at_ms = ?, settled_by = ?, settled_who = ?, settled_note = ?,
          settled_was = reason, settled_was_detail = detail
        WHERE id = ? AND status = 'unknown'
        """,
        settling.to().code(),
        reason == null ? null : reason.code(),
        settling.detail(),
        settling.resultDigest(),
        settling.resultBytes(),
        settling.at().toEpochMilli(),
        settling.by().code(),
        settling.who(),
        settling.note(),
        call);
    CallSql.keepResult(sql, call, settling.result(), kept(sql, call, settling.replay()));
    CallSql.forgetResend(sql, call);
    RunSql.spreadSettled(sql, call);
  }

  /** Adds the result to a call of which it was known only that it had happened. */
  private static void complete(Sql sql, Settling settling) throws SQLException {
    String digest = settling.resultDigest();
    if (digest == null) {
      return;
    }
    int lacking =
        sql.update(
            """
            UPDATE calls SET result_digest = ?, result_bytes = ?
            WHERE id = ? AND result_digest IS NULL
            """,
            digest,
            settling.resultBytes(),
            settling.call());
    if (lacking == 1) {
      String call = settling.call();
      CallSql.keepResult(sql, call, settling.result(), kept(sql, call, settling.replay()));
    }
  }

  /** A result is kept for those who may ask for it: by a repeat, or because they come back. */
  private static @Nullable Replay kept(Sql sql, String call, @Nullable Replay replay)
      throws SQLException {
    boolean asked =
        sql.number(
                """
                SELECT count(*) FROM calls WHERE id = ?
                  AND (step IS NOT NULL OR recognition <> 'none'
                    OR EXISTS (SELECT 1 FROM tasks WHERE call = calls.id))
                """,
                call)
            > 0;
    return asked ? replay : null;
  }

  private static void diverge(Sql sql, Settling settling, Reason.Unknown doubt)
      throws SQLException {
    Reason.Stopped reason = reason(settling, doubt);
    sql.update(
        """
        INSERT INTO divergences (call, at_ms, status, reason, detail, said_by, who, note,
                                 result_digest, result_bytes)
        SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10
        WHERE (SELECT count(*) FROM divergences WHERE call = ?1) < ?11
        """,
        settling.call(),
        settling.at().toEpochMilli(),
        settling.to().code(),
        reason == null ? null : reason.code(),
        settling.detail(),
        settling.by().code(),
        settling.who(),
        settling.note(),
        settling.resultDigest(),
        settling.resultBytes(),
        MOST_DIVERGENCES);
  }

  private static Reason.@Nullable Stopped reason(Settling settling, Reason.Unknown doubt) {
    return settling.to() == Status.STOPPED && settling.reason() == null
        ? Settling.reasonAfter(doubt)
        : settling.reason();
  }

  static List<Divergence> divergences(Sql sql, String call) throws SQLException {
    return sql.list(
        "SELECT * FROM divergences WHERE call = ? ORDER BY at_ms, rowid",
        SettleSql::divergence,
        call);
  }

  private static Divergence divergence(ResultSet row) throws SQLException {
    String reason = Columns.text(row, "reason");
    return new Divergence(
        Columns.instant(row, "at_ms"),
        Columns.value(Status.class, row, "status"),
        reason == null ? null : Columns.value(Reason.Stopped.class, reason),
        row.getString("detail"),
        Columns.value(SettledBy.class, row, "said_by"),
        row.getString("who"),
        Columns.text(row, "note"),
        Columns.text(row, "result_digest"),
        row.getLong("result_bytes"));
  }

  /** The settlement in a row of calls; null when there is none. */
  static @Nullable Settlement settlement(ResultSet row) throws SQLException {
    String by = Columns.text(row, "settled_by");
    if (by == null) {
      return null;
    }
    return new Settlement(
        Columns.instant(row, "settled_at_ms"),
        Columns.value(SettledBy.class, by),
        row.getString("settled_who"),
        Columns.text(row, "settled_note"),
        Columns.value(Reason.Unknown.class, row, "settled_was"),
        row.getString("settled_was_detail"));
  }
}

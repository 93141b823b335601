package dev.callbound.journal.sqlite;

import dev.callbound.journal.AttemptEnd;
import dev.callbound.journal.AttemptRecord;
import dev.callbound.journal.CallRecord;
import dev.callbound.journal.EffectSource;
import dev.callbound.journal.Ending;
import dev.callbound.journal.Evidence;
import dev.callbound.journal.FailureRecord;
import dev.callbound.journal.Pulse;
import dev.callbound.policy.Attempt;
import dev.callbound.policy.Decision;
import dev.callbound.policy.Effect;
import dev.callbound.policy.Money;
import dev.callbound.policy.Reason;
import dev.callbound.policy.Recognition;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Calls and attempts as they are read from their rows. */
final class CallRows {
  private CallRows() {}

  static CallRecord call(ResultSet row) throws SQLException {
    return new CallRecord(
        row.getString("id"),
        row.getString("run"),
        Columns.text(row, "step"),
        row.getString("server"),
        row.getString("tool"),
        Columns.value(Effect.class, row, "effect"),
        Columns.value(EffectSource.class, row, "effect_from"),
        Columns.value(Recognition.class, row, "recognition"),
        Columns.text(row, "key"),
        Columns.text(row, "follows"),
        row.getString("arguments_digest"),
        Columns.text(row, "arguments"),
        Columns.instant(row, "started_at_ms"),
        ending(row),
        SettleSql.settlement(row));
  }

  private static @Nullable Ending ending(ResultSet row) throws SQLException {
    String code = Columns.text(row, "status");
    if (code == null) {
      return null;
    }
    Ending.Status status = Columns.value(Ending.Status.class, code);
    return new Ending(
        status,
        reason(status, row.getString("reason")),
        row.getString("detail"),
        row.getInt("attempts"),
        Columns.instant(row, "ended_at_ms"),
        Columns.text(row, "result_digest"),
        row.getLong("result_bytes"),
        Columns.text(row, "result"));
  }

  private static @Nullable Reason reason(Ending.Status status, String code) {
    return switch (status) {
      case OK -> null;
      case STOPPED -> Columns.value(Reason.Stopped.class, code);
      case UNKNOWN -> Columns.value(Reason.Unknown.class, code);
    };
  }

  static AttemptRecord attempt(ResultSet row) throws SQLException {
    return new AttemptRecord(
        row.getInt("number"),
        Duration.ofMillis(row.getLong("timeout_ms")),
        Columns.value(Attempt.Limit.class, row, "limited_by"),
        Columns.instant(row, "started_at_ms"),
        Duration.ofMillis(row.getLong("held_ms")),
        new Money(row.getLong("cost_millionths")),
        attemptEnd(row),
        pulse(row));
  }

  private static @Nullable Pulse pulse(ResultSet row) throws SQLException {
    return Columns.instantOrNull(row, "pulse_at_ms") == null
        ? null
        : new Pulse(
            row.getInt("progress_count"),
            Columns.instantOrNull(row, "last_progress_at_ms"),
            row.getInt("signs_of_life"),
            Columns.instantOrNull(row, "last_sign_at_ms"),
            Columns.instantOrNull(row, "stuck_since_ms"));
  }

  private static @Nullable AttemptEnd attemptEnd(ResultSet row) throws SQLException {
    String decision = Columns.text(row, "decision");
    if (decision == null) {
      return null;
    }
    String failure = Columns.text(row, "failure");
    return new AttemptEnd(
        Columns.microsOrNull(row, "waited_us"),
        failure == null
            ? null
            : new FailureRecord(
                failure, row.getString("failure_detail"), row.getBoolean("may_have_run")),
        new Decision(
            Columns.value(Decision.Action.class, decision),
            Columns.millisOrNull(row, "pause_ms"),
            row.getString("why")),
        new Evidence(
            row.getInt("progress_count"),
            Columns.millisOrNull(row, "last_progress_age_ms"),
            row.getInt("signs_of_life"),
            Columns.text(row, "upstream_note")));
  }
}

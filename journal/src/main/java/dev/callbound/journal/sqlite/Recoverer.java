package dev.callbound.journal.sqlite;

import dev.callbound.journal.AttemptEnd;
import dev.callbound.journal.AttemptRecord;
import dev.callbound.journal.CallRecord;
import dev.callbound.journal.Ending;
import dev.callbound.journal.Ending.Status;
import dev.callbound.journal.Evidence;
import dev.callbound.journal.FailureRecord;
import dev.callbound.journal.Recovery;
import dev.callbound.policy.Decision;
import dev.callbound.policy.Decision.Action;
import dev.callbound.policy.Effect;
import dev.callbound.policy.Failure;
import dev.callbound.policy.Reason;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;

/**
 * Ends what a dead process left open, in one transaction, before anything new is recorded.
 *
 * <pre>
 *   the call, as the journal shows it                          ends
 *   a read                                                     stopped: cancelled
 *   a write, no attempt begun                                  stopped: cancelled
 *   a write, an attempt begun and not ended                    unknown: worker_died
 *   a write, whose last attempt was answered                   ok
 *   a write, all attempts ended, one of which may have run     unknown: worker_died
 *   a write, all attempts ended, none of which can have run    stopped: refused, tool_error, cancelled
 * </pre>
 *
 * <p>An attempt is on disk before its first byte is sent, so a write without one was never sent.
 * Runs go on, with the budget and the deadline that they had, unless the deadline has passed.
 */
final class Recoverer {
  private final Sql sql;
  private final Instant now;

  private int ok;
  private int stopped;
  private int unknown;

  private Recoverer(Sql sql, Instant now) {
    this.sql = sql;
    this.now = now;
  }

  static Recovery recover(Sql sql, Instant now) throws SQLException, InconsistentException {
    Recoverer recoverer = new Recoverer(sql, now);
    sql.begin();
    for (CallRecord call : CallSql.open(sql)) {
      recoverer.end(call);
    }
    int runs =
        sql.update(
            """
            UPDATE runs SET ended_at_ms = ?1, ended_because = 'the deadline passed',
              state = iif(EXISTS (SELECT 1 FROM calls WHERE run = runs.id AND status = 'unknown'),
                          'unknown', 'expired')
            WHERE state = 'running' AND deadline_ms <= ?1
            """,
            now.toEpochMilli());
    sql.commit();
    return new Recovery(recoverer.ok, recoverer.stopped, recoverer.unknown, runs);
  }

  private void end(CallRecord call) throws SQLException, InconsistentException {
    List<AttemptRecord> attempts = CallSql.attempts(sql, call.id());
    Ending ending = call.effect() == Effect.READ ? read(attempts) : write(attempts);
    for (AttemptRecord attempt : attempts) {
      if (attempt.end() == null) {
        CallSql.endAttempt(sql, call.id(), attempt.number(), died(call.effect()));
      }
    }
    CallSql.end(sql, call.id(), ending);
    switch (ending.status()) {
      case OK -> ok++;
      case STOPPED -> stopped++;
      case UNKNOWN -> unknown++;
    }
  }

  private Ending read(List<AttemptRecord> attempts) {
    return stopped("the process died; a read may be asked again", attempts);
  }

  private Ending write(List<AttemptRecord> attempts) {
    if (attempts.isEmpty()) {
      return stopped("the process died; nothing had been sent", attempts);
    }
    AttemptEnd last = attempts.getLast().end();
    if (last == null) {
      return unknown("the process died while the tool was at it", attempts);
    }
    FailureRecord failure = last.failure();
    if (failure == null) {
      return Ending.without(
          Status.OK,
          null,
          "the tool answered, and the process died before it could pass the answer on",
          attempts.size(),
          now);
    }
    String detail = "the process died; the last attempt had failed: " + failure.detail();
    return attempts.stream().anyMatch(Recoverer::mayHaveRun)
        ? unknown(detail, attempts)
        : Ending.without(Status.STOPPED, reason(failure), detail, attempts.size(), now);
  }

  /** Where an answer for good is on record, it is the reason. */
  private static Reason.Stopped reason(FailureRecord failure) {
    return switch (failure.kind()) {
      case "refused" -> Reason.Stopped.REFUSED;
      case "tool_error" -> Reason.Stopped.TOOL_ERROR;
      default -> Reason.Stopped.CANCELLED;
    };
  }

  private static boolean mayHaveRun(AttemptRecord attempt) {
    AttemptEnd end = attempt.end();
    if (end == null) {
      return true;
    }
    FailureRecord failure = end.failure();
    return failure == null || failure.mayHaveRun();
  }

  private Ending stopped(String detail, List<AttemptRecord> attempts) {
    return Ending.without(Status.STOPPED, Reason.Stopped.CANCELLED, detail, attempts.size(), now);
  }

  private Ending unknown(String detail, List<AttemptRecord> attempts) {
    return Ending.without(Status.UNKNOWN, Reason.Unknown.WORKER_DIED, detail, attempts.size(), now);
  }

  private static AttemptEnd died(Effect effect) {
    Decision decision =
        switch (effect) {
          case READ -> new Decision(Action.STOP, null, "nobody waits for the answer any more");
          case WRITE -> new Decision(Action.UNKNOWN, null, "the write may have happened");
        };
    return new AttemptEnd(
        null, FailureRecord.of(new Failure.WorkerDied()), decision, Evidence.NONE);
  }
}

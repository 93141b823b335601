package dev.callbound.journal.sqlite;

import dev.callbound.journal.AttemptEnd;
import dev.callbound.journal.AttemptRecord;
import dev.callbound.journal.CallRecord;
import dev.callbound.journal.Ending;
import dev.callbound.journal.Ending.Status;
import dev.callbound.journal.Evidence;
import dev.callbound.journal.FailureRecord;
import dev.callbound.journal.Interrupted;
import dev.callbound.journal.Recovery;
import dev.callbound.journal.RunState;
import dev.callbound.policy.Decision;
import dev.callbound.policy.Decision.Action;
import dev.callbound.policy.Effect;
import dev.callbound.policy.Failure;
import dev.callbound.policy.Reason;
import dev.callbound.policy.Recognition;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Ends what a dead process left open, in one transaction, before anything new is recorded.
 *
 * <pre>
 *   the call, as the journal shows it                          ends
 *   a client comes back for it, and it can go on               not yet: it is to be resumed
 *   a read                                                     stopped: cancelled
 *   a write, no attempt begun                                  stopped: cancelled
 *   the same, following a call that is in doubt                unknown, as that one is
 *   a write, whose last attempt ended well                     ok
 *   a write that would have gone on, and can                   not yet: it is to be resumed
 *   a write, an attempt begun and not ended                    unknown: worker_died
 *   a write, all attempts ended, a doubt is left               unknown: worker_died
 *   a write, all attempts ended, no doubt is left              stopped: refused, tool_error, cancelled
 * </pre>
 *
 * <p>An attempt is on disk before its first byte is sent, so a write without one was never sent. It
 * would have gone on if it was amid an attempt or in the wait before the next one; it can, if a
 * repeat of it is recognised, its arguments were kept, and its run has time left. Where a client
 * was told to come back, a read goes on too, and so does a write of which nothing can have run.
 * Runs go on, with the budget and the deadline that they had, unless the deadline has passed.
 */
final class Recoverer {
  private static final String ARGUMENTS_NOT_KEPT =
      "; its arguments were not kept, since they hold what must not be recorded, so it could not be"
          + " taken up";

  private final Sql sql;
  private final Instant now;
  private final List<Interrupted> toResume = new ArrayList<>();

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
      recoverer.takeUp(call);
    }
    int runs =
        sql.update(
            """
            UPDATE runs SET ended_at_ms = ?1, ended_because = 'the deadline passed',
              state_if_settled = 'expired',
              state = iif(EXISTS (SELECT 1 FROM calls WHERE run = runs.id AND status = 'unknown'),
                          'unknown', 'expired')
            WHERE state = 'running' AND deadline_ms <= ?1
            """,
            now.toEpochMilli());
    sql.commit();
    return new Recovery(
        recoverer.ok, recoverer.stopped, recoverer.unknown, recoverer.toResume, runs);
  }

  private void takeUp(CallRecord call) throws SQLException, InconsistentException {
    List<AttemptRecord> attempts = CallSql.attempts(sql, call.id());
    if (TaskSql.find(sql, call.id()).isPresent() && goesOn(call, attempts) && hasTime(call)) {
      Optional<String> resend = RepeatSql.resend(sql, call.id());
      if (resend.isPresent()) {
        toResume.add(new Interrupted(call, resend.get(), attempts, inherited(call)));
        return;
      }
    }
    if (call.effect() == Effect.READ) {
      end(call, attempts, stopped("the process died; a read may be asked again", attempts));
      return;
    }
    Reason.Unknown inherited = inherited(call);
    if (wouldGoOn(attempts) && call.recognition() != Recognition.NONE && hasTime(call)) {
      Optional<String> resend = RepeatSql.resend(sql, call.id());
      if (resend.isPresent()) {
        toResume.add(new Interrupted(call, resend.get(), attempts, inherited));
        return;
      }
      end(call, attempts, write(call, attempts, inherited, ARGUMENTS_NOT_KEPT));
      return;
    }
    end(call, attempts, write(call, attempts, inherited, ""));
  }

  private void end(CallRecord call, List<AttemptRecord> attempts, Ending ending)
      throws SQLException, InconsistentException {
    for (AttemptRecord attempt : attempts) {
      if (attempt.end() == null) {
        CallSql.endAttempt(sql, call.id(), attempt.number(), died(call.effect()));
      }
    }
    CallSql.end(sql, call.id(), ending, null);
    switch (ending.status()) {
      case OK -> ok++;
      case STOPPED -> stopped++;
      case UNKNOWN -> unknown++;
    }
  }

  /** Whether a call that a client comes back for can go on without doing anything twice. */
  private boolean goesOn(CallRecord call, List<AttemptRecord> attempts) throws SQLException {
    boolean recognised = call.recognition() != Recognition.NONE;
    if (attempts.isEmpty()) {
      return recognised || inherited(call) == null;
    }
    AttemptEnd last = attempts.getLast().end();
    return switch (call.effect()) {
      // One that was answered goes on as well: its answer died with the process.
      case READ ->
          last == null
              || last.decision().action() == Action.RETRY
              || last.decision().action() == Action.OK;
      case WRITE ->
          !recognised
              && last != null
              && last.decision().action() == Action.RETRY
              && Interrupted.doubt(call.recognition(), inherited(call), attempts) == null;
    };
  }

  private static boolean wouldGoOn(List<AttemptRecord> attempts) {
    if (attempts.isEmpty()) {
      return false;
    }
    AttemptEnd last = attempts.getLast().end();
    return last == null || last.decision().action() == Action.RETRY;
  }

  private boolean hasTime(CallRecord call) throws SQLException {
    return RunSql.find(sql, call.run())
        .filter(run -> run.state() == RunState.RUNNING && run.deadline().isAfter(now))
        .isPresent();
  }

  /** The doubt that a call has from the one that it follows; null when there is none. */
  private Reason.@Nullable Unknown inherited(CallRecord call) throws SQLException {
    String follows = call.follows();
    if (follows == null) {
      return null;
    }
    CallRecord first = CallSql.find(sql, follows).orElse(null);
    Ending ending = first == null ? null : first.ending();
    if (ending == null) {
      return Reason.Unknown.WORKER_DIED;
    }
    return switch (ending.status()) {
      case UNKNOWN -> ending.reason() instanceof Reason.Unknown doubt ? doubt : null;
      // It was settled by this very call, which now can't say so any more.
      case OK -> Reason.Unknown.WORKER_DIED;
      case STOPPED -> null;
    };
  }

  private Ending write(
      CallRecord call,
      List<AttemptRecord> attempts,
      Reason.@Nullable Unknown inherited,
      String notResumed) {
    if (attempts.isEmpty()) {
      return inherited == null
          ? stopped("the process died; nothing had been sent", attempts)
          : unknown(
              inherited,
              "the process died before it could learn what became of the earlier call",
              attempts);
    }
    AttemptEnd last = attempts.getLast().end();
    if (last == null) {
      return unknown(
          Reason.Unknown.WORKER_DIED,
          "the process died while the tool was at it" + notResumed,
          attempts);
    }
    FailureRecord failure = last.failure();
    if (failure == null || last.decision().action() == Action.OK) {
      return Ending.without(
          Status.OK,
          null,
          "the tool answered, and the process died before it could pass the answer on",
          attempts.size(),
          now);
    }
    String detail = "the process died; the last attempt had failed: " + failure.detail();
    return Interrupted.doubt(call.recognition(), inherited, attempts) == null
        ? Ending.without(Status.STOPPED, reason(failure), detail, attempts.size(), now)
        : unknown(Reason.Unknown.WORKER_DIED, detail + notResumed, attempts);
  }

  /** Where an answer for good is on record, it is the reason. */
  private static Reason.Stopped reason(FailureRecord failure) {
    return switch (failure.kind()) {
      case "refused" -> Reason.Stopped.REFUSED;
      case "tool_error" -> Reason.Stopped.TOOL_ERROR;
      default -> Reason.Stopped.CANCELLED;
    };
  }

  private Ending stopped(String detail, List<AttemptRecord> attempts) {
    return Ending.without(Status.STOPPED, Reason.Stopped.CANCELLED, detail, attempts.size(), now);
  }

  private Ending unknown(Reason.Unknown reason, String detail, List<AttemptRecord> attempts) {
    return Ending.without(Status.UNKNOWN, reason, detail, attempts.size(), now);
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

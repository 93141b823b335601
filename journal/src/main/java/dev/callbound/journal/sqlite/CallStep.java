package dev.callbound.journal.sqlite;

import dev.callbound.journal.AttemptEnd;
import dev.callbound.journal.AttemptRecord;
import dev.callbound.journal.CallRecord;
import dev.callbound.journal.Ending;
import dev.callbound.journal.Replay;
import java.sql.SQLException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** One record of a call, as it is handed in. */
sealed interface CallStep {
  /** Writes it, after those of the same call that came before. */
  void write(Sql sql, String call) throws SQLException, InconsistentException;

  /** The call is about to be made. */
  record Opened(CallRecord record, @Nullable String resend) implements CallStep {
    @Override
    public void write(Sql sql, String call) throws SQLException {
      CallSql.open(sql, record, resend);
    }
  }

  /** An attempt is about to be made. */
  record Begun(AttemptRecord attempt) implements CallStep {
    @Override
    public void write(Sql sql, String call) throws SQLException, InconsistentException {
      CallSql.beginAttempt(sql, call, attempt);
    }
  }

  /** An attempt has ended, and the call goes on. */
  record AttemptEnded(int number, AttemptEnd end) implements CallStep {
    @Override
    public void write(Sql sql, String call) throws SQLException, InconsistentException {
      CallSql.endAttempt(sql, call, number, end);
    }
  }

  /** A client is told to come back for the call. */
  record Detached(Instant at, Instant keptUntil, @Nullable String resend) implements CallStep {
    @Override
    public void write(Sql sql, String call) throws SQLException, InconsistentException {
      TaskSql.detach(sql, call, at, keptUntil, resend);
    }
  }

  /**
   * The call has ended.
   *
   * @param last the end of its last attempt; null where that is recorded, or there was none
   */
  record Ended(@Nullable AttemptEnded last, Ending ending, @Nullable Replay replay)
      implements CallStep {
    @Override
    public void write(Sql sql, String call) throws SQLException, InconsistentException {
      if (last != null) {
        last.write(sql, call);
      }
      CallSql.end(sql, call, ending, replay);
    }
  }
}

package dev.callbound.journal.sqlite;

import dev.callbound.journal.Ids;
import dev.callbound.journal.Purged;
import java.sql.SQLException;
import java.time.Instant;

/**
 * Forgets what is old, a little at a time.
 *
 * <p>An id begins with its time, so the old calls are the first in their table. Calls of a run that
 * is going on stay, however old: its retry budget is counted from them.
 */
final class Retention {
  /** So few that the writes which wait meanwhile don't notice. */
  private static final int AT_ONCE = 200;

  /** Rows of events are small and lie side by side. */
  private static final int EVENTS_AT_ONCE = 2_000;

  private Retention() {}

  static Purged purge(Writer writer, Instant endedBefore) {
    int calls = 0;
    int runs = 0;
    for (int gone = AT_ONCE; gone == AT_ONCE; calls += gone) {
      gone = writer.ask(sql -> calls(sql, endedBefore));
    }
    for (int gone = EVENTS_AT_ONCE; gone == EVENTS_AT_ONCE; ) {
      gone = writer.ask(sql -> events(sql, endedBefore));
    }
    for (int gone = AT_ONCE; gone == AT_ONCE; runs += gone) {
      gone = writer.ask(sql -> runs(sql, endedBefore));
    }
    writer.ask(sql -> ServerSql.forgetCircuits(sql, endedBefore));
    return new Purged(calls, runs);
  }

  /** All that belongs to them goes with them, by the foreign keys. */
  private static int calls(Sql sql, Instant endedBefore) throws SQLException {
    return sql.update(
        """
        DELETE FROM calls WHERE id IN (
          SELECT calls.id FROM calls JOIN runs ON runs.id = calls.run
          WHERE calls.id < ? AND coalesce(calls.settled_at_ms, calls.ended_at_ms) < ?
            AND calls.status <> 'unknown' AND runs.state <> 'running'
          ORDER BY calls.id LIMIT ?)
        """,
        Ids.firstCallAt(endedBefore),
        endedBefore.toEpochMilli(),
        AT_ONCE);
  }

  /**
   * The events of runs that are about to go: a run can have too many to go at once. The newest,
   * from which the next would be numbered, goes with its run.
   */
  private static int events(Sql sql, Instant endedBefore) throws SQLException {
    return sql.update(
        """
        DELETE FROM events WHERE (run, number) IN (
          SELECT events.run, events.number FROM runs JOIN events ON events.run = runs.id
          WHERE runs.id < ? AND runs.ended_at_ms < ?
            AND NOT EXISTS (SELECT 1 FROM calls WHERE run = runs.id)
            AND events.number < (SELECT max(number) FROM events WHERE run = runs.id)
          LIMIT ?)
        """,
        Ids.firstRunAt(endedBefore),
        endedBefore.toEpochMilli(),
        EVENTS_AT_ONCE);
  }

  private static int runs(Sql sql, Instant endedBefore) throws SQLException {
    return sql.update(
        """
        DELETE FROM runs WHERE id IN (
          SELECT id FROM runs
          WHERE id < ? AND ended_at_ms < ? AND NOT EXISTS (SELECT 1 FROM calls WHERE run = runs.id)
          ORDER BY id LIMIT ?)
        """,
        Ids.firstRunAt(endedBefore),
        endedBefore.toEpochMilli(),
        AT_ONCE);
  }
}

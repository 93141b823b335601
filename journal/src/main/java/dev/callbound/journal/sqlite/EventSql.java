package dev.callbound.journal.sqlite;

import dev.callbound.journal.EventKind;
import dev.callbound.journal.EventRecord;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What is asked about the events of runs. They are written by triggers: see {@code 3.sql}. */
final class EventSql {
  private EventSql() {}

  static List<EventRecord> of(Sql sql, String run, long after, int limit) throws SQLException {
    // What of a call and of an attempt never changes is not kept twice.
    return sql.list(
        """
        SELECT events.*, calls.server, calls.tool, calls.effect, calls.step, calls.attempts,
          calls.settled_by, attempts.pause_ms
        FROM events
        LEFT JOIN calls ON calls.id = events.call
        LEFT JOIN attempts ON attempts.call = events.call AND attempts.number = events.attempt
        WHERE events.run = ? AND events.number > ? ORDER BY events.number LIMIT ?
        """,
        EventSql::event,
        run,
        after,
        limit);
  }

  private static EventRecord event(ResultSet row) throws SQLException {
    EventKind kind = Columns.value(EventKind.class, row, "kind");
    return new EventRecord(
        row.getLong("number"), Columns.instant(row, "at_ms"), kind, data(row, kind));
  }

  private static Map<String, Object> data(ResultSet row, EventKind kind) throws SQLException {
    Data data = new Data(row);
    switch (kind) {
      case RUN_OPENED -> data.put("name", "detail");
      case RUN_ENDED -> data.put("state", "status").put("because", "detail");
      case RUN_CHANGED -> data.put("state", "status");
      case CALL_OPENED -> data.putCall();
      case ATTEMPT_ENDED ->
          data.put("call", "call")
              .put("attempt", "attempt")
              .put("failure", "reason")
              .put("decision", "status")
              .put("pause_ms", "pause_ms");
      case CALL_ENDED -> data.putCall().putOutcome().put("attempts", "attempts");
      case CALL_SETTLED -> data.putCall().putOutcome().put("by", "settled_by");
      case OUTPUT_THERE, OUTPUT_MISSING ->
          data.put("output", "output").put("detail", "detail").put("seen", "status");
    }
    return data.values;
  }

  /** What an event tells, taken out of its row. */
  private static final class Data {
    private final ResultSet row;
    private final Map<String, Object> values = new LinkedHashMap<>();

    Data(ResultSet row) {
      this.row = row;
    }

    /** Takes what a column holds, if it holds anything. */
    Data put(String name, String column) throws SQLException {
      Object value = row.getObject(column);
      if (value != null) {
        values.put(name, value);
      }
      return this;
    }

    Data putCall() throws SQLException {
      return put("call", "call")
          .put("server", "server")
          .put("tool", "tool")
          .put("effect", "effect")
          .put("step", "step");
    }

    Data putOutcome() throws SQLException {
      return put("status", "status").put("reason", "reason").put("detail", "detail");
    }
  }
}

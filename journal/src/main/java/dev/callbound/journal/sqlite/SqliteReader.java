package dev.callbound.journal.sqlite;

import dev.callbound.journal.AttemptRecord;
import dev.callbound.journal.CallRecord;
import dev.callbound.journal.CircuitRecord;
import dev.callbound.journal.Divergence;
import dev.callbound.journal.EventRecord;
import dev.callbound.journal.JournalException;
import dev.callbound.journal.JournalException.Kind;
import dev.callbound.journal.JournalReader;
import dev.callbound.journal.OutcomeCounts;
import dev.callbound.journal.OutputRecord;
import dev.callbound.journal.RepeatRecord;
import dev.callbound.journal.Replay;
import dev.callbound.journal.RunRecord;
import dev.callbound.journal.RunState;
import dev.callbound.journal.TaskReader;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;

/** Reads a journal over a few connections of its own. Thread-safe. */
final class SqliteReader implements JournalReader {
  /** How many may read at once; the others wait their turn. */
  private static final int CONNECTIONS = 4;

  /** What is asked of the file. */
  interface Question<T> {
    T ask(Sql sql) throws SQLException;
  }

  private final Connections connections;
  private final Troubles troubles;
  // Fair, since an unfair one starved virtual threads that outnumbered the connections.
  private final Semaphore turns = new Semaphore(CONNECTIONS, true);
  private final ConcurrentLinkedDeque<Sql> idle = new ConcurrentLinkedDeque<>();
  private volatile boolean closed;

  SqliteReader(Connections connections, Troubles troubles) {
    this.connections = connections;
    this.troubles = troubles;
  }

  /** Refuses a file that this version can't read. */
  void require() {
    read(
        sql -> {
          Schema.require(sql, troubles);
          return true;
        });
  }

  @Override
  public Optional<RunRecord> run(String id) {
    return read(sql -> RunSql.find(sql, id));
  }

  @Override
  public Optional<RunRecord> runNamed(String principal, String name) {
    return read(sql -> RunSql.named(sql, principal, name));
  }

  @Override
  public List<RunRecord> runs(Set<RunState> states, int limit) {
    requireLimit(limit);
    return read(sql -> RunSql.newest(sql, states, limit));
  }

  @Override
  public List<EventRecord> eventsOf(String run, long after, int limit) {
    requireLimit(limit);
    return read(sql -> EventSql.of(sql, run, after, limit));
  }

  @Override
  public List<OutputRecord> outputsOf(String run) {
    return read(sql -> OutputSql.of(sql, run));
  }

  @Override
  public boolean hasEndedOk(String run, String server, String tool) {
    return read(sql -> OutputSql.hasEndedOk(sql, run, server, tool));
  }

  @Override
  public OutcomeCounts outcomes(String run) {
    return read(sql -> RunSql.outcomes(sql, run));
  }

  @Override
  public Optional<CallRecord> call(String id) {
    return read(sql -> CallSql.find(sql, id));
  }

  @Override
  public List<CallRecord> callsOf(String run, int limit) {
    requireLimit(limit);
    return read(sql -> CallSql.newestOf(sql, run, limit));
  }

  @Override
  public List<AttemptRecord> attemptsOf(String call) {
    return read(sql -> CallSql.attempts(sql, call));
  }

  @Override
  public Optional<CallRecord> latestOfKey(String key) {
    return read(sql -> RepeatSql.latestOfKey(sql, key));
  }

  @Override
  public Optional<CallRecord> latestOfStep(String run, String step, String server, String tool) {
    return read(sql -> RepeatSql.latestOfStep(sql, run, step, server, tool));
  }

  @Override
  public Optional<Instant> firstSent(String key) {
    return read(sql -> RepeatSql.firstSent(sql, key));
  }

  @Override
  public List<RepeatRecord> repeatsOf(String call) {
    return read(sql -> RepeatSql.repeats(sql, call));
  }

  @Override
  public Optional<Replay> replay(String call) {
    return read(sql -> RepeatSql.replay(sql, call));
  }

  @Override
  public Optional<String> resend(String call) {
    return read(sql -> RepeatSql.resend(sql, call));
  }

  @Override
  public List<Divergence> divergencesOf(String call) {
    return read(sql -> SettleSql.divergences(sql, call));
  }

  @Override
  public List<CallRecord> unsettledCheckable(int limit) {
    requireLimit(limit);
    return read(sql -> RepeatSql.unsettledCheckable(sql, limit));
  }

  @Override
  public List<CallRecord> unknowns(int limit) {
    requireLimit(limit);
    return read(sql -> CallSql.unknowns(sql, limit));
  }

  @Override
  public List<String> idsBeginning(String prefix, int limit) {
    requireLimit(limit);
    if (prefix.length() < SHORTEST_PREFIX) {
      throw new IllegalArgumentException(
          "at least %d characters of an id are needed: %s".formatted(SHORTEST_PREFIX, prefix));
    }
    return read(sql -> CallSql.idsBeginning(sql, prefix, limit));
  }

  @Override
  public List<CircuitRecord> circuits() {
    return read(ServerSql::circuits);
  }

  @Override
  public Map<String, Set<String>> toolsSeen() {
    return read(RunSql::toolsSeen);
  }

  @Override
  public TaskReader tasks() {
    return new TasksOnDisk(this);
  }

  static void requireLimit(int limit) {
    if (limit < 1) {
      throw new IllegalArgumentException("limit must be at least 1: " + limit);
    }
  }

  /** Asks the file, once a connection is free. */
  <T> T read(Question<T> question) {
    // Queries are short, so an interrupt need not cut the wait: the caller sees the flag after it.
    turns.acquireUninterruptibly();
    try {
      if (closed) {
        throw troubles.of(Kind.CLOSED, "it has been closed");
      }
      Sql kept = idle.poll();
      Sql sql = kept != null ? kept : connections.reading();
      boolean sound = false;
      try {
        T answer = question.ask(sql);
        sound = true;
        return answer;
      } finally {
        if (sound) {
          idle.push(sql);
        } else {
          sql.close();
        }
      }
    } catch (SQLException e) {
      throw troubles.of(e);
    } catch (IllegalArgumentException e) {
      throw new JournalException(
          Kind.DAMAGED,
          troubles.file(),
          "it holds a value that makes no sense: " + e.getMessage(),
          e);
    } finally {
      turns.release();
    }
  }

  @Override
  public void close() {
    turns.acquireUninterruptibly(CONNECTIONS);
    try {
      closed = true;
      for (Sql sql = idle.poll(); sql != null; sql = idle.poll()) {
        sql.close();
      }
    } catch (SQLException e) {
      throw troubles.of(e);
    } finally {
      turns.release(CONNECTIONS);
    }
  }
}

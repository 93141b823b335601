package dev.callbound.journal.sqlite;

import dev.callbound.journal.AttemptEnd;
import dev.callbound.journal.AttemptRecord;
import dev.callbound.journal.CallRecord;
import dev.callbound.journal.ChildProcess;
import dev.callbound.journal.CircuitRecord;
import dev.callbound.journal.Divergence;
import dev.callbound.journal.Durability;
import dev.callbound.journal.Ending;
import dev.callbound.journal.EventRecord;
import dev.callbound.journal.Health;
import dev.callbound.journal.JournalException;
import dev.callbound.journal.JournalException.Kind;
import dev.callbound.journal.JournalReader;
import dev.callbound.journal.JournalStore;
import dev.callbound.journal.LastAttempt;
import dev.callbound.journal.OpenedRun;
import dev.callbound.journal.OutcomeCounts;
import dev.callbound.journal.OutputRecord;
import dev.callbound.journal.Pulse;
import dev.callbound.journal.Purged;
import dev.callbound.journal.Recovery;
import dev.callbound.journal.RepeatRecord;
import dev.callbound.journal.Replay;
import dev.callbound.journal.Ruling;
import dev.callbound.journal.RunRecord;
import dev.callbound.journal.RunRequest;
import dev.callbound.journal.RunState;
import dev.callbound.journal.ServerStore;
import dev.callbound.journal.SettleResult;
import dev.callbound.journal.Settling;
import dev.callbound.journal.TaskStore;
import dev.callbound.journal.sqlite.Unwritten.Sought;
import dev.callbound.policy.Money;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The journal in a SQLite file. Thread-safe.
 *
 * <p>One process writes it, which holds a lock beside it for as long as it lives; any number may
 * read it meanwhile. What has been recorded {@link Durability#ON_DISK} survives {@code kill -9} and
 * a power cut (write-ahead log, {@code synchronous=FULL}).
 */
public final class SqliteJournal implements JournalStore {
  private final Path file;
  private final ExclusiveUse use;
  private final Writer writer;
  private final SqliteReader reader;
  private final SqliteServers servers;
  private final SqliteTasks tasks;
  private final Unwritten unwritten = new Unwritten();
  private final Recovery recovery;

  private SqliteJournal(
      Path file, ExclusiveUse use, Writer writer, SqliteReader reader, Recovery recovery) {
    this.file = file;
    this.use = use;
    this.writer = writer;
    this.reader = reader;
    this.servers = new SqliteServers(writer, reader);
    this.tasks = new SqliteTasks(writer, reader.tasks());
    this.recovery = recovery;
  }

  /**
   * Opens a journal for writing, and ends what a dead process left open in it. A missing file is
   * made, with its folders, for the owner's eyes only.
   *
   * @param clock says when the calls were ended that are found open
   * @throws JournalException if the file can't be opened, is in use, or is not a journal that this
   *     version knows; nothing in it has been changed then
   */
  public static SqliteJournal open(Path file, InstantSource clock) {
    Path absolute = file.toAbsolutePath();
    Troubles troubles = new Troubles(absolute);
    try {
      Place.make(absolute);
      ExclusiveUse use = ExclusiveUse.of(absolute, troubles);
      try {
        return open(absolute, clock, troubles, use);
      } catch (SQLException | InconsistentException | RuntimeException e) {
        use.close();
        throw e;
      }
    } catch (IOException e) {
      throw troubles.of(e);
    } catch (SQLException e) {
      throw troubles.of(e);
    } catch (InconsistentException e) {
      throw troubles.of(e);
    }
  }

  private static SqliteJournal open(
      Path file, InstantSource clock, Troubles troubles, ExclusiveUse use)
      throws SQLException, InconsistentException {
    Connections connections = new Connections(file);
    Sql sql = connections.writing();
    Recovery recovery;
    try {
      Schema.prepare(sql, troubles);
      recovery = Recoverer.recover(sql, clock.instant());
    } catch (SQLException | InconsistentException | RuntimeException e) {
      sql.close();
      throw e;
    }
    Writer writer = new Writer(sql, connections, troubles);
    return new SqliteJournal(file, use, writer, new SqliteReader(connections, troubles), recovery);
  }

  /**
   * Opens a journal for reading, beside the process that writes it or without one.
   *
   * @throws JournalException if the file does not exist, can't be read, or is not a journal that
   *     this version knows
   */
  public static JournalReader openReadOnly(Path file) {
    Path absolute = file.toAbsolutePath();
    Troubles troubles = new Troubles(absolute);
    requireThere(absolute, troubles);
    SqliteReader reader = new SqliteReader(new Connections(absolute), troubles);
    reader.require();
    return reader;
  }

  /**
   * Settles a call in a journal that another process may have open, or none: what a person does
   * from the command line while the gateway runs. On disk when it returns.
   *
   * @throws JournalException if the file does not exist, can't be written, or does not have the
   *     tables of this version
   */
  public static SettleResult settleBeside(Path file, Settling settling) {
    return beside(file, sql -> SettleSql.settle(sql, settling));
  }

  /**
   * Rules on a call that waits for a person, in a journal as {@link #settleBeside} takes it. The
   * gateway that makes the call notices within a second. On disk when it returns.
   *
   * @throws JournalException as {@link #settleBeside}
   */
  public static Ruling.Result ruleBeside(Path file, String call, Ruling ruling) {
    return beside(file, sql -> TaskSql.rule(sql, call, ruling));
  }

  /**
   * Forgets what is in the way of calls, in a journal that another process may have open, or none.
   * A gateway notices within about a second. On disk when it returns.
   *
   * @param server null for all of them
   * @param tool null for all of the server's, and for the server as a whole
   * @param who a name for people
   * @return what was shut
   * @throws JournalException if the file does not exist, can't be written, or does not have the
   *     tables of this version
   */
  public static List<CircuitRecord> resetCircuitsBeside(
      Path file, @Nullable String server, @Nullable String tool, String who, Instant at) {
    return beside(file, sql -> ServerSql.reset(sql, server, tool, who, at));
  }

  /** Changes something in one transaction, beside whoever has the file open. */
  private static <T> T beside(Path file, SqliteReader.Question<T> change) {
    Path absolute = file.toAbsolutePath();
    Troubles troubles = new Troubles(absolute);
    requireThere(absolute, troubles);
    try (Sql sql = new Connections(absolute).writing()) {
      Schema.require(sql, troubles);
      sql.begin();
      T result = change.ask(sql);
      sql.commit();
      return result;
    } catch (SQLException e) {
      throw troubles.of(e);
    }
  }

  /**
   * Where the process is reached that has the journal open; for whoever was told that it is in use.
   *
   * @return empty where that has left no word
   */
  public static Optional<String> announced(Path file) {
    return ExclusiveUse.announced(file.toAbsolutePath());
  }

  private static void requireThere(Path file, Troubles troubles) {
    if (!Files.exists(file)) {
      throw troubles.of(
          Kind.MISSING, "there is no such file; it is made when the gateway first starts");
    }
  }

  @Override
  public Recovery recovery() {
    return recovery;
  }

  @Override
  public OpenedRun openRun(RunRecord run, RunRequest request, List<String> outputs) {
    if (run.state() != RunState.RUNNING || run.retriesUsed() != 0) {
      throw new IllegalArgumentException(
          "a run begins running, with no retries used: " + run.state() + ", " + run.retriesUsed());
    }
    return writer.ask(sql -> RunSql.open(sql, run, request, outputs));
  }

  @Override
  public void limitSpend(Money most) {
    writer.ask(sql -> RunSql.limitSpend(sql, most));
  }

  @Override
  public RunRecord endRun(String run, RunState state, String because, Instant at) {
    if (state == RunState.RUNNING || state == RunState.UNKNOWN) {
      throw new IllegalArgumentException(
          "a run does not end running, and becomes unknown by its calls alone: " + state);
    }
    return writer.ask(sql -> RunSql.end(sql, run, state, because, at));
  }

  @Override
  public void openCall(CallRecord call, @Nullable String resend, Durability durability) {
    if (call.ending() != null) {
      throw new IllegalArgumentException("a call that opens has no ending: " + call.id());
    }
    CallWrite write =
        new CallWrite(
            call.id(), new CallStep.Opened(call, resend), durability, call.arguments(), resend);
    unwritten.note(call, write);
    writer.write(write);
  }

  @Override
  public void beginAttempt(String call, AttemptRecord attempt, Durability durability) {
    if (attempt.end() != null) {
      throw new IllegalArgumentException("an attempt that begins has no end: " + call);
    }
    writer.write(new CallWrite(call, new CallStep.Begun(attempt), durability));
  }

  @Override
  public void attemptSeen(String call, int number, Pulse pulse) {
    // None of the call's own records: to lose it leaves no hole.
    writer.write(Write.unawaitedStep(sql -> CallSql.attemptSeen(sql, call, number, pulse)));
  }

  @Override
  public void endAttempt(String call, int number, AttemptEnd end, Durability durability) {
    writer.write(
        new CallWrite(
            call,
            new CallStep.AttemptEnded(number, end),
            durability,
            end.evidence().upstreamNote()));
  }

  @Override
  public void endCall(
      String call,
      @Nullable LastAttempt last,
      Ending ending,
      @Nullable Replay replay,
      Durability durability) {
    CallStep.AttemptEnded lastEnded =
        last == null ? null : new CallStep.AttemptEnded(last.number(), last.end());
    writer.write(
        new CallWrite(
            call,
            new CallStep.Ended(lastEnded, ending, replay),
            durability,
            last == null ? null : last.end().evidence().upstreamNote(),
            ending.result(),
            replay == null ? null : replay.result()));
  }

  @Override
  public SettleResult settle(Settling settling) {
    return writer.ask(sql -> SettleSql.settle(sql, settling));
  }

  @Override
  public void repeated(RepeatRecord repeat) {
    writer.write(Write.unawaitedStep(sql -> RepeatSql.repeated(sql, repeat)));
  }

  @Override
  public Optional<CallRecord> latestOfKey(String key) {
    return latest(new Sought.Key(key), sql -> RepeatSql.latestOfKey(sql, key));
  }

  @Override
  public Optional<CallRecord> latestOfStep(String run, String step, String server, String tool) {
    return latest(
        new Sought.Step(run, step, server, tool),
        sql -> RepeatSql.latestOfStep(sql, run, step, server, tool));
  }

  /**
   * Looks on disk, and asks the writer only where something in the queue could tell otherwise: the
   * opening of such a call, or the end of one that is open on disk.
   */
  private Optional<CallRecord> latest(
      Sought sought, SqliteReader.Question<Optional<CallRecord>> q) {
    if (!unwritten.has(sought)) {
      Optional<CallRecord> onDisk = reader.read(q);
      if (onDisk.isEmpty() || onDisk.get().ending() != null) {
        return onDisk;
      }
    }
    return writer.ask(q::ask);
  }

  @Override
  public void rememberTools(String server, Collection<String> tools) {
    List<String> copy = List.copyOf(tools);
    writer.write(Write.awaitedStep(sql -> RunSql.rememberTools(sql, server, copy)));
  }

  @Override
  public ServerStore servers() {
    return servers;
  }

  @Override
  public void processStarted(ChildProcess process) {
    writer.write(Write.awaitedStep(sql -> RunSql.processStarted(sql, process)));
  }

  @Override
  public void processEnded(long pid) {
    writer.write(Write.unawaitedStep(sql -> RunSql.processEnded(sql, pid)));
  }

  @Override
  public List<ChildProcess> processesLeft() {
    // Asked of the writer, so that a process that has just ended is not named.
    return writer.ask(RunSql::processesLeft);
  }

  @Override
  public Purged purge(Instant endedBefore) {
    return Retention.purge(writer, endedBefore);
  }

  @Override
  public TaskStore tasks() {
    return tasks;
  }

  @Override
  public Health health() {
    return writer.health();
  }

  @Override
  public void announce(String url) {
    try {
      use.announce(url);
    } catch (IOException e) {
      throw new JournalException(Kind.IO, file, "its lock could not be written to", e);
    }
  }

  @Override
  public Optional<RunRecord> run(String id) {
    return reader.run(id);
  }

  @Override
  public Optional<RunRecord> runNamed(String principal, String name) {
    return reader.runNamed(principal, name);
  }

  @Override
  public List<RunRecord> runs(Set<RunState> states, int limit) {
    return reader.runs(states, limit);
  }

  @Override
  public List<EventRecord> eventsOf(String run, long after, int limit) {
    return reader.eventsOf(run, after, limit);
  }

  @Override
  public List<OutputRecord> outputsOf(String run) {
    return reader.outputsOf(run);
  }

  @Override
  public boolean hasEndedOk(String run, String server, String tool) {
    return reader.hasEndedOk(run, server, tool);
  }

  @Override
  public List<OutputRecord> outputsToLookFor(int limit) {
    return reader.read(sql -> OutputSql.toLookFor(sql, limit));
  }

  @Override
  public void outputSeen(OutputRecord output) {
    writer.write(Write.unawaitedStep(sql -> OutputSql.seen(sql, output)));
  }

  @Override
  public OutcomeCounts outcomes(String run) {
    return reader.outcomes(run);
  }

  @Override
  public Optional<CallRecord> call(String id) {
    return reader.call(id);
  }

  @Override
  public List<CallRecord> callsOf(String run, int limit) {
    return reader.callsOf(run, limit);
  }

  @Override
  public List<AttemptRecord> attemptsOf(String call) {
    return reader.attemptsOf(call);
  }

  @Override
  public Optional<Instant> firstSent(String key) {
    return reader.firstSent(key);
  }

  @Override
  public List<RepeatRecord> repeatsOf(String call) {
    return reader.repeatsOf(call);
  }

  @Override
  public Optional<Replay> replay(String call) {
    return reader.replay(call);
  }

  @Override
  public Optional<String> resend(String call) {
    return reader.resend(call);
  }

  @Override
  public List<Divergence> divergencesOf(String call) {
    return reader.divergencesOf(call);
  }

  @Override
  public List<CallRecord> unsettledCheckable(int limit) {
    return reader.unsettledCheckable(limit);
  }

  @Override
  public List<CallRecord> unknowns(int limit) {
    return reader.unknowns(limit);
  }

  @Override
  public List<String> idsBeginning(String prefix, int limit) {
    return reader.idsBeginning(prefix, limit);
  }

  @Override
  public List<CircuitRecord> circuits() {
    return reader.circuits();
  }

  @Override
  public Map<String, Set<String>> toolsSeen() {
    return reader.toolsSeen();
  }

  /** Lets the file grow to so many pages and no further, until a write has failed: for tests. */
  void limitPages(int pages) {
    writer.ask(sql -> sql.number("PRAGMA max_page_count = " + pages));
  }

  @Override
  public void close() {
    reader.close();
    writer.close();
    try {
      use.close();
    } catch (IOException e) {
      throw new JournalException(Kind.IO, file, "its lock could not be given up", e);
    }
  }
}

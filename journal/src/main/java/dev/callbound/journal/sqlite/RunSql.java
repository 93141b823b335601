package dev.callbound.journal.sqlite;

import dev.callbound.journal.ChildProcess;
import dev.callbound.journal.OpenedRun;
import dev.callbound.journal.OutcomeCounts;
import dev.callbound.journal.RunRecord;
import dev.callbound.journal.RunRequest;
import dev.callbound.journal.RunState;
import dev.callbound.policy.Money;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** What is written and asked about runs, tools and processes. */
final class RunSql {
  private static final String SELECT =
      """
      SELECT *,
        (SELECT count(*) FROM attempts WHERE run = runs.id AND number > 1) AS retries_used,
        (SELECT coalesce(sum(cost_millionths), 0) FROM attempts
         WHERE run = runs.id AND cost_millionths > 0) AS spent
      FROM runs
      """;

  private RunSql() {}

  /** Inserts the run, unless its principal has one of that idempotency key or name. */
  static OpenedRun open(Sql sql, RunRecord run, RunRequest request, List<String> outputs)
      throws SQLException {
    int inserted =
        sql.update(
            """
            INSERT INTO runs (id, name, principal, client, state, created_at_ms, deadline_ms,
                              retry_limit, spend_limit_millionths, request_key, request)
            VALUES (?, ?, ?, ?, 'running', ?, ?, ?, ?, ?, ?)
            ON CONFLICT DO NOTHING
            """,
            run.id(),
            run.name(),
            run.principal(),
            run.client(),
            run.createdAt().toEpochMilli(),
            run.deadline().toEpochMilli(),
            run.retryLimit(),
            Columns.millionths(run.spendLimit()),
            request.key(),
            request.asked());
    if (inserted == 0) {
      return earlier(sql, run, request);
    }
    OutputSql.expect(sql, run, outputs);
    return new OpenedRun(find(sql, run.id()).orElseThrow(), true, request);
  }

  /** The run that stands in the way of another: of the same key first, else of the same name. */
  private static OpenedRun earlier(Sql sql, RunRecord run, RunRequest request) throws SQLException {
    return sql.first(
            SELECT
                + """
                WHERE principal = ?1 AND (request_key = ?2 OR name = ?3)
                ORDER BY request_key IS ?2 DESC LIMIT 1
                """,
            row ->
                new OpenedRun(
                    run(row),
                    false,
                    new RunRequest(Columns.text(row, "request_key"), Columns.text(row, "request"))),
            run.principal(),
            request.key(),
            run.name())
        .orElseThrow();
  }

  static RunRecord end(Sql sql, String run, RunState state, String because, Instant at)
      throws SQLException, InconsistentException {
    sql.update(
        """
        UPDATE runs SET ended_at_ms = ?1, ended_because = ?2, state_if_settled = ?3,
          state = iif(EXISTS (SELECT 1 FROM calls WHERE run = runs.id AND status = 'unknown'),
                      'unknown', ?3)
        WHERE id = ?4 AND state = 'running'
        """,
        at.toEpochMilli(),
        because,
        state.code(),
        run);
    return find(sql, run).orElseThrow(() -> new InconsistentException("there is no run " + run));
  }

  /** Returns how many runs may spend less now. */
  static int limitSpend(Sql sql, Money most) throws SQLException {
    return sql.update(
        """
        UPDATE runs SET spend_limit_millionths = ?1 WHERE state = 'running'
          AND (spend_limit_millionths IS NULL OR spend_limit_millionths > ?1)
        """,
        most.millionths());
  }

  /** Lets an unknown call make its run unknown, if the run is over. */
  static void spreadUnknown(Sql sql, String call) throws SQLException {
    sql.update(
        """
        UPDATE runs SET state = 'unknown'
        WHERE id = (SELECT run FROM calls WHERE id = ?) AND state NOT IN ('running', 'unknown')
        """,
        call);
  }

  /** Lets a run that is over become what it would have been, if none of its calls is unknown. */
  static void spreadSettled(Sql sql, String call) throws SQLException {
    sql.update(
        """
        UPDATE runs SET state = state_if_settled
        WHERE id = (SELECT run FROM calls WHERE id = ?) AND state = 'unknown'
          AND NOT EXISTS (SELECT 1 FROM calls WHERE run = runs.id AND status = 'unknown')
        """,
        call);
  }

  static Optional<RunRecord> find(Sql sql, String id) throws SQLException {
    return sql.first(SELECT + "WHERE id = ?", RunSql::run, id);
  }

  static Optional<RunRecord> named(Sql sql, String principal, String name) throws SQLException {
    return sql.first(SELECT + "WHERE principal = ? AND name = ?", RunSql::run, principal, name);
  }

  static List<RunRecord> newest(Sql sql, Set<RunState> states, int limit) throws SQLException {
    // At most 64 texts, so they may be kept prepared.
    String codes =
        states.stream().sorted().map(s -> "'" + s.code() + "'").collect(Collectors.joining(", "));
    return sql.list(
        SELECT + "WHERE state IN (" + codes + ") ORDER BY id DESC LIMIT ?", RunSql::run, limit);
  }

  static OutcomeCounts outcomes(Sql sql, String run) throws SQLException {
    return sql.first(
            """
            SELECT count(*) FILTER (WHERE status = 'ok') AS ok,
                   count(*) FILTER (WHERE status = 'stopped') AS stopped,
                   count(*) FILTER (WHERE status = 'unknown') AS unknown,
                   count(*) FILTER (WHERE status IS NULL) AS open
            FROM calls WHERE run = ?
            """,
            row ->
                new OutcomeCounts(
                    row.getInt("ok"),
                    row.getInt("stopped"),
                    row.getInt("unknown"),
                    row.getInt("open")),
            run)
        .orElse(OutcomeCounts.NONE);
  }

  static void rememberTools(Sql sql, String server, Collection<String> tools) throws SQLException {
    for (String tool : tools) {
      sql.update(
          "INSERT INTO tools (server, tool) VALUES (?, ?) ON CONFLICT DO NOTHING", server, tool);
    }
  }

  static Map<String, Set<String>> toolsSeen(Sql sql) throws SQLException {
    Map<String, Set<String>> seen = new TreeMap<>();
    sql.list(
        "SELECT server, tool FROM tools",
        row -> seen.computeIfAbsent(row.getString(1), _ -> new TreeSet<>()).add(row.getString(2)));
    return seen;
  }

  static void processStarted(Sql sql, ChildProcess process) throws SQLException {
    sql.update(
        "INSERT OR REPLACE INTO processes (pid, started_at_ms, server) VALUES (?, ?, ?)",
        process.pid(),
        process.startedAt().toEpochMilli(),
        process.server());
  }

  static void processEnded(Sql sql, long pid) throws SQLException {
    sql.update("DELETE FROM processes WHERE pid = ?", pid);
  }

  static List<ChildProcess> processesLeft(Sql sql) throws SQLException {
    return sql.list(
        "SELECT * FROM processes ORDER BY started_at_ms, pid",
        row ->
            new ChildProcess(
                row.getLong("pid"),
                Columns.instant(row, "started_at_ms"),
                row.getString("server")));
  }

  private static RunRecord run(ResultSet row) throws SQLException {
    return new RunRecord(
        row.getString("id"),
        Columns.text(row, "name"),
        row.getString("principal"),
        row.getString("client"),
        Columns.value(RunState.class, row, "state"),
        Columns.instant(row, "created_at_ms"),
        Columns.instant(row, "deadline_ms"),
        row.getInt("retry_limit"),
        row.getInt("retries_used"),
        Columns.money(row, "spend_limit_millionths"),
        new Money(Math.min(Money.MOST, row.getLong("spent"))),
        Columns.instantOrNull(row, "ended_at_ms"),
        Columns.text(row, "ended_because"));
  }
}

-- The journal, version 1. Times are milliseconds since 1970 in UTC; durations have their unit in
-- the column's name. To read it: sqlite3 -readonly FILE 'SELECT * FROM unknowns'

CREATE TABLE runs (
  id            TEXT    NOT NULL PRIMARY KEY,
  name          TEXT,
  principal     TEXT    NOT NULL,
  client        TEXT    NOT NULL,
  state         TEXT    NOT NULL
    CHECK (state IN ('running', 'done', 'stopped', 'cancelled', 'expired', 'unknown')),
  created_at_ms INTEGER NOT NULL,
  deadline_ms   INTEGER NOT NULL,
  retry_limit   INTEGER NOT NULL CHECK (retry_limit >= 0),
  ended_at_ms   INTEGER,
  ended_because TEXT,
  CHECK ((state = 'running') = (ended_at_ms IS NULL)),
  CHECK ((ended_at_ms IS NULL) = (ended_because IS NULL))
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX runs_by_name ON runs (principal, name) WHERE name IS NOT NULL;
CREATE INDEX running_runs ON runs (deadline_ms) WHERE state = 'running';

CREATE TABLE calls (
  id               TEXT    NOT NULL PRIMARY KEY,
  run              TEXT    NOT NULL REFERENCES runs (id),
  step             TEXT,
  server           TEXT    NOT NULL,
  tool             TEXT    NOT NULL,
  effect           TEXT    NOT NULL CHECK (effect IN ('read', 'write')),
  effect_from      TEXT    NOT NULL,
  recognition      TEXT    NOT NULL CHECK (recognition IN ('none', 'key', 'check')),
  key              TEXT,
  arguments_digest TEXT    NOT NULL,
  started_at_ms    INTEGER NOT NULL,
  ended_at_ms      INTEGER,
  status           TEXT    CHECK (status IN ('ok', 'stopped', 'unknown')),
  reason           TEXT,
  detail           TEXT,
  attempts         INTEGER,
  result_digest    TEXT,
  result_bytes     INTEGER,
  CHECK ((status IS NULL) = (ended_at_ms IS NULL)),
  CHECK (status IS NULL OR (status = 'ok') = (reason IS NULL)),
  CHECK (status IS NULL OR (detail IS NOT NULL AND attempts >= 0 AND result_bytes >= 0))
) STRICT, WITHOUT ROWID;

CREATE INDEX calls_by_run ON calls (run);
CREATE INDEX open_calls ON calls (id) WHERE status IS NULL;
CREATE INDEX unknown_calls ON calls (run) WHERE status = 'unknown';

-- Arguments and results recorded in full. They can be large, so they don't lie among the calls.
CREATE TABLE payloads (
  call      TEXT NOT NULL PRIMARY KEY REFERENCES calls (id) ON DELETE CASCADE,
  arguments TEXT,
  result    TEXT
) STRICT;

CREATE TABLE attempts (
  call                 TEXT    NOT NULL REFERENCES calls (id) ON DELETE CASCADE,
  number               INTEGER NOT NULL CHECK (number >= 1),
  run                  TEXT    NOT NULL,
  timeout_ms           INTEGER NOT NULL,
  limited_by           TEXT    NOT NULL CHECK (limited_by IN ('tool', 'call', 'run')),
  started_at_ms        INTEGER NOT NULL,
  waited_us            INTEGER,
  failure              TEXT,
  failure_detail       TEXT,
  may_have_run         INTEGER CHECK (may_have_run IN (0, 1)),
  decision             TEXT    CHECK (decision IN ('ok', 'retry', 'stop', 'unknown')),
  pause_ms             INTEGER,
  why                  TEXT,
  progress_count       INTEGER,
  last_progress_age_ms INTEGER,
  signs_of_life        INTEGER,
  upstream_note        TEXT,
  PRIMARY KEY (call, number),
  CHECK ((decision IS NULL) = (why IS NULL)),
  CHECK ((failure IS NULL) = (failure_detail IS NULL)),
  CHECK ((failure IS NULL) = (may_have_run IS NULL))
) STRICT, WITHOUT ROWID;

-- A run's retry budget is counted from here, so the count must be cheap however many calls it has.
CREATE INDEX retries ON attempts (run) WHERE number > 1;

CREATE TABLE tools (
  server TEXT NOT NULL,
  tool   TEXT NOT NULL,
  PRIMARY KEY (server, tool)
) STRICT, WITHOUT ROWID;

CREATE TABLE processes (
  pid           INTEGER NOT NULL PRIMARY KEY,
  started_at_ms INTEGER NOT NULL,
  server        TEXT    NOT NULL
) STRICT;

-- What may or may not have happened, for people.
CREATE VIEW unknowns AS
SELECT
  datetime(calls.ended_at_ms / 1000, 'unixepoch') AS ended_at_utc,
  calls.server,
  calls.tool,
  calls.reason,
  calls.detail,
  calls.attempts,
  calls.id AS call,
  calls.run,
  runs.name AS run_name,
  runs.principal
FROM calls
JOIN runs ON runs.id = calls.run
WHERE calls.status = 'unknown'
ORDER BY calls.id DESC;

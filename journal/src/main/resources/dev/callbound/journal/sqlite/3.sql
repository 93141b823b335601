-- Version 3.

-- ---------- Runs that somebody comes back to: what happened in them, told in order ----------

-- The request that opened a run, so that the same request finds it again.
ALTER TABLE runs ADD COLUMN request_key TEXT;
ALTER TABLE runs ADD COLUMN request TEXT;
CREATE UNIQUE INDEX runs_by_request_key ON runs (principal, request_key)
  WHERE request_key IS NOT NULL;

-- One for each change, numbered within its run without a gap, and never changed. The triggers below
-- write it with the change itself, whichever statement of whichever process makes that: an event can't
-- be forgotten, and is on disk exactly if what it tells is. It holds what can change later; the rest
-- stands with its call and its attempt.
CREATE TABLE events (
  run     TEXT    NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  number  INTEGER NOT NULL CHECK (number >= 1),
  at_ms   INTEGER NOT NULL,
  kind    TEXT    NOT NULL CHECK (kind IN
    ('run_opened', 'run_ended', 'run_changed', 'call_opened', 'attempt_ended', 'call_ended',
     'call_settled', 'output_there', 'output_missing')),
  call    TEXT,
  attempt INTEGER,
  status  TEXT,
  reason  TEXT,
  detail  TEXT,
  output  TEXT,
  PRIMARY KEY (run, number)
) STRICT, WITHOUT ROWID;

-- What happened before this version can't be told in order; how its runs began and ended can.
INSERT INTO events (run, number, at_ms, kind, status, detail)
  SELECT id, 1, created_at_ms, 'run_opened', 'running', name FROM runs;
INSERT INTO events (run, number, at_ms, kind, status, detail)
  SELECT id, 2, ended_at_ms, 'run_ended', state, ended_because FROM runs WHERE state <> 'running';

CREATE TRIGGER tell_run_opened AFTER INSERT ON runs BEGIN
  INSERT INTO events (run, number, at_ms, kind, status, detail)
  VALUES (NEW.id, 1, NEW.created_at_ms, 'run_opened', NEW.state, NEW.name);
END;

CREATE TRIGGER tell_run_ended AFTER UPDATE OF state ON runs
WHEN OLD.state = 'running' AND NEW.state <> 'running' BEGIN
  INSERT INTO events (run, number, at_ms, kind, status, detail)
  VALUES (NEW.id,
          (SELECT number + 1 FROM events WHERE run = NEW.id ORDER BY number DESC LIMIT 1),
          NEW.ended_at_ms, 'run_ended', NEW.state, NEW.ended_because);
END;

-- One of its calls became unknown after its end, or the last one that was unknown became known.
CREATE TRIGGER tell_run_changed AFTER UPDATE OF state ON runs
WHEN OLD.state <> 'running' AND NEW.state <> OLD.state BEGIN
  INSERT INTO events (run, number, at_ms, kind, status)
  VALUES (NEW.id,
          (SELECT number + 1 FROM events WHERE run = NEW.id ORDER BY number DESC LIMIT 1),
          CAST(unixepoch('subsec') * 1000 AS INTEGER), 'run_changed',
          NEW.state);
END;

CREATE TRIGGER tell_call_opened AFTER INSERT ON calls WHEN NEW.status IS NULL BEGIN
  INSERT INTO events (run, number, at_ms, kind, call)
  VALUES (NEW.run,
          (SELECT number + 1 FROM events WHERE run = NEW.run ORDER BY number DESC LIMIT 1),
          NEW.started_at_ms, 'call_opened', NEW.id);
END;

-- A call that has ended by the time that it is recorded: its end tells all of it.
CREATE TRIGGER tell_call_recorded AFTER INSERT ON calls WHEN NEW.status IS NOT NULL BEGIN
  INSERT INTO events (run, number, at_ms, kind, call, status, reason, detail)
  VALUES (NEW.run,
          (SELECT number + 1 FROM events WHERE run = NEW.run ORDER BY number DESC LIMIT 1),
          NEW.ended_at_ms, 'call_ended', NEW.id, NEW.status, NEW.reason,
          nullif(NEW.detail, ''));
END;

-- Of an attempt that succeeded the end of its call tells, which follows at once.
CREATE TRIGGER tell_attempt_ended AFTER UPDATE OF decision ON attempts
WHEN OLD.decision IS NULL AND NEW.decision <> 'ok' BEGIN
  INSERT INTO events (run, number, at_ms, kind, call, attempt, status, reason)
  VALUES (NEW.run,
          (SELECT number + 1 FROM events WHERE run = NEW.run ORDER BY number DESC LIMIT 1),
          coalesce(NEW.started_at_ms + NEW.waited_us / 1000,
                   CAST(unixepoch('subsec') * 1000 AS INTEGER)),
          'attempt_ended', NEW.call, NEW.number, NEW.decision, NEW.failure);
END;

CREATE TRIGGER tell_call_ended AFTER UPDATE OF status ON calls
WHEN OLD.status IS NULL AND NEW.status IS NOT NULL BEGIN
  INSERT INTO events (run, number, at_ms, kind, call, status, reason, detail)
  VALUES (NEW.run,
          (SELECT number + 1 FROM events WHERE run = NEW.run ORDER BY number DESC LIMIT 1),
          NEW.ended_at_ms, 'call_ended', NEW.id, NEW.status, NEW.reason,
          nullif(NEW.detail, ''));
END;

CREATE TRIGGER tell_call_settled AFTER UPDATE OF status ON calls
WHEN OLD.status = 'unknown' AND NEW.status <> 'unknown' BEGIN
  INSERT INTO events (run, number, at_ms, kind, call, status, reason, detail)
  VALUES (NEW.run,
          (SELECT number + 1 FROM events WHERE run = NEW.run ORDER BY number DESC LIMIT 1),
          NEW.settled_at_ms, 'call_settled', NEW.id, NEW.status, NEW.reason,
          nullif(NEW.detail, ''));
END;

-- What runs are expected to bring about, as it was asked for, and whether it was there when it was last
-- looked for. Final: looked for after the run and its calls were over.
CREATE TABLE outputs (
  run      TEXT    NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  output   TEXT    NOT NULL,
  there    INTEGER NOT NULL DEFAULT 0 CHECK (there IN (0, 1)),
  since_ms INTEGER NOT NULL,
  detail   TEXT,
  final    INTEGER NOT NULL DEFAULT 0 CHECK (final IN (0, 1)),
  PRIMARY KEY (run, output)
) STRICT, WITHOUT ROWID;

CREATE INDEX outputs_to_look_for ON outputs (run) WHERE final = 0;

CREATE TRIGGER tell_output_seen AFTER UPDATE ON outputs
WHEN OLD.there <> NEW.there OR OLD.final <> NEW.final BEGIN
  INSERT INTO events (run, number, at_ms, kind, output, status, detail)
  VALUES (NEW.run,
          (SELECT number + 1 FROM events WHERE run = NEW.run ORDER BY number DESC LIMIT 1),
          CAST(unixepoch('subsec') * 1000 AS INTEGER),
          iif(NEW.there, 'output_there', 'output_missing'),
          NEW.output, iif(NEW.final, 'final', 'so_far'), NEW.detail);
END;

-- ---------- Calls that outlive their client, and calls that wait for a person ----------

CREATE TABLE tasks (
  call            TEXT    NOT NULL PRIMARY KEY REFERENCES calls (id) ON DELETE CASCADE,
  principal       TEXT    NOT NULL,
  detached_at_ms  INTEGER NOT NULL,
  kept_until_ms   INTEGER NOT NULL,
  cancelled_at_ms INTEGER,
  -- The JSON-RPC error that the server gave for an answer. Its result lies among the payloads.
  error           TEXT
) STRICT;

CREATE INDEX tasks_by_principal ON tasks (principal, call);
CREATE INDEX tasks_by_end ON tasks (kept_until_ms);

CREATE TABLE approvals (
  call        TEXT    NOT NULL PRIMARY KEY REFERENCES calls (id) ON DELETE CASCADE,
  asked_at_ms INTEGER NOT NULL,
  until_ms    INTEGER NOT NULL,
  arguments   TEXT    NOT NULL,
  masked      INTEGER NOT NULL CHECK (masked IN (0, 1)),
  ruling      TEXT    CHECK (ruling IN ('approved', 'denied', 'lapsed')),
  ruled_at_ms INTEGER,
  ruled_by    TEXT,
  note        TEXT,
  CHECK ((ruling IS NULL) = (ruled_at_ms IS NULL)),
  CHECK ((ruling IS NULL) = (ruled_by IS NULL)),
  CHECK (note IS NULL OR ruling IS NOT NULL)
) STRICT;

CREATE INDEX approvals_open ON approvals (call) WHERE ruling IS NULL;
-- Circuits: what keeps calls from a server or from one of its tools, as it last changed. The tool
-- is empty where it is about the server as a whole; the number grows with every change.
CREATE TABLE circuits (
  server        TEXT    NOT NULL,
  tool          TEXT    NOT NULL,
  bar           TEXT    NOT NULL CHECK (bar IN ('failures', 'credentials', 'limit')),
  state         TEXT    NOT NULL CHECK (state IN ('closed', 'open', 'half_open')),
  changed_at_ms INTEGER NOT NULL,
  until_ms      INTEGER NOT NULL,
  failure       TEXT    NOT NULL,
  detail        TEXT    NOT NULL,
  number        INTEGER NOT NULL,
  PRIMARY KEY (server, tool, bar)
) STRICT, WITHOUT ROWID;

-- What somebody reset while a gateway may be running: it looks here every second. A null stands for
-- all servers, or for all tools of one.
CREATE TABLE circuit_resets (
  id     INTEGER PRIMARY KEY AUTOINCREMENT,
  at_ms  INTEGER NOT NULL,
  server TEXT,
  tool   TEXT,
  who    TEXT    NOT NULL
) STRICT;

-- The tools that a server listed last, as it listed them: for as long as it can't be reached.
CREATE TABLE tool_lists (
  server       TEXT    NOT NULL PRIMARY KEY,
  listed_at_ms INTEGER NOT NULL,
  tools        TEXT    NOT NULL
) STRICT;

-- How long an attempt waited for its turn before it began.
ALTER TABLE attempts ADD COLUMN held_ms INTEGER NOT NULL DEFAULT 0 CHECK (held_ms >= 0);

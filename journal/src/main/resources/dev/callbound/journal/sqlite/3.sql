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

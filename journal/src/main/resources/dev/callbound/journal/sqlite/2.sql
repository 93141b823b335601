-- Version 2: repeats of an intent, unknowns that get settled, calls that outlive their process.

-- What an ended run is once none of its calls is unknown any more.
ALTER TABLE runs ADD COLUMN state_if_settled TEXT
  CHECK (state_if_settled IS NULL
    OR (state_if_settled IN ('done', 'stopped', 'cancelled', 'expired')
      AND state IN ('unknown', state_if_settled)));

-- Version 1 did not keep it. What was said of the end tells; a cancellation has words of its own.
UPDATE runs SET state_if_settled = CASE
    WHEN state <> 'unknown' THEN state
    WHEN ended_because IN ('the deadline passed', 'its deadline passed') THEN 'expired'
    WHEN ended_because = 'its session ended' OR ended_because LIKE 'no call for %' THEN 'done'
    ELSE 'cancelled'
  END
WHERE state <> 'running';

ALTER TABLE calls ADD COLUMN follows TEXT;
ALTER TABLE calls ADD COLUMN settled_at_ms INTEGER;
ALTER TABLE calls ADD COLUMN settled_by TEXT
  CHECK (settled_by IN ('late_answer', 'check', 'repeat', 'person', 'model'));
ALTER TABLE calls ADD COLUMN settled_who TEXT;
ALTER TABLE calls ADD COLUMN settled_note TEXT;
ALTER TABLE calls ADD COLUMN settled_was TEXT;
ALTER TABLE calls ADD COLUMN settled_was_detail TEXT
  CHECK ((settled_at_ms IS NULL) = (settled_by IS NULL)
    AND (settled_at_ms IS NULL) = (settled_who IS NULL)
    AND (settled_at_ms IS NULL) = (settled_was IS NULL)
    AND (settled_at_ms IS NULL) = (settled_was_detail IS NULL)
    AND (settled_note IS NULL OR settled_at_ms IS NOT NULL)
    AND (settled_at_ms IS NULL OR status IN ('ok', 'stopped')));

-- The calls on which a repeat of their intent depends. The others are left out, since a key falls
-- anywhere in an index: the smaller that is, the cheaper is a write.
CREATE INDEX calls_by_key ON calls (key)
  WHERE key IS NOT NULL
    AND (status IS NULL OR status = 'unknown'
      OR (status = 'ok' AND (step IS NOT NULL OR recognition <> 'none')));
CREATE INDEX calls_by_step ON calls (run, step)
  WHERE step IS NOT NULL AND (status IS NULL OR status <> 'stopped');

-- What a repeat is answered with, and what an attempt can be made again from.
ALTER TABLE payloads ADD COLUMN resend TEXT;
ALTER TABLE payloads ADD COLUMN replay TEXT;
ALTER TABLE payloads ADD COLUMN replay_masked INTEGER
  CHECK (replay_masked IN (0, 1) AND (replay IS NULL) = (replay_masked IS NULL));

-- Requests that made no call of their own, since an earlier one meant the same.
CREATE TABLE repeats (
  call   TEXT    NOT NULL REFERENCES calls (id) ON DELETE CASCADE,
  at_ms  INTEGER NOT NULL,
  kind   TEXT    NOT NULL CHECK (kind IN ('joined', 'replayed', 'told', 'conflict')),
  step   TEXT,
  client TEXT    NOT NULL
) STRICT;

CREATE INDEX repeats_of_call ON repeats (call);

-- What was learned of a settled call that contradicts how it was settled.
CREATE TABLE divergences (
  call          TEXT    NOT NULL REFERENCES calls (id) ON DELETE CASCADE,
  at_ms         INTEGER NOT NULL,
  status        TEXT    NOT NULL CHECK (status IN ('ok', 'stopped')),
  reason        TEXT,
  detail        TEXT    NOT NULL,
  said_by       TEXT    NOT NULL
    CHECK (said_by IN ('late_answer', 'check', 'repeat', 'person', 'model')),
  who           TEXT    NOT NULL,
  note          TEXT,
  result_digest TEXT,
  result_bytes  INTEGER NOT NULL CHECK (result_bytes >= 0),
  CHECK ((status = 'ok') = (reason IS NULL))
) STRICT;

CREATE INDEX divergences_of_call ON divergences (call);

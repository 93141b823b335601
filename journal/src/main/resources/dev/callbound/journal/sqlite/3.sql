-- Version 3.

-- Calls that go on without their client, and calls that wait for a person.

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

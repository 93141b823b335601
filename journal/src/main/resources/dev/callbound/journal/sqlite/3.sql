-- Version 3.

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

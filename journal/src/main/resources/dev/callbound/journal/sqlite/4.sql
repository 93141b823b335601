-- Version 4: what runs may spend, and what attempts cost. Amounts are millionths of whatever currency
-- the config counts in.

ALTER TABLE runs ADD COLUMN spend_limit_millionths INTEGER
  CHECK (spend_limit_millionths >= 0);

-- Written before the attempt is made; nothing once it is known that the tool never saw it.
ALTER TABLE attempts ADD COLUMN cost_millionths INTEGER NOT NULL DEFAULT 0
  CHECK (cost_millionths >= 0);

-- What a run has spent is summed from here, so that neither a reconnect nor a restart forgets it.
CREATE INDEX costs ON attempts (run, cost_millionths) WHERE cost_millionths > 0;

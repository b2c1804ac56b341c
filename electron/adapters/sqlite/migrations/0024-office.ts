export const office = `
-- An office that cannot be reached holds sends back, too.
CREATE TABLE gate_of_24 (
  connection_id TEXT NOT NULL REFERENCES connection (id),
  kind          TEXT NOT NULL CHECK (kind IN ('rate', 'auth', 'offline', 'clock', 'disk',
                  'keychain', 'breaker', 'user', 'update', 'office')),
  until_at      INTEGER,
  reason        TEXT,
  since         INTEGER NOT NULL,
  PRIMARY KEY (connection_id, kind)
) STRICT;
INSERT INTO gate_of_24 SELECT connection_id, kind, until_at, reason, since FROM gate;
DROP TABLE gate;
ALTER TABLE gate_of_24 RENAME TO gate;

-- What a person decided about a send that other desks of the office may have made, by its reference.
CREATE TABLE office_decision (
  id            TEXT PRIMARY KEY,
  -- Generations that were shown, by key, as JSON.
  seen          TEXT NOT NULL,
  -- It goes out although the office cannot be asked; the office is told of it afterwards.
  is_without    INTEGER NOT NULL DEFAULT 0,
  is_claimed    INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
CREATE INDEX office_without ON office_decision (id) WHERE is_without = 1 AND is_claimed = 0;
`;

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

-- The office that this desk is in: at most one row, without its password and keys.
CREATE TABLE office (
  id              INTEGER PRIMARY KEY CHECK (id = 1),
  office          TEXT NOT NULL,
  seat            TEXT NOT NULL,
  desk            TEXT NOT NULL,
  name            TEXT NOT NULL,
  address         TEXT NOT NULL,
  goes_on_without INTEGER NOT NULL CHECK (goes_on_without IN (0, 1))
) STRICT;

-- What a person saw of another desk's send or act, and lets this desk follow, by key in hexadecimal.
CREATE TABLE office_seen (
  key           TEXT PRIMARY KEY,
  generation    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Sends that a person let go although the office could not be asked; it is told of them afterwards.
CREATE TABLE office_without (
  ref           TEXT PRIMARY KEY,
  is_claimed    INTEGER NOT NULL DEFAULT 0 CHECK (is_claimed IN (0, 1))
) STRICT, WITHOUT ROWID;
`;

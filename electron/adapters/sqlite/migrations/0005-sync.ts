export const sync = `
-- How far the copy of a connection is. Instants are of the clock here but for full_server_time.
CREATE TABLE sync_state (
  connection_id    TEXT PRIMARY KEY REFERENCES connection (id),
  -- A reading of everything that has not come to its end; null when there is none.
  full_started_at  INTEGER,
  full_server_time INTEGER,
  full_total       INTEGER,
  -- The page stored last; both null before the first, the position alone on it.
  full_position    INTEGER,
  full_pages       INTEGER,
  -- When the last reading of everything began that came to its end.
  complete_at      INTEGER,
  -- When the service's list of open agreements was last read, and how its length compares.
  swept_at         INTEGER,
  open_told        INTEGER,
  open_difference  INTEGER
) STRICT;

-- What a whole listing left out is found without walking all copies.
CREATE INDEX agreement_told ON agreement (connection_id, seen_at) WHERE gone IS NULL;
CREATE INDEX agreement_open_told ON agreement (connection_id, seen_at)
  WHERE gone IS NULL AND state IN ('waiting', 'part-signed');
CREATE INDEX agreement_deletes ON agreement (connection_id, deletes_at)
  WHERE gone IS NULL AND deletes_at IS NOT NULL;
CREATE INDEX agreement_expires ON agreement (connection_id, expires_at)
  WHERE gone IS NULL AND state IN ('waiting', 'part-signed') AND expires_at IS NOT NULL;
`;

export const digest = `
-- Agreements that ended while they were watched here, in the order in which that was noticed. No
-- number comes again after its row was trimmed away: digests say up to which number they told.
CREATE TABLE agreement_end (
  number        INTEGER PRIMARY KEY AUTOINCREMENT,
  connection_id TEXT NOT NULL,
  agreement_id  TEXT NOT NULL,
  state         TEXT NOT NULL CHECK (state IN ('signed', 'rejected', 'revoked', 'expired'))
) STRICT;

CREATE TRIGGER agreement_has_ended AFTER UPDATE OF state ON agreement
WHEN OLD.is_open = 1 AND NEW.is_open = 0 AND NEW.is_live = 1
BEGIN
  INSERT INTO agreement_end (connection_id, agreement_id, state)
  VALUES (NEW.connection_id, NEW.id, NEW.state);
END;

-- One that began and ended between two readings; what ended before the first reading is no news.
CREATE TRIGGER agreement_came_ended AFTER INSERT ON agreement
WHEN NEW.is_open = 0 AND coalesce(NEW.closed_at, NEW.updated_at) >
  (SELECT checked_until FROM connection WHERE id = NEW.connection_id)
BEGIN
  INSERT INTO agreement_end (connection_id, agreement_id, state)
  VALUES (NEW.connection_id, NEW.id, NEW.state);
END;

-- How far the digests are: one row.
CREATE TABLE digest (
  id            INTEGER PRIMARY KEY CHECK (id = 1),
  taken_at      INTEGER NOT NULL,
  before        INTEGER,
  since         INTEGER NOT NULL,
  until         INTEGER NOT NULL
) STRICT;
`;

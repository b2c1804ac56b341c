export const outboxFiles = `
-- 0 while files have to go up before the request; then it lacks their tokens, and is not frozen yet.
ALTER TABLE outbox ADD COLUMN is_whole INTEGER NOT NULL DEFAULT 1 CHECK (is_whole IN (0, 1));

CREATE TABLE outbox_file (
  ref           TEXT NOT NULL REFERENCES outbox (ref),
  -- In the order of the request, from 0.
  place         INTEGER NOT NULL,
  name          TEXT NOT NULL,
  -- Null once the row has left this computer or was given up.
  data          BLOB,
  token         TEXT,
  PRIMARY KEY (ref, place)
) STRICT;

DROP TRIGGER outbox_request_is_frozen;
CREATE TRIGGER outbox_target_is_frozen BEFORE UPDATE OF target, signed_at ON outbox
BEGIN SELECT RAISE(ABORT, 'an outbox request is frozen'); END;
CREATE TRIGGER outbox_request_is_frozen BEFORE UPDATE OF body, body_sha256, is_whole ON outbox
WHEN OLD.is_whole = 1 OR OLD.state <> 'queued' OR NEW.is_whole = 0
BEGIN SELECT RAISE(ABORT, 'an outbox request is frozen'); END;
CREATE TRIGGER outbox_leaves_whole BEFORE UPDATE OF state ON outbox
WHEN OLD.is_whole = 0 AND NEW.state IN ('sending', 'unknown', 'sent')
BEGIN SELECT RAISE(ABORT, 'an outbox request leaves whole'); END;
`;

export const actions = `
-- Written before a request that changes something on the service leaves, and after its answer.
CREATE TABLE action (
  id              TEXT PRIMARY KEY,
  kind            TEXT NOT NULL CHECK (kind IN ('revoke', 'remove', 'change', 'correct-email',
                    'replace-recipients', 'silence', 'remind', 'reject', 'share', 'upload-add',
                    'upload-remove')),
  state           TEXT NOT NULL CHECK (state IN ('queued', 'sending', 'done', 'refused',
                    'unknown')),
  version         INTEGER NOT NULL DEFAULT 0,
  connection_id   TEXT NOT NULL REFERENCES connection (id),
  agreement_id    TEXT,
  title           TEXT NOT NULL,
  party_id        TEXT,
  notification_id TEXT,
  token           TEXT,
  -- What a change meant to reach, as JSON.
  goal            TEXT,
  failure         TEXT,
  revoked_at      INTEGER,
  created_at      INTEGER NOT NULL,
  updated_at      INTEGER NOT NULL,
  is_open         INTEGER NOT NULL GENERATED ALWAYS AS (state NOT IN ('done', 'refused')) STORED
) STRICT;

CREATE INDEX action_state ON action (state);
CREATE INDEX action_listed ON action (is_open, updated_at);
CREATE INDEX action_agreement ON action (connection_id, agreement_id);

CREATE TRIGGER action_end_is_final BEFORE UPDATE OF state ON action
WHEN OLD.state IN ('done', 'refused') AND NEW.state <> OLD.state
BEGIN SELECT RAISE(ABORT, 'an action that ended stays so'); END;

CREATE TABLE action_journal (
  number          INTEGER PRIMARY KEY AUTOINCREMENT,
  at              INTEGER NOT NULL,
  action_id       TEXT NOT NULL REFERENCES action (id),
  from_state      TEXT,
  to_state        TEXT NOT NULL,
  cause           TEXT NOT NULL
) STRICT;

CREATE INDEX action_journal_action ON action_journal (action_id);

CREATE TRIGGER action_journal_is_not_rewritten BEFORE UPDATE ON action_journal
BEGIN SELECT RAISE(ABORT, 'the journal only grows'); END;
CREATE TRIGGER action_journal_is_not_shortened BEFORE DELETE ON action_journal
BEGIN SELECT RAISE(ABORT, 'the journal only grows'); END;
`;

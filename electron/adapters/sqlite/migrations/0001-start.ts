export const start = `
CREATE TABLE connection (
  id            TEXT PRIMARY KEY,
  name          TEXT NOT NULL,
  api           TEXT NOT NULL CHECK (api IN ('v1', 'v2')),
  url           TEXT NOT NULL,
  environment   TEXT NOT NULL CHECK (environment IN ('production', 'test', 'demo')),
  account_id    TEXT,
  org_no        TEXT,
  created_at    INTEGER NOT NULL,
  -- A removed connection stays as a row: the journal and the archive still name it.
  is_removed    INTEGER NOT NULL DEFAULT 0 CHECK (is_removed IN (0, 1)),
  checked_until INTEGER,
  checked_at    INTEGER
) STRICT;

-- Narrow on purpose: lists and counters walk these rows, and the whole agreement lies beside them.
CREATE TABLE agreement (
  connection_id TEXT NOT NULL REFERENCES connection (id),
  id            TEXT NOT NULL,
  api           TEXT NOT NULL CHECK (api IN ('v1', 'v2')),
  title         TEXT NOT NULL,
  state         TEXT NOT NULL CHECK (state IN ('draft', 'waiting', 'part-signed', 'signed',
                                               'rejected', 'revoked', 'expired', 'unknown')),
  native_state  TEXT NOT NULL,
  -- Names as a JSON list; null when the service has not told the parties.
  party_names   TEXT,
  signed_count  INTEGER,
  party_count   INTEGER,
  my_turn       INTEGER NOT NULL CHECK (my_turn IN (0, 1)),
  updated_at    INTEGER,
  closed_at     INTEGER,
  expires_at    INTEGER,
  deletes_at    INTEGER,
  seen_at       INTEGER NOT NULL,
  -- The outbox row that made it, from its tag desk.ref.
  ref           TEXT,
  gone          TEXT CHECK (gone IN ('deleted', 'no-access')),
  -- 0 when the connection was removed and the copy kept.
  is_live       INTEGER NOT NULL DEFAULT 1 CHECK (is_live IN (0, 1)),
  search_text   TEXT NOT NULL,
  title_key     TEXT NOT NULL,
  -- Pages are cut at these; an unknown time sorts as the oldest.
  updated_key   INTEGER NOT NULL GENERATED ALWAYS AS (coalesce(updated_at, 0)) STORED,
  closed_key    INTEGER NOT NULL GENERATED ALWAYS AS (coalesce(closed_at, 0)) STORED,
  is_open       INTEGER NOT NULL GENERATED ALWAYS AS
                (state NOT IN ('signed', 'rejected', 'revoked', 'expired')) STORED,
  PRIMARY KEY (connection_id, id)
) STRICT;

CREATE INDEX agreement_id ON agreement (id);
CREATE INDEX agreement_updated ON agreement (updated_key);
CREATE INDEX agreement_connection_updated ON agreement (connection_id, updated_key);
CREATE INDEX agreement_title ON agreement (title_key);
CREATE INDEX agreement_closed ON agreement (closed_key);
CREATE INDEX agreement_state ON agreement (state, connection_id);
CREATE INDEX agreement_open ON agreement (expires_at, connection_id) WHERE is_open = 1;
CREATE INDEX agreement_turn ON agreement (connection_id) WHERE my_turn = 1;
CREATE INDEX agreement_ref ON agreement (connection_id, ref) WHERE ref IS NOT NULL;

CREATE TABLE agreement_content (
  connection_id TEXT NOT NULL,
  id            TEXT NOT NULL,
  -- All that was told of it so far, as JSON.
  remote        TEXT NOT NULL,
  PRIMARY KEY (connection_id, id),
  FOREIGN KEY (connection_id, id) REFERENCES agreement (connection_id, id) ON DELETE CASCADE
) STRICT;

CREATE TABLE draft (
  id            TEXT PRIMARY KEY,
  connection_id TEXT REFERENCES connection (id),
  content       TEXT NOT NULL,
  revision      INTEGER NOT NULL,
  sending       TEXT,
  created_at    INTEGER NOT NULL,
  updated_at    INTEGER NOT NULL
) STRICT;

CREATE INDEX draft_connection ON draft (connection_id);

CREATE TABLE draft_file (
  number        INTEGER PRIMARY KEY,
  draft_id      TEXT NOT NULL REFERENCES draft (id) ON DELETE CASCADE,
  id            TEXT NOT NULL,
  name          TEXT NOT NULL,
  mime_type     TEXT NOT NULL,
  bytes         INTEGER NOT NULL,
  sha256        TEXT NOT NULL,
  pages         INTEGER,
  field_count   INTEGER NOT NULL,
  notices       TEXT NOT NULL,
  modified_at   INTEGER,
  data          BLOB NOT NULL,
  UNIQUE (draft_id, id)
) STRICT;

CREATE TABLE outbox (
  ref           TEXT PRIMARY KEY,
  kind          TEXT NOT NULL CHECK (kind IN ('create', 'sign')),
  state         TEXT NOT NULL CHECK (state IN ('queued', 'sending', 'sent', 'rejected', 'unknown',
                                               'abandoned')),
  version       INTEGER NOT NULL DEFAULT 0,
  title         TEXT NOT NULL,
  connection_id TEXT NOT NULL REFERENCES connection (id),
  remote_id     TEXT,
  draft_id      TEXT,
  people        TEXT NOT NULL,
  -- How often bytes of it may have left this computer.
  n_wire        INTEGER NOT NULL DEFAULT 0 CHECK (n_wire >= 0),
  next_at       INTEGER,
  reason        TEXT,
  body          BLOB NOT NULL,
  body_sha256   TEXT NOT NULL,
  target        TEXT,
  signed_at     INTEGER,
  created_at    INTEGER NOT NULL,
  updated_at    INTEGER NOT NULL,
  is_open       INTEGER NOT NULL GENERATED ALWAYS AS (state NOT IN ('sent', 'abandoned')) STORED
) STRICT;

CREATE INDEX outbox_state ON outbox (state);
CREATE INDEX outbox_listed ON outbox (is_open, updated_at);

CREATE TRIGGER outbox_request_is_frozen BEFORE UPDATE OF body, body_sha256, target, signed_at
ON outbox BEGIN SELECT RAISE(ABORT, 'an outbox request is frozen'); END;
CREATE TRIGGER outbox_sent_is_final BEFORE UPDATE OF state ON outbox
WHEN OLD.state = 'sent' AND NEW.state <> 'sent'
BEGIN SELECT RAISE(ABORT, 'a sent outbox row stays sent'); END;

CREATE TABLE attempt (
  number        INTEGER PRIMARY KEY,
  ref           TEXT NOT NULL REFERENCES outbox (ref),
  started_at    INTEGER NOT NULL,
  -- 0 once it is known that not one byte left.
  headers_sent  INTEGER NOT NULL DEFAULT 1 CHECK (headers_sent IN (0, 1)),
  ended_at      INTEGER,
  outcome       TEXT
) STRICT;

CREATE INDEX attempt_ref ON attempt (ref);

CREATE TABLE journal (
  number        INTEGER PRIMARY KEY AUTOINCREMENT,
  at            INTEGER NOT NULL,
  ref           TEXT NOT NULL REFERENCES outbox (ref),
  from_state    TEXT,
  to_state      TEXT NOT NULL,
  cause         TEXT NOT NULL
) STRICT;

CREATE INDEX journal_ref ON journal (ref);

CREATE TRIGGER journal_is_not_rewritten BEFORE UPDATE ON journal
BEGIN SELECT RAISE(ABORT, 'the journal only grows'); END;
CREATE TRIGGER journal_is_not_shortened BEFORE DELETE ON journal
BEGIN SELECT RAISE(ABORT, 'the journal only grows'); END;

CREATE TABLE identity (
  id            TEXT PRIMARY KEY,
  name          TEXT NOT NULL,
  first_name    TEXT NOT NULL,
  last_name     TEXT NOT NULL,
  person_number TEXT,
  country       TEXT,
  org_no        TEXT,
  email         TEXT,
  mobile        TEXT
) STRICT;

CREATE TABLE setting (
  name          TEXT PRIMARY KEY,
  value         TEXT NOT NULL
) STRICT;

-- Title, parties and closing time as they were when the file was saved: the cached agreement may
-- be deleted, this row is not.
CREATE TABLE archive (
  connection_id TEXT NOT NULL REFERENCES connection (id),
  id            TEXT NOT NULL,
  title         TEXT NOT NULL,
  party_names   TEXT,
  closed_at     INTEGER,
  file          TEXT NOT NULL,
  bytes         INTEGER NOT NULL,
  sha256        TEXT NOT NULL,
  saved_at      INTEGER NOT NULL,
  PRIMARY KEY (connection_id, id)
) STRICT;
`;

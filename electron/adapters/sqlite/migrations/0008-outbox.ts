export const outbox = `
-- A column's CHECK cannot be changed: the tables are made anew, children first.
CREATE TABLE outbox_batch (
  batch_id      TEXT PRIMARY KEY,
  connection_id TEXT NOT NULL REFERENCES connection (id),
  title         TEXT NOT NULL,
  policy        TEXT NOT NULL CHECK (policy IN ('ask', 'auto')),
  gate          TEXT NOT NULL DEFAULT 'open' CHECK (gate IN ('open', 'paused', 'stopped', 'asks')),
  reason        TEXT,
  stop_after    INTEGER,
  armed_at      INTEGER NOT NULL
) STRICT;

CREATE TABLE outbox_new (
  ref           TEXT PRIMARY KEY,
  kind          TEXT NOT NULL CHECK (kind IN ('create', 'sign')),
  -- staged: a row of a batch that is not armed yet, and shown nowhere.
  state         TEXT NOT NULL CHECK (state IN ('staged', 'queued', 'sending', 'sent', 'rejected',
                  'unknown', 'absent', 'human', 'duplicate', 'cancelled', 'abandoned')),
  version       INTEGER NOT NULL DEFAULT 0,
  title         TEXT NOT NULL,
  connection_id TEXT NOT NULL REFERENCES connection (id),
  batch_id      TEXT,
  row_no        INTEGER,
  policy        TEXT NOT NULL DEFAULT 'ask' CHECK (policy IN ('ask', 'auto')),
  -- How the agreement is known again, as JSON.
  mark          TEXT NOT NULL,
  fingerprint   TEXT,
  parties       TEXT,
  supersedes    TEXT,
  remote_id     TEXT,
  draft_id      TEXT,
  people        TEXT NOT NULL,
  -- How often bytes of it may have left this computer.
  n_wire        INTEGER NOT NULL DEFAULT 0 CHECK (n_wire >= 0),
  next_at       INTEGER,
  is_scheduled  INTEGER NOT NULL DEFAULT 0 CHECK (is_scheduled IN (0, 1)),
  verify        INTEGER NOT NULL DEFAULT 0 CHECK (verify IN (0, 1)),
  -- By the service's clock.
  ended_at      INTEGER,
  clean_passes  INTEGER NOT NULL DEFAULT 0,
  clean_at      INTEGER,
  vain_passes   INTEGER NOT NULL DEFAULT 0,
  vain_since    INTEGER,
  looks         INTEGER NOT NULL DEFAULT 0,
  look_at       INTEGER,
  reason        TEXT,
  body          BLOB NOT NULL,
  body_sha256   TEXT NOT NULL,
  -- 0 while files have to go up before the request; then it lacks their tokens.
  is_whole      INTEGER NOT NULL DEFAULT 1 CHECK (is_whole IN (0, 1)),
  target        TEXT,
  signed_at     INTEGER,
  created_at    INTEGER NOT NULL,
  updated_at    INTEGER NOT NULL,
  is_open       INTEGER NOT NULL GENERATED ALWAYS AS (
                  state NOT IN ('staged', 'sent', 'abandoned', 'cancelled')) STORED
) STRICT;

INSERT INTO outbox_new (ref, kind, state, version, title, connection_id, mark, remote_id, draft_id,
  people, n_wire, next_at, look_at, reason, body, body_sha256, is_whole, target, signed_at,
  created_at, updated_at)
SELECT ref, kind, state, version, title, connection_id,
  CASE WHEN kind = 'sign' THEN '{"by":"object"}'
       WHEN EXISTS (SELECT 1 FROM connection WHERE id = connection_id AND api = 'v1')
       THEN '{"by":"tag"}' ELSE '{"by":"nothing"}' END,
  remote_id, draft_id, people, n_wire, next_at, CASE WHEN state = 'unknown' THEN 0 END, reason,
  body, body_sha256, is_whole, target, signed_at, created_at, updated_at
FROM outbox;

CREATE TABLE outbox_file_new (
  ref           TEXT NOT NULL REFERENCES outbox_new (ref),
  -- In the order of the request, from 0.
  place         INTEGER NOT NULL,
  name          TEXT NOT NULL,
  -- Null once the row has left this computer or was given up.
  data          BLOB,
  token         TEXT,
  PRIMARY KEY (ref, place)
) STRICT;
INSERT INTO outbox_file_new (ref, place, name, data, token)
SELECT ref, place, name, data, token FROM outbox_file;

CREATE TABLE attempt_new (
  number        INTEGER PRIMARY KEY,
  ref           TEXT NOT NULL REFERENCES outbox_new (ref),
  started_at    INTEGER NOT NULL,
  -- By the service's clock: its list is read from here on.
  floor         INTEGER NOT NULL,
  credential    TEXT NOT NULL,
  -- 0 once it is known that not one byte left.
  headers_sent  INTEGER NOT NULL DEFAULT 1 CHECK (headers_sent IN (0, 1)),
  ended_at      INTEGER,
  outcome       TEXT,
  failure       TEXT
) STRICT;
INSERT INTO attempt_new (number, ref, started_at, floor, credential, headers_sent, ended_at, outcome)
SELECT number, ref, started_at, started_at, '', headers_sent, ended_at, outcome FROM attempt;

CREATE TABLE journal_new (
  number        INTEGER PRIMARY KEY AUTOINCREMENT,
  at            INTEGER NOT NULL,
  ref           TEXT NOT NULL REFERENCES outbox_new (ref),
  from_state    TEXT,
  to_state      TEXT NOT NULL,
  cause         TEXT NOT NULL,
  actor         TEXT NOT NULL,
  -- What a person was shown when they decided, as JSON.
  shown         TEXT,
  -- SHA-256 over this entry and the hash of the one before; entries of older versions have none.
  hash          TEXT
) STRICT;
INSERT INTO journal_new (number, at, ref, from_state, to_state, cause, actor)
SELECT number, at, ref, from_state, to_state, cause, 'program' FROM journal;

DROP TABLE journal;
DROP TABLE attempt;
DROP TABLE outbox_file;
DROP TABLE outbox;
ALTER TABLE outbox_new RENAME TO outbox;
ALTER TABLE outbox_file_new RENAME TO outbox_file;
ALTER TABLE attempt_new RENAME TO attempt;
ALTER TABLE journal_new RENAME TO journal;

CREATE INDEX outbox_state ON outbox (state, next_at, created_at, row_no);
CREATE INDEX outbox_listed ON outbox (is_open, updated_at);
CREATE INDEX outbox_batch_row ON outbox (batch_id, row_no);
CREATE INDEX outbox_look ON outbox (look_at) WHERE look_at IS NOT NULL;
CREATE INDEX outbox_remote ON outbox (connection_id, remote_id);
CREATE INDEX outbox_fingerprint ON outbox (fingerprint) WHERE fingerprint IS NOT NULL;
CREATE INDEX outbox_draft ON outbox (draft_id) WHERE draft_id IS NOT NULL;
CREATE INDEX attempt_ref ON attempt (ref);
CREATE INDEX journal_ref ON journal (ref);

CREATE TRIGGER outbox_target_is_frozen BEFORE UPDATE OF target, signed_at ON outbox
BEGIN SELECT RAISE(ABORT, 'an outbox request is frozen'); END;
CREATE TRIGGER outbox_request_is_frozen BEFORE UPDATE OF body, body_sha256, is_whole ON outbox
WHEN OLD.is_whole = 1 OR OLD.state <> 'queued' OR NEW.is_whole = 0
BEGIN SELECT RAISE(ABORT, 'an outbox request is frozen'); END;
CREATE TRIGGER outbox_leaves_whole BEFORE UPDATE OF state ON outbox
WHEN OLD.is_whole = 0 AND NEW.state IN ('sending', 'sent')
BEGIN SELECT RAISE(ABORT, 'an outbox request leaves whole'); END;
CREATE TRIGGER outbox_sent_is_final BEFORE UPDATE OF state ON outbox
WHEN OLD.state = 'sent' AND NEW.state NOT IN ('sent', 'duplicate')
BEGIN SELECT RAISE(ABORT, 'a sent outbox row stays sent'); END;
CREATE TRIGGER outbox_attempt_before_wire BEFORE UPDATE OF state ON outbox
WHEN NEW.state = 'sending' AND NOT EXISTS (
  SELECT 1 FROM attempt WHERE ref = NEW.ref AND ended_at IS NULL)
BEGIN SELECT RAISE(ABORT, 'an attempt is written before it leaves'); END;

CREATE TRIGGER journal_is_not_rewritten BEFORE UPDATE ON journal
BEGIN SELECT RAISE(ABORT, 'the journal only grows'); END;
CREATE TRIGGER journal_is_not_shortened BEFORE DELETE ON journal
BEGIN SELECT RAISE(ABORT, 'the journal only grows'); END;

-- A reading of the service's list from one instant on.
CREATE TABLE pass (
  number        INTEGER PRIMARY KEY AUTOINCREMENT,
  connection_id TEXT NOT NULL REFERENCES connection (id),
  credential    TEXT NOT NULL,
  from_at       INTEGER NOT NULL,
  started_at    INTEGER NOT NULL,
  ended_at      INTEGER NOT NULL,
  server_at     INTEGER NOT NULL,
  pages         INTEGER NOT NULL,
  agreements    INTEGER NOT NULL,
  canary        TEXT,
  is_complete   INTEGER NOT NULL CHECK (is_complete IN (0, 1)),
  lack          TEXT
) STRICT;
CREATE INDEX pass_connection ON pass (connection_id, ended_at);

CREATE TABLE hit (
  number        INTEGER PRIMARY KEY,
  pass          INTEGER NOT NULL REFERENCES pass (number),
  ref           TEXT NOT NULL REFERENCES outbox (ref),
  remote_id     TEXT NOT NULL,
  title         TEXT NOT NULL,
  sent_at       INTEGER,
  state         TEXT NOT NULL,
  is_marked     INTEGER NOT NULL CHECK (is_marked IN (0, 1)),
  UNIQUE (ref, remote_id, is_marked)
) STRICT;
CREATE INDEX hit_pass ON hit (pass);

CREATE TABLE gate (
  connection_id TEXT NOT NULL REFERENCES connection (id),
  kind          TEXT NOT NULL CHECK (kind IN ('rate', 'auth', 'offline', 'clock', 'disk',
                  'keychain', 'breaker', 'user', 'update')),
  until_at      INTEGER,
  reason        TEXT,
  since         INTEGER NOT NULL,
  PRIMARY KEY (connection_id, kind)
) STRICT;

-- The credential store holds the same number: a copy that was put back is behind it.
CREATE TABLE epoch (
  id            INTEGER PRIMARY KEY CHECK (id = 1),
  current       INTEGER NOT NULL,
  next          INTEGER
) STRICT;
INSERT INTO epoch (id, current) VALUES (1, 0);
`;

export const batches = `
-- A spreadsheet, the template it fills, and what a person did to its rows.
CREATE TABLE batch (
  id            TEXT PRIMARY KEY,
  name          TEXT NOT NULL,
  -- arming: its rows are being frozen; after a sudden end they are thrown away again.
  stage         TEXT NOT NULL CHECK (stage IN ('open', 'arming', 'armed')),
  connection_id TEXT REFERENCES connection (id),
  template_id   TEXT,
  template_revision INTEGER,
  file_name     TEXT NOT NULL,
  file_sha256   TEXT NOT NULL,
  data          BLOB NOT NULL,
  -- JSON each: what the file is, how it is read, the body its rows fill, which columns do.
  sheet         TEXT NOT NULL,
  choices       TEXT NOT NULL,
  mapping       TEXT,
  matches       TEXT NOT NULL,
  schedule      TEXT NOT NULL,
  policy        TEXT NOT NULL CHECK (policy IN ('ask', 'auto')),
  revision      INTEGER NOT NULL,
  created_at    INTEGER NOT NULL,
  updated_at    INTEGER NOT NULL
) STRICT;

CREATE INDEX batch_connection ON batch (connection_id);

CREATE TABLE batch_row (
  batch_id      TEXT NOT NULL REFERENCES batch (id) ON DELETE CASCADE,
  -- The spreadsheet's own number.
  number        INTEGER NOT NULL,
  cells         TEXT NOT NULL,
  -- As they were in the file; null until a cell is changed.
  original      TEXT,
  marks         TEXT NOT NULL,
  -- What a person said: 1 leave out, 0 take in; null as the check finds.
  choice        INTEGER CHECK (choice IN (0, 1)),
  -- Of what the row sends, to find the same row in another batch; once it is armed.
  hash          TEXT,
  ref           TEXT,
  -- What only merging its PDF showed.
  failure       TEXT,
  PRIMARY KEY (batch_id, number)
) STRICT;

CREATE INDEX batch_row_hash ON batch_row (hash) WHERE hash IS NOT NULL;

-- Which columns stood for what, by the set of a sheet's headers.
CREATE TABLE column_memory (
  template_id   TEXT NOT NULL,
  header_key    TEXT NOT NULL,
  matches       TEXT NOT NULL,
  used_at       INTEGER NOT NULL,
  PRIMARY KEY (template_id, header_key)
) STRICT;
`;

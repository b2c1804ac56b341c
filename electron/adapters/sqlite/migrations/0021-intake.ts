export const intake = `
-- Rules by which folders are watched, as JSON, each with how it went last.
CREATE TABLE intake_rule (
  id            TEXT PRIMARY KEY,
  name          TEXT NOT NULL UNIQUE,
  folder        TEXT NOT NULL UNIQUE,
  rule          TEXT NOT NULL,
  last          TEXT
) STRICT, WITHOUT ROWID;

-- Files that were taken, by the folder they came in. Names are kept as SHA-256 only: they may say of
-- whom an agreement is, and nobody reads them here.
CREATE TABLE intake_file (
  folder        TEXT NOT NULL,
  -- Of the file and of what was said beside it.
  hash          TEXT NOT NULL,
  name_hash     TEXT NOT NULL,
  -- Of what was said beside it; null where nothing was.
  data_hash     TEXT,
  -- 0 until the file lies in \`done\`.
  is_moved      INTEGER NOT NULL DEFAULT 0 CHECK (is_moved IN (0, 1)),
  PRIMARY KEY (folder, hash)
) STRICT, WITHOUT ROWID;

CREATE INDEX intake_file_name ON intake_file (folder, name_hash);

-- Files that lie there, as they were seen last: one that stays the same is written to its end.
CREATE TABLE intake_sight (
  folder        TEXT NOT NULL,
  name_hash     TEXT NOT NULL,
  bytes         INTEGER NOT NULL,
  changed_at    REAL NOT NULL,
  since         INTEGER NOT NULL,
  PRIMARY KEY (folder, name_hash)
) STRICT, WITHOUT ROWID;
`;

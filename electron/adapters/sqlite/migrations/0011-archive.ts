export const archive = `
-- Size and time of change of the file when its content was last known, and what its seal covers.
ALTER TABLE archive ADD COLUMN changed_at REAL;
ALTER TABLE archive ADD COLUMN seal TEXT;

-- The PDFs of each folder: several rules may save the same agreement.
CREATE TABLE archive_place (
  folder        TEXT NOT NULL,
  connection_id TEXT NOT NULL,
  id            TEXT NOT NULL,
  title         TEXT NOT NULL,
  party_names   TEXT,
  closed_at     INTEGER,
  file          TEXT NOT NULL,
  bytes         INTEGER NOT NULL,
  sha256        TEXT NOT NULL,
  saved_at      INTEGER NOT NULL,
  changed_at    REAL,
  seal          TEXT,
  PRIMARY KEY (folder, connection_id, id)
) STRICT, WITHOUT ROWID;

-- What lies beside a PDF, and copies of agreements that not everybody signed. It refers to no
-- agreement on purpose: the file stays when the copy goes.
CREATE TABLE archive_extra (
  folder        TEXT NOT NULL,
  connection_id TEXT NOT NULL,
  id            TEXT NOT NULL,
  kind          TEXT NOT NULL,
  name          TEXT NOT NULL,
  file          TEXT NOT NULL,
  bytes         INTEGER NOT NULL,
  sha256        TEXT NOT NULL,
  saved_at      INTEGER NOT NULL,
  PRIMARY KEY (folder, connection_id, id, kind, name)
) STRICT, WITHOUT ROWID;

-- Files a run is writing. One that is whole is found again by its hash after a kill.
CREATE TABLE archive_work (
  file          TEXT PRIMARY KEY,
  connection_id TEXT NOT NULL,
  id            TEXT NOT NULL,
  bytes         INTEGER,
  sha256        TEXT,
  seal          TEXT
) STRICT, WITHOUT ROWID;

-- Folders that held an archive: one that is gone is not made anew.
CREATE TABLE archive_folder (
  folder        TEXT PRIMARY KEY,
  since         INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE archive_rule (
  id            TEXT PRIMARY KEY,
  name          TEXT NOT NULL UNIQUE,
  rule          TEXT NOT NULL,
  last          TEXT
) STRICT, WITHOUT ROWID;
`;

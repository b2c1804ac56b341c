export const drafts = `
-- Set while the draft lies in the trash.
ALTER TABLE draft ADD COLUMN trashed_at INTEGER;
-- The outbox row by which it became an agreement: kept for a copy, and seen nowhere else.
ALTER TABLE draft ADD COLUMN sent_as TEXT;
ALTER TABLE draft ADD COLUMN sent_at INTEGER;
-- Which of its steps the content is.
ALTER TABLE draft ADD COLUMN step INTEGER NOT NULL DEFAULT 0;
-- 0 for a file taken out of the draft: an undo may bring it back.
ALTER TABLE draft_file ADD COLUMN is_listed INTEGER NOT NULL DEFAULT 1 CHECK (is_listed IN (0, 1));

CREATE INDEX draft_trashed ON draft (trashed_at) WHERE trashed_at IS NOT NULL;
CREATE INDEX draft_sent ON draft (sent_as) WHERE sent_as IS NOT NULL;

-- What the content was after each edit, oldest first; the steps after the draft's own can be redone.
CREATE TABLE draft_step (
  draft_id      TEXT NOT NULL REFERENCES draft (id) ON DELETE CASCADE,
  number        INTEGER NOT NULL,
  -- Typing in one field is one edit; null where each save is one.
  edit          TEXT,
  content       TEXT NOT NULL,
  PRIMARY KEY (draft_id, number)
) STRICT;

-- Parties written to before.
CREATE TABLE person (
  id            TEXT PRIMARY KEY,
  kind          TEXT NOT NULL CHECK (kind IN ('person', 'company')),
  -- Two entries of one key are the same party.
  key           TEXT NOT NULL UNIQUE,
  search_text   TEXT NOT NULL,
  content       TEXT NOT NULL,
  times         INTEGER NOT NULL DEFAULT 1,
  used_at       INTEGER NOT NULL
) STRICT;

CREATE INDEX person_used ON person (used_at);

CREATE TABLE party_set (
  id            TEXT PRIMARY KEY,
  name          TEXT NOT NULL,
  content       TEXT NOT NULL,
  saved_at      INTEGER NOT NULL
) STRICT;
`;

export const officeDrafts = `
-- Drafts that this desk works on together with others.
CREATE TABLE office_draft (
  draft_id      TEXT PRIMARY KEY REFERENCES draft (id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

-- A version of such a draft that was written here while another desk wrote it: a draft of its own now.
CREATE TABLE office_kept_draft (
  draft_id      TEXT PRIMARY KEY REFERENCES draft (id) ON DELETE CASCADE,
  -- Whose version is worked on.
  seat          TEXT NOT NULL,
  at            INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- What was given to another seat and has no trash here, until that seat has it.
CREATE TABLE office_given (
  id            TEXT PRIMARY KEY,
  kind          TEXT NOT NULL,
  -- The id of what was given.
  what          TEXT NOT NULL,
  title         TEXT NOT NULL,
  data          BLOB NOT NULL,
  at            INTEGER NOT NULL
) STRICT;
`;

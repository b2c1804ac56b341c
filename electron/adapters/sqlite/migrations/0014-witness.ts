export const witness = `
-- Where the data file lay when its number was written last, as JSON: a copy lies elsewhere.
ALTER TABLE epoch ADD COLUMN place TEXT;

-- How far the log of evidence had come when that was last noted outside of this file: nothing yet
-- is 0. No row: the log is empty, or was begun by a version that did not keep this.
CREATE TABLE evidence_noted (
  id            INTEGER PRIMARY KEY CHECK (id = 1),
  entries       INTEGER NOT NULL,
  hash          TEXT NOT NULL
) STRICT;
`;

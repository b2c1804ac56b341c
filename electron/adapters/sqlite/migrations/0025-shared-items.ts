export const sharedItems = `
-- What this desk shares with its office; changes of the office were read up to this number.
CREATE TABLE office_shared (
  name          TEXT PRIMARY KEY,
  read_up_to    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Each item as the office had it when it was last read or written: what differs from it was changed here
-- since. Content is null once it was removed; open are fields of which a person is asked.
CREATE TABLE office_item (
  kind          TEXT NOT NULL,
  id            TEXT NOT NULL,
  version       INTEGER NOT NULL,
  content       TEXT NOT NULL,
  seat          TEXT NOT NULL,
  open          TEXT NOT NULL,
  is_here       INTEGER NOT NULL CHECK (is_here IN (0, 1)),
  PRIMARY KEY (kind, id)
) STRICT, WITHOUT ROWID;
`;

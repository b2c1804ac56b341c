export const backup = `
-- What backups are encrypted to, where they go and how the last ones went: one row, once a person
-- has set a phrase up. The private key is encrypted under that phrase, which is kept nowhere.
CREATE TABLE backup (
  id            INTEGER PRIMARY KEY CHECK (id = 1),
  desk          TEXT NOT NULL,
  recipient     TEXT NOT NULL,
  wrapped       BLOB NOT NULL,
  -- As JSON; the last two are null before the first.
  plan          TEXT NOT NULL,
  set_up_at     INTEGER NOT NULL,
  last          TEXT,
  good          TEXT
) STRICT;
`;

import { fillAddressBook } from './0017-address-book-fill.ts';

export { fillAddressBook };

export const addressBook = `
-- Entries of the address book. Two may have one key: people share addresses, and a person decides
-- what is the same. The table is made anew, since a column's UNIQUE cannot be changed.
ALTER TABLE person RENAME TO person_before;
DROP INDEX person_used;
CREATE TABLE person (
  number        INTEGER PRIMARY KEY,
  id            TEXT NOT NULL UNIQUE,
  kind          TEXT NOT NULL CHECK (kind IN ('person', 'company')),
  content       TEXT NOT NULL,
  -- By what the list is ordered; by what entries of one party are found.
  title_key     TEXT NOT NULL,
  number_key    TEXT,
  email_key     TEXT,
  mobile_key    TEXT,
  name_key      TEXT,
  -- Folded words, each behind a space; never a personal number.
  words         TEXT NOT NULL,
  -- How often they were written to; used_at is when they were added while that is never.
  times         INTEGER NOT NULL,
  used_at       INTEGER NOT NULL,
  added_at      INTEGER NOT NULL,
  changed_at    INTEGER NOT NULL
) STRICT;

-- A search that many match walks this order, without a look at the entries themselves.
CREATE INDEX person_by_title ON person (title_key, number, words);
CREATE INDEX person_by_used ON person (used_at, number);
CREATE INDEX person_by_changed ON person (changed_at, number);
CREATE INDEX person_number ON person (number_key) WHERE number_key IS NOT NULL;
CREATE INDEX person_email ON person (email_key) WHERE email_key IS NOT NULL;
CREATE INDEX person_mobile ON person (mobile_key) WHERE mobile_key IS NOT NULL;
CREATE INDEX person_name ON person (name_key) WHERE name_key IS NOT NULL;

CREATE VIRTUAL TABLE person_words USING fts5 (words, content = '',
  contentless_delete = 1, detail = none, prefix = '1 2 3', tokenize = 'ascii');
CREATE TRIGGER person_is_searched AFTER INSERT ON person
BEGIN
  INSERT INTO person_words (rowid, words) VALUES (NEW.number, NEW.words);
END;
CREATE TRIGGER person_is_searched_anew AFTER UPDATE OF words ON person WHEN NEW.words <> OLD.words
BEGIN
  DELETE FROM person_words WHERE rowid = OLD.number;
  INSERT INTO person_words (rowid, words) VALUES (NEW.number, NEW.words);
END;
CREATE TRIGGER person_is_unsearched AFTER DELETE ON person
BEGIN
  DELETE FROM person_words WHERE rowid = OLD.number;
END;

-- Groups of people. A member that came from a draft has what was chosen for it there; our own
-- company is a member without a person.
CREATE TABLE person_group (
  id            TEXT PRIMARY KEY,
  name          TEXT NOT NULL,
  saved_at      INTEGER NOT NULL
) STRICT;
CREATE TABLE group_member (
  group_id      TEXT NOT NULL REFERENCES person_group (id) ON DELETE CASCADE,
  place         INTEGER NOT NULL,
  person_id     TEXT REFERENCES person (id) ON DELETE CASCADE,
  choices       TEXT,
  PRIMARY KEY (group_id, place)
) STRICT;
CREATE INDEX group_member_person ON group_member (person_id);

-- Two entries that a person said are two.
CREATE TABLE person_apart (
  first_id      TEXT NOT NULL REFERENCES person (id) ON DELETE CASCADE,
  second_id     TEXT NOT NULL REFERENCES person (id) ON DELETE CASCADE,
  PRIMARY KEY (first_id, second_id)
) STRICT;
CREATE INDEX person_apart_second ON person_apart (second_id);

-- That something was erased, and never of whom.
CREATE TABLE erasure (
  number        INTEGER PRIMARY KEY,
  at            INTEGER NOT NULL,
  people        INTEGER NOT NULL,
  drafts        INTEGER NOT NULL,
  batch_rows    INTEGER NOT NULL,
  sheets        INTEGER NOT NULL,
  copies        INTEGER NOT NULL
) STRICT;
`;

import { fillSearch } from './0004-search-fill.ts';

export { fillSearch };

export const search = `
-- Small whole numbers by which lists tell connections apart without comparing their ids.
ALTER TABLE connection ADD COLUMN number INTEGER;
UPDATE connection SET number = rowid;
CREATE UNIQUE INDEX connection_number ON connection (number);
CREATE TRIGGER connection_is_numbered AFTER INSERT ON connection WHEN NEW.number IS NULL
BEGIN
  UPDATE connection SET number = (SELECT coalesce(max(number), 0) + 1 FROM connection)
  WHERE id = NEW.id;
END;

-- The order among agreements of one time or title; unlike a rowid it can stand in an index.
ALTER TABLE agreement ADD COLUMN number INTEGER NOT NULL DEFAULT 0;
ALTER TABLE agreement ADD COLUMN connection_number INTEGER NOT NULL DEFAULT 0;
ALTER TABLE agreement ADD COLUMN archived INTEGER NOT NULL DEFAULT 0 CHECK (archived IN (0, 1));
-- A party of ours can sign through the API, now or later.
ALTER TABLE agreement ADD COLUMN signable INTEGER NOT NULL DEFAULT 0 CHECK (signable IN (0, 1));
-- v2 says rejected, and no party rejected it.
ALTER TABLE agreement ADD COLUMN perhaps_expired INTEGER NOT NULL DEFAULT 0
  CHECK (perhaps_expired IN (0, 1));
-- Of the JSON in agreement_content.
ALTER TABLE agreement ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
-- What the search index has of tags and template beside words; see agreement_words.
ALTER TABLE agreement ADD COLUMN tag_marks TEXT NOT NULL DEFAULT '';
ALTER TABLE agreement ADD COLUMN template_mark TEXT;
-- Its rowid in agreement_words; null while it is not in there.
ALTER TABLE agreement ADD COLUMN place INTEGER;
-- Everything lists are narrowed by that is not a time or a text, in one number that indexes hold
-- and agreement_tally counts. The three lowest bits are the state.
ALTER TABLE agreement ADD COLUMN facets INTEGER NOT NULL GENERATED ALWAYS AS (
  CASE state WHEN 'draft' THEN 0 WHEN 'waiting' THEN 1 WHEN 'part-signed' THEN 2
    WHEN 'signed' THEN 3 WHEN 'rejected' THEN 4 WHEN 'revoked' THEN 5 WHEN 'expired' THEN 6
    ELSE 7 END
  | (my_turn << 3) | (archived << 4) | ((gone IS NOT NULL) << 5) | (is_live << 6)
  | (connection_number << 7)) VIRTUAL;
-- Since when it asks for attention; a state nobody knows does so for ever.
ALTER TABLE agreement ADD COLUMN attention_at INTEGER GENERATED ALWAYS AS (
  CASE WHEN state = 'unknown' THEN 9007199254740991
    WHEN state IN ('rejected', 'expired') THEN coalesce(updated_at, closed_at, expires_at) END
  ) VIRTUAL;
-- Since when nothing more happens to it; null while it is open or no time is known.
ALTER TABLE agreement ADD COLUMN done_at INTEGER GENERATED ALWAYS AS (
  CASE WHEN state IN ('signed', 'rejected', 'revoked', 'expired')
    THEN coalesce(closed_at, updated_at, expires_at) END) VIRTUAL;

UPDATE agreement SET number = rowid,
  connection_number = (SELECT number FROM connection c WHERE c.id = connection_id),
  archived = EXISTS (SELECT 1 FROM archive f
    WHERE f.connection_id = agreement.connection_id AND f.id = agreement.id),
  bytes = (SELECT octet_length(remote) FROM agreement_content c
    WHERE c.connection_id = agreement.connection_id AND c.id = agreement.id);

-- Each order has all that lists are narrowed by, so that what does not match costs no look at the
-- agreement itself.
DROP INDEX agreement_updated;
DROP INDEX agreement_connection_updated;
DROP INDEX agreement_title;
DROP INDEX agreement_closed;
DROP INDEX agreement_state;
DROP INDEX agreement_turn;
DROP INDEX agreement_open;
CREATE INDEX agreement_by_updated
  ON agreement (updated_key, number, facets, closed_key, expires_at, attention_at);
CREATE INDEX agreement_by_title
  ON agreement (title_key, number, facets, updated_key, closed_key, expires_at, attention_at);
CREATE INDEX agreement_by_closed
  ON agreement (closed_key, number, facets, updated_key, expires_at, attention_at);
CREATE INDEX agreement_by_expires
  ON agreement (expires_at, number, facets, updated_key, closed_key, attention_at);
CREATE INDEX agreement_by_facets
  ON agreement (facets, updated_key, number, closed_key, expires_at, attention_at);
CREATE INDEX agreement_by_attention
  ON agreement (attention_at, number, facets, updated_key, closed_key, expires_at)
  WHERE attention_at IS NOT NULL;
CREATE UNIQUE INDEX agreement_place
  ON agreement (place, number, facets, updated_key, closed_key, expires_at, attention_at);
CREATE UNIQUE INDEX agreement_number ON agreement (number);
CREATE INDEX agreement_signable ON agreement (connection_id) WHERE signable = 1 AND is_open = 1;
CREATE INDEX agreement_by_done ON agreement (done_at) WHERE done_at IS NOT NULL;
CREATE INDEX agreement_sizes ON agreement (connection_id, is_open, bytes);

-- How many agreements there are of each kind; what is counted most is never counted.
CREATE TABLE agreement_tally (
  facets        INTEGER PRIMARY KEY,
  number        INTEGER NOT NULL CHECK (number >= 0)
) STRICT;
INSERT INTO agreement_tally SELECT facets, count(*) FROM agreement GROUP BY facets;

CREATE TRIGGER agreement_is_counted AFTER INSERT ON agreement
BEGIN
  INSERT INTO agreement_tally VALUES (NEW.facets, 1)
  ON CONFLICT (facets) DO UPDATE SET number = number + 1;
END;
CREATE TRIGGER agreement_is_recounted
AFTER UPDATE OF state, my_turn, archived, gone, is_live, connection_number ON agreement
WHEN OLD.facets <> NEW.facets
BEGIN
  UPDATE agreement_tally SET number = number - 1 WHERE facets = OLD.facets;
  INSERT INTO agreement_tally VALUES (NEW.facets, 1)
  ON CONFLICT (facets) DO UPDATE SET number = number + 1;
END;
CREATE TRIGGER agreement_is_uncounted AFTER DELETE ON agreement
BEGIN
  UPDATE agreement_tally SET number = number - 1 WHERE facets = OLD.facets;
END;

CREATE TRIGGER archive_is_marked AFTER INSERT ON archive
BEGIN
  UPDATE agreement SET archived = 1 WHERE connection_id = NEW.connection_id AND id = NEW.id;
END;
CREATE TRIGGER archive_is_unmarked AFTER DELETE ON archive
BEGIN
  UPDATE agreement SET archived = 0 WHERE connection_id = OLD.connection_id AND id = OLD.id;
END;

-- Words and marks without the texts themselves. Rowids are dense and rise with the time of the last
-- update, so that the newest that match are read first and nothing is sorted.
CREATE VIRTUAL TABLE agreement_words USING fts5 (words, marks, content = '',
  contentless_delete = 1, detail = column, prefix = '1 2 3', tokenize = 'ascii');
CREATE TRIGGER agreement_is_unsearched AFTER DELETE ON agreement WHEN OLD.place IS NOT NULL
BEGIN
  DELETE FROM agreement_words WHERE rowid = OLD.place;
END;

-- While the index is built anew: places up to this one are of before.
CREATE TABLE search_state (
  number        INTEGER PRIMARY KEY CHECK (number = 1),
  built_after   INTEGER
) STRICT;
INSERT INTO search_state VALUES (1, NULL);

-- Copies a person or the retention setting took away, and what they were then: told again
-- unchanged, they stay away. Nothing personal.
CREATE TABLE agreement_forgotten (
  connection_id TEXT NOT NULL REFERENCES connection (id),
  id            TEXT NOT NULL,
  native_state  TEXT NOT NULL,
  updated_at    INTEGER,
  closed_at     INTEGER,
  forgotten_at  INTEGER NOT NULL,
  -- When the service told it last.
  seen_at       INTEGER NOT NULL,
  PRIMARY KEY (connection_id, id)
) STRICT;
CREATE TRIGGER connection_forgets_all AFTER UPDATE OF is_removed ON connection
WHEN NEW.is_removed = 1
BEGIN
  DELETE FROM agreement_forgotten WHERE connection_id = NEW.id;
END;
`;

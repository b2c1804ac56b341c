export const leanCopies = `
-- Ids are random, so that whatever is ordered by them is written all over the file. What was told
-- lies by the agreement's number, one behind the other.
CREATE TABLE agreement_told_by_number (
  number        INTEGER PRIMARY KEY,
  -- All that was told of it so far, as JSON.
  remote        TEXT NOT NULL,
  FOREIGN KEY (number) REFERENCES agreement (number) ON DELETE CASCADE
) STRICT;
INSERT INTO agreement_told_by_number
SELECT a.number, c.remote FROM agreement a
JOIN agreement_content c ON c.connection_id = a.connection_id AND c.id = a.id ORDER BY a.number;
DROP TABLE agreement_content;
ALTER TABLE agreement_told_by_number RENAME TO agreement_content;

-- An agreement of any connection is looked for in each of them.
DROP INDEX agreement_id;

-- What copies take is summed where they are counted.
DROP INDEX agreement_sizes;
ALTER TABLE agreement_tally ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
UPDATE agreement_tally SET bytes = coalesce((SELECT sum(a.bytes) FROM agreement a
  WHERE a.facets = agreement_tally.facets), 0);

DROP TRIGGER agreement_is_counted;
DROP TRIGGER agreement_is_recounted;
DROP TRIGGER agreement_is_uncounted;
CREATE TRIGGER agreement_is_counted AFTER INSERT ON agreement
BEGIN
  INSERT INTO agreement_tally VALUES (NEW.facets, 1, NEW.bytes)
  ON CONFLICT (facets) DO UPDATE SET number = number + 1, bytes = bytes + excluded.bytes;
END;
CREATE TRIGGER agreement_is_recounted
AFTER UPDATE OF state, my_turn, archived, gone, is_live, connection_number, bytes ON agreement
WHEN OLD.facets <> NEW.facets OR OLD.bytes <> NEW.bytes
BEGIN
  UPDATE agreement_tally SET number = number - 1, bytes = bytes - OLD.bytes
  WHERE facets = OLD.facets;
  INSERT INTO agreement_tally VALUES (NEW.facets, 1, NEW.bytes)
  ON CONFLICT (facets) DO UPDATE SET number = number + 1, bytes = bytes + excluded.bytes;
END;
CREATE TRIGGER agreement_is_uncounted AFTER DELETE ON agreement
BEGIN
  UPDATE agreement_tally SET number = number - 1, bytes = bytes - OLD.bytes
  WHERE facets = OLD.facets;
END;

-- The index of words is merged in steps of our own size while the desk has nothing else to do. Left
-- to itself it merges within any commit, for as long as that takes.
INSERT INTO agreement_words (agreement_words, rank) VALUES ('automerge', 0);
INSERT INTO agreement_words (agreement_words, rank) VALUES ('crisismerge', 400);
`;

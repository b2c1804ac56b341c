export const seenClaims = `
-- Claims of other desks that a person saw, by key in hexadecimal. by: the row of the outbox that may follow them; empty:
-- acts on the same agreement may. A generation alone does not name a claim: after a restore of the office, another
-- operation can have it.
CREATE TABLE office_seen_claim (
  key           TEXT NOT NULL,
  by            TEXT NOT NULL,
  operation     TEXT NOT NULL,
  generation    INTEGER NOT NULL,
  PRIMARY KEY (key, by, operation)
) STRICT, WITHOUT ROWID;
-- What was seen before names no operation: each is asked about once more.
DROP TABLE office_seen;
-- Ids that this desk had before its data was restored or copied, and the mark that each had reached in the office.
ALTER TABLE office ADD COLUMN former TEXT NOT NULL DEFAULT '[]';
`;

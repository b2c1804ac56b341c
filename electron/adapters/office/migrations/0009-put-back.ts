/** A database that was put back from an older dump is found out by the desks that wrote after it. */
export const putBack = `
-- Raised by each visit, claim and write of the desk, which keeps it, too: a lower one here than there means
-- that this database was put back. brought_back: the last time of which this desk has told what it knows.
ALTER TABLE desk ADD COLUMN mark bigint NOT NULL DEFAULT 0;
ALTER TABLE desk ADD COLUMN brought_back uuid;

-- Each time that it was noticed. last: the number of the newest change that the dump had; as_of: the
-- newest visit in it.
CREATE TABLE put_back (
  id             uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  number         bigint GENERATED ALWAYS AS IDENTITY,
  last           bigint NOT NULL,
  as_of          timestamptz NOT NULL,
  desk           uuid NOT NULL REFERENCES desk,
  seat           uuid NOT NULL REFERENCES seat,
  noticed_at     timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- Desks that a person does not wait for.
CREATE TABLE put_back_excused (
  put_back       uuid NOT NULL REFERENCES put_back,
  excused        uuid NOT NULL REFERENCES desk,
  desk           uuid NOT NULL REFERENCES desk,
  seat           uuid NOT NULL REFERENCES seat,
  at             timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (put_back, excused)
);

-- Desks that have not told yet what they know: while there are any, nobody claims. One that was not
-- here for three months before is not waited for.
CREATE VIEW awaited_desk AS
  SELECT d.id, d.seat, d.seen_at FROM desk d
  JOIN seat s ON s.id = d.seat AND s.removed_at IS NULL
  JOIN (SELECT * FROM put_back ORDER BY number DESC LIMIT 1) p ON true
  WHERE d.brought_back IS DISTINCT FROM p.id
    AND d.seen_at > p.as_of - interval '90 days'
    AND NOT EXISTS (
      SELECT FROM put_back_excused e WHERE e.put_back = p.id AND e.excused = d.id);
`;

/** Rows of one seat that nobody lists as a whole, far above what an office needs: they take room on the server. */
const MOST: readonly (readonly [table: string, most: number, which: string])[] = [
  ['evidence_end', 10_000, inOneDay('seat', 'noted_at')],
  ['lease', 5000, inOneDay('seat', 'taken_at')],
  ['handover', 2000, inOneDay('from_seat', 'given_at')],
  ['approval', 1000, inOneDay('from_seat', 'asked_at')],
  // Pieces of a million bytes.
  ['shared_file', 20_000, 'seat = own'],
  ['draft_file', 10_000, 'seat = own'],
];
/** Of all handovers of a seat that wait, in pieces of a million bytes. */
const PIECES = 5000;
/** Every desk reads what is open: so many sends and acts of one seat, and so many bytes of them. */
const OPEN_ROWS = 30_000;
const OPEN_BYTES = 128_000_000;

/** The time of the statement: an index is looked up with it. */
function inOneDay(seat: string, time: string): string {
  return `${seat} = own AND ${time} > statement_timestamp() - interval '1 day'`;
}

const refuse = (most: number): string =>
  `RAISE EXCEPTION 'No seat has more than ${String(most)} of these' USING ERRCODE = 'SD002';`;
const counted = MOST.map(
  ([table, most, which]) => `
  IF TG_TABLE_NAME = '${table}' AND (SELECT count(*) FROM ${table} WHERE ${which}) > ${String(most)} THEN
    ${refuse(most)}
  END IF;`,
).join('');
const triggers = MOST.map(
  ([table]) => `
CREATE CONSTRAINT TRIGGER bounded_rows_of_seat AFTER INSERT ON ${table}
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION bounded_rows_of_seat();`,
).join('');

/** What one seat adds to the server's disk ends somewhere, whatever rows it is in. */
export const seatRows = `
-- Who wrote a piece; null: before it was noted.
ALTER TABLE shared_file ADD COLUMN seat uuid REFERENCES seat;
ALTER TABLE shared_file ALTER COLUMN seat SET DEFAULT this_seat();
CREATE INDEX shared_file_of_seat ON shared_file (seat);
ALTER TABLE draft_file ADD COLUMN seat uuid REFERENCES seat;
ALTER TABLE draft_file ALTER COLUMN seat SET DEFAULT this_seat();
CREATE INDEX draft_file_of_seat ON draft_file (seat);
CREATE INDEX evidence_end_of_seat ON evidence_end (seat, noted_at);
CREATE INDEX lease_of_seat ON lease (seat, taken_at);
CREATE INDEX handover_of_seat ON handover (from_seat, given_at);

-- Two transactions of a seat that count at once: see few_of_seat().
CREATE FUNCTION bounded_rows_of_seat() RETURNS trigger LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = signing_desk, pg_temp AS $$
DECLARE
  own uuid := this_seat();
BEGIN
  IF own IS NULL THEN RETURN NULL; END IF;
  INSERT INTO seat_turn AS t (seat, counted, number) VALUES (own, TG_TABLE_NAME, 1)
  ON CONFLICT (seat, counted) DO UPDATE SET number = t.number + 1;${counted}
  IF TG_TABLE_NAME = 'handover' AND
    (SELECT sum(pieces) FROM handover WHERE from_seat = own AND taken_at IS NULL) > ${String(PIECES)}
  THEN
    ${refuse(PIECES)}
  END IF;
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION bounded_rows_of_seat() FROM PUBLIC;${triggers}

-- Pieces are of a handover that waits, as many as it has: what was taken has none.
DELETE FROM handover_piece p USING handover h
WHERE h.id = p.handover AND (h.taken_at IS NOT NULL OR p.place >= h.pieces);
CREATE FUNCTION refuse_stray_piece() RETURNS trigger LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = signing_desk, pg_temp AS $$
BEGIN
  IF this_seat() IS NOT NULL AND NOT EXISTS (SELECT FROM handover h
    WHERE h.id = NEW.handover AND h.taken_at IS NULL AND NEW.place < h.pieces)
  THEN
    RAISE EXCEPTION 'No handover waits for this piece' USING ERRCODE = '42501';
  END IF;
  RETURN NEW;
END $$;
REVOKE ALL ON FUNCTION refuse_stray_piece() FROM PUBLIC;
CREATE TRIGGER refuse_stray_piece BEFORE INSERT ON handover_piece
  FOR EACH ROW EXECUTE FUNCTION refuse_stray_piece();
CREATE FUNCTION remove_pieces() RETURNS trigger LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = signing_desk, pg_temp AS $$
BEGIN
  DELETE FROM handover_piece WHERE handover = NEW.id;
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION remove_pieces() FROM PUBLIC;
CREATE TRIGGER remove_pieces AFTER UPDATE ON handover
  FOR EACH ROW WHEN (OLD.taken_at IS NULL AND NEW.taken_at IS NOT NULL)
  EXECUTE FUNCTION remove_pieces();

-- Counted once for each statement, and without waiting for another transaction: each of a seat's few connections may
-- come so far. What a desk has taken over is its seat's.
CREATE INDEX operation_open_of_desk ON operation (desk) WHERE state IN ('claimed', 'unknown');
CREATE FUNCTION few_open_of_seat() RETURNS trigger LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = signing_desk, pg_temp AS $$
DECLARE
  desks uuid[] := ARRAY(SELECT id FROM desk WHERE seat = this_seat());
  before bigint := 0;
  open_rows bigint;
  open_bytes bigint;
BEGIN
  IF this_seat() IS NULL THEN RETURN NULL; END IF;
  -- What makes it no more is written, also above the limit.
  IF TG_OP = 'UPDATE' THEN
    SELECT count(*) INTO before FROM old_rows
    WHERE state IN ('claimed', 'unknown') AND desk = ANY (desks);
  END IF;
  IF (SELECT count(*) FROM new_rows
    WHERE state IN ('claimed', 'unknown') AND desk = ANY (desks)) <= before
  THEN
    RETURN NULL;
  END IF;
  SELECT count(*), sum(octet_length(sealed)) INTO open_rows, open_bytes FROM operation
  WHERE state IN ('claimed', 'unknown') AND desk = ANY (desks);
  IF open_rows > ${String(OPEN_ROWS)} OR open_bytes > ${String(OPEN_BYTES)} THEN
    RAISE EXCEPTION 'No seat has more sends open' USING ERRCODE = 'SD002';
  END IF;
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION few_open_of_seat() FROM PUBLIC;
CREATE TRIGGER few_open_added AFTER INSERT ON operation
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION few_open_of_seat();
CREATE TRIGGER few_open_changed AFTER UPDATE ON operation
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION few_open_of_seat();
`;

import { seatUse } from './0015-seat-use.ts';

/** Upper limits in bytes. Content is sealed twice where it holds personal numbers, which makes it longer by two thirds. */
const SEAT = 10_000;
/** A title and a few numbers or names, a note of some hundred letters, or a decision with its reason. */
const TITLE = 20_000;
/** A send with what a scan needs of some hundred parties. A reminder or a removal is of one. */
const SEND = 300_000;
/** Names and hashes of some hundred documents. */
const APPROVAL = 100_000;
/** A piece of a file is a million bytes. */
const PIECE = 1_100_000;

const LIMITS: readonly (readonly [table: string, column: string, bytes: number])[] = [
  ['seat', 'sealed', SEAT],
  ['office_key', 'wrapped', SEAT],
  ['desk', 'version', 100],
  ['shared_file', 'sealed', PIECE],
  ['draft_file', 'sealed', PIECE],
  ['batch_progress', 'sealed', TITLE],
  ['handover', 'sealed', TITLE],
  ['handover', 'wrapped', SEAT],
  ['handover_piece', 'sealed', PIECE],
  ['lease', 'sealed', TITLE],
  ['approval', 'sealed', APPROVAL],
  ['approval', 'decision', TITLE],
  ['evidence_end', 'log', 200],
  ['evidence_end', 'hash', 200],
];

// The upgrade does not fail for what one seat wrote: rows that are longer already stay.
const limits = LIMITS.map(
  ([table, column, bytes]) => `ALTER TABLE ${table} ADD CONSTRAINT ${table}_${column}_length
  CHECK (octet_length(${column}) <= ${String(bytes)}) NOT VALID;`,
).join('\n');

/** Desks read these lists as a whole: what is too long in them is emptied, and shown as unreadable. */
const emptied = LIMITS.filter(
  ([table, column]) =>
    ['batch_progress', 'handover', 'lease', 'approval'].includes(table) && column !== 'wrapped',
)
  .map(
    ([table, column, bytes]) =>
      `UPDATE ${table} SET ${column} = '' WHERE octet_length(${column}) > ${String(bytes)};`,
  )
  .join('\n');

/** What a seat writes has a longest length, and cannot be changed later where others rely on it. */
export const boundedRows = `
-- Its removal writes to this row.
UPDATE seat SET sealed = '' WHERE octet_length(sealed) > ${String(SEAT)};
UPDATE desk SET version = left(version, 20) WHERE octet_length(version) > 100;
${emptied}
${limits}
ALTER TABLE operation ADD CONSTRAINT operation_sealed_length CHECK (octet_length(sealed)
  <= CASE WHEN kind IN ('send', 'sign') THEN ${String(SEND)} ELSE ${String(TITLE)} END) NOT VALID;
${seatUse}

-- A seat writes its name and public key once, as it joins: afterwards it could take another seat's name, or make
-- itself unreadable. The program writes them after joined_at, in the same transaction. One that began before that
-- transaction is another one: a comparison of times would let it write.
CREATE FUNCTION keep_seat() RETURNS trigger LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = signing_desk, pg_temp AS $$
BEGIN
  IF this_seat() IS NOT NULL AND OLD.joined_at IS NOT NULL
    AND OLD.xmin <> pg_current_xact_id()::xid
    AND (NEW.joined_at, NEW.sealed, NEW.key_version)
      IS DISTINCT FROM (OLD.joined_at, OLD.sealed, OLD.key_version)
  THEN
    RAISE EXCEPTION 'A seat is written as it joins' USING ERRCODE = '42501';
  END IF;
  RETURN NEW;
END $$;
REVOKE ALL ON FUNCTION keep_seat() FROM PUBLIC;
CREATE TRIGGER keep_seat BEFORE UPDATE ON seat FOR EACH ROW EXECUTE FUNCTION keep_seat();

-- Times of an operation are given by a seat in the transaction that wrote the row, and by the server in every other one.
-- By its name after not_of_others, which compares times, and before the one that notes the move.
CREATE FUNCTION operation_times() RETURNS trigger LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = signing_desk, pg_temp AS $$
BEGIN
  IF this_seat() IS NULL OR OLD.xmin = pg_current_xact_id()::xid THEN RETURN NEW; END IF;
  IF NEW.started_at IS DISTINCT FROM OLD.started_at THEN NEW.started_at := clock_timestamp(); END IF;
  IF NEW.settled_at IS DISTINCT FROM OLD.settled_at AND NEW.settled_at IS NOT NULL THEN
    NEW.settled_at := clock_timestamp();
  END IF;
  RETURN NEW;
END $$;
REVOKE ALL ON FUNCTION operation_times() FROM PUBLIC;
CREATE TRIGGER of_server_times BEFORE UPDATE ON operation
  FOR EACH ROW EXECUTE FUNCTION operation_times();

-- Also of its own desk: the right may have been taken from it since.
CREATE FUNCTION claim_by_right() RETURNS trigger LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = signing_desk, pg_temp AS $$
BEGIN
  IF this_seat() IS NOT NULL AND NEW.state = 'claimed' AND OLD.state <> 'claimed'
    AND NOT seat_may(OLD.kind)
  THEN
    RAISE EXCEPTION 'This seat may not do that' USING ERRCODE = '42501';
  END IF;
  RETURN NEW;
END $$;
REVOKE ALL ON FUNCTION claim_by_right() FROM PUBLIC;
CREATE TRIGGER claim_by_right BEFORE UPDATE ON operation
  FOR EACH ROW EXECUTE FUNCTION claim_by_right();

-- Each seat has its own rows: one that another seat wrote keeps no seat from noting the same.
ALTER TABLE evidence_end DROP CONSTRAINT evidence_end_pkey;
ALTER TABLE evidence_end ADD PRIMARY KEY (log, entries, hash, seat);
`;

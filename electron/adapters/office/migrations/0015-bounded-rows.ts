/** Upper limits in bytes. Content is sealed twice where it holds personal numbers, which makes it longer by two thirds. */
const SEAT = 10_000;
/** Titles and notes. */
const TEXTS = 1_000_000;
const APPROVAL = 4_000_000;
/** A group or a draft. */
const ITEM = 16_000_000;
/** A piece of a file is a million bytes. */
const PIECE = 1_100_000;

const LIMITS: readonly (readonly [table: string, column: string, bytes: number])[] = [
  ['seat', 'sealed', SEAT],
  ['office_key', 'wrapped', SEAT],
  ['desk', 'version', 100],
  ['operation', 'sealed', TEXTS],
  ['shared_item', 'sealed', ITEM],
  ['shared_file', 'sealed', PIECE],
  ['draft_file', 'sealed', PIECE],
  ['batch_progress', 'sealed', TEXTS],
  ['handover', 'sealed', TEXTS],
  ['handover', 'wrapped', SEAT],
  ['handover_piece', 'sealed', PIECE],
  ['lease', 'sealed', TEXTS],
  ['approval', 'sealed', APPROVAL],
  ['approval', 'decision', TEXTS],
  ['evidence_end', 'log', 200],
  ['evidence_end', 'hash', 200],
];

// Rows that are longer already stay: the upgrade does not fail for what one seat wrote.
const limits = LIMITS.map(
  ([table, column, bytes]) => `ALTER TABLE ${table} ADD CONSTRAINT ${table}_${column}_length
  CHECK (octet_length(${column}) <= ${String(bytes)}) NOT VALID;`,
).join('\n');

/** What a seat writes has a longest length, and cannot be changed later where others rely on it. */
export const boundedRows = `
-- Its removal writes to this row.
UPDATE seat SET sealed = '' WHERE octet_length(sealed) > ${String(SEAT)};
UPDATE desk SET version = left(version, 20) WHERE octet_length(version) > 100;
${limits}

-- A seat writes its name and public key once, as it joins: afterwards it could take another seat's name, or make
-- itself unreadable. The program writes them after joined_at, in the same transaction.
CREATE FUNCTION keep_seat() RETURNS trigger LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = signing_desk, pg_temp AS $$
BEGIN
  IF this_seat() IS NOT NULL AND OLD.joined_at < transaction_timestamp()
    AND (NEW.joined_at, NEW.sealed, NEW.key_version)
      IS DISTINCT FROM (OLD.joined_at, OLD.sealed, OLD.key_version)
  THEN
    RAISE EXCEPTION 'A seat is written as it joins' USING ERRCODE = '42501';
  END IF;
  RETURN NEW;
END $$;
REVOKE ALL ON FUNCTION keep_seat() FROM PUBLIC;
CREATE TRIGGER keep_seat BEFORE UPDATE ON seat FOR EACH ROW EXECUTE FUNCTION keep_seat();

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

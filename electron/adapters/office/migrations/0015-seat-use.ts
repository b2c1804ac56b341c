/**
 * Upper limits in bytes for what desks share, by kind. A template names its fields, a group its members, a draft its
 * parties; files lie elsewhere.
 */
const ITEMS: Readonly<Record<string, number>> = {
  person: 40_000,
  number: 10_000,
  view: 100_000,
  'reminder-rule': 100_000,
  template: 4_000_000,
  group: 8_000_000,
  draft: 8_000_000,
};

/** An address book of 50 000 people, each with a number, is half of that and takes about 40 MB. */
const ITEM_ROWS = 200_000;
const ITEM_BYTES = 128_000_000;

/** Rows of one seat that stand in lists which other desks read as a whole. */
const OPEN: readonly (readonly [table: string, most: number, which: string])[] = [
  [
    'approval',
    200,
    `from_seat = this_seat() AND decided_by IS NULL AND asked_at > clock_timestamp() - interval '30 days'`,
  ],
  ['handover', 500, 'from_seat = this_seat() AND taken_at IS NULL'],
  ['batch_progress', 200, 'seat = this_seat()'],
  ['lease', 300, 'seat = this_seat() AND until > clock_timestamp()'],
  // Each restored data folder is a desk of its own.
  ['desk', 40, `seat = this_seat() AND seen_at > clock_timestamp() - interval '90 days'`],
];

const kinds = Object.entries(ITEMS)
  .map(([kind, bytes]) => `WHEN '${kind}' THEN ${String(bytes)}`)
  .join(' ');
const counted = OPEN.map(
  ([table, most, which]) => `
  IF TG_TABLE_NAME = '${table}' AND (SELECT count(*) FROM ${table} WHERE ${which}) > ${String(most)} THEN
    RAISE EXCEPTION 'No seat has more than ${String(most)} of these' USING ERRCODE = 'SD002';
  END IF;`,
).join('');
const countTriggers = OPEN.map(
  ([table]) => `
CREATE CONSTRAINT TRIGGER few_of_seat AFTER ${table === 'lease' ? 'INSERT OR UPDATE' : 'INSERT'} ON ${table}
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION few_of_seat();`,
).join('');

/** One seat writes so much and no more. */
export const seatUse = `
CREATE FUNCTION longest_item(kind text) RETURNS integer LANGUAGE sql IMMUTABLE
BEGIN ATOMIC
  SELECT CASE longest_item.kind ${kinds} ELSE 0 END;
END;
-- Rows that are longer already stay, and desks read past them.
ALTER TABLE shared_item ADD CONSTRAINT shared_item_sealed_length
  CHECK (octet_length(sealed) <= longest_item(kind)) NOT VALID;

-- How much each seat wrote of what desks share. No seat reads or writes it.
CREATE TABLE seat_use (
  seat           uuid PRIMARY KEY REFERENCES seat,
  items          bigint NOT NULL,
  bytes          bigint NOT NULL
);
INSERT INTO seat_use SELECT seat, count(*), sum(octet_length(sealed)) FROM shared_item GROUP BY seat;

-- Whoever writes what desks share does so alone (number_change), so that nobody waits here for another transaction.
CREATE FUNCTION count_items() RETURNS trigger LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = signing_desk, pg_temp AS $$
DECLARE
  before seat_use;
  after seat_use;
BEGIN
  SELECT * INTO before FROM seat_use u WHERE u.seat = this_seat();
  IF TG_OP <> 'INSERT' THEN
    UPDATE seat_use u SET items = u.items - o.items, bytes = u.bytes - o.bytes
    FROM (SELECT r.seat, count(*) AS items, sum(octet_length(r.sealed)) AS bytes
      FROM old_rows r GROUP BY r.seat) o
    WHERE u.seat = o.seat;
  END IF;
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO seat_use AS u (seat, items, bytes)
    SELECT r.seat, count(*), sum(octet_length(r.sealed)) FROM new_rows r GROUP BY r.seat
    ON CONFLICT (seat) DO UPDATE SET items = u.items + excluded.items, bytes = u.bytes + excluded.bytes;
  END IF;
  SELECT * INTO after FROM seat_use u WHERE u.seat = this_seat();
  -- What makes it less is written, also above the limit.
  IF (after.items > ${String(ITEM_ROWS)} AND after.items > coalesce(before.items, 0))
    OR (after.bytes > ${String(ITEM_BYTES)} AND after.bytes > coalesce(before.bytes, 0))
  THEN
    RAISE EXCEPTION 'No seat shares more than this' USING ERRCODE = 'SD002';
  END IF;
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION count_items() FROM PUBLIC;
CREATE TRIGGER shared_item_added AFTER INSERT ON shared_item
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_items();
CREATE TRIGGER shared_item_changed AFTER UPDATE ON shared_item
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION count_items();
CREATE TRIGGER shared_item_deleted AFTER DELETE ON shared_item
  REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION count_items();

-- Two transactions of a seat that count at once would both be within the limit: the second one waits for the end of
-- the first, which comes soon, since both count as they are committed. A row that each changes makes one with an older
-- view of the table fail.
CREATE TABLE seat_turn (
  seat           uuid NOT NULL REFERENCES seat,
  counted        text NOT NULL,
  number         bigint NOT NULL,
  PRIMARY KEY (seat, counted)
);
CREATE FUNCTION few_of_seat() RETURNS trigger LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = signing_desk, pg_temp AS $$
BEGIN
  IF this_seat() IS NULL THEN RETURN NULL; END IF;
  INSERT INTO seat_turn AS t (seat, counted, number) VALUES (this_seat(), TG_TABLE_NAME, 1)
  ON CONFLICT (seat, counted) DO UPDATE SET number = t.number + 1;${counted}
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION few_of_seat() FROM PUBLIC;${countTriggers}

-- A mark only grows: a lower one says that the database was put back, and every desk waits for every other one then.
CREATE FUNCTION mark_grows() RETURNS trigger LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = signing_desk, pg_temp AS $$
BEGIN
  IF this_seat() IS NOT NULL AND NEW.mark < OLD.mark THEN
    RAISE EXCEPTION 'A mark only grows' USING ERRCODE = '42501';
  END IF;
  RETURN NEW;
END $$;
REVOKE ALL ON FUNCTION mark_grows() FROM PUBLIC;
CREATE TRIGGER mark_grows BEFORE UPDATE ON desk FOR EACH ROW EXECUTE FUNCTION mark_grows();

-- Noticed by a mark alone, of which the server has no proof.
ALTER TABLE put_back ADD COLUMN by_mark boolean NOT NULL DEFAULT false;
CREATE OR REPLACE FUNCTION notice_put_back(noticed_by uuid, reached bigint) RETURNS void LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = signing_desk, pg_temp AS $$
BEGIN
  IF reached > highest_number() THEN
    RAISE EXCEPTION 'No desk was so far' USING ERRCODE = '42501';
  END IF;
  -- Two desks that come at once: the second one waits here, and then sees what the first has written.
  LOCK TABLE this_database IN EXCLUSIVE MODE;
  IF NOT is_own_desk(noticed_by)
    OR (SELECT mark FROM desk WHERE id = noticed_by) >= reached
  THEN
    RETURN;
  END IF;
  -- Whoever noticed first has said so: a desk that has not told since then has nothing to add.
  IF coalesce((SELECT p.id IS DISTINCT FROM d.brought_back
    FROM put_back p JOIN desk d ON d.id = noticed_by ORDER BY p.number DESC LIMIT 1), false)
  THEN
    RETURN;
  END IF;
  -- One transaction notices once, for whichever desks of its seat. Every notice has all desks wait for each other: one
  -- seat could go on with that for ever.
  IF NOT EXISTS (SELECT FROM put_back WHERE by_mark AND xmin = pg_current_xact_id()::xid) THEN
    IF (SELECT count(*) FROM put_back WHERE by_mark AND seat = this_seat()
      AND noticed_at > clock_timestamp() - interval '1 day') >= 3
    THEN
      RAISE EXCEPTION 'This seat noticed that too often today' USING ERRCODE = 'SD003';
    END IF;
    PERFORM write_put_back(noticed_by);
    UPDATE put_back SET by_mark = true WHERE number = (SELECT max(number) FROM put_back);
  END IF;
  -- The same is said once.
  UPDATE desk SET mark = reached WHERE id = noticed_by;
END $$;
`;

import { seatRows } from './0016-seat-rows.ts';

/** A seat can be removed whatever its sessions hold, and a row of it harms no other row. */
export const removableSeats = `
-- The next version always fits, also of a row whose first one a seat chose.
ALTER TABLE shared_item ALTER COLUMN version TYPE bigint;
CREATE OR REPLACE FUNCTION number_change() RETURNS trigger LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = signing_desk, pg_temp AS $$
BEGIN
  IF TG_OP = 'INSERT' AND NEW.version <> 1 THEN
    RAISE EXCEPTION 'the first version is 1' USING ERRCODE = 'check_violation';
  END IF;
  IF TG_OP = 'UPDATE' AND (
    NEW.version <> OLD.version + 1 OR NEW.kind <> OLD.kind OR NEW.id <> OLD.id) THEN
    RAISE EXCEPTION 'a version follows the one before' USING ERRCODE = 'check_violation';
  END IF;
  UPDATE change_number SET last = last + 1 RETURNING last INTO NEW.number;
  NEW.changed_at := clock_timestamp();
  RETURN NEW;
END $$;

-- The policy of seat says since when a seat writes its row no more: not even to lock it.
DROP TRIGGER keep_seat ON seat;
DROP FUNCTION keep_seat();

-- Removals that may still have to be written into seat. Without a reference to that: a session can hold the row of its
-- seat. For the same reason keys have none; the owner alone writes them.
CREATE TABLE seat_removal (
  seat           uuid PRIMARY KEY,
  removed_at     timestamptz NOT NULL DEFAULT clock_timestamp()
);
ALTER TABLE office_key DROP CONSTRAINT office_key_seat_fkey;
CREATE FUNCTION finish_removals() RETURNS void LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = signing_desk, pg_temp AS $$
BEGIN
  UPDATE seat SET removed_at = f.removed_at
  FROM (SELECT s.id, r.removed_at FROM seat s JOIN seat_removal r ON r.seat = s.id
    WHERE s.removed_at IS NULL FOR NO KEY UPDATE OF s SKIP LOCKED) f
  WHERE seat.id = f.id;
END $$;
REVOKE ALL ON FUNCTION finish_removals() FROM PUBLIC;
${seatRows}`;

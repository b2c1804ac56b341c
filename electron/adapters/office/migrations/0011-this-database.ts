/**
 * A database that was put back is told from the one before it, also by a desk that wrote nothing after the dump. And
 * desks that the dump does not know are waited for.
 */
export const thisDatabase = `
-- Where these rows lie. A dump takes the one row along, and what it is restored into is another place: another
-- server, database, table or history of its log; and the row is written by another transaction there.
CREATE TABLE this_database (
  one            boolean PRIMARY KEY DEFAULT true CHECK (one),
  place          text NOT NULL,
  written_by     text NOT NULL
);

-- A server may keep one of these to itself: what is left tells most of it.
CREATE FUNCTION place_of_database() RETURNS text LANGUAGE plpgsql STABLE
  SECURITY DEFINER SET search_path = signing_desk, pg_temp AS $$
DECLARE
  place text := (SELECT oid FROM pg_database WHERE datname = current_database())
    || ' ' || 'signing_desk.operation'::regclass::oid;
BEGIN
  BEGIN
    place := place || ' ' || (SELECT system_identifier FROM pg_control_system());
  EXCEPTION WHEN others THEN NULL;
  END;
  BEGIN
    -- The history of its log: a copy that became the first server may lack what was written last.
    place := place || ' ' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8);
  EXCEPTION WHEN others THEN NULL;
  END;
  RETURN place;
END $$;

CREATE FUNCTION is_same_database() RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM signing_desk.this_database t
    WHERE t.place = signing_desk.place_of_database() AND t.written_by = t.xmin::text)
$$;
INSERT INTO this_database (place, written_by)
  VALUES (signing_desk.place_of_database(), pg_current_xact_id()::xid::text);

-- The newest visit in the dump is another desk's, or this one's as the dump has it.
CREATE FUNCTION put_back_as_of(noticed_by uuid) RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT coalesce((SELECT max(seen_at) FROM signing_desk.desk WHERE id <> $1 OR mark > 0),
    clock_timestamp())
$$;

-- By its owner's right: no seat writes where the database is without the others hearing of it.
CREATE FUNCTION notice_other_database(noticed_by uuid) RETURNS void LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = signing_desk, pg_temp AS $$
BEGIN
  -- Two desks that come at once: the second one waits here, and then sees what the first has written.
  LOCK TABLE this_database IN EXCLUSIVE MODE;
  IF is_own_desk(noticed_by) AND NOT is_same_database() THEN
    INSERT INTO put_back (last, as_of, desk, seat)
    SELECT (SELECT last FROM change_number), put_back_as_of(noticed_by), noticed_by, this_seat();
    UPDATE this_database
    SET place = place_of_database(), written_by = pg_current_xact_id()::xid::text;
  END IF;
END $$;
REVOKE ALL ON FUNCTION notice_other_database(uuid) FROM PUBLIC;

-- Desks that another one has met, and the dump does not know.
CREATE TABLE put_back_missing (
  put_back       uuid NOT NULL REFERENCES put_back,
  missing        uuid NOT NULL,
  -- Of the one that is missing.
  of_seat        uuid NOT NULL,
  role           name NOT NULL,
  seen_at        timestamptz NOT NULL,
  desk           uuid NOT NULL REFERENCES desk,
  seat           uuid NOT NULL REFERENCES seat,
  PRIMARY KEY (put_back, missing)
);
ALTER TABLE put_back_excused DROP CONSTRAINT put_back_excused_excused_fkey;

-- Desks that have not told yet what they know: while there are any, nobody claims. One that was not here for three
-- months before is not waited for. A seat may have been taken since the dump, where the dump has none of its desks;
-- or have been made since, where the server has its role: it is waited for by its own id then.
CREATE OR REPLACE VIEW awaited_desk AS
  WITH newest AS (SELECT * FROM put_back ORDER BY number DESC LIMIT 1),
    known AS (
      SELECT d.id, d.seat, d.seen_at FROM desk d
      JOIN seat s ON s.id = d.seat AND s.removed_at IS NULL
      JOIN newest p ON d.brought_back IS DISTINCT FROM p.id
        AND d.seen_at > p.as_of - interval '90 days'
      UNION ALL
      SELECT m.missing, m.of_seat, m.seen_at FROM put_back_missing m
      JOIN newest p ON p.id = m.put_back
      WHERE NOT EXISTS (SELECT FROM desk d WHERE d.id = m.missing)
      UNION ALL
      SELECT s.id, s.id, p.as_of FROM seat s JOIN newest p ON true
      WHERE s.removed_at IS NULL AND NOT EXISTS (SELECT FROM desk d WHERE d.seat = s.id)
        AND NOT EXISTS (
          SELECT FROM put_back_missing m WHERE m.put_back = p.id AND m.of_seat = s.id)
      UNION ALL
      SELECT i.id, i.id, p.as_of
      FROM office o
      JOIN pg_roles g ON g.rolname = 'signing_desk_' || left(o.id::text, 8)
      JOIN pg_auth_members a ON a.roleid = g.oid
      JOIN pg_roles r ON r.oid = a.member AND r.rolcanlogin
        AND starts_with(r.rolname, g.rolname || '_')
      CROSS JOIN LATERAL (SELECT
        overlay(overlay(md5(r.rolname) PLACING '4' FROM 13) PLACING '8' FROM 17)::uuid AS id) i
      JOIN newest p ON true
      WHERE NOT EXISTS (SELECT FROM seat s WHERE s.role = r.rolname)
        AND NOT EXISTS (
          SELECT FROM put_back_missing m WHERE m.put_back = p.id AND m.role = r.rolname))
  SELECT k.id, k.seat, k.seen_at FROM known k
  WHERE NOT EXISTS (
    SELECT FROM put_back_excused e JOIN newest p ON p.id = e.put_back WHERE e.excused = k.id);

-- Asked with each claim, and almost never put back.
CREATE FUNCTION is_someone_awaited() RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM signing_desk.put_back) THEN RETURN false; END IF;
  RETURN EXISTS (SELECT FROM signing_desk.awaited_desk);
END $$;
`;

/** After a restore of the database, a seat cannot end the wait for the desks of other seats. */
const restored = `
-- Time of the newest visit that is not in the future. The wait of an earlier restore goes on: see write_put_back().
CREATE OR REPLACE FUNCTION put_back_as_of(noticed_by uuid) RETURNS timestamptz LANGUAGE plpgsql STABLE
  SECURITY DEFINER SET search_path = signing_desk, pg_temp AS $$
BEGIN
  RETURN coalesce((SELECT max(seen_at) FROM desk
    WHERE (id <> noticed_by OR mark > 0) AND seen_at <= clock_timestamp()), clock_timestamp());
END $$;

UPDATE desk SET seen_at = clock_timestamp() WHERE seen_at > clock_timestamp() OR seen_at = '-infinity';
UPDATE put_back SET as_of = noticed_at WHERE as_of > noticed_at OR as_of = '-infinity';
UPDATE put_back_missing SET seen_at = clock_timestamp()
WHERE seen_at > clock_timestamp() OR seen_at = '-infinity';

-- Visits have the server's time. A visit to a restored database counts once the restore was noticed.
CREATE FUNCTION desk_visits() RETURNS trigger LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = signing_desk, pg_temp AS $$
BEGIN
  IF this_seat() IS NULL THEN RETURN NEW; END IF;
  IF TG_OP = 'INSERT' THEN
    -- The id of another seat's lost desk, or the id under which a seat is awaited: it would report for that seat.
    IF NOT EXISTS (SELECT FROM desk WHERE id = NEW.id) AND (
      EXISTS (SELECT FROM seat WHERE id = NEW.id)
      OR EXISTS (SELECT FROM awaited_desk WHERE id = NEW.id AND seat <> NEW.seat)
      OR (EXISTS (SELECT FROM put_back_missing WHERE missing = NEW.id AND of_seat <> NEW.seat)
        AND NOT EXISTS (SELECT FROM put_back_missing
          WHERE missing = NEW.id AND of_seat = NEW.seat AND seat <> NEW.seat)))
    THEN
      RAISE EXCEPTION 'It is the desk of another seat' USING ERRCODE = '42501';
    END IF;
    NEW.seen_at := CASE WHEN is_same_database() THEN clock_timestamp() ELSE put_back_as_of(NEW.id) END;
  ELSIF NEW.seen_at IS DISTINCT FROM OLD.seen_at THEN
    NEW.seen_at := CASE WHEN is_same_database() THEN clock_timestamp() ELSE OLD.seen_at END;
  END IF;
  RETURN NEW;
END $$;
REVOKE ALL ON FUNCTION desk_visits() FROM PUBLIC;
CREATE TRIGGER desk_visits BEFORE INSERT OR UPDATE ON desk
  FOR EACH ROW EXECUTE FUNCTION desk_visits();

-- Seats may report different owners of the same desk id. The office waits for each of them.
ALTER TABLE put_back_missing DROP CONSTRAINT put_back_missing_pkey;
ALTER TABLE put_back_missing ADD PRIMARY KEY (put_back, missing, of_seat);

-- Ignores desks that exist, and limits the rows of one seat, so that it cannot fill the table.
CREATE FUNCTION refuse_much_missing() RETURNS trigger LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = signing_desk, pg_temp AS $$
BEGIN
  IF this_seat() IS NULL THEN RETURN NEW; END IF;
  IF EXISTS (SELECT FROM desk WHERE id = NEW.missing AND seat = NEW.of_seat) THEN RETURN NULL; END IF;
  IF NEW.seat = this_seat() AND (SELECT count(*) FROM put_back_missing
    WHERE put_back = NEW.put_back AND seat = NEW.seat) >= 1000
  THEN
    RAISE EXCEPTION 'No seat reports so many lost desks' USING ERRCODE = '42501';
  END IF;
  NEW.seen_at := least(greatest(NEW.seen_at, '2000-01-01'), clock_timestamp());
  RETURN NEW;
END $$;
REVOKE ALL ON FUNCTION refuse_much_missing() FROM PUBLIC;
CREATE TRIGGER refuse_much_missing BEFORE INSERT ON put_back_missing
  FOR EACH ROW EXECUTE FUNCTION refuse_much_missing();

-- Lost desks that have not come back under their own seat; a seat without a desk is listed by the seat's id.
-- is_free: no desk has this id. An id that is reported for several seats is replaced by one id for each seat, so that
-- excusing one of them keeps the wait for the others.
CREATE VIEW lost_desk AS
  SELECT m.put_back, m.missing, m.of_seat, m.role, m.seen_at, m.desk, m.seat,
    NOT EXISTS (SELECT FROM desk d WHERE d.id = m.missing) AS is_free,
    CASE WHEN EXISTS (SELECT FROM desk d WHERE d.id = m.missing)
      OR EXISTS (SELECT FROM put_back_missing o
        WHERE o.put_back = m.put_back AND o.missing = m.missing AND o.of_seat <> m.of_seat)
    THEN overlay(overlay(md5(m.put_back::text || m.missing::text || m.of_seat::text)
      PLACING '4' FROM 13) PLACING '8' FROM 17)::uuid
    ELSE m.missing END AS id
  FROM put_back_missing m
  WHERE NOT EXISTS (SELECT FROM desk d WHERE d.id = m.missing AND d.seat = m.of_seat);

-- Desks that have not told yet what they know: while there are any, nobody claims. One that was not here for three
-- months before is not waited for. A seat may have been taken since the dump, where the dump has none of its desks;
-- or have been made since, where the server has its role: it is waited for by an id of its own then, unless a lost
-- desk of it is. Nobody knows that id before. The role of a seat ends in the first digits of the seat's id.
CREATE OR REPLACE VIEW awaited_desk AS
  WITH newest AS (SELECT * FROM put_back ORDER BY number DESC LIMIT 1),
    lost AS (SELECT l.* FROM lost_desk l JOIN newest p ON p.id = l.put_back),
    known AS (
      SELECT d.id, d.seat, d.seen_at FROM desk d
      JOIN seat s ON s.id = d.seat AND s.removed_at IS NULL
      JOIN newest p ON d.brought_back IS DISTINCT FROM p.id
        AND d.seen_at > p.as_of - interval '90 days'
      UNION ALL
      SELECT l.id, l.of_seat, l.seen_at FROM lost l
      WHERE l.missing <> l.of_seat OR NOT EXISTS (SELECT FROM lost o
        WHERE o.of_seat = l.of_seat AND o.missing <> o.of_seat AND o.is_free)
      UNION ALL
      SELECT s.id, s.id, p.as_of FROM seat s JOIN newest p ON true
      WHERE s.removed_at IS NULL AND NOT EXISTS (SELECT FROM desk d WHERE d.seat = s.id)
        AND NOT EXISTS (SELECT FROM lost l WHERE l.of_seat = s.id AND l.is_free)
      UNION ALL
      SELECT i.id, i.id, p.as_of
      FROM office o
      JOIN pg_roles g ON g.rolname = 'signing_desk_' || left(o.id::text, 8)
      JOIN pg_auth_members a ON a.roleid = g.oid
      JOIN pg_roles r ON r.oid = a.member AND r.rolcanlogin
        AND starts_with(r.rolname, g.rolname || '_')
      JOIN newest p ON true
      CROSS JOIN LATERAL (SELECT overlay(overlay(md5(p.id::text || r.rolname)
        PLACING '4' FROM 13) PLACING '8' FROM 17)::uuid AS id) i
      WHERE NOT EXISTS (SELECT FROM seat s WHERE s.role = r.rolname)
        AND NOT EXISTS (SELECT FROM lost l WHERE l.role = r.rolname AND l.is_free
          AND r.rolname = g.rolname || '_' || left(replace(l.of_seat::text, '-', ''), 12)))
  SELECT k.id, k.seat, k.seen_at FROM known k
  WHERE NOT EXISTS (
    SELECT FROM put_back_excused e JOIN newest p ON p.id = e.put_back WHERE e.excused = k.id);

-- The new notice also waits for every desk that the previous notice still waits for.
CREATE FUNCTION write_put_back(noticed_by uuid) RETURNS void LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = signing_desk, pg_temp AS $$
DECLARE
  made uuid := gen_random_uuid();
  before uuid;
  waits_since timestamptz;
BEGIN
  IF is_someone_awaited() THEN
    SELECT p.id, p.as_of INTO before, waits_since FROM put_back p ORDER BY p.number DESC LIMIT 1;
  END IF;
  INSERT INTO put_back (id, last, as_of, desk, seat)
  SELECT made, (SELECT last FROM change_number), least(put_back_as_of(noticed_by), waits_since),
    noticed_by, this_seat();
  INSERT INTO put_back_missing (put_back, missing, of_seat, role, seen_at, desk, seat)
  SELECT made, l.missing, l.of_seat, l.role, l.seen_at, l.desk, l.seat FROM lost_desk l
  WHERE l.put_back = before AND NOT EXISTS (
    SELECT FROM put_back_excused e WHERE e.put_back = before AND e.excused = l.id);
END $$;
REVOKE ALL ON FUNCTION write_put_back(uuid) FROM PUBLIC;

CREATE OR REPLACE FUNCTION notice_other_database(noticed_by uuid) RETURNS void LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = signing_desk, pg_temp AS $$
BEGIN
  -- Two desks that come at once: the second one waits here, and then sees what the first has written.
  LOCK TABLE this_database IN EXCLUSIVE MODE;
  IF is_own_desk(noticed_by) AND NOT is_same_database() THEN
    PERFORM write_put_back(noticed_by);
    UPDATE this_database
    SET place = place_of_database(), written_by = pg_current_xact_id()::xid::text;
  END IF;
END $$;

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
  PERFORM write_put_back(noticed_by);
  -- The same is said once.
  UPDATE desk SET mark = reached WHERE id = noticed_by;
END $$;
`;

/**
 * Limits what a seat can write about itself by what the server knows: times, numbers, lost desks, and the outcome of
 * operations that another seat began.
 */
export const narrowerRights = `
-- Names are resolved when a function is created. With the caller's search_path, a user who can create operators in
-- another schema could act as any desk.
CREATE OR REPLACE FUNCTION this_seat() RETURNS uuid LANGUAGE sql STABLE
BEGIN ATOMIC
  SELECT id FROM signing_desk.seat WHERE role = session_user AND removed_at IS NULL;
END;
CREATE OR REPLACE FUNCTION is_own_desk(desk uuid) RETURNS boolean LANGUAGE sql STABLE
BEGIN ATOMIC
  SELECT EXISTS (
    SELECT FROM signing_desk.desk d WHERE d.id = $1 AND d.seat = signing_desk.this_seat());
END;
CREATE OR REPLACE FUNCTION seat_may(kind text) RETURNS boolean LANGUAGE sql STABLE
BEGIN ATOMIC
  SELECT EXISTS (
    SELECT FROM signing_desk.seat s WHERE s.id = signing_desk.this_seat()
    AND CASE seat_may.kind WHEN 'sign' THEN s.may_sign ELSE s.may_send END);
END;
CREATE OR REPLACE FUNCTION seat_may_read(kind text) RETURNS boolean LANGUAGE sql STABLE
BEGIN ATOMIC
  SELECT EXISTS (
    SELECT FROM signing_desk.seat s WHERE s.id = signing_desk.this_seat()
    AND (seat_may_read.kind NOT IN ('number', 'draft') OR s.may_see_numbers));
END;
CREATE OR REPLACE FUNCTION seat_may_write(kind text) RETURNS boolean LANGUAGE sql STABLE
BEGIN ATOMIC
  SELECT EXISTS (
    SELECT FROM signing_desk.seat s WHERE s.id = signing_desk.this_seat()
    AND CASE seat_may_write.kind WHEN 'number' THEN s.may_see_numbers
      WHEN 'draft' THEN s.may_see_numbers
      WHEN 'template' THEN s.may_change_templates
      WHEN 'reminder-rule' THEN s.may_send ELSE true END);
END;
CREATE OR REPLACE FUNCTION sees_handover(id uuid) RETURNS boolean LANGUAGE sql STABLE
BEGIN ATOMIC
  SELECT EXISTS (
    SELECT FROM signing_desk.handover h WHERE h.id = sees_handover.id
    AND signing_desk.this_seat() IN (h.from_seat, h.to_seat));
END;
CREATE OR REPLACE FUNCTION is_same_database() RETURNS boolean LANGUAGE sql STABLE
BEGIN ATOMIC
  SELECT EXISTS (SELECT FROM signing_desk.this_database t
    WHERE t.place = signing_desk.place_of_database() AND t.written_by = t.xmin::text);
END;
ALTER FUNCTION tell_change() SET search_path = signing_desk, pg_temp;
ALTER FUNCTION refuse_older_program() SET search_path = signing_desk, pg_temp;
ALTER FUNCTION is_someone_awaited() SET search_path = signing_desk, pg_temp;

-- Servers upgraded from PostgreSQL 14 or older let everyone create functions in this schema. The schema may belong to
-- another role than the office's owner: then it stays as it is.
DO $$ BEGIN
  REVOKE CREATE ON SCHEMA public FROM PUBLIC;
EXCEPTION WHEN others THEN NULL;
END $$;

-- Rows that a seat can change have the server's time: a time in the future would hide other rows, and desks cannot
-- read 'infinity'.
CREATE FUNCTION times_of_server() RETURNS trigger LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = signing_desk, pg_temp AS $$
BEGIN
  IF this_seat() IS NULL THEN RETURN NEW; END IF;
  IF TG_TABLE_NAME = 'seat' THEN
    IF NEW.joined_at IS DISTINCT FROM OLD.joined_at THEN NEW.joined_at := clock_timestamp(); END IF;
  ELSIF TG_TABLE_NAME = 'batch_progress' THEN
    NEW.at := clock_timestamp();
  ELSIF TG_TABLE_NAME = 'handover' THEN
    -- A handover that was taken stays taken.
    NEW.taken_at := coalesce(OLD.taken_at,
      CASE WHEN NEW.taken_at IS NOT NULL THEN clock_timestamp() END);
  ELSIF TG_TABLE_NAME = 'approval' AND NEW.decided_at IS NOT NULL THEN
    NEW.decided_at := clock_timestamp();
  END IF;
  RETURN NEW;
END $$;
REVOKE ALL ON FUNCTION times_of_server() FROM PUBLIC;
CREATE TRIGGER times_of_server BEFORE UPDATE ON seat
  FOR EACH ROW EXECUTE FUNCTION times_of_server();
CREATE TRIGGER times_of_server BEFORE UPDATE ON batch_progress
  FOR EACH ROW EXECUTE FUNCTION times_of_server();
CREATE TRIGGER times_of_server BEFORE UPDATE ON handover
  FOR EACH ROW EXECUTE FUNCTION times_of_server();
CREATE TRIGGER times_of_server BEFORE UPDATE ON approval
  FOR EACH ROW EXECUTE FUNCTION times_of_server();

-- Upper limit for marks and lease numbers (milliseconds since 1970). They rise less than once per millisecond, so a
-- higher one always exists.
CREATE FUNCTION highest_number() RETURNS bigint LANGUAGE sql STABLE
BEGIN ATOMIC
  SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint;
END;

-- The seat that may release the operation, also after another seat took it over. Null: the seat that began it. Set
-- when a seat claims an operation that was released.
ALTER TABLE operation ADD COLUMN claimed_by uuid REFERENCES seat;
UPDATE operation o SET claimed_by = d.seat FROM desk d
WHERE d.id = o.desk AND o.state = 'claimed' AND d.seat <> o.seat;

CREATE OR REPLACE FUNCTION refuse_others_operation() RETURNS trigger LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = signing_desk, pg_temp AS $$
DECLARE
  is_act boolean := OLD.kind IN ('remind', 'remove', 'change');
BEGIN
  -- The owner, and whoever looks after the server.
  IF this_seat() IS NULL THEN RETURN NEW; END IF;
  -- A released operation was not sent, so any seat with the same row can claim it again. A seat can also claim its own
  -- operation that was given up elsewhere, once a person has seen that.
  IF NEW.state = 'claimed' AND is_own_desk(NEW.desk) AND seat_may(OLD.kind)
    AND (OLD.state = 'released' OR (OLD.state = 'given-up' AND OLD.seat = this_seat()))
  THEN
    NEW.claimed_by := this_seat();
    NEW.started_at := clock_timestamp();
    NEW.settled_at := NULL;
    RETURN NEW;
  END IF;
  IF is_own_desk(OLD.desk) AND is_own_desk(NEW.desk) THEN
    -- What the service has stays so.
    IF OLD.state = 'done' AND (NEW.state, NEW.desk, NEW.sealed, NEW.key_version)
      IS DISTINCT FROM (OLD.state, OLD.desk, OLD.sealed, OLD.key_version)
    THEN
      RAISE EXCEPTION 'What was done stays done' USING ERRCODE = '42501';
    END IF;
    IF coalesce(OLD.claimed_by, OLD.seat) <> this_seat() THEN
      -- Taken over from another seat: it cannot be released, and its content and start stay the same.
      IF NEW.state = 'released' AND OLD.state <> 'released' THEN
        RAISE EXCEPTION 'Another seat began it' USING ERRCODE = '42501';
      END IF;
      NEW.sealed := OLD.sealed;
      NEW.key_version := OLD.key_version;
      NEW.started_at := OLD.started_at;
    END IF;
    -- Times are the server's. What an older database is told again was begun earlier: that is said in the
    -- transaction that wrote it.
    IF OLD.moved_at < transaction_timestamp() THEN
      IF NEW.started_at IS DISTINCT FROM OLD.started_at THEN NEW.started_at := clock_timestamp(); END IF;
      IF NEW.settled_at IS DISTINCT FROM OLD.settled_at AND NEW.settled_at IS NOT NULL
      THEN
        NEW.settled_at := clock_timestamp();
      END IF;
    END IF;
    NEW.started_at := least(greatest(NEW.started_at, '2000-01-01'), clock_timestamp());
    IF NEW.settled_at IS NOT NULL THEN
      NEW.settled_at := least(greatest(NEW.settled_at, '2000-01-01'), clock_timestamp());
    END IF;
    RETURN NEW;
  END IF;
  IF (NEW.sealed, NEW.key_version, NEW.started_at)
    IS DISTINCT FROM (OLD.sealed, OLD.key_version, OLD.started_at)
  THEN
    RAISE EXCEPTION 'It is another desk''s' USING ERRCODE = '42501';
  END IF;
  IF NEW.settled_at IS DISTINCT FROM OLD.settled_at THEN NEW.settled_at := clock_timestamp(); END IF;
  -- The service has it: who began it may say so after another desk took it over, and who may do the same.
  IF NEW.state = 'done' AND OLD.state <> 'done' AND NEW.desk = OLD.desk
    AND (OLD.seat = this_seat() OR seat_may(OLD.kind))
  THEN
    RETURN NEW;
  END IF;
  -- An act of unknown outcome, given up by whoever follows it.
  IF NEW.state = 'given-up' AND OLD.state = 'unknown' AND is_act
    AND is_own_desk(NEW.desk) AND seat_may(OLD.kind)
  THEN
    RETURN NEW;
  END IF;
  -- What a desk left, or gave away.
  IF NEW.state = 'unknown' AND OLD.state IN ('claimed', 'unknown')
    AND is_own_desk(NEW.desk) AND seat_may(OLD.kind) AND (
      OLD.moved_at <= clock_timestamp() - interval '15 minutes'
      OR (is_act AND (OLD.state = 'unknown'
        OR OLD.started_at <= clock_timestamp() - interval '1 hour'))
      OR EXISTS (SELECT FROM desk d JOIN seat s ON s.id = d.seat
        WHERE d.id = OLD.desk AND s.removed_at IS NOT NULL)
      OR (OLD.state = 'unknown' AND EXISTS (SELECT FROM handover h
        WHERE h.kind = 'question' AND h.what = OLD.id AND h.from_desk = OLD.desk
          AND h.to_seat = this_seat())))
  THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'It is another desk''s' USING ERRCODE = '42501';
END $$;

-- A lease ends within 15 minutes, and another desk cannot take it before.
DROP TRIGGER lease_grows ON lease;
UPDATE lease SET number = least(number, highest_number()), taken_at = clock_timestamp()
WHERE number > highest_number() OR taken_at > clock_timestamp() OR taken_at = '-infinity';
UPDATE lease SET until = clock_timestamp() + interval '15 minutes'
WHERE until > clock_timestamp() + interval '15 minutes';
CREATE OR REPLACE FUNCTION lease_grows() RETURNS trigger LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = signing_desk, pg_temp AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    IF NEW.number < OLD.number OR (NEW.number = OLD.number AND NEW.desk <> OLD.desk) THEN
      RAISE EXCEPTION 'a lease goes to another desk with a higher number only'
        USING ERRCODE = 'check_violation';
    END IF;
  END IF;
  IF this_seat() IS NULL THEN RETURN NEW; END IF;
  IF TG_OP = 'UPDATE' THEN
    IF NEW.desk <> OLD.desk AND OLD.until > clock_timestamp() THEN
      RAISE EXCEPTION 'Another desk does it now' USING ERRCODE = '42501';
    END IF;
    IF NEW.taken_at IS DISTINCT FROM OLD.taken_at THEN NEW.taken_at := clock_timestamp(); END IF;
  END IF;
  IF NEW.number > highest_number() THEN
    RAISE EXCEPTION 'A number is left out' USING ERRCODE = '42501';
  END IF;
  NEW.until := least(NEW.until, clock_timestamp() + interval '15 minutes');
  RETURN NEW;
END $$;
REVOKE ALL ON FUNCTION lease_grows() FROM PUBLIC;
CREATE TRIGGER lease_grows BEFORE INSERT OR UPDATE ON lease
  FOR EACH ROW EXECUTE FUNCTION lease_grows();
${restored}`;

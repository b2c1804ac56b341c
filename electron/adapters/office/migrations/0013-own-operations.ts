/**
 * A seat changes operations of its own desks alone, but for what the design allows: the database itself refuses the
 * rest, whatever program the seat runs.
 */
export const ownOperations = `
-- By its owner's right, as whoever asks may not read all that it looks at.
CREATE FUNCTION refuse_others_operation() RETURNS trigger LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = signing_desk, pg_temp AS $$
DECLARE
  is_act boolean := OLD.kind IN ('remind', 'remove', 'change');
BEGIN
  -- The owner, and whoever looks after the server.
  IF this_seat() IS NULL THEN RETURN NEW; END IF;
  IF is_own_desk(OLD.desk) AND is_own_desk(NEW.desk) THEN
    -- What the service has stays so.
    IF OLD.state = 'done' AND (NEW.state, NEW.desk, NEW.sealed, NEW.key_version)
      IS DISTINCT FROM (OLD.state, OLD.desk, OLD.sealed, OLD.key_version)
    THEN
      RAISE EXCEPTION 'What was done stays done' USING ERRCODE = '42501';
    END IF;
    -- Times are the server's. What an older database is told again was begun earlier: that is said in the
    -- transaction that wrote it.
    IF NEW.started_at IS DISTINCT FROM OLD.started_at AND OLD.moved_at < transaction_timestamp() THEN
      NEW.started_at := clock_timestamp();
    END IF;
    RETURN NEW;
  END IF;
  -- Nothing of it left: whoever has the same row claims it anew, as with a name of its own.
  IF OLD.state = 'released' AND NEW.state = 'claimed' AND is_own_desk(NEW.desk)
    AND seat_may(OLD.kind)
  THEN
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
REVOKE ALL ON FUNCTION refuse_others_operation() FROM PUBLIC;
-- By its name before the one that notes the move.
CREATE TRIGGER not_of_others BEFORE UPDATE ON operation
  FOR EACH ROW EXECUTE FUNCTION refuse_others_operation();

-- A generation follows the last one: a higher one would leave no room for the next.
CREATE FUNCTION refuse_far_generation() RETURNS trigger LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = signing_desk, pg_temp AS $$
BEGIN
  IF this_seat() IS NOT NULL AND NEW.generation
    > coalesce((SELECT max(c.generation) FROM claim c WHERE c.key = NEW.key), 0) + 1
  THEN
    RAISE EXCEPTION 'A generation is left out' USING ERRCODE = '42501';
  END IF;
  RETURN NEW;
END $$;
REVOKE ALL ON FUNCTION refuse_far_generation() FROM PUBLIC;
CREATE TRIGGER follows_the_last BEFORE INSERT ON claim
  FOR EACH ROW EXECUTE FUNCTION refuse_far_generation();

-- That the database is older than what a desk wrote there: the desk says how far it was, and nothing else of it.
CREATE FUNCTION notice_put_back(noticed_by uuid, reached bigint) RETURNS void LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = signing_desk, pg_temp AS $$
BEGIN
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
  INSERT INTO put_back (last, as_of, desk, seat)
  SELECT (SELECT last FROM change_number), put_back_as_of(noticed_by), noticed_by, this_seat();
  -- The same is said once.
  UPDATE desk SET mark = reached WHERE id = noticed_by;
END $$;
REVOKE ALL ON FUNCTION notice_put_back(uuid, bigint) FROM PUBLIC;
`;

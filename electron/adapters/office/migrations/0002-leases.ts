/** What one desk does for all; and an order in which operations are listed. */
export const leases = `
-- One task, and the desk that does it.
CREATE TABLE lease (
  task           bytea PRIMARY KEY CHECK (length(task) = 32),
  kind           text NOT NULL CHECK (kind IN ('archive', 'remind', 'digest', 'intake', 'sync')),
  -- Only grows: whoever has an older one has lost it, whatever its clock says.
  number         bigint NOT NULL CHECK (number > 0),
  desk           uuid NOT NULL REFERENCES desk,
  seat           uuid NOT NULL REFERENCES seat,
  sealed         bytea NOT NULL,
  key_version    integer NOT NULL,
  taken_at       timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- Given back: long ago.
  until          timestamptz NOT NULL
);

CREATE FUNCTION lease_grows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.number < OLD.number OR (NEW.number = OLD.number AND NEW.desk <> OLD.desk) THEN
    RAISE EXCEPTION 'A lease goes to another desk with a higher number only';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER lease_grows BEFORE UPDATE ON lease FOR EACH ROW EXECUTE FUNCTION lease_grows();

-- What the desks did, newest first.
CREATE INDEX operation_newest ON operation (started_at, id);
`;

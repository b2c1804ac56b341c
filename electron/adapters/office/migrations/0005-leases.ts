/** What one desk does for all, and the rules by which it reminds. */
export const leases = `
-- One task, and the desk that does it.
CREATE TABLE lease (
  task           bytea PRIMARY KEY CHECK (length(task) = 32),
  kind           text NOT NULL CHECK (kind IN ('archive', 'remind', 'intake')),
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
CREATE INDEX lease_until ON lease (until);

CREATE FUNCTION lease_grows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.number < OLD.number OR (NEW.number = OLD.number AND NEW.desk <> OLD.desk) THEN
    RAISE EXCEPTION 'a lease goes to another desk with a higher number only'
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER lease_grows BEFORE UPDATE ON lease FOR EACH ROW EXECUTE FUNCTION lease_grows();

-- Who was reminded, for the rules of other desks.
CREATE INDEX operation_reminded ON operation (started_at) WHERE kind = 'remind';

ALTER TABLE shared_item DROP CONSTRAINT shared_item_kind_check;
ALTER TABLE shared_item ADD CONSTRAINT shared_item_kind_check
  CHECK (kind IN ('person', 'number', 'group', 'view', 'template', 'reminder-rule'));

-- A rule makes other desks write to people: whoever may not send changes none.
CREATE OR REPLACE FUNCTION seat_may_write(kind text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (
    SELECT FROM signing_desk.seat s WHERE s.id = signing_desk.this_seat()
    AND CASE seat_may_write.kind WHEN 'number' THEN s.may_see_numbers
      WHEN 'template' THEN s.may_change_templates
      WHEN 'reminder-rule' THEN s.may_send ELSE true END)
$$;
`;

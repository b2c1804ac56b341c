/** Drafts that several seats work on, batches and questions that go from seat to seat, and how far batches are. */
export const together = `
ALTER TABLE shared_item DROP CONSTRAINT shared_item_kind_check;
ALTER TABLE shared_item ADD CONSTRAINT shared_item_kind_check
  CHECK (kind IN ('person', 'number', 'group', 'view', 'template', 'reminder-rule', 'draft'));

-- Whoever shares what changes seldom reads past none of what changes often.
CREATE INDEX shared_item_of_kind ON shared_item (kind, number);

-- A draft names people by their personal numbers: it is for the seats that may see them.
CREATE OR REPLACE FUNCTION seat_may_read(kind text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (
    SELECT FROM signing_desk.seat s WHERE s.id = signing_desk.this_seat()
    AND (seat_may_read.kind NOT IN ('number', 'draft') OR s.may_see_numbers))
$$;
CREATE OR REPLACE FUNCTION seat_may_write(kind text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (
    SELECT FROM signing_desk.seat s WHERE s.id = signing_desk.this_seat()
    AND CASE seat_may_write.kind WHEN 'number' THEN s.may_see_numbers
      WHEN 'draft' THEN s.may_see_numbers
      WHEN 'template' THEN s.may_change_templates
      WHEN 'reminder-rule' THEN s.may_send ELSE true END)
$$;

-- Files of drafts in pieces. They go when the draft does.
CREATE TABLE draft_file (
  draft          uuid NOT NULL,
  file           bytea NOT NULL CHECK (length(file) = 32),
  place          integer NOT NULL CHECK (place >= 0),
  pieces         integer NOT NULL CHECK (pieces > place),
  sealed         bytea NOT NULL,
  key_version    integer NOT NULL,
  PRIMARY KEY (draft, file, place)
);

-- Whoever edits a draft is heard of at once, and so is that nobody does any more.
ALTER TABLE lease DROP CONSTRAINT lease_kind_check;
ALTER TABLE lease ADD CONSTRAINT lease_kind_check
  CHECK (kind IN ('archive', 'remind', 'intake', 'draft'));
CREATE TRIGGER editor_is_announced AFTER INSERT ON lease
  FOR EACH ROW WHEN (NEW.kind = 'draft') EXECUTE FUNCTION tell_change();
CREATE TRIGGER next_editor_is_announced AFTER UPDATE ON lease
  FOR EACH ROW WHEN (NEW.kind = 'draft'
    AND (NEW.number <> OLD.number OR NEW.until = '-infinity'))
  EXECUTE FUNCTION tell_change();

-- What goes from seat to seat was a draft so far.
ALTER TABLE handover RENAME COLUMN draft TO what;
ALTER TABLE handover ADD COLUMN kind text NOT NULL DEFAULT 'draft'
  CHECK (kind IN ('draft', 'batch', 'question'));
ALTER TABLE handover ALTER COLUMN kind DROP DEFAULT;

-- How far a batch is at its desk. Names and numbers are sealed.
CREATE TABLE batch_progress (
  batch          uuid NOT NULL,
  desk           uuid NOT NULL REFERENCES desk,
  seat           uuid NOT NULL REFERENCES seat,
  sealed         bytea NOT NULL,
  key_version    integer NOT NULL,
  at             timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (batch, desk)
);
CREATE INDEX batch_progress_at ON batch_progress (at);
`;

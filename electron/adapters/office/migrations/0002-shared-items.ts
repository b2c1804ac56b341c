/**
 * What the desks of an office share. A row is the newest version of an item; its number is that of its
 * last change, in the order in which changes are committed.
 */
export const sharedItems = `
ALTER TABLE seat ADD COLUMN may_see_numbers boolean NOT NULL DEFAULT false;
ALTER TABLE seat ADD COLUMN may_change_templates boolean NOT NULL DEFAULT false;
-- Nobody's right was narrower before.
UPDATE seat SET may_see_numbers = true, may_change_templates = true;

-- One row. Whoever changes an item holds it to the end of the transaction: whoever has read up to a
-- number has missed none below it.
CREATE TABLE change_number (
  one            boolean PRIMARY KEY DEFAULT true CHECK (one),
  last           bigint NOT NULL
);
INSERT INTO change_number (last) VALUES (0);

-- One that was removed stays, and says so in what is sealed: the server can remove nothing.
CREATE TABLE shared_item (
  kind           text NOT NULL CHECK (kind IN 
                 ('person', 'number', 'group', 'view', 'template')),
  id             uuid NOT NULL,
  version        integer NOT NULL CHECK (version > 0),
  sealed         bytea NOT NULL,
  key_version    integer NOT NULL,
  desk           uuid NOT NULL REFERENCES desk,
  seat           uuid NOT NULL REFERENCES seat,
  number         bigint NOT NULL UNIQUE,
  changed_at     timestamptz NOT NULL,
  PRIMARY KEY (kind, id)
);

-- Personal numbers are for the seats that may see them.
CREATE FUNCTION seat_may_read(kind text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (
    SELECT FROM signing_desk.seat s WHERE s.id = signing_desk.this_seat()
    AND (seat_may_read.kind <> 'number' OR s.may_see_numbers))
$$;
CREATE FUNCTION seat_may_write(kind text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (
    SELECT FROM signing_desk.seat s WHERE s.id = signing_desk.this_seat()
    AND CASE seat_may_write.kind WHEN 'number' THEN s.may_see_numbers
      WHEN 'template' THEN s.may_change_templates ELSE true END)
$$;

-- PDFs of templates in pieces, each file under a hash that says nothing to the server. They stay: an
-- older version of a template may be asked for until every desk has read the newer one.
CREATE TABLE shared_file (
  file           bytea NOT NULL CHECK (length(file) = 32),
  place          integer NOT NULL CHECK (place >= 0),
  pieces         integer NOT NULL CHECK (pieces > place),
  sealed         bytea NOT NULL,
  key_version    integer NOT NULL,
  PRIMARY KEY (file, place)
);

-- By its owner's right: no seat gives numbers or times.
CREATE FUNCTION number_change() RETURNS trigger LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = signing_desk, pg_temp AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND (
    NEW.version <> OLD.version + 1 OR NEW.kind <> OLD.kind OR NEW.id <> OLD.id) THEN
    RAISE EXCEPTION 'a version follows the one before' USING ERRCODE = 'check_violation';
  END IF;
  UPDATE change_number SET last = last + 1 RETURNING last INTO NEW.number;
  NEW.changed_at := clock_timestamp();
  RETURN NEW;
END $$;
REVOKE ALL ON FUNCTION number_change() FROM PUBLIC;
CREATE TRIGGER shared_item_is_numbered BEFORE INSERT OR UPDATE ON shared_item
  FOR EACH ROW EXECUTE FUNCTION number_change();

-- Once for a transaction, when it is committed; it says that there is something to read, and not what.
CREATE FUNCTION tell_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('signing_desk', '');
  RETURN NULL;
END $$;
CREATE TRIGGER shared_item_is_told AFTER INSERT OR UPDATE ON shared_item
  FOR EACH STATEMENT EXECUTE FUNCTION tell_change();
`;

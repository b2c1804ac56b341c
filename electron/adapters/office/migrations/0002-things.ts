/**
 * What the desks of an office share. A row is the newest version of a thing; its number is that of its
 * last change, in the order in which changes commit.
 */
export const things = `
-- One row. Whoever changes a thing holds it to the end of the transaction: numbers are given in the
-- order in which they can be seen, and none is left out.
CREATE TABLE change_number (
  one            boolean PRIMARY KEY DEFAULT true CHECK (one),
  last           bigint NOT NULL
);
INSERT INTO change_number (last) VALUES (0);

-- A template, an entry of the address book, a group, a view or a rule. One that was taken away stays, and
-- says so in what is sealed: its server can take nothing away.
CREATE TABLE thing (
  id             uuid PRIMARY KEY,
  kind           text NOT NULL CHECK (kind IN ('person', 'group', 'view', 'template', 'rule')),
  version        integer NOT NULL CHECK (version > 0),
  sealed         bytea NOT NULL,
  key_version    integer NOT NULL,
  desk           uuid NOT NULL REFERENCES desk,
  seat           uuid NOT NULL REFERENCES seat,
  number         bigint UNIQUE,
  changed_at     timestamptz
);

-- Who wrote which version, and when.
CREATE TABLE thing_change (
  number         bigint PRIMARY KEY,
  thing          uuid NOT NULL REFERENCES thing,
  version        integer NOT NULL,
  desk           uuid NOT NULL,
  seat           uuid NOT NULL,
  changed_at     timestamptz NOT NULL,
  UNIQUE (thing, version)
);

-- By its owner's right: no seat gives numbers, or writes what another one did.
CREATE FUNCTION number_change() RETURNS trigger LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = signing_desk, pg_temp AS $$
DECLARE
  given bigint;
  now_here timestamptz;
BEGIN
  UPDATE change_number SET last = last + 1 RETURNING last INTO given;
  now_here := clock_timestamp();
  UPDATE thing SET number = given, changed_at = now_here WHERE id = NEW.id;
  INSERT INTO thing_change (number, thing, version, desk, seat, changed_at)
    VALUES (given, NEW.id, NEW.version, NEW.desk, NEW.seat, now_here);
  PERFORM pg_notify('signing_desk', '');
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION number_change() FROM PUBLIC;
CREATE TRIGGER thing_is_new AFTER INSERT ON thing
  FOR EACH ROW EXECUTE FUNCTION number_change();
CREATE TRIGGER thing_is_changed AFTER UPDATE OF version ON thing
  FOR EACH ROW EXECUTE FUNCTION number_change();

-- A version follows the one before, and a thing stays what it is.
CREATE FUNCTION refuse_other_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.version <> OLD.version + 1 OR NEW.kind <> OLD.kind THEN
    RAISE EXCEPTION 'a version follows the one before' USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER thing_goes_on BEFORE UPDATE OF version, kind ON thing
  FOR EACH ROW EXECUTE FUNCTION refuse_other_version();

-- Bytes of a PDF in pieces, by a hash under the office's secret; whole once all pieces are here.
CREATE TABLE file_piece (
  file           bytea NOT NULL CHECK (length(file) = 32),
  place          integer NOT NULL CHECK (place >= 0),
  of             integer NOT NULL CHECK (of > place),
  sealed         bytea NOT NULL,
  key_version    integer NOT NULL,
  PRIMARY KEY (file, place)
);
`;

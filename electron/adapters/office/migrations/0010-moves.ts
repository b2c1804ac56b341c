/**
 * When a claim last moved: nobody else settles what its desk may be sending just now. And a desk that was open
 * while the office was upgraded claims nothing by the names that its older program knows.
 */
export const moves = `
ALTER TABLE operation ADD COLUMN moved_at timestamptz NOT NULL DEFAULT clock_timestamp();
UPDATE operation SET moved_at = greatest(started_at, settled_at);

-- By its owner's right: no seat gives times.
CREATE FUNCTION operation_moved() RETURNS trigger LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = signing_desk, pg_temp AS $$
BEGIN
  NEW.moved_at := clock_timestamp();
  RETURN NEW;
END $$;
REVOKE ALL ON FUNCTION operation_moved() FROM PUBLIC;
CREATE TRIGGER operation_moved BEFORE INSERT OR UPDATE ON operation
  FOR EACH ROW EXECUTE FUNCTION operation_moved();

-- Each program says which version of the schema it works with as it connects; the first ones said none.
CREATE FUNCTION refuse_older_program() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF signing_desk.this_seat() IS NOT NULL
    AND coalesce(nullif(current_setting('signing_desk.schema', true), ''), '0')::integer
      < (SELECT version FROM signing_desk.schema_version)
  THEN
    RAISE EXCEPTION 'The office was brought up to date by a newer version of this program'
      USING ERRCODE = 'SD001';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER refuse_older_program BEFORE INSERT ON operation
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_older_program();
CREATE TRIGGER refuse_older_program BEFORE INSERT OR UPDATE ON desk
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_older_program();
`;

/** When a claim last moved: nobody else settles what its desk may be sending just now. */
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
`;

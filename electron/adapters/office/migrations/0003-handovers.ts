/** Drafts that one seat gives to another; whoever takes one removes its pieces. */
export const handovers = `
CREATE TABLE handover (
  id             uuid PRIMARY KEY,
  draft          uuid NOT NULL,
  revision       integer NOT NULL,
  from_desk      uuid NOT NULL REFERENCES desk,
  from_seat      uuid NOT NULL REFERENCES seat,
  to_seat        uuid NOT NULL REFERENCES seat,
  -- Title and note.
  sealed         bytea NOT NULL,
  key_version    integer NOT NULL,
  pieces         integer NOT NULL CHECK (pieces > 0),
  given_at       timestamptz NOT NULL DEFAULT clock_timestamp(),
  taken_at       timestamptz
);
-- A reply that was lost is asked for again, and gives the same; what was taken can be given again.
CREATE UNIQUE INDEX handover_once ON handover (from_desk, draft, revision) WHERE taken_at IS NULL;
CREATE INDEX handover_waiting ON handover (to_seat) WHERE taken_at IS NULL;
CREATE INDEX handover_given ON handover (from_seat) WHERE taken_at IS NULL;

CREATE TABLE handover_piece (
  handover       uuid NOT NULL REFERENCES handover,
  place          integer NOT NULL CHECK (place >= 0),
  sealed         bytea NOT NULL,
  PRIMARY KEY (handover, place)
);

CREATE FUNCTION sees_handover(id uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (
    SELECT FROM signing_desk.handover h WHERE h.id = sees_handover.id
    AND signing_desk.this_seat() IN (h.from_seat, h.to_seat))
$$;
CREATE TRIGGER handover_is_told AFTER INSERT OR UPDATE ON handover
  FOR EACH STATEMENT EXECUTE FUNCTION tell_change();
`;

/** What one seat asks another one to approve before it signs; decided once, and never by who asked. */
export const approvals = `
CREATE TABLE approval (
  id             uuid PRIMARY KEY,
  from_desk      uuid NOT NULL REFERENCES desk,
  from_seat      uuid NOT NULL REFERENCES seat,
  -- The agreement, and the hashes of what was read.
  sealed         bytea NOT NULL,
  key_version    integer NOT NULL,
  asked_at       timestamptz NOT NULL DEFAULT clock_timestamp(),
  decided_by     uuid REFERENCES seat,
  decided_desk   uuid REFERENCES desk,
  -- What was decided, by whom and why.
  decision       bytea,
  decision_key   integer,
  decided_at     timestamptz,
  CHECK (decided_by <> from_seat),
  CHECK (num_nulls(decided_by, decided_desk, decision, decision_key, decided_at) IN (0, 5))
);
CREATE INDEX approval_open ON approval (asked_at) WHERE decided_by IS NULL;
CREATE INDEX approval_of_seat ON approval (from_seat, asked_at);
CREATE TRIGGER approval_is_told AFTER INSERT OR UPDATE ON approval
  FOR EACH STATEMENT EXECUTE FUNCTION tell_change();
`;

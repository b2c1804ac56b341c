export const reminders = `
-- Rules by which parties are reminded, as JSON, each with how it went last. \`failures\` are those in
-- a row; \`counts_from\` is when everybody counts as reminded, after data was restored.
CREATE TABLE reminder_rule (
  id            TEXT PRIMARY KEY,
  name          TEXT NOT NULL UNIQUE,
  rule          TEXT NOT NULL,
  last          TEXT,
  failures      INTEGER NOT NULL DEFAULT 0,
  counts_from   INTEGER
) STRICT, WITHOUT ROWID;

-- What is known of a party beside what was sent to it, which stands in \`action\`. The whole agreement
-- is the party ''. It refers to no agreement on purpose: one that is copied again is still held.
CREATE TABLE reminder_party (
  connection_id TEXT NOT NULL,
  agreement_id  TEXT NOT NULL,
  party_id      TEXT NOT NULL,
  hold          TEXT CHECK (hold IN ('switched-off', 'bounced')),
  -- SHA-256 of the address from which messages came back.
  address_hash  TEXT,
  tried_at      INTEGER,
  tries         INTEGER NOT NULL DEFAULT 0,
  -- When the service itself reminds, as JSON; null until it was asked.
  service_times TEXT,
  PRIMARY KEY (connection_id, agreement_id, party_id)
) STRICT, WITHOUT ROWID;

-- The name of the rule that did it; null where a person did.
ALTER TABLE action ADD COLUMN rule TEXT;
CREATE INDEX action_reminded ON action (connection_id, agreement_id)
  WHERE kind = 'remind' AND state <> 'refused';

-- From what was sent to the batch it was sent in.
CREATE INDEX batch_row_ref ON batch_row (ref) WHERE ref IS NOT NULL;
`;

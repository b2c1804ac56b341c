export const evidence = `
-- Who reviewed, approved and signed what. It refers to no other table on purpose: removing a
-- connection or an agreement never removes evidence.
CREATE TABLE evidence (
  number          INTEGER PRIMARY KEY,
  -- The entry as it was hashed, to the byte; what is searched by is worked out of it. An
  -- entry that is no JSON any more is found by number, and told as damaged.
  entry           TEXT NOT NULL,
  hash            TEXT NOT NULL,
  connection_id   TEXT GENERATED ALWAYS AS (iif(json_valid(entry), entry ->> '$.connection.id', NULL)) VIRTUAL,
  agreement_id    TEXT GENERATED ALWAYS AS (iif(json_valid(entry), entry ->> '$.agreement.id', NULL)) VIRTUAL,
  ref             TEXT GENERATED ALWAYS AS (iif(json_valid(entry), entry ->> '$.ref', NULL)) VIRTUAL,
  kind            TEXT GENERATED ALWAYS AS (iif(json_valid(entry), entry ->> '$.fact.kind', NULL)) VIRTUAL,
  intent          INTEGER GENERATED ALWAYS AS (iif(json_valid(entry), entry ->> '$.fact.intent', NULL)) VIRTUAL,
  outcome         TEXT GENERATED ALWAYS AS (iif(json_valid(entry), entry ->> '$.fact.outcome', NULL)) VIRTUAL,
  at              INTEGER GENERATED ALWAYS AS (iif(json_valid(entry), entry ->> '$.at', NULL)) VIRTUAL
) STRICT;

CREATE INDEX evidence_agreement ON evidence (connection_id, agreement_id, number);
CREATE INDEX evidence_ref ON evidence (ref) WHERE ref IS NOT NULL;
CREATE INDEX evidence_intent ON evidence (intent) WHERE intent IS NOT NULL;
CREATE INDEX evidence_kind ON evidence (kind, number);
CREATE INDEX evidence_at ON evidence (at);

CREATE TRIGGER evidence_is_not_rewritten BEFORE UPDATE ON evidence
BEGIN SELECT RAISE(ABORT, 'evidence only grows'); END;
CREATE TRIGGER evidence_is_not_shortened BEFORE DELETE ON evidence
BEGIN SELECT RAISE(ABORT, 'evidence only grows'); END;

-- What the person is in the company, and the company's name, for the statement.
ALTER TABLE identity ADD COLUMN role TEXT;
ALTER TABLE identity ADD COLUMN company TEXT;
`;

/** Where each desk's evidence log ended, and when it said so: nobody's own desk can take that back. */
export const evidenceEnds = `
CREATE TABLE evidence_end (
  log            text NOT NULL,
  entries        integer NOT NULL CHECK (entries > 0),
  hash           text NOT NULL,
  desk           uuid NOT NULL REFERENCES desk,
  seat           uuid NOT NULL REFERENCES seat,
  noted_at       timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (log, entries, hash)
);
`;

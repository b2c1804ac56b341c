/** Times are the server's own; whoever reads them gets epoch milliseconds. */
export const start = `
CREATE TABLE office (
  one            boolean PRIMARY KEY DEFAULT true CHECK (one),
  id             uuid NOT NULL,
  key_version    integer NOT NULL,
  created_at     timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- A person at a desk. The role is who the server knows; its name and rights are what people see.
CREATE TABLE seat (
  id             uuid PRIMARY KEY,
  role           name NOT NULL UNIQUE,
  -- Keys of the office are wrapped for it (age, X25519).
  recipient      text NOT NULL,
  sealed         bytea NOT NULL,
  key_version    integer NOT NULL,
  joined_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
  removed_at     timestamptz
);

CREATE TABLE office_key (
  version        integer NOT NULL,
  seat           uuid NOT NULL REFERENCES seat,
  wrapped        bytea NOT NULL,
  PRIMARY KEY (version, seat)
);

CREATE TABLE desk (
  id             uuid PRIMARY KEY,
  seat           uuid NOT NULL REFERENCES seat,
  version        text NOT NULL,
  seen_at        timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- One send, signature, reminder or removal, before its first byte leaves.
CREATE TABLE operation (
  id             uuid PRIMARY KEY,
  kind           text NOT NULL CHECK (kind IN ('send', 'sign', 'remind', 'remove', 'change')),
  desk           uuid NOT NULL REFERENCES desk,
  seat           uuid NOT NULL REFERENCES seat,
  state          text NOT NULL 
                 CHECK (state IN ('claimed', 'done', 'unknown', 'given-up', 'released')),
  -- What a desk that settles it has to know.
  sealed         bytea NOT NULL,
  key_version    integer NOT NULL,
  started_at     timestamptz NOT NULL DEFAULT clock_timestamp(),
  settled_at     timestamptz
);
CREATE INDEX operation_open ON operation (started_at) WHERE state IN ('claimed', 'unknown');

-- What may happen once. The next generation follows one that was released, or that a person saw.
CREATE TABLE claim (
  key            bytea NOT NULL CHECK (length(key) = 32),
  generation     integer NOT NULL CHECK (generation > 0),
  operation      uuid NOT NULL REFERENCES operation,
  PRIMARY KEY (key, generation)
);
CREATE INDEX claim_operation ON claim (operation);
`;

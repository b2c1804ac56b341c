/** Times are the server's own; whoever reads them gets epoch milliseconds. */
export const start = `
CREATE TABLE office (
  one            boolean PRIMARY KEY DEFAULT true CHECK (one),
  id             uuid NOT NULL,
  key_version    integer NOT NULL,
  may_go_without boolean NOT NULL,
  created_at     timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- A person at one desk or several. The role is who the server knows; sealed are its name and public key.
CREATE TABLE seat (
  id             uuid PRIMARY KEY,
  role           name NOT NULL UNIQUE,
  may_send       boolean NOT NULL DEFAULT false,
  may_sign       boolean NOT NULL DEFAULT false,
  sealed         bytea NOT NULL,
  key_version    integer NOT NULL,
  invited_at     timestamptz NOT NULL DEFAULT clock_timestamp(),
  joined_at      timestamptz,
  removed_at     timestamptz
);

-- The office's keys, each wrapped for a seat's public key (age, X25519).
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
-- What the desks did, newest first.
CREATE INDEX operation_newest ON operation (started_at DESC, id DESC);
CREATE INDEX operation_of_seat ON operation (seat, started_at DESC, id DESC);
CREATE INDEX operation_of_kind ON operation (kind, started_at DESC, id DESC);
CREATE INDEX operation_open ON operation (started_at) WHERE state IN ('claimed', 'unknown');

-- What may happen once. The next generation follows one that was released, or that a person saw.
CREATE TABLE claim (
  key            bytea NOT NULL CHECK (length(key) = 32),
  generation     integer NOT NULL CHECK (generation > 0),
  operation      uuid NOT NULL REFERENCES operation,
  PRIMARY KEY (key, generation)
);
CREATE INDEX claim_operation ON claim (operation);

-- Whoever asks; no SET ROLE changes it.
CREATE FUNCTION this_seat() RETURNS uuid LANGUAGE sql STABLE AS $$
  SELECT id FROM signing_desk.seat WHERE role = session_user AND removed_at IS NULL
$$;
CREATE FUNCTION is_own_desk(desk uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (
    SELECT FROM signing_desk.desk d WHERE d.id = $1 AND d.seat = signing_desk.this_seat())
$$;
CREATE FUNCTION seat_may(kind text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (
    SELECT FROM signing_desk.seat s WHERE s.id = signing_desk.this_seat()
    AND CASE kind WHEN 'sign' THEN s.may_sign ELSE s.may_send END)
$$;
`;

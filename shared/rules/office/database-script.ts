/** Names in the database of an office; both need no quotes in SQL. */
export interface DatabaseNames {
  readonly database: string;
  /** Role that owns the database. */
  readonly owner: string;
}

/**
 * The SQL script that an administrator runs with psql before an office is created. It contains no
 * password.
 */
export const databaseScript = ({
  database,
  owner,
}: DatabaseNames): string => `-- Run once by an administrator of the server, with psql.
-- CREATEROLE lets the owner make a role for each user. No computer keeps the owner's password.
-- On PostgreSQL 15, CREATEROLE also gives the owner every role that is not a superuser, such as the role that runs
-- programs on the server. Use PostgreSQL 16 or newer, or a server that has only this database.
CREATE ROLE ${owner} LOGIN CREATEROLE;
-- From PostgreSQL 16 on, with reserved_connections in the server's settings, the owner can remove a user even when
-- users have all other connections.
DO $$ BEGIN
  GRANT pg_use_reserved_connections TO ${owner};
EXCEPTION WHEN undefined_object THEN NULL;
END $$;
\\password ${owner}
CREATE DATABASE ${database} OWNER ${owner} ENCODING 'UTF8' TEMPLATE template0;
REVOKE ALL ON DATABASE ${database} FROM PUBLIC;
\\connect ${database}
REVOKE EXECUTE ON FUNCTION lo_create(oid), lo_creat(integer), lo_from_bytea(oid, bytea) FROM PUBLIC;
`;

import * as z from 'zod';
import type {
  OfficeCheck,
  OfficeMembership,
  OfficeUserId,
} from '../../../shared/contract/office/office.ts';
import { epochMillisSql } from './columns.ts';
import { isOnThisComputer, type OfficeServer } from './server.ts';
import { MINUTE } from '../../../shared/rules/time/units.ts';

/**
 * Maximum difference between the clocks of this computer and the server. Claims use the server's
 * clock, and users compare the times of claims with local times.
 */
const CLOCK_SLACK_MS = MINUTE;
const MEGABYTE = 1_000_000;

const ServerFacts = z.object({
  encrypted: z.boolean(),
  isPlain: z.boolean(),
  creates: z.array(z.string()),
  postgres: z.number(),
  version: z.number(),
  now: z.number(),
  bytes: z.number(),
  operations: z.number(),
  open: z.number(),
  asOf: z.number().nullable(),
  awaited: z.number(),
});

const sql = `
  SELECT coalesce((SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()), false) AS encrypted,
    (SELECT NOT (rolsuper OR rolbypassrls OR rolcreaterole OR rolcreatedb)
     FROM pg_roles WHERE rolname = session_user) AS "isPlain",
    ARRAY(SELECT nspname::text FROM pg_namespace
      WHERE has_schema_privilege(session_user, oid, 'CREATE') AND nspname !~ '^pg_(toast_)?temp_')
      AS creates,
    current_setting('server_version_num')::int / 10000 AS postgres,
    (SELECT version FROM schema_version) AS version,
    ${epochMillisSql('clock_timestamp()')} AS now,
    pg_database_size(current_database()) AS bytes,
    (SELECT count(*) FROM operation) AS operations,
    (SELECT count(*) FROM operation WHERE state IN ('claimed', 'unknown')) AS open,
    (SELECT ${epochMillisSql('as_of')} FROM put_back ORDER BY number DESC LIMIT 1) AS "asOf",
    (SELECT count(*) FROM awaited_desk) AS awaited`;

/** Returns the checks that a user reads before relying on the office. */
export async function runOfficeChecks(
  { query }: OfficeServer,
  { address }: OfficeMembership,
  unreadable: ReadonlyMap<string, OfficeUserId>,
): Promise<readonly OfficeCheck[]> {
  const before = Date.now();
  const [found] = await query(sql, [], ServerFacts);
  const after = Date.now();
  if (found === undefined) return [];
  const isLocal = isOnThisComputer(address.host);
  const skew = Math.round(found.now - (before + after) / 2);
  const size = `${(found.bytes / MEGABYTE).toFixed(1)} MB, ${String(found.operations)} operations`;
  return [
    { check: 'reached', ok: true, said: `Reached in ${String(after - before)} ms` },
    {
      check: 'encrypted',
      ok: found.encrypted || isLocal,
      said: describeEncryption(found.encrypted, isLocal),
    },
    {
      check: 'role',
      ok: found.isPlain && found.creates.length === 0,
      said: describeRole(found),
    },
    { check: 'schema', ok: true, said: describeSchema(found) },
    {
      check: 'clock',
      ok: Math.abs(skew) < CLOCK_SLACK_MS,
      said: `The office’s clock differs from this computer’s by ${String(skew)} ms`,
    },
    { check: 'size', ok: true, said: size },
    { check: 'open', ok: true, said: `${String(found.open)} sends and actions are unresolved` },
    { check: 'readable', ok: unreadable.size === 0, said: describeReadability(unreadable) },
    { check: 'put-back', ok: found.awaited === 0, said: describeRestore(found) },
  ];
}

function describeRole({
  isPlain,
  creates,
}: Pick<z.infer<typeof ServerFacts>, 'isPlain' | 'creates'>): string {
  if (!isPlain) return 'The role of this user has more rights than needed. Ask the administrator';
  return creates.length === 0
    ? 'The role of this user has only the expected rights'
    : `The role of this user may create objects in ${creates.join(', ')}. Ask the administrator`;
}

/**
 * First PostgreSQL version in which a role that may create roles does not also get all other roles.
 */
const FIRST_BOUNDED_ROLES_VERSION = 16;

function describeSchema({
  version,
  postgres,
}: Pick<z.infer<typeof ServerFacts>, 'version' | 'postgres'>) {
  const said = `Version ${String(version)} of the schema, on PostgreSQL ${String(postgres)}`;
  return postgres >= FIRST_BOUNDED_ROLES_VERSION
    ? said
    : `${said}. The owner’s password opens the whole server; from version ${String(FIRST_BOUNDED_ROLES_VERSION)} on, it does not`;
}

function describeReadability(unreadable: ReadonlyMap<string, OfficeUserId>): string {
  if (unreadable.size === 0) return 'All shared items that were read could be opened';
  const seats = [...new Set(unreadable.values())].join(', ');
  return `${String(unreadable.size)} shared items cannot be opened. They were written by ${seats}`;
}

function describeRestore({
  asOf,
  awaited,
}: Pick<z.infer<typeof ServerFacts>, 'asOf' | 'awaited'>): string {
  if (asOf === null) return 'The database was never restored from a backup';
  const state = `The database was restored to its state of ${new Date(asOf).toISOString()}`;
  return awaited === 0
    ? `${state}. All computers have reported what they sent since`
    : `${state}. Sends wait for reports from ${String(awaited)} computers (office restored)`;
}

function describeEncryption(encrypted: boolean, isLocal: boolean): string {
  if (encrypted) return 'The connection is encrypted, and the server has proved who it is';
  return isLocal
    ? 'The server is on this computer, so no data leaves it'
    : 'The connection is not encrypted';
}

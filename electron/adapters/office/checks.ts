import * as z from 'zod';
import type { OfficeCheck, OfficeMembership } from '../../../shared/contract/office/office.ts';
import { millis } from './columns.ts';
import { isOnThisComputer, type OfficeServer } from './server.ts';
import { MINUTE } from '../../../shared/rules/time/units.ts';

/** Claims are dated by the office's clock; people compare its times with those here. */
const CLOCK_SLACK_MS = MINUTE;
const MEGABYTE = 1_000_000;

const Found = z.object({
  encrypted: z.boolean(),
  isPlain: z.boolean(),
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
    (SELECT version FROM schema_version) AS version,
    ${millis('clock_timestamp()')} AS now,
    pg_database_size(current_database()) AS bytes,
    (SELECT count(*) FROM operation) AS operations,
    (SELECT count(*) FROM operation WHERE state IN ('claimed', 'unknown')) AS open,
    (SELECT ${millis('as_of')} FROM put_back ORDER BY number DESC LIMIT 1) AS "asOf",
    (SELECT count(*) FROM awaited_desk) AS awaited`;

/** What a person wants to know before they rely on it. */
export async function checksOf(
  { query }: OfficeServer,
  { address }: OfficeMembership,
): Promise<readonly OfficeCheck[]> {
  const before = Date.now();
  const [found] = await query(sql, [], Found);
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
      said: encryption(found.encrypted, isLocal),
    },
    {
      check: 'role',
      ok: found.isPlain,
      said: found.isPlain
        ? 'The role of this seat has no rights beside those of a seat'
        : 'The role of this seat may do more than a seat needs: ask the administrator',
    },
    { check: 'schema', ok: true, said: `Version ${String(found.version)} of the schema` },
    {
      check: 'clock',
      ok: Math.abs(skew) < CLOCK_SLACK_MS,
      said: `The office’s clock differs from this computer’s by ${String(skew)} ms`,
    },
    { check: 'size', ok: true, said: size },
    { check: 'open', ok: true, said: `${String(found.open)} sends and acts are not settled` },
    { check: 'put-back', ok: found.awaited === 0, said: putBack(found) },
  ];
}

function putBack({ asOf, awaited }: Pick<z.infer<typeof Found>, 'asOf' | 'awaited'>): string {
  if (asOf === null) return 'The database was never put back to an older state';
  const state = `The database was put back to its state of ${new Date(asOf).toISOString()}`;
  return awaited === 0
    ? `${state}; its desks have told what they sent since`
    : `${state}; sends wait for ${String(awaited)} desks (office put-back)`;
}

function encryption(encrypted: boolean, isLocal: boolean): string {
  if (encrypted) return 'The connection is encrypted, and the server has proved who it is';
  return isLocal
    ? 'The server is on this computer: nothing leaves it'
    : 'The connection is not encrypted';
}

import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import * as z from 'zod';
import type {
  OfficeMembership,
  OfficeOwner,
  OfficeUserId,
} from '../../../shared/contract/office/office.ts';
import { AppError } from '../../../shared/errors.ts';
import { keyFor, newKey, wrapKey } from './keyring.ts';
import { runAsOwner } from './owner.ts';
import { officeGroupRole } from './rights.ts';
import type { OfficeKey } from './seal.ts';
import { readSeats } from './seats.ts';
import type { OfficeServer } from './server.ts';
import type { Statements } from './statements.ts';

interface SeatRemoval {
  readonly owner: OfficeOwner;
  readonly removed: OfficeUserId;
  readonly newest: OfficeKey;
  readonly keyOf: (version: number) => Promise<OfficeKey>;
  /** Public key of the user who removes the other user. */
  readonly recipient: string;
}

const Version = z.object({ version: z.number() });
/**
 * Role name as this program creates it; only these are accepted, since statements contain the name
 * unquoted.
 */
const RoleName = z.string().regex(/^[a-z0-9_]+$/u);
const RemovedSeatRow = z.object({ role: RoleName, isRemoved: z.boolean(), hasRole: z.boolean() });
const LeftoverRole = z.object({ role: RoleName });
const SessionCounts = z.object({ sessions: z.number(), mayCome: z.boolean() });

/** Timeout for waiting until a connection is free, and until sessions end (ms). */
const TIMEOUT_MS = 10_000;
const RETRY_MS = 100;
const TOO_MANY_CONNECTIONS = '53300';
/** Statement for skipping objects that another session has locked; they are dropped later. */
const SHORT_LOCK_TIMEOUT_SQL = "SET LOCAL lock_timeout = '1s'";

/**
 * Removes a user. First ends the user's rights, with statements that none of the user's sessions
 * can block. Then ends the sessions, as far as PostgreSQL ends them. Then gives the other users a
 * new key; a user whose public key cannot be read gets none. Content that the removed user wrote is
 * not read. Content sealed before stays readable for everyone who had the keys. Returns the number
 * of sessions that have not ended yet: they have no rights, but keep their locks until they end.
 */
export function removeSeat(
  { office, seat: own, address }: OfficeMembership,
  { owner, removed, newest, keyOf, recipient }: SeatRemoval,
): Promise<{ readonly sessions: number }> {
  if (removed === own) {
    throw new AppError(
      'conflict',
      'You are the user of this computer. Only another user can remove you',
    );
  }
  return runAsOwner(address, owner, async (server) => {
    const gone = await retryWhileFull(() => findSeat(server, removed));
    if (gone.hasRole) await revokeRights(server, gone.role, officeGroupRole(office));
    const sessions = gone.hasRole ? await endSessions(server, gone.role) : 0;
    if (!gone.isRemoved) {
      await server.transaction(async (within) => {
        await within.command('INSERT INTO seat_removal (seat) VALUES ($1)', [removed]);
        await within.command('SELECT finish_removals()');
        const [current] = await within.query(
          'UPDATE office SET key_version = key_version + 1 RETURNING key_version - 1 AS version',
          [],
          Version,
        );
        if (current?.version !== newest.version) {
          throw new AppError(
            'conflict',
            'The keys of the office were renewed in the meantime. Try again',
          );
        }
        const key = newKey(newest.version);
        for (const { row, about } of await readSeats(within, office, keyOf)) {
          const known = row.id === own ? recipient : about?.recipient;
          if (known === undefined) continue;
          await storeWrappedKey(within, office, row.id, keyFor(key, row.maySeeNumbers), known);
        }
      });
    }
    await dropRoles(server, office);
    return { sessions };
  });
}

async function findSeat(
  server: OfficeServer,
  removed: OfficeUserId,
): Promise<z.infer<typeof RemovedSeatRow>> {
  const [gone] = await server.query(
    `SELECT role, removed_at IS NOT NULL OR EXISTS (SELECT FROM seat_removal r WHERE r.seat = s.id)
       AS "isRemoved", EXISTS (SELECT FROM pg_roles WHERE rolname = s.role) AS "hasRole"
     FROM seat s WHERE id = $1`,
    [removed],
    RemovedSeatRow,
  );
  if (gone !== undefined && (!gone.isRemoved || gone.hasRole)) return gone;
  throw new AppError('not-found', 'The office has no such user');
}

/**
 * Runs `work`, and retries while the server has no free connection: none is reserved for the owner,
 * so users may have them all.
 */
async function retryWhileFull<Result>(work: () => Promise<Result>): Promise<Result> {
  for (const until = Date.now() + TIMEOUT_MS; ;) {
    try {
      return await work();
    } catch (error) {
      if (!isTooManyConnections(error)) throw error;
      if (Date.now() < until) {
        await setTimeout(RETRY_MS);
        continue;
      }
      const message =
        'The office’s server has no free connection, so the user was not removed. Ask its administrator to end some connections';
      throw new AppError('offline', message, { cause: error, reason: 'connection-lost' });
    }
  }
}

const isTooManyConnections = (error: unknown): boolean =>
  error instanceof AppError &&
  error.cause instanceof pg.DatabaseError &&
  error.cause.code === TOO_MANY_CONNECTIONS;

/**
 * Ends the rights of a user. Changes no row that a session of the user can lock, since the user may
 * have changed their own role in an open transaction.
 */
function revokeRights(server: OfficeServer, role: string, group: string): Promise<void> {
  return server.transaction(async ({ command }) => {
    await command(`REVOKE ${group} FROM ${role}`);
    // Only a member of a role may end its connections.
    await command(`GRANT ${role} TO CURRENT_USER`);
  });
}

/**
 * Ends the sessions of a role, also those that reconnect before the role loses the right to
 * connect. PostgreSQL does not end a session within a long expression, so the number of remaining
 * sessions is returned.
 */
async function endSessions(server: OfficeServer, role: string): Promise<number> {
  for (const until = Date.now() + TIMEOUT_MS; ;) {
    await executeIfPossible(server, `ALTER ROLE ${role} NOLOGIN`);
    await server.command(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1',
      [role],
    );
    const [left] = await server.query(
      `SELECT (SELECT count(*) FROM pg_stat_activity WHERE usename = $1) AS sessions,
         EXISTS (SELECT FROM pg_roles WHERE rolname = $1 AND rolcanlogin) AS "mayCome"`,
      [role],
      SessionCounts,
    );
    const { sessions, mayCome } = left ?? { sessions: 0, mayCome: false };
    if ((sessions === 0 && !mayCome) || Date.now() >= until) return sessions;
    await setTimeout(RETRY_MS);
  }
}

/**
 * Drops the roles of all users removed now or earlier, with everything that these roles own in this
 * database. A role that owns something in another database, or whose session still has locks, stays
 * without rights.
 */
export async function dropRoles(server: OfficeServer, office: string): Promise<void> {
  const left = await server.query(
    `SELECT s.role FROM seat s JOIN pg_roles r ON r.rolname = s.role
     WHERE s.removed_at IS NOT NULL OR EXISTS (SELECT FROM seat_removal n WHERE n.seat = s.id)`,
    [],
    LeftoverRole,
  );
  for (const { role } of left) {
    await revokeRights(server, role, officeGroupRole(office));
    await executeIfPossible(server, `ALTER ROLE ${role} NOLOGIN`);
    await executeIfPossible(server, `DROP OWNED BY ${role}; DROP ROLE ${role}`);
    await executeIfPossible(server, `REVOKE ${role} FROM CURRENT_USER`);
  }
}

/**
 * Runs a statement. Waits only briefly for other sessions, and ignores an error if the statement
 * cannot be executed now.
 */
const executeIfPossible = ({ command }: Statements, sql: string): Promise<void> =>
  command(`DO $$ BEGIN
    ${SHORT_LOCK_TIMEOUT_SQL};
    ${sql};
  EXCEPTION
    -- The last one: another session has changed the same since.
    WHEN dependent_objects_still_exist OR lock_not_available OR undefined_object OR internal_error THEN NULL;
  END $$`);

/** Wraps a key for a user and stores it. */
export async function storeWrappedKey(
  { command }: Statements,
  office: string,
  seat: string,
  key: OfficeKey,
  recipient: string,
): Promise<void> {
  const wrapped = await wrapKey(office, key, recipient);
  await command('INSERT INTO office_key VALUES ($1, $2, $3)', [key.version, seat, wrapped]);
}

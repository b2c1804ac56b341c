import * as z from 'zod';
import type {
  OfficeMembership,
  OfficeOwner,
  SeatId,
} from '../../../shared/contract/office/office.ts';
import { AppError } from '../../../shared/errors.ts';
import { keyFor, newKey, wrap } from './keyring.ts';
import { asOwner } from './owner.ts';
import { groupOf } from './rights.ts';
import type { OfficeKey } from './seal.ts';
import { readSeats } from './seats.ts';
import type { OfficeServer } from './server.ts';
import type { Statements } from './statements.ts';

interface Removal {
  readonly owner: OfficeOwner;
  readonly removed: SeatId;
  readonly newest: OfficeKey;
  readonly keyOf: (version: number) => Promise<OfficeKey>;
  /** Of the seat that removes. */
  readonly recipient: string;
}

const Version = z.object({ version: z.number() });
/** As this program names roles: they stand in statements as they are. */
const Role = z.object({ role: z.string().regex(/^[a-z0-9_]+$/u) });

/**
 * The role goes with its connections, and the others get a new key; a seat whose public key cannot be read gets none.
 * Nothing that the removed seat wrote is read. What was sealed before stays readable for whoever had the keys.
 */
export function removeSeat(
  { office, seat: own, address }: OfficeMembership,
  { owner, removed, newest, keyOf, recipient }: Removal,
): Promise<void> {
  if (removed === own) {
    throw new AppError('conflict', 'This is the seat of this desk: another one removes it');
  }
  return asOwner(address, owner, async (server) => {
    const [gone] = await server.query(
      'SELECT role FROM seat WHERE id = $1 AND removed_at IS NULL',
      [removed],
      Role,
    );
    if (gone === undefined) throw new AppError('not-found', 'There is no such seat');
    await endSessions(server, gone.role);
    await server.transaction(async (within) => {
      await within.command('UPDATE seat SET removed_at = clock_timestamp() WHERE id = $1', [
        removed,
      ]);
      await dropRole(within, gone.role, groupOf(office));
      const [current] = await within.query(
        'UPDATE office SET key_version = key_version + 1 RETURNING key_version - 1 AS version',
        [],
        Version,
      );
      if (current?.version !== newest.version) {
        throw new AppError('conflict', 'The office’s keys were renewed meanwhile: do it again');
      }
      const key = newKey(newest.version);
      for (const { row, about } of await readSeats(within, office, keyOf)) {
        const known = row.id === own ? recipient : about?.recipient;
        if (known === undefined) continue;
        await give(within, office, row.id, keyFor(key, row.maySeeNumbers), known);
      }
    });
  });
}

/**
 * Committed before anything else: a session that stays could hold the seat's row for ever, go on to listen, and come
 * back between its end and the removal.
 */
async function endSessions(server: OfficeServer, role: string): Promise<void> {
  await server.transaction(async ({ command }) => {
    await command(`ALTER ROLE ${role} NOLOGIN`);
    // Whoever has no role of another user may not end its connections.
    await command(`GRANT ${role} TO CURRENT_USER`);
  });
  const end = 'SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE usename = $1';
  await server.command(end, [role]);
}

/** What it owns in this database goes too. Where it owns something in another one, the role stays, and may nothing. */
function dropRole({ command }: Statements, role: string, group: string): Promise<void> {
  return command(`DO $$ BEGIN
    DROP OWNED BY ${role};
    DROP ROLE ${role};
  EXCEPTION WHEN dependent_objects_still_exist THEN
    REVOKE ${group} FROM ${role};
    REVOKE ${role} FROM CURRENT_USER;
  END $$`);
}

/** Wraps a key for a seat. */
export async function give(
  { command }: Statements,
  office: string,
  seat: string,
  key: OfficeKey,
  recipient: string,
): Promise<void> {
  const wrapped = await wrap(office, key, recipient);
  await command('INSERT INTO office_key VALUES ($1, $2, $3)', [key.version, seat, wrapped]);
}

import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import {
  type OfficeMembership,
  OfficeUserId,
  OfficeUserRight,
} from '../../../shared/contract/office/office.ts';
import { AppError, isCode } from '../../../shared/errors.ts';
import { toAsciiHost } from '../../../shared/rules/identifiers/service-address.ts';
import type { Offices } from '../../core/office/ports.ts';
import { openInvitation } from './invitation.ts';
import {
  keysOf,
  newClaimsSecret,
  newestOf,
  newIdentity,
  newKey,
  recipientOf,
  SeatSecret,
  wrapKey,
  toStoredKey,
} from './keyring.ts';
import { migrate } from './migrate.ts';
import { runAsOwner } from './owner.ts';
import { learnKeys } from './learned-keys.ts';
import { openSeat } from './open.ts';
import { grantRights, officeGroupRole } from './rights.ts';
import { changeOwnPassword, createRole, createPassword } from './roles.ts';
import { dropRoles } from './seat-removal.ts';
import { createSeatIds, insertSeat, updateSeat } from './seats.ts';
import { openOffice } from './server.ts';
import type { Statements } from './statements.ts';

const Id = z.object({ id: z.string() });

export const offices: Offices = {
  create: ({ address, owner, name, goesOnWithout }) =>
    runAsOwner(address, owner, async (server) => {
      await migrate(server);
      return server.transaction(async (within) => {
        const office = randomUUID();
        await createOfficeRows(within, address.database, office, goesOnWithout);
        const [key, identity, password] = [newKey(), await newIdentity(), createPassword()];
        const seat = createSeatIds(office);
        await createRole(within, { role: seat.role, group: officeGroupRole(office), password });
        const recipient = await recipientOf(identity);
        const order = { name, rights: OfficeUserRight.options, recipient };
        await insertSeat(within, { office, seat, order, key, isJoined: true });
        const wrapped = await wrapKey(office, key, recipient);
        await within.command('INSERT INTO office_key VALUES ($1, $2, $3)', [1, seat.id, wrapped]);
        const membership: OfficeMembership = {
          office,
          seat: OfficeUserId.parse(seat.id),
          desk: randomUUID(),
          name,
          address: { ...address, role: seat.role },
          goesOnWithout,
        };
        const keys = [toStoredKey(key)];
        const secret: SeatSecret = { password, identity, claims: newClaimsSecret(), keys };
        return { membership, secret: JSON.stringify(secret) };
      });
    }),
  async addressIn(text, phrase) {
    const { address } = (await openInvitation(text, phrase)).membership;
    return { ...address, host: toAsciiHost(address.host) };
  },
  async join(text, phrase) {
    const { membership: invited, secret } = await openInvitation(text, phrase);
    const membership = { ...invited, desk: randomUUID() };
    const server = openOffice(membership.address, async () => secret.password);
    try {
      return await server.transaction((within) => acceptSeat(within, membership, secret));
    } catch (error) {
      throw isSignInRefused(error) ? usedInvitationError(error) : error;
    } finally {
      await server.close();
    }
  },
  open: ({ membership, secret }, version, mark) =>
    openSeat(membership, SeatSecret.parse(JSON.parse(secret)), version, mark),
  upgrade: ({ address, office }, owner) =>
    runAsOwner(address, owner, async (server) => {
      await migrate(server);
      await server.transaction((within) => grantRights(within, office));
      await dropRoles(server, office);
    }),
};

async function createOfficeRows(
  within: Statements,
  database: string,
  office: string,
  goesOnWithout: boolean,
): Promise<void> {
  const made = await within.query(
    `INSERT INTO office (id, key_version, may_go_without) VALUES ($1, 1, $2)
     ON CONFLICT DO NOTHING RETURNING id`,
    [office, goesOnWithout],
    Id,
  );
  if (made.length === 0) {
    const message = 'This database already has an office. Ask for an invitation';
    throw new AppError('conflict', message);
  }
  const group = officeGroupRole(office);
  await within.command(`CREATE ROLE ${group} NOLOGIN`);
  await within.command(`GRANT CONNECT ON DATABASE ${database} TO ${group}`);
  await grantRights(within, office);
}

/**
 * Reserves the user for this computer, with a key pair and a password that the invitation does not
 * contain. The last statement changes the password, so that an earlier failure changes nothing.
 */
async function acceptSeat(within: Statements, membership: OfficeMembership, invited: SeatSecret) {
  const { office, seat } = membership;
  const taken = await within.query(
    `UPDATE seat SET joined_at = clock_timestamp() WHERE id = $1 AND joined_at IS NULL RETURNING id`,
    [seat],
    Id,
  );
  if (taken.length === 0) throw usedInvitationError();
  const [identity, password] = [await newIdentity(), createPassword()];
  const recipient = await recipientOf(identity);
  const { keys } = await learnKeys(within, membership, invited);
  const secret: SeatSecret = { ...invited, identity, password, keys };
  const all = keysOf(secret);
  const newest = newestOf(all);
  for (const key of all) {
    const wrapped = await wrapKey(office, key, recipient);
    await within.command('UPDATE office_key SET wrapped = $3 WHERE seat = $1 AND version = $2', [
      seat,
      key.version,
      wrapped,
    ]);
  }
  await updateSeat(within, { office, seat, name: membership.name, recipient, key: newest });
  await changeOwnPassword(within, password);
  return { membership, secret: JSON.stringify(secret) };
}

const isSignInRefused = (error: unknown): boolean => isCode(error, 'signed-out');

function usedInvitationError(cause?: unknown): AppError {
  const message =
    'This invitation was already used, or its user was removed. Ask for a new invitation';
  return new AppError('conflict', message, { reason: 'invitation-used', cause });
}

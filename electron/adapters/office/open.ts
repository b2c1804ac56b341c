import * as z from 'zod';
import { type OfficeMembership, OfficeUserId } from '../../../shared/contract/office/office.ts';
import { AppError } from '../../../shared/errors.ts';
import type { OpenOffice } from '../../core/office/ports.ts';
import type { OfficeMark } from '../../core/mark-ports.ts';
import { readActivity } from './activity.ts';
import { createApprovals } from './approvals.ts';
import { runOfficeChecks } from './checks.ts';
import { createBatchReports } from './batches.ts';
import { createClaims } from './claims.ts';
import { createEvidenceEnds } from './evidence-ends.ts';
import { createSharedFiles } from './files.ts';
import { createHandovers, type HandoverKeys } from './handovers.ts';
import { createHints } from './hints.ts';
import { sealInvitation } from './invitation.ts';
import { createSharedItems } from './items.ts';
import {
  keyFor,
  keysOf,
  newestOf,
  newIdentity,
  recipientOf,
  type SeatSecret,
  unwrapHandoverKey,
  wrapHandoverKey,
  toStoredKey,
} from './keyring.ts';
import { createLearnedKeys, learnKeys } from './learned-keys.ts';
import { createLeases } from './leases.ts';
import { visitOffice } from './marks.ts';
import { newerOfficeError, assertSupportedServer, SCHEMA_VERSION } from './schema.ts';
import { runAsOwner } from './owner.ts';
import { createRestoreReports } from './put-backs.ts';
import { officeGroupRole } from './rights.ts';
import { createRole, createPassword } from './roles.ts';
import { claimKey, type OfficeKey } from './seal.ts';
import { FileNamesByItem } from './sealed-item.ts';
import { storeWrappedKey, removeSeat } from './seat-removal.ts';
import { createSeatIds, readSeats, insertSeat, seatNames, listShownSeats } from './seats.ts';
import { type OfficeServer, openOffice } from './server.ts';

const Version = z.object({ version: z.number() });
const Seat = z.object({ id: OfficeUserId });

/** Connects to the office as the user; closes the connection again if a check fails. */
export async function openSeat(
  membership: OfficeMembership,
  secret: SeatSecret,
  version: string,
  mark: OfficeMark,
): Promise<OpenOffice> {
  const server = openOffice(membership.address, async () => secret.password);
  try {
    await assertSupportedServer(server);
    await assertSameSchema(server);
    await assertSeatExists(server);
    const learned = await learnKeys(server, membership, secret);
    await visitOffice(server, { ...membership, version }, mark);
    return createOpenOffice(server, membership, learned, {
      version,
      mark,
      isNew: learned.keys.length > secret.keys.length,
    });
  } catch (error) {
    await server.close();
    throw error;
  }
}

interface OpeningContext {
  readonly version: string;
  readonly mark: OfficeMark;
  readonly isNew: boolean;
}

function createOpenOffice(
  reached: OfficeServer,
  membership: OfficeMembership,
  opened: SeatSecret,
  { version, mark, isNew }: OpeningContext,
): OpenOffice {
  const { office, desk, seat } = membership;
  const { server, keys } = createLearnedKeys(reached, membership, opened);
  const { keyOf } = keys;
  const newestKey = (): OfficeKey => newestOf(keysOf(keys.secret));
  const context = { office, desk, seat, newestKey, mark, keyOf };
  const claims = createClaims(server, context);
  const handoverKeys: HandoverKeys = {
    async make(to) {
      const seats = await readSeats(server, office, keyOf);
      const other = seats.find(({ row }) => row.id === to)?.about;
      if (other === undefined || other === null) throw unreadableSeatError();
      return wrapHandoverKey(office, [await recipientOf(keys.secret.identity), other.recipient]);
    },
    open: (wrapped) => unwrapHandoverKey(office, wrapped, keys.secret.identity),
  };
  const unreadable = new Map<string, OfficeUserId>();
  const claimsSecret = Buffer.from(keys.secret.claims, 'base64');
  return {
    joined: {
      desk,
      claims,
      leases: createLeases(server, { ...context, name: membership.name }),
      claimKey: (parts) => claimKey(claimsSecret, parts),
      goesOnWithout: membership.goesOnWithout,
    },
    ...createSharedStores(server, { ...context, unreadable }, claimsSecret),
    handovers: createHandovers(server, { ...context, handoverKeys }),
    approvals: createApprovals(server, context),
    batches: createBatchReports(server, context),
    evidenceEnds: createEvidenceEnds(server, context),
    putBacks: createRestoreReports(server, context),
    ...createHints(server, desk),
    renewedSecret: isNew ? JSON.stringify(keys.secret) : null,
    async visit() {
      await visitOffice(server, { ...membership, version }, mark);
      await keys.learn();
      return keys.toSave();
    },
    seats: () => listShownSeats(server, membership, keyOf),
    seatNames: () => seatNames(server, office, keyOf),
    checks: () => runOfficeChecks(server, membership, unreadable),
    activity: (page) => readActivity(server, context, page),
    invite: async (order) => {
      await keys.learn();
      return inviteUser(membership, keys.secret, order);
    },
    remove: async (owner, removed) => {
      const recipient = await recipientOf(keys.secret.identity);
      return removeSeat(membership, { owner, removed, newest: newestKey(), keyOf, recipient });
    },
    close: () => server.close(),
  };
}

function createSharedStores(
  server: OfficeServer,
  context: Parameters<typeof createSharedItems>[1],
  claimsSecret: Uint8Array,
): Pick<OpenOffice, 'items' | 'files'> {
  const shared = { ...context, givenNames: new FileNamesByItem() };
  const nameOf = (...parts: readonly string[]) => claimKey(claimsSecret, ['file', ...parts]);
  return {
    items: createSharedItems(server, shared),
    files: createSharedFiles(server, { ...shared, nameOf }),
  };
}

/**
 * Compares versions. Throws 'newer-data' if the office is newer than this program, and 'conflict'
 * if the office must be upgraded first.
 */
async function assertSameSchema({ query }: OfficeServer): Promise<void> {
  const [found] = await query('SELECT version FROM schema_version', [], Version);
  if (found === undefined) throw new AppError('not-found', 'There is no office in this database');
  if (found.version > SCHEMA_VERSION) throw newerOfficeError();
  if (found.version === SCHEMA_VERSION) return;
  const message = 'The office has an older version. Its owner must upgrade it (office upgrade)';
  throw new AppError('conflict', message);
}

/**
 * Throws 'not-found' with 'office-seat-lost' if the PostgreSQL role exists but the restored
 * database does not contain its user.
 */
async function assertSeatExists({ query }: OfficeServer): Promise<void> {
  const found = await query('SELECT id FROM seat WHERE role = session_user', [], Seat);
  if (found.length > 0) return;
  const message =
    'The office’s database was restored from a backup that is older than this user. Leave the office, and join it again with a new invitation';
  throw new AppError('not-found', message, { reason: 'office-seat-lost' });
}

function inviteUser(
  membership: OfficeMembership,
  secret: SeatSecret,
  { owner, name, rights }: Parameters<OpenOffice['invite']>[0],
): ReturnType<OpenOffice['invite']> {
  const { office, address } = membership;
  const maySeeNumbers = rights.includes('numbers');
  if (maySeeNumbers && newestOf(keysOf(secret)).numbers === null) {
    const message = 'Only a user who may see personal numbers can give that right to others';
    throw new AppError('forbidden', message);
  }
  return runAsOwner(address, owner, async (server) => {
    const [identity, password, seat] = [
      await newIdentity(),
      createPassword(),
      createSeatIds(office),
    ];
    const recipient = await recipientOf(identity);
    const keys = keysOf(secret).map((key) => keyFor(key, maySeeNumbers));
    await server.transaction(async (within) => {
      await createRole(within, { role: seat.role, group: officeGroupRole(office), password });
      const order = { name, rights, recipient };
      await insertSeat(within, { office, seat, order, key: newestOf(keys), isJoined: false });
      for (const key of keys) await storeWrappedKey(within, office, seat.id, key, recipient);
    });
    const invited = { ...membership, name, address: { ...address, role: seat.role } };
    const { desk: _desk, seat: _seat, ...rest } = invited;
    const id = OfficeUserId.parse(seat.id);
    const sealed = await sealInvitation({
      membership: { ...rest, seat: id },
      secret: { ...secret, keys: keys.map(toStoredKey), identity, password },
    });
    return { seat: id, role: seat.role, ...sealed };
  });
}

const unreadableSeatError = (): AppError =>
  new AppError('storage', 'That user was removed, or its details cannot be read', {
    reason: 'data-damaged',
  });

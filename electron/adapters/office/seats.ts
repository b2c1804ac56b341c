import { randomUUID } from 'node:crypto';
import * as z from 'zod';

import {
  type OfficeMembership,
  type OfficeUser,
  OfficeUserId,
  type OfficeUserRight,
} from '../../../shared/contract/office/office.ts';
import { epochMillisSql } from './columns.ts';
import { isRecipient } from './keyring.ts';
import { type OfficeKey, nullIfUnreadable, sealText, unsealText } from './seal.ts';
import type { Statements } from './statements.ts';
import { EXCESS_COMBINING_MARKS } from '../../../shared/rules/text/long-marks.ts';

/**
 * Number of digits of a user's ID in a role name. A role name has at most 63 characters, and no
 * hyphen unless quoted.
 */
const ROLE_DIGITS = 12;

/**
 * Name and public key of a user, sealed with the office's key so that the server can exchange
 * neither.
 */
const About = z.object({ name: z.string(), recipient: z.string().refine(isRecipient) });
/**
 * Number of digits of a user's ID that are shown after a name if another user has the same name.
 */
const SHOWN_DIGITS = 8;

interface NewSeat {
  readonly id: string;
  readonly role: string;
}

export function createSeatIds(office: string): NewSeat {
  const id = randomUUID();
  const digits = id.replaceAll('-', '').slice(0, ROLE_DIGITS);
  return { id, role: `signing_desk_${office.slice(0, 8)}_${digits}` };
}

const sealedFor = (office: string, id: string) => ({ office, kind: 'seat', id, version: 1 });

/** Inserts a new user, as the owner. */
export function insertSeat(
  { command }: Statements,
  {
    office,
    seat,
    order: { name, rights, recipient },
    key,
    isJoined,
  }: {
    readonly office: string;
    readonly seat: NewSeat;
    readonly order: {
      readonly name: string;
      readonly rights: readonly OfficeUserRight[];
      readonly recipient: string;
    };
    readonly key: OfficeKey;
    readonly isJoined: boolean;
  },
): Promise<void> {
  const sealed = sealText(key, sealedFor(office, seat.id), JSON.stringify({ name, recipient }));
  const may = (right: OfficeUserRight): boolean => rights.includes(right);
  return command(
    `INSERT INTO seat (id, role, may_send, may_sign, may_see_numbers,
       may_change_templates, sealed, key_version, joined_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, CASE WHEN $9 THEN clock_timestamp() END)`,
    [
      seat.id,
      seat.role,
      ...(['send', 'sign', 'numbers', 'templates'] as const).map(may),
      sealed,
      key.version,
      isJoined,
    ],
  );
}

/** Replaces the sealed name and public key of a user, on the user's own computer. */
export function updateSeat(
  { command }: Statements,
  {
    office,
    seat,
    name,
    recipient,
    key,
  }: Readonly<Record<'office' | 'seat' | 'name' | 'recipient', string>> & {
    readonly key: OfficeKey;
  },
): Promise<void> {
  const sealed = sealText(key, sealedFor(office, seat), JSON.stringify({ name, recipient }));
  const values = [seat, sealed, key.version];
  return command('UPDATE seat SET sealed = $2, key_version = $3 WHERE id = $1', values);
}

const Row = z.object({
  id: OfficeUserId,
  role: z.string(),
  maySend: z.boolean(),
  maySign: z.boolean(),
  maySeeNumbers: z.boolean(),
  mayChangeTemplates: z.boolean(),
  sealed: z.instanceof(Uint8Array),
  keyVersion: z.number(),
  joinedAt: z.number().nullable(),
  isRemoved: z.boolean(),
});
const DeskRow = z.object({
  id: z.uuid(),
  seat: OfficeUserId,
  version: z.string(),
  seenAt: z.number(),
  open: z.number(),
});

export interface KnownSeat {
  readonly row: z.infer<typeof Row>;
  /**
   * Content of the row; null if the user wrote unreadable content, which does not affect other
   * users.
   */
  readonly about: z.infer<typeof About> | null;
}

/** Returns the users that were not removed, in the order of their creation. */
export async function readSeats(
  statements: Pick<Statements, 'query'>,
  office: string,
  keyOf: (version: number) => Promise<OfficeKey>,
): Promise<readonly KnownSeat[]> {
  return (await readAllSeats(statements, office, keyOf)).filter(({ row }) => !row.isRemoved);
}

/** Returns the names of current and removed users, without unreadable ones. */
export async function seatNames(
  statements: Pick<Statements, 'query'>,
  office: string,
  keyOf: (version: number) => Promise<OfficeKey>,
): Promise<ReadonlyMap<OfficeUserId, string>> {
  return namesOf(await readAllSeats(statements, office, keyOf));
}

/**
 * Returns a user's name, followed by the beginning of the ID if another user has the same name,
 * since each user chooses their own name. The name of a removed user is compared with the names of
 * all users.
 */
function namesOf(seats: readonly KnownSeat[]): ReadonlyMap<OfficeUserId, string> {
  const names = new Map<OfficeUserId, string>();
  for (const { row, about } of seats) {
    if (about === null) continue;
    const isTwice = seats.some(
      (other) =>
        other.row.id !== row.id &&
        (row.isRemoved || !other.row.isRemoved) &&
        other.about !== null &&
        normalizedNameOf(other.about.name) === normalizedNameOf(about.name),
    );
    names.set(row.id, isTwice ? `${about.name} ${shortIdSuffix(row.id)}` : about.name);
  }
  return names;
}

const shortIdSuffix = (id: string): string => `(${id.slice(0, SHOWN_DIGITS)})`;

/**
 * Normalizes a name, so that names that look the same are equal: in another case, with other or
 * invisible spaces, or with wide characters.
 */
const normalizedNameOf = (name: string): string =>
  name
    .replaceAll(EXCESS_COMBINING_MARKS, '')
    .normalize('NFKC')
    .replaceAll(/[\p{Z}\p{C}]+/gu, '')
    .toLowerCase();

async function readAllSeats(
  statements: Pick<Statements, 'query'>,
  office: string,
  keyOf: (version: number) => Promise<OfficeKey>,
): Promise<readonly KnownSeat[]> {
  const seats: KnownSeat[] = [];
  for (const row of await readSeatRows(statements)) {
    seats.push({ row, about: await nullIfUnreadable(() => readSeatAbout(office, row, keyOf)) });
  }
  return seats;
}

async function readSeatAbout(
  office: string,
  { id, keyVersion, sealed }: z.infer<typeof Row>,
  keyOf: (version: number) => Promise<OfficeKey>,
): Promise<z.infer<typeof About>> {
  const text = unsealText(await keyOf(keyVersion), sealedFor(office, id), sealed);
  return About.parse(JSON.parse(text));
}

function readSeatRows({
  query,
}: Pick<Statements, 'query'>): Promise<readonly z.infer<typeof Row>[]> {
  return query(
    `SELECT id, role, may_send AS "maySend", may_sign AS "maySign",
       may_see_numbers AS "maySeeNumbers", may_change_templates AS "mayChangeTemplates", sealed, key_version AS "keyVersion", ${epochMillisSql('joined_at')} AS "joinedAt",
       removed_at IS NOT NULL OR EXISTS (SELECT FROM seat_removal r WHERE r.seat = seat.id)
         AS "isRemoved"
     FROM seat ORDER BY invited_at, id`,
    [],
    Row,
  );
}

export async function listShownSeats(
  statements: Pick<Statements, 'query'>,
  { office, seat: own, desk: here }: OfficeMembership,
  keyOf: (version: number) => Promise<OfficeKey>,
): Promise<readonly OfficeUser[]> {
  const seats = await readSeats(statements, office, keyOf);
  const desks = await statements.query(
    `SELECT d.id, d.seat, d.version, ${epochMillisSql('d.seen_at')} AS "seenAt",
       (SELECT count(*) FROM operation o WHERE o.desk = d.id AND o.state IN ('claimed', 'unknown'))
         AS open
     FROM desk d WHERE is_desks_id(d.id) ORDER BY d.seen_at DESC`,
    [],
    DeskRow,
  );
  const names = namesOf(seats);
  return seats.map(({ row }): OfficeUser => {
    const rights: OfficeUserRight[] = [];
    if (row.maySend) rights.push('send');
    if (row.maySign) rights.push('sign');
    if (row.maySeeNumbers) rights.push('numbers');
    if (row.mayChangeTemplates) rights.push('templates');
    return {
      id: row.id,
      name: names.get(row.id) ?? shortIdSuffix(row.id),
      rights,
      joinedAt: row.joinedAt,
      isOwn: row.id === own,
      desks: desks
        .filter(({ seat }) => seat === row.id)
        .map(({ seat: _seat, ...desk }) => ({ ...desk, isThis: desk.id === here })),
    };
  });
}

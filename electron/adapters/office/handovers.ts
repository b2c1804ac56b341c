import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import * as z from 'zod';
import { HandoverKind } from '../../../shared/contract/office/handovers.ts';
import { OfficeUserId } from '../../../shared/contract/office/office.ts';
import { AppError } from '../../../shared/errors.ts';

import type { Handover, OfficeHandovers } from '../../core/office/handover/ports.ts';
import { readRowsInParts } from './answers.ts';
import type { ClaimContext } from './claims.ts';
import { epochMillisSql } from './columns.ts';
import { joinPieces, pieceAt, piecesOf } from './pieces.ts';
import {
  nullIfUnreadable,
  sealText,
  sealBytes,
  type SealedFor,
  unsealText,
  unsealBytes,
} from './seal.ts';
import type { Transactions } from './server.ts';

const sql = {
  give: `
    INSERT INTO handover
      (id, kind, what, revision, from_desk, from_seat, to_seat, sealed, key_version, pieces, wrapped)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
    ON CONFLICT (from_desk, what, revision) WHERE taken_at IS NULL DO NOTHING RETURNING id`,
  waitsFor: `
    SELECT id, to_seat AS "to" FROM handover
    WHERE from_desk = $1 AND what = $2 AND revision = $3 AND taken_at IS NULL`,
  piece: 'INSERT INTO handover_piece (handover, place, sealed) VALUES ($1, $2, $3)',
  one: `
    SELECT kind, to_seat AS "to", key_version AS "keyVersion", pieces, wrapped FROM handover
    WHERE id = $1 AND taken_at IS NULL`,
  read: 'SELECT sealed FROM handover_piece WHERE handover = $1 AND place = $2',
  take: `
    UPDATE handover SET taken_at = clock_timestamp() WHERE id = $1 AND taken_at IS NULL
    RETURNING id`,
  known: `
    SELECT id, to_seat AS "to", taken_at IS NOT NULL AS "isTaken" FROM handover
    WHERE id = ANY ($1::uuid[])`,
};

const listedHandovers = {
  id: 'id::text',
  columns: `id, kind, from_seat AS "from", to_seat AS "to", sealed, key_version AS "keyVersion",
    wrapped, ${epochMillisSql('given_at')} AS "givenAt"`,
  bytes: 'octet_length(sealed) + coalesce(octet_length(wrapped), 0)',
  from: 'FROM handover WHERE taken_at IS NULL AND (to_seat = $1 OR from_seat = $1)',
  order: 'given_at, id',
};

const Id = z.object({ id: z.uuid() });
const GivenHandoverRow = z.object({
  kind: HandoverKind,
  to: OfficeUserId,
  keyVersion: z.number(),
  pieces: z.number(),
  /** Key of the handover; null if an older version of the program handed it over. */
  wrapped: z.instanceof(Uint8Array).nullable(),
});
type GivenHandoverRow = z.infer<typeof GivenHandoverRow>;
const KnownHandoverRow = Id.extend({ to: OfficeUserId, isTaken: z.boolean() });
const Row = Id.extend({
  kind: HandoverKind,
  from: OfficeUserId,
  to: OfficeUserId,
  sealed: z.instanceof(Uint8Array),
  keyVersion: z.number(),
  wrapped: GivenHandoverRow.shape.wrapped,
  givenAt: z.number(),
});
const Piece = z.object({ sealed: z.instanceof(Uint8Array) });
const About = z.object({ title: z.string(), note: z.string() });

/**
 * Creates and opens a separate key for each handover, so that third users cannot read it
 * with their own keys.
 */
export interface HandoverKeys {
  /** Creates a key, wrapped for this user and another one. */
  make(to: OfficeUserId): Promise<{ readonly key: Uint8Array; readonly wrapped: Uint8Array }>;
  /**
   * Opens a wrapped key. Throws 'storage' with 'data-damaged' if it was not wrapped for this user.
   */
  open(wrapped: Uint8Array): Promise<Uint8Array>;
}

interface HandoverContext extends ClaimContext {
  readonly handoverKeys: HandoverKeys;
}

/**
 * Returns a binding to the kind and the recipient, so that the server cannot give the handover to
 * another user.
 */
const sealedForAbout =
  (office: string) =>
  ({ id, kind, to }: Pick<Handover, 'id' | 'kind' | 'to'>): SealedFor => ({
    office,
    kind: `handover of a ${kind} to ${to}`,
    id,
    version: 1,
  });

/**
 * Returns a binding that includes the number of pieces, so that no piece can be omitted at the end.
 */
const sealedForPiece =
  (office: string) =>
  (
    id: string,
    { kind, to, pieces }: Pick<GivenHandoverRow, 'kind' | 'to' | 'pieces'>,
    place: number,
  ): SealedFor => ({
    office,
    kind: `handover of a ${kind} to ${to}, piece of ${String(pieces)}`,
    id,
    version: place,
  });

/**
 * Opens each key once. Opening takes a millisecond of CPU time, and the list is read again at each
 * change of the office. Failures are cached too.
 */
class HandoverKeyCache {
  readonly #keys: HandoverKeys;
  readonly #opened = new Map<string, Promise<Uint8Array>>();

  constructor(keys: HandoverKeys) {
    this.#keys = keys;
  }

  async open(wrapped: Uint8Array): Promise<Uint8Array> {
    const name = sha256(wrapped);
    const known = this.#opened.get(name);
    if (known !== undefined) return known;
    // The window can respond before the next key is opened.
    await setImmediate();
    const opening = this.#keys.open(wrapped);
    this.#opened.set(name, opening);
    return opening;
  }

  /** Forgets the keys of handovers that no longer wait. */
  keepOnly(waiting: readonly Uint8Array[]): void {
    const names = new Set(waiting.map(sha256));
    for (const name of this.#opened.keys()) if (!names.has(name)) this.#opened.delete(name);
  }
}

const sha256 = (data: Uint8Array): string => createHash('sha256').update(data).digest('base64');

export function createHandovers(
  server: Transactions,
  { office, desk, seat, newestKey, keyOf, handoverKeys }: HandoverContext,
): OfficeHandovers {
  const opened = new HandoverKeyCache(handoverKeys);
  const keyFor = async ({
    keyVersion,
    wrapped,
  }: Pick<GivenHandoverRow, 'keyVersion' | 'wrapped'>) =>
    wrapped === null ? keyOf(keyVersion) : { version: keyVersion, key: await opened.open(wrapped) };
  const about = sealedForAbout(office);
  const piece = sealedForPiece(office);
  return {
    async give({ id, kind, what, revision, to, title, note, data }) {
      const { version } = newestKey();
      const { key: own, wrapped } = await handoverKeys.make(to);
      const key = { version, key: own };
      const pieces = piecesOf(data);
      return server.transaction(async ({ query, command }) => {
        const text = JSON.stringify({ title, note });
        const sealed = sealText(key, about({ id, kind, to }), text);
        const whose = [id, kind, what, revision, desk, seat, to];
        const values = [...whose, sealed, version, pieces, wrapped];
        const given = await query(sql.give, values, Id);
        if (given.length === 0) {
          const [waiting] = await query(
            sql.waitsFor,
            [desk, what, revision],
            Id.extend({ to: OfficeUserId }),
          );
          // The draft was handed over already; only the reply was lost.
          if (waiting?.to === to) return waiting.id;
          throw new AppError(
            'conflict',
            'This item is already handed over and waits for another user. Withdraw that handover first',
          );
        }
        for (let place = 0; place < pieces; place += 1) {
          const sealed = sealBytes(
            key,
            piece(id, { kind, to, pieces }, place),
            pieceAt(data, place),
          );
          await command(sql.piece, [id, place, sealed]);
        }
        return id;
      });
    },
    async list() {
      const waiting: Handover[] = [];
      const rows = await readRowsInParts(server, listedHandovers, [seat], Row);
      for (const found of rows) {
        const { sealed, keyVersion: _version, wrapped: _wrapped, ...row } = found;
        const read = await nullIfUnreadable(async () =>
          About.parse(JSON.parse(unsealText(await keyFor(found), about(row), sealed))),
        );
        waiting.push({ ...row, title: read?.title ?? null, note: read?.note ?? '' });
      }
      opened.keepOnly(rows.flatMap(({ wrapped }) => wrapped ?? []));
      return waiting;
    },
    async read(id) {
      const [found] = await server.query(sql.one, [id], GivenHandoverRow);
      if (found === undefined) throw handoverEndedError();
      const { pieces } = found;
      const key = await keyFor(found);
      return joinPieces(async (place) => {
        const [row] = await server.query(sql.read, [id, place], Piece);
        if (row === undefined) throw handoverEndedError();
        return { pieces, data: unsealBytes(key, piece(id, found, place), row.sealed) };
      });
    },
    // The database removes the pieces of the handover.
    take: async (id) => (await server.query(sql.take, [id], Id)).length > 0,
    ended: (ids) => findEndedHandovers(server, ids),
  };
}

async function findEndedHandovers(
  { query }: Transactions,
  ids: readonly string[],
): ReturnType<OfficeHandovers['ended']> {
  const known = ids.length === 0 ? [] : await query(sql.known, [ids], KnownHandoverRow);
  return {
    taken: new Map(known.flatMap(({ id, to, isTaken }) => (isTaken ? [[id, to]] : []))),
    unknown: ids.filter((id) => !known.some((one) => one.id === id)),
  };
}

const handoverEndedError = (): AppError =>
  new AppError('not-found', 'This handover was already accepted, or its sender withdrew it');

import * as z from 'zod';
import { HandoverKind } from '../../../shared/contract/office/handovers.ts';
import { SeatId } from '../../../shared/contract/office/office.ts';
import { AppError } from '../../../shared/errors.ts';
import type { Handover, OfficeHandovers } from '../../core/office/ports.ts';
import type { ClaimContext } from './claims.ts';
import { millis } from './columns.ts';
import { fromPieces, pieceAt, piecesOf } from './pieces.ts';
import { seal, sealBytes, type SealedFor, unseal, unsealBytes } from './seal.ts';
import type { Transactions } from './server.ts';

const sql = {
  give: `
    INSERT INTO handover
      (id, kind, what, revision, from_desk, from_seat, to_seat, sealed, key_version, pieces)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
    ON CONFLICT (from_desk, what, revision) WHERE taken_at IS NULL DO NOTHING RETURNING id`,
  waitsFor: `
    SELECT id, to_seat AS "to" FROM handover
    WHERE from_desk = $1 AND what = $2 AND revision = $3 AND taken_at IS NULL`,
  piece: 'INSERT INTO handover_piece (handover, place, sealed) VALUES ($1, $2, $3)',
  list: `
    SELECT id, kind, from_seat AS "from", to_seat AS "to", sealed, key_version AS "keyVersion",
      ${millis('given_at')} AS "givenAt"
    FROM handover
    WHERE taken_at IS NULL AND (to_seat = $1 OR from_seat = $1) ORDER BY given_at, id`,
  one: `
    SELECT kind, to_seat AS "to", key_version AS "keyVersion", pieces FROM handover
    WHERE id = $1 AND taken_at IS NULL`,
  read: 'SELECT sealed FROM handover_piece WHERE handover = $1 AND place = $2',
  take: `
    UPDATE handover SET taken_at = clock_timestamp() WHERE id = $1 AND taken_at IS NULL
    RETURNING id`,
  known: `
    SELECT id, to_seat AS "to", taken_at IS NOT NULL AS "isTaken" FROM handover
    WHERE id = ANY ($1::uuid[])`,
  removePieces: 'DELETE FROM handover_piece WHERE handover = $1',
};

const Id = z.object({ id: z.uuid() });
const Given = z.object({
  kind: HandoverKind,
  to: SeatId,
  keyVersion: z.number(),
  pieces: z.number(),
});
type Given = z.infer<typeof Given>;
const Known = Id.extend({ to: SeatId, isTaken: z.boolean() });
const Row = Id.extend({
  kind: HandoverKind,
  from: SeatId,
  to: SeatId,
  sealed: z.instanceof(Uint8Array),
  keyVersion: z.number(),
  givenAt: z.number(),
});
const Piece = z.object({ sealed: z.instanceof(Uint8Array) });
const About = z.object({ title: z.string(), note: z.string() });

/** See `OfficeHandovers`. */
export function createHandovers(
  server: Transactions,
  { office, desk, seat, newestKey, keyOf }: ClaimContext,
): OfficeHandovers {
  /** What it is and for whom is part of it: its server gives it to nobody else. */
  const about = ({ id, kind, to }: Pick<Handover, 'id' | 'kind' | 'to'>): SealedFor => ({
    office,
    kind: `handover of a ${kind} to ${to}`,
    id,
    version: 1,
  });
  /** So is how many pieces there are: none can be left out at the end. */
  const piece = (
    id: string,
    { kind, to, pieces }: Pick<Given, 'kind' | 'to' | 'pieces'>,
    place: number,
  ) => ({
    office,
    kind: `handover of a ${kind} to ${to}, piece of ${String(pieces)}`,
    id,
    version: place,
  });
  return {
    async give({ id, kind, what, revision, to, title, note, data }) {
      const key = newestKey();
      const pieces = piecesOf(data);
      return server.transaction(async ({ query, command }) => {
        const text = JSON.stringify({ title, note });
        const sealed = seal(key, about({ id, kind, to }), text);
        const values = [id, kind, what, revision, desk, seat, to, sealed, key.version, pieces];
        const given = await query(sql.give, values, Id);
        if (given.length === 0) {
          const [waiting] = await query(
            sql.waitsFor,
            [desk, what, revision],
            Id.extend({ to: SeatId }),
          );
          // Given already, and the reply was lost.
          if (waiting?.to === to) return waiting.id;
          throw new AppError('conflict', 'It waits for another seat: take it back first');
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
      for (const { sealed, keyVersion, ...row } of await server.query(sql.list, [seat], Row)) {
        const text = unseal(await keyOf(keyVersion), about(row), sealed);
        waiting.push({ ...row, ...About.parse(JSON.parse(text)) });
      }
      return waiting;
    },
    async read(id) {
      const [found] = await server.query(sql.one, [id], Given);
      if (found === undefined) throw gone();
      const { pieces, keyVersion } = found;
      const key = await keyOf(keyVersion);
      return fromPieces(async (place) => {
        const [row] = await server.query(sql.read, [id, place], Piece);
        if (row === undefined) throw gone();
        return { pieces, data: unsealBytes(key, piece(id, found, place), row.sealed) };
      });
    },
    async take(id) {
      return server.transaction(async ({ query, command }) => {
        if ((await query(sql.take, [id], Id)).length === 0) return false;
        await command(sql.removePieces, [id]);
        return true;
      });
    },
    ended: (ids) => ended(server, ids),
  };
}

async function ended(
  { query }: Transactions,
  ids: readonly string[],
): ReturnType<OfficeHandovers['ended']> {
  const known = ids.length === 0 ? [] : await query(sql.known, [ids], Known);
  return {
    taken: new Map(known.flatMap(({ id, to, isTaken }) => (isTaken ? [[id, to]] : []))),
    unknown: ids.filter((id) => !known.some((one) => one.id === id)),
  };
}

const gone = (): AppError =>
  new AppError('not-found', 'It was taken already, or taken back by whoever gave it');

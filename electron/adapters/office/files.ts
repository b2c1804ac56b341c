import * as z from 'zod';
import { AppError } from '../../../shared/errors.ts';
import type { FileOwner, SharedFiles } from '../../core/office/ports.ts';
import type { ClaimContext } from './claims.ts';
import { fromPieces, pieceAt, piecesOf } from './pieces.ts';
import {
  numbersKey,
  type OfficeKey,
  sealBytes,
  type SealedFor,
  type SealingKey,
  unsealBytes,
} from './seal.ts';
import type { Transactions } from './server.ts';

/** Templates share their files; each draft has its own, and takes them along when it goes. */
const sql = {
  template: {
    count: 'SELECT count(*)::int AS found FROM shared_file WHERE file = $1',
    put: `
      INSERT INTO shared_file (file, place, pieces, sealed, key_version)
      VALUES ($1, $2, $3, $4, $5) ON CONFLICT (file, place) DO NOTHING`,
    read: `
      SELECT pieces, sealed, key_version AS "keyVersion" FROM shared_file
      WHERE file = $1 AND place = $2`,
  },
  draft: {
    count: 'SELECT count(*)::int AS found FROM draft_file WHERE file = $1 AND draft = $2',
    put: `
      INSERT INTO draft_file (file, place, pieces, sealed, key_version, draft)
      VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (draft, file, place) DO NOTHING`,
    read: `
      SELECT pieces, sealed, key_version AS "keyVersion" FROM draft_file
      WHERE file = $1 AND place = $2 AND draft = $3`,
  },
};

const Count = z.object({ found: z.number() });
const Piece = z.object({
  pieces: z.number(),
  sealed: z.instanceof(Uint8Array),
  keyVersion: z.number(),
});

interface FileContext extends Pick<ClaimContext, 'office' | 'newestKey' | 'keyOf'> {
  /** 32 bytes of a file's hash that say nothing to the server. */
  readonly nameOf: (sha256: string) => Uint8Array;
}

/** See `SharedFiles`. */
export function createSharedFiles(
  server: Transactions,
  { office, newestKey, keyOf, nameOf }: FileContext,
): SharedFiles {
  /** Its last value in each statement, where it has one of its own. */
  const ownerOf = ({ kind, id }: FileOwner): readonly string[] => (kind === 'draft' ? [id] : []);
  const keyFor = ({ kind }: FileOwner, key: OfficeKey): SealingKey =>
    kind === 'draft' ? numbersKey(key) : key;
  const piece = (owner: FileOwner, sha256: string, place: number, of: number): SealedFor => ({
    office,
    kind: [`file piece of ${String(of)}`, ...ownerOf(owner)].join(' of '),
    id: sha256,
    version: place,
  });
  return {
    async put(owner, sha256, data) {
      const [file, own] = [nameOf(sha256), ownerOf(owner)];
      const pieces = piecesOf(data);
      const { count, put } = sql[owner.kind];
      const key = keyFor(owner, newestKey());
      await server.transaction(async ({ query, command }) => {
        const [found] = await query(count, [file, ...own], Count);
        if (found?.found === pieces) return;
        for (let place = 0; place < pieces; place += 1) {
          const about = piece(owner, sha256, place, pieces);
          const sealed = sealBytes(key, about, pieceAt(data, place));
          await command(put, [file, place, pieces, sealed, key.version, ...own]);
        }
      });
    },
    read: (owner, sha256) =>
      fromPieces(async (place) => {
        const values = [nameOf(sha256), place, ...ownerOf(owner)];
        const [found] = await server.query(sql[owner.kind].read, values, Piece);
        if (found === undefined) throw missing(owner);
        const { pieces, sealed, keyVersion } = found;
        const key = keyFor(owner, await keyOf(keyVersion));
        return {
          pieces,
          data: unsealBytes(key, piece(owner, sha256, place, pieces), sealed),
        };
      }),
  };
}

const missing = ({ kind }: FileOwner): AppError =>
  new AppError('storage', `The office’s server has lost a file of a ${kind}`, {
    reason: 'data-damaged',
  });

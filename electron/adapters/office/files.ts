import * as z from 'zod';
import { AppError } from '../../../shared/errors.ts';
import type { SharedFiles } from '../../core/office/ports.ts';
import type { ClaimContext } from './claims.ts';
import { fromPieces, pieceAt, piecesOf } from './pieces.ts';
import { sealBytes, type SealedFor, unsealBytes } from './seal.ts';
import type { Transactions } from './server.ts';

const sql = {
  count: 'SELECT count(*)::int AS found FROM shared_file WHERE file = $1',
  put: `
    INSERT INTO shared_file (file, place, pieces, sealed, key_version) VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (file, place) DO NOTHING`,
  read: `
    SELECT pieces, sealed, key_version AS "keyVersion" FROM shared_file
    WHERE file = $1 AND place = $2`,
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
  const piece = (sha256: string, place: number, of: number): SealedFor => ({
    office,
    kind: `file piece of ${String(of)}`,
    id: sha256,
    version: place,
  });
  return {
    async put(sha256, data) {
      const file = nameOf(sha256);
      const pieces = piecesOf(data);
      const key = newestKey();
      await server.transaction(async ({ query, command }) => {
        const [count] = await query(sql.count, [file], Count);
        if (count?.found === pieces) return;
        for (let place = 0; place < pieces; place += 1) {
          const sealed = sealBytes(key, piece(sha256, place, pieces), pieceAt(data, place));
          await command(sql.put, [file, place, pieces, sealed, key.version]);
        }
      });
    },
    read: (sha256) =>
      fromPieces(async (place) => {
        const [found] = await server.query(sql.read, [nameOf(sha256), place], Piece);
        if (found === undefined) throw missing();
        const { pieces, sealed, keyVersion } = found;
        const key = await keyOf(keyVersion);
        return { pieces, data: unsealBytes(key, piece(sha256, place, pieces), sealed) };
      }),
  };
}

const missing = (): AppError =>
  new AppError('storage', 'The office’s server has lost a file of a template', {
    reason: 'data-damaged',
  });

import { createHash, randomBytes } from 'node:crypto';
import * as z from 'zod';
import { AppError } from '../../../shared/errors.ts';

import type { FileOwner, SharedFiles } from '../../core/office/items/ports.ts';
import type { ClaimContext } from './claims.ts';
import { joinPieces, pieceAt, piecesOf } from './pieces.ts';
import {
  personNumbersKey,
  type OfficeKey,
  nullIfUnreadable,
  sealBytes,
  type SealedFor,
  type SealingKey,
  unsealBytes,
} from './seal.ts';
import { type FileNamesByItem, readFileNames } from './sealed-item.ts';
import type { Transactions } from './server.ts';

/**
 * Maximum number of pieces of a file, far more than any document has. Reading is limited because
 * another user may have written more.
 */
const MAX_PIECES = 512;

/**
 * Statements for each kind of owner. Templates share their files; each draft has its own files,
 * which are removed with the draft.
 */
const sql = {
  template: {
    holds: 'SELECT place FROM shared_file WHERE file = $1 LIMIT 1',
    put: `
      INSERT INTO shared_file (file, place, pieces, sealed, key_version)
      VALUES ($1, $2, $3, $4, $5) ON CONFLICT (file, place) DO NOTHING RETURNING place`,
    read: `
      SELECT pieces, sealed, key_version AS "keyVersion" FROM shared_file
      WHERE file = $1 AND place = $2`,
  },
  draft: {
    holds: 'SELECT place FROM draft_file WHERE file = $1 AND draft = $2 LIMIT 1',
    put: `
      INSERT INTO draft_file (file, place, pieces, sealed, key_version, draft)
      VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (draft, file, place) DO NOTHING RETURNING place`,
    read: `
      SELECT pieces, sealed, key_version AS "keyVersion" FROM draft_file
      WHERE file = $1 AND place = $2 AND draft = $3`,
  },
};

const FilePlaceRow = z.object({ place: z.number() });
const Piece = z.object({
  pieces: z.number(),
  sealed: z.instanceof(Uint8Array),
  keyVersion: z.number(),
});

interface FileContext extends Pick<ClaimContext, 'office' | 'newestKey' | 'keyOf'> {
  /**
   * Returns 32 bytes that reveal nothing to the server, from a file's hash and the other parts of
   * its name.
   */
  readonly nameOf: (...parts: readonly string[]) => Uint8Array;
  readonly givenNames?: FileNamesByItem | undefined;
}

interface NamedSharedFile {
  readonly owner: FileOwner;
  readonly sha256: string;
  readonly file: Uint8Array;
}

/** Reads and writes the pieces under one name. */
function createNamedFiles(server: Transactions, { office, newestKey, keyOf }: FileContext) {
  /** Returns the last parameter of each statement, which only an owner with its own files has. */
  const ownerOf = ({ kind, id }: FileOwner): readonly string[] => (kind === 'draft' ? [id] : []);
  const keyFor = ({ kind }: FileOwner, key: OfficeKey): SealingKey =>
    kind === 'draft' ? personNumbersKey(key) : key;
  const piece = (owner: FileOwner, sha256: string, place: number, of: number): SealedFor => ({
    office,
    kind: [`file piece of ${String(of)}`, ...ownerOf(owner)].join(' of '),
    id: sha256,
    version: place,
  });

  /**
   * Returns the file; null if a piece is missing or malformed, or if the hash differs, because
   * every user has the key.
   */
  async function readUnder({ owner, sha256, file }: NamedSharedFile): Promise<Uint8Array | null> {
    const data = await nullIfUnreadable(() =>
      joinPieces(async (place) => {
        const values = [file, place, ...ownerOf(owner)];
        const [found] = await server.query(sql[owner.kind].read, values, Piece);
        if (found === undefined || found.pieces > MAX_PIECES) throw missingFileError(owner);
        const { pieces, sealed, keyVersion } = found;
        const key = keyFor(owner, await keyOf(keyVersion));
        return { pieces, data: unsealBytes(key, piece(owner, sha256, place, pieces), sealed) };
      }),
    );
    const isIt = data !== null && createHash('sha256').update(data).digest('hex') === sha256;
    return isIt ? data : null;
  }

  /**
   * Returns false if another user already stored a piece under that name; that piece stays
   * unchanged.
   */
  async function putUnder(
    { owner, sha256, file }: NamedSharedFile,
    data: Uint8Array,
  ): Promise<boolean> {
    const pieces = piecesOf(data);
    const key = keyFor(owner, newestKey());
    return server.transaction(async ({ query }) => {
      for (let place = 0; place < pieces; place += 1) {
        const sealed = sealBytes(key, piece(owner, sha256, place, pieces), pieceAt(data, place));
        const values = [file, place, pieces, sealed, key.version, ...ownerOf(owner)];
        if ((await query(sql[owner.kind].put, values, FilePlaceRow)).length === 0) return false;
      }
      return true;
    });
  }

  async function holds({ owner, file }: NamedSharedFile): Promise<boolean> {
    const values = [file, ...ownerOf(owner)];
    return (await server.query(sql[owner.kind].holds, values, FilePlaceRow)).length > 0;
  }

  return { readUnder, putUnder, holds };
}

export function createSharedFiles(server: Transactions, context: FileContext): SharedFiles {
  const { office, keyOf, nameOf, givenNames } = context;
  const { readUnder, putUnder, holds } = createNamedFiles(server, context);

  async function find(owner: FileOwner, sha256: string): Promise<Uint8Array | null> {
    const usual = await readUnder({ owner, sha256, file: nameOf(sha256) });
    if (usual !== null) return usual;
    const name = (await readFileNames(server, { office, keyOf }, owner))[sha256];
    return name === undefined ? null : readUnder({ owner, sha256, file: nameOf(sha256, name) });
  }

  return {
    async put(owner, sha256, data) {
      const usual = { owner, sha256, file: nameOf(sha256) };
      if (!(await holds(usual)) && (await putUnder(usual, data))) return;
      if ((await find(owner, sha256)) !== null) return;
      const name = randomBytes(16).toString('hex');
      await putUnder({ owner, sha256, file: nameOf(sha256, name) }, data);
      givenNames?.add(owner, sha256, name);
    },
    async read(owner, sha256) {
      const data = await find(owner, sha256);
      if (data === null) throw missingFileError(owner);
      return data;
    },
  };
}

const missingFileError = ({ kind }: FileOwner): AppError =>
  new AppError('storage', `A file of a ${kind} on the office’s server is missing or was replaced`, {
    reason: 'data-damaged',
  });

import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { Decrypter } from 'age-encryption';
import { type Extract, extract as extractTar } from 'tar-stream';
import * as z from 'zod';
import { BackupManifest } from '../../../shared/contract/backup.ts';
import { AppError } from '../../../shared/errors.ts';
import type { BackupSecrets, UnpackedBackup } from '../../core/backup/ports.ts';
import { PRIVATE_FILE_MODE, storageError, systemCode } from '../files/durable.ts';
import { openKeys, wrongBackupKeyError } from './keys.ts';
import { bytesOf, nodeStream, piecesOf, webStream } from './pieces.ts';
import {
  DATABASE_FILE,
  INDEX_FILE,
  WRAPPED_KEY_FILE,
  KEYS_FILE,
  MANIFEST_FILE,
  README_FILE,
  README_TEXT,
  hashReadme,
  SEALED_FILE,
  tarSize,
} from './layout.ts';

/** Maximum size of every file but the database (bytes), far above real sizes. */
const MAX_TEXT_FILE_BYTES = 4 * 1024 * 1024;
const BACKUP_FORMAT_VERSION = 1;

/** A file in a tar, while it is read. */
type Entry = Extract extends AsyncIterable<infer Source> ? Source : never;

const BackupIndex = z.object({
  format: z.literal('signing-desk-backup'),
  version: z.number().int(),
  keySha256: z.string(),
});
const Secrets: z.ZodType<BackupSecrets> = z.object({
  dataKey: z.string().regex(/^[0-9a-f]{64}$/),
  credentials: z.record(z.string(), z.string()),
});

/** Backups of earlier versions all have the same README. */
const Manifest = BackupManifest.extend({
  readmeSha256: z.string().default(hashReadme(README_TEXT)),
});

type TarEntries = AsyncIterator<Entry, void, undefined>;

/** The user's secret, or the private key itself. */
type SecretOrIdentity = { readonly secret: string } | { readonly identity: string };

/**
 * Decrypts a whole backup, and writes its database to `into` unless `into` is null. Throws the
 * errors of `BackupFiles.unpack`.
 */
export async function readBackup(
  file: string,
  opener: SecretOrIdentity,
  into: string | null,
  onBytes: (bytes: number) => void = () => undefined,
): Promise<UnpackedBackup & { readonly wrapped: Uint8Array }> {
  let bytes = 0;
  const counted = async function* () {
    for await (const piece of piecesOf(file)) {
      bytes += piece.length;
      onBytes(piece.length);
      yield piece;
    }
  };
  let isOurs = false;
  try {
    const files = entriesOf(counted());
    const readme = await readWholeEntry(await nextFile(files, README_FILE, notABackupError));
    isOurs = true;
    const about = await readWholeEntry(await nextFile(files, INDEX_FILE));
    const index = readIndex(about);
    const wrapped = await readWholeEntry(await nextFile(files, WRAPPED_KEY_FILE));
    if (createHash('sha256').update(wrapped).digest('hex') !== index.keySha256)
      throw damagedBackupError();
    const identity =
      'identity' in opener ? opener.identity : await openKeys(wrapped, opener.secret);
    const sealed = await nextFile(files, SEALED_FILE);
    const inner = await readSealed(await decryptEntry(sealed, identity, opener), into);
    await assertNoMoreEntries(files);
    if (hashReadme(readme) !== inner.readmeSha256) throw damagedBackupError();
    // tar-stream accepts a tar without its last blocks: in a backup, missing blocks mean that it
    // was truncated.
    const sizes = [readme.length, about.length, wrapped.length, sealed.header.size ?? 0];
    if (bytes !== tarSize(sizes)) throw damagedBackupError();
    return { manifest: inner.manifest, secrets: inner.secrets, wrapped, bytes };
  } catch (error) {
    throw toBackupError(error, isOurs);
  }
}

function toBackupError(error: unknown, isOurs: boolean): AppError {
  if (error instanceof AppError) return error;
  const code = systemCode(error);
  if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR') {
    return new AppError('not-found', 'The file does not exist', { cause: error });
  }
  // Truncated streams have a `code` too; only system errors have a `syscall`.
  if (error instanceof Error && 'syscall' in error) {
    return storageError(error, 'Reading the backup');
  }
  return isOurs ? damagedBackupError(error) : notABackupError(error);
}

const notABackupError = (cause?: unknown): AppError =>
  new AppError('invalid', 'This file is not a Signing Desk backup', {
    reason: 'not-a-backup',
    cause,
  });

const damagedBackupError = (cause?: unknown): AppError =>
  new AppError(
    'storage',
    'The backup is damaged or incomplete, so nothing was changed. Copy the file again, or use another backup',
    {
      reason: 'backup-damaged',
      cause,
    },
  );

/** Yields the files of a tar; each must be read completely before the next. */
function entriesOf(tar: AsyncIterable<Uint8Array>): TarEntries {
  const extract = extractTar();
  const source = Readable.from(tar);
  source.on('error', (error) => extract.destroy(error));
  // The reader of the tar's files receives the error, so it needs no handling in this line.
  source.pipe(nodeStream(extract).on('error', () => undefined));
  return extract[Symbol.asyncIterator]();
}

async function nextFile(
  files: TarEntries,
  name: string,
  refuse: (cause?: unknown) => AppError = damagedBackupError,
): Promise<Entry> {
  const next = await files.next();
  if (next.done === true || next.value.header.name !== name) throw refuse();
  if (next.value.header.type !== 'file') throw refuse();
  return next.value;
}

async function assertNoMoreEntries(files: TarEntries): Promise<void> {
  if ((await files.next()).done !== true) throw damagedBackupError();
}

async function readWholeEntry(entry: Entry): Promise<Buffer> {
  if ((entry.header.size ?? 0) > MAX_TEXT_FILE_BYTES) throw damagedBackupError();
  const pieces: Uint8Array[] = [];
  for await (const piece of bytesOf(entry)) pieces.push(piece);
  return Buffer.concat(pieces);
}

function readIndex(text: Buffer): z.infer<typeof BackupIndex> {
  const index = parseBackupEntry(BackupIndex, text);
  if (index.version > BACKUP_FORMAT_VERSION) throw newerBackupError();
  return index;
}

const newerBackupError = (): AppError =>
  new AppError(
    'newer-data',
    'The backup was made by a newer version of this program. Install that version',
  );

function parseBackupEntry<Value>(schema: z.ZodType<Value>, text: Buffer): Value {
  try {
    return schema.parse(JSON.parse(text.toString('utf8')));
  } catch (error) {
    throw damagedBackupError(error);
  }
}

async function decryptEntry(
  sealed: Entry,
  identity: string,
  opener: SecretOrIdentity,
): Promise<AsyncIterable<Uint8Array>> {
  const decrypter = new Decrypter();
  try {
    decrypter.addIdentity(identity);
  } catch (cause) {
    throw wrongBackupKeyError(cause);
  }
  try {
    return await decrypter.decrypt(webStream(bytesOf(sealed)));
  } catch (cause) {
    // A private key from the user may belong to another backup; the key encrypted under the phrase
    // always belongs to this one.
    const isBrought = 'secret' in opener && opener.secret.includes(identity);
    throw isBrought ? wrongBackupKeyError(cause) : damagedBackupError(cause);
  }
}

async function readSealed(
  tar: AsyncIterable<Uint8Array>,
  into: string | null,
): Promise<Pick<UnpackedBackup, 'manifest' | 'secrets'> & { readonly readmeSha256: string }> {
  const files = entriesOf(tar);
  const { readmeSha256, ...manifest } = parseBackupEntry(
    Manifest,
    await readWholeEntry(await nextFile(files, MANIFEST_FILE)),
  );
  const secrets = parseBackupEntry(Secrets, await readWholeEntry(await nextFile(files, KEYS_FILE)));
  const database = await nextFile(files, DATABASE_FILE);
  const sha256 = await writeDatabaseTo(database, into);
  await assertNoMoreEntries(files);
  if (sha256 !== manifest.database.sha256) throw damagedBackupError();
  return { manifest, secrets, readmeSha256 };
}

async function writeDatabaseTo(database: Entry, into: string | null): Promise<string> {
  const handle = into === null ? null : await openNew(into);
  try {
    const digest = createHash('sha256');
    for await (const piece of bytesOf(database)) {
      digest.update(piece);
      await handle?.writeFile(piece);
    }
    await handle?.sync();
    return digest.digest('hex');
  } finally {
    await handle?.close();
  }
}

/** Creates the output file. A failure is an error of the storage, not of the backup. */
async function openNew(file: string): Promise<FileHandle> {
  try {
    return await open(file, 'wx', PRIVATE_FILE_MODE);
  } catch (error) {
    throw storageError(error, 'Unpacking the data of the backup');
  }
}

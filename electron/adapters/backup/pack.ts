import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption';
import { type Pack, pack as packTar } from 'tar-stream';
import type { PackParameters } from '../../core/backup/ports.ts';
import { PRIVATE_FILE_MODE, storageError } from '../files/durable.ts';
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
import { bytesOf, nodeStream, piecesOf, webStream } from './pieces.ts';
import { readBackup } from './unpack.ts';

interface TarFile {
  readonly name: string;
  readonly bytes: number;
  readonly content: Uint8Array | AsyncIterable<Uint8Array>;
}

/** See `BackupFiles.pack`. */
export async function pack(
  order: PackParameters,
  onBytes: (bytes: number) => void,
): Promise<{ readonly bytes: number }> {
  try {
    // Temporary key for this file only, with which the written file is read back.
    const reader = await generateX25519Identity();
    const bytes = await writeBackup(order, await identityToRecipient(reader), onBytes);
    // All content is authenticated by a key made only for this file, so it cannot be another
    // backup.
    await readBackup(order.part, { identity: reader }, null, onBytes);
    return { bytes };
  } catch (error) {
    throw storageError(error, 'Writing the backup');
  }
}

async function writeBackup(
  order: PackParameters,
  reader: string,
  onBytes: (bytes: number) => void,
): Promise<number> {
  const handle = await open(order.part, 'wx', PRIVATE_FILE_MODE);
  try {
    const written = await writeTarTo(tarOf(await outerTarFiles(order, reader)), handle, onBytes);
    await handle.sync();
    return written;
  } finally {
    await handle.close();
  }
}

async function writeTarTo(
  tar: AsyncIterable<Uint8Array>,
  handle: FileHandle,
  onBytes: (bytes: number) => void,
): Promise<number> {
  let written = 0;
  for await (const piece of tar) {
    await handle.writeFile(piece);
    written += piece.length;
    onBytes(piece.length);
  }
  return written;
}

async function outerTarFiles(
  { keys, administrator, manifest, secrets, database }: PackParameters,
  reader: string,
): Promise<readonly TarFile[]> {
  const encrypter = new Encrypter();
  encrypter.addRecipient(keys.recipient);
  if (administrator !== null) encrypter.addRecipient(administrator);
  encrypter.addRecipient(reader);
  const inner = [
    textFile(
      MANIFEST_FILE,
      JSON.stringify({ readmeSha256: hashReadme(README_TEXT), ...manifest }, null, 2),
    ),
    textFile(KEYS_FILE, JSON.stringify(secrets)),
    {
      name: DATABASE_FILE,
      bytes: manifest.database.bytes,
      content: piecesOf(database),
    },
  ];
  const sealed = await encrypter.encrypt(webStream(tarOf(inner)));
  const bytes = sealed.size(tarSize(inner.map((file) => file.bytes)));
  const index = {
    format: manifest.format,
    version: manifest.version,
    keySha256: createHash('sha256').update(keys.wrapped).digest('hex'),
  };
  return [
    textFile(README_FILE, README_TEXT),
    textFile(INDEX_FILE, JSON.stringify(index)),
    { name: WRAPPED_KEY_FILE, bytes: keys.wrapped.length, content: keys.wrapped },
    { name: SEALED_FILE, bytes, content: sealed },
  ];
}

function textFile(name: string, text: string): TarFile {
  const content = Buffer.from(text, 'utf8');
  return { name, bytes: content.length, content };
}

/** Streams a tar; an error of a file is thrown to the reader. */
async function* tarOf(files: readonly TarFile[]): AsyncGenerator<Uint8Array, void, undefined> {
  const tar = packTar();
  const pieces = Readable.from(tar);
  // A reader that stops early (disk full) destroys both streams and has reported its own error.
  pieces.on('error', () => undefined);
  nodeStream(tar).on('error', () => undefined);
  const filling = addTarFiles(tar, files).catch((error: unknown) => {
    tar.destroy(error instanceof Error ? error : new Error(String(error)));
    throw error;
  });
  filling.catch(() => undefined);
  yield* bytesOf(pieces);
  await filling;
}

async function addTarFiles(tar: Pack, files: readonly TarFile[]): Promise<void> {
  for (const { name, bytes, content } of files) {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const about = { name, size: bytes, mode: 0o600, mtime: new Date(0) };
    const entry = tar.entry(about, (error) => (error ? reject(error) : resolve()));
    const source = Readable.from(content instanceof Uint8Array ? [content] : content);
    source.on('error', reject);
    source.pipe(nodeStream(entry).on('error', reject));
    await promise;
  }
  tar.finalize();
}

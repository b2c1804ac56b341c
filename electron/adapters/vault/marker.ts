import { randomBytes } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { VaultStore } from '../../../shared/contract/access.ts';
import { AppError, isCode } from '../../../shared/errors.ts';
import { createFile, PRIVATE_FOLDER_MODE, storageError, systemCode } from '../files/durable.ts';
import { vaultError } from './error.ts';

export const MARKER_FILE = 'vault.json';
const KEY_ID_BYTES = 8;

/** Marker of the store that protects a data folder. It contains no secret. */
const Marker = z.object({
  store: VaultStore,
  /** Time of the marker's creation (epoch ms). */
  createdAt: z.number().int(),
  /** Random ID that separates the entries of several data folders on one computer. */
  keyId: z.string().regex(/^[0-9a-f]{16}$/),
});
export type Marker = z.infer<typeof Marker>;

/**
 * Returns the marker of a data folder; null if the folder has none yet. Throws 'vault' with
 * 'vault-changed' if the marker cannot be parsed.
 */
export async function readMarker(dataDir: string): Promise<Marker | null> {
  const text = await readText(path.join(dataDir, MARKER_FILE));
  if (text === null) return null;
  try {
    return Marker.parse(JSON.parse(text));
  } catch (error) {
    throw vaultError('changed', `${MARKER_FILE} in the data folder cannot be read`, error);
  }
}

/**
 * Returns the marker of a data folder. Throws 'vault-changed' if another store protects the folder.
 */
export async function markerFor(dataDir: string, store: VaultStore): Promise<Marker | null> {
  const marker = await readMarker(dataDir);
  if (marker === null || marker.store === store) return marker;
  throw vaultError('changed', `The data folder is protected by ${marker.store}, not by ${store}`);
}

export function newMarker(store: VaultStore): Marker {
  const keyId = randomBytes(KEY_ID_BYTES).toString('hex');
  return { store, createdAt: Date.now(), keyId };
}

/** Writes the first marker of a folder; throws 'data-in-use' if another process was faster. */
export async function claimFolder(dataDir: string, marker: Marker): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true, mode: PRIVATE_FOLDER_MODE });
  } catch (error) {
    throw storageError(error, 'Creating the data folder');
  }
  await createFileOnce(path.join(dataDir, MARKER_FILE), JSON.stringify(marker));
}

/** Writes a file of a new folder; throws 'data-in-use' if another process was faster. */
export async function createFileOnce(file: string, text: string): Promise<void> {
  try {
    await createFile(file, text);
  } catch (error) {
    if (!isCode(error, 'conflict')) throw error;
    throw anotherStartError(error);
  }
}

/** Returns the error 'data-in-use': another process is setting up the same folder. */
export function anotherStartError(cause?: unknown): AppError {
  return new AppError(
    'storage',
    'Another window or command is setting up this data folder. Try again in a moment',
    {
      reason: 'data-in-use',
      cause,
    },
  );
}

/** Returns the text of a file; null if the file does not exist. */
export async function readText(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw storageError(error, `Reading ${path.basename(file)}`);
  }
}

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readFile, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { AppError } from '../../../shared/errors.ts';
import type { Place, ExternalState } from '../../core/external-state-ports.ts';
import { PRIVATE_FOLDER_MODE, replaceFile, systemCode } from '../files/durable.ts';
import { readMarker, readText } from './marker.ts';

/** Files with the machine ID on Linux: of systemd, or of D-Bus on systems without systemd. */
const MACHINE_IDS = ['/etc/machine-id', '/var/lib/dbus/machine-id'] as const;
const IOREG = '/usr/sbin/ioreg';
/** Timeout of `ioreg` (ms). */
const TIMEOUT_MS = 5_000;

export interface ExternalStateFolders {
  /** Folder of this account for state of this computer; null if the system defines none. */
  readonly stateDir: string | null;
  readonly dataDir: string;
  /** The data file; it must exist. */
  readonly file: string;
}

/** Stores external state outside the data folders, under the random ID of the data folder. */
export function createExternalState({
  stateDir,
  dataDir,
  file,
}: ExternalStateFolders): ExternalState {
  const folder = async (): Promise<string> => {
    if (stateDir === null) {
      throw stateRefusedError(
        'no folder is set for the record. Set HOME or XDG_STATE_HOME',
        undefined,
      );
    }
    const marker = await readMarker(dataDir);
    if (marker === null) throw stateRefusedError('the data folder is not set up yet', undefined);
    return path.join(stateDir, marker.keyId);
  };
  return {
    place: () => placeOf(file),
    async read(name) {
      const kept = path.join(await folder(), name);
      try {
        return await readText(kept);
      } catch (error) {
        throw stateRefusedError(`${kept} cannot be read`, error);
      }
    },
    async write(name, text) {
      const place = await folder();
      try {
        await mkdir(place, { recursive: true, mode: PRIVATE_FOLDER_MODE });
        await replaceFile(path.join(place, name), text);
      } catch (error) {
        throw stateRefusedError(`${place} cannot be written to`, error);
      }
    },
  };
}

function stateRefusedError(why: string, cause: unknown): AppError {
  const code = cause instanceof AppError ? systemCode(cause.cause) : systemCode(cause);
  const how = code === undefined ? why : `${why} (${code})`;
  return new AppError(
    'storage',
    `This computer cannot save the record that shows whether a backup was restored, so nothing is sent: ${how}`,
    { cause, reason: 'state-folder' },
  );
}

async function placeOf(file: string): Promise<Place> {
  try {
    const { dev, ino, birthtimeNs, ctimeNs } = await stat(file, { bigint: true });
    // On a file system without creation times, Node returns the epoch or the last change as
    // `birthtime`.
    const isMadeKnown = birthtimeNs !== 0n && birthtimeNs !== ctimeNs;
    return {
      computer: await computerId(),
      volume: String(dev),
      file: String(ino),
      made: isMadeKnown ? String(birthtimeNs) : null,
    };
  } catch (error) {
    throw stateRefusedError(`${file} cannot be examined`, error);
  }
}

let knownComputerId: Promise<string | null> | null = null;

/**
 * Returns the ID of this computer, cached for the process. The ID is hashed, so that it does not
 * reveal the machine ID.
 */
function computerId(): Promise<string | null> {
  knownComputerId ??= readComputerId().then((id) =>
    id === null ? null : createHash('sha256').update(`signing-desk ${id}`).digest('hex'),
  );
  return knownComputerId;
}

async function readComputerId(): Promise<string | null> {
  // macOS takes the host name from the network; the hardware UUID is stable.
  if (process.platform === 'darwin') return hardwareIdIn(await askIoreg());
  if (process.platform === 'linux') {
    for (const file of MACHINE_IDS) {
      const id = await readFile(file, 'utf8').catch(() => '');
      if (id.trim() !== '') return id.trim();
    }
  }
  return hostname();
}

async function askIoreg(): Promise<string> {
  try {
    const about = ['-rd1', '-c', 'IOPlatformExpertDevice'];
    const { stdout } = await promisify(execFile)(IOREG, about, { timeout: TIMEOUT_MS });
    return stdout;
  } catch {
    return '';
  }
}

/**
 * Returns the hardware UUID in the output of `ioreg`; null if it is missing.
 * @internal
 */
export function hardwareIdIn(text: string): string | null {
  return /"IOPlatformUUID" = "([0-9A-Fa-f-]{36})"/u.exec(text)?.[1] ?? null;
}

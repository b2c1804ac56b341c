import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readFile, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { AppError } from '../../../shared/errors.ts';
import type { Place, ExternalState } from '../../core/external-state-ports.ts';
import { PRIVATE_FOLDER, replaceFile, systemCode } from '../files/durable.ts';
import { readMarker, readText } from './marker.ts';

/** Linux: systemd's, and D-Bus's where that does not run. */
const MACHINE_IDS = ['/etc/machine-id', '/var/lib/dbus/machine-id'] as const;
const IOREG = '/usr/sbin/ioreg';
/** Milliseconds that macOS may take to tell its hardware's number. */
const TIMEOUT_MS = 5_000;

export interface WitnessFolders {
  /** Where this account keeps what belongs to this computer; null when the system names no place. */
  readonly stateDir: string | null;
  readonly dataDir: string;
  /** The data file, which exists. */
  readonly file: string;
}

/** Notes in a folder beside all data folders, by the random id that a data folder carries. */
export function createExternalState({ stateDir, dataDir, file }: WitnessFolders): ExternalState {
  const folder = async (): Promise<string> => {
    if (stateDir === null) {
      throw refused('no folder is set for them. Set HOME or XDG_STATE_HOME', undefined);
    }
    const marker = await readMarker(dataDir);
    if (marker === null) throw refused('the data folder has no name yet', undefined);
    return path.join(stateDir, marker.keyId);
  };
  return {
    place: () => placeOf(file),
    async read(name) {
      const kept = path.join(await folder(), name);
      try {
        return await readText(kept);
      } catch (error) {
        throw refused(`${kept} cannot be read`, error);
      }
    },
    async write(name, text) {
      const place = await folder();
      try {
        await mkdir(place, { recursive: true, mode: PRIVATE_FOLDER });
        await replaceFile(path.join(place, name), text);
      } catch (error) {
        throw refused(`${place} cannot be written to`, error);
      }
    },
  };
}

function refused(why: string, cause: unknown): AppError {
  const code = cause instanceof AppError ? systemCode(cause.cause) : systemCode(cause);
  const how = code === undefined ? why : `${why} (${code})`;
  return new AppError(
    'storage',
    `Nothing is sent, because this computer cannot save the notes that show whether a backup was restored: ${how}`,
    { cause, reason: 'state-folder' },
  );
}

async function placeOf(file: string): Promise<Place> {
  try {
    const { dev, ino, birthtimeNs, ctimeNs } = await stat(file, { bigint: true });
    // Where a file system keeps no such time, Node shows the beginning of time or the last change.
    const isMadeKnown = birthtimeNs !== 0n && birthtimeNs !== ctimeNs;
    return {
      computer: await computerId(),
      volume: String(dev),
      file: String(ino),
      made: isMadeKnown ? String(birthtimeNs) : null,
    };
  } catch (error) {
    throw refused(`${file} cannot be examined`, error);
  }
}

let known: Promise<string | null> | null = null;

/** Of this computer for as long as this process lives. Hashed: it is nobody else's business. */
function computerId(): Promise<string | null> {
  known ??= readComputerId().then((id) =>
    id === null ? null : createHash('sha256').update(`signing-desk ${id}`).digest('hex'),
  );
  return known;
}

async function readComputerId(): Promise<string | null> {
  // A Mac is renamed by the network it is in; the number of its hardware stays.
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
 * The number of a Mac's hardware in what `ioreg` prints about it; null when it is not there.
 * @internal
 */
export function hardwareIdIn(text: string): string | null {
  return /"IOPlatformUUID" = "([0-9A-Fa-f-]{36})"/u.exec(text)?.[1] ?? null;
}

import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { VaultState } from '../../../shared/contract/access.ts';
import type { Vault } from '../../core/ports.ts';
import { replaceFile } from '../files/durable.ts';
import { DATA_KEY } from './data-key.ts';
import { derivePassphraseKey, readKeyFile, SCRYPT_COST, type ScryptCost } from './key-source.ts';
import {
  anotherStartError,
  claimFolder,
  createFileOnce,
  markerFor,
  newMarker,
  readMarker,
  readText,
} from './marker.ts';
import { type Entries, type KeyHeader, newKeyHeader, parseSealed, seal, unseal } from './seal.ts';
import { createTurns, type RunInTurn } from './turns.ts';
import { stateOf, vaultError } from './error.ts';

export const SEALED_VAULT_FILE = 'vault.sealed';
/** Lock file held during changes; the file stays empty. */
const LOCK = 'vault.lock';
/** Temporary files of processes that were killed while writing. */
const LEFTOVER_FILE = /^vault\.sealed\.[0-9a-f]{8}\.tmp$/u;
/** Maximum wait (ms) for writes of other processes on a slow disk. */
const TIMEOUT_MS = 30_000;

export type SealedVaultKeySource =
  | { readonly store: 'keyfile'; readonly path: string }
  | {
      readonly store: 'passphrase';
      readonly passphrase: string;
      /** Cost of deriving the key; the default is `SCRYPT_COST`. */
      readonly cost?: ScryptCost | undefined;
    };

interface OpenedVault {
  readonly header: KeyHeader;
  readonly key: Uint8Array;
  readonly entries: Entries;
}

/**
 * Stores entries in a file of the data folder, sealed with AES-256-GCM under a key file or a
 * passphrase. A file that the key does not open is never overwritten.
 */
export function createSealedVault(
  by: SealedVaultKeySource,
  dataDir: string,
  patienceMs: number = TIMEOUT_MS,
): Vault {
  const file = path.join(dataDir, SEALED_VAULT_FILE);
  const cost = (by.store === 'passphrase' ? by.cost : undefined) ?? SCRYPT_COST;
  const keyFor = createKeyring(by, cost);

  const open = async (): Promise<OpenedVault | null> => {
    await markerFor(dataDir, by.store);
    const text = await readText(file);
    if (text === null) return null;
    const sealed = parseSealed(text, cost);
    if (sealed.key.kind !== by.store) {
      throw vaultError(
        'changed',
        `${SEALED_VAULT_FILE} is protected by ${sealed.key.kind}, not by ${by.store}`,
      );
    }
    const key = await keyFor(sealed.key);
    return { header: sealed.key, key, entries: unseal(sealed, key) };
  };

  /**
   * Returns the header and the key of a new file. Fails before anything is created in the folder.
   */
  const newSeal = async (): Promise<OpenedVault> => {
    const header = newKeyHeader(by.store, cost);
    return { header, key: await keyFor(header), entries: {} };
  };

  const save = async (opened: OpenedVault, isNew: boolean): Promise<void> => {
    await removeLeftovers(dataDir);
    if (!isNew) return replaceFile(file, textOf(opened));
    if ((await readMarker(dataDir)) === null) await claimFolder(dataDir, newMarker(by.store));
    // `createFileOnce` never overwrites: a version without the lock may have started at the same
    // moment.
    return createFileOnce(file, textOf(opened));
  };

  const status = async (): Promise<VaultState> => {
    try {
      const opened = await open();
      if (opened !== null) return DATA_KEY in opened.entries ? 'ready' : 'entry-missing';
      if ((await readMarker(dataDir)) !== null) return 'entry-missing';
      if (by.store === 'keyfile') await readKeyFile(by.path);
      return 'ready';
    } catch (error) {
      return stateOf(error);
    }
  };

  const inTurn = createTurns(path.join(dataDir, LOCK), patienceMs);
  return { ...createEntries({ open, newSeal, save, inTurn }), store: by.store, status };
}

interface SealedState {
  readonly open: () => Promise<OpenedVault | null>;
  readonly newSeal: () => Promise<OpenedVault>;
  readonly save: (opened: OpenedVault, isNew: boolean) => Promise<void>;
  readonly inTurn: RunInTurn;
}

/**
 * Reads the whole file at each call, since another process may have changed it. Changes run one at
 * a time, since each change writes all entries that it read.
 */
function createEntries({
  open,
  newSeal,
  save,
  inTurn,
}: SealedState): Pick<Vault, 'read' | 'write' | 'remove'> {
  const write = async (name: string, secret: string, fresh: OpenedVault): Promise<void> => {
    const opened = await open();
    const { entries, ...seal } = opened ?? fresh;
    // The data is encrypted with the first key. If two processes each made a key, the second key is
    // rejected.
    if (name === DATA_KEY && (entries[name] ?? secret) !== secret) throw anotherStartError();
    return save({ ...seal, entries: { ...entries, [name]: secret } }, opened === null);
  };
  const remove = async (name: string): Promise<boolean> => {
    const opened = await open();
    if (opened === null || !Object.hasOwn(opened.entries, name)) return false;
    const entries = Object.fromEntries(
      Object.entries(opened.entries).filter(([other]) => other !== name),
    );
    await save({ ...opened, entries }, false);
    return true;
  };
  return {
    async read(name) {
      const opened = await open();
      return opened?.entries[name] ?? null;
    },
    async write(name, secret) {
      // The vault is opened before the lock is created: a vault that does not open leaves no lock
      // file.
      const fresh = (await open()) ?? (await newSeal());
      await inTurn(() => write(name, secret, fresh));
    },
    async remove(name) {
      if ((await open()) === null) return false;
      return inTurn(() => remove(name));
    },
  };
}

/** Removes temporary files of killed processes. The lock excludes other writers. */
async function removeLeftovers(dataDir: string): Promise<void> {
  const left = (await readdir(dataDir)).filter((name) => LEFTOVER_FILE.test(name));
  await Promise.all(left.map((name) => rm(path.join(dataDir, name), { force: true })));
}

function textOf({ header, key, entries }: OpenedVault): string {
  return JSON.stringify(seal(entries, header, key));
}

/** Caches the key of each salt, since deriving a key from a passphrase takes half a second. */
function createKeyring(
  by: SealedVaultKeySource,
  cost: ScryptCost,
): (header: KeyHeader) => Promise<Uint8Array> {
  const derived = new Map<string, Promise<Uint8Array>>();
  return async (header) => {
    if (by.store === 'keyfile') return readKeyFile(by.path);
    if (header.kind === 'keyfile') {
      throw vaultError('changed', `${SEALED_VAULT_FILE} is protected by a key file`);
    }
    const known = derived.get(header.salt);
    if (known !== undefined) return known;
    const key = derivePassphraseKey(by.passphrase, Buffer.from(header.salt, 'base64'), cost);
    derived.set(header.salt, key);
    return key;
  };
}

import path from 'node:path';
import type { VaultState } from '../../../shared/contract/access.ts';
import type { Vault } from '../../core/ports.ts';
import { replaceFile } from '../durable-file.ts';
import { DATA_KEY } from './data-key.ts';
import { derivePassphraseKey, readKeyFile } from './key-source.ts';
import { claimFolder, createFirst, markerFor, newMarker, readMarker, readText } from './marker.ts';
import { type Entries, type KeyHeader, newKeyHeader, parseSealed, seal, unseal } from './seal.ts';
import { stateOf, vaultError } from './vault-error.ts';

const FILE = 'vault.sealed';

export type SealedBy =
  | { readonly store: 'keyfile'; readonly path: string }
  | { readonly store: 'passphrase'; readonly passphrase: string };

interface Opened {
  readonly header: KeyHeader;
  readonly key: Uint8Array;
  readonly entries: Entries;
}

/**
 * A file in the data folder, sealed with AES-256-GCM under a key file or a passphrase. A file that
 * the key does not open is never written over.
 */
export function createSealedVault(by: SealedBy, dataDir: string): Vault {
  const file = path.join(dataDir, FILE);
  const keyFor = createKeyring(by);

  const open = async (): Promise<Opened | null> => {
    await markerFor(dataDir, by.store);
    const text = await readText(file);
    if (text === null) return null;
    const sealed = parseSealed(text);
    if (sealed.key.kind !== by.store) {
      throw vaultError('changed', `${FILE} is sealed by ${sealed.key.kind}, not by ${by.store}`);
    }
    const key = await keyFor(sealed.key);
    return { header: sealed.key, key, entries: unseal(sealed, key) };
  };

  const begin = async (entries: Entries): Promise<void> => {
    const header = newKeyHeader(by.store);
    const key = await keyFor(header);
    if ((await readMarker(dataDir)) === null) await claimFolder(dataDir, newMarker(by.store));
    // Never over a file: another process may have begun at the same moment, with another key.
    await createFirst(file, textOf({ header, key, entries }));
  };

  const save = (opened: Opened): Promise<void> => replaceFile(file, textOf(opened));

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

  return { ...createEntries({ open, begin, save }), store: by.store, status };
}

interface SealedState {
  readonly open: () => Promise<Opened | null>;
  readonly begin: (entries: Entries) => Promise<void>;
  readonly save: (opened: Opened) => Promise<void>;
}

/**
 * Reads the whole file for each answer: another process may have changed it meanwhile. Changes are
 * made one after the other, since each writes all entries as it read them.
 */
function createEntries({
  open,
  begin,
  save,
}: SealedState): Pick<Vault, 'read' | 'write' | 'remove'> {
  let changing: Promise<unknown> = Promise.resolve();
  const inTurn = <Result>(change: () => Promise<Result>): Promise<Result> => {
    const mine = changing.then(change, change);
    changing = mine;
    return mine;
  };
  const write = async (name: string, secret: string): Promise<void> => {
    const opened = await open();
    if (opened === null) return begin({ [name]: secret });
    return save({ ...opened, entries: { ...opened.entries, [name]: secret } });
  };
  const remove = async (name: string): Promise<boolean> => {
    const opened = await open();
    if (opened === null || !Object.hasOwn(opened.entries, name)) return false;
    const entries = Object.fromEntries(
      Object.entries(opened.entries).filter(([other]) => other !== name),
    );
    await save({ ...opened, entries });
    return true;
  };
  return {
    async read(name) {
      const opened = await open();
      return opened?.entries[name] ?? null;
    },
    write: (name, secret) => inTurn(() => write(name, secret)),
    remove: (name) => inTurn(() => remove(name)),
  };
}

function textOf({ header, key, entries }: Opened): string {
  return JSON.stringify(seal(entries, header, key));
}

/** A passphrase costs half a second to turn into a key, so that is done once per salt. */
function createKeyring(by: SealedBy): (header: KeyHeader) => Promise<Uint8Array> {
  const derived = new Map<string, Promise<Uint8Array>>();
  return async (header) => {
    if (by.store === 'keyfile') return readKeyFile(by.path);
    if (header.kind === 'keyfile') {
      throw vaultError('changed', `${FILE} is sealed by a key file`);
    }
    const known = derived.get(header.salt);
    if (known !== undefined) return known;
    const key = derivePassphraseKey(by.passphrase, Buffer.from(header.salt, 'base64'));
    derived.set(header.salt, key);
    return key;
  };
}

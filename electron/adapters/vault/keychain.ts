// Keytar is archived: under this name npm installs @napi-rs/keyring (build/decisions/README.md).
import { AsyncEntry } from 'keytar';
import type { Vault } from '../../core/ports.ts';
import { DATA_KEY } from './data-key.ts';
import { keychainTrouble } from './keychain-answer.ts';
import { anotherStartError, claimFolder, type Marker, markerFor, newMarker } from './marker.ts';
import { stateOf, vaultError } from './error.ts';

const SERVICE = 'Signing Desk';

/**
 * Timeout of a call (ms): long enough to type a password into the system's prompt, short enough to
 * report the wait.
 */
const TIMEOUT_MS = 15_000;

/**
 * Stores entries in the operating system's credential store: Secret Service, Keychain or Credential
 * Manager. Entries are named after the data folder's random ID, so that two folders on one computer
 * do not share entries.
 */
export function createKeychainVault(dataDir: string, patienceMs: number = TIMEOUT_MS): Vault {
  const ask = createTimeLimitedCalls(patienceMs);
  const marker = (): Promise<Marker | null> => markerFor(dataDir, 'keychain');

  const read = async (name: string): Promise<string | null> => {
    const found = await marker();
    // A new folder has no entries yet, but a missing credential store must still be detected.
    const account = found === null ? 'unclaimed' : accountOf(found, name);
    const secret = await ask(() => keychainEntry(account).getPassword());
    return found === null ? null : secret;
  };

  return {
    store: 'keychain',
    read,
    async status() {
      try {
        const key = await read(DATA_KEY);
        return key === null && (await marker()) !== null ? 'entry-missing' : 'ready';
      } catch (error) {
        return stateOf(error);
      }
    },
    async write(name, secret) {
      const found = await marker();
      const kept = found ?? newMarker('keychain');
      const account = accountOf(kept, name);
      if (name === DATA_KEY && found !== null) {
        // The data is encrypted with the first key: overwriting it would permanently lock the data
        // and all its backups.
        const first = await ask(() => keychainEntry(account).getPassword());
        if ((first ?? secret) !== secret) throw anotherStartError();
      }
      await ask(() => keychainEntry(account).setPassword(secret));
      if (found !== null) return;
      try {
        // The folder is claimed only after the store accepted the entry, so a failed write leaves
        // no marker.
        await claimFolder(dataDir, kept);
      } catch (error) {
        await ask(() => keychainEntry(account).deleteCredential());
        throw error;
      }
    },
    async remove(name) {
      const found = await marker();
      if (found === null) return false;
      return ask(() => keychainEntry(accountOf(found, name)).deleteCredential());
    },
  };
}

function accountOf(marker: Marker, name: string): string {
  return `${marker.keyId}/${name}`;
}

/**
 * Opens an entry in Secret Service on Linux. Without this option the library falls back to the
 * kernel keyring, which is lost at reboot.
 */
function keychainEntry(account: string): AsyncEntry {
  return new AsyncEntry(SERVICE, account, { linux: { store: 'secret-service' } });
}

/**
 * A locked keychain blocks the call until the user answers a prompt, and the library cannot cancel
 * it. So callers get a timeout, and further calls fail while that prompt is open: each call in
 * flight occupies one of Node's few threads.
 */
function createTimeLimitedCalls(patienceMs: number): <T>(run: () => Promise<T>) => Promise<T> {
  let isWaiting = false;
  return async (run) => {
    if (isWaiting) throw lockedStoreError();
    const { promise: tooLate, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      isWaiting = true;
      reject(lockedStoreError());
    }, patienceMs);
    const answer = withKeychainErrors(run).finally(() => {
      clearTimeout(timer);
      isWaiting = false;
    });
    return Promise.race([answer, tooLate]);
  };
}

async function withKeychainErrors<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    const state = keychainTrouble(error, canPrompt());
    throw vaultError(state, `The credential store did not give the key (${state})`, error);
  }
}

function canPrompt(): boolean {
  if (process.platform !== 'linux') return true;
  return Boolean(process.env['DISPLAY']) || Boolean(process.env['WAYLAND_DISPLAY']);
}

function lockedStoreError(): Error {
  return vaultError('locked', 'The credential store is locked. Unlock it and try again');
}

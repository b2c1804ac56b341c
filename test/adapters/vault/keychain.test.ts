// tier: all
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createVault, protectionOf } from '../../../electron/adapters/vault/vault.ts';
import { dataKey, DATA_KEY } from '../../../electron/adapters/vault/data-key.ts';
import { createKeychainVault } from '../../../electron/adapters/vault/keychain.ts';
import type { Vault } from '../../../electron/core/ports.ts';
import { type Keyring, startKeyring } from '../../support/keyring.ts';

const SHORT_TIMEOUT_MS = 5_000;

let dataDir: string;
/** The tests start a Linux keyring; other systems have only the user's, which no test may touch. */
const isLinux = process.platform === 'linux';
let keyring: Keyring | undefined;
const screen = process.env['DISPLAY'];

beforeEach(() => {
  dataDir = mkdtempSync(path.join(os.tmpdir(), 'desk-vault-'));
  delete process.env['DISPLAY'];
});

afterEach(async () => {
  await keyring?.stop();
  keyring = undefined;
  rmSync(dataDir, { recursive: true, force: true });
  if (screen === undefined) delete process.env['DISPLAY'];
  else process.env['DISPLAY'] = screen;
});

const open = (): Vault => createVault({ store: 'keychain', dataDir });
const failsWith = (reason: string) => ({ failure: { code: 'vault', reason } });

describe.runIf(isLinux)('an unlocked keychain', () => {
  it('stores, returns and removes a secret', async () => {
    keyring = await startKeyring();
    const vault = open();
    await vault.write('credential', 'a secret with å and 中');
    expect(await open().read('credential')).toBe('a secret with å and 中');
    expect(await vault.remove('credential')).toBe(true);
    expect(await vault.remove('credential')).toBe(false);
    expect(await vault.read('credential')).toBeNull();
  });

  it('creates a database key once, and then returns the same key', async () => {
    keyring = await startKeyring();
    const made = await dataKey(open(), { databaseExists: false });
    expect(made).toHaveLength(32);
    expect(await dataKey(open(), { databaseExists: true })).toEqual(made);
    expect(await dataKey(open(), { databaseExists: false })).toEqual(made);
    expect(await open().status()).toBe('ready');
    expect(await protectionOf(dataDir)).toBe('keychain');
  });

  it('keeps its database key, despite another start or a backup (SR-H2)', async () => {
    keyring = await startKeyring();
    const made = await dataKey(open(), { databaseExists: false });
    const kept = Buffer.from(made).toString('hex');
    await open().write(DATA_KEY, kept);
    await expect(open().write(DATA_KEY, 'ab'.repeat(32))).rejects.toMatchObject({
      failure: { code: 'storage', reason: 'data-in-use' },
    });
    expect(await open().read(DATA_KEY)).toBe(kept);
  });

  it('does not share entries between two data folders', async () => {
    keyring = await startKeyring();
    const other = mkdtempSync(path.join(os.tmpdir(), 'desk-vault-'));
    const first = await dataKey(open(), { databaseExists: false });
    const vault = createVault({ store: 'keychain', dataDir: other });
    expect(await dataKey(vault, { databaseExists: false })).not.toEqual(first);
    rmSync(other, { recursive: true });
  });

  it('leaves no secret in the data folder (TX-50)', async () => {
    keyring = await startKeyring();
    const key = Buffer.from(await dataKey(open(), { databaseExists: false }));
    const note = readFileSync(path.join(dataDir, 'vault.json'), 'latin1');
    for (const form of ['hex', 'base64', 'latin1'] as const) {
      expect(note).not.toContain(key.toString(form));
    }
  });
});

describe.runIf(isLinux)('a keychain that does not return the key', () => {
  it('reports the missing entry and creates no new key when a database exists', async () => {
    keyring = await startKeyring();
    const vault = open();
    await expect(dataKey(vault, { databaseExists: true })).rejects.toMatchObject(
      failsWith('vault-entry-missing'),
    );
    expect(await vault.read(DATA_KEY)).toBeNull();
    await vault.write('credential', 'x');
    expect(await vault.status()).toBe('entry-missing');
  });

  it('is not treated as empty while locked, and works again once unlocked', async () => {
    keyring = await startKeyring();
    const vault = open();
    const key = await dataKey(vault, { databaseExists: false });
    keyring.lock();
    expect(await vault.status()).toBe('locked');
    for (const databaseExists of [true, false]) {
      await expect(dataKey(vault, { databaseExists })).rejects.toMatchObject(
        failsWith('vault-locked'),
      );
    }
    await expect(vault.write(DATA_KEY, 'other')).rejects.toMatchObject(failsWith('vault-locked'));
    await expect(vault.remove(DATA_KEY)).rejects.toMatchObject(failsWith('vault-locked'));
    await keyring.unlock();
    expect(await vault.status()).toBe('ready');
    expect(await dataKey(vault, { databaseExists: true })).toEqual(key);
  });

  it('reports a dismissed prompt when there is a screen for it', async () => {
    keyring = await startKeyring({ prompt: 'fails' });
    const vault = open();
    await dataKey(vault, { databaseExists: false });
    keyring.lock();
    process.env['DISPLAY'] = ':0';
    expect(await vault.status()).toBe('dismissed');
  });

  it('does not wait forever for a prompt, and opens no second one', async () => {
    keyring = await startKeyring({ prompt: 'waits' });
    const vault = createKeychainVault(dataDir, SHORT_TIMEOUT_MS);
    await dataKey(vault, { databaseExists: false });
    keyring.lock();
    expect(await vault.status()).toBe('locked');
    const asked = performance.now();
    expect(await vault.status()).toBe('locked');
    // The vault answers immediately: even on a busy computer, faster than the timeout.
    expect(performance.now() - asked).toBeLessThan(SHORT_TIMEOUT_MS);
  });

  it('reports denied access when the session forbids it', async () => {
    keyring = await startKeyring({ isForbidden: true });
    expect(await open().status()).toBe('denied');
    await expect(dataKey(open(), { databaseExists: false })).rejects.toMatchObject(
      failsWith('vault-denied'),
    );
  });

  it('reports a missing session without D-Bus, and works again when it is back', async () => {
    keyring = await startKeyring();
    await keyring.stop();
    keyring = undefined;
    const vault = open();
    expect(await vault.status()).toBe('no-session');
    keyring = await startKeyring();
    expect(await vault.status()).toBe('ready');
  });

  it('reports a missing session in a process without the address of its session', () => {
    const module = path.resolve('electron/adapters/vault/vault.ts');
    const script = `
      import { createVault } from ${JSON.stringify(module)};
      const vault = createVault({ store: 'keychain', dataDir: ${JSON.stringify(dataDir)} });
      console.log(await vault.status());`;
    const { PATH } = process.env;
    const options = { env: { PATH }, encoding: 'utf8' } as const;
    const args = ['--input-type=module-typescript', '--eval', script];
    expect(spawnSync(process.execPath, args, options).stdout.trim()).toBe('no-session');
  });

  it('reports a missing session when no keyring answers on it', async () => {
    keyring = await startKeyring();
    await keyring.endService();
    expect(await open().status()).toBe('no-session');
  });

  it('leaves no data of a failed attempt to store, so that another store can be chosen', async () => {
    keyring = await startKeyring();
    await keyring.endService();
    await expect(dataKey(open(), { databaseExists: false })).rejects.toMatchObject(
      failsWith('vault-no-session'),
    );
    expect(await protectionOf(dataDir)).toBeNull();
  });

  it('reports an entry that is not a key, and does not change it', async () => {
    keyring = await startKeyring();
    const vault = open();
    await vault.write(DATA_KEY, 'not a key');
    for (const databaseExists of [true, false]) {
      await expect(dataKey(vault, { databaseExists })).rejects.toMatchObject(
        failsWith('vault-wrong-key'),
      );
    }
    expect(await vault.read(DATA_KEY)).toBe('not a key');
  });

  it('reports that the folder is protected by another store', async () => {
    keyring = await startKeyring();
    const passphrase = 'a good long passphrase';
    await createVault({ store: 'passphrase', passphrase, dataDir }).write('credential', 'x');
    const vault = open();
    expect(await vault.status()).toBe('changed');
    await expect(vault.read(DATA_KEY)).rejects.toMatchObject(failsWith('vault-changed'));
    await expect(vault.write(DATA_KEY, 'x')).rejects.toMatchObject(failsWith('vault-changed'));
  });

  it('reports an unreadable note in the folder', async () => {
    keyring = await startKeyring();
    writeFileSync(path.join(dataDir, 'vault.json'), '{"store":"kwallet"}');
    expect(await open().status()).toBe('changed');
  });
});

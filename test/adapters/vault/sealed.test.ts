import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  createVault,
  protectionOf,
  type VaultChoice,
} from '../../../electron/adapters/vault/vault.ts';
import { dataKey, DATA_KEY } from '../../../electron/adapters/vault/data-key.ts';
import { createKeyFile } from '../../../electron/adapters/vault/key-source.ts';
import { findLeaks } from '../../support/leak-scan.ts';

const PASSPHRASE = 'eight pale horses run';
/** Work factor for fast tests; one test checks the work factor of the released program. */
const COST = { N: 2 ** 10, r: 8, p: 1 };

let dataDir: string;
let keyFile: string;

beforeEach(() => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'desk-sealed-'));
  dataDir = path.join(folder, 'data');
  keyFile = path.join(folder, 'desk.key');
});
afterEach(() => {
  rmSync(path.dirname(dataDir), { recursive: true, force: true });
});

const byPassphrase = (passphrase = PASSPHRASE): VaultChoice => ({
  store: 'passphrase',
  passphrase,
  cost: COST,
  dataDir,
});
const byKeyFile = (): VaultChoice => ({ store: 'keyfile', path: keyFile, dataDir });
const sealed = (): Buffer => readFileSync(path.join(dataDir, 'vault.sealed'));
const headerOf = (file: Buffer): unknown =>
  (JSON.parse(file.toString('utf8')) as { readonly key: unknown }).key;
const failsWith = (reason: string) => ({ failure: { code: 'vault', reason } });

describe('a vault under a passphrase', () => {
  it('stores, returns and removes secrets across starts', async () => {
    const vault = createVault(byPassphrase());
    await vault.write('credential', 'hemlig åäö');
    await vault.write('other', 'kept');
    const again = createVault(byPassphrase());
    expect(await again.read('credential')).toBe('hemlig åäö');
    expect(await again.remove('credential')).toBe(true);
    expect(await again.remove('credential')).toBe(false);
    expect(await again.read('other')).toBe('kept');
    expect(await protectionOf(dataDir)).toBe('passphrase');
  });

  it('requires 128 MiB per guess in the released program, and its file cannot choose another cost', async () => {
    const shipped: VaultChoice = { store: 'passphrase', passphrase: PASSPHRASE, dataDir };
    await createVault(byPassphrase()).write('credential', 'x');
    expect(headerOf(sealed())).toMatchObject(COST);
    expect(await createVault(shipped).status()).toBe('wrong-key');
    rmSync(dataDir, { recursive: true });
    await createVault(shipped).write('credential', 'x');
    expect(headerOf(sealed())).toMatchObject({ N: 2 ** 17, r: 8, p: 1 });
    expect(await createVault(shipped).read('credential')).toBe('x');
    expect(await createVault(byPassphrase()).status()).toBe('wrong-key');
  });

  it('cannot be opened with another passphrase, and is not overwritten (TX-52)', async () => {
    await createVault(byPassphrase()).write('credential', 'x');
    const before = sealed();
    const wrong = createVault(byPassphrase('another passphrase'));
    expect(await wrong.status()).toBe('wrong-key');
    await expect(wrong.read('credential')).rejects.toMatchObject(failsWith('vault-wrong-key'));
    await expect(wrong.write('credential', 'y')).rejects.toMatchObject(
      failsWith('vault-wrong-key'),
    );
    await expect(wrong.remove('credential')).rejects.toMatchObject(failsWith('vault-wrong-key'));
    expect(sealed().equals(before)).toBe(true);
  });

  it.each([0, 40, -4])('detects a changed byte at offset %i', async (place) => {
    const vault = createVault(byPassphrase());
    await vault.write('credential', 'x');
    const bytes = sealed();
    const at = (place + bytes.length) % bytes.length;
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    writeFileSync(path.join(dataDir, 'vault.sealed'), bytes);
    expect(await vault.status()).toBe('wrong-key');
  });

  it('leaves no readable data in its folder, and grants access to the owner only (TX-50)', async () => {
    const vault = createVault(byPassphrase());
    const key = Buffer.from(await dataKey(vault, { databaseExists: false })).toString('hex');
    await vault.write('credential', 'sekret-Token+1/2=3');
    expect(findLeaks([dataDir], [PASSPHRASE, key, 'sekret-Token+1/2=3'])).toEqual([]);
    expect(statSync(path.join(dataDir, 'vault.sealed')).mode & 0o777).toBe(0o600);
    expect(statSync(path.join(dataDir, 'vault.json')).mode & 0o777).toBe(0o600);
    expect(statSync(dataDir).mode & 0o777).toBe(0o700);
  });

  it('reveals none of its secrets in an error (TX-50)', async () => {
    await createVault(byPassphrase()).write('credential', 'sekret-Token+1/2=3');
    const error: unknown = await createVault(byPassphrase('wrong words here'))
      .read('credential')
      .catch((thrown: unknown) => thrown);
    const file = path.join(dataDir, 'error.txt');
    writeFileSync(file, error instanceof Error ? `${error.stack}${String(error.cause)}` : '');
    expect(findLeaks([file], [PASSPHRASE, 'sekret-Token+1/2=3', 'wrong words here'])).toEqual([]);
    expect(readFileSync(file, 'utf8')).toContain('cannot be opened with this key');
  });
});

describe('the database key in a sealed vault', () => {
  it('is created once and never again', async () => {
    const made = await dataKey(createVault(byPassphrase()), { databaseExists: false });
    expect(await dataKey(createVault(byPassphrase()), { databaseExists: true })).toEqual(made);
    expect(await createVault(byPassphrase()).status()).toBe('ready');
  });

  it('is not created again while a database exists', async () => {
    const vault = createVault(byPassphrase());
    const reading = dataKey(vault, { databaseExists: true });
    await expect(reading).rejects.toMatchObject(failsWith('vault-entry-missing'));
    expect(await protectionOf(dataDir)).toBeNull();
  });

  it('is missing, not new, when the sealed file is gone', async () => {
    const vault = createVault(byPassphrase());
    await vault.write(DATA_KEY, 'ab'.repeat(32));
    rmSync(path.join(dataDir, 'vault.sealed'));
    expect(await vault.status()).toBe('entry-missing');
  });

  it('is the same key for two processes that start together on a new folder', async () => {
    await createKeyFile(keyFile);
    const starts = [1, 2, 3].map(() =>
      dataKey(createVault(byKeyFile()), { databaseExists: false }),
    );
    const results = await Promise.allSettled(starts);
    const stored = Buffer.from(await dataKey(createVault(byKeyFile()), { databaseExists: true }));
    const refused = results.filter(({ status }) => status === 'rejected');
    expect(refused).toEqual(
      refused.map(() =>
        expect.objectContaining({
          reason: expect.objectContaining({
            failure: expect.objectContaining({ reason: 'data-in-use' }),
          }),
        }),
      ),
    );
    const made = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    expect(made.length).toBeGreaterThan(0);
    for (const key of made) expect(stored.equals(key)).toBe(true);
  });
});

describe('a vault under a key file', () => {
  it('opens with its own key file', async () => {
    await createKeyFile(keyFile);
    await createVault(byKeyFile()).write('credential', 'x');
    expect(await createVault(byKeyFile()).read('credential')).toBe('x');
    expect(statSync(keyFile)).toMatchObject({ size: 32 });
    expect(statSync(keyFile).mode & 0o777).toBe(0o600);
  });

  it('keeps every secret written at the same moment, and loses none to a removal', async () => {
    await createKeyFile(keyFile);
    const vault = createVault(byKeyFile());
    const names = Array.from({ length: 20 }, (_, index) => `secret ${String(index)}`);
    await vault.write('old', 'x');
    await Promise.all([...names.map((name) => vault.write(name, name)), vault.remove('old')]);
    const again = createVault(byKeyFile());
    expect(await Promise.all(names.map((name) => again.read(name)))).toEqual(names);
    expect(await again.read('old')).toBeNull();
  });

  it('never overwrites a key file with another', async () => {
    await createKeyFile(keyFile);
    const before = readFileSync(keyFile);
    await expect(createKeyFile(keyFile)).rejects.toMatchObject({ failure: { code: 'conflict' } });
    expect(readFileSync(keyFile).equals(before)).toBe(true);
  });

  it('opens with a key file that is read-only for its owner (SEC-L8)', async () => {
    await createKeyFile(keyFile);
    chmodSync(keyFile, 0o400);
    await createVault(byKeyFile()).write('credential', 'x');
    expect(await createVault(byKeyFile()).read('credential')).toBe('x');
  });

  it.skipIf(process.platform === 'win32').each([
    ['a pipe without a writer', () => void execFileSync('mkfifo', ['-m', '0600', keyFile])],
    ['a folder', () => void mkdirSync(keyFile, { mode: 0o700 })],
    ['a link to a device', () => symlinkSync('/dev/zero', keyFile)],
  ])('immediately rejects %s as a key file (SEC-L8)', async (_, make) => {
    make();
    expect(await createVault(byKeyFile()).status()).toBe('wrong-key');
  });

  it.each([0o640, 0o644, 0o440, 0o404, 0o602, 0o700])(
    'rejects a key file with mode %o',
    async (mode) => {
      await createKeyFile(keyFile);
      chmodSync(keyFile, mode);
      const vault = createVault(byKeyFile());
      await expect(vault.write('credential', 'x')).rejects.toMatchObject(failsWith('keyfile-mode'));
      expect(await vault.status()).toBe('denied');
    },
  );

  it.each([0, 31, 33, 64, 5_000_000])('rejects a key file of %i bytes', async (length) => {
    writeFileSync(keyFile, Buffer.alloc(length, 7), { mode: 0o600 });
    expect(await createVault(byKeyFile()).status()).toBe('wrong-key');
  });

  it('reports a missing key file', async () => {
    const vault = createVault(byKeyFile());
    expect(await vault.status()).toBe('entry-missing');
    await expect(vault.write('credential', 'x')).rejects.toMatchObject(
      failsWith('vault-entry-missing'),
    );
  });

  it('cannot be opened with another key file', async () => {
    await createKeyFile(keyFile);
    await createVault(byKeyFile()).write('credential', 'x');
    rmSync(keyFile);
    await createKeyFile(keyFile);
    expect(await createVault(byKeyFile()).status()).toBe('wrong-key');
  });
});

it('a vault reports a folder protected by another store', async () => {
  await createKeyFile(keyFile);
  await createVault(byKeyFile()).write('credential', 'x');
  const vault = createVault(byPassphrase());
  expect(await vault.status()).toBe('changed');
  await expect(vault.write('credential', 'y')).rejects.toMatchObject(failsWith('vault-changed'));
  rmSync(path.join(dataDir, 'vault.json'));
  expect(await vault.status()).toBe('changed');
});

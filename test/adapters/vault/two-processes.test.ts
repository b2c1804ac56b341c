import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createWriterLock } from '../../../electron/adapters/sqlite/open/lock.ts';
import { createVault, type VaultChoice } from '../../../electron/adapters/vault/vault.ts';
import { DATA_KEY } from '../../../electron/adapters/vault/data-key.ts';
import { createKeyFile } from '../../../electron/adapters/vault/key-source.ts';
import { createSealedVault } from '../../../electron/adapters/vault/sealed.ts';
import { ended, nextMessage } from '../sqlite/child.ts';

const EACH = 50;
const NAMES = ['left', 'right'];

let folder: string;
let dataDir: string;
let keyFile: string;
let children: ChildProcess[];

beforeEach(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'desk-two-'));
  dataDir = path.join(folder, 'data');
  keyFile = path.join(folder, 'desk.key');
  children = [];
  await createKeyFile(keyFile);
});
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  await Promise.all(children.map(ended));
  rmSync(folder, { recursive: true, force: true });
});

const choice = (): VaultChoice => ({ store: 'keyfile', path: keyFile, dataDir });
const start = (name: string, ...args: readonly string[]): ChildProcess => {
  const script = path.join(import.meta.dirname, 'children', name);
  const child = fork(script, [dataDir, keyFile, ...args], { execArgv: [] });
  children.push(child);
  return child;
};
const secretsOf = (name: string) =>
  Array.from({ length: EACH }, (_, index) => `${name} ${String(index)}`);

/** Lets two processes write their secrets at the same time. Returns their final reports. */
async function writeAtOnce(): Promise<readonly unknown[]> {
  const writers = NAMES.map((name) => start('write-secrets.ts', name, String(EACH)));
  await Promise.all(writers.map(nextMessage));
  const answers = writers.map(nextMessage);
  for (const writer of writers) writer.send('go');
  return Promise.all(answers);
}

async function lost(): Promise<readonly string[]> {
  const vault = createVault(choice());
  const found = await Promise.all(
    NAMES.flatMap(secretsOf).map(async (name) => ({ name, secret: await vault.read(name) })),
  );
  return found.flatMap(({ name, secret }) => (secret === `secret of ${name}` ? [] : [name]));
}

describe('a sealed vault that two processes write to', () => {
  it('loses none of fifty secrets that each writes at the same time (TE-V1)', async () => {
    await createVault(choice()).write('before', 'x');
    expect(await writeAtOnce()).toEqual(['done', 'done']);
    expect(await lost()).toEqual([]);
    expect(await createVault(choice()).read('before')).toBe('x');
  });

  it('is created by one process and filled by both if no vault existed (TE-V2)', async () => {
    expect(await writeAtOnce()).toEqual(['done', 'done']);
    expect(await lost()).toEqual([]);
  });

  it('is complete, unlocked and clean after one process was killed during a write (TE-V3)', async () => {
    await createVault(choice()).write('early', 'stored');
    const writer = start('stop-in-write.ts');
    expect(await nextMessage(writer)).toBe('in the middle');
    writer.kill('SIGKILL');
    expect(await ended(writer)).toBe('SIGKILL');
    const vault = createSealedVault({ store: 'keyfile', path: keyFile }, dataDir, 0);
    expect(await vault.read('early')).toBe('stored');
    expect(await vault.read('late')).toBeNull();
    await vault.write('next', 'stored too');
    expect(await createVault(choice()).read('next')).toBe('stored too');
    expect(readdirSync(dataDir).toSorted()).toEqual(['vault.json', 'vault.lock', 'vault.sealed']);
  });

  it('reports that it is in use when another process writes endlessly (TE-V4)', async () => {
    const vault = createSealedVault({ store: 'keyfile', path: keyFile }, dataDir, 0);
    await vault.write('secret', 'x');
    const writer = start('stop-in-write.ts');
    expect(await nextMessage(writer)).toBe('in the middle');
    const refused = { failure: { code: 'storage', reason: 'data-in-use' } };
    await expect(vault.write('secret', 'y')).rejects.toMatchObject(refused);
    await expect(vault.remove('secret')).rejects.toMatchObject(refused);
    expect(await vault.read('secret')).toBe('x');
  });

  it('waits for a write that ends, and can be read during it (TE-V5)', async () => {
    await createVault(choice()).write('secret', 'x');
    const lock = createWriterLock(path.join(dataDir, 'vault.lock'));
    expect(lock.take()).toBe(true);
    const written = createVault(choice()).write('secret', 'y');
    expect(await createVault(choice()).read('secret')).toBe('x');
    lock.free();
    await written;
    expect(await createVault(choice()).read('secret')).toBe('y');
  });

  it('keeps its first database key if a process that starts late writes another (TE-V6)', async () => {
    const [early, late] = [createVault(choice()), createVault(choice())];
    await early.write(DATA_KEY, 'ab'.repeat(32));
    await expect(late.write(DATA_KEY, 'cd'.repeat(32))).rejects.toMatchObject({
      failure: { code: 'storage', reason: 'data-in-use' },
    });
    expect(await late.read(DATA_KEY)).toBe('ab'.repeat(32));
  });
});

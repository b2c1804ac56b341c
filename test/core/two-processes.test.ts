import { type ChildProcess, fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEncoding } from '../../electron/adapters/system/encoding.ts';
import { originOf, systemClock } from '../../electron/adapters/system/platform.ts';
import type { Database } from '../../electron/adapters/sqlite/database/database.ts';
import { openDatabase } from '../../electron/adapters/sqlite/open/open.ts';
import { createStores } from '../../electron/adapters/sqlite/stores.ts';
import { createVault } from '../../electron/adapters/vault/vault.ts';
import { dataKey } from '../../electron/adapters/vault/data-key.ts';
import { createKeyFile } from '../../electron/adapters/vault/key-source.ts';
import { createExternalState } from '../../electron/adapters/vault/external-state.ts';
import { databaseFile } from '../../electron/compose/data.ts';
import { EvidenceLog } from '../../electron/core/evidence/log.ts';
import type { Stores, Vault } from '../../electron/core/ports.ts';
import { ended, nextMessage } from '../adapters/sqlite/child.ts';

const ROUNDS = 40;
const NAMES = ['left', 'right'];
const LABELS = NAMES.flatMap((name) =>
  Array.from({ length: ROUNDS }, (_, index) => `${name} ${String(index)}`),
);

let root: string;
let folder: string;
let vault: Vault;
let database: Database;
let stores: Stores;
let children: ChildProcess[];

beforeEach(async () => {
  root = mkdtempSync(path.join(os.tmpdir(), 'desk-both-'));
  folder = path.join(root, 'data');
  const keyFile = path.join(root, 'desk.key');
  await createKeyFile(keyFile);
  vault = createVault({ store: 'keyfile', path: keyFile, dataDir: folder });
  const key = await dataKey(vault, { databaseExists: false });
  database = openDatabase({ file: databaseFile(folder), key, now: Date.now() });
  stores = createStores(database);
  const script = path.join(import.meta.dirname, 'children', 'write-all.ts');
  children = NAMES.map((name) =>
    fork(script, [folder, keyFile, name, String(ROUNDS)], { execArgv: [] }),
  );
  await Promise.all(children.map(nextMessage));
});
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  await Promise.all(children.map(ended));
  database.close();
  rmSync(root, { recursive: true, force: true });
});

function openLog(): EvidenceLog {
  return new EvidenceLog({
    evidence: stores.evidence,
    vault,
    externalState: createExternalState({
      stateDir: `${folder}.state`,
      dataDir: folder,
      file: databaseFile(folder),
    }),
    origin: originOf('0'),
    clock: systemClock,
    sha256: (data) => createHash('sha256').update(data).digest('hex'),
    encoding: createEncoding(),
    emit: () => undefined,
  });
}

describe('two processes on one data folder', () => {
  it('write evidence, batches and secrets at once; all of it is there, and the chain whole (TE-Q05)', async () => {
    const answers = children.map(nextMessage);
    for (const child of children) child.send('go');
    expect(await Promise.all(answers)).toEqual(['done', 'done']);

    const log = openLog();
    expect(await log.verify([])).toMatchObject({ entries: LABELS.length, chain: 'ok' });
    const about = [...stores.evidence.walk()].map(({ text }) => {
      const { agreement } = JSON.parse(text);
      return String(agreement.id);
    });
    expect(about.toSorted()).toEqual(LABELS.toSorted());
    await log.note();

    const batches = stores.batches.list();
    expect(batches.map(({ name }) => name).toSorted()).toEqual(LABELS.toSorted());
    for (const { id, name } of batches) {
      expect(stores.batches.rows(id).map(({ cells }) => cells)).toEqual([['Astrid'], [name]]);
    }
    const secrets = await Promise.all(LABELS.map((label) => vault.read(label)));
    expect(secrets).toEqual(LABELS.map((label) => `secret of ${label}`));
  });
});

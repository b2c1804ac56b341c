// tier: quick, 20 s, because a backup that cannot be read is none
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  copiesOf,
  isSingleFile,
  extractedDataOperations as copyOutside,
} from '../../../../electron/adapters/sqlite/backup/copies.ts';
import { inspectDataFile } from '../../../../electron/adapters/sqlite/backup/inspect.ts';
import { connect } from '../../../../electron/adapters/sqlite/database/cipher.ts';
import { openDatabase } from '../../../../electron/adapters/sqlite/open/open.ts';
import { createStores } from '../../../../electron/adapters/sqlite/stores.ts';
import { EvidenceLog } from '../../../../electron/core/evidence/log.ts';
import { reviewed } from '../../../support/evidence-facts.ts';
import { keptVault } from '../../../support/fakes/kept-vault.ts';
import { createMemoryWitness } from '../../../support/fakes/memory-ports.ts';
import { layOldData, OLD_KEY } from '../../../support/old-data.ts';
import { createEncoding } from '../../../../electron/adapters/system/encoding.ts';
import { newBatch, newConnection, newDraft, remote } from '../samples.ts';
import { NOW, type TempDatabase, tempDatabase, tempFolder } from '../temp-database.ts';

const takenOut = {
  ...copyOutside,
  open: (copy: { readonly file: string; readonly key: string }) => {
    const database = openDatabase({ file: copy.file, key: Buffer.from(copy.key, 'hex'), now: NOW });
    return { stores: createStores(database), close: () => database.close() };
  },
};
const never = new AbortController().signal;
const hex = (key: Uint8Array) => Buffer.from(key).toString('hex');
const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest('hex');
const failure = (code: string, reason?: string) =>
  expect.objectContaining({
    failure: expect.objectContaining(reason === undefined ? { code } : { code, reason }),
  });

function logOf({ stores }: TempDatabase): EvidenceLog {
  return new EvidenceLog({
    evidence: stores.evidence,
    vault: keptVault(),
    externalState: createMemoryWitness(),
    origin: { user: 'maria', computer: 'desk', program: 'Signing Desk' },
    clock: { now: () => NOW, after: () => () => undefined },
    sha256,
    encoding: createEncoding(),
    emit: () => undefined,
  });
}

function furnish(place: TempDatabase): void {
  const connection = newConnection();
  place.stores.connections.save(connection);
  place.stores.agreements.put(connection.id, 'v1', [remote({ id: 'a' }), remote({ id: 'b' })], NOW);
  place.stores.drafts.insert(newDraft());
  place.stores.batches.insert(newBatch(['Name']));
  const log = logOf(place);
  for (const id of ['a', 'b', 'c']) log.append(reviewed(id));
}

describe('a copy of the data', () => {
  it('is complete, counted and encrypted with the same key, and the original is unchanged', async () => {
    using place = tempDatabase();
    furnish(place);
    const copies = copiesOf(place);
    const facts = await copies.take(never);
    const counts = { connections: 1, agreements: 2, drafts: 1, batches: 1, evidence: 3, people: 0 };
    expect(facts).toMatchObject({
      counts,
      bytes: statSync(copies.copy).size,
      sha256: sha256(readFileSync(copies.copy)),
      evidence: { entries: 3, hash: place.stores.evidence.last()?.hash },
    });
    if (process.platform !== 'win32') expect(statSync(copies.copy).mode & 0o777).toBe(0o600);
    expect(readFileSync(copies.copy).includes('Lease')).toBe(false);
    expect(await takenOut.inspect({ file: copies.copy, key: copies.key }, never)).toEqual(facts);
    await copies.drop();
    expect(readdirSync(path.dirname(copies.copy)).filter((name) => name.includes('copy'))).toEqual(
      [],
    );
  });

  it('is described by the size and the hash of its whole file', () => {
    using place = tempDatabase();
    furnish(place);
    expect(inspectDataFile(place.file, place.key)).toMatchObject({
      bytes: statSync(place.file).size,
      sha256: sha256(readFileSync(place.file)),
      evidence: { entries: 3, hash: place.stores.evidence.last()?.hash },
    });
  });

  it('is removed with all its SQLite files if the program was killed', async () => {
    using place = tempDatabase();
    const copies = copiesOf(place);
    const left = ['', '-journal', '-wal', '-shm'].map((end) => `${copies.copy}${end}`);
    for (const file of left) writeFileSync(file, 'left');
    await copies.drop();
    expect(left.filter((file) => existsSync(file))).toEqual([]);
  });

  it('has the data of one moment, despite writes during copying', async () => {
    using place = tempDatabase();
    furnish(place);
    const copies = copiesOf(place);
    let written = 0;
    const taking = copies.take(never);
    const isTaken = taking.then(
      () => true,
      () => true,
    );
    while (!(await Promise.race([isTaken, new Promise((next) => setImmediate(next, false))]))) {
      place.stores.drafts.insert(newDraft());
      written += 1;
    }
    const { counts } = await taking;
    expect(written).toBeGreaterThan(0);
    expect(counts.drafts).toBeLessThanOrEqual(written + 1);
    expect(place.stores.drafts.list()).toHaveLength(written + 1);
    await copies.drop();
  });

  it('can be stopped, and its remains are removed', async () => {
    using place = tempDatabase();
    const stop = new AbortController();
    const copies = copiesOf(place);
    const taking = copies.take(stop.signal);
    stop.abort();
    await expect(taking).rejects.toEqual(failure('cancelled'));
    await copies.drop();
    expect(existsSync(copies.copy)).toBe(false);
  });

  it('reports the entry at which its evidence chain breaks', async () => {
    using place = tempDatabase();
    furnish(place);
    const raw = connect(place.file, place.key, 'write');
    const made = "SELECT sql FROM sqlite_schema WHERE name = 'evidence_is_not_rewritten'";
    const trigger = String(raw.prepare(made).pluck().get());
    raw.exec('DROP TRIGGER evidence_is_not_rewritten');
    raw.exec("UPDATE evidence SET entry = replace(entry, 'maria', 'marie') WHERE number = 2");
    raw.exec(trigger);
    raw.close();
    const copies = copiesOf(place);
    expect((await copies.take(never)).evidence.entries).toBe(1);
    await copies.drop();
  });
});

describe('a data file from a backup', () => {
  async function taken() {
    const place = tempDatabase();
    furnish(place);
    const copies = copiesOf(place);
    const facts = await copies.take(never);
    return { ...place, facts, file: copies.copy, hexKey: copies.key };
  }

  it('opens only with its new key', async () => {
    using place = await taken();
    const key = 'c4'.repeat(32);
    await takenOut.changeKey({ file: place.file, key: place.hexKey }, key);
    const { counts, evidence } = place.facts;
    expect(await takenOut.inspect({ file: place.file, key }, never)).toMatchObject({
      counts,
      evidence,
    });
    await expect(
      takenOut.inspect({ file: place.file, key: place.hexKey }, never),
    ).rejects.toThrow();
    const { stores, close } = takenOut.open({ file: place.file, key });
    expect(stores.drafts.list()).toHaveLength(1);
    close();
  });

  it('is rejected when a page is damaged', async () => {
    using place = await taken();
    const bytes = readFileSync(place.file);
    const at = Math.floor(bytes.length / 2);
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    writeFileSync(place.file, bytes);
    await expect(takenOut.inspect({ file: place.file, key: place.hexKey }, never)).rejects.toEqual(
      failure('storage', 'data-damaged'),
    );
  });

  it('of a newer version is rejected', async () => {
    using place = await taken();
    const raw = connect(place.file, Buffer.from(place.hexKey, 'hex'), 'write');
    raw.pragma('user_version = 1000');
    raw.close();
    await expect(takenOut.inspect({ file: place.file, key: place.hexKey }, never)).rejects.toEqual(
      failure('newer-data'),
    );
  });

  it.each([1, 10, 17, 19])('of version %i is read and upgraded', async (version) => {
    using place = tempFolder();
    layOldData(version, place.file);
    const copy = { file: place.file, key: hex(OLD_KEY) };
    expect(await takenOut.inspect(copy, never)).toMatchObject({ schema: version });
    const { stores, close } = takenOut.open(copy);
    expect(stores.drafts.list().length).toBeGreaterThan(0);
    close();
  });
});

describe('a data file is replaced only if it', () => {
  it('is not written by another process', () => {
    using place = tempDatabase();
    const data = { file: place.file, key: hex(place.key) };
    expect(takenOut.isUntouched(data)).toBe(true);
    place.stores.settings.write({ theme: 'dark' });
    expect(takenOut.isUntouched(data)).toBe(true);
    place.stores.drafts.insert(newDraft());
    expect(takenOut.isUntouched(data)).toBe(false);
  });

  it('is not open in another process', () => {
    using place = tempDatabase();
    const data = { file: place.file, key: hex(place.key) };
    place.stores.settings.write({ theme: 'dark' });
    expect(isSingleFile(data)).toBe(false);
    const copy = `${place.file}.alone`;
    place.database.close();
    copyFileSync(place.file, copy);
    expect(isSingleFile({ file: copy, key: data.key })).toBe(true);
  });
});

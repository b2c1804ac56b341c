import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { createEncoding } from '../../../electron/adapters/system/encoding.ts';
import { EvidenceLog } from '../../../electron/core/evidence/log.ts';
import { reviewed } from '../../support/evidence-facts.ts';
import { keptVault } from '../../support/fakes/kept-vault.ts';
import { createMemoryWitness } from '../../support/fakes/memory-ports.ts';
import { createMemoryStores } from '../../support/fakes/memory-stores.ts';

const HEAD = 'evidence-head';
const NOW = Date.UTC(2026, 10, 22);

const broken = (message: string) => ({
  failure: { code: 'conflict', reason: 'evidence-broken', message },
});
const OTHER = broken(
  'The evidence log does not match the note about its end. Check whether entries of the log were changed',
);
const GONE = broken(
  'The note about the end of the evidence log is missing. Check whether entries of the log were removed',
);

let stores: ReturnType<typeof createMemoryStores>;
let vault: ReturnType<typeof keptVault>;
let externalState: ReturnType<typeof createMemoryWitness>;
let told: string[];
let log: EvidenceLog;

beforeEach(() => {
  stores = createMemoryStores();
  vault = keptVault();
  externalState = createMemoryWitness();
  told = [];
  log = new EvidenceLog({
    evidence: stores.evidence,
    vault,
    externalState,
    origin: { user: 'maria', computer: 'desk', program: 'Signing Desk' },
    clock: { now: () => NOW, after: () => () => undefined },
    sha256: (data) => createHash('sha256').update(data).digest('hex'),
    encoding: createEncoding(),
    emit: (name) => void told.push(name),
  });
});

/** The notes in the credential store, on the computer and in the data. */
const noted = async () => [
  await vault.read(HEAD),
  await externalState.read(HEAD),
  stores.evidence.noted(),
];

const chain = async () => (await log.verify([])).chain;

describe('the note of where the evidence log ended', () => {
  it('is stored in three locations once the log has an entry, and not before', async () => {
    await log.note();
    expect(await noted()).toEqual([null, null, null]);
    expect(await log.verify([])).toMatchObject({ entries: 0, chain: 'ok', anchors: 0, head: '' });
    expect([log.append(reviewed('x')), log.append(reviewed('y'))]).toEqual([1, 2]);
    expect(told).toEqual(['evidence.changed', 'evidence.changed']);
    // From its first entry on, the log must have a note.
    expect(stores.evidence.noted()).toEqual({ entries: 0, hash: '' });
    await log.note();
    const { hash } = log.head();
    const place = { entries: 2, hash };
    expect(await noted()).toEqual([`2:${hash}`, `2:${hash}`, place]);
    expect(log.head()).toEqual({ format: 'signing-desk-evidence-anchor', ...place, at: NOW });
    expect(await log.verify([log.head()])).toEqual({
      entries: 2,
      chain: 'ok',
      gaps: [],
      firstBroken: null,
      anchors: 3,
      head: hash,
    });
  });

  it('belongs to that log only, which has a name from its first entry on', () => {
    expect(log.name()).toBe('');
    log.append(reviewed('x'));
    const { hash } = log.head();
    log.append(reviewed('y'));
    expect(log.name()).toBe(hash.slice(0, 8));
    expect(log.holds({ entries: 0, hash: '' })).toBe(true);
    expect(log.holds({ entries: 1, hash })).toBe(true);
    expect(log.holds({ entries: 2, hash })).toBe(false);
    expect(log.holds({ entries: 3, hash })).toBe(false);
  });

  it.each(['credential store', 'computer'] as const)(
    'in the %s with more entries than the log is reported and not overwritten',
    async (place) => {
      log.append(reviewed('x'));
      await log.note();
      const holder = place === 'computer' ? externalState : vault;
      await holder.write(HEAD, `2:${'ab'.repeat(32)}`);
      const before = await noted();
      log.append(reviewed('y'));
      await expect(log.note()).rejects.toMatchObject(OTHER);
      expect(await noted()).toEqual(before);
      expect(await log.verify([])).toMatchObject({
        chain: 'broken',
        firstBroken: { number: 2, why: 'replaced' },
      });
    },
  );
});

describe('a missing note of where the evidence log ended', () => {
  it('is detected in the credential store once the data records it as stored, and is not written again', async () => {
    log.append(reviewed('x'));
    await log.note();
    await vault.remove(HEAD);
    expect(await chain()).toBe('note-missing');
    await expect(log.note()).rejects.toMatchObject(GONE);
    expect(await vault.read(HEAD)).toBeNull();
  });

  it('is detected when only this computer remembers it', async () => {
    log.append(reviewed('x'));
    await externalState.write(HEAD, `1:${log.head().hash}`);
    expect(stores.evidence.noted()?.entries).toBe(0);
    expect(await chain()).toBe('note-missing');
    await expect(log.note()).rejects.toMatchObject(GONE);
  });

  it('is not reported for entries that were not noted yet', async () => {
    log.append(reviewed('x'));
    expect(await chain()).toBe('ok');
    await log.note();
    expect(await chain()).toBe('ok');
  });

  it('is not reported when only the note on this computer is missing, which is then written', async () => {
    log.append(reviewed('x'));
    await log.note();
    await externalState.write(HEAD, 'no note');
    expect(await log.verify([])).toMatchObject({ chain: 'ok', anchors: 1 });
    await log.note();
    expect(await externalState.read(HEAD)).toBe(await vault.read(HEAD));
  });

  it.each(['', 'x', `1:${'ab'.repeat(31)}`, `1:${'AB'.repeat(32)}`, `-1:${'ab'.repeat(32)}`])(
    'is also detected when the stored value is not a note: %j',
    async (text) => {
      log.append(reviewed('x'));
      await log.note();
      await vault.write(HEAD, text);
      expect(await chain()).toBe('note-missing');
    },
  );
});

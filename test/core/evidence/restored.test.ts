import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { createEncoding } from '../../../electron/adapters/system/encoding.ts';
import { readAnchors, writeAnchor } from '../../../electron/core/evidence/anchor-files.ts';
import { EvidenceLog } from '../../../electron/core/evidence/log.ts';
import type { EvidenceStore } from '../../../electron/core/evidence/ports.ts';
import { deactivationOf } from '../../../electron/core/deactivation.ts';
import { reviewed } from '../../support/evidence-facts.ts';
import { keptVault } from '../../support/fakes/kept-vault.ts';
import { createMemoryFiles, createMemoryWitness } from '../../support/fakes/memory-ports.ts';
import { createMemoryStores } from '../../support/fakes/memory-stores.ts';
import { HOUR } from '../../../shared/rules/time/units.ts';

const FOLDER = '/office';
const BACKUP_AT = Date.UTC(2026, 10, 22, 2, 30);

let now = BACKUP_AT;
const clock = { now: () => now, after: () => () => undefined };
const files = () => createMemoryFiles();

/** A computer with its own log, and its own notes outside the data. */
function computer(evidence: EvidenceStore = createMemoryStores().evidence) {
  const ports = { vault: keptVault(), externalState: createMemoryWitness() };
  const logOf = (of: EvidenceStore) =>
    new EvidenceLog({
      ...ports,
      evidence: of,
      origin: { user: 'maria', computer: 'desk', program: 'Signing Desk' },
      clock,
      sha256: (data) => createHash('sha256').update(data).digest('hex'),
      encoding: createEncoding(),
      emit: () => undefined,
    });
  return { evidence, log: logOf(evidence), ports, logOf };
}

async function write(log: EvidenceLog, ...ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    log.append(reviewed(id));
    await log.note();
  }
}

/** The same entries in another data file, as restored from a backup. */
function copied(evidence: EvidenceStore): EvidenceStore {
  const copy = createMemoryStores().evidence;
  for (const entry of evidence.walk()) copy.append(() => entry);
  const noted = evidence.noted();
  if (noted !== null) copy.setNoted(noted);
  return copy;
}

let first: ReturnType<typeof computer>;
let backup: EvidenceStore;

beforeEach(async () => {
  now = BACKUP_AT;
  first = computer();
  await write(first.log, 'a', 'b', 'c');
  backup = copied(first.evidence);
  now += HOUR;
  await write(first.log, 'd', 'e');
  now += HOUR;
});

describe('an evidence log restored from a backup', () => {
  it('on another computer states that it was restored, and continues from there', async () => {
    const second = computer(backup);
    expect(await second.log.restored(BACKUP_AT)).toBe(0);
    await write(second.log, 'f');
    expect(await second.log.verify([])).toMatchObject({
      entries: 5,
      chain: 'ok',
      gaps: [{ after: 3, until: null, backupAt: BACKUP_AT, restoredAt: now }],
      anchors: 2,
    });
    expect(second.evidence.list({ limit: 2 })[1]).toMatchObject({
      connection: null,
      agreement: null,
      fact: { kind: 'restored', entries: 3, hash: second.evidence.at(3)?.hash, missing: [] },
    });
  });

  it('on the same computer shows how many entries it lacks, and matches its notes again', async () => {
    const log = first.logOf(backup);
    // Without an entry about the restore, the log counts as cut.
    expect((await log.verify([])).firstBroken).toEqual({ number: 4, why: 'cut' });
    expect(await log.restored(BACKUP_AT)).toBe(2);
    await write(log, 'f');
    expect(await log.verify([])).toMatchObject({ chain: 'ok', gaps: [{ after: 3, until: 5 }] });
    // The next note covers the current entries.
    await write(log, 'g');
    expect(await log.verify([])).toMatchObject({ entries: 6, chain: 'ok', anchors: 2 });
  });

  it('that is cut after the restore is reported as broken, like every other log', async () => {
    const second = computer(backup);
    await second.log.restored(BACKUP_AT);
    await write(second.log, 'f');
    const cut = createMemoryStores().evidence;
    for (const entry of second.evidence.walk()) if (entry.number < 5) cut.append(() => entry);
    expect((await second.logOf(cut).verify([])).firstBroken).toEqual({ number: 5, why: 'cut' });
  });

  it('is broken when an anchor from after the restore has more entries than it', async () => {
    // A log as it was when restored, with notes of that state only.
    const early = computer(copied(backup));
    await early.log.restored(BACKUP_AT);
    const second = computer(backup);
    await second.log.restored(BACKUP_AT);
    await write(second.log, 'f', 'g');
    now += HOUR;
    const anchor = { ...second.log.head(), at: now };
    expect((await second.log.verify([anchor])).chain).toBe('ok');
    expect((await early.log.verify([])).chain).toBe('ok');
    expect((await early.log.verify([anchor])).firstBroken).toEqual({ number: 5, why: 'cut' });
  });

  it('is broken when an entry from before the backup was changed', async () => {
    const second = computer(backup);
    await second.log.restored(BACKUP_AT);
    const forged = { ...first.log.head(), entries: 2, at: BACKUP_AT };
    expect((await second.log.verify([forged])).firstBroken).toEqual({
      number: 2,
      why: 'replaced',
    });
  });

  it('finds the earlier anchors in the office’s folder, and by them the entries that it lacks', async () => {
    const office = files();
    const of = (evidenceLog: EvidenceLog) => ({ evidenceLog, files: office, clock });
    now -= HOUR;
    await writeAnchor(of(first.log), FOLDER);
    now += HOUR;
    const second = computer(backup);
    await second.log.restored(BACKUP_AT);
    await write(second.log, 'f');
    await writeAnchor(of(second.log), FOLDER);
    const anchors = await readAnchors(of(second.log), FOLDER);
    expect(anchors.map(({ entries }) => entries)).toEqual([5, 5]);
    expect(await second.log.verify(anchors)).toMatchObject({
      chain: 'ok',
      gaps: [{ after: 3, until: 5 }],
      anchors: 4,
    });
  });

  it('and the log of the original computer are both proven in one folder', async () => {
    const office = files();
    const of = (evidenceLog: EvidenceLog) => ({ evidenceLog, files: office, clock });
    await writeAnchor(of(first.log), FOLDER);
    now += HOUR;
    const second = computer(backup);
    await second.log.restored(BACKUP_AT);
    await write(second.log, 'f');
    await writeAnchor(of(second.log), FOLDER);
    // The first computer is used again.
    now += HOUR;
    await write(first.log, 'g', 'h');
    await writeAnchor(of(first.log), FOLDER);
    for (const { log } of [first, second]) {
      const verdict = await log.verify(await readAnchors(of(log), FOLDER));
      expect(verdict).toMatchObject({ chain: 'ok', firstBroken: null });
    }
    expect(first.log.name()).not.toBe(second.log.name());
  });
});

describe('an evidence log recovered from a damaged file', () => {
  const FILE_AT = BACKUP_AT + HOUR;

  /** Recovers the entries with these numbers from a log of nine. */
  async function read(numbers: readonly number[]) {
    await write(first.log, 'f', 'g', 'h', 'i');
    const saved = createMemoryStores().evidence;
    for (const entry of first.evidence.walk()) {
      if (numbers.includes(entry.number)) saved.append(() => entry);
    }
    const noted = first.evidence.noted();
    if (noted !== null) saved.setNoted(noted);
    return { saved, log: first.logOf(saved) };
  }

  it('shows a gap for unreadable entries, and continues after it', async () => {
    const { saved, log } = await read([1, 2, 3, 7, 8, 9]);
    expect((await log.verify([])).firstBroken).toEqual({ number: 4, why: 'missing' });
    expect(await log.restored(FILE_AT, [{ after: 3, until: 6 }])).toBe(3);
    await write(log, 'j');
    expect(await log.verify([])).toMatchObject({
      entries: 11,
      chain: 'ok',
      gaps: [{ from: 'damaged-file', after: 3, until: 6, backupAt: FILE_AT, restoredAt: now }],
    });
    expect(saved.at(10)).toMatchObject({ text: expect.stringContaining('"damaged-file"') });
  });

  it('that lacks its first or last entries shows that too', async () => {
    const { log } = await read([3, 4, 5, 6]);
    expect(await log.restored(FILE_AT, [{ after: 0, until: 2 }])).toBe(5);
    await write(log, 'j');
    expect(await log.verify([])).toMatchObject({
      chain: 'ok',
      gaps: [
        { after: 0, until: 2 },
        { after: 6, until: 9 },
      ],
    });
  });

  it('excuses an earlier anchor within the gap, and no later one', async () => {
    const { log } = await read([1, 2, 3, 7, 8, 9]);
    const anchor = { ...first.log.head(), entries: 5, hash: first.evidence.at(5)?.hash ?? '' };
    now += HOUR;
    await log.restored(FILE_AT, [{ after: 3, until: 6 }]);
    await write(log, 'j');
    expect((await log.verify([anchor])).chain).toBe('ok');
    const later = { ...anchor, at: now + HOUR };
    expect((await log.verify([later])).chain).toBe('broken');
  });

  it.each<[string, readonly number[], readonly { after: number; until: number }[], unknown]>([
    [
      'more entries are missing than the recovery recorded',
      [1, 2, 3, 8, 9],
      [{ after: 3, until: 6 }],
      { number: 4, why: 'missing' },
    ],
    [
      'the recovery recorded no missing entries',
      [1, 2, 3, 7, 8, 9],
      [],
      { number: 4, why: 'missing' },
    ],
    [
      'the recovery recorded entries as missing that are present',
      [1, 2, 3, 4, 5, 6, 7, 8, 9],
      [{ after: 3, until: 6 }],
      null,
    ],
    [
      'the recorded gap is after its last entry',
      [1, 2, 3, 4, 5, 6, 7, 8, 9],
      [{ after: 10, until: 12 }],
      null,
    ],
  ])('is checked as usual when %s', async (_, numbers, unread, firstBroken) => {
    const { log } = await read(numbers);
    await log.restored(FILE_AT, unread);
    await write(log, 'j');
    expect((await log.verify([])).firstBroken).toEqual(firstBroken);
  });

  it('is broken when an entry after the gap was changed', async () => {
    const { saved, log } = await read([1, 2, 3, 7, 8, 9]);
    await log.restored(FILE_AT, [{ after: 3, until: 6 }]);
    await write(log, 'j');
    const forged = createMemoryStores().evidence;
    for (const entry of saved.walk()) {
      const text = entry.number === 8 ? entry.text.replace('maria', 'marie') : entry.text;
      forged.append(() => ({ ...entry, text }));
    }
    expect((await first.logOf(forged).verify([])).firstBroken).toEqual({
      number: 8,
      why: 'changed',
    });
  });

  it('of a computer that moved leaves it deactivated; from its backup it is active', async () => {
    const fact = { kind: 'moved', file: '/stick/a.signingdesk', bytes: 1, backupAt: now } as const;
    first.log.append({ ref: null, connection: null, agreement: null, person: null, fact });
    const [damaged, moved] = [copied(first.evidence), copied(first.evidence)];
    await first.logOf(damaged).restored(FILE_AT, []);
    expect(deactivationOf({ evidence: damaged })).toMatchObject({ to: '/stick/a.signingdesk' });
    await first.logOf(moved).restored(FILE_AT);
    expect(deactivationOf({ evidence: moved })).toBeNull();
  });
});

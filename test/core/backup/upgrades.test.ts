// tier: all
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { connect } from '../../../electron/adapters/sqlite/database/cipher.ts';
import { migrate } from '../../../electron/adapters/sqlite/database/migrate.ts';
import { migrations } from '../../../electron/adapters/sqlite/migrations/index.ts';
import {
  upgradeCopies,
  upgradeCopyName,
} from '../../../electron/adapters/sqlite/open/upgrade-copies.ts';
import { openDatabase } from '../../../electron/adapters/sqlite/open/open.ts';
import { createStores } from '../../../electron/adapters/sqlite/stores.ts';
import { newDraft } from '../../adapters/sqlite/samples.ts';
import { createOffice, never } from './office.ts';
import { DAY, MINUTE } from '../../../shared/rules/time/units.ts';

const QUARTER = 15 * MINUTE;
const NEWEST = migrations.length;

type Office = Awaited<ReturnType<typeof createOffice>>;

let upgrades = 0;

/**
 * Opens the data with the next version for the first time, as `openDatabase` does. The version
 * number is reset afterwards, since the program of this test is the older one.
 */
function upgrade({ place, clock }: Office): void {
  const raw = connect(place.file, place.key, 'write');
  const name = `next_${String((upgrades += 1))}`;
  const next = { version: NEWEST + 1, name, sql: `CREATE TABLE ${name} (id INTEGER) STRICT` };
  migrate(raw, [...migrations, next], upgradeCopyName(place.file, clock.now()));
  raw.exec(`DROP TABLE ${name}`);
  raw.pragma(`user_version = ${String(NEWEST)}`);
  raw.close();
}

const copiesOf = ({ place }: Office) => upgradeCopies(place.file);
const due = ({ work }: Office) => work.run(never, () => undefined, true);
const names = (office: Office) => [...office.there().keys()].toSorted();
const BEFORE = 'signing-desk-1f2e3d4c-2026-11-21T12-00-00Z-before-upgrade.signingdesk';

describe('the data from before an upgrade', () => {
  it('is saved to a separate backup at the next check, and its copy is removed', async () => {
    using office = await createOffice();
    upgrade(office);
    office.place.stores.drafts.insert(newDraft());
    expect(copiesOf(office)).toHaveLength(1);
    office.clock.advance(MINUTE);
    expect(office.work.isDue()).toBe(true);
    const { result } = await due(office);
    expect(names(office)).toEqual([BEFORE]);
    expect(copiesOf(office)).toEqual([]);
    expect(office.work.isDue()).toBe(false);
    expect(result.manifest).toMatchObject({ schema: NEWEST, counts: { drafts: 1 } });
    const { manifest } = await office.open(BEFORE, 'out.db');
    expect(manifest.madeAt).toBe(office.clock.now() - MINUTE);
    // The older version opens the data.
    const { key } = office.place;
    const file = path.join(office.place.folder, 'out.db');
    const before = openDatabase({ file, key, now: office.clock.now() });
    expect(createStores(before).drafts.list()).toHaveLength(1);
    before.close();
    // This backup does not count as a scheduled one, which is still due at its own time.
    expect(office.place.stores.backup.read()).toMatchObject({
      good: null,
      last: { failure: null },
    });
  });

  it('is kept next to the current data while the drive is missing, blocks nothing, and is reported', async () => {
    using office = await createOffice();
    renameSync(office.folder, `${office.folder}.away`);
    upgrade(office);
    for (let times = 0; times < 4; times += 1) {
      expect(office.work.isDue()).toBe(true);
      await expect(due(office)).rejects.toThrow();
      expect(office.work.isDue()).toBe(false);
      expect(office.work.upgradeAt()).toBe(copiesOf(office)[0]?.takenAt);
      office.clock.advance(QUARTER);
    }
    const failure = { reason: 'folder-missing' };
    expect(office.place.stores.backup.read()?.last).toMatchObject({ failure, inRow: 0 });
    renameSync(`${office.folder}.away`, office.folder);
    await due(office);
    expect(names(office)).toEqual([BEFORE]);
    expect(office.work.upgradeAt()).toBeNull();
  });

  it('is not replaced by later nightly backups; the data from the last two upgrades is kept', async () => {
    using office = await createOffice({ keep: 1 });
    for (let times = 0; times < 3; times += 1) {
      upgrade(office);
      await due(office);
      for (let night = 0; night < 2; night += 1) {
        office.clock.advance(DAY);
        await due(office);
      }
    }
    expect(names(office).filter((name) => name.includes('before-upgrade'))).toHaveLength(2);
    expect(names(office)).toHaveLength(3);
    const listed = await office.work.list();
    expect(listed.filter(({ isBeforeUpgrade }) => isBeforeUpgrade)).toHaveLength(2);
  });

  it('is backed up before a daily backup due at the same time, and before a manual one', async () => {
    using office = await createOffice();
    upgrade(office);
    office.clock.advance(DAY);
    await due(office);
    expect(names(office)).toHaveLength(2);
    office.clock.advance(1000);
    upgrade(office);
    await office.run();
    expect(names(office)).toHaveLength(4);
  });

  it('is also due for backup when backups are manual or turned off, but not while they are paused', async () => {
    for (const change of [{ isOn: false }, { when: { kind: 'by-hand' } }] as const) {
      using office = await createOffice(change);
      upgrade(office);
      expect(office.work.isDue()).toBe(true);
    }
    using office = await createOffice();
    upgrade(office);
    const stored = office.work.setUp();
    const failure = { code: 'storage', message: 'No' } as const;
    const last = { at: office.clock.now() - DAY, file: null, failure, inRow: 3 };
    office.place.stores.backup.save({ ...stored, last });
    expect(office.work.isDue()).toBe(false);
  });

  it('is not backed up when it was copied before backups were set up', async () => {
    using office = await createOffice();
    upgrade(office);
    office.place.stores.backup.save({ ...office.work.setUp(), setUpAt: office.clock.now() + 1 });
    expect(office.work.upgradeAt()).toBeNull();
    office.clock.advance(DAY);
    await due(office);
    expect(names(office)).toHaveLength(1);
    expect(copiesOf(office)).toHaveLength(1);
  });

  it('is backed up once when the program ended between naming the file and finishing the copy', async () => {
    using office = await createOffice();
    upgrade(office);
    const [copy] = copiesOf(office);
    const kept = readFileSync(copy?.file ?? '');
    await due(office);
    const before = office.there();
    writeFileSync(copy?.file ?? '', kept);
    await office.run();
    expect(office.there().get(BEFORE)).toEqual(before.get(BEFORE));
    expect(existsSync(copy?.file ?? '')).toBe(false);
  });

  it('that cannot be read is left in place and reported once, and normal backups continue', async () => {
    using office = await createOffice();
    upgrade(office);
    const [copy] = copiesOf(office);
    const bytes = readFileSync(copy?.file ?? '');
    bytes.fill(7, Math.floor(bytes.length / 2));
    writeFileSync(copy?.file ?? '', bytes);
    await expect(due(office)).rejects.toThrow();
    expect(office.place.stores.backup.read()?.last).toMatchObject({
      failure: { reason: 'data-damaged' },
    });
    office.clock.advance(DAY);
    await due(office);
    expect(names(office)).toHaveLength(1);
    expect(names(office)[0]).not.toContain('before-upgrade');
    expect(copiesOf(office)).toHaveLength(1);
  });
});

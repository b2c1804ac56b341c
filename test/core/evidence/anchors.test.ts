import { beforeEach, describe, expect, it } from 'vitest';
import { AgreementId, type ConnectionId, type IdentityId } from '../../../shared/model/ids.ts';
import { EvidenceAnchor } from '../../../shared/contract/evidence.ts';
import { AppError } from '../../../shared/errors.ts';
import { signed } from '../../support/known-agreements.ts';
import { createMemoryStores } from '../../support/fakes/memory-stores.ts';
import { pageOf, partyOf, remoteOf } from '../../support/fakes/fake-service.ts';
import {
  addConnection,
  createWorld,
  type MemoryDesk,
  startMemoryDesk,
  type World,
} from '../../support/fakes/memory-desk.ts';
import { DAY } from '../../../shared/rules/time/units.ts';
import { EVIDENCE_REACH_ID } from '../../../electron/core/unconfirmed.ts';

const FOLDER = '/office/anchors';
const TODAY = `${FOLDER}/2026-11-21`;
const TOMORROW = `${FOLDER}/2026-11-22`;
/** Slightly more than the interval between readings of an open desk (ms). */
const READING = 125_000;

let world: World;
let desk: MemoryDesk;
let connectionId: ConnectionId;
let identityId: IdentityId;

beforeEach(async () => {
  world = createWorld();
  desk = startMemoryDesk(world);
  connectionId = (await addConnection(desk, 'v2')).id;
  const karin = { name: 'Karin', firstName: 'Karin', lastName: 'Lind' };
  identityId = (await desk.api['identities.add'](karin)).id;
  await desk.api['settings.write']({ evidenceFolder: FOLDER });
  const remote = remoteOf({ id: '7', parties: [partyOf({ id: '5560360793' })] });
  world.services.v2.agreements.set('7', remote);
  world.services.v2.pages = [pageOf([remote], 1)];
  world.stores.agreements.put(connectionId, 'v2', [remote], world.clock.now());
});

const key = () => ({ connectionId, id: AgreementId.parse('7') });
/** File of a day’s anchor in a folder; its name also contains the name of the log. */
const fileAt = (place: string) => {
  const [folder = '', day = ''] = place.split(/\/(?=[^/]*$)/u);
  const name = new RegExp(`^${folder}/signing-desk-evidence-[0-9a-f]{8}-${day}[.]json$`, 'u');
  return [...world.files.texts.keys()].find((file) => name.test(file));
};
const anchorAt = (place: string) => {
  const text = world.files.texts.get(fileAt(place) ?? '');
  return text === undefined ? null : EvidenceAnchor.parse(JSON.parse(text));
};

/** Adds one entry to the log. */
const state = ({ api }: MemoryDesk = desk) => api['signing.markReviewed']({ ...key(), identityId });

const reject = () => {
  const rejection = { partyType: 'PRIVATE', personNo: '189001019802' } as const;
  return desk.api['actions.reject']({ key: key(), rejection, confirm: 1 });
};

/** Waits until the anchor file covers `entries` entries. */
const until = (of: MemoryDesk, file: string, entries: number) =>
  of.until(() => anchorAt(file)?.entries === entries);

/** The anchor content that names the newest entry of the log. */
const newest = () => ({
  format: 'signing-desk-evidence-anchor',
  entries: world.stores.evidence.last()?.number,
  hash: world.stores.evidence.last()?.hash,
});

describe('the anchor of the evidence log', () => {
  it('is written to the office’s folder after a rejection', async () => {
    await reject();
    expect(anchorAt(TODAY)).toMatchObject({ entries: 2 });
    expect((await desk.api['evidence.verify']({})).anchors).toBe(3);
  });

  it('is not written to a folder from a backup before a person confirms it or chooses a folder (SR-P7)', async () => {
    world.stores.settings.write({ unconfirmed: [EVIDENCE_REACH_ID] });
    await reject();
    expect(anchorAt(TODAY)).toBeNull();
    await desk.api['settings.write']({ evidenceFolder: FOLDER });
    await state();
    expect(anchorAt(TODAY)).not.toBeNull();
  });

  it('is only read from anchor files', async () => {
    world.files.texts.set('/elsewhere/notes.txt', 'Buy milk');
    const asked = desk.api['evidence.verify']({ anchors: ['/elsewhere/notes.txt'] });
    await expect(asked).rejects.toMatchObject({
      failure: {
        code: 'invalid',
        message: 'The file is not an anchor file of the evidence log',
        fields: { anchors: 'not an anchor' },
      },
    });
  });

  it('is written after a review on this computer without a signature', async () => {
    await state();
    await until(desk, TODAY, 1);
    expect(anchorAt(TODAY)).toMatchObject(newest());
  });

  it('is written after readings of an open window, when the log has changed', async () => {
    desk.desk.start();
    // This sync follows the first reading of an open desk.
    await desk.finish((await desk.api['agreements.sync']({})).jobId);
    world.stores.settings.write({ evidenceFolder: null });
    await state(startMemoryDesk({ ...world, locks: createWorld().locks }));
    world.stores.settings.write({ evidenceFolder: FOLDER });
    expect(anchorAt(TODAY)).toBeNull();
    world.clock.advance(READING);
    await until(desk, TODAY, 1);
    await desk.desk.stop();
  });

  it('is written soon after the archive added the hash of a concluded PDF', async () => {
    await reject();
    world.services.v2.agreements.set('7', signed('7'));
    world.services.v2.pages = [pageOf([signed('7')], 2)];
    desk.desk.start();
    await desk.until(
      async () =>
        (await desk.api['agreements.show']({ ...key(), refresh: false })).state === 'signed',
    );
    const { jobId } = await desk.api['archive.run']({ folder: '/archive', parallel: 1 });
    await desk.finish(jobId);
    const { items } = await desk.api['evidence.list']({ limit: 1 });
    expect(items).toMatchObject([{ number: 3, fact: { kind: 'archived' } }]);
    world.clock.advance(READING);
    await until(desk, TODAY, 3);
    await desk.desk.stop();
  });

  it('is written at the start when the last process was killed before writing it', async () => {
    await desk.api['settings.write']({ evidenceFolder: null });
    await state();
    world.stores.settings.write({ evidenceFolder: FOLDER });
    const later = startMemoryDesk({ ...world, locks: createWorld().locks });
    expect(anchorAt(TODAY)).toBeNull();
    later.desk.start();
    await until(later, TODAY, 1);
    expect(anchorAt(TODAY)).toMatchObject(newest());
    await later.desk.stop();
  });

  it('is written when a command ends, but not by commands that added no entry', async () => {
    await desk.api['settings.write']({ evidenceFolder: null });
    await state();
    world.stores.settings.write({ evidenceFolder: FOLDER });
    const idle = startMemoryDesk({ ...world, locks: createWorld().locks });
    await idle.desk.stop();
    expect(anchorAt(TODAY)).toBeNull();
    const busy = startMemoryDesk({ ...world, locks: createWorld().locks });
    await state(busy);
    await busy.desk.stop();
    expect(anchorAt(TODAY)).toMatchObject({ entries: 2 });
  });

  it('is not written again while the log does not change, even on the next day', async () => {
    await reject();
    const { at } = anchorAt(TODAY) ?? { at: 0 };
    world.clock.advance(DAY);
    const later = startMemoryDesk({ ...world, locks: createWorld().locks });
    later.desk.start();
    await later.until(async () => (await later.api['evidence.lastAnchor']({})).at === at);
    expect(anchorAt(TOMORROW)).toBeNull();
    await state(later);
    await until(later, TOMORROW, 3);
    await later.desk.stop();
    expect(anchorAt(TODAY)).toMatchObject({ entries: 2, at });
  });

  it('is written to another folder as soon as the user chooses that folder', async () => {
    await reject();
    await desk.api['settings.write']({ evidenceFolder: '/elsewhere' });
    await until(desk, '/elsewhere/2026-11-21', 2);
    expect(anchorAt('/elsewhere/2026-11-21')).toMatchObject(newest());
    await state();
    await until(desk, '/elsewhere/2026-11-21', 3);
    expect(anchorAt(TODAY)).toMatchObject({ entries: 2 });
  });

  it('that cannot be written is reported with the reason, blocks no other work, and is written later', async () => {
    const { replaceText } = world.files;
    world.files.replaceText = () => {
      const reason = 'folder-missing';
      return Promise.reject(new AppError('storage', 'The folder is gone', { reason }));
    };
    expect(await reject()).toMatchObject({ outcome: 'done' });
    expect(await desk.api['evidence.lastAnchor']({})).toMatchObject({
      folder: FOLDER,
      entries: null,
      failure: { reason: 'folder-missing' },
    });
    world.files.replaceText = replaceText;
    desk.desk.start();
    await until(desk, TODAY, 2);
    expect(await desk.api['evidence.lastAnchor']({})).toMatchObject({ entries: 2, failure: null });
    await desk.desk.stop();
  });

  it('of a log that was cut is not overwritten, in the folder or in the credential store', async () => {
    for (const entries of [1, 2]) {
      await state();
      await until(desk, TODAY, entries);
    }
    const whole = anchorAt(TODAY);
    const { evidence } = createMemoryStores();
    for (const one of [...world.stores.evidence.walk()].slice(0, 1)) evidence.append(() => one);
    world = { ...world, stores: { ...world.stores, evidence } };
    world.clock.advance(1_000);
    const later = startMemoryDesk({ ...world, locks: createWorld().locks });
    later.desk.start();
    await later.until(
      async () =>
        (await later.api['evidence.lastAnchor']({})).failure?.reason === 'evidence-broken',
    );
    await state(later);
    await later.desk.stop();
    expect(anchorAt(TODAY)).toEqual(whole);
    const last = startMemoryDesk({ ...world, locks: createWorld().locks });
    expect(await last.api['evidence.verify']({})).toMatchObject({
      chain: 'broken',
      firstBroken: { number: 2, why: 'replaced' },
      anchors: 3,
    });
    await last.api['settings.write']({ evidenceFolder: null });
    expect(await last.api['evidence.verify']({})).toMatchObject({
      chain: 'broken',
      firstBroken: { number: 2, why: 'replaced' },
      anchors: 2,
    });
  });

  it('is not written anywhere while there is no evidence', async () => {
    desk.desk.start();
    await desk.desk.stop();
    expect(anchorAt(TODAY)).toBeNull();
  });
});

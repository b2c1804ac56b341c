import { beforeEach, describe, expect, it } from 'vitest';
import { RetentionKind } from '../../../shared/contract/privacy.ts';
import { ArchiveRule } from '../../../shared/contract/archive.ts';
import { AgreementId, type ConnectionId } from '../../../shared/model/ids.ts';
import { pageOf, remoteOf } from '../../support/fakes/fake-service.ts';
import {
  addConnection,
  addDraftV1,
  createWorld,
  type MemoryDesk,
  startMemoryDesk,
  type World,
} from '../../support/fakes/memory-desk.ts';
import { DAY } from '../../../shared/rules/time/units.ts';

const SERVER_TIME = Date.UTC(2026, 10, 21, 11, 59);

let world: World;
let desk: MemoryDesk;
let connectionId: ConnectionId;

beforeEach(async () => {
  world = createWorld();
  desk = startMemoryDesk(world);
  connectionId = (await addConnection(desk)).id;
});

const closed = (id: string, days: number, state: 'signed' | 'rejected') => {
  const at = desk.clock.now() - days * DAY;
  return remoteOf({ id, state, nativeState: state.toUpperCase(), updatedAt: at, closedAt: at });
};

async function sync(...agreements: readonly ReturnType<typeof remoteOf>[]): Promise<void> {
  desk.services.v1.pages = [pageOf([...agreements], SERVER_TIME)];
  await desk.finish((await desk.api['agreements.sync']({ connectionId })).jobId);
}

const apply = async (...kinds: readonly RetentionKind[]) =>
  desk.finish((await desk.api['privacy.apply']({ kinds: [...kinds] })).jobId);

const listed = async () => (await desk.api['agreements.list']({})).items.map(({ id }) => id);

describe('retention limits', () => {
  it('keep all copies, sheets and logs until the user sets limits, and the trash for 30 days', async () => {
    expect(await desk.api['privacy.limits']({})).toEqual({
      copies: null,
      trash: 30,
      sent: 400,
      sheets: null,
      logs: null,
    });
  });

  it('are stored for each kind of data, without changing other kinds', async () => {
    await desk.api['privacy.setLimits']({ limits: { sheets: 90, trash: null } });
    expect(await desk.api['privacy.limits']({})).toMatchObject({
      trash: null,
      sent: 400,
      sheets: 90,
    });
    expect(await desk.api['settings.read']({})).toMatchObject({ keepClosedMonths: null });
    await desk.api['privacy.setLimits']({ limits: { copies: 24 } });
    expect(await desk.api['settings.read']({})).toMatchObject({ keepClosedMonths: 24 });
  });

  it('are rejected, naming the kind of data, if they are not allowed', async () => {
    const refused = desk.api['privacy.setLimits']({ limits: { copies: 1201 } });
    await expect(refused).rejects.toMatchObject({
      failure: { code: 'invalid', fields: { copies: expect.any(String) } },
    });
  });
});

describe('a retention preview', () => {
  it('lists removals, and what stays for which reason, without removing anything', async () => {
    await sync(
      closed('young', 5, 'rejected'),
      closed('old', 200, 'rejected'),
      closed('older', 300, 'rejected'),
      closed('unsaved', 250, 'signed'),
      remoteOf({ id: 'open', updatedAt: desk.clock.now() - 900 * DAY }),
    );
    const preview = await desk.api['privacy.preview']({ limits: { copies: 3 } });
    expect(preview).toMatchObject([
      {
        kind: 'copies',
        limit: 3,
        number: 2,
        oldest: desk.clock.now() - 300 * DAY,
        stays: [
          { why: 'younger', number: 1 },
          { why: 'not-archived', number: 1 },
        ],
      },
    ]);
    expect(await listed()).toHaveLength(5);
  });

  it('lists no removals if data is kept without limit', async () => {
    await sync(closed('old', 4000, 'rejected'));
    const [copies] = await desk.api['privacy.preview']({ limits: { copies: null } });
    expect(copies).toMatchObject({ number: 0, stays: [{ why: 'younger', number: 1 }] });
  });
});

describe('applying retention', () => {
  it('removes exactly what its preview listed, only for the named kinds of data', async () => {
    const trashed = await addDraftV1(desk);
    await desk.api['drafts.delete']({ id: trashed.id });
    await sync(closed('old', 200, 'rejected'), closed('young', 5, 'rejected'));
    await desk.api['privacy.setLimits']({ limits: { copies: 3 } });
    desk.clock.advance(31 * DAY);
    const job = await apply('copies');
    expect(job.result).toEqual({ removed: { copies: 1, trash: 0, sent: 0, sheets: 0, logs: 0 } });
    expect(await listed()).toEqual(['young']);
    expect(await desk.api['drafts.trash']({})).toHaveLength(1);
    await apply('trash');
    expect(await desk.api['drafts.trash']({})).toEqual([]);
  });

  it('keeps an agreement that an archive rule has yet to save', async () => {
    const rule = ArchiveRule.parse({
      id: '8c9a3c0e-6c43-4b8e-9d0a-0d7b6a4f3d11',
      name: 'Rejected',
      folder: '/archive',
      filter: { states: ['signed', 'rejected'], connectionId },
      beside: [],
      when: { kind: 'by-hand' },
      createdAt: 0,
    });
    await sync(closed('old', 200, 'rejected'));
    await desk.api['privacy.setLimits']({ limits: { copies: 3 } });
    world.stores.archive.rules.save(rule);
    await apply('copies');
    expect(await listed()).toEqual(['old']);
    const key = { connectionId, id: AgreementId.parse('old') };
    world.stores.archive.recordExtra('/archive', key, {
      kind: 'unsigned',
      name: '',
      file: '/archive/old.pdf',
      bytes: 9,
      sha256: 'ab',
      savedAt: 0,
    });
    await apply('copies');
    expect(await listed()).toEqual([]);
  });

  it('runs automatically every hour while the window is open', async () => {
    const trashed = await addDraftV1(desk);
    await desk.api['drafts.delete']({ id: trashed.id });
    desk.clock.advance(31 * DAY);
    desk.desk.start();
    expect(await desk.api['drafts.trash']({})).toHaveLength(1);
    desk.clock.advance(30_000);
    await desk.until(async () => (await desk.api['drafts.trash']({})).length === 0);
    const later = await addDraftV1(desk);
    await desk.api['drafts.delete']({ id: later.id });
    desk.clock.advance(31 * DAY);
    await desk.until(async () => (await desk.api['drafts.trash']({})).length === 0);
    expect(await desk.api['drafts.trash']({})).toEqual([]);
    await desk.desk.stop();
  });
});

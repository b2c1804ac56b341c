import { beforeEach, describe, expect, it } from 'vitest';
import { AgreementId, type ConnectionId } from '../../../shared/model/ids.ts';
import { SyncResult } from '../../../shared/contract/agreements.ts';
import { AppError } from '../../../shared/errors.ts';
import { pageOf, partyOf, remoteOf } from '../../support/fakes/fake-service.ts';
import {
  addConnection,
  createWorld,
  type MemoryDesk,
  startMemoryDesk,
} from '../../support/fakes/memory-desk.ts';
import { DAY, MINUTE } from '../../../shared/rules/time/units.ts';

const SERVER_TIME = Date.UTC(2026, 10, 21, 11, 59);

let desk: MemoryDesk;
let connectionId: ConnectionId;

beforeEach(async () => {
  desk = startMemoryDesk();
  connectionId = (await addConnection(desk)).id;
});

async function sync(input: { full?: boolean } = {}) {
  const { jobId } = await desk.api['agreements.sync']({ connectionId, ...input });
  const job = await desk.finish(jobId);
  const [outcome] = job.result === null ? [] : SyncResult.parse(job.result).connections;
  return { job, outcome };
}

const status = async () => (await desk.api['agreements.syncStatus']({}))[0];
const idOf = (id: string) => AgreementId.parse(id);
const show = (id: string) =>
  desk.api['agreements.show']({ connectionId, id: idOf(id), refresh: false });

it('a sync stores a long page in small steps, and lets other work run in between', async () => {
  const world = createWorld();
  const stored: number[] = [];
  const count = () => world.stores.agreements.list({ sort: 'title', limit: 100 }, 0).items.length;
  const scheduler = { yield: async () => void stored.push(count()) };
  desk = startMemoryDesk({ ...world, scheduler });
  connectionId = (await addConnection(desk)).id;
  const page = Array.from({ length: 50 }, (_, at) => remoteOf({ id: `a${at}` }));
  desk.services.v1.pages = [pageOf(page, SERVER_TIME)];
  await sync();
  expect(stored.slice(0, 2)).toEqual([20, 40]);
  expect(count()).toBe(50);
});

describe('the time up to which all changes were read', () => {
  it('is the service’s time of the first page, whatever the local clock shows (T1-14)', async () => {
    desk.services.v1.pages = [
      pageOf([remoteOf({ id: 'a' })], SERVER_TIME),
      pageOf([remoteOf({ id: 'b' })], SERVER_TIME + 5000),
    ];
    const { outcome } = await sync();
    expect(outcome).toMatchObject({ received: 2, changed: 2, checkedUntil: SERVER_TIME });
    await sync();
    // The same sync requests changes made while the pages were read.
    expect(desk.services.v1.since).toEqual([null, SERVER_TIME, SERVER_TIME]);
  });

  it.for([
    ['ahead of', 1],
    ['behind', -1],
  ] as const)(
    'does not change because of a list that a proxy dated ten years %s the current time (DL-R4)',
    async ([, way]) => {
      desk.services.v1.pages = [pageOf([remoteOf({ id: 'a' })], SERVER_TIME)];
      await sync();
      desk.services.v1.pages = [pageOf([], SERVER_TIME + way * 3650 * DAY)];
      expect((await sync()).outcome).toMatchObject({ checkedUntil: SERVER_TIME, failure: null });
      expect(desk.services.v1.since.at(-1)).toBe(SERVER_TIME);
    },
  );

  it('is empty after a first reading with an impossible date, so all is requested again (DL-R4)', async () => {
    desk.services.v1.pages = [pageOf([remoteOf({ id: 'a' })], SERVER_TIME + 3650 * DAY)];
    expect((await sync()).outcome).toMatchObject({ received: 1, checkedUntil: 0 });
  });

  it('does not change if the reading fails between two pages (T1-14)', async () => {
    desk.services.v1.pages = [
      pageOf([remoteOf({ id: 'a' })], SERVER_TIME),
      pageOf([remoteOf({ id: 'b' })], SERVER_TIME),
    ];
    desk.services.v1.beforePage = (index) => {
      if (index === 1) throw new AppError('offline', 'Gone', { reason: 'connection-lost' });
    };
    const { job, outcome } = await sync();
    expect(job.state).toBe('failed');
    expect(outcome).toMatchObject({ received: 1, checkedUntil: null });
    expect(await show('a')).toMatchObject({ title: 'Lease' });
    expect(await status()).toMatchObject({ checkedAt: null, failure: { code: 'offline' } });
  });

  it('does not change if a person stops the reading between two pages', async () => {
    desk.services.v1.pages = [
      pageOf([remoteOf({ id: 'a' })], SERVER_TIME),
      pageOf([], SERVER_TIME),
    ];
    desk.services.v1.beforePage = async (index) => {
      if (index === 0) return;
      const [job] = await desk.api['jobs.list']({});
      if (job !== undefined) await desk.api['jobs.cancel']({ jobId: job.id });
    };
    const { job } = await sync();
    expect(job.state).toBe('cancelled');
    expect(await status()).toMatchObject({ checkedAt: null, failure: null, running: false });
  });

  it('is still that of the last successful reading after a failed one', async () => {
    desk.services.v1.pages = [pageOf([], SERVER_TIME)];
    await sync();
    const goodAt = desk.clock.now();
    desk.clock.advance(MINUTE);
    desk.services.v1.beforePage = () => {
      throw new AppError('offline', 'No network', { reason: 'host-unknown' });
    };
    await sync();
    expect(await status()).toMatchObject({ checkedAt: goodAt, failure: { code: 'offline' } });
    desk.services.v1.beforePage = () => {};
    await sync();
    expect(await status()).toMatchObject({ checkedAt: desk.clock.now(), failure: null });
  });

  it('does not change if the service does not report its time', async () => {
    desk.services.v1.pages = [pageOf([], SERVER_TIME)];
    await sync();
    desk.services.v1.pages = [pageOf([], null)];
    expect((await sync()).outcome?.checkedUntil).toBe(SERVER_TIME);
  });
});

describe('a reading of a list', () => {
  it('starts at the time of the last reading, so that the overlap finds missed changes (T1-13)', async () => {
    desk.services.v1.pages = [pageOf([remoteOf({ id: 'a' })], SERVER_TIME)];
    await sync();
    const again = await sync();
    expect(again.outcome).toMatchObject({ received: 1, changed: 0 });
    expect((await desk.api['agreements.list']({})).items).toHaveLength(1);
  });

  it('counts and stores an item that is on two pages only once (T1-15)', async () => {
    const moved = remoteOf({ id: 'a' });
    desk.services.v1.pages = [pageOf([moved], SERVER_TIME), pageOf([moved], SERVER_TIME)];
    expect((await sync()).outcome).toMatchObject({ received: 1, changed: 1 });
    expect((await desk.api['agreements.list']({})).items).toHaveLength(1);
  });

  it('keeps the known parties if a list item does not include them (T1-18)', async () => {
    desk.services.v1.pages = [pageOf([remoteOf({ id: 'a', parties: [partyOf({})] })], SERVER_TIME)];
    await sync();
    desk.services.v1.pages = [pageOf([remoteOf({ id: 'a', title: 'New title' })], SERVER_TIME)];
    await sync();
    expect(await show('a')).toMatchObject({ title: 'New title', partyCount: 1 });
  });

  it('shows no parties until the service has reported them (T1-18)', async () => {
    desk.services.v1.pages = [pageOf([remoteOf({ id: 'a' })], SERVER_TIME)];
    await sync();
    expect((await desk.api['agreements.list']({})).items[0]).toMatchObject({ parties: null });
  });

  it('keeps a status unknown to this program unchanged (T1-26)', async () => {
    const strange = remoteOf({ id: 'a', state: 'unknown', nativeState: 'FROZEN_BY_COURT' });
    desk.services.v1.pages = [pageOf([strange], SERVER_TIME)];
    await sync();
    expect(await show('a')).toMatchObject({ state: 'unknown', nativeState: 'FROZEN_BY_COURT' });
  });

  it('without items is a successful reading (T2-01)', async () => {
    desk.services.v1.pages = [pageOf([], SERVER_TIME)];
    const { job, outcome } = await sync();
    expect(job).toMatchObject({ state: 'done', failure: null });
    expect(outcome).toMatchObject({ received: 0, failure: null, checkedUntil: SERVER_TIME });
  });

  it('is done once if two callers request it at the same time', async () => {
    desk.services.v1.pages = [pageOf([], SERVER_TIME)];
    await Promise.all([sync(), sync(), sync()]);
    expect(desk.services.v1.since).toHaveLength(1);
  });

  it('continues with the next connection if one fails', async () => {
    await addConnection(desk, 'v2');
    desk.services.v2.pages = [pageOf([remoteOf({ id: '2311' })], SERVER_TIME)];
    desk.services.v1.pages = [pageOf([])];
    desk.services.v1.beforePage = () => {
      throw new AppError('signed-out', 'Refused', { reason: 'credential-refused' });
    };
    const { jobId } = await desk.api['agreements.sync']({});
    const job = await desk.finish(jobId);
    expect(job.state).toBe('done');
    const { connections } = SyncResult.parse(job.result);
    expect(connections.map(({ received, failure }) => [received, failure?.code])).toEqual([
      [0, 'signed-out'],
      [1, undefined],
    ]);
  });
});

describe('a single agreement', () => {
  it('is read again on request; the request reports if there is no network (T1-20)', async () => {
    desk.services.v1.agreements.set('a', remoteOf({ id: 'a', title: 'First' }));
    const fresh = { connectionId, id: idOf('a'), refresh: true };
    expect(await desk.api['agreements.show'](fresh)).toMatchObject({ title: 'First' });
    desk.services.v1.agreements.set('a', new AppError('offline', 'No network'));
    await expect(desk.api['agreements.show'](fresh)).rejects.toMatchObject({
      failure: { code: 'offline' },
    });
    expect(await show('a')).toMatchObject({ title: 'First' });
  });

  it('is not found if the service never had it', async () => {
    const unknown = { connectionId, id: idOf('nowhere'), refresh: true };
    await expect(desk.api['agreements.show'](unknown)).rejects.toMatchObject({
      failure: { code: 'not-found' },
    });
  });
});

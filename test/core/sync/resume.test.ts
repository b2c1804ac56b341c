import { beforeEach, describe, expect, it } from 'vitest';
import { SyncResult } from '../../../shared/contract/agreements.ts';
import type { ConnectionId } from '../../../shared/model/ids.ts';
import { AppError } from '../../../shared/errors.ts';
import { pageOf, remoteOf } from '../../support/fakes/fake-service.ts';
import {
  addConnection,
  createWorld,
  type MemoryDesk,
  startMemoryDesk,
  type World,
} from '../../support/fakes/memory-desk.ts';
import { MINUTE } from '../../../shared/rules/time/units.ts';

const SERVER_TIME = Date.UTC(2026, 10, 21, 11, 59);
const PAGES = 6;

let world: World;
let desk: MemoryDesk;
let connectionId: ConnectionId;

beforeEach(async () => {
  world = createWorld();
  desk = startMemoryDesk(world);
  connectionId = (await addConnection(desk)).id;
  world.services.v1.pages = Array.from({ length: PAGES }, (_, page) =>
    pageOf([remoteOf({ id: `a${page}` }), remoteOf({ id: `b${page}` })], SERVER_TIME + page),
  );
});

async function sync(full = false) {
  const { jobId } = await desk.api['agreements.sync']({ connectionId, full });
  const job = await desk.finish(jobId);
  return { job, outcome: SyncResult.parse(job.result).connections[0] };
}

const ids = async () =>
  (await desk.api['agreements.list']({})).items.map(({ id }) => id).toSorted();

/** Interrupts the first reading before this page, as if the program had ended. */
function cutBefore(page: number): void {
  let isCut = false;
  world.services.v1.beforePage = (index) => {
    if (isCut || index !== page) return;
    isCut = true;
    throw new AppError('offline', 'Gone', { reason: 'connection-lost' });
  };
}

/** Starts another process with the same data. */
function startAgain(): void {
  desk = startMemoryDesk(world);
}

/** The pages requested from now on. */
function watchPages(): number[] {
  const asked: number[] = [];
  world.services.v1.beforePage = (index) => void asked.push(index);
  return asked;
}

describe('an interrupted full reading', () => {
  it.each([1, 3, 5])(
    'stopped before page %i continues in another process at the page before',
    async (at) => {
      cutBefore(at);
      await sync();
      startAgain();
      desk.clock.advance(MINUTE);
      const asked = watchPages();
      const { outcome } = await sync();
      const rest = Array.from({ length: PAGES - at + 1 }, (_, index) => at - 1 + index);
      expect(asked.slice(0, rest.length)).toEqual(rest);
      expect(outcome).toMatchObject({ failure: null, checkedUntil: SERVER_TIME });
      expect(await ids()).toHaveLength(2 * PAGES);
    },
  );

  it('later requests the changes since its start, even if it took days (T1-14)', async () => {
    cutBefore(3);
    await sync();
    startAgain();
    desk.clock.advance(MINUTE);
    world.services.v1.since.length = 0;
    await sync();
    expect(world.services.v1.since).toEqual([null, SERVER_TIME]);
  });

  it.each([
    { when: 'in the millisecond in which it began', later: 0, first: 2 },
    { when: 'a millisecond before an hour has passed', later: 60 * MINUTE - 1, first: 2 },
    { when: 'after an hour', later: 60 * MINUTE, first: 0 },
    { when: 'if the clock is set back to a millisecond before it began', later: -1, first: 0 },
  ])('starts again with page $first $when', async ({ later, first }) => {
    const begunAt = world.clock.now();
    cutBefore(3);
    await sync();
    const { clock } = createWorld();
    clock.advance(begunAt + later - clock.now());
    desk = startMemoryDesk({ ...world, clock });
    const asked = watchPages();
    await sync();
    const rest = Array.from({ length: PAGES - first }, (_, index) => first + index);
    expect(asked.slice(0, rest.length)).toEqual(rest);
  });

  it('stopped by a person continues when it is requested again', async () => {
    world.services.v1.beforePage = async (index) => {
      const [job] = await desk.api['jobs.list']({});
      if (index === 3 && job !== undefined) await desk.api['jobs.cancel']({ jobId: job.id });
    };
    const { job } = await sync(true);
    expect(job.state).toBe('cancelled');
    const asked = watchPages();
    await sync(true);
    expect(asked.slice(0, 4)).toEqual([2, 3, 4, 5]);
    expect(await ids()).toHaveLength(2 * PAGES);
  });

  it('reports its progress from the beginning', async () => {
    cutBefore(3);
    await sync();
    startAgain();
    const seen: (number | null)[] = [];
    world.services.v1.beforePage = async () => {
      const [status] = await desk.api['agreements.syncStatus']({});
      seen.push(status?.done ?? null);
    };
    await sync();
    expect(seen.slice(0, 4)).toEqual([0, 8, 10, 12]);
  });

  it('is not repeated once it is complete', async () => {
    await sync();
    const asked = watchPages();
    world.services.v1.pages = [pageOf([], SERVER_TIME)];
    await sync();
    expect(asked).toEqual([0]);
    expect(world.services.v1.since.at(-1)).toBe(SERVER_TIME);
  });
});

describe('the progress of a sync', () => {
  it('of several connections that are read in parallel is their sum', async () => {
    await addConnection(desk, 'v2');
    world.services.v2.pages = [pageOf([remoteOf({ id: '1' })], SERVER_TIME)];
    let isSecondRead = false;
    world.services.v2.beforePage = () => void (isSecondRead = true);
    // The first connection waits inside its list until the second is read.
    world.services.v1.beforePage = () => desk.until(() => isSecondRead);
    const { jobId } = await desk.api['agreements.sync']({});
    const job = await desk.finish(jobId);
    expect(job).toMatchObject({ state: 'done', done: 2 * PAGES + 1, total: 2 * PAGES + 1 });
  });
});

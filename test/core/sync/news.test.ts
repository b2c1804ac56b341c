import { beforeEach, describe, expect, it } from 'vitest';
import type { ConnectionId } from '../../../shared/model/ids.ts';
import { pageOf, remoteOf } from '../../support/fakes/fake-service.ts';
import {
  addConnection,
  type MemoryDesk,
  startMemoryDesk,
} from '../../support/fakes/memory-desk.ts';

const SERVER_TIME = Date.UTC(2026, 10, 21, 11, 59);

let desk: MemoryDesk;
let connectionId: ConnectionId;
let emitted: { readonly added: number; readonly changed: number }[];

beforeEach(async () => {
  desk = startMemoryDesk();
  connectionId = (await addConnection(desk)).id;
  emitted = [];
  desk.on('agreements.changed', ({ added, changed }) => emitted.push({ added, changed }));
});

async function sync() {
  await desk.finish((await desk.api['agreements.sync']({ connectionId })).jobId);
}

describe('the news of a sync', () => {
  it('say how many are new and how many are different, and nothing when none is', async () => {
    desk.services.v1.pages = [pageOf([remoteOf({ id: 'a' }), remoteOf({ id: 'b' })], SERVER_TIME)];
    await sync();
    expect(emitted).toEqual([{ added: 2, changed: 0 }]);
    const [a, b] = [remoteOf({ id: 'a', title: 'Other' }), remoteOf({ id: 'b' })];
    desk.services.v1.pages = [pageOf([a, b, remoteOf({ id: 'c' })], SERVER_TIME)];
    await sync();
    expect(emitted.slice(1)).toEqual([{ added: 1, changed: 1 }]);
    await sync();
    expect(emitted).toHaveLength(2);
  });

  it('come a few times a second from a long one, and add up to all of it', async () => {
    const pages = 200;
    desk.services.v1.pages = Array.from({ length: pages }, (_, page) =>
      pageOf([remoteOf({ id: `a${page}` })], SERVER_TIME),
    );
    desk.services.v1.beforePage = (index) => {
      if (index > 0) desk.clock.advance(10);
    };
    const before = desk.emitted.filter((name) => name === 'agreements.syncChanged').length;
    await sync();
    const seconds = (2 * pages * 10) / 1000;
    expect(emitted.reduce((sum, { added }) => sum + added, 0)).toBe(pages);
    expect(emitted.length).toBeLessThanOrEqual(seconds * 3);
    const progress =
      desk.emitted.filter((name) => name === 'agreements.syncChanged').length - before;
    expect(progress).toBeLessThanOrEqual(seconds * 3 + 2);
  });
});

import { beforeEach, describe, expect, it } from 'vitest';
import { SyncNews } from '../../../electron/core/sync/news.ts';
import type { ConnectionId } from '../../../shared/model/ids.ts';
import { AppError } from '../../../shared/errors.ts';
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

describe('the change events of a sync', () => {
  it('state the numbers of new and changed agreements, and are not sent without changes', async () => {
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

  it('are sent a few times a second by a long sync, and add up to its total', async () => {
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

  it('that were held back are sent when the reading ends, even if it fails', async () => {
    const page = (id: string) => pageOf([remoteOf({ id })], SERVER_TIME);
    desk.services.v1.pages = [page('a'), page('b'), page('c'), page('d')];
    desk.services.v1.beforePage = (index) => {
      if (index === 3) throw new AppError('offline', 'Gone', { reason: 'connection-lost' });
    };
    await sync();
    expect(emitted).toEqual([
      { added: 1, changed: 0 },
      { added: 2, changed: 0 },
    ]);
  });

  // A negative time is a clock that was set back; it must not delay events until it catches up.
  it.each([
    { later: 399, times: 1 },
    { later: 400, times: 2 },
    { later: -399, times: 1 },
    { later: -400, times: 2 },
  ])('are sent $times times if more changes come $later ms later', ({ later, times }) => {
    const all = [
      { connectionId, added: 1, changed: 2 },
      { connectionId, added: 3, changed: 4 },
    ];
    const heard: unknown[] = [];
    const progress: unknown[] = [];
    const news = new SyncNews(connectionId, {
      clock: desk.clock,
      emit: (name, data) => {
        if (name === 'agreements.changed') heard.push(data);
        if (name === 'agreements.syncChanged') progress.push(data);
      },
    });
    news.changes(1, 2);
    news.progress();
    desk.clock.advance(later);
    news.changes(3, 4);
    news.progress();
    expect(heard).toEqual(all.slice(0, times));
    expect(progress).toHaveLength(times);
    news.end();
    expect(heard).toEqual(all);
    news.end();
    expect(heard).toHaveLength(2);
  });
});

import { describe, expect, it } from 'vitest';
import { createUpdateSource } from '../../../electron/adapters/updates/feed.ts';
import type { Updater } from '../../../electron/core/updates/ports.ts';
import { compareVersions } from '../../../electron/core/updates/versions.ts';
import { AppError } from '../../../shared/errors.ts';
import { createWorld, startMemoryDesk } from '../../support/fakes/memory-desk.ts';
import { someKey, startFeed, type FeedServer } from '../../support/update-feed.ts';
import { HOUR, MINUTE } from '../../../shared/rules/time/units.ts';

/** A fake self-updating installation that records its calls. */
function createUpdater() {
  const told: string[] = [];
  const begun = Promise.withResolvers<void>();
  let hold: Promise<void> = Promise.resolve();
  const updater: Updater = {
    way: 'here',
    canWithdraw: true,
    async prepare(release, report, signal) {
      told.push(`prepare ${release.version}`);
      begun.resolve();
      report(50, 100);
      const stopped = new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => reject(new AppError('cancelled', 'stopped')));
      });
      await Promise.race([hold, stopped]);
    },
    withdraw: () => void told.push('withdraw'),
  };
  return {
    updater,
    told,
    begun: begun.promise,
    holdOn: (until: Promise<void>) => void (hold = until),
  };
}

/** Version 1.0.0 of the program, over a real feed. */
function startDesk(updater: Updater = { way: 'checkout' }) {
  const world = createWorld();
  const updateSource = createUpdateSource(world, { platform: 'linux', arch: 'x64' });
  return startMemoryDesk({ ...world, updater, updateSource });
}

const setFeed = (desk: ReturnType<typeof startDesk>, feed: FeedServer, daily = false) =>
  desk.api['updates.setFeed']({ feed: { url: feed.address, key: feed.key, daily } });

describe('an update server receives no request', () => {
  it('while no feed is set, however long the window is open', async () => {
    const desk = startDesk();
    desk.desk.start();
    desk.clock.advance(50 * HOUR);
    expect(await desk.api['updates.show']({})).toMatchObject({ feed: null, checkedAt: null });
    await expect(desk.api['updates.check']({})).rejects.toThrow('No update feed is set');
    await desk.desk.stop();
  });

  it('from a feed that the user set for manual checks', async () => {
    const feed = await startFeed();
    feed.publish({ version: '1.1.0' });
    const desk = startDesk();
    await setFeed(desk, feed);
    desk.desk.start();
    desk.clock.advance(50 * HOUR);
    await desk.desk.stop();
    expect(feed.asked).toEqual([]);
  });
});

describe('an update check', () => {
  it('shows a newer version with its size, its notes and the time of the check', async () => {
    const feed = await startFeed();
    feed.publish({ version: '1.1.0', file: Buffer.alloc(5), notes: 'https://desk.example/new' });
    const desk = startDesk();
    await setFeed(desk, feed);
    expect(await desk.api['updates.check']({})).toMatchObject({
      version: '1.0.0',
      checkedAt: desk.clock.now(),
      offer: {
        kind: 'newer',
        release: { version: '1.1.0', size: 5, notes: 'https://desk.example/new' },
      },
      failure: null,
      ready: null,
    });
    expect(desk.emitted).toContain('updates.changed');
  });

  it('offers neither the installed version nor an older one', async () => {
    const feed = await startFeed();
    const { updater, told } = createUpdater();
    const desk = startDesk(updater);
    await setFeed(desk, feed);
    for (const [version, kind] of [
      ['1.0.0', 'same'],
      ['0.9.9', 'older'],
    ] as const) {
      feed.publish({ version });
      expect((await desk.api['updates.check']({})).offer?.kind).toBe(kind);
      const { jobId } = await desk.api['updates.install']({ version });
      expect((await desk.finish(jobId)).failure?.reason).toBe('update-changed');
    }
    expect(told).toEqual([]);
  });

  it('treats a version older than the feed’s previous one as older, even if newer than installed', async () => {
    const feed = await startFeed();
    const desk = startDesk();
    await setFeed(desk, feed);
    feed.publish({ version: '1.3.0' });
    await desk.api['updates.check']({});
    feed.publish({ version: '1.2.0' });
    expect((await desk.api['updates.check']({})).offer?.kind).toBe('older');
    // Setting another feed starts from the beginning.
    const other = await startFeed();
    other.publish({ version: '1.2.0' });
    await setFeed(desk, other);
    expect((await desk.api['updates.check']({})).offer?.kind).toBe('newer');
  });

  it('that fails gives the reason and keeps the earlier result', async () => {
    const feed = await startFeed();
    feed.publish({ version: '1.1.0' });
    const desk = startDesk();
    await setFeed(desk, feed);
    await desk.api['updates.check']({});
    feed.files.set('latest-linux.yml.sig', Buffer.from('AAAA'));
    await expect(desk.api['updates.check']({})).rejects.toMatchObject({
      failure: { reason: 'update-signature' },
    });
    expect(await desk.api['updates.show']({})).toMatchObject({
      failure: { reason: 'update-signature' },
      offer: { kind: 'newer' },
    });
  });

  it('discards its result when the feed changed during the check', async () => {
    const [feed, other] = [await startFeed(), await startFeed()];
    feed.publish({ version: '1.1.0' });
    feed.spoil('latest-linux.yml.sig', 'stall');
    const desk = startDesk();
    await setFeed(desk, feed);
    const isAsked = feed.next('latest-linux.yml.sig');
    const checked = desk.api['updates.check']({}).catch((error: unknown) => error);
    await isAsked;
    await setFeed(desk, other);
    // The old server still answers, with the requested signature.
    feed.finish('latest-linux.yml.sig');
    expect(await checked).toMatchObject({ failure: { reason: 'update-changed' } });
    expect(await desk.api['updates.show']({})).toMatchObject({ offer: null, checkedAt: null });
  });
});

describe('the daily update check', () => {
  it('runs at the start and a day later, if the user chose it', async () => {
    const feed = await startFeed();
    feed.publish({ version: '1.1.0' });
    const desk = startDesk();
    await setFeed(desk, feed, true);
    const isChecked = (at: number) =>
      desk.until(async () => (await desk.api['updates.show']({})).checkedAt === at);
    desk.desk.start();
    await isChecked(desk.clock.now());
    desk.clock.advance(23 * HOUR);
    expect(feed.asked).toHaveLength(2);
    desk.clock.advance(HOUR + MINUTE);
    await desk.until(() => feed.asked.length === 4);
    await desk.desk.stop();
    expect(feed.asked).toHaveLength(4);
  });

  it('is repeated after an hour when the feed did not answer', async () => {
    const feed = await startFeed();
    const desk = startDesk();
    await setFeed(desk, feed, true);
    desk.desk.start();
    await desk.until(async () => (await desk.api['updates.show']({})).failure !== null);
    desk.clock.advance(HOUR - MINUTE);
    expect(feed.asked).toHaveLength(1);
    feed.publish({ version: '1.1.0' });
    desk.clock.advance(2 * MINUTE);
    await desk.until(async () => (await desk.api['updates.show']({})).checkedAt !== null);
    expect((await desk.api['updates.show']({})).failure).toBeNull();
    await desk.desk.stop();
  });
});

describe('an update installation', () => {
  async function offered() {
    const feed = await startFeed();
    feed.publish({ version: '1.1.0' });
    const made = createUpdater();
    const desk = startDesk(made.updater);
    await setFeed(desk, feed);
    await desk.api['updates.check']({});
    return { feed, desk, ...made };
  }

  it('is prepared only on the user’s request, and then is ready', async () => {
    const { desk, told } = await offered();
    expect(told).toEqual([]);
    const { jobId } = await desk.api['updates.install']({ version: '1.1.0' });
    expect(await desk.finish(jobId)).toMatchObject({ state: 'done', done: 50, total: 100 });
    expect(told).toEqual(['prepare 1.1.0']);
    expect((await desk.api['updates.show']({})).ready).toBe('1.1.0');
  });

  it('makes a backup while it waits, and continues if no backup can be made', async () => {
    const { desk } = await offered();
    const when = { kind: 'by-hand' } as const;
    const plan = { folder: '/away', when, keep: 1, isOn: false, withCredentials: false };
    const keys = { recipient: 'age1', wrapped: new Uint8Array() };
    const stored = { ...keys, desk: '1f2e3d4c', setUpAt: 0, last: null, good: null };
    desk.stores.backup.save({ ...stored, plan: { ...plan, administrator: null } });
    await desk.finish((await desk.api['updates.install']({ version: '1.1.0' })).jobId);
    const job = (await desk.api['jobs.list']({})).find(({ kind }) => kind === 'make-backup');
    if (job === undefined) throw new Error('No backup was begun');
    expect((await desk.finish(job.id)).state).toBe('failed');
    expect((await desk.api['updates.show']({})).ready).toBe('1.1.0');
  });

  it('can be cancelled', async () => {
    const { desk, told } = await offered();
    expect(await desk.api['jobs.list']({})).toEqual([]);
    await desk.finish((await desk.api['updates.install']({ version: '1.1.0' })).jobId);
    expect((await desk.api['updates.withdraw']({})).ready).toBeNull();
    expect(told).toEqual(['prepare 1.1.0', 'withdraw']);
  });

  it('of a version that the feed no longer offers is rejected', async () => {
    const { desk, feed, told } = await offered();
    feed.publish({ version: '1.2.0' });
    const { jobId } = await desk.api['updates.install']({ version: '1.1.0' });
    expect((await desk.finish(jobId)).failure?.reason).toBe('update-changed');
    expect(told).toEqual([]);
  });

  it.each(['by this window', 'by another process'])(
    'stops without installing when the feed is changed in the meantime %s',
    async (by) => {
      const { desk, told, begun, holdOn } = await offered();
      const { promise, resolve } = Promise.withResolvers<void>();
      holdOn(promise);
      const { jobId } = await desk.api['updates.install']({ version: '1.1.0' });
      await begun;
      if (by === 'by this window') {
        await desk.api['updates.setFeed']({ feed: null });
      } else {
        const { feed, ...rest } = desk.stores.updates.read();
        desk.stores.updates.write({ ...rest, feed: feed && { ...feed, key: someKey() } });
        resolve();
      }
      expect((await desk.finish(jobId)).state).not.toBe('done');
      // The stopped download removes its own file; a completed download is withdrawn.
      expect(told.slice(1)).toEqual(by === 'by this window' ? [] : ['withdraw']);
      expect((await desk.api['updates.show']({})).ready).toBeNull();
    },
  );

  it('that is ready is not installed once the feed has changed', async () => {
    const { desk, told } = await offered();
    await desk.finish((await desk.api['updates.install']({ version: '1.1.0' })).jobId);
    const { feed, ...rest } = desk.stores.updates.read();
    desk.stores.updates.write({ ...rest, feed: feed && { ...feed, key: someKey() } });
    desk.desk.wake();
    expect(told).toContain('withdraw');
    expect((await desk.api['updates.show']({})).ready).toBeNull();
  });

  it('is never started twice, nor from a source checkout', async () => {
    const { desk, holdOn } = await offered();
    holdOn(new Promise(() => undefined));
    const { jobId } = await desk.api['updates.install']({ version: '1.1.0' });
    await expect(desk.api['updates.install']({ version: '1.1.0' })).rejects.toMatchObject({
      failure: { reason: 'already-under-way' },
    });
    await desk.api['jobs.cancel']({ jobId });
    expect((await desk.finish(jobId)).state).toBe('cancelled');
    await expect(startDesk().api['updates.install']({ version: '1.1.0' })).rejects.toMatchObject({
      failure: { code: 'invalid' },
    });
  });
});

it.each([
  ['1.0.0', '1.0.0', 0],
  ['1.0.0', '0.9.9', 1],
  ['1.10.0', '1.9.0', 1],
  ['1.0.0-beta.1', '1.0.0', -1],
  ['2.0.0-beta.1', '1.9.9', 1],
  ['', '0.0.0', -1],
])('comparing the versions %j and %j finds the newer one', (a, b, sign) => {
  expect(Math.sign(compareVersions(a, b))).toBe(sign);
  expect(Math.sign(compareVersions(b, a))).toBe(-sign + 0);
});

// tier: quick, 15 s, because it copies agreements of both APIs through their faults
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../electron/adapters/system/platform.ts';
import type { Behaviour, Zone } from '../../../electron/demo/server/behaviour.ts';
import { startDemo, type Demo, type DemoOptions } from '../../../electron/demo/start.ts';
import { AgreementId } from '../../../shared/model/ids.ts';
import { type TempDatabase, tempDatabase } from '../../adapters/sqlite/temp-database.ts';
import { createSyncing, ids } from '../../support/desks/syncing.ts';
import { DAY, HOUR, MINUTE } from '../../../shared/rules/time/units.ts';

const NOON = Date.UTC(2026, 10, 21, 12);

let demo: Demo;
let desk: TempDatabase;
let syncing: ReturnType<typeof createSyncing>;
/** The service's time, and how far the local clock is ahead of it. */
const time = { at: NOON, skew: 0 };

beforeEach(() => {
  time.at = NOON;
  time.skew = 0;
});
afterEach(async () => {
  desk[Symbol.dispose]();
  await demo.close();
});

async function start(more: Partial<DemoOptions> = {}, behaviour: Partial<Behaviour> = {}) {
  demo = await startDemo({
    dataDir: null,
    seed: 'full',
    counterpartDelayMs: null,
    now: () => time.at,
    behaviour,
    ...more,
  });
  desk = tempDatabase();
  startAgain();
}

/** Starts a new process with the same data. */
function startAgain(): void {
  const clock = { now: () => time.at + time.skew, after: systemClock.after };
  syncing = createSyncing(desk.stores, demo, clock);
}

async function sync(api: 'v1' | 'v2', isFull = false) {
  const outcome = await syncing.run(api, isFull);
  expect(outcome.failure).toBeNull();
  return outcome;
}

const copy = (api: 'v1' | 'v2', id: string) =>
  desk.stores.agreements.details({ connectionId: ids[api], id: AgreementId.parse(id) });
const copies = (api: 'v1' | 'v2') =>
  desk.stores.agreements
    .keys({ connectionId: ids[api], sort: 'title', group: 'none', from: 0, limit: 10_000 }, 0)
    .keys.map(({ id }) => id);
const openOnes = (api: 'v1' | 'v2') =>
  api === 'v1'
    ? demo.agreements.v1().flatMap(({ id, state }) => (state === 'READY_TO_SIGN' ? id : []))
    : demo.agreements.v2().flatMap((one) => (one.status === 'POSTED' ? one.referenceNumber : []));
const firstOpen = (api: 'v1' | 'v2'): string => openOnes(api)[0] ?? '';

describe.each(['v1', 'v2'] as const)('the local copy of the agreements of API %s', (api) => {
  it('needs two requests if nothing changed, one of them for changes that no list shows', async () => {
    await start();
    await sync(api);
    time.at += DAY / 3;
    await sync(api);
    time.at += DAY / 3;
    expect(await sync(api)).toMatchObject({ requests: 2, received: 0, changed: 0, gone: 0 });
  });

  it('is complete after reading pages, without a request for each agreement (T1-23)', async () => {
    await start({ seed: 450 });
    const { requests, received } = await sync(api);
    expect(received).toBeGreaterThan(450);
    expect(requests).toBeLessThan(12);
    expect(copy(api, firstOpen(api)).parties?.length).toBeGreaterThan(0);
  });

  it('shows signed, rejected and revoked agreements; v2 no longer lists revoked ones (T1-11, T2-21)', async () => {
    await start({ seed: 30 });
    await sync(api);
    const [signed = '', rejected = '', revoked = '', expired = ''] = openOnes(api).slice(2);
    time.at += HOUR;
    demo.act(api, signed, 'sign-all');
    demo.act(api, rejected, 'reject');
    demo.act(api, revoked, 'revoke');
    demo.act(api, expired, 'expire');
    await sync(api);
    const states = [signed, rejected, revoked, expired].map((id) => copy(api, id).state);
    expect(states).toEqual(['signed', 'rejected', 'revoked', 'expired']);
  });

  it('marks agreements as deleted that the service reports as missing (T1-20)', async () => {
    await start();
    await sync(api);
    const id = firstOpen(api);
    time.at += HOUR;
    demo.act(api, id, 'delete');
    expect(await sync(api)).toMatchObject({ gone: 1 });
    expect(copy(api, id)).toMatchObject({ gone: 'deleted' });
  });

  it.each([-10, -1, 1, 10])(
    'loses no agreement if the local clock is wrong by %i days (T1-14)',
    async (days) => {
      await start({ seed: 20 });
      time.skew = days * DAY;
      await sync(api);
      const everything = api === 'v1' ? demo.agreements.v1() : demo.agreements.v2();
      const hidden = everything.filter((one) => 'status' in one && one.status === 'REVOKED');
      const strangers = everything.length - hidden.length - copies(api).length;
      time.at += 3 * HOUR;
      const id = firstOpen(api);
      demo.act(api, id, 'sign-all');
      await sync(api);
      expect(copy(api, id).closedAt).not.toBeNull();
      // Only agreements that were inaccessible at noon are missing.
      time.skew = 0;
      await sync(api, true);
      expect(everything.length - hidden.length - copies(api).length).toBe(strangers);
    },
  );

  it('includes changes that the list shows nine minutes late (T1-13, T2-26)', async () => {
    await start({}, { listLagMs: 9 * MINUTE });
    await sync(api);
    const id = firstOpen(api);
    time.at += HOUR;
    demo.act(api, id, 'sign-all');
    for (const _ of Array.from({ length: 10 })) {
      time.at += MINUTE;
      await sync(api);
    }
    expect(copy(api, id)).toMatchObject({ state: 'signed', gone: null });
  });

  it('keeps its progress and age if the service refuses too many requests (T1-09)', async () => {
    await start({ seed: 450 });
    const headers = { 'Retry-After': '120' };
    const { hits } = demo.fault({
      path: api === 'v1' ? /page%5Bnumber%5D=3/ : /offset=200/,
      do: { kind: 'status', status: 429, headers },
    });
    const limited = await syncing.run(api);
    expect(limited.failure).toMatchObject({
      code: 'limited',
      retryAt: expect.any(Number) as number,
    });
    expect([hits(), desk.stores.connections.checkedAt(ids[api])]).toEqual([1, null]);
    startAgain();
    time.at += 2 * MINUTE;
    const before = demo.requests.length;
    await sync(api);
    expect(copies(api).length).toBeGreaterThan(450);
    // The sync continues with the last stored page.
    const resumed = demo.requests[before]?.url;
    expect(resumed).toMatch(api === 'v1' ? /page%5Bnumber%5D=2/ : /offset=100&/);
  });

  it('misses no remaining agreement of a list that moves between its pages (T1-15, T2-26)', async () => {
    await start({ seed: 950 });
    const doomed = openOnes(api).slice(20, 40);
    let pages = 0;
    const { agreements } = desk.stores;
    const moved = createSyncing(
      {
        ...desk.stores,
        agreements: {
          ...agreements,
          put: (...page) => {
            pages += 1;
            // Agreements change while pages two to six are read.
            const [one, other] = pages < 7 ? [doomed.shift(), doomed.pop()] : [];
            if (one !== undefined) demo.act(api, one, 'delete');
            if (other !== undefined) demo.act(api, other, 'sign-all');
            return agreements.put(...page);
          },
        },
      },
      demo,
      { now: () => time.at, after: systemClock.after },
    );
    time.at += MINUTE;
    expect((await moved.run(api)).failure).toBeNull();
    const left = new Set(
      api === 'v1'
        ? demo.agreements.v1().map(({ id }) => id)
        : demo.agreements.v2().map(({ referenceNumber }) => referenceNumber),
    );
    const crowd = [...left].slice(-900);
    const copied = new Set<string>(copies(api));
    expect(crowd.filter((id) => !copied.has(id))).toEqual([]);
  });
});

it.each([1, 10])(
  'lists of v1 whose pages begin at 0 and hold %i are read completely (T1-17)',
  async (pageCap) => {
    await start({}, { pageCap, firstPage: 0 });
    const { received } = await sync('v1');
    expect(copies('v1')).toHaveLength(received);
    expect(received).toBeGreaterThan(30);
  },
);

const nights = [
  ['in March', Date.UTC(2026, 2, 28, 22)],
  ['in October', Date.UTC(2026, 9, 24, 21)],
] as const;
const zones: readonly Zone[] = ['Europe/Stockholm', '+01:00'];
const readings = zones.flatMap((stated) => zones.map((asked) => [stated, asked] as const));

describe.each(nights)('a sync in the night when clocks change %s', (_name, evening) => {
  it.each(readings)(
    'misses no change of v2, which writes times in %s and reads them in %s (T2-23)',
    async (v2Zone, v2FilterZone) => {
      time.at = evening;
      await start({ seed: 60 }, { v2Zone, v2FilterZone });
      await sync('v2');
      for (let step = 0; step < 14; step += 1) {
        time.at += 20 * MINUTE;
        const id = openOnes('v2').at(-1) ?? '';
        demo.act('v2', id, 'reject');
        time.at += MINUTE;
        // The list of changes alone finds the agreement, although it also leaves the open list.
        const { requests } = await sync('v2');
        expect([copy('v2', id).state, requests]).toEqual(['rejected', 2]);
      }
    },
  );
});

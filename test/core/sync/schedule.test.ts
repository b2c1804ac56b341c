import { beforeEach, describe, expect, it } from 'vitest';
import { scheduleSync } from '../../../electron/core/sync/schedule.ts';
import type { Connection } from '../../../shared/contract/connections.ts';
import { ConnectionId } from '../../../shared/model/ids.ts';
import type { Failure } from '../../../shared/errors.ts';
import { createHandClock, type HandClock } from '../../support/fakes/memory-ports.ts';
import { MINUTE } from '../../../shared/rules/time/units.ts';

let clock: HandClock;
let connections: Connection[];
let started: { readonly name: string; readonly at: number }[];
let failure: Failure | null;
let refusal: Failure | null;
/** Number of detected sleeps of the computer. */
let sleeps: number;
let begin: number;
let isAtRest: boolean;

beforeEach(() => {
  clock = createHandClock();
  begin = clock.now();
  connections = [connectionOf('Office', 1)];
  started = [];
  failure = null;
  refusal = null;
  sleeps = 0;
  isAtRest = false;
});

function connectionOf(name: string, number: number): Connection {
  const id = ConnectionId.parse(`00000000-0000-4000-8000-00000000000${String(number)}`);
  const place = { url: 'https://a.example', accountId: null, orgNo: null, allowed: null } as const;
  return { id, name, api: 'v1', environment: 'test', ...place, createdAt: 0 };
}

function start(run: (name: string) => Promise<void> = async () => {}) {
  return scheduleSync({
    clock,
    isAtRest: () => isAtRest,
    onSlept: () => void (sleeps += 1),
    stores: { connections: { list: () => connections } },
    services: { refusal: () => refusal },
    sync: {
      run: async (id) => {
        const name = connections.find((one) => one.id === id)?.name ?? '';
        started.push({ name, at: clock.now() });
        await run(name);
        const nothing = { requests: 0, received: 0, changed: 0, gone: 0, checkedUntil: null };
        return { name, ...nothing, failure };
      },
    },
  });
}

/** Passes time in steps, so that started work can end. */
async function pass(milliseconds: number, step = 5000): Promise<void> {
  await new Promise(setImmediate);
  for (let passed = 0; passed < milliseconds; passed += step) {
    clock.advance(step);
    await new Promise(setImmediate);
  }
}

const minutes = () => started.map(({ at }) => (at - begin) / MINUTE);
const failed = (code: Failure['code'], more: Partial<Failure> = {}): Failure => ({
  code,
  message: 'x',
  ...more,
});

describe('the schedule of syncs', () => {
  it('reads every connection at the start and then every two minutes', async () => {
    start();
    await pass(7 * MINUTE);
    expect(minutes()).toEqual([0, 2, 4, 6]);
  });

  it('reads nothing while the computer is deactivated, and continues at the next interval once it is active', async () => {
    isAtRest = true;
    start();
    await pass(5 * MINUTE);
    expect(started).toEqual([]);
    isAtRest = false;
    await pass(MINUTE);
    expect(started).toHaveLength(1);
  });

  it('reads several connections in parallel', async () => {
    connections = [connectionOf('Office', 1), connectionOf('Old', 2)];
    start(() => new Promise(() => {}));
    expect(started.map(({ name }) => name)).toEqual(['Office', 'Old']);
  });

  it('reads a new connection within seconds, and does not read a removed one again', async () => {
    start();
    await pass(MINUTE);
    connections = [connectionOf('New', 2)];
    await pass(MINUTE / 2);
    await pass(3 * MINUTE);
    expect(new Set(started.slice(1).map(({ name }) => name))).toEqual(new Set(['New']));
    expect(minutes()[1]).toBeLessThanOrEqual(1.5);
  });

  it('starts no reading before the previous reading has ended', async () => {
    let end = () => {};
    start(() => new Promise((resolve) => (end = resolve)));
    await pass(10 * MINUTE);
    expect(started).toHaveLength(1);
    end();
    await pass(3 * MINUTE);
    expect(started).toHaveLength(2);
  });

  it('waits longer after each failure, up to half an hour, and normally after a success', async () => {
    failure = failed('service');
    start();
    await pass(95 * MINUTE, 15_000);
    expect(minutes()).toEqual([0, 2, 6, 14, 30, 60, 90]);
    failure = null;
    await pass(30 * MINUTE, 15_000);
    const [last = 0, before = 0] = minutes().toReversed();
    expect(last - before).toBe(2);
  });

  it('tries twice a minute without a network, so that it soon notices its return (TX-56)', async () => {
    failure = failed('offline');
    start();
    await pass(2 * MINUTE);
    expect(minutes()).toEqual([0, 0.5, 1, 1.5, 2]);
  });

  it('waits exactly until the time that the service gave (T1-09)', async () => {
    failure = failed('limited', { retryAt: begin + 60 * MINUTE });
    start();
    await pass(59 * MINUTE, 15_000);
    expect(started).toHaveLength(1);
    failure = null;
    await pass(MINUTE, 15_000);
    expect(started).toHaveLength(2);
  });

  it('reads within seconds when the computer wakes, even after failures before the sleep', async () => {
    failure = failed('service');
    start();
    await pass(20 * MINUTE, 15_000);
    const before = started.length;
    failure = null;
    // Timers stop during sleep, so the next interval ends late and the clock has jumped by hours.
    clock.sleep(8 * 60 * MINUTE);
    await pass(15_000);
    expect(started).toHaveLength(before + 1);
    expect(sleeps).toBe(1);
  });

  it.each([
    ['reads immediately after a failure of the service', failed('service'), 1],
    [
      'still waits until the time that the service gave',
      failed('limited', { retryAt: begin + 60 * MINUTE }),
      0,
    ],
  ])('after a wake-up before the next reading is due, %s', async (_, before, more) => {
    failure = before;
    start();
    await pass(15 * MINUTE, 15_000);
    const count = started.length;
    failure = null;
    clock.sleep(5 * MINUTE);
    await pass(15_000);
    expect(started).toHaveLength(count + more);
  });

  it('continues if the clock is set back by days', async () => {
    start();
    await pass(MINUTE);
    clock.sleep(-3 * 24 * 60 * MINUTE);
    await pass(3 * MINUTE);
    expect(started.length).toBeGreaterThan(1);
  });

  it('rarely retries a rejected API key, but immediately tries a new one', async () => {
    failure = failed('signed-out');
    refusal = failure;
    start();
    await pass(20 * MINUTE, 15_000);
    expect(minutes()).toEqual([0, 2, 6, 14]);
    refusal = null;
    failure = null;
    await pass(15_000);
    expect(started).toHaveLength(5);
  });

  it('ends when its readings have ended, and starts no other reading', async () => {
    let end = () => {};
    let isOver = false;
    const stop = start(() => new Promise((resolve) => (end = resolve)));
    const stopped = stop().then(() => (isOver = true));
    await new Promise(setImmediate);
    expect(isOver).toBe(false);
    end();
    await stopped;
    await pass(10 * MINUTE);
    expect(started).toHaveLength(1);
  });
});

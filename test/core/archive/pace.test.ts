import { beforeEach, describe, expect, it } from 'vitest';
import { ArchivePace } from '../../../electron/core/archive/pace.ts';
import { HOUR, MINUTE } from '../../../shared/rules/time/units.ts';

const cancelled = expect.objectContaining({
  failure: expect.objectContaining({ code: 'cancelled' }),
});

let now = 0;
/** Timers that have not run yet, with the times at which they are due. */
let timers: { readonly at: number; readonly run: () => void }[] = [];
const clock = {
  now: () => now,
  after(milliseconds: number, run: () => void) {
    const timer = { at: now + milliseconds, run };
    timers.push(timer);
    return () => void (timers = timers.filter((one) => one !== timer));
  },
};

beforeEach(() => {
  now = 1_000_000;
  timers = [];
});

/** Waits until all ready work has run. */
const settled = () => new Promise<void>((resolve) => void setImmediate(resolve));

async function passTo(time: number): Promise<void> {
  now = time;
  for (const { at, run } of timers.slice()) if (at <= now) run();
  await settled();
}

/** Downloads that run until the test ends them. */
function downloads(pace: ArchivePace, signal = new AbortController().signal) {
  const under: { readonly end: () => void; readonly fail: (error: Error) => void }[] = [];
  const refused: unknown[] = [];
  const begin = async (count: number) => {
    for (let one = 0; one < count; one += 1) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const run = () => {
        under.push({ end: resolve, fail: reject });
        return promise;
      };
      pace.inTurn(signal, run).catch((error: unknown) => void refused.push(error));
    }
    await settled();
  };
  const endAll = async () => {
    for (const { end } of under.splice(0)) end();
    await settled();
  };
  return { under, refused, begin, endAll };
}

describe('downloads of an archive', () => {
  it('run up to the allowed number at a time, and the next starts when a download ends or fails', async () => {
    const { under, refused, begin } = downloads(new ArchivePace(clock, 2));
    await begin(4);
    expect(under).toHaveLength(2);
    under[0]?.end();
    await settled();
    expect(under).toHaveLength(3);
    const broken = new Error('broken');
    under[1]?.fail(broken);
    await settled();
    expect(under).toHaveLength(4);
    expect(refused).toEqual([broken]);
  });

  it('return their results', async () => {
    const { signal } = new AbortController();
    await expect(new ArchivePace(clock, 1).inTurn(signal, async () => 'pdf')).resolves.toBe('pdf');
  });

  it('are cancelled immediately while they wait if the run is stopped, and no new one starts', async () => {
    const stop = new AbortController();
    const { under, refused, begin } = downloads(new ArchivePace(clock, 1), stop.signal);
    await begin(2);
    stop.abort();
    await settled();
    expect(refused).toEqual([cancelled]);
    await begin(1);
    expect(refused).toEqual([cancelled, cancelled]);
    expect(under).toHaveLength(1);
  });
});

describe('a service that reports too many requests', () => {
  it('receives half as many at a time, and at least one', () => {
    const pace = new ArchivePace(clock, 5);
    const allowed = [pace.allowed];
    for (let times = 0; times < 3; times += 1) {
      pace.slow(undefined);
      allowed.push(pace.allowed);
    }
    expect(allowed).toEqual([5, 2, 1, 1]);
  });

  it.each([
    { what: 'until the time that it named', told: 60_000, rest: 60_000 },
    { what: 'of five seconds if it named no time', told: undefined, rest: 5000 },
  ])('gets a pause $what', async ({ told, rest }) => {
    const begun = now;
    const pace = new ArchivePace(clock, 1);
    const { under, begin } = downloads(pace);
    pace.slow(told === undefined ? undefined : begun + told);
    await begin(1);
    await passTo(begun + rest - 1);
    expect(under).toHaveLength(0);
    await passTo(begun + rest);
    expect(under).toHaveLength(1);
  });

  it('receives no request until the longest requested pause has passed', async () => {
    const begun = now;
    const pace = new ArchivePace(clock, 2);
    const { under, begin } = downloads(pace);
    pace.slow(begun + MINUTE);
    pace.slow(undefined);
    await begin(1);
    await passTo(begun + 59_999);
    expect(under).toHaveLength(0);
    await passTo(begun + MINUTE);
    expect(under).toHaveLength(1);
  });

  it('receives requests again when a clock that was set back would make the pause last for hours', async () => {
    const pace = new ArchivePace(clock, 1);
    const { under, begin } = downloads(pace);
    pace.slow(undefined);
    now -= HOUR;
    await begin(1);
    expect(under).toHaveLength(1);
  });

  it('leaves no timer behind after the run was stopped', async () => {
    const stop = new AbortController();
    const pace = new ArchivePace(clock, 1);
    const { refused, begin } = downloads(pace, stop.signal);
    pace.slow(undefined);
    await begin(3);
    expect(timers).toHaveLength(3);
    stop.abort();
    await settled();
    expect([timers.length, refused.length]).toEqual([0, 3]);
  });

  it('receives one more at a time after each full round of successes, up to the earlier number', async () => {
    const pace = new ArchivePace(clock, 3);
    const { begin, endAll } = downloads(pace);
    pace.slow(now);
    pace.slow(now);
    const allowed: number[] = [];
    for (let done = 0; done < 8; done += 1) {
      await begin(1);
      await endAll();
      allowed.push(pace.allowed);
    }
    expect(allowed).toEqual([2, 2, 3, 3, 3, 3, 3, 3]);
  });

  it('receives more requests only by the successes since its last refusal', async () => {
    const pace = new ArchivePace(clock, 4);
    const { begin, endAll } = downloads(pace);
    pace.slow(now);
    await begin(1);
    await endAll();
    pace.slow(now);
    pace.slow(now);
    await begin(1);
    await endAll();
    expect(pace.allowed).toBe(2);
    await begin(1);
    await endAll();
    expect(pace.allowed).toBe(2);
  });
});

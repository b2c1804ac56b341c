import { describe, expect, it } from 'vitest';
import { retryWhileLocked } from '../../../electron/adapters/files/retry-while-locked.ts';

const failing = (code: string) => Object.assign(new Error(code), { code });

/** A file that another program has open for this number of milliseconds of simulated waiting. */
function held(platform: NodeJS.Platform, milliseconds: number, code = 'EBUSY') {
  let now = 0;
  let tries = 0;
  const run = async (): Promise<string> => {
    tries += 1;
    if (now < milliseconds) throw failing(code);
    return 'done';
  };
  const patience = {
    platform,
    now: () => now,
    pause: async (time: number) => void (now += time),
  };
  return { ended: retryWhileLocked(run, patience), waited: () => now, tries: () => tries };
}

describe('a file that another program has open', () => {
  it('gets its new name when that program closes it (TX-43)', async () => {
    const file = held('win32', 3000, 'EPERM');
    expect(await file.ended).toBe('done');
    expect(file.waited()).toBe(3000);
  });

  it('is not retried for longer than ten seconds (TX-43)', async () => {
    const file = held('win32', 60_000);
    await expect(file.ended).rejects.toThrow('EBUSY');
    expect(file.waited()).toBe(10_000);
  });

  it('is not retried when the system denies writing', async () => {
    const file = held('linux', 60_000, 'EPERM');
    await expect(file.ended).rejects.toThrow('EPERM');
    expect(file.tries()).toBe(1);
  });
});

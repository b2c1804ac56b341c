import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { cliHome } from '../../support/desks/cli-home.ts';
import type { HomeHere } from '../../support/desks/desk-here.ts';
import { DAY } from '../../../shared/rules/time/units.ts';

const IN_PART = 6;

let home: HomeHere;
let close: () => Promise<void>;
let to = '';

beforeAll(async () => {
  // The clock is set to a time far from that of the rule, so that the result does not depend on
  // when the test runs.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-24T12:00:00Z') });
  ({ home, close } = await cliHome({ environment: 'production' }));
  to = path.join(home.folder, 'archive');
});
afterAll(async () => {
  vi.useRealTimers();
  await close();
});

const SCHEDULE = ['archive', 'schedule'] as const;
const status = (exit = 0) => home.value([...SCHEDULE, 'status'], '', exit);

/** Moves the clock on by this many days; timers do not run. */
function passDays(days: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + days * DAY });
}

describe('desk archive schedule status', () => {
  it('succeeds if nothing is scheduled, and before the first run', async () => {
    await home.value([...SCHEDULE, 'add', 'By hand', '--to', path.join(home.folder, 'other')]);
    expect(await status()).toEqual({ items: [] });
    await home.value([...SCHEDULE, 'add', 'Nightly', '--daily', '02:30', '--to', to]);
    const next = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string;
    expect(await status()).toEqual({
      items: [{ name: 'Nightly', when: 'daily at 02:30', last: null, next, problem: null }],
    });
  });

  it('ends with exit code 6 if no scheduler runs the due work (PK-03)', async () => {
    passDays(2);
    const { items } = await status(IN_PART);
    expect(items).toMatchObject([{ name: 'Nightly', problem: expect.stringMatching(/^overdue/) }]);
    const { exit, stdout } = await home.desk([...SCHEDULE, 'status']);
    expect(exit).toBe(IN_PART);
    expect(stdout).toMatch(/Nightly.*overdue/);
  });

  it('ends with exit code 6 and prints the last failure until a run succeeds (PK-03)', async () => {
    await writeFile(to, 'a file in the place of the folder');
    expect((await home.json(['run-due'])).exit).not.toBe(0);
    const { items } = await status(IN_PART);
    const { items: listed } = await home.value([...SCHEDULE, 'list']);
    const { last } = (listed as { name: string; last: { failure: { message: string } } }[]).find(
      ({ name }) => name === 'Nightly',
    ) ?? { last: null };
    expect(items).toMatchObject([{ problem: last?.failure.message }]);
    await rm(to);
    passDays(1);
    await home.value(['run-due']);
    expect(await status()).toMatchObject({ items: [{ problem: null }] });
  });
});

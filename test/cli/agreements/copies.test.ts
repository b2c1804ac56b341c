import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { cliHome } from '../../support/desks/cli-home.ts';
import { createMixedHome, type HomeHere } from '../../support/desks/desk-here.ts';

/** Timeout of the tests and hooks (ms). It is long, because each command opens the data again. */
const TIMEOUT_MS = 1_200_000;
vi.setConfig({ testTimeout: TIMEOUT_MS, hookTimeout: TIMEOUT_MS });

let home: HomeHere;
let close: () => Promise<void>;

const Listed = z.object({
  total: z.number(),
  items: z.array(z.object({ id: z.string(), state: z.string(), title: z.string() })),
});

const run = (args: readonly string[], wanted = 0): Promise<unknown> => home.value(args, '', wanted);
const list = async (...options: string[]) =>
  Listed.parse(await run(['agreements', 'list', '--limit', '500', ...options]));

beforeAll(async () => {
  ({ home, close } = await cliHome({ create: createMixedHome, isSynced: true }));
});
afterAll(() => close());

describe('desk agreements list', () => {
  it('accepts several states, and a sort direction', async () => {
    const { items } = await list('--state', 'signed', '--state', 'rejected', '--sort', 'title');
    expect(new Set(items.map(({ state }) => state))).toEqual(new Set(['signed', 'rejected']));
    const turned = await list(
      ...['--state', 'signed', '--state', 'rejected', '--sort', 'title'],
      ...['--direction', 'descending'],
    );
    expect(turned.items.map(({ id }) => id)).toEqual(items.map(({ id }) => id).toReversed());
  });

  it('filters by whether agreements are archived, and whether the service still has them', async () => {
    const { total } = await list();
    expect((await list('--not-archived')).total + (await list('--archived')).total).toBe(total);
    expect((await list('--not-gone')).total).toBe(total);
    await run(['agreements', 'list', '--archived', '--not-archived'], 2);
  });

  it('lists only open agreements if --expiring is given', async () => {
    const { items } = await list('--expiring', '3650');
    expect(items.length).toBeGreaterThan(0);
    const closed = items.filter(({ state }) => !['waiting', 'part-signed'].includes(state));
    expect(closed).toEqual([]);
  });
});

describe('local copies of agreements', () => {
  it('are deleted after their number is confirmed, and a sync does not restore them (TX-55)', async () => {
    const { items, total } = await list();
    const [first] = items;
    if (first === undefined) throw new Error('nothing to forget');
    await run(['agreements', 'forget', first.id, '--confirm', '2'], 3);
    expect((await list()).total).toBe(total);
    expect(await run(['agreements', 'forget', first.id, '--confirm', '1'])).toEqual({
      forgotten: 1,
    });
    await run(['sync', '--full']);
    expect((await list()).total).toBe(total - 1);
  });

  it('report their size, and stay for the configured time', async () => {
    expect(await run(['agreements', 'storage'])).toMatchObject({
      keepClosedMonths: null,
      connections: [{ connection: 'Office', live: true }],
    });
    await run(['agreements', 'keep', 'always'], 2);
    await run(['agreements', 'keep', '24']);
    expect(await run(['agreements', 'storage'])).toMatchObject({ keepClosedMonths: 24 });
    await run(['agreements', 'keep', 'forever']);
    expect(await run(['agreements', 'storage'])).toMatchObject({ keepClosedMonths: null });
  });
});

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { type Demo, startDemo } from '../../../electron/demo/start.ts';
import { createMixedHome, type HomeHere } from '../../support/desks/desk-here.ts';

/** Each command opens the data anew. */
const PATIENCE = 1_200_000;
vi.setConfig({ testTimeout: PATIENCE, hookTimeout: PATIENCE });

let demo: Demo;
let home: HomeHere;

const Listed = z.object({
  total: z.number(),
  items: z.array(z.object({ id: z.string(), state: z.string(), title: z.string() })),
});

async function run(args: readonly string[], wanted = 0, input = ''): Promise<unknown> {
  const { exit, document, stderr } = await home.json(args, input);
  expect({ exit, args, stderr, document }).toMatchObject({ exit: wanted });
  const answered = z.object({ value: z.unknown().optional() }).parse(document);
  return answered.value;
}
const list = async (...options: string[]) =>
  Listed.parse(await run(['agreements', 'list', '--limit', '500', ...options]));

beforeAll(async () => {
  demo = await startDemo({ dataDir: null, counterpartDelayMs: null });
  home = await createMixedHome();
  const add = ['connections', 'add', 'Office', '--environment', 'test', '--api', 'v1'];
  await run([...add, '--url', demo.v1Url], 0, demo.credentials.token);
  await run(['sync']);
});
afterAll(async () => {
  await demo.close();
  await home.remove();
});

describe('a list', () => {
  it('takes several states, and the direction of its order', async () => {
    const { items } = await list('--state', 'signed', '--state', 'rejected', '--sort', 'title');
    expect(new Set(items.map(({ state }) => state))).toEqual(new Set(['signed', 'rejected']));
    const turned = await list(
      ...['--state', 'signed', '--state', 'rejected', '--sort', 'title'],
      ...['--direction', 'descending'],
    );
    expect(turned.items.map(({ id }) => id)).toEqual(items.map(({ id }) => id).toReversed());
  });

  it('is parted in two by what was archived, and by what is gone', async () => {
    const { total } = await list();
    expect((await list('--not-archived')).total + (await list('--archived')).total).toBe(total);
    expect((await list('--not-gone')).total).toBe(total);
    await run(['agreements', 'list', '--archived', '--not-archived'], 2);
  });

  it('of what expires soon holds open ones only', async () => {
    const { items } = await list('--expiring', '3650');
    expect(items.length).toBeGreaterThan(0);
    const closed = items.filter(({ state }) => !['waiting', 'part-signed'].includes(state));
    expect(closed).toEqual([]);
  });
});

describe('copies', () => {
  it('are forgotten when their number was confirmed, and a sync leaves it so (TX-55)', async () => {
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

  it('tell what they take, and stay as long as was set', async () => {
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

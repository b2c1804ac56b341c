import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Demo } from '../../../electron/demo/start.ts';
import { cliHome, idOf, OFFICE_AND_OLD } from '../../support/desks/cli-home.ts';
import { createMixedHome, type HomeHere } from '../../support/desks/desk-here.ts';
import { DAY } from '../../../shared/rules/time/units.ts';

const OPEN = ['Contrat de prestation – été 2026', 'Partnership agreement'] as const;

let demo: Demo;
let home: HomeHere;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ demo, home, close } = await cliHome({
    create: createMixedHome,
    connections: OFFICE_AND_OLD,
    isSynced: true,
  }));
});
afterAll(() => close());

const ofV2 = (): string => demo.agreements.v2()[0]?.referenceNumber ?? '';
const changes = (since: number) =>
  demo.requests.slice(since).filter(({ method }) => method !== 'GET');

async function expiryOf(id: string): Promise<string> {
  const { document } = await home.json(['agreements', 'show', id, '--refresh']);
  return (document as { value: { expiresAt: string } }).value.expiresAt;
}

const expiry = (ids: readonly string[], on: number, confirm: number) =>
  home.json([
    ...['agreements', 'expiry', ...ids, '--on', new Date(on).toISOString()],
    ...['--confirm', String(confirm)],
  ]);

describe('desk agreements expiry', () => {
  it('changes each agreement once, based on its current value, and prints each result', async () => {
    const ids = OPEN.map((title) => idOf(demo, title));
    const on = Math.floor((Date.now() + 30 * DAY) / 1000) * 1000;
    const before = demo.requests.length;
    const { exit, document } = await expiry([...ids, ofV2()], on, 3);
    expect(exit).toBe(6);
    expect(document).toMatchObject({
      value: {
        done: OPEN.map((title) => ({ title, connection: 'Office' })),
        failed: [{ id: ofV2() }],
        unknown: [],
      },
    });
    expect(changes(before).map(({ headers }) => headers['if-match'])).toEqual([
      expect.any(String),
      expect.any(String),
    ]);
    for (const id of ids) expect(await expiryOf(id)).toBe(new Date(on).toISOString());
  });

  it('changes nothing with a wrong count, or with a time in the past', async () => {
    const ids = OPEN.map((title) => idOf(demo, title));
    const before = demo.requests.length;
    expect((await expiry(ids, Date.now() + DAY, 3)).exit).toBe(3);
    const { document } = await expiry(ids, Date.now() - DAY, 2);
    expect(document).toMatchObject({ value: { done: [], failed: [{}, {}] } });
    expect(changes(before)).toEqual([]);
  });
});

// tier: all
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createJourneyHome, type HomeHere } from '../../support/desks/desk-here.ts';

let home: HomeHere;

beforeAll(async () => {
  home = await createJourneyHome();
});
afterAll(() => home.remove());

const add = ['connections', 'add', 'Try', '--api', 'v1', '--url', 'none'];

describe('samples on the command line', () => {
  it('are refused for a connection that notifies people', async () => {
    const { exit, document } = await home.json([...add, '--environment', 'test', '--samples'], 'x');
    expect(exit).toBe(3);
    expect(document).toMatchObject({ ok: false, error: { code: 'invalid' } });
    expect(await itemsOf(['connections', 'list'])).toEqual([]);
  });

  it('are part of the demo, and can be listed', async () => {
    const { exit } = await home.json([...add, '--environment', 'demo', '--samples'], '');
    expect(exit).toBe(0);
    expect(await itemsOf(['templates', 'list'])).toMatchObject([{ name: 'Hyresavtal bilplats' }]);
    const { document } = await home.json(['batch', 'list']);
    expect(document).toMatchObject({
      value: { batches: [{ name: 'Bilplatser Storgatan 12', rows: 12 }] },
    });
  });
});

async function itemsOf(args: readonly string[]): Promise<unknown> {
  const { document } = await home.json(args);
  return (document as { value: { items: unknown } }).value.items;
}

import { afterEach, beforeEach, expect, it } from 'vitest';
import { createHomeHere, type HomeHere } from '../support/desks/desk-here.ts';
import { someKey, startFeed } from '../support/update-feed.ts';

let home: HomeHere;

beforeEach(async () => {
  home = await createHomeHere();
});
afterEach(() => home.remove());

it('desk updates sends no request until a feed is set, and then prints the offered version', async () => {
  const feed = await startFeed();
  const unset = await home.desk(['updates', 'status']);
  expect(unset).toMatchObject({ exit: 0, stderr: '' });
  expect(unset.stdout).toContain('none: updates are not checked');
  expect(unset.stdout).toContain('The program runs from its sources');
  expect(await home.desk(['updates', 'check'])).toMatchObject({ exit: 3 });
  const set = ['updates', 'set', feed.address, '--key', feed.key, '--daily'];
  expect((await home.desk(set)).stdout).toContain('once a day while the window is open');
  expect(feed.asked).toEqual([]);

  feed.publish({ version: '99.0.0', file: Buffer.alloc(5), notes: 'https://desk.example/99' });
  const found = await home.apart.json(['updates', 'check']);
  expect(found).toMatchObject({
    exit: 6,
    document: {
      ok: true,
      value: {
        way: 'checkout',
        offer: { kind: 'newer', release: { version: '99.0.0', notes: 'https://desk.example/99' } },
      },
    },
  });
  // The next command uses the stored result, and sends no request.
  const asked = feed.asked.length;
  expect(await home.desk(['updates', 'status'])).toMatchObject({ exit: 6 });
  expect(feed.asked).toHaveLength(asked);
  await home.desk(['updates', 'off']);
  expect((await home.desk(['updates', 'status'])).stdout).toContain('none: updates are not');
});

it('desk updates explains why a feed cannot be trusted, and which field of it is wrong', async () => {
  const feed = await startFeed();
  feed.publish({ version: '99.0.0' });
  await home.desk(['updates', 'set', feed.address, '--key', someKey()]);
  expect(await home.desk(['updates', 'check'])).toMatchObject({
    exit: 5,
    stderr: expect.stringContaining('not signed with the key'),
  });
  const plain = ['updates', 'set', 'http://desk.example', '--key', feed.key];
  expect(await home.json(plain)).toMatchObject({
    exit: 3,
    document: { ok: false, error: { fields: { url: expect.stringContaining('https') } } },
  });
  const wrong = ['updates', 'set', feed.address, '--key', 'no key'];
  expect(await home.json(wrong)).toMatchObject({
    exit: 3,
    document: { error: { fields: { key: expect.any(String) } } },
  });
});

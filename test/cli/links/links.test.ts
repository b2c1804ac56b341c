import path from 'node:path';
import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createMixedHome, type HomeHere } from '../../support/desks/desk-here.ts';

/** Timeout of the tests (ms). It is long, because each command opens the data again. */
const TIMEOUT_MS = 1_200_000;
const DRAFT = 'signingdesk:draft?title=Hyra&person=Anna%20Berg%20%3Canna@example.org%3E';

let home: HomeHere;

beforeAll(async () => {
  home = await createMixedHome();
  await home.value(['connections', 'test', 'demo']);
  await home.value(['sync']);
});
afterAll(() => home.remove());

const drafts = async (): Promise<readonly { readonly id: string }[]> =>
  (await home.value(['drafts', 'list']))['items'] as readonly { readonly id: string }[];

it(
  'a link to an agreement names the agreement, and the agreement names its link',
  async () => {
    const { items } = (await home.value(['agreements', 'list', '--limit', '1'])) as {
      items: readonly { id: string; connection: string; title: string; state: string }[];
    };
    const [{ id, connection, title, state } = { id: '', connection: '', title: '', state: '' }] =
      items;
    const shown = await home.value(['agreements', 'show', `${connection}:${id}`]);
    expect(shown['link']).toBe(`signingdesk:agreement/${id}`);
    const opened = await home.value(['open', String(shown['link'])]);
    expect(opened).toMatchObject({ opens: 'agreement' });
    expect(opened['items']).toContainEqual({ id, connection, title, state });
    const gone = await home.json(['open', 'signingdesk:agreement/999999999999']);
    expect(gone.document).toMatchObject({ ok: false, error: { code: 'not-found' } });
  },
  TIMEOUT_MS,
);

it(
  'a link that fills a draft adds a draft for the named connection (TX-61)',
  async () => {
    const before = await drafts();
    const unclear = await home.json(['open', DRAFT]);
    expect(unclear).toMatchObject({ exit: 3, document: { ok: false, error: { code: 'invalid' } } });
    expect(await drafts()).toEqual(before);
    const names = (await home.value(['connections', 'list']))['items'] as readonly {
      readonly name: string;
      readonly api: string;
    }[];
    const v1 = names.find(({ api }) => api === 'v1')?.name ?? '';
    const made = await home.value(['open', DRAFT, '--connection', v1]);
    expect(await home.value(['drafts', 'show', String(made['id'])])).toMatchObject({
      api: 'v1',
      connection: v1,
      body: { title: 'Hyra', parties: [{ firstName: 'Anna', email: 'anna@example.org' }] },
    });
    expect(await home.value(['outbox', 'list'])).toMatchObject({ items: [] });
  },
  TIMEOUT_MS,
);

it(
  'a draft file adds a draft, while other files and links for other actions are rejected (TX-61)',
  async () => {
    const [first] = await drafts();
    const file = path.join(home.folder, 'lease.signdraft');
    await home.value(['drafts', 'export', first?.id ?? '', '--out', file]);
    const before = (await drafts()).length;
    expect(await home.value(['open', file])).toMatchObject({ opens: 'draft' });
    expect(await drafts()).toHaveLength(before + 1);
    const other = path.join(home.folder, 'secret.txt');
    await writeFile(other, 'secret');
    for (const given of [
      other,
      'signingdesk:send/1',
      'signingdesk:draft?title=x&file=/etc/passwd',
      `signingdesk:draft?title=${'a'.repeat(5000)}`,
    ]) {
      const { exit, document } = await home.json(['open', given]);
      expect({ exit, document }).toMatchObject({ exit: 3, document: { ok: false } });
      expect(JSON.stringify(document)).not.toContain('secret');
    }
    expect(await drafts()).toHaveLength(before + 1);
  },
  TIMEOUT_MS,
);

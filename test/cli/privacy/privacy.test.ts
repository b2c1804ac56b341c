import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { createMixedHome, type HomeHere } from '../../support/desks/desk-here.ts';

/** Timeout of the tests and hooks (ms). It is long, because each command opens the data again. */
const TIMEOUT_MS = 1_200_000;
vi.setConfig({ testTimeout: TIMEOUT_MS, hookTimeout: TIMEOUT_MS });

let home: HomeHere;
let other: HomeHere;
let folder: string;

beforeAll(async () => {
  home = await createMixedHome();
  other = await createMixedHome();
  folder = path.join(home.folder, 'out');
  mkdirSync(folder);
  const person = ['--first', 'Åsa', '--last', 'Öberg', '--person-no', '19850709-9805'];
  await home.value(['people', 'add', ...person, '--email', 'asa@example.com']);
});
afterAll(async () => {
  await home.remove();
  await other.remove();
});

const Folder = z.object({ folder: z.string() });

describe('privacy on the command line', () => {
  it('previews a retention period, saves it on request, and removes nothing otherwise', async () => {
    expect(await home.value(['privacy', 'keep', '--sheets', '90'])).toMatchObject({
      stored: false,
      kinds: [{ kind: 'sheets', limit: 90, unit: 'days', number: 0 }],
    });
    expect(await home.value(['privacy', 'show'])).toMatchObject({
      kinds: expect.arrayContaining([expect.objectContaining({ kind: 'sheets', limit: null })]),
    });
    await home.value(['privacy', 'keep', '--sheets', '90', '--copies', 'forever', '--confirm']);
    expect(await home.value(['privacy', 'show'])).toMatchObject({
      kinds: expect.arrayContaining([
        expect.objectContaining({ kind: 'sheets', limit: 90 }),
        expect.objectContaining({ kind: 'copies', limit: null }),
      ]),
    });
  });

  it('refuses an invalid period, and names the option', async () => {
    const { exit, stderr } = await home.json(['privacy', 'keep', '--logs', '0']);
    expect([exit, stderr]).toEqual([2, expect.any(String)]);
    expect((await home.json(['privacy', 'keep', '--copies', '2000', '--confirm'])).exit).toBe(3);
    expect((await home.json(['privacy', 'keep'])).exit).toBe(3);
  });

  it('applies periods, also in scheduled runs, which print nothing if nothing is removed', async () => {
    expect(await home.value(['privacy', 'apply'])).toMatchObject({
      removed: { copies: 0, trash: 0, sent: 0, sheets: 0, logs: 0 },
    });
    const value = await home.value(['run-due', '--skip-summary']);
    expect(value).not.toHaveProperty('retention');
  });

  it('measures the data file, and compacts it', async () => {
    expect(await home.value(['privacy', 'sizes'])).toMatchObject({
      inSteps: true,
      kinds: expect.arrayContaining([expect.objectContaining({ kind: 'people', number: 1 })]),
    });
    expect(await home.value(['privacy', 'compact'])).toMatchObject({ needBytes: 0 });
    const done = await home.value(['privacy', 'compact', '--confirm']);
    expect(done).toMatchObject({ later: false });
  });

  it('writes everything about a person into files readable only by their owner', async () => {
    const value = await home.value(['people', 'everything', 'asa@example.com', '--to', folder]);
    const made = Folder.parse(value).folder;
    expect(path.basename(made)).toMatch(/^person-\d{4}-\d\d-\d\d-[0-9a-f]{8}$/);
    expect(readdirSync(made).toSorted()).toEqual([
      'person.html',
      'person.json',
      'person.schema.json',
    ]);
    expect(readFileSync(path.join(made, 'person.html'), 'utf8')).toContain('9805');
    expect(statSync(path.join(made, 'person.json')).mode & 0o077).toBe(0);
  });
});

describe('a data export on the command line', () => {
  it('is imported into another computer, and adds nothing when it is imported again', async () => {
    const body = path.join(folder, 'body.json');
    writeFileSync(body, JSON.stringify({ title: 'Lease', parties: [], attachments: [] }));
    await home.value(['drafts', 'add', '--api', 'v1', '--from', body]);
    const value = await home.value(['data', 'export', '--to', folder]);
    expect(value).toMatchObject({ counts: { drafts: 1, people: 1 } });
    const made = Folder.parse(value).folder;
    expect(await other.value(['data', 'check', made])).toMatchObject({
      imported: false,
      counts: { drafts: { added: 1 }, people: { added: 1 } },
    });
    expect(await other.value(['data', 'import', made])).toMatchObject({ imported: true });
    expect(await other.value(['data', 'import', made])).toMatchObject({
      counts: { drafts: { added: 0, same: 1 }, people: { added: 0, same: 1 } },
    });
    expect(await other.value(['drafts', 'list'])).toMatchObject({ items: [{ title: 'Lease' }] });
    expect(await other.value(['outbox', 'list'])).toMatchObject({ items: [] });
  });

  it('is rejected if its folder is invalid', async () => {
    const { exit, document } = await other.json(['data', 'check', folder]);
    expect(exit).toBe(3);
    expect(document).toMatchObject({ error: { code: 'invalid' } });
  });
});

// tier: all
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { addBatch, addLease, people } from '../../support/desks/batch-desk.ts';
import { manifestOf, rewrite, TwoDesks } from '../../support/desks/two-desks.ts';
import { bodyV1 } from '../../support/fakes/memory-desk.ts';
import { entryOf } from '../../support/person-entry.ts';

/** Number later than any date; adding one to it gives no exact number. */
const FAR = Number.MAX_SAFE_INTEGER;

let two: TwoDesks;
let exported: string;

beforeEach(async () => {
  two = await TwoDesks.start();
  const { desk, connectionId } = two.from;
  const { api, bytes } = desk;
  await api['people.save']({ id: null, entry: entryOf({ firstName: 'Bo', lastName: 'Ek' }) });
  const content = { api: 'v1' as const, body: bodyV1('Lease') };
  const { id } = await api['drafts.create']({ content, connectionId });
  await api['drafts.attach']({ id, name: 'a.txt', bytes: bytes.put(Buffer.from('A text.')) });
  await addBatch(two.from, await addLease(desk), people(1));
  exported = (await two.write()).folder;
});
afterEach(() => two[Symbol.dispose]());

const KINDS = new Set(['drafts', 'templates', 'people', 'batches']);
const files = (): string[] =>
  manifestOf(exported).files.flatMap(({ file, kind }) => (KINDS.has(kind) ? [file] : []));
const read = (file: string): unknown => JSON.parse(readFileSync(path.join(exported, file), 'utf8'));

/** Positions of numbers in a file. */
function places(value: unknown, at: readonly string[] = []): (readonly string[])[] {
  if (typeof value === 'number') return [at];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) => places(one, [...at, key]));
}

/** The same content with another number at a position. */
function changed(value: unknown, [key, ...rest]: readonly string[], to: number): unknown {
  if (key === undefined) return to;
  const copy = structuredClone(value) as Record<string, unknown>;
  copy[key] = changed(copy[key], rest, to);
  return copy;
}

async function lists() {
  const { api } = two.to.desk;
  for (const { id } of await api['drafts.list']({})) await api['drafts.show']({ id });
  const people = await api['people.search']({ text: '' });
  for (const { id } of people) await api['people.show']({ id });
  return [people, await api['templates.list']({}), await api['batches.list']({})];
}

const dates = [
  'createdAt',
  'updatedAt',
  'trashedAt',
  'usedAt',
  'addedAt',
  'changedAt',
  'modifiedAt',
];
const counts = ['times', 'nextNumber', 'used'];

it('a data import is rejected as a whole, naming the file, if a date or count is too large (SR-P2)', async () => {
  const found = new Set<string>();
  for (const file of files()) {
    const text = readFileSync(path.join(exported, file), 'utf8');
    for (const place of places(read(file))) {
      const name = place.at(-1) ?? '';
      if (![...dates, ...counts].includes(name)) continue;
      found.add(name);
      rewrite(exported, file, () => JSON.stringify(changed(JSON.parse(text), place, FAR)));
      const { state, failure } = await two.read('takeout.import', exported);
      expect([state, failure?.message], `${file} ${place.join('.')}`).toEqual([
        'failed',
        expect.stringContaining(file),
      ]);
      rewrite(exported, file, () => text);
    }
  }
  expect([...found]).toEqual(
    expect.arrayContaining(['createdAt', 'updatedAt', 'usedAt', ...counts]),
  );
  expect((await two.done('takeout.import', exported)).look.counts.people.added).toBe(1);
});

it('a data import with a number of any allowed size leaves all lists readable (SR-P2)', async () => {
  for (const file of files()) {
    const text = readFileSync(path.join(exported, file), 'utf8');
    for (const place of places(read(file))) {
      for (const to of [FAR, -FAR, 1e300]) {
        rewrite(exported, file, () => JSON.stringify(changed(JSON.parse(text), place, to)));
        await two.read('takeout.import', exported);
        await expect(lists(), `${file} ${place.join('.')} ${to}`).resolves.toHaveLength(3);
      }
    }
    rewrite(exported, file, () => text);
  }
});

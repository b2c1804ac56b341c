import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as plan from '../../build/mutate/plan.ts';
import {
  changesCompiledCode,
  type Mutant,
  mutantsOf,
  withReachNotes,
} from '../../build/mutate/mutators.ts';
import { place, root } from '../../build/places.ts';

const FILE = 'test/fixtures/mutants/ages.ts';
const TEXT = readFileSync(place(FILE), 'utf8');
const MUTANTS = mutantsOf(FILE, TEXT);

const found = (text: string) =>
  mutantsOf('a.ts', text).map(({ before, after }) => `${before} → ${after}`);
const one = (inside: string, before: string): Mutant => {
  const mutant = MUTANTS.find((each) => each.inside === inside && each.before === before);
  if (mutant === undefined) throw new Error(`no mutant ${before} in ${inside}`);
  return mutant;
};
describe('a mutant', () => {
  it.each([
    ['if (a) b();', ['a → !(a)', 'b(); → ;']],
    ['async () => { await b(); }', ['await b(); → ;']],
    ['const a = b && c < 3;', ['&& → ||', '< → <=']],
    ['const a = b ?? c;', ['b ?? c → b']],
    ['const a = b + 1;', ['+ → -']],
    ["const a = b + 'c';", ["'c' → ''"]],
    ['const a = [true];', ['[true] → []', 'true → false']],
    ['() => { if (a) return; b = 1; }', ['a → !(a)', 'if (a) return; → ;']],
    ['const a = b.filter(c);', ['b.filter(c) → b']],
    ["const a = 'SELECT 1 WHERE b = 1 AND c < 2';", ['AND → OR', '= → <>', '< → <=']],
  ])('of %j changes the running program (TE-M01)', (text, expected) => {
    expect(found(text).toSorted()).toEqual(expected.toSorted());
  });

  it('is never made from types or names (TE-M02)', () => {
    expect(found("type A = 'b' | true; interface C { d: 'e' }")).toEqual([]);
    expect(found("import { a } from 'b'; export { a } from 'c';")).toEqual([]);
    expect(found("const a = { 'b': 1 }; const c = d as 'e';")).toEqual([]);
    const [same] = mutantsOf('a.ts', 'const a = b + 1;');
    if (same === undefined) throw new Error('no mutant');
    expect(changesCompiledCode('const a = b + 1;', same)).toBe(true);
    expect(changesCompiledCode('const a = b + 1;', { ...same, replacement: '/* not */ +' })).toBe(
      false,
    );
    expect(changesCompiledCode('const a = b + 1;', { ...same, replacement: ')' })).toBe(false);
  });

  it('knows its function, and a stored text is the same program (TE-M03)', () => {
    expect(one('isAdult', '>=').body).toBe(0);
    expect(one('countDown', '>').body).toBe(1);
    expect(withReachNotes('a.ts', 'const f = (a) => ({ a });')).toContain(
      "add('a.ts#0'), ({ a }))",
    );
    expect(withReachNotes(FILE, TEXT).split('.add(')).toHaveLength(3);
  });
});

describe('the choice of mutants', () => {
  it('is the same for the same seed, and spread over all areas (TE-M04)', async () => {
    const texts = new Map(
      [...(await plan.readAreas(root))].filter(([file]) => /core\/outbox\/t/.test(file)),
    );
    const all = plan.mutantsIn(texts);
    const choice = (seed: number) => plan.sample(all, texts, { seed, count: 5 });
    expect(choice(7)).toEqual(choice(7));
    expect(choice(7)).not.toEqual(choice(8));
    const areas = [...(await plan.readAreas(root)).keys()];
    for (const area of [
      'outbox',
      'actions',
      'evidence',
      'signing',
      'archive',
      'bytes',
      'sync',
      'office',
      'reminders',
      'intake',
      'people',
      'batches',
    ]) {
      expect(areas.some((file) => file.startsWith(`electron/core/${area}/`))).toBe(true);
    }
    expect(areas).toContain('electron/adapters/sqlite/outbox/store.ts');
    expect(areas).toContain('electron/adapters/files/save.ts');
    expect(areas).toContain('electron/adapters/office/claims.ts');
    expect(areas).toContain('electron/core/office/items/drafts.ts');
  });

  it('of changed files is limited to the lines of a diff (TE-M05)', () => {
    const diff =
      '--- a/x.ts\n+++ b/x.ts\n@@ -1,2 +3,2 @@\n+a\n+b\n@@ -9 +12 @@\n+c\n@@ -20,2 +21,0 @@\n';
    expect([...plan.changedLines(diff)].map(([file, lines]) => [file, [...lines]])).toEqual([
      ['x.ts', [3, 4, 12]],
    ]);
  });

  it('reports a listed mutant that is gone, or has no reason (TE-M06)', () => {
    const head = '| File | Inside | Before | After | Why |\n| --- | --- | --- | --- | --- |\n';
    const row = (before: string, why: string) =>
      `| \`${FILE}\` | isAdult | \`${before}\` | \`>\` | ${why} |\n`;
    const problems = (line: string) => plan.listProblems(plan.readHarmless(head + line), MUTANTS);
    expect(problems(row('>=', 'Nobody is exactly eighteen.'))).toEqual([]);
    expect(problems(row('>=', ''))).toEqual([expect.stringContaining('no reason')]);
    expect(problems(row('<=', 'Gone.'))).toEqual([expect.stringContaining('no mutant any more')]);
  });

  it('has a list with a reason for each harmless mutant that still exists', async () => {
    const list = plan.readHarmless(readFileSync(place(plan.MUTANTS), 'utf8'));
    expect(plan.listProblems(list, plan.mutantsIn(await plan.readAreas(root)))).toEqual([]);
  });
});

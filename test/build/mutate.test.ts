// tier: all
import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import * as plan from '../../build/mutate/plan.ts';
import { judge, judgeLeft, summary } from '../../build/mutate/verdicts.ts';
import { WarmVitest } from '../../build/mutate/warm.ts';
import { isAnother, type Mutant, mutantsOf, mutate, noting } from '../../build/mutate/mutators.ts';
import { place, root } from '../../build/places.ts';

const FILE = 'test/fixtures/mutants/ages.ts';
const TEXT = readFileSync(place(FILE), 'utf8');
const MUTANTS = mutantsOf(FILE, TEXT);
/** Vitest starts in it, which takes long on a busy machine. */
const PATIENCE = 60_000;

const found = (text: string) =>
  mutantsOf('a.ts', text).map(({ before, after }) => `${before} → ${after}`);
const one = (inside: string, before: string): Mutant => {
  const mutant = MUTANTS.find((each) => each.inside === inside && each.before === before);
  if (mutant === undefined) throw new Error(`no mutant ${before} in ${inside}`);
  return mutant;
};
const reaches = {
  batchesFor: () => ({ batches: [['test/fixtures/mutants/judge.ts']], left: [] }),
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
  ])('of %j changes what runs (TE-M01)', (text, expected) => {
    expect(found(text).toSorted()).toEqual(expected.toSorted());
  });

  it('is never of what only the compiler reads, or of a name (TE-M02)', () => {
    expect(found("type A = 'b' | true; interface C { d: 'e' }")).toEqual([]);
    expect(found("import { a } from 'b'; export { a } from 'c';")).toEqual([]);
    expect(found("const a = { 'b': 1 }; const c = d as 'e';")).toEqual([]);
    const [same] = mutantsOf('a.ts', 'const a = b + 1;');
    if (same === undefined) throw new Error('no mutant');
    expect(isAnother('const a = b + 1;', same)).toBe(true);
    expect(isAnother('const a = b + 1;', { ...same, replacement: '/* not */ +' })).toBe(false);
    expect(isAnother('const a = b + 1;', { ...same, replacement: ')' })).toBe(false);
  });

  it('knows the function it is in, and a noted text is the same program (TE-M03)', () => {
    expect(one('isAdult', '>=').body).toBe(0);
    expect(one('countDown', '>').body).toBe(1);
    expect(noting('a.ts', 'const f = (a) => ({ a });')).toContain("add('a.ts#0'), ({ a }))");
    expect(noting(FILE, TEXT).split('.add(')).toHaveLength(3);
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
    for (const area of ['outbox', 'actions', 'evidence', 'signing', 'archive', 'bytes', 'sync']) {
      expect(areas.some((file) => file.startsWith(`electron/core/${area}/`))).toBe(true);
    }
    expect(areas).toContain('electron/adapters/sqlite/outbox/store.ts');
    expect(areas).toContain('electron/adapters/files/save.ts');
  });

  it('of what changed knows the lines that a difference wrote (TE-M05)', () => {
    const diff =
      '--- a/x.ts\n+++ b/x.ts\n@@ -1,2 +3,2 @@\n+a\n+b\n@@ -9 +12 @@\n+c\n@@ -20,2 +21,0 @@\n';
    expect([...plan.changedLines(diff)].map(([file, lines]) => [file, [...lines]])).toEqual([
      ['x.ts', [3, 4, 12]],
    ]);
  });

  it('objects to a listed mutant that is gone, or has no reason (TE-M06)', () => {
    const head = '| File | Inside | Before | After | Why |\n| --- | --- | --- | --- | --- |\n';
    const row = (before: string, why: string) =>
      `| \`${FILE}\` | isAdult | \`${before}\` | \`>\` | ${why} |\n`;
    const problems = (line: string) => plan.listProblems(plan.readHarmless(head + line), MUTANTS);
    expect(problems(row('>=', 'Nobody is exactly eighteen.'))).toEqual([]);
    expect(problems(row('>=', ''))).toEqual([expect.stringContaining('no reason')]);
    expect(problems(row('<=', 'Gone.'))).toEqual([expect.stringContaining('no mutant any more')]);
  });

  it('has a list that says of each harmless mutant that is still there why it is', async () => {
    const list = plan.readHarmless(readFileSync(place(plan.MUTANTS), 'utf8'));
    expect(plan.listProblems(list, plan.mutantsIn(await plan.readAreas(root)))).toEqual([]);
  });
});

describe('the runner', () => {
  const warm = new WarmVitest();
  afterAll(() => warm.close());
  const tried = (mutant: Mutant, patience = PATIENCE) =>
    judge(mutant, TEXT, { reaches, warm, patience });

  it('kills what a test notices, keeps what none does, and writes no file (TE-M07)', async () => {
    const killed = await tried(one('countDown', 'left > 0'));
    expect(killed).toMatchObject({ ended: 'killed', by: expect.stringContaining('counts down') });
    const survivor = await tried(one('isAdult', '>='));
    expect(survivor).toMatchObject({ ended: 'survived' });
    expect(readFileSync(place(FILE), 'utf8')).toBe(TEXT);
    const { lines, isEnough } = summary([killed, survivor], [], { wanted: 2, share: 85 });
    expect(lines).toEqual([
      `survived: ${FILE}:3 in isAdult: >= → > (1 files of tests reach it)`,
      '2 of 2 mutants tried, 1 killed, 1 survived, 0 only timed out, 0 known to be harmless: 50.0 % (85 % are asked for)',
    ]);
    expect(isEnough).toBe(false);
    const harmless = [{ ...survivor.mutant, why: 'A reason.' }];
    expect(summary([killed, survivor], harmless, { wanted: 2, share: 85 }).isEnough).toBe(true);
  });

  it('asks the tests that were left out for time about a survivor, once all had their first look (TE-M11)', async () => {
    const { batches } = reaches.batchesFor();
    const late = ['test/fixtures/mutants/exact.ts'];
    const hurried = { batchesFor: () => ({ batches, left: [late] }) };
    const first = await judge(one('isAdult', '>='), TEXT, {
      reaches: hurried,
      warm,
      patience: PATIENCE,
    });
    expect(first).toMatchObject({ ended: 'survived', left: [late] });
    const second = await judgeLeft(first, TEXT, { warm });
    expect(second).toMatchObject({ ended: 'killed', by: expect.stringContaining('very day') });
    const inVain = await judgeLeft({ ...first, left: batches }, TEXT, { warm });
    expect(inVain).toMatchObject({ ended: 'survived', left: [] });
    expect(inVain.by).toBe('1 files of tests reach it, and 1 more');
  });

  it('counts what never ends apart, and goes on in a process of its own (TE-M08)', async () => {
    await tried(one('isAdult', '>='));
    expect(await tried(one('countDown', '-='), 5_000)).toMatchObject({ ended: 'timed out' });
    expect(await tried(one('countDown', 'left > 0'))).toMatchObject({ ended: 'killed' });
  });

  it('says what was reached by the files it was asked about, not by those before (TE-M10)', async () => {
    const reachedBy = async (test: string) => {
      const answer = await warm.ask({ reach: [test], files: [] }, PATIENCE);
      return answer !== undefined && 'files' in answer ? answer.files.map((file) => file.test) : [];
    };
    for (const test of ['test/fixtures/mutants/judge.ts', 'test/rules/people/people.test.ts']) {
      expect(await reachedBy(test)).toEqual([test]);
    }
  });

  it('says that no test reaches a mutant (TE-M09)', async () => {
    const nothing = { batchesFor: () => ({ batches: [], left: [] }) };
    const mutant = one('isAdult', '>=');
    expect(await judge(mutant, TEXT, { reaches: nothing, warm })).toEqual({
      mutant,
      ended: 'survived',
      by: 'no test reaches it',
      left: [],
    });
    expect(mutate(TEXT, mutant)).toContain('age > 18');
  });
});

// tier: all
import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { type Mutant, mutantsOf, mutate } from '../../build/mutate/mutators.ts';
import { judge, testRemainingMutants, summary } from '../../build/mutate/verdicts.ts';
import { WarmVitest } from '../../build/mutate/warm.ts';
import { place } from '../../build/places.ts';
import { MINUTE } from '../../shared/rules/time/units.ts';

const FILE = 'test/fixtures/mutants/ages.ts';
const TEXT = readFileSync(place(FILE), 'utf8');
const MUTANTS = mutantsOf(FILE, TEXT);
/** Timeout that includes Vitest's start on a busy computer (ms). */
const TIMEOUT_MS = MINUTE;

const one = (inside: string, before: string): Mutant => {
  const mutant = MUTANTS.find((each) => each.inside === inside && each.before === before);
  if (mutant === undefined) throw new Error(`no mutant ${before} in ${inside}`);
  return mutant;
};
const reaches = {
  batchesFor: () => ({ batches: [['test/fixtures/mutants/judge.ts']], left: [] }),
};

describe('the mutation test runner', () => {
  const warm = new WarmVitest();
  afterAll(() => warm.close());
  const tried = (mutant: Mutant, patience = TIMEOUT_MS) =>
    judge(mutant, TEXT, { reaches, warm, patience });

  it('kills detected mutants, keeps undetected ones, and writes no file (TE-M07)', async () => {
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
    const withTiers = (allOnly: string[]) =>
      summary([killed, survivor], [], { wanted: 2, share: 85, allOnly }).lines.at(-1);
    expect(withTiers([])).toBe('1 of them killed by tests of npm test: 50.0 %');
    expect(withTiers(['test/fixtures/mutants/judge.ts'])).toBe(
      '0 of them killed by tests of npm test: 0.0 %',
    );
    const harmless = [{ ...survivor.mutant, why: 'A reason.' }];
    expect(summary([killed, survivor], harmless, { wanted: 2, share: 85 }).isEnough).toBe(true);
  });

  it('runs the tests skipped for time against a survivor, after a first round of all mutants (TE-M11)', async () => {
    const { batches } = reaches.batchesFor();
    const late = ['test/fixtures/mutants/exact.ts'];
    const hurried = { batchesFor: () => ({ batches, left: [late] }) };
    const first = await judge(one('isAdult', '>='), TEXT, {
      reaches: hurried,
      warm,
      patience: TIMEOUT_MS,
    });
    expect(first).toMatchObject({ ended: 'survived', left: [late] });
    const second = await testRemainingMutants(first, TEXT, { warm });
    expect(second).toMatchObject({ ended: 'killed', by: expect.stringContaining('very day') });
    const inVain = await testRemainingMutants({ ...first, left: batches }, TEXT, { warm });
    expect(inVain).toMatchObject({ ended: 'survived', left: [] });
    expect(inVain.by).toBe('1 files of tests reach it, and 1 more');
  });

  it('counts endless mutants separately, and continues in a new process (TE-M08)', async () => {
    await tried(one('isAdult', '>='));
    expect(await tried(one('countDown', '-='), 5_000)).toMatchObject({ ended: 'timed out' });
    expect(await tried(one('countDown', 'left > 0'))).toMatchObject({ ended: 'killed' });
  });

  it('reports the coverage of the requested files, not of earlier ones (TE-M10)', async () => {
    const reachedBy = async (test: string) => {
      const answer = await warm.ask({ reach: [test], files: [] }, TIMEOUT_MS);
      return answer !== undefined && 'files' in answer ? answer.files.map((file) => file.test) : [];
    };
    for (const test of ['test/fixtures/mutants/judge.ts', 'test/rules/people/people.test.ts']) {
      expect(await reachedBy(test)).toEqual([test]);
    }
  });

  it('reports a mutant that no test reaches (TE-M09)', async () => {
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

import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createVitest } from 'vitest/node';
import { tooFewProblem } from '../../build/checks/traps.ts';
import { testsFor } from '../../build/test/changed.ts';
import type { FileReport } from '../../build/test/report.ts';
import { closingLine, nearLimit, overLimit, tierProblems } from '../../build/test/summary.ts';
import {
  QUICK_ONLY_VARIABLE,
  QUICK_SECONDS,
  readTiers,
  type TierLine,
  tierOf,
} from '../../build/test/tiers.ts';
import { place, relative, root } from '../../build/places.ts';

const FILE = 'test/a.test.ts';
const report = (processorSeconds: number): FileReport => ({
  file: FILE,
  seconds: 1,
  processorSeconds,
  tests: [{ name: 'holds', ending: 'passed' }],
  failures: [],
});

describe('the tier of a test file', () => {
  it('is named by the first line, and is quick if the first line names none', () => {
    expect(tierOf(FILE, "import { it } from 'vitest';\n").tier).toBe('quick');
    expect(tierOf(FILE, '// tier: all\nimport …').tier).toBe('all');
    expect(tierOf(FILE, '// tier: all\r\nimport …').tier).toBe('all');
    expect(tierOf(FILE, '// tier: quick, 25 s, because a promise needs it\n…')).toEqual({
      tier: 'quick',
      seconds: 25,
    });
  });

  it.each([
    '// tier: slow\n',
    '// tier: quick, 25 s\n',
    'import …\n// tier: all\n',
    '// tier: all …\n',
  ])('is refused by file name if the line has another form: %j (TE-M12)', (text) => {
    expect(() => tierOf(FILE, text)).toThrow(`${FILE}: the first line must be`);
  });

  it('can be read from every file in the repository', () => {
    const tiers = [...readTiers().values()];
    expect(tiers.length).toBeGreaterThan(500);
    expect(tiers.filter(({ tier }) => tier === 'quick').length).toBeGreaterThan(400);
  });
});

describe('npm test', () => {
  it('runs exactly the quick files, in each of the projects (TE-M15)', async () => {
    vi.stubEnv(QUICK_ONLY_VARIABLE, '1');
    onTestFinished(() => void vi.unstubAllEnvs());
    const config = place('build/test/vitest.config.ts');
    const vitest = await createVitest('test', { root, config, watch: false });
    onTestFinished(() => vitest.close());
    const specifications = await vitest.globTestSpecifications();
    const files = specifications.map(({ moduleId }) => relative(moduleId));
    const quick = [...readTiers()].flatMap(([file, { tier }]) => (tier === 'quick' ? [file] : []));
    expect(files.toSorted()).toEqual(quick.toSorted());
  });
});

describe('the report of a run of the quick tier', () => {
  const limits = (seconds: number) => new Map([[FILE, { tier: 'quick', seconds }] as const]);
  const isOver = (took: number, tiers: ReadonlyMap<string, TierLine>, slowness = 1) =>
    overLimit([report(took)], tiers, slowness).length > 0;

  it('names a quick file that took more processor time than allowed (TE-M13)', () => {
    expect(isOver(QUICK_SECONDS + 1, limits(QUICK_SECONDS))).toBe(true);
    expect(isOver(QUICK_SECONDS - 1, limits(QUICK_SECONDS))).toBe(false);
    expect(isOver(QUICK_SECONDS + 1, limits(25))).toBe(false);
    expect(tierProblems([report(11)], limits(QUICK_SECONDS))).toEqual([
      `failed: ${FILE} took 11.0 s of processor, and a quick file may take ${QUICK_SECONDS}: make it shorter, or begin it with "// tier: all"`,
    ]);
  });

  it('allows a slower computer proportionally more time', () => {
    expect(isOver(19, limits(QUICK_SECONDS), 2)).toBe(false);
    expect(isOver(21, limits(QUICK_SECONDS), 2)).toBe(true);
  });

  it('names a quick file that might exceed its limit on another computer', () => {
    const near = (took: number) => nearLimit([report(took)], limits(10), 1);
    expect(near(8)).toEqual([`${FILE} took 80 % of the processor time that it may take`]);
    expect([...near(7), ...near(11)]).toEqual([]);
  });

  it('names no file of the slow tier, whose time is unlimited', () => {
    expect(isOver(500, new Map([[FILE, { tier: 'all', seconds: Infinity }] as const]))).toBe(false);
  });

  it('reports a failure without a failed test, of a gate or the tier', () => {
    expect(closingLine([report(1)], false)).toBe('1 passed, 1 failed, 0 skipped');
    expect(closingLine([report(1)], true)).toBe('1 passed, 0 failed, 0 skipped');
  });
});

describe('the codes of known traps', () => {
  const covered = (trap: string, tier: 'quick' | 'all') => ({ trap, tier, title: '', file: FILE });

  it('fail the gate if more than five percent of them have no quick test (TE-M14)', () => {
    const quick = Array.from({ length: 19 }, (_, at) => covered(`T1-${at}`, 'quick'));
    expect(tooFewProblem([...quick, covered('T1-99', 'all')])).toBeUndefined();
    expect(tooFewProblem([...quick.slice(1), covered('T1-99', 'all')])).toContain(
      'proves only 18 of 19 codes; give one of these a quick test: T1-99',
    );
    expect(tooFewProblem([covered('T1-99', 'all'), covered('T1-99', 'quick')])).toBeUndefined();
  });
});

describe('the selection of tests for a change', () => {
  const imports = new Map([
    ['test/core/outbox/scan.test.ts', ['electron/core/outbox/scan.ts']],
    ['electron/core/outbox/scan.ts', ['shared/rules/people/names.ts']],
    ['test/core/sync/long.test.ts', ['electron/core/outbox/scan.ts']],
    ['test/cli/outbox/run.test.ts', []],
    ['test/cli/people/people.test.ts', []],
  ]);
  const tiers = new Map([
    ['test/core/outbox/scan.test.ts', 'quick'],
    ['test/core/sync/long.test.ts', 'all'],
    ['test/cli/outbox/run.test.ts', 'quick'],
    ['test/cli/people/people.test.ts', 'quick'],
  ]);
  const reached = (...changed: readonly string[]) => testsFor(changed, { imports, tiers });

  it('includes quick tests that import a changed file through any number of others', () => {
    expect(reached('shared/rules/people/names.ts')).toEqual([
      'test/core/outbox/scan.test.ts',
      // This folder of the command line has the name of the feature.
      'test/cli/people/people.test.ts',
    ]);
  });

  it('includes command-line tests for a changed feature, which they reach through the bundle', () => {
    expect(reached('electron/core/outbox/scan.ts')).toEqual([
      'test/core/outbox/scan.test.ts',
      'test/cli/outbox/run.test.ts',
    ]);
  });

  it('includes a changed test itself, of any tier', () => {
    expect(reached('test/core/sync/long.test.ts')).toEqual(['test/core/sync/long.test.ts']);
    expect(reached('README.md')).toEqual([]);
  });
});

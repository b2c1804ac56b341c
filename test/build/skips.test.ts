import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { conditions, readSkips, SKIPS_DOCUMENT, skipProblems } from '../../build/checks/skips.ts';
import { place, root } from '../../build/places.ts';
import type { Ending, FileReport } from '../../build/test/report.ts';

const FILE = 'test/a.test.ts';
const HEAD = '| File | Test | Runs | Why |\n| --- | --- | --- | --- |\n';

const report = (tests: Record<string, Ending>): FileReport[] => [
  {
    file: FILE,
    seconds: 1,
    processorSeconds: 1,
    tests: Object.entries(tests).map(([name, ending]) => ({ name, ending })),
    failures: [],
  },
];
const problems = (
  row: string,
  tests: Record<string, Ending>,
  { isWhole = true, holds = true as boolean | null } = {},
) => skipProblems(readSkips(HEAD + row), report(tests), { isWhole, holds: () => holds });
const row = (test: string, runs = 'on Linux') =>
  `| \`${FILE}\` | ${test} | ${runs} | A reason. |\n`;

describe('the list of skipped tests', () => {
  it('reports a skipped test that it does not list (TE-S01)', () => {
    expect(problems('', { 'a group > is left out': 'skipped' })).toEqual([
      `skipped, but not in ${SKIPS_DOCUMENT}: ${FILE}: a group > is left out`,
    ]);
    expect(
      problems(row('a group'), { 'a group > is left out': 'skipped' }, { holds: false }),
    ).toEqual([]);
  });

  it('reports an entry that ran or was skipped against its condition (TE-S02)', () => {
    const ran = { 'a group > runs': 'passed' } as const;
    const skipped = { 'a group > runs': 'skipped' } as const;
    expect(problems(row('a group'), ran, { holds: false })).toEqual([
      `ran, though it runs on Linux only: ${FILE}: a group`,
    ]);
    expect(problems(row('a group'), skipped, { holds: true })).toEqual([
      `skipped, though it runs on Linux: ${FILE}: a group`,
    ]);
    expect(problems(row('a group'), ran, { holds: true })).toEqual([]);
  });

  it('accepts either result if only the computer decides, and no unknown condition (TE-S03)', () => {
    const either = row('a group', 'perhaps, as root');
    for (const ending of ['passed', 'skipped'] as const) {
      expect(problems(either, { 'a group > runs': ending }, { holds: null })).toEqual([]);
    }
    expect(
      problems(row('a group', 'at times'), { 'a group > runs': 'passed' }, { holds: null }),
    ).toEqual([`not a condition (at times): ${FILE}: a group`]);
  });

  it('reports an entry whose test is gone, in a run of all files only (TE-S04)', () => {
    expect(problems(row('a group'), { 'another group > runs': 'passed' })).toEqual([
      `in ${SKIPS_DOCUMENT}, but no test any more: ${FILE}: a group`,
    ]);
    expect(
      problems(row('a group'), { 'another group > runs': 'passed' }, { isWhole: false }),
    ).toEqual([]);
  });

  it('matches the full name of a test, not its beginning (TE-S05)', () => {
    const unlisted = { 'a group > is left out (T1-01)': 'skipped' } as const;
    const some = { holds: null };
    const none = problems(row('a group > is left', 'perhaps'), unlisted, some);
    expect(none[0]).toContain('not in test/SKIPS.md');
    expect(problems(row('a group > is … (T1-01)', 'perhaps'), unlisted, some)).toEqual([]);
    expect(problems(row('a group > is … (T1-02)', 'perhaps'), unlisted, some)).toHaveLength(2);
  });

  it('gives for each entry the condition and the reason', () => {
    const text = readFileSync(path.resolve(SKIPS_DOCUMENT), 'utf8');
    const rows = text.split('\n').filter((line) => line.startsWith('| `test/'));
    expect(rows).toHaveLength(readSkips(text).length);
    for (const { runs } of readSkips(text)) {
      expect(conditions.has(runs) || runs.startsWith('perhaps'), runs).toBe(true);
    }
    expect(rows.filter((line) => (line.split(' | ')[3] ?? '').length < 10)).toEqual([]);
  });

  // A run of all tests would also report such a name, but half an hour later.
  it('contains only names that exist in the test files', () => {
    const skips = readSkips(readFileSync(place(SKIPS_DOCUMENT), 'utf8'));
    const sources = new Map(
      globSync('test/**/*.test.ts', { cwd: root }).map((file) => [
        file.replaceAll('\\', '/'),
        readFileSync(place(file), 'utf8'),
      ]),
    );
    const stands = (source: string, name: string): boolean =>
      source.includes(name) || source.includes(`${name.slice(0, name.lastIndexOf(' ') + 1)}%s`);
    const gone = skips.flatMap(({ file, test }) => {
      const names = test.split(/ > |…/).map((name) => name.trim());
      return names.filter((name) => !stands(sources.get(file) ?? '', name));
    });
    expect(gone).toEqual([]);
    const conditional = /\.(?:skipIf|runIf)\(.*\)\(\s*'([^']+)'/g;
    const unlisted = [...sources].flatMap(([file, source]) => {
      const names = [...source.matchAll(conditional)].map(([, name = '']) => name);
      const listed = skips.filter((skip) => skip.file === file);
      const isListed = (name: string) =>
        listed.some(({ test }) => {
          const [last = ''] = test.split(' > ').slice(-1);
          // A group without its own condition is covered by the conditions of its tests.
          return last === name || !names.includes(last);
        });
      return names.filter((name) => !isListed(name)).map((name) => `${file}: ${name}`);
    });
    expect(unlisted).toEqual([]);
  });
});

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { createVitest } from 'vitest/node';
import { createReporter, type RunReport } from '../../build/test/report.ts';
import { root } from '../../build/places.ts';

/**
 * Text of a test file with one test of each result. It is run separately, and skips one of its
 * tests.
 */
const TESTS = `
  import { beforeAll, describe, it } from 'vitest';
  it('passes', () => {});
  it('fails', () => { throw new Error('no'); });
  // Left out on purpose: how a report names such a test is what is asked here.
  it.skip('is left out', () => {});
  it('leaves itself out', ({ skip }) => skip('no'));
  describe('without what it needs', () => {
    beforeAll(() => { throw new Error('no'); });
    it('never begins', () => {});
  });
`;

it('the report of a test run distinguishes a skipped test from one with a failed hook, with both reasons (TE-S06)', async () => {
  const folder = mkdtempSync(path.join(root, 'node_modules/.report-'));
  const to = path.join(folder, 'report.json');
  writeFileSync(path.join(folder, 'one.test.ts'), TESTS);
  try {
    const include = ['*.test.ts'];
    const vitest = await createVitest('test', {
      config: false,
      root: folder,
      watch: false,
      include,
      reporters: [createReporter(to)],
    });
    await vitest.start();
    await vitest.close();
    const report: RunReport = JSON.parse(readFileSync(to, 'utf8'));
    const [file] = report.files;
    expect(file?.file).toBe('one.test.ts');
    expect(file?.seconds).toBeGreaterThan(0);
    expect(file?.tests.map(({ name, ending }) => `${name}: ${ending}`)).toEqual([
      'passes: passed',
      'fails: failed',
      'is left out: skipped',
      'leaves itself out: skipped',
      'without what it needs > never begins: lost',
    ]);
    expect(file?.failures.map(({ name }) => name)).toEqual(['without what it needs', 'fails']);
    expect(file?.failures[1]?.message).toMatch(/^no\n {4}at .*one\.test\.ts:4$/);
  } finally {
    process.exitCode = 0;
    rmSync(folder, { recursive: true });
  }
});

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { findProgram } from '../electron/hosts/find-browser.ts';
import { checkAll } from './check-all.ts';
import { coverageLine } from './coverage-of-apis.ts';
import { compileMessages } from './messages.ts';
import { place, root, tools } from './places.ts';
import { run } from './run.ts';
import { setup } from './test-bundles.ts';

interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

await compileMessages();
// Before the lanes, which would both do it.
await setup();
process.exitCode = await checkAndTest(process.argv.slice(2));

/**
 * Checks, runs Vitest with `filters`, prints the closing line, and gives the exit code. The tests in
 * a browser mostly wait for it, one file after the other; all else keeps the processor busy meanwhile.
 */
async function checkAndTest(filters: readonly string[]): Promise<number> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'signing-desk-test-'));
  try {
    const checked = checkAll();
    const [isChecked, ...ends] = await Promise.all([
      checked,
      runLane(['app'], filters, folder),
      checked.then(() => runLane(['node', 'renderer'], filters, folder)),
    ]);
    const sum = (of: keyof Counts) => ends.reduce((all, end) => all + end[of], 0);
    const isGood = isChecked && ends.every(({ code }) => code === 0);
    // A gate that objects, or a file that cannot be loaded, fails no test, and still nothing may pass.
    const failures = isGood ? sum('failed') : Math.max(sum('failed'), 1);
    if (filters.length === 0) console.log(await coverageLine(root));
    console.log(`${sum('passed')} passed, ${failures} failed, ${sum('skipped')} skipped`);
    return isGood ? 0 : 1;
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function runLane(
  projects: readonly string[],
  filters: readonly string[],
  folder: string,
): Promise<Counts & { readonly code: number }> {
  const report = path.join(folder, `${projects.join('-')}.json`);
  const [program, ...args] = inPrivateSession([
    process.execPath,
    place(tools.vitest),
    ...['run', '--config', place('build/vitest.config.ts'), '--passWithNoTests'],
    // Vitest would leave a core idle, which the browser uses only now and then.
    ...['--maxWorkers', '2'],
    ...projects.flatMap((project) => ['--project', project]),
    ...['--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
    ...filters,
  ]);
  const { code } = await run(program, args, { isShown: true });
  return { code, ...countTests(JSON.parse(await readFile(report, 'utf8'))) };
}

/** Puts a message bus of its own around the tests, so that no test meets the person's keychain. */
function inPrivateSession(command: readonly [string, ...string[]]): readonly [string, ...string[]] {
  const session = findProgram('dbus-run-session');
  return session === undefined ? command : [session, '--', ...command];
}

function countTests(report: Record<string, unknown>): Counts {
  const count = (key: string) => Number(report[key] ?? 0);
  return {
    passed: count('numPassedTests'),
    failed: count('numFailedTests'),
    skipped: count('numPendingTests') + count('numTodoTests'),
  };
}

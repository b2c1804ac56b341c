import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { checkAll } from '../checks/check-all.ts';
import { coverageLine } from '../checks/coverage-of-apis.ts';
import { compileMessages } from '../messages.ts';
import { place, root, tools } from '../places.ts';
import { inPrivateSession } from './private-session.ts';
import { run } from '../run.ts';
import { readSkips, SKIPS, skipProblems } from '../checks/skips.ts';
import { setup } from './bundles.ts';
import { type Ending, type Failure, type FileReport, REPORT_TO, type RunReport } from './report.ts';

/** As many of the slowest files are named as one would look into. */
const SLOWEST = 10;

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
    const files = ends.flatMap((end) => end.files);
    const problems = await problemsOf(files, filters);
    const isGood = isChecked && problems.length === 0 && ends.every(({ code }) => code === 0);
    if (filters.length === 0) console.log(await coverageLine(root));
    console.log(slowest(files).join('\n'));
    console.log([...skipLines(files), ...problems].join('\n'));
    // Last, since a record of a run may keep its end only.
    if (!isChecked) console.log('failed: a check, see its line');
    const strays = ends.flatMap((end) => end.strays);
    console.log([...failureLines(files, strays), closingLine(files, isGood)].join('\n'));
    return isGood ? 0 : 1;
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function runLane(
  projects: readonly string[],
  filters: readonly string[],
  folder: string,
): Promise<RunReport & { readonly code: number }> {
  const report = path.join(folder, `${projects.join('-')}.json`);
  const [program, ...args] = inPrivateSession([
    process.execPath,
    place(tools.vitest),
    ...['run', '--config', place('build/test/vitest.config.ts'), '--passWithNoTests'],
    // Vitest would leave a core idle, which the browser uses only now and then.
    ...['--maxWorkers', '2'],
    ...projects.flatMap((project) => ['--project', project]),
    ...filters,
  ]);
  const { code } = await run(program, args, { isShown: true, env: { [REPORT_TO]: report } });
  const { files, strays }: RunReport = JSON.parse(await readFile(report, 'utf8'));
  return { code, files, strays };
}

/** Skips that the list does not know. Words that are no names of files leave out what they like. */
async function problemsOf(
  files: readonly FileReport[],
  filters: readonly string[],
): Promise<readonly string[]> {
  if (filters.some((filter) => filter.startsWith('-'))) return [];
  const skips = readSkips(await readFile(place(SKIPS), 'utf8'));
  return skipProblems(skips, files, { isWhole: filters.length === 0 });
}

function slowest(files: readonly FileReport[]): string[] {
  const inOrder = files.toSorted((a, b) => b.seconds - a.seconds).slice(0, SLOWEST);
  const lines = inOrder.map(({ file, seconds }) => `${seconds.toFixed(1).padStart(8)} s  ${file}`);
  return lines.length === 0 ? [] : ['the slowest files:', ...lines];
}

function skipLines(files: readonly FileReport[]): string[] {
  return files.flatMap(({ file, tests }) =>
    tests
      .filter(({ ending }) => ending === 'skipped')
      .map(({ name }) => `skipped, see ${SKIPS}: ${file}: ${name}`),
  );
}

function failureLines(files: readonly FileReport[], strays: readonly Failure[]): string[] {
  const line = (place: string) => (failure: Failure) =>
    `failed: ${place}: ${failure.name}\n    ${failure.message}`;
  return [
    ...files.flatMap(({ file, failures }) => failures.map(line(file))),
    ...strays.map(line('outside of any test')),
  ];
}

function closingLine(files: readonly FileReport[], isGood: boolean): string {
  const count = (...endings: readonly Ending[]) =>
    files.flatMap(({ tests }) => tests).filter(({ ending }) => endings.includes(ending)).length;
  const failed = count('failed', 'lost');
  // A gate that objects, or a file that cannot be loaded, fails no test, and still nothing may pass.
  const failures = isGood ? failed : Math.max(failed, 1);
  return `${count('passed')} passed, ${failures} failed, ${count('skipped')} skipped`;
}

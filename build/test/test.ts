/*
 * `npm test` (the quick files), `npm run test:all` (every file) and `npm run test:changed` (the
 * quick files that a change reaches), each with all gates. Words select files by their paths, in
 * every tier; options such as `--shard=1/4` or `-t TITLE` are Vitest's.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { RUN_LENGTH, type RunLength } from '../../test/support/run-length.ts';
import { coverageLine } from '../checks/coverage-of-apis.ts';
import { readSkips, SKIPS_DOCUMENT, skipProblems } from '../checks/skips.ts';
import { compileMessages } from '../messages.ts';
import { place, root, tools } from '../places.ts';
import { run } from '../run.ts';
import { setup } from './bundles.ts';
import { changedTests } from './changed.ts';
import { inPrivateSession } from './private-session.ts';
import { watchSlowness } from './processor-time.ts';
import { type FileReport, REPORT_FILE_VARIABLE, type RunReport } from './report.ts';
import * as summary from './summary.ts';
import { QUICK_ONLY_VARIABLE, readTiers } from './tiers.ts';

interface TestRunRequest {
  readonly isAll: boolean;
  /** Words in the paths of the files to run; null: every file of the tier is run. */
  readonly words: readonly string[] | null;
  readonly options: readonly string[];
}

/** Projects that run in one Vitest, and the number of their files that run at the same time. */
interface TestLane {
  readonly projects: readonly string[];
  readonly workers: number;
}

/**
 * Lanes that run at the same time: tests in a browser mostly wait for the browser. With these
 * numbers of workers, both lanes end at about the same time on two cores, and neither core is idle
 * before the end.
 */
const TEST_LANES: readonly TestLane[] = [
  { projects: ['app'], workers: 2 },
  { projects: ['node', 'renderer'], workers: 3 },
];
/**
 * Priority of the gates: they use only the processor time that the tests leave, because the run
 * lasts as long as the slower of gates and tests.
 */
const GATES_PRIORITY = os.constants.priority.PRIORITY_BELOW_NORMAL;

process.exitCode = await checkAndTest(await readTestRunRequest(process.argv.slice(2)));

async function readTestRunRequest(args: readonly string[]): Promise<TestRunRequest> {
  const own = ['--all', '--changed'];
  const options = args.filter((arg) => arg.startsWith('-') && !own.includes(arg));
  const words = args.filter((arg) => !arg.startsWith('-'));
  if (args.includes('--changed')) {
    const files = await changedTests(words[0]);
    console.log(`the change reaches ${files.length} quick files of tests`);
    return { isAll: false, words: files, options };
  }
  return { isAll: args.includes('--all'), words: words.length === 0 ? null : words, options };
}

/** Runs gates and tests at the same time, prints the closing line and returns the exit code. */
async function checkAndTest(order: TestRunRequest): Promise<number> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'signing-desk-test-'));
  try {
    await compileMessages();
    const checked = runGates();
    // The bundles are made before the lanes start, because each lane would make them.
    await setup();
    const slownessSince = watchSlowness();
    const lanes = order.words?.length === 0 ? [] : TEST_LANES;
    const ends = await Promise.all(lanes.map((lane) => runLane(lane, order, folder)));
    const slowness = slownessSince();
    const isChecked = await checked;
    const files = ends.flatMap((end) => end.files);
    const isWhole = order.words === null && order.options.length === 0;
    const problems = [
      ...(await skipsOf(files, order, isWhole)),
      ...(order.isAll ? [] : await tierProblems(files, slowness, folder)),
    ];
    const isGood = isChecked && problems.length === 0 && ends.every(({ code }) => code === 0);
    if (order.isAll && isWhole) console.log(await coverageLine(root));
    console.log(
      [
        ...summary.slowest(files, slowness),
        ...(order.isAll ? [] : summary.nearLimit(files, readTiers(), slowness)),
        ...summary.skipLines(files),
        ...problems,
      ].join('\n'),
    );
    // Failures are printed last, because a record of a run may keep only the end of the output.
    if (!isChecked) console.log('failed: a gate, see its line');
    const strays = ends.flatMap((end) => end.strays);
    console.log([...summary.failureLines(files, strays)].join('\n'));
    console.log(summary.closingLine(files, isGood));
    return isGood ? 0 : 1;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/**
 * Returns one line for each quick file that takes too much processor time. A worker's servers are
 * counted for the file during which they end, and files that run at the same time slow each other
 * down, so each file over its limit runs once more alone.
 */
async function tierProblems(
  files: readonly FileReport[],
  slowness: number,
  folder: string,
): Promise<readonly string[]> {
  const tiers = readTiers();
  const alone: FileReport[] = [];
  for (const { file } of summary.overLimit(files, tiers, slowness)) {
    console.log(`${file} took more than a quick file may; it runs once more by itself`);
    const again = { isAll: false, words: [file], options: [] };
    const all = { projects: TEST_LANES.flatMap(({ projects }) => projects), workers: 1 };
    const { files: measured } = await runLane(all, again, folder);
    alone.push(...measured);
  }
  return summary.tierProblems(summary.overLimit(alone, tiers, slowness), tiers);
}

/** Runs every gate in a process of lower priority and returns whether all of them passed. */
async function runGates(): Promise<boolean> {
  const child = spawn(process.execPath, [place('build/checks/check.ts')], {
    cwd: root,
    stdio: 'inherit',
  });
  if (child.pid !== undefined) os.setPriority(child.pid, GATES_PRIORITY);
  const [code] = await once(child, 'exit');
  return code === 0;
}

async function runLane(
  { projects, workers }: TestLane,
  { isAll, words, options }: TestRunRequest,
  folder: string,
): Promise<RunReport & { readonly code: number }> {
  const report = path.join(folder, `${projects.join('-')}.json`);
  const [program, ...args] = inPrivateSession([
    process.execPath,
    place(tools.vitest),
    ...['run', '--config', place('build/test/vitest.config.ts'), '--passWithNoTests'],
    ...['--maxWorkers', String(workers)],
    ...projects.flatMap((project) => ['--project', project]),
    ...(words ?? []),
    ...options,
  ]);
  const length: RunLength = isAll ? 'all' : 'short';
  const tier = isAll || words !== null ? {} : { [QUICK_ONLY_VARIABLE]: '1' };
  const env = { [REPORT_FILE_VARIABLE]: report, [RUN_LENGTH]: length, ...tier };
  const { code } = await run(program, args, { isShown: true, env });
  const { files, strays }: RunReport = JSON.parse(await readFile(report, 'utf8'));
  return { code, files, strays };
}

/**
 * Returns the differences between the skipped tests and the list of skips; none if Vitest's own
 * options are used, because any test may then be skipped.
 */
async function skipsOf(
  files: Parameters<typeof skipProblems>[1],
  { isAll, options }: TestRunRequest,
  isWhole: boolean,
): Promise<readonly string[]> {
  if (options.some((option) => !option.startsWith('--shard'))) return [];
  const skips = readSkips(await readFile(place(SKIPS_DOCUMENT), 'utf8'));
  return skipProblems(skips, files, { isWhole: isWhole && isAll });
}

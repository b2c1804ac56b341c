/*
 * A Vitest that stays loaded and tests one mutant after another. It runs in a process of its own,
 * so that an endless mutant can be ended together with the process. It writes no file: Vitest
 * receives the changed text instead of the text of the file.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Plugin } from 'vite';
import { createVitest, type Reporter, type TestCase, type Vitest } from 'vitest/node';
import type { Answer, Order } from './warm.ts';
import { withReachNotes } from './mutators.ts';
import { place, root } from '../places.ts';

/**
 * Time limit of a test in milliseconds, longer than any of these tests needs. With a mutant, a test
 * may wait forever.
 */
const TEST_TIMEOUT_MS = Number(process.env['MUTATE_TIMEOUT'] ?? '20000');
/** Number of timeouts after which no further test runs, because it would probably time out too. */
const MAX_TIMEOUTS = 2;
const TIMEOUT_MESSAGE_PATTERN = /timed out in \d+ ?ms/i;

let swappedFile: { readonly file: string; readonly text: string } | undefined;
const notedFiles = new Set<string>();

let failures: { readonly test: string; readonly isTimeout: boolean }[] = [];

const swapPlugin: Plugin = {
  name: 'mutant',
  enforce: 'pre',
  async load(id) {
    const file = path.relative(root, id.split('?', 1)[0] ?? '').replaceAll(path.sep, '/');
    if (swappedFile?.file === file) return swappedFile.text;
    return notedFiles.has(file)
      ? withReachNotes(file, await readFile(place(file), 'utf8'))
      : undefined;
  },
};

const vitest: Vitest = await createVitest(
  'test',
  {
    config: false,
    root,
    watch: false,
    silent: true,
    isolate: false,
    // Vitest caches compiled files by their text on disk, which a mutant does not change.
    fsModuleCache: false,
    include: ['test/**/*.test.ts'],
    testTimeout: TEST_TIMEOUT_MS,
    hookTimeout: TEST_TIMEOUT_MS,
    teardownTimeout: TEST_TIMEOUT_MS,
    maxWorkers: Number(process.env['MUTATE_WORKERS'] ?? '1'),
    setupFiles: [place('build/mutate/setup.ts')],
    reporters: [reporter()],
  },
  { plugins: [swapPlugin], cacheDir: place('node_modules/.vite'), logLevel: 'error' },
);

process.on(
  'message',
  (order: Order) => void executeOrder(order).then((answer) => process.send?.(answer)),
);
process.once('disconnect', () => process.exit());
process.send?.({ ready: true });

async function executeOrder(order: Order): Promise<Answer> {
  try {
    return 'reach' in order ? await recordReach(order) : await runMutant(order);
  } catch (error) {
    return { error: String(error) };
  }
}

async function recordReach(order: Extract<Order, { reach: unknown }>): Promise<Answer> {
  for (const file of order.files) notedFiles.add(file);
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(
    specifications(order.reach),
  );
  notedFiles.clear();
  for (const file of order.files) vitest.invalidateFile(place(file));
  // Vitest also returns the test files of earlier runs.
  const asked = testModules.filter((module) => order.reach.includes(module.relativeModuleId));
  return {
    files: asked.map((module) => ({
      test: module.relativeModuleId,
      isGood: module.ok() && unhandledErrors.length === 0,
      seconds: (module.diagnostic().collectDuration + module.diagnostic().duration) / 1000,
    })),
  };
}

async function runMutant({
  file,
  text,
  batches,
}: Extract<Order, { file: unknown }>): Promise<Answer> {
  swappedFile = { file, text };
  vitest.invalidateFile(place(file));
  try {
    for (const batch of batches) {
      failures = [];
      const { unhandledErrors } = await vitest.runTestSpecifications(specifications(batch));
      const [killer = failures[0]] = failures.filter(({ isTimeout }) => !isTimeout);
      if (killer !== undefined) {
        return { ended: killer.isTimeout ? 'timed out' : 'killed', by: killer.test };
      }
      if (unhandledErrors.length > 0) return { ended: 'killed', by: String(unhandledErrors[0]) };
    }
    return { ended: 'survived', by: '' };
  } finally {
    swappedFile = undefined;
    vitest.invalidateFile(place(file));
  }
}

function specifications(tests: readonly string[]) {
  return tests.map((test) => vitest.getRootProject().createSpecification(place(test)));
}

function reporter(): Reporter {
  const isEnough = () =>
    failures.some(({ isTimeout }) => !isTimeout) || failures.length >= MAX_TIMEOUTS;
  const note = (test: string, errors: readonly { readonly message?: string }[]) => {
    const isTimeout = errors.every(({ message }) => TIMEOUT_MESSAGE_PATTERN.test(message ?? ''));
    failures.push({ test, isTimeout });
    if (swappedFile !== undefined && isEnough()) void vitest.cancelCurrentRun('test-failure');
  };
  return {
    onTestCaseResult(test: TestCase) {
      const { state, errors } = test.result();
      if (state === 'failed') note(`${test.module.relativeModuleId}: ${test.fullName}`, errors);
    },
    onTestSuiteResult(suite) {
      if (suite.errors().length > 0) note(suite.fullName, suite.errors());
    },
    onTestModuleEnd(module) {
      if (module.errors().length > 0) note(module.relativeModuleId, module.errors());
    },
  };
}

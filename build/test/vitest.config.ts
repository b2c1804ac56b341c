import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';
import { place, root } from '../places.ts';
import { isAtNight, PROPERTY_RUNS } from '../../test/support/run-length.ts';
import { REPORT_FILE_VARIABLE, createReporter } from './report.ts';
import { shippedThreadsPlugin } from './shipped-threads.ts';
import { SlowestFirst } from './slowest-first.ts';
import { filesOfAllOnly, QUICK_ONLY_VARIABLE } from './tiers.ts';

const BUNDLES_SETUP = place('build/test/bundles.ts');
/**
 * Setup of tests without a window. It does not bundle the page, which takes most of the time of
 * bundling.
 */
const HOST_BUNDLES_SETUP = place('build/test/host-bundles.ts');
const MEASURE_SETUP = place('build/test/measure-file.ts');
const APP_TESTS = 'test/{app,program}/**/*.test.ts';
const RENDERER_TESTS = 'test/renderer/**/*.test.ts';

/** Path of the report for the runner; undefined if a user started Vitest directly. */
const reportTo = process.env[REPORT_FILE_VARIABLE];

/**
 * Test files that are not run, listed for each project: Vitest's own `--exclude` does not apply to
 * projects that have a list of their own.
 */
const excludedTestFiles = process.env[QUICK_ONLY_VARIABLE] === undefined ? [] : filesOfAllOnly();

/**
 * Timeout in milliseconds, ten times the longest test on a quiet machine: it only ends hanging
 * tests. `npm run bench` measures speed.
 */
const APP_TIMEOUT = 900_000;
/** At night the number of cases depends on the length of the night, so there is no timeout. */
const hasNoTimeout = isAtNight || process.env[PROPERTY_RUNS] !== undefined;
const NODE_TIMEOUT = hasNoTimeout ? 0 : 600_000;
/**
 * Settings of `expect`. Assertions are required, because a test that asserts nothing cannot fail.
 * Polls wait longer than the page's own waits, but less than a test's timeout, so that a failure
 * names the missing result. Settings at the root would not apply to the projects.
 */
const EXPECT_SETTINGS = { requireAssertions: true, poll: { timeout: 120_000 } };

const svelteRunesPlugin = () => svelte({ configFile: false, compilerOptions: { runes: true } });

export default defineConfig({
  root,
  cacheDir: place('node_modules/.vite'),
  test: {
    // No module keeps state between tests, so modules are not loaded again for each file.
    isolate: false,
    sequence: { sequencer: SlowestFirst },
    reporters: ['default', ...(reportTo === undefined ? [] : [createReporter(reportTo)])],
    projects: [
      {
        plugins: [shippedThreadsPlugin()],
        test: {
          name: 'node',
          globalSetup: HOST_BUNDLES_SETUP,
          include: ['test/**/*.test.ts'],
          setupFiles: [MEASURE_SETUP],
          exclude: [APP_TESTS, RENDERER_TESTS, ...excludedTestFiles],
          testTimeout: NODE_TIMEOUT,
          hookTimeout: NODE_TIMEOUT,
          expect: EXPECT_SETTINGS,
        },
      },
      {
        // Runes work only in Svelte's browser build.
        plugins: [svelteRunesPlugin()],
        resolve: { conditions: ['browser'] },
        test: {
          name: 'renderer',
          // These files replace `window/desk.ts` with other modules, which the modules that import
          // them would keep for the next test file of the same worker.
          isolate: true,
          include: [RENDERER_TESTS],
          exclude: excludedTestFiles,
          setupFiles: [MEASURE_SETUP],
          testTimeout: NODE_TIMEOUT,
          expect: EXPECT_SETTINGS,
        },
      },
      {
        plugins: [shippedThreadsPlugin()],
        test: {
          name: 'app',
          globalSetup: BUNDLES_SETUP,
          include: [APP_TESTS],
          exclude: excludedTestFiles,
          setupFiles: [MEASURE_SETUP],
          testTimeout: APP_TIMEOUT,
          hookTimeout: APP_TIMEOUT,
          expect: EXPECT_SETTINGS,
        },
      },
    ],
  },
});

import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';
import { place, root } from '../places.ts';
import { isAtNight, PROPERTY_RUNS } from '../../test/support/run-length.ts';
import { REPORT_TO, reportsTo } from './report.ts';
import { shippedThreads } from './shipped-threads.ts';
import { SlowestFirst } from './slowest-first.ts';
import { filesOfAllOnly, QUICK_ONLY } from './tiers.ts';

const BUNDLES = place('build/test/bundles.ts');
/**
 * Setup of tests without a window. It does not bundle the page, which takes most of the time of
 * bundling.
 */
const HOST_BUNDLES = place('build/test/host-bundles.ts');
const MEASURE = place('build/test/measure-file.ts');
const APP = 'test/{app,program}/**/*.test.ts';
const RENDERER = 'test/renderer/**/*.test.ts';

/** Path of the report for the runner; undefined if a user started Vitest directly. */
const reportTo = process.env[REPORT_TO];

/**
 * Test files that are not run, listed for each project: Vitest's own `--exclude` does not apply to
 * projects that have a list of their own.
 */
const excludedTestFiles = process.env[QUICK_ONLY] === undefined ? [] : filesOfAllOnly();

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
const EXPECT = { requireAssertions: true, poll: { timeout: 120_000 } };

const runes = () => svelte({ configFile: false, compilerOptions: { runes: true } });

export default defineConfig({
  root,
  cacheDir: place('node_modules/.vite'),
  test: {
    // No module keeps state between tests, so modules are not loaded again for each file.
    isolate: false,
    sequence: { sequencer: SlowestFirst },
    reporters: ['default', ...(reportTo === undefined ? [] : [reportsTo(reportTo)])],
    projects: [
      {
        plugins: [shippedThreads()],
        test: {
          name: 'node',
          globalSetup: HOST_BUNDLES,
          include: ['test/**/*.test.ts'],
          setupFiles: [MEASURE],
          exclude: [APP, RENDERER, ...excludedTestFiles],
          testTimeout: NODE_TIMEOUT,
          hookTimeout: NODE_TIMEOUT,
          expect: EXPECT,
        },
      },
      {
        // Runes work only in Svelte's browser build.
        plugins: [runes()],
        resolve: { conditions: ['browser'] },
        test: {
          name: 'renderer',
          // These files replace `window/desk.ts` with other modules, which the modules that import
          // them would keep for the next test file of the same worker.
          isolate: true,
          include: [RENDERER],
          exclude: excludedTestFiles,
          setupFiles: [MEASURE],
          testTimeout: NODE_TIMEOUT,
          expect: EXPECT,
        },
      },
      {
        plugins: [shippedThreads()],
        test: {
          name: 'app',
          globalSetup: BUNDLES,
          include: [APP],
          exclude: excludedTestFiles,
          setupFiles: [MEASURE],
          testTimeout: APP_TIMEOUT,
          hookTimeout: APP_TIMEOUT,
          expect: EXPECT,
        },
      },
    ],
  },
});

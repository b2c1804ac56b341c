import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';
import { place, root } from '../places.ts';
import { isAtNight, PROPERTY_RUNS } from '../../test/support/run-length.ts';
import { REPORT_TO, reportsTo } from './report.ts';
import { shippedThreads } from './shipped-threads.ts';
import { SlowestFirst } from './slowest-first.ts';
import { filesOfAllOnly, QUICK_ONLY } from './tiers.ts';

const BUNDLES = place('build/test/bundles.ts');
/** Bundling the page takes most of the time, and tests without a window do not need it. */
const HOST_BUNDLES = place('build/test/host-bundles.ts');
const MEASURE = place('build/test/measure-file.ts');
const APP = 'test/{app,program}/**/*.test.ts';
const RENDERER = 'test/renderer/**/*.test.ts';

/** Where the runner asks for what was run; nowhere when Vitest was started by hand. */
const reportTo = process.env[REPORT_TO];

/** Vitest's own `--exclude` reaches no project that has a list of its own. */
const leftOut = process.env[QUICK_ONLY] === undefined ? [] : filesOfAllOnly();

/**
 * These end what hangs, and measure nothing: ten times what the longest takes on a quiet machine.
 * What has to be quick is measured by `npm run bench`.
 */
const APP_TIMEOUT = 900_000;
/** At night there are as many cases as the night is long: nothing ends them but themselves. */
const isEndless = isAtNight || process.env[PROPERTY_RUNS] !== undefined;
const NODE_TIMEOUT = isEndless ? 0 : 600_000;
/**
 * A test that asserts nothing cannot fail. Polls wait longer than the page's own waits and less
 * than a test may take: what did not come about is then named. At the root neither would reach the
 * projects.
 */
const EXPECT = { requireAssertions: true, poll: { timeout: 120_000 } };

const runes = () => svelte({ configFile: false, compilerOptions: { runes: true } });

export default defineConfig({
  root,
  cacheDir: place('node_modules/.vite'),
  test: {
    // No module keeps anything between tests, so that none has to be loaded once for each file.
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
          exclude: [APP, RENDERER, ...leftOut],
          testTimeout: NODE_TIMEOUT,
          hookTimeout: NODE_TIMEOUT,
          expect: EXPECT,
        },
      },
      {
        // Runes work in the browser build of Svelte only.
        plugins: [runes()],
        resolve: { conditions: ['browser'] },
        test: {
          name: 'renderer',
          // These files put other modules in the place of `window/desk.ts`, which what was loaded
          // with them would keep for the next file of the same worker.
          isolate: true,
          include: [RENDERER],
          exclude: leftOut,
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
          exclude: leftOut,
          setupFiles: [MEASURE],
          testTimeout: APP_TIMEOUT,
          hookTimeout: APP_TIMEOUT,
          expect: EXPECT,
        },
      },
    ],
  },
});

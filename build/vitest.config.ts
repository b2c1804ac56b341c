import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';
import { place, root } from './places.ts';
import { REPORT_TO, reportsTo } from './test-report.ts';

const BUNDLES = place('build/test-bundles.ts');
const APP = 'test/{app,program}/**/*.test.ts';
const RENDERER = 'test/renderer/**/*.test.ts';

/** A test that asserts nothing cannot fail; set at the root it would not reach the projects. */
const ASSERTING = { requireAssertions: true };
/** Where the runner asks for what was run; nowhere when Vitest was started by hand. */
const reportTo = process.env[REPORT_TO];

/** A browser start, a first run of the desk and one journey fit well inside. */
const APP_TIMEOUT = 120_000;
/** What a person would still wait for; a busy machine needs more than Vitest's one second. */
const POLL_TIMEOUT = 10_000;
/** Many start the program several times, which takes long on a busy machine. */
const NODE_TIMEOUT = 90_000;

const runes = () => svelte({ configFile: false, compilerOptions: { runes: true } });

export default defineConfig({
  root,
  cacheDir: place('node_modules/.vite'),
  test: {
    // No module keeps anything between tests, so that none has to be loaded once for each file.
    isolate: false,
    reporters: ['default', ...(reportTo === undefined ? [] : [reportsTo(reportTo)])],
    projects: [
      {
        test: {
          name: 'node',
          globalSetup: BUNDLES,
          include: ['test/**/*.test.ts'],
          exclude: [APP, RENDERER],
          testTimeout: NODE_TIMEOUT,
          hookTimeout: NODE_TIMEOUT,
          expect: ASSERTING,
        },
      },
      {
        // Runes work in the browser build of Svelte only.
        plugins: [runes()],
        resolve: { conditions: ['browser'] },
        test: {
          name: 'renderer',
          include: [RENDERER],
          testTimeout: NODE_TIMEOUT,
          expect: ASSERTING,
        },
      },
      {
        test: {
          name: 'app',
          globalSetup: BUNDLES,
          include: [APP],
          // Each file opens its own browser; two at once starve each other of time.
          fileParallelism: false,
          testTimeout: APP_TIMEOUT,
          hookTimeout: APP_TIMEOUT,
          expect: { ...ASSERTING, poll: { timeout: POLL_TIMEOUT } },
        },
      },
    ],
  },
});

import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';
import { place, root } from './places.ts';

const BUNDLES = place('build/test-bundles.ts');
const APP = 'test/{app,program}/**/*.test.ts';
const RENDERER = 'test/renderer/**/*.test.ts';

/**
 * These end what hangs, and measure nothing: ten times what the longest takes on a quiet machine.
 * What has to be quick is measured by `npm run bench`.
 */
const APP_TIMEOUT = 900_000;
const NODE_TIMEOUT = 600_000;
/** Above every wait of the page's own, below a test's: what did not come about is then named. */
const POLL_TIMEOUT = 120_000;
const WAITS = { poll: { timeout: POLL_TIMEOUT } };

const runes = () => svelte({ configFile: false, compilerOptions: { runes: true } });

export default defineConfig({
  root,
  cacheDir: place('node_modules/.vite'),
  test: {
    // No module keeps anything between tests, so that none has to be loaded once for each file.
    isolate: false,
    projects: [
      {
        test: {
          name: 'node',
          globalSetup: BUNDLES,
          include: ['test/**/*.test.ts'],
          exclude: [APP, RENDERER],
          testTimeout: NODE_TIMEOUT,
          hookTimeout: NODE_TIMEOUT,
          expect: WAITS,
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
          expect: WAITS,
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
          expect: WAITS,
        },
      },
    ],
  },
});

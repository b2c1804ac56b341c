import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';
import { place, root } from './places.ts';

const APP = 'test/{app,program}/**/*.test.ts';
const RENDERER = 'test/renderer/**/*.test.ts';

/** A browser start, a first run of the desk and one journey fit well inside. */
const APP_TIMEOUT = 120_000;
const NODE_TIMEOUT = 30_000;

const runes = () => svelte({ configFile: false, compilerOptions: { runes: true } });

export default defineConfig({
  root,
  cacheDir: place('node_modules/.vite'),
  test: {
    projects: [
      {
        test: {
          name: 'node',
          include: ['test/**/*.test.ts'],
          exclude: [APP, RENDERER],
          testTimeout: NODE_TIMEOUT,
          hookTimeout: NODE_TIMEOUT,
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
        },
      },
      {
        test: {
          name: 'app',
          include: [APP],
          // Each file opens its own browser; two at once starve each other of time.
          fileParallelism: false,
          testTimeout: APP_TIMEOUT,
          hookTimeout: APP_TIMEOUT,
        },
      },
    ],
  },
});

import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig, type Plugin } from 'vite';
import { compileGuide, guideFiles } from '../guide/compile.ts';
import { licences } from './licences.ts';
import { compileMessages, messageFiles } from '../messages.ts';
import { pdfAssetsPlugin } from './pdf-assets.ts';
import { phoneDataPlugin } from './phone-data.ts';
import { place } from '../places.ts';

/** Compiles the messages before the page is built, and again when a message changes. */
function messages(): Plugin {
  return {
    name: 'desk:messages',
    async buildStart() {
      for (const file of await messageFiles(place('renderer/messages'))) this.addWatchFile(file);
      await compileMessages();
    },
  };
}

function guide(): Plugin {
  return {
    name: 'desk:guide',
    async buildStart() {
      for (const file of await guideFiles(place('renderer/guide'))) this.addWatchFile(file);
      await compileGuide();
    },
  };
}

/**
 * Bundle of the page in `dist/renderer`, for both window hosts, with files of the same origin only
 * and no inline script or style.
 */
export default defineConfig({
  root: place('renderer'),
  publicDir: false,
  plugins: [
    messages(),
    guide(),
    licences(),
    svelte({ configFile: false, compilerOptions: { runes: true } }),
    pdfAssetsPlugin(),
    phoneDataPlugin(),
  ],
  worker: { format: 'es' },
  build: {
    outDir: place('dist/renderer'),
    emptyOutDir: true,
    target: 'chrome130',
    sourcemap: false,
    // The MIT, ISC and Apache licences require their notices in software that contains their code.
    license: { fileName: 'licences.md' },
    // The page's policy does not allow `data:` scripts, styles or fonts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // Plugin times on a slow computer mean nothing to a user who starts the program.
      checks: { pluginTimings: false },
      output: {
        // A window host serves files one at a time, so the code of the first screen is one file
        // instead of forty.
        codeSplitting: { groups: [{ name: 'first', tags: ['$initial'] }] },
      },
    },
    // The files are read from the local disk, so no download has to stay small.
    chunkSizeWarningLimit: 3000,
  },
});

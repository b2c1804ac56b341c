import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig, type Plugin } from 'vite';
import { compileGuide, guideFiles } from '../guide/compile.ts';
import { licences } from './licences.ts';
import { compileMessages, messageFiles } from '../messages.ts';
import { pdfAssets } from './pdf-assets.ts';
import { phoneData } from './phone-data.ts';
import { place } from '../places.ts';

/** Compiles the messages before the page is built, and again when one of them changes. */
function messages(): Plugin {
  return {
    name: 'desk:messages',
    async buildStart() {
      for (const file of await messageFiles(place('renderer/messages'))) this.addWatchFile(file);
      await compileMessages();
    },
  };
}

/** Compiles the guide in the same way. */
function guide(): Plugin {
  return {
    name: 'desk:guide',
    async buildStart() {
      for (const file of await guideFiles(place('renderer/guide'))) this.addWatchFile(file);
      await compileGuide();
    },
  };
}

/** The page, for both window hosts: `dist/renderer`, same-origin files only, nothing inline. */
export default defineConfig({
  root: place('renderer'),
  publicDir: false,
  plugins: [
    messages(),
    guide(),
    licences(),
    svelte({ configFile: false, compilerOptions: { runes: true } }),
    pdfAssets(),
    phoneData(),
  ],
  worker: { format: 'es' },
  build: {
    outDir: place('dist/renderer'),
    emptyOutDir: true,
    target: 'chrome130',
    sourcemap: false,
    // MIT, ISC and Apache ask that their notices go with what is made of their code.
    license: { fileName: 'licences.md' },
    // The page's policy allows no data: scripts, styles or fonts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // Times of plugins on a slow computer are nothing to a person who starts the program.
      checks: { pluginTimings: false },
      output: {
        // A window host answers each file one by one: the first screen comes in one, not in forty.
        codeSplitting: { groups: [{ name: 'first', tags: ['$initial'] }] },
      },
    },
    // One local file set is read from disk: there is no download to keep small.
    chunkSizeWarningLimit: 3000,
  },
});

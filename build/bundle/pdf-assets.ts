import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Plugin } from 'vite';
import { place } from '../places.ts';

/**
 * Files that pdf.js reads in addition to its scripts while it draws; the rest of the 41 MB of
 * pdf.js is not shipped.
 */
const PDFJS_FILES =
  '{cmaps/*,standard_fonts/*,wasm/*_nowasm_fallback.js,wasm/LICENSE_{JBIG2,OPENJPEG}}';

/** Copies the files of pdf.js to `pdf/` of the page, each with its licence. */
export function pdfAssetsPlugin(): Plugin {
  return {
    name: 'desk:pdf-assets',
    async generateBundle() {
      const folder = place('node_modules/pdfjs-dist');
      for await (const name of glob(PDFJS_FILES, { cwd: folder })) {
        const fileName = `pdf/${name.split(path.sep).join('/')}`;
        this.emitFile({ type: 'asset', fileName, source: await readFile(path.join(folder, name)) });
      }
    },
  };
}

import path from 'node:path';
import { build } from 'vite';

const root = path.resolve(import.meta.dirname, '../..');

/** Packages installed next to a bundle, and not bundled. */
const EXTERNAL = [
  ...['better-sqlite3', 'keytar', 'undici', 'pdf-lib', '@pdf-lib/fontkit', 'pdfjs-dist'],
  ...['subset-font', 'harfbuzzjs', 'papaparse', 'libphonenumber-js', 'playwright'],
  ...['age-encryption', '@scure/bip39', 'tar-stream', 'pg'],
];

const THREADS = {
  'checkpoint-worker': 'electron/adapters/sqlite/open/checkpoint-worker.ts',
  'copies-worker': 'electron/adapters/sqlite/copies/worker.ts',
  'reader-worker': 'electron/adapters/sqlite/reader/worker.ts',
  'part-worker': 'electron/adapters/files/part-worker.ts',
  'backup-worker': 'electron/adapters/backup/worker.ts',
  'rescue-worker': 'electron/adapters/sqlite/rescue/worker.ts',
  'data-copy-worker': 'electron/adapters/sqlite/backup/worker.ts',
};

/**
 * Bundles a child process, which is killed by the tests, into one file in a folder of `test`: a
 * start from sources takes three times as long.
 */
export async function bundleChild(file: string): Promise<string> {
  const name = path.basename(file, '.ts');
  const outDir = path.join(root, 'node_modules/.cache/children', name);
  await build({
    configFile: false,
    logLevel: 'warn',
    root,
    ssr: { noExternal: true, external: EXTERNAL },
    build: {
      outDir,
      emptyOutDir: true,
      minify: false,
      target: 'node24',
      ssr: true,
      rollupOptions: {
        input: {
          [name]: path.join(root, 'test', file),
          // The worker files of the program are next to the bundle.
          ...Object.fromEntries(
            Object.entries(THREADS).map(([thread, source]) => [thread, path.join(root, source)]),
          ),
        },
        output: { entryFileNames: '[name].mjs' },
      },
    },
  });
  return path.join(outDir, `${name}.mjs`);
}

import path from 'node:path';
import { build } from 'vite';

const root = path.resolve(import.meta.dirname, '../..');

/** What is installed beside a bundle, and not read into it. */
const EXTERNAL = [
  ...['better-sqlite3', 'keytar', 'undici', 'pdf-lib', '@pdf-lib/fontkit', 'pdfjs-dist'],
  ...['read-excel-file', 'write-excel-file', 'papaparse', 'libphonenumber-js', 'playwright-core'],
];

/** One file of the program that is killed: a start of its sources takes three times as long. */
export async function bundleChild(name: 'desk' | 'signer' = 'desk'): Promise<string> {
  const outDir = path.join(root, 'node_modules/.cache/delivery', name);
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
          [name]: path.join(root, `test/delivery/children/${name}.ts`),
          // The thread that the program starts lies beside it.
          'checkpoint-worker': path.join(
            root,
            'electron/adapters/sqlite/open/checkpoint-worker.ts',
          ),
        },
        output: { entryFileNames: '[name].mjs' },
      },
    },
  });
  return path.join(outDir, `${name}.mjs`);
}

import { glob, stat } from 'node:fs/promises';
import path from 'node:path';
import { build, type InlineConfig, mergeConfig } from 'vite';
import { phoneDataPlugin } from './phone-data.ts';
import { unneededPackages, unbundledPackages } from '../package/shipped.ts';
import { place, root } from '../places.ts';

interface BundlePart {
  /** Path of the file that is written last; its age is the age of the part. */
  readonly output: string;
  readonly inputs: string;
  readonly configs: readonly InlineConfig[];
}

/** Threads of the program: each is a file of its own, in the folder of its task. */
const workers: ReadonlyMap<string, string> = new Map([
  ['sheet-worker', 'electron/adapters/sheets/worker/worker.ts'],
  ['card-worker', 'electron/adapters/cards/worker.ts'],
  ['document-worker', 'electron/adapters/documents/worker.ts'],
  ['pdf-worker', 'electron/adapters/pdf/worker.ts'],
  ['part-worker', 'electron/adapters/files/part-worker.ts'],
  ['backup-worker', 'electron/adapters/backup/worker.ts'],
  ['data-copy-worker', 'electron/adapters/sqlite/backup/worker.ts'],
  ['space-worker', 'electron/adapters/sqlite/space/worker.ts'],
  ['rescue-worker', 'electron/adapters/sqlite/rescue/worker.ts'],
  ['checkpoint-worker', 'electron/adapters/sqlite/open/checkpoint-worker.ts'],
  ['copies-worker', 'electron/adapters/sqlite/copies/worker.ts'],
  ['reader-worker', 'electron/adapters/sqlite/reader/worker.ts'],
]);

/** Bundle of the page, for both window hosts. */
export const page: BundlePart = {
  output: 'dist/renderer/index.html',
  inputs: '{renderer,shared,build}/**/*.{ts,svelte,css,html,json,md,svg,webp}',
  configs: [{ configFile: place('build/bundle/vite.config.ts'), logLevel: 'warn' }],
};

export const hosts: BundlePart = {
  output: 'dist/electron/electron-preload.cjs',
  inputs: '{electron,shared,build}/**/*.ts',
  configs: [
    hostConfig(['electron-main', 'cli-main', ...workers.keys()], 'es'),
    // A sandboxed preload is loaded as one CommonJS file.
    hostConfig(['electron-preload'], 'cjs'),
  ],
};

/**
 * Bundles `parts` into `dist` or another folder. Bundles for tests are the same as shipped ones.
 */
export async function bundle(parts: readonly BundlePart[], into = place('dist')): Promise<void> {
  const mode = process.env['NODE_ENV'];
  process.env['NODE_ENV'] = 'production';
  try {
    for (const { output, configs } of parts) {
      const outDir = path.join(into, path.basename(path.dirname(output)));
      for (const config of configs) await build(mergeConfig(config, { build: { outDir } }));
    }
  } finally {
    if (mode === undefined) delete process.env['NODE_ENV'];
    else process.env['NODE_ENV'] = mode;
  }
}

/**
 * Bundles the parts that are older than one of their source files. `beforeFirst` is called before
 * the first of them is bundled.
 */
export async function bundleStale(
  parts: readonly BundlePart[],
  beforeFirst = (): void => {},
): Promise<void> {
  let isFirst = true;
  for (const part of parts) {
    if (!(await isStale(part))) continue;
    if (isFirst) beforeFirst();
    isFirst = false;
    await bundle([part]);
  }
}

async function isStale({ output, inputs }: BundlePart): Promise<boolean> {
  const made = await stat(place(output)).catch(() => undefined);
  if (made === undefined) return true;
  for await (const file of glob(inputs, { cwd: root, exclude: ['renderer/generated/**'] })) {
    if ((await stat(path.join(root, file))).mtimeMs > made.mtimeMs) return true;
  }
  return false;
}

/**
 * Returns the source file of an output: the file of a thread is in the table `workers`; the source
 * of `HOST-FILE` is in the folder of the host.
 */
function sourceOf(name: string): string {
  return workers.get(name) ?? `electron/hosts/${name.replace('-', '/')}.ts`;
}

function hostConfig(names: readonly string[], format: 'es' | 'cjs'): InlineConfig {
  const extension = format === 'es' ? 'mjs' : 'cjs';
  return {
    configFile: false,
    root,
    publicDir: false,
    plugins: [phoneDataPlugin()],
    logLevel: 'warn',
    ssr: { noExternal: true, external: ['electron', ...unbundledPackages, ...unneededPackages] },
    build: {
      ssr: true,
      emptyOutDir: format === 'es',
      target: 'node24',
      minify: false,
      sourcemap: false,
      ...(format === 'es' && { license: { fileName: 'licences.md' } }),
      rolldownOptions: {
        checks: { pluginTimings: false },
        input: Object.fromEntries(names.map((name) => [name, place(sourceOf(name))])),
        output: {
          format,
          entryFileNames: `[name].${extension}`,
          chunkFileNames: `[name]-[hash].${extension}`,
        },
      },
    },
  };
}

if (import.meta.main) await bundle([page, hosts]);

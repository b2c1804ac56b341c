import path from 'node:path';

export const root = path.resolve(import.meta.dirname, '..');

export function place(...parts: readonly string[]): string {
  return path.join(root, ...parts);
}

/** Returns the repository path of a file, with `/` on every system. */
export function relative(file: string): string {
  return path.relative(root, path.resolve(file)).split(path.sep).join('/');
}

/** JavaScript files of development tools, relative to the root, which this Node runs. */
export const tools = {
  tsc: 'node_modules/@typescript/native/bin/tsc',
  eslint: 'node_modules/eslint/bin/eslint.js',
  oxlint: 'node_modules/oxlint/bin/oxlint',
  oxfmt: 'node_modules/oxfmt/bin/oxfmt',
  svelteCheck: 'node_modules/svelte-check/bin/svelte-check',
  knip: 'node_modules/knip/bin/knip.js',
  vitest: 'node_modules/vitest/vitest.mjs',
  electronBuilder: 'node_modules/electron-builder/cli.js',
  installElectron: 'node_modules/electron/install.js',
} as const;

import { createHash } from 'node:crypto';
import { glob, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

const GATE_CACHE_FOLDER = 'node_modules/.cache/gates';
const EXCLUDED_PATHS = [
  ...['.git', 'node_modules', 'dist', 'out', '.svelte-check', 'renderer/generated'],
  ...['.git/**', 'node_modules/**', 'dist/**', 'out/**', '.svelte-check/**'],
  'renderer/generated/**',
];
/** Files that every gate depends on: the tools, their settings and the gates themselves. */
const TOOL_FILE_PATTERN = /^(?:build\/|package(?:-lock)?\.json$|tsconfig\.json$|\.[^/]+$)/;

/** The files of the tree at `root` with their hashes, by repository path. */
export type FileHashes = ReadonlyMap<string, string>;

/** Reads every file that a gate may read, and npm's own list of the installed packages. */
export async function computeFileHashes(root: string): Promise<FileHashes> {
  const prints = new Map<string, string>();
  for await (const entry of glob(['**/*', '.*', '.github/**/*'], {
    cwd: root,
    exclude: EXCLUDED_PATHS,
    withFileTypes: true,
  })) {
    if (!entry.isFile()) continue;
    const file = path.relative(root, path.join(entry.parentPath, entry.name));
    prints.set(file.split(path.sep).join('/'), await hashOf(path.join(root, file)));
  }
  const installed = 'node_modules/.package-lock.json';
  prints.set('package.json installed', await hashOf(path.join(root, installed)).catch(() => ''));
  return prints;
}

/** Returns one hash of the tools and of all files that begin with one of `folders`. */
export function gateInputHash(prints: FileHashes, folders: readonly string[]): string {
  const hash = createHash('sha256').update(process.version);
  const read = [...prints].filter(
    ([file]) => TOOL_FILE_PATTERN.test(file) || folders.some((folder) => file.startsWith(folder)),
  );
  for (const [file, print] of read.toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    hash.update(`${file}\n${print}\n`);
  }
  return hash.digest('hex');
}

export async function isGatePassed(root: string, gate: string, print: string): Promise<boolean> {
  return (await readFile(gateRecordFileOf(root, gate), 'utf8').catch(() => '')) === print;
}

export async function keep(root: string, gate: string, print: string): Promise<void> {
  await mkdir(path.join(root, GATE_CACHE_FOLDER), { recursive: true });
  await writeFile(gateRecordFileOf(root, gate), print);
}

/** Removes the records of all passed gates, so that every gate runs again. */
export async function forget(root: string): Promise<void> {
  await rm(path.join(root, GATE_CACHE_FOLDER), { recursive: true, force: true });
}

function gateRecordFileOf(root: string, gate: string): string {
  return path.join(root, GATE_CACHE_FOLDER, gate.replaceAll(/[^a-z]+/g, '-'));
}

async function hashOf(file: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(file))
    .digest('hex');
}

import { glob, readFile } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import path from 'node:path';
import ts from 'typescript';
import {
  unneededPackages,
  nativePackages,
  unbundledPackages,
  shippedFiles,
  type Target,
} from './shipped.ts';

/** The only bundled files that may use Electron's API. */
const ELECTRON_FILES = ['electron-main.mjs', 'electron-preload.cjs'];
const NODE_MODULE_NAMES = new Set(builtinModules.flatMap((name) => [name, `node:${name}`]));
const INLINE_CODE_PATTERN = /<script(?![^>]*\bsrc=)[^>]*>|<style\b|\son[a-z]+=/i;
/** Pattern of the file name of a thread, in the code that starts the thread. */
const THREAD_FILE_PATTERN = /["'`]\.\/([\w-]+-worker\.mjs)["'`]/g;
const REFERENCE_PATTERN = /\b(?:src|href)="([^"]+)"/g;

/**
 * Returns one sentence for each problem of the staged program at `app`; an empty list if the
 * program may be packaged. `workspace` is the path of the tree from which it was made, which must
 * not occur in its files.
 */
export async function bundleProblems(
  app: string,
  target: Target,
  workspace: string,
): Promise<string[]> {
  const files = await listFiles(app);
  const problems = [...missingFiles(files, target), ...strayFiles(files)];
  for (const file of files.filter((name) => /^dist\/.*\.(?:mjs|cjs|js|css|html)$/.test(name))) {
    const text = await readFile(path.join(app, file), 'utf8');
    problems.push(...textProblems(file, text, workspace));
    if (file.startsWith('dist/electron/')) {
      problems.push(...importProblems(file, text), ...threadProblems(file, text, files));
    }
    if (file.endsWith('.html')) problems.push(...pageProblems(file, text, files));
  }
  return problems;
}

async function listFiles(app: string): Promise<string[]> {
  const files: string[] = [];
  for await (const entry of glob('**/*', { cwd: app, withFileTypes: true })) {
    if (entry.isDirectory()) continue;
    const file = path.relative(app, path.join(entry.parentPath, entry.name));
    files.push(file.split(path.sep).join('/'));
  }
  return files;
}

function missingFiles(files: readonly string[], target: Target): string[] {
  const needed = [
    'package.json',
    'dist/renderer/index.html',
    'dist/renderer/licences.md',
    'dist/renderer/licences.json',
    'dist/electron/licences.md',
    'dist/electron/electron-main.mjs',
    'dist/electron/electron-preload.cjs',
    'dist/electron/cli-main.mjs',
    ...shippedFiles(target).map((name) => `node_modules/${name}`),
  ];
  const missing = needed.filter((name) => !files.some((file) => isWithin(file, name)));
  // Each native package has one compiled file for the target, and none for other systems.
  const compiled = files.filter((file) => file.endsWith('.node')).length;
  const count =
    compiled === nativePackages.length
      ? []
      : [`${compiled} compiled files, not ${nativePackages.length}`];
  return [...missing.map((name) => `${name} is missing`), ...count];
}

function strayFiles(files: readonly string[]): string[] {
  return files
    .filter((file) => file.endsWith('.map') || (file.endsWith('.ts') && !file.endsWith('.d.ts')))
    .map((file) => `${file} does not belong in the program`);
}

function textProblems(file: string, text: string, workspace: string): string[] {
  return [
    ...(text.includes(workspace) ? [`${file} names the folder it was made in`] : []),
    ...(text.includes('sourceMappingURL=') ? [`${file} names a source map`] : []),
  ];
}

function importProblems(file: string, text: string): string[] {
  const name = path.posix.basename(file);
  const targets = ts.preProcessFile(text, true, true).importedFiles.map((item) => item.fileName);
  const foreign = targets.filter(
    (target) => !target.startsWith('.') && !NODE_MODULE_NAMES.has(target),
  );
  const known = [...unbundledPackages, ...unneededPackages];
  const allowed = ELECTRON_FILES.includes(name) ? ['electron', ...known] : known;
  return [
    ...foreign
      .filter((target) => !allowed.includes(target))
      .map((target) => `${file} imports ${target}, which is not in the program`),
    ...(name === 'electron-preload.cjs'
      ? targets
          .filter((target) => target !== 'electron')
          .map((target) => `${file} imports ${target}`)
      : []),
  ];
}

/**
 * Returns one sentence for each missing file of a thread. Bundling copies the name of the file
 * unchanged, so only this check notices that the file is missing.
 */
function threadProblems(file: string, text: string, files: readonly string[]): string[] {
  const folder = path.posix.dirname(file);
  return [...text.matchAll(THREAD_FILE_PATTERN)]
    .map((match) => match[1] ?? '')
    .filter((name) => !files.includes(path.posix.join(folder, name)))
    .map((name) => `${file} starts ${name}, which is not in the program`);
}

function pageProblems(file: string, text: string, files: readonly string[]): string[] {
  const folder = path.posix.dirname(file);
  const references = [...text.matchAll(REFERENCE_PATTERN)].map((match) => match[1] ?? '');
  return [
    ...(INLINE_CODE_PATTERN.test(text) ? [`${file} has an inline script or style`] : []),
    ...references
      .filter((reference) => !files.includes(path.posix.join(folder, reference)))
      .map((reference) => `${file} asks for ${reference}, which is not in the program`),
  ];
}

function isWithin(file: string, name: string): boolean {
  return file === name || file.startsWith(`${name}/`);
}

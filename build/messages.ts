import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { compile } from '@inlang/paraglide-js';
import { place } from './places.ts';

const INLANG_SETTINGS_FILE = 'project.inlang/settings.json';
const MESSAGES_RUNTIME_FILE = 'runtime.js';
/**
 * Compiles `renderer/messages/*.json` into typed functions under `renderer/generated/messages`.
 * Does nothing if the output is newer than every message file, so that every tool that needs the
 * messages can call this function.
 */
export async function compileMessages(base: string = place('renderer')): Promise<void> {
  const source = path.join(base, 'messages');
  const outdir = path.join(base, 'generated/messages');
  const inputs = await messageFiles(source);
  const made = await modifiedAt(path.join(outdir, MESSAGES_RUNTIME_FILE));
  const changed = await Promise.all(
    [path.join(source, INLANG_SETTINGS_FILE), ...inputs].map(modifiedAt),
  );
  if (changed.every((at) => at < made)) return;
  await compile({
    project: path.join(source, path.dirname(INLANG_SETTINGS_FILE)),
    outdir,
    strategy: ['globalVariable', 'baseLocale'],
    outputStructure: 'locale-modules',
    emitGitIgnore: false,
    emitPrettierIgnore: false,
    emitReadme: false,
  });
  await removeEditorFiles(path.join(source, path.dirname(INLANG_SETTINGS_FILE)));
}

/** Returns the absolute paths of the message files of `folder`, one for each language. */
export async function messageFiles(folder: string): Promise<string[]> {
  const names = await readdir(folder);
  return names.filter((name) => name.endsWith('.json')).map((name) => path.join(folder, name));
}

async function modifiedAt(file: string): Promise<number> {
  const found = await stat(file).catch(() => undefined);
  return found?.mtimeMs ?? 0;
}

async function removeEditorFiles(folder: string): Promise<void> {
  for (const name of ['README.md', '.gitignore', '.meta.json']) {
    await rm(path.join(folder, name), { force: true });
  }
}

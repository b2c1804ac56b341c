import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

export type Rule = (...given: unknown[]) => unknown;

/**
 * Returns every function exported by `shared/rules`, by file path and name, because several
 * functions share a file name.
 */
export async function exportedRules(): Promise<ReadonlyMap<string, Rule>> {
  const folder = path.resolve(import.meta.dirname, '../../shared/rules');
  const found = new Map<string, Rule>();
  const files = await readdir(folder, { recursive: true });
  for (const file of files.filter((name) => name.endsWith('.ts')).sort()) {
    const module: unknown = await import(pathToFileURL(path.join(folder, file)).href);
    const place = file.slice(0, -'.ts'.length).split(path.sep).join('/');
    for (const [name, value] of Object.entries(module as object)) {
      if (typeof value !== 'function') continue;
      found.set(`${place}.${name}`, value as Rule);
    }
  }
  return found;
}

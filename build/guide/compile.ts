import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { place } from '../places.ts';
import { readGuide } from './read.ts';

/** Folder of the guide's pictures, next to the folders of the languages. */
export const PICTURES = 'pictures';

/** Writes the guide under `base` as the page reads it: `generated/guide/<language>.json`. */
export async function compileGuide(base: string = place('renderer')): Promise<void> {
  const outdir = path.join(base, 'generated/guide');
  await mkdir(outdir, { recursive: true });
  for (const language of await guideLanguages(path.join(base, 'guide'))) {
    const made = path.join(outdir, `${language}.json`);
    const text = JSON.stringify(await readGuide(path.join(base, 'guide', language)));
    // An unchanged file is not written, so that watchers of it do not run.
    if (text !== (await readFile(made, 'utf8').catch(() => ''))) await writeFile(made, text);
  }
}

export async function guideLanguages(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory() && entry.name !== PICTURES)
    .map(({ name }) => name)
    .toSorted();
}

/** Returns the absolute paths of the Markdown files of all languages. */
export async function guideFiles(folder: string): Promise<string[]> {
  const languages = await guideLanguages(folder);
  const lists = await Promise.all(languages.map((name) => readdir(path.join(folder, name))));
  return lists.flatMap((names, at) =>
    names
      .filter((name) => name.endsWith('.md'))
      .map((name) => path.join(folder, languages[at] ?? '', name)),
  );
}

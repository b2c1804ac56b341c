import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';
import ts from 'typescript';

/** A source file: its repository path with `/`, its text, and its imports. */
export interface SourceFile {
  readonly file: string;
  readonly text: string;
  /** Repository paths of our own files; packages and `node:` modules as they are written. */
  readonly imports: readonly string[];
}

const SOURCE_FILES = '{shared,electron,renderer,build,test}/**/*.{ts,js,svelte,css}';
const GENERATED_PATHS = ['renderer/generated', 'renderer/generated/**', '**/node_modules/**'];
const SCRIPT_PATTERN = /<script[^>]*>([\s\S]*?)<\/script>/g;

/** Reads every source file under `root` with its imports, including types and dynamic imports. */
export async function readSources(root: string): Promise<SourceFile[]> {
  const files: SourceFile[] = [];
  for await (const name of glob(SOURCE_FILES, { cwd: root, exclude: GENERATED_PATHS })) {
    const file = name.split(path.sep).join('/');
    const text = await readFile(path.join(root, name), 'utf8');
    files.push({ file, text, imports: importsOf(file, text) });
  }
  return files.toSorted((a, b) => a.file.localeCompare(b.file));
}

/**
 * Returns one import cycle among `sources` as the list of its files, or `undefined` if there is
 * none.
 */
export function findCycle(sources: readonly SourceFile[]): readonly string[] | undefined {
  const graph = new Map(sources.map(({ file, imports }) => [file, imports]));
  const done = new Set<string>();
  const visit = (file: string, trail: readonly string[]): readonly string[] | undefined => {
    if (trail.includes(file)) return [...trail.slice(trail.indexOf(file)), file];
    if (done.has(file)) return undefined;
    for (const next of graph.get(file) ?? []) {
      const cycle = visit(next, [...trail, file]);
      if (cycle !== undefined) return cycle;
    }
    done.add(file);
    return undefined;
  };
  for (const { file } of sources) {
    const cycle = visit(file, []);
    if (cycle !== undefined) return cycle;
  }
  return undefined;
}

/**
 * Returns one import cycle among the feature folders of `folder`, as one import for each step, or
 * `undefined` if there is none. A feature folder is a subfolder of `folder` with everything in it,
 * or a file next to the subfolders. The files in `ignored` are ignored.
 */
export function findFeatureCycle(
  sources: readonly SourceFile[],
  { folder, ignored }: { readonly folder: string; readonly ignored: readonly string[] },
): readonly string[] | undefined {
  const inside = (file: string) => file.startsWith(`${folder}/`) && !ignored.includes(file);
  const featureOf = (file: string) => file.split('/', folder.split('/').length + 1).join('/');
  const features = new Map<string, Map<string, string>>();
  for (const { file, imports } of sources.filter((source) => inside(source.file))) {
    const imported = features.get(featureOf(file)) ?? new Map<string, string>();
    features.set(featureOf(file), imported);
    for (const target of imports.filter(inside)) {
      if (featureOf(target) !== featureOf(file))
        imported.set(featureOf(target), `${file} → ${target}`);
    }
  }
  const cycle = findCycle(
    [...features].map(([file, imported]) => ({ file, text: '', imports: [...imported.keys()] })),
  );
  return cycle?.slice(1).map((to, at) => features.get(cycle[at] ?? '')?.get(to) ?? to);
}

function importsOf(file: string, text: string): string[] {
  if (file.endsWith('.css')) return [];
  const code = file.endsWith('.svelte') ? scriptsOf(text) : text;
  return ts.preProcessFile(code, true, true).importedFiles.map(({ fileName }) => {
    if (!fileName.startsWith('.')) return fileName;
    return path.posix.join(path.posix.dirname(file), fileName.split('?', 1)[0] ?? '');
  });
}

function scriptsOf(markup: string): string {
  return [...markup.matchAll(SCRIPT_PATTERN)].map((match) => match[1]).join('\n');
}

import path from 'node:path';
import { barrels, emptyNames, layers, validateImport, limits, tables } from './fences.js';
import { findCycle, findFeatureCycle, readSources, type SourceFile } from './import-graph.ts';

const MODULE_NAME_PATTERN =
  /^[a-z0-9]+(?:-[a-z0-9]+)*(?:\.(?:svelte|test|bench|config|d))?\.(?:ts|js)$/;
const COMPONENT_NAME_PATTERN = /^[A-Z][A-Za-z0-9]*\.svelte$/;
const STYLE_NAME_PATTERN = /^[a-z0-9-]+\.css$/;
const RE_EXPORT_PATTERN = /^export\s+(?:type\s+)?(?:\*|\{[^}]*\})[^;]*from\s+'[^']+';$/;
const COMMENT_PATTERN = /\/\*[\s\S]*?\*\/|\/\/.*/g;
const COLOUR_PATTERN =
  /#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})\b(?=[^{]*[;}])|\b(?:rgb|hsl|oklch|lab)a?\(/i;
const STYLE_ELEMENT_PATTERN = /<style[^>]*>([\s\S]*?)<\/style>/;
const TOKENS_FILE = 'renderer/ui/tokens.css';

/**
 * Returns one sentence for each violation of the tree's rules under `root`; an empty list if there
 * is none.
 */
export async function treeProblems(root: string): Promise<string[]> {
  const sources = await readSources(root);
  const cycle = findCycle(sources);
  return [
    ...sources.flatMap(importProblems),
    ...sources.flatMap(fileProblems),
    ...(cycle === undefined ? [] : [`import cycle: ${cycle.join(' → ')}`]),
    ...layers.flatMap((layer) => {
      const cycleOfFeatures = findFeatureCycle(sources, layer);
      return cycleOfFeatures === undefined
        ? []
        : [`feature folders import each other: ${cycleOfFeatures.join(', ')}`];
    }),
  ];
}

/** Returns the problems of one file's name, size and content, without its imports. */
export function fileProblems({ file, text }: SourceFile): string[] {
  return [
    nameProblem(file),
    sizeProblem(file, text),
    barrelProblem(file, text),
    colourProblem(file, text),
  ]
    .filter((problem) => problem !== undefined)
    .map((problem) => `${file} ${problem}`);
}

function importProblems({ file, imports }: SourceFile): string[] {
  return imports
    .map((target) => validateImport(file, target))
    .filter((problem) => problem !== undefined);
}

function nameProblem(file: string): string | undefined {
  const name = path.posix.basename(file);
  const rule = [MODULE_NAME_PATTERN, COMPONENT_NAME_PATTERN, STYLE_NAME_PATTERN].some((pattern) =>
    pattern.test(name),
  );
  if (!rule) return 'is named neither kebab-case.ts nor PascalCase.svelte';
  const lastWord = name.split('.', 1)[0]?.split('-').at(-1) ?? '';
  if (emptyNames.includes(lastWord)) return `is named after nothing inside it ("${lastWord}")`;
  return undefined;
}

function sizeProblem(file: string, text: string): string | undefined {
  const limit = new Map(Object.entries(limits)).get(path.posix.extname(file));
  const lines = text.trimEnd().split('\n').length;
  if (limit === undefined || lines <= limit || tables.includes(file)) return undefined;
  return `has ${lines} lines, more than ${limit}`;
}

function barrelProblem(file: string, text: string): string | undefined {
  if (barrels.includes(file) || !file.endsWith('.ts')) return undefined;
  const statements = text
    .replace(COMMENT_PATTERN, '')
    .replaceAll(/\s+/g, ' ')
    .split(/(?<=;)/);
  const meant = statements.map((statement) => statement.trim()).filter((line) => line !== '');
  if (meant.length === 0 || !meant.every((line) => RE_EXPORT_PATTERN.test(line))) return undefined;
  return 'is a barrel: import each thing from where it is made';
}

function colourProblem(file: string, text: string): string | undefined {
  if (file === TOKENS_FILE || !/\.(?:svelte|css)$/.test(file)) return undefined;
  const styles = file.endsWith('.css') ? text : (STYLE_ELEMENT_PATTERN.exec(text)?.[1] ?? '');
  const colour = COLOUR_PATTERN.exec(styles.replace(COMMENT_PATTERN, ''));
  if (colour === null) return undefined;
  return `names a colour (${colour[0]}); colours come from ${TOKENS_FILE}`;
}

import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';
import { createSeeded } from '../../test/support/seeded.ts';
import { changesCompiledCode, type Mutant, mutantsOf } from './mutators.ts';
import { readTable } from '../table.ts';

/** Path of the list of mutants that have no effect, with reasons. */
export const MUTANTS = 'test/MUTANTS.md';

/**
 * Files with code that sends, signs, proves, stores and reads, where a fault harms users most.
 * Shipped migrations are excluded because they never change, and worker threads because they load
 * their modules without Vitest.
 */
const MUTATED_FILES = [
  'electron/core/{outbox,actions,evidence,signing,archive,sync,bytes}/*.ts',
  'electron/core/{office,reminders,intake,people,batches}/**/*.ts',
  'electron/adapters/office/**/*.ts',
  'electron/adapters/files/*.ts',
  'electron/adapters/sqlite/**/*.ts',
];
const EXCLUDED_FILES = [
  'electron/adapters/{sqlite,office}/migrations/**',
  'electron/adapters/files/part-worker.ts',
  'electron/adapters/sqlite/open/checkpoint-worker.ts',
  'electron/adapters/sqlite/copies/worker.ts',
  'electron/adapters/sqlite/reader/worker.ts',
];

/** Texts of source files by their repository path. */
export type Texts = ReadonlyMap<string, string>;

export interface HarmlessMutant {
  readonly file: string;
  readonly inside: string;
  readonly before: string;
  readonly after: string;
  readonly why: string;
}

export async function readAreas(root: string): Promise<Texts> {
  const texts = new Map<string, string>();
  for await (const name of glob(MUTATED_FILES, { cwd: root, exclude: EXCLUDED_FILES })) {
    const file = name.split(path.sep).join('/');
    texts.set(file, await readFile(path.join(root, name), 'utf8'));
  }
  return new Map([...texts].toSorted(([a], [b]) => a.localeCompare(b)));
}

export function mutantsIn(texts: Texts): Mutant[] {
  return [...texts].flatMap(([file, text]) => mutantsOf(file, text));
}

/**
 * Returns a sample of `mutants`, which is the same for the same seed. Mutants that do not change
 * the compiled code are skipped.
 */
export function sample(
  mutants: readonly Mutant[],
  texts: Texts,
  { seed, count }: { readonly seed: number; readonly count: number },
): Mutant[] {
  const chance = createSeeded(seed);
  const left = [...mutants];
  const taken: Mutant[] = [];
  while (taken.length < count && left.length > 0) {
    const [mutant] = left.splice(chance.whole(0, left.length - 1), 1);
    if (mutant !== undefined && changesCompiledCode(texts.get(mutant.file) ?? '', mutant))
      taken.push(mutant);
  }
  return taken;
}

/**
 * Returns the lines of each file that are added or changed in the output of `git diff --unified=0`.
 */
export function changedLines(diff: string): ReadonlyMap<string, ReadonlySet<number>> {
  const changed = new Map<string, Set<number>>();
  let lines = new Set<number>();
  for (const line of diff.split('\n')) {
    const file = /^\+\+\+ b\/(.*)$/.exec(line)?.[1];
    if (file !== undefined) changed.set(file, (lines = changed.get(file) ?? new Set()));
    const [, first, count = '1'] = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/.exec(line) ?? [];
    for (let n = 0; first !== undefined && n < Number(count); n += 1) lines.add(Number(first) + n);
  }
  return changed;
}

export function readHarmless(markdown: string): HarmlessMutant[] {
  return readTable(markdown).map(([file = '', inside = '', before = '', after = '', why = '']) => {
    return { file, inside, before, after, why };
  });
}

export function isListedMutant(mutant: Mutant, list: readonly HarmlessMutant[]): boolean {
  return list.some((entry) => matchesMutant(entry, mutant));
}

/**
 * Returns one sentence for each entry without a reason, and for each entry that matches no mutant.
 */
export function listProblems(
  list: readonly HarmlessMutant[],
  mutants: readonly Mutant[],
): string[] {
  return list.flatMap((entry) => {
    const about = `${entry.file}, ${entry.inside}: ${entry.before} → ${entry.after}`;
    if (entry.why === '') return [`no reason in ${MUTANTS}: ${about}`];
    const isThere = mutants.some((mutant) => matchesMutant(entry, mutant));
    return isThere ? [] : [`in ${MUTANTS}, but no mutant any more: ${about}`];
  });
}

function matchesMutant(entry: HarmlessMutant, mutant: Mutant): boolean {
  return (
    entry.file === mutant.file &&
    entry.inside === mutant.inside &&
    entry.before === mutant.before &&
    entry.after === mutant.after
  );
}

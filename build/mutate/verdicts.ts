import { type HarmlessMutant, isListedMutant } from './plan.ts';
import type { TestReachStore } from './reach.ts';
import type { Ended, WarmVitest } from './warm.ts';
import { mutate, type Mutant } from './mutators.ts';

const TIMEOUT_MS = 4 * 60_000;
/** Maximum time in milliseconds of each batch of tests that the first run excluded. */
const REMAINING_TESTS_TIMEOUT_MS = 3 * 60_000;

export interface ValidationResult {
  readonly mutant: Mutant;
  readonly ended: Ended;
  /** The test that noticed the mutant, or how many tests could have noticed it. */
  readonly by: string;
  /** Tests that could have noticed the mutant and have not been run, in batches. */
  readonly left: readonly (readonly string[])[];
}

export async function judge(
  mutant: Mutant,
  text: string,
  {
    reaches,
    warm,
    patience = TIMEOUT_MS,
  }: {
    readonly reaches: Pick<TestReachStore, 'batchesFor'>;
    readonly warm: WarmVitest;
    readonly patience?: number;
  },
): Promise<ValidationResult> {
  const { batches, left } = reaches.batchesFor(mutant);
  const tests = batches.flat().length;
  if (tests === 0) return { mutant, ended: 'survived', by: 'no test reaches it', left };
  const found = await runTestsOnMutant({ mutant, text, batches, warm, patience });
  if (found.ended !== 'survived') return { mutant, ...found, left: [] };
  return { mutant, ended: 'survived', by: `${tests} files of tests reach it`, left };
}

/**
 * Runs on a survivor the tests that the first run excluded. Other verdicts are returned unchanged.
 */
export async function testRemainingMutants(
  { mutant, left, ...before }: ValidationResult,
  text: string,
  {
    warm,
    patience = REMAINING_TESTS_TIMEOUT_MS,
  }: { readonly warm: WarmVitest; readonly patience?: number },
): Promise<ValidationResult> {
  if (left.length === 0) return { mutant, left, ...before };
  const whole = patience * left.length;
  const found = await runTestsOnMutant({ mutant, text, batches: left, warm, patience: whole });
  if (found.ended !== 'survived') return { mutant, ...found, left: [] };
  return {
    mutant,
    ended: 'survived',
    by: `${before.by}, and ${left.flat().length} more`,
    left: [],
  };
}

async function runTestsOnMutant({
  mutant,
  text,
  batches,
  warm,
  patience,
}: {
  readonly mutant: Mutant;
  readonly text: string;
  readonly batches: readonly (readonly string[])[];
  readonly warm: WarmVitest;
  readonly patience: number;
}): Promise<Pick<ValidationResult, 'ended' | 'by'>> {
  const order = { file: mutant.file, text: mutate(text, mutant), batches };
  const answer = await warm.ask(order, patience);
  if (answer === undefined) return { ended: 'timed out', by: 'nothing came back' };
  // The run failed outside any test, and is treated as a timeout.
  if (!('ended' in answer)) return { ended: 'timed out', by: JSON.stringify(answer) };
  return answer;
}

/**
 * Returns a line for each survivor and for the score, and whether enough mutants were noticed.
 * `allOnly` has the paths of the tests that `npm test` excludes; with these paths, a further line
 * has the number of mutants that the other tests noticed.
 */
export function summary(
  verdicts: readonly ValidationResult[],
  list: readonly HarmlessMutant[],
  {
    wanted,
    share,
    allOnly,
  }: {
    readonly wanted: number;
    readonly share: number;
    readonly allOnly?: readonly string[];
  },
): { readonly lines: readonly string[]; readonly isEnough: boolean } {
  const of = (ended: Ended) => verdicts.filter((verdict) => verdict.ended === ended);
  const survivors = of('survived').filter(({ mutant }) => !isListedMutant(mutant, list));
  const killed = of('killed').length;
  const percent = (count: number) => (100 * count) / Math.max(killed + survivors.length, 1);
  const score = percent(killed);
  const parts = [
    `${verdicts.length} of ${wanted} mutants tried`,
    `${killed} killed`,
    `${survivors.length} survived`,
    `${of('timed out').length} only timed out`,
    `${of('survived').length - survivors.length} known to be harmless`,
  ];
  const closing = `${parts.join(', ')}: ${score.toFixed(1)} % (${share} % are asked for)`;
  const quick = allOnly === undefined ? [] : [quickLine(of('killed'), allOnly, percent)];
  return {
    lines: [...[...of('timed out'), ...survivors].map(lineOf), closing, ...quick],
    isEnough: wanted === 0 || (verdicts.length > 0 && score >= share),
  };
}

/**
 * Returns a line with the share of mutants that the tests of `npm test` kill. The share is a lower
 * bound: these tests run first, but the first run may exclude slow ones.
 */
function quickLine(
  killed: readonly ValidationResult[],
  allOnly: readonly string[],
  percent: (count: number) => number,
): string {
  const isQuick = ({ by }: ValidationResult) => !allOnly.some((test) => by.startsWith(test));
  const count = killed.filter(isQuick).length;
  return `${count} of them killed by tests of npm test: ${percent(count).toFixed(1)} %`;
}

export function lineOf({ mutant, ended, by, left }: ValidationResult): string {
  const { file, line, inside, before, after } = mutant;
  const more = left.length === 0 ? '' : `, ${left.flat().length} more were left out for time`;
  return `${ended}: ${file}:${line} in ${inside}: ${before} → ${after} (${by}${more})`;
}

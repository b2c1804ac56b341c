import { type Harmless, isListed } from './plan.ts';
import type { Reaches } from './reach.ts';
import type { Ended, WarmVitest } from './warm.ts';
import { mutate, type Mutant } from './mutators.ts';

/** No mutant may hold up the others for longer. */
const PATIENCE = 4 * 60_000;

export interface Verdict {
  readonly mutant: Mutant;
  readonly ended: Ended;
  /** What noticed it, or how many tests could have. */
  readonly by: string;
}

/** Tries one mutant on the tests that reach it. */
export async function judge(
  mutant: Mutant,
  text: string,
  {
    reaches,
    warm,
    patience = PATIENCE,
  }: {
    readonly reaches: Pick<Reaches, 'batchesFor'>;
    readonly warm: WarmVitest;
    readonly patience?: number;
  },
): Promise<Verdict> {
  const { batches, left } = reaches.batchesFor(mutant);
  const tests = batches.flat().length;
  if (tests === 0) return { mutant, ended: 'survived', by: 'no test reaches it' };
  const order = { file: mutant.file, text: mutate(text, mutant), batches };
  const answer = await warm.ask(order, patience);
  if (answer === undefined) return { mutant, ended: 'timed out', by: 'nothing came back' };
  // No test said so: it counts no more than one that never came back.
  if (!('ended' in answer)) return { mutant, ended: 'timed out', by: JSON.stringify(answer) };
  const { ended } = answer;
  if (ended !== 'survived') return { mutant, ended, by: answer.by };
  const more = left === 0 ? '' : `, ${left} more were left out for time`;
  return { mutant, ended, by: `${tests} files of tests reach it${more}` };
}

/** Every survivor and the score in words, and whether enough were noticed. */
export function summary(
  verdicts: readonly Verdict[],
  list: readonly Harmless[],
  { wanted, share }: { readonly wanted: number; readonly share: number },
): { readonly lines: readonly string[]; readonly isEnough: boolean } {
  const of = (ended: Ended) => verdicts.filter((verdict) => verdict.ended === ended);
  const survivors = of('survived').filter(({ mutant }) => !isListed(mutant, list));
  const killed = of('killed').length;
  const score = (100 * killed) / Math.max(killed + survivors.length, 1);
  const parts = [
    `${verdicts.length} of ${wanted} mutants tried`,
    `${killed} killed`,
    `${survivors.length} survived`,
    `${of('timed out').length} only timed out`,
    `${of('survived').length - survivors.length} known to be harmless`,
  ];
  const closing = `${parts.join(', ')}: ${score.toFixed(1)} % (${share} % are asked for)`;
  return {
    lines: [...[...of('timed out'), ...survivors].map(lineOf), closing],
    isEnough: wanted === 0 || (verdicts.length > 0 && score >= share),
  };
}

/** A verdict on one line. */
export function lineOf({ mutant, ended, by }: Verdict): string {
  const { file, line, inside, before, after } = mutant;
  return `${ended}: ${file}:${line} in ${inside}: ${before} → ${after} (${by})`;
}

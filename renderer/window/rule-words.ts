import type { NamedRuleFailure } from '../../shared/contract/rule-failures.ts';
import type { Failure } from '../../shared/errors.ts';
import { sentenceFor } from '../ui/failure-words.ts';
import { formatDateTime } from '../ui/format.ts';
import { m } from '../ui/language.svelte.ts';
import { joinFacts } from '../ui/join-facts.ts';

interface ShownRun {
  readonly isPaused: boolean;
  readonly last: { readonly at: number; readonly failure: Failure | null } | null;
}

/** Failures of the last run, with their reasons; `total` is the number of all failures. */
export const failuresLook = (failures: readonly NamedRuleFailure[], total: number) => ({
  items: failures.map(({ name, failure }) => ({ name, reason: sentenceFor(failure) })),
  total,
});

interface RunLook {
  readonly result: { readonly tone: 'waiting' | 'signed' | 'attention'; readonly word: string };
  readonly note: string | null;
}

/** Time of a rule's last run, as text; null before the first run. */
export const lastRunText = ({ last }: Pick<ShownRun, 'last'>): string | null =>
  last === null ? null : m.rule_last({ time: formatDateTime(last.at) });

/**
 * Badge and note of a rule's card. `words` are the counts of a run that ended without a failure, and
 * `isGood` is false if one of the counts needs the user's attention.
 */
export function runLook(
  { isPaused, last }: ShownRun,
  { words, isGood }: { readonly words: readonly string[]; readonly isGood: boolean },
): RunLook {
  const failure = last?.failure ?? null;
  if (isPaused) {
    const word = m.rule_paused_short();
    return { result: { tone: 'attention', word }, note: pauseNote(failure) };
  }
  if (last === null)
    return { result: { tone: 'waiting', word: m.archive_rule_never() }, note: null };
  if (failure !== null) {
    return { result: { tone: 'attention', word: m.rule_failed() }, note: sentenceFor(failure) };
  }
  return { result: { tone: isGood ? 'signed' : 'attention', word: joinFacts(words) }, note: null };
}

/**
 * The forecast of a rule that is being edited: its failure, otherwise its result; null
 * until the result is known.
 */
export function forecastSentence<Result>(
  { failure, value }: { readonly failure: Failure | null; readonly value: Result | null },
  textOf: (result: Result) => string,
): string | null {
  if (failure !== null) return sentenceFor(failure);
  return value === null ? null : textOf(value);
}

/** Reason of the pause; after a restore, it already contains the next step. */
function pauseNote(failure: Failure | null): string {
  if (failure === null) return m.rule_paused();
  const sentence = sentenceFor(failure);
  return failure.reason === 'data-restored' ? sentence : `${m.rule_paused()}. ${sentence}`;
}

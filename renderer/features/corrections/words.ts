import type { CorrectionProblem } from '../../../shared/contract/corrections.ts';
import { m } from '../../ui/language.svelte.ts';
import { sentenceFor } from '../../ui/failure-words.ts';
import { whyNot } from '../../ui/why-not.ts';
import type { MatchedRow, CorrectionRowResult } from './state.svelte.ts';

export const problemWords = {
  'no-address': m.corrections_problem_no_address,
  'several-addresses': m.corrections_problem_several,
  'address-wrong': m.corrections_problem_wrong,
  'same-address': m.corrections_problem_same,
  'said-before': m.corrections_problem_before,
  unreadable: m.corrections_problem_unreadable,
  'no-report': m.corrections_problem_no_report,
  'none-came-back': m.corrections_problem_none,
} as const satisfies Record<CorrectionProblem, unknown>;

export function outcomeOf({ row, end, isChosen }: MatchedRow): string {
  if (end !== null) return correctionOutcomeText(end);
  if (row.to === null) return m.corrections_needs();
  return whyNot(row.reason) ?? (isChosen ? m.corrections_will() : m.corrections_left());
}

function correctionOutcomeText(end: CorrectionRowResult): string {
  if (end.as !== 'done') {
    return end.as === 'unknown' ? m.corrections_unknown() : sentenceFor(end.failure);
  }
  const { state, failure } = end.notice;
  switch (state) {
    case 'not-asked':
      return m.corrections_done();
    case 'reminded':
      return m.corrections_done_notified();
    case 'nobody':
      return m.corrections_done_nobody();
    case 'failed':
    case 'unknown':
      return m.corrections_done_half({ why: failure === null ? '' : sentenceFor(failure) });
  }
}

import type {
  PlannedIntake,
  IntakeRuleView,
  IntakeWaitReason,
} from '../../../shared/contract/intake.ts';
import { sentenceFor } from '../../ui/failure-words.ts';
import { formatDateTime } from '../../ui/format.ts';
import { m } from '../../ui/language.svelte.ts';

const intakeWaitTexts = {
  'being-written': m.intake_waits_written,
  'no-data': m.intake_waits_data,
  'no-pdf': m.intake_waits_pdf,
  'not-readable': m.intake_waits_readable,
} as const satisfies Record<IntakeWaitReason, () => string>;

export function plannedText(one: PlannedIntake): string {
  switch (one.what) {
    case 'draft':
      return m.intake_becomes_draft({ title: one.title });
    case 'sheet':
      return m.intake_becomes_rows({ title: one.title });
    case 'again':
      return m.intake_again();
    case 'same':
      return m.intake_same({ file: one.first });
    case 'refused':
      return sentenceFor(one.failure);
    case 'waits':
      return intakeWaitTexts[one.why]();
  }
}

/** Result of the last run; zero counts are omitted. */
export function lastImportText({ last }: IntakeRuleView): string {
  if (last === null) return m.archive_rule_never();
  if (last.failure !== null) return sentenceFor(last.failure);
  const counts = [
    { count: last.drafts, words: m.intake_count_drafts },
    { count: last.sheets, words: m.intake_count_sheets },
    { count: last.again, words: m.intake_count_again },
    { count: last.refused, words: m.intake_count_refused },
    { count: last.replaced, words: m.intake_count_replaced },
    { count: last.waiting, words: m.intake_count_waiting },
  ].filter(({ count }) => count > 0);
  const found = counts.map(({ count, words }) => words({ count }));
  const parts = found.length === 0 ? [m.intake_count_none()] : found;
  return [m.intake_last({ time: formatDateTime(last.at) }), ...parts].join(' · ');
}

export function nextImportText({ rule, isPaused }: IntakeRuleView): string | null {
  return rule.isOn && !isPaused ? m.intake_next() : null;
}

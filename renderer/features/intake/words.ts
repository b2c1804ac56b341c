import type {
  PlannedIntake,
  IntakePreview,
  IntakeRuleView,
  IntakeWaitReason,
} from '../../../shared/contract/intake.ts';
import { sentenceFor } from '../../ui/failure-words.ts';
import { m } from '../../ui/language.svelte.ts';
import { joinFacts } from '../../ui/join-facts.ts';
import { failuresLook, lastRunText, runLook } from '../../window/rule-words.ts';

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

export function intakeLook(shown: IntakeRuleView) {
  const { rule, isPaused } = shown;
  const isRunning = rule.isOn && !isPaused;
  const refused = shown.last?.refused ?? 0;
  const look = runLook(shown, { words: countWords(shown), isGood: refused === 0 });
  return {
    sentence: m.intake_says({ folder: rule.folder }),
    times: [lastRunText(shown), isRunning ? m.intake_next() : m.rule_off()],
    failures: failuresLook(shown.failures, refused),
    result: look.result,
    note: look.note ?? (refused > 0 ? refusedNote(rule.folder) : null),
  };
}

/** Where the rejected files of a watched folder are, with their reasons. */
function refusedNote(folder: string): string {
  const separator = folder.includes('\\') ? '\\' : '/';
  return m.intake_refused_where({ folder: `${folder}${separator}refused` });
}

/** Counts of the last run; zero counts are omitted. */
function countWords({ last }: IntakeRuleView): readonly string[] {
  const counts = [
    { count: last?.drafts ?? 0, words: m.intake_count_drafts },
    { count: last?.sheets ?? 0, words: m.intake_count_sheets },
    { count: last?.again ?? 0, words: m.intake_count_again },
    { count: last?.refused ?? 0, words: m.intake_count_refused },
    { count: last?.replaced ?? 0, words: m.intake_count_replaced },
    { count: last?.waiting ?? 0, words: m.intake_count_waiting },
  ].filter(({ count }) => count > 0);
  const found = counts.map(({ count, words }) => words({ count }));
  return found.length === 0 ? [m.intake_count_none()] : found;
}

/**
 * The actions of a rule on the files that are in its folder now. The preview lists only the first
 * of many files; the number of the others is added.
 */
export function forecastText({ files, total }: IntakePreview): string {
  if (total === 0) return m.intake_preview_none();
  const count = (what: PlannedIntake['what']): number =>
    files.filter((one) => one.what === what).length;
  const parts = [
    { count: count('sheet'), words: m.intake_count_sheets },
    { count: count('refused'), words: m.intake_count_refused },
    { count: count('waits'), words: m.intake_count_waiting },
    { count: total - files.length, words: m.intake_preview_more },
  ].filter((one) => one.count > 0);
  return joinFacts([
    m.intake_forecast({ count: count('draft') }),
    ...parts.map(({ count: number, words }) => words({ count: number })),
  ]);
}

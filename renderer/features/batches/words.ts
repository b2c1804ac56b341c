import type {
  BatchCheck,
  BatchProblemCode,
  BatchProgress,
  BatchStage,
  ListedBatch,
  RowProblem,
} from '../../../shared/contract/batches.ts';
import { ProblemCode } from '../../../shared/contract/drafts.ts';
import { readPartyColumn } from '../../../shared/rules/batches/party-columns.ts';
import { fitText, missingCharacterText } from '../../ui/failure-words.ts';
import { capitalized, formatCount, formatPercent } from '../../ui/format.ts';
import { m } from '../../ui/language.svelte.ts';
import { problemText } from '../drafts/problem-words.ts';
import { gateLook } from '../outbox/batch-words.ts';
import { datumName } from '../templates/words.ts';

type Tone = 'draft' | 'signed' | 'waiting' | 'out' | 'revoked' | 'attention';

const rowProblemTexts = {
  spreadsheet: m.batch_problem_spreadsheet,
  'cell-error': m.batch_problem_cell_error,
  formula: m.batch_problem_formula,
  'formula-empty': m.batch_problem_formula_empty,
  rounded: m.batch_problem_rounded,
  formatted: m.batch_problem_formatted,
  'shown-rounded': m.batch_problem_shown_rounded,
  decimal: m.batch_problem_decimal,
  'date-form': m.batch_problem_date_form,
  truth: m.batch_problem_truth,
  'wrong-date': m.batch_problem_wrong_date,
  merged: m.batch_problem_merged,
  ragged: m.batch_problem_ragged,
  total: m.batch_problem_total,
  'date-unclear': m.batch_problem_date_unclear,
  'not-a-number': m.batch_problem_not_a_number,
  'not-yes-or-no': m.batch_problem_not_yes_or_no,
  'not-an-answer': m.batch_problem_not_an_answer,
  'not-asked': m.batch_problem_not_asked,
  placeholder: m.batch_problem_placeholder,
  name: m.batch_problem_name,
} as const satisfies Partial<Record<BatchProblemCode, () => string>>;

const hasPlainText = (code: BatchProblemCode): code is keyof typeof rowProblemTexts =>
  Object.hasOwn(rowProblemTexts, code);

/** Names of fields of a party that no column fills, by the last part of their path. */
const partyFieldNames: Readonly<Record<string, () => string>> = {
  firstName: m.draft_first_name,
  lastName: m.draft_last_name,
  personNumber: m.draft_person_number,
  personNo: m.draft_person_number,
  email: m.draft_email,
  mobile: m.draft_mobile,
  country: m.draft_country,
};

/** Name of the column with the problem, or of the field if no column fills it; null if unknown. */
function placeName({ column, field }: RowProblem, columns: readonly string[]): string | null {
  const header = column === null ? undefined : columns[column];
  return header ?? partyFieldNames[field.split('.').at(-1) ?? '']?.() ?? null;
}

/** Text of a row's problem; `columns` are the names of the columns of the spreadsheet. */
export function rowProblemText(problem: RowProblem, columns: readonly string[]): string {
  const { code, detail, field, message, isError } = problem;
  if (problem.letter !== undefined) return missingCharacterText(problem.letter);
  if (problem.fit !== undefined) return fitText(problem.fit);
  if (hasPlainText(code)) return rowProblemTexts[code]();
  switch (code) {
    case 'same-row':
      return m.batch_problem_same_row({ row: detail });
    case 'same-person':
      return m.batch_problem_same_person({ row: detail });
    case 'sent-before':
      return m.batch_problem_sent_before({ detail });
    case 'sent-changed':
      return m.batch_problem_sent_changed({ detail });
    case 'given-up':
      return m.batch_problem_given_up({ detail });
    case 'on-service':
      return m.batch_problem_on_service({ detail });
    case 'refused':
      return detail === ''
        ? m.refused_by_service()
        : m.refused_by_service_because({ said: detail });
    case 'field':
    case 'identifier': {
      const known = ProblemCode.safeParse(code === 'field' ? detail : 'format');
      if (!known.success) return message;
      const level = isError ? 'error' : 'warning';
      const text = problemText({ field, code: known.data, message, level });
      const place = placeName(problem, columns);
      // Unlike in a draft, the text is not next to its field.
      return text === m.problem_required() && place !== null
        ? m.problem_required_field({ field: place })
        : text;
    }
  }
}

/**
 * Name of a value that a mapping needs: translated for data of a party, otherwise as in the
 * template.
 */
export function requiredValueName(placeholder: string): string {
  const column = readPartyColumn(placeholder);
  if (column === null) return placeholder;
  const name = datumName(column.datum);
  const shown = capitalized(name);
  return column.place === 0 ? shown : `${shown} ${column.place + 1}`;
}

/** Name of a batch with the refused rows of another batch; differs from all known names. */
export function correctionName(name: string, known: readonly string[]): string {
  for (let number = 1; ; number += 1) {
    const found = m.batch_name_correction({ name, number });
    if (!known.includes(found)) return found;
  }
}

const stageTexts = {
  open: m.batch_stage_open,
  arming: m.batch_stage_arming,
  armed: m.batch_stage_armed,
} as const satisfies Record<BatchStage, () => string>;

interface BadgeLook {
  readonly tone: Tone;
  readonly word: () => string;
}

/**
 * State of a batch in the list: rows that need a user are shown even while others are being sent.
 */
export function listLook({ stage, going }: Pick<ListedBatch, 'stage' | 'going'>): BadgeLook {
  if (going === null) return { tone: 'draft', word: stageTexts[stage] };
  const { needsPerson } = going;
  if (needsPerson === 0) return gateLook(going);
  return { tone: 'attention', word: () => m.batch_needs({ count: needsPerson }) };
}

/**
 * Progress as it is announced: only each finished tenth, because screen readers would never stop
 * with more.
 */
export function announcedProgress({
  rows,
  waiting,
}: Pick<BatchProgress, 'rows' | 'waiting'>): string {
  return formatPercent(Math.floor(((rows - waiting) * 10) / Math.max(1, rows)) / 10);
}

/** Who is notified later: the first addresses, and the number of others. */
/** The agreements and the people who are notified when they are sent, in one sentence. */
export function sendSummary({
  ready,
  people,
  emails,
  sms,
}: Pick<BatchCheck, 'ready' | 'people' | 'emails' | 'sms'>): string {
  const counted = { agreements: m.about_several({ count: ready }), count: people };
  if (emails + sms === 0) return m.batch_review_sum_nobody(counted);
  if (sms === 0) return m.batch_review_sum_email(counted);
  return emails === 0 ? m.batch_review_sum_sms(counted) : m.batch_review_sum_both(counted);
}

export function laterText({ later, laterCount }: BatchCheck): string {
  const more = laterCount - later.length;
  const others = more === 0 ? [] : [m.marked_and_more({ count: formatCount(more) })];
  return [...later.map(({ address }) => address), ...others].join(', ');
}

import type { PdfField, PdfNotice } from '../../../shared/model/pdf-form.ts';
import type { TemplateProblem, UnsureField } from '../../../shared/contract/templates.ts';
import type { DayFormat } from '../../../shared/model/day-format.ts';
import type {
  FieldSource,
  PartyDatum,
  Question,
  TemplateContent,
} from '../../../shared/model/template.ts';
import type { FieldCounts } from './next-step.ts';
import { fitText, missingCharacterText } from '../../ui/failure-words.ts';
import { m } from '../../ui/language.svelte.ts';

const datumNames = {
  'full-name': m.templates_datum_full_name,
  'first-name': m.templates_datum_first_name,
  'last-name': m.templates_datum_last_name,
  'person-number': m.templates_datum_person_number,
  'company-name': m.templates_datum_company_name,
  'company-number': m.templates_datum_company_number,
  email: m.templates_datum_email,
  mobile: m.templates_datum_mobile,
  country: m.templates_datum_country,
} as const satisfies Record<PartyDatum, () => string>;

export const datumName = (datum: PartyDatum): string => datumNames[datum]();

const questionKindNames = {
  text: m.templates_kind_text,
  lines: m.templates_kind_lines,
  'yes-no': m.templates_kind_yes_no,
  choice: m.templates_kind_choice,
  day: m.templates_kind_day,
} as const satisfies Record<Question['kind'], () => string>;

export const questionKind = (kind: Question['kind']): string => questionKindNames[kind]();

/** A sample date in each format; the long format is always in English. */
export const formatSamples = {
  'yyyy-MM-dd': () => '2026-12-31',
  'dd.MM.yyyy': () => '31.12.2026',
  'dd/MM/yyyy': () => '31/12/2026',
  'MM/dd/yyyy': () => '12/31/2026',
  long: m.templates_format_long,
} as const satisfies Record<DayFormat, () => string>;

const fieldTypeNames = {
  text: m.templates_type_text,
  checkbox: m.templates_type_checkbox,
  radio: m.templates_type_radio,
  choice: m.templates_type_choice,
  signature: m.templates_type_signature,
  button: m.templates_type_button,
} as const satisfies Record<PdfField['type'], () => string>;

/** Status of a template's fields: in words, for small windows, and the tone of its badge. */
export function fieldState({ kind, fields, undecided, isDrawn }: FieldCounts) {
  if (fields === 0 && isDrawn) {
    return { tone: 'draft', word: m.draw_not_in_pdf(), short: m.draw_not_in_pdf() } as const;
  }
  if (fields === 0) {
    const word = kind === 'service' ? m.templates_fields_unknown() : m.templates_no_fields();
    return { tone: 'draft', word, short: word } as const;
  }
  const done = fields - undecided;
  const short = m.templates_decided_short({ done, count: fields });
  if (undecided === 0) return { tone: 'signed', word: m.templates_ready(), short } as const;
  return { tone: 'part', word: m.templates_decided({ done, count: fields }), short } as const;
}

/** Facts to know before filling a field, in a few words; empty for most fields. */
export function fieldFacts(field: PdfField): string {
  const facts = field.label === undefined ? [] : [field.name];
  if (field.maxLength !== undefined) facts.push(m.templates_at_most({ count: field.maxLength }));
  if (field.required) facts.push(m.templates_required());
  if (field.readOnly) facts.push(m.templates_read_only());
  if (field.calculated === true) facts.push(m.templates_calculated());
  return facts.join(', ');
}

export function typeName({ type, multiline, comb }: PdfField): string {
  if (multiline) return m.templates_type_lines();
  return comb === true ? m.templates_type_cells() : fieldTypeNames[type]();
}

/** Name of a source such as `Tenant: full name`, for the mark over the page and the list. */
export function sourceName(source: FieldSource | undefined, content: TemplateContent): string {
  const role = (id: string) => content.body.roles.find((one) => one.id === id)?.name ?? '?';
  if (source === undefined) return m.templates_source_none();
  switch (source.from) {
    case 'party':
      return m.templates_source_party({ party: role(source.role), datum: datumName(source.datum) });
    case 'question': {
      const asked = content.questions.find(({ id }) => id === source.question);
      return m.templates_source_ask({ label: asked?.label ?? '?' });
    }
    case 'fixed':
      return source.value;
    case 'date':
      return m.templates_source_date();
    case 'counter':
      return m.templates_source_counter();
    case 'signature':
      return m.templates_source_signature({ party: role(source.role) });
    case 'empty':
      return m.templates_source_empty();
  }
}

const templateProblemTexts = {
  'no-such-field': m.templates_problem_no_such_field,
  'no-such-role': m.templates_problem_no_such_role,
  'no-such-question': m.templates_problem_no_such_question,
  'answer-needed': m.templates_problem_answer_needed,
  'never-asked': m.templates_problem_never_asked,
  'too-long': m.templates_problem_too_long,
  'not-offered': m.templates_problem_not_offered,
  contradicts: m.problem_contradicts,
  'not-yes-or-no': m.templates_problem_not_yes_or_no,
  letters: m.templates_problem_letters,
  'text-cut': m.problem_text_cut,
  placeholder: m.templates_problem_placeholder,
  'not-a-day': m.templates_problem_not_a_day,
  'cannot-draw': m.templates_problem_cannot_draw,
  'signature-field': m.templates_problem_signature_field,
  'password-field': m.problem_password_field,
  'shared-name': m.templates_problem_shared_name,
} as const satisfies Record<TemplateProblem['code'], () => string>;

/** Problem and its place: the field's name, or the question's text. */
export function problemText(
  { at, code, letter, fit }: TemplateProblem,
  content: TemplateContent,
): string {
  if (letter !== undefined) return missingCharacterText(letter);
  if (fit !== undefined) return fitText(fit);
  const [kind = '', ...rest] = at.split('.');
  const name = rest.join('.');
  const question = content.questions.find(({ id }) => id === name)?.label;
  const where =
    kind === 'field'
      ? m.templates_at_field({ name })
      : kind === 'question'
        ? (question ?? name)
        : m.templates_at_title();
  return `${where}: ${templateProblemTexts[code]()}`;
}

const pdfNoticeTexts: Readonly<Partial<Record<PdfNotice, () => string>>> = {
  'no-fields': m.templates_notice_no_fields,
  'owner-locked': m.templates_notice_owner_locked,
  'late-start': m.templates_notice_late_start,
  'active-content': m.templates_notice_active,
  'embedded-files': m.templates_notice_files,
  'fonts-missing': m.templates_notice_fonts,
  'hidden-parts': m.templates_notice_hidden,
  'unusual-size': m.templates_notice_size,
  'shared-names': m.templates_notice_shared,
  'stray-fields': m.templates_notice_stray,
};

/** Text of a notice; null for one that rejects the file, which is shown as a failure. */
export const noticeText = (notice: PdfNotice): string | null => pdfNoticeTexts[notice]?.() ?? null;

const unsureReasonTexts = {
  'page-gone': m.templates_unsure_page_gone,
  'page-size': m.templates_unsure_page_size,
  'text-differs': m.templates_unsure_text_differs,
  taken: m.templates_unsure_taken,
} as const satisfies Record<UnsureField['why'], (field: { name: string }) => string>;

/** Why a drawn field is not transferred to another PDF automatically. */
export function unsureText(name: string, why: UnsureField['why']): string {
  return unsureReasonTexts[why]({ name });
}

import type { PdfField } from '../../model/pdf-form.ts';
import type {
  PdfValues,
  Template,
  TemplateAnswers,
  TemplateProblem,
} from '../../contract/templates.ts';
import type { FieldSource, PartyDatum, Question, TemplateBody } from '../../model/template.ts';
import { addDays, dayOf, isDay } from '../time/days.ts';
import { dayText } from '../forms/drawn-format.ts';
import { contradictions, type FilledBox } from '../forms/box-words.ts';
import { BLANK_WORD, fitValue, toStoredValue } from '../forms/field-values.ts';
import { looksLikePlaceholder, signatureText } from '../forms/signature-text.ts';
import { askedAnswers, canBeMet, conditionsOf, isMet } from './conditions.ts';
import { templateFields } from './fields.ts';
import { replaceNames, replaceNamesInBody } from './names.ts';
import { parseBoolean } from '../forms/boolean-words.ts';
import { EXCESS_COMBINING_MARKS } from '../text/long-marks.ts';

/** Result of filling a template with one set of answers. */
export interface FilledTemplate {
  /** Values of the fields, without unchanged fields and without signatures. */
  readonly values: PdfValues;
  /** Index in `roles` of the party whose drawn signature a field gets, by field name. */
  readonly signatures: ReadonlyMap<string, number>;
  readonly title: string;
  /** Body of the draft, with the names in its texts replaced. */
  readonly body: TemplateBody;
  readonly problems: readonly TemplateProblem[];
}

export interface TemplateFilling {
  readonly template: Pick<Template, 'source' | 'content'>;
  readonly answers: TemplateAnswers;
  /** Time of the filling (epoch ms); "today" is the day in Sweden, as in both services. */
  readonly now: number;
  /** Text of the counter for this filling, from `numberText`; empty if no counter is used. */
  readonly number: string;
}

/** Filling with the answers to the questions whose conditions are met, by question ID. */
interface AskedFilling extends TemplateFilling {
  readonly asked: ReadonlyMap<string, string>;
}

/** Whether a filling needs a value of the template's counter. */
export function usesNumber({ content }: Pick<Template, 'content'>): boolean {
  return (
    content.mapping.some(({ source }) => source.from === 'counter') ||
    JSON.stringify([content.body, content.mapping]).includes('{number}')
  );
}

/** Text of a counter's value: `LEASE-0042` for 42, with the prefix `LEASE-` and the width 4. */
export function numberText({ prefix, width }: Template['content']['counter'], at: number): string {
  return `${prefix}${String(at).padStart(width, '0')}`;
}

/**
 * Calculates the value of every field. Texts of users and spreadsheets never become placeholders of
 * the service.
 */
export function fillTemplate(given: TemplateFilling): FilledTemplate {
  const { template, answers } = given;
  const { questions } = template.content;
  const asked = askedAnswers(questions, answers.questions);
  const filling: AskedFilling = { ...given, asked };
  const fields = new Map(templateFields(template).map((field) => [field.name, field]));
  const values: Record<string, string | boolean> = {};
  const signatures = new Map<string, number>();
  const problems = checkAnswers(questions, asked);
  const boxes: FilledBox[] = [];
  for (const mapped of template.content.mapping) {
    const { field: name, source } = mapped;
    const field = fields.get(name);
    const conditions = conditionsOf(template.content, mapped);
    if (field === undefined) {
      if (source.from !== 'empty') problems.push(problem(`field.${name}`, 'no-such-field'));
    } else if (source.from === 'signature') {
      const place = placeSignature(field, source.role, filling, problems);
      if (place !== null) signatures.set(name, place);
    } else {
      if (mapped.onlyIf !== undefined && !canBeMet(questions, mapped.onlyIf)) {
        problems.push(problem(`field.${name}`, 'never-asked'));
      }
      const isShown = conditions.every((one) => isMet(one, asked));
      const text = isShown ? textOf(source, `field.${name}`, filling, problems) : BLANK_WORD;
      const { value, problem: unfit } = fitValue(field, text);
      if (unfit !== null) problems.push(problem(`field.${name}`, unfit.code, unfit.message));
      if (value !== null) values[name] = toStoredValue(value);
      if (typeof value === 'boolean' && source.from === 'question' && isShown) {
        const [box = ''] = field.options ?? [];
        boxes.push({ field: name, name: box, source: source.question, isTicked: value });
      }
    }
  }
  for (const { boxes: pair, message } of contradictions(boxes)) {
    problems.push(problem(`field.${pair[1].field}`, 'contradicts', message));
  }
  const body = replaceNamesInBody(template.content.body, (name) => nameText(name, filling));
  const title = toFieldText(body.title, 'title', problems).trim();
  return { values, signatures, title, body, problems };
}

/** Texts of `fields` in a v1 request: the values, and the placeholders of drawn signatures. */
export function toFieldsV1({
  values,
  signatures,
}: FilledTemplate): { name: string; value: string }[] {
  const texts = Object.entries(values).map(([name, value]) => ({ name, value: String(value) }));
  const drawn = [...signatures].map(([name, party]) => ({ name, value: signatureText(party) }));
  return [...texts, ...drawn];
}

/** Text of a party's data; a missing full name is joined from first and last name. */
export function datumOf(answers: TemplateAnswers, role: string, datum: PartyDatum): string {
  const known = answers.parties[role] ?? {};
  const text = known[datum] ?? '';
  if (datum !== 'full-name' || text !== '') return text;
  return [known['first-name'] ?? '', known['last-name'] ?? '']
    .filter((part) => part !== '')
    .join(' ');
}

function textOf(
  source: Exclude<FieldSource, { from: 'signature' }>,
  at: string,
  filling: AskedFilling,
  problems: TemplateProblem[],
): string {
  const { template, answers, asked, now, number } = filling;
  switch (source.from) {
    case 'party':
      if (!hasRole(template, source.role)) problems.push(problem(at, 'no-such-role'));
      return toFieldText(datumOf(answers, source.role, source.datum), at, problems);
    case 'question':
      if (!template.content.questions.some(({ id }) => id === source.question)) {
        problems.push(problem(at, 'no-such-question'));
      }
      return toFieldText(asked.get(source.question) ?? '', at, problems);
    case 'fixed':
      return toFieldText(
        replaceNames(source.value, (name) => nameText(name, filling)),
        at,
        problems,
      );
    case 'date':
      return dayText(addDays(dayOf(now), source.addDays), source.format);
    case 'counter':
      return number;
    case 'empty':
      return '';
  }
}

/**
 * Prepares a text for a field. A text that the service would read as a placeholder is an error (API
 * v1, "Field").
 */
function toFieldText(text: string, at: string, problems: TemplateProblem[]): string {
  if (looksLikePlaceholder(text)) problems.push(problem(at, 'placeholder'));
  return text.replaceAll(EXCESS_COMBINING_MARKS, '').normalize('NFC');
}

function placeSignature(
  field: PdfField,
  role: string,
  { template }: TemplateFilling,
  problems: TemplateProblem[],
): number | null {
  const at = `field.${field.name}`;
  const { body } = template.content;
  const place = body.roles.findIndex(({ id }) => id === role);
  if (place === -1) {
    problems.push(problem(at, 'no-such-role'));
    return null;
  }
  const drawer = body.api === 'v1' ? body.roles[place]?.party.signingConfigurations : undefined;
  if (drawer !== undefined && !drawer.some(({ type }) => type === 'DRAW')) {
    problems.push(problem(at, 'cannot-draw'));
  }
  if (template.content.merge === 'here' && body.api === 'v1') {
    problems.push(
      problem(at, 'cannot-draw', 'With drawn signatures, the service must fill the PDF'),
    );
  }
  return place;
}

function checkAnswers(
  questions: readonly Question[],
  asked: ReadonlyMap<string, string>,
): TemplateProblem[] {
  const problems: TemplateProblem[] = [];
  for (const [place, { id, kind, required, options, onlyIf }] of questions.entries()) {
    const at = `question.${id}`;
    if (onlyIf !== undefined && !canBeMet(questions.slice(0, place), onlyIf))
      problems.push(problem(at, 'never-asked'));
    const answer = asked.get(id);
    if (answer === undefined) continue;
    const text = answer.trim();
    if (text === '') {
      if (required) problems.push(problem(at, 'answer-needed'));
    } else if (kind === 'yes-no' && parseBoolean(text) === null) {
      problems.push(problem(at, 'not-yes-or-no'));
    } else if (kind === 'choice' && !options.includes(text)) {
      problems.push(problem(at, 'not-offered'));
    } else if (kind === 'day' && !isDay(text)) {
      problems.push(problem(at, 'not-a-day'));
    }
  }
  return problems;
}

/** Text for a name in braces: a role, a question, `number` or `today`; other braces are kept. */
function nameText(name: string, { template, answers, asked, now, number }: AskedFilling): string {
  const { body, questions } = template.content;
  if (name === 'number') return number;
  if (name === 'today') return dayOf(now);
  const role = body.roles.find((one) => one.name === name);
  if (role !== undefined) {
    return datumOf(answers, role.id, 'full-name') || datumOf(answers, role.id, 'company-name');
  }
  const question = questions.find(({ label }) => label === name);
  return question === undefined ? `{${name}}` : (asked.get(question.id) ?? '');
}

function hasRole({ content }: TemplateFilling['template'], role: string): boolean {
  return content.body.roles.some(({ id }) => id === role);
}

const templateProblemSentences: Readonly<Record<TemplateProblem['code'], string>> = {
  'no-such-field': 'The PDF does not contain this field any more',
  'no-such-role': 'The template does not contain this party any more',
  'no-such-question': 'The template does not contain this question any more',
  'answer-needed': 'An answer is needed',
  'never-asked': 'The condition uses an answer that no earlier question offers',
  'too-long': 'The text is too long for the field',
  'not-offered': 'The field does not offer this value',
  contradicts: 'One answer would set two contradicting boxes to the same value',
  'not-yes-or-no': 'This is neither yes nor no',
  letters: 'No font has all characters of the text',
  'text-cut': 'The text is too long for its box in the PDF',
  placeholder: 'The service would read this text as one of its own placeholders',
  'not-a-day': 'Enter the date as year-month-day',
  'cannot-draw': 'The party does not sign by drawing',
  'signature-field': 'A signature field cannot contain text',
  'password-field': 'Everyone could read a password in the PDF, so the field is not filled',
  'shared-name': 'Several fields share this name and always show the same value',
};

function problem(
  at: string,
  code: TemplateProblem['code'],
  message: string = templateProblemSentences[code],
): TemplateProblem {
  return { at, code, message };
}

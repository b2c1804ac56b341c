import type { DraftContent } from '../../contract/drafts.ts';
import type { PdfForm, Template, TemplateAnswers } from '../../contract/templates.ts';
import type { ApiName, FileId } from '../../model/ids.ts';
import { linkedContent } from '../links/fill.ts';
import { answersOf } from '../people/people.ts';
import { draftFromTemplate } from '../templates/draft.ts';
import { fillTemplate, numberText } from '../templates/values.ts';
import { dayOf } from '../time/days.ts';
import { type IntakeData, type IntakeParty, intakeDataError } from './data.ts';
import { titleOfFile } from './names.ts';
import { EXCESS_COMBINING_MARKS } from '../text/long-marks.ts';

/** Imported PDF as a file of its draft. */
interface IntakeFile {
  readonly id: FileId;
  readonly name: string;
}

/** Content of a draft for a PDF without a template, like that of a draft that the user creates. */
export function plainContent(
  api: ApiName,
  file: IntakeFile,
  { title, parties }: IntakeData,
  now: number,
): DraftContent {
  if (parties.some(({ role }) => role !== null)) {
    throw intakeDataError('role');
  }
  const people = parties.map(({ person }) => person);
  const said = { title: title ?? titleOfFile(file.name), message: '', parties: people };
  const content = linkedContent(api, said, now);
  const { id, name } = file;
  if (content.api === 'v2') {
    return { api: 'v2', body: { ...content.body, attachments: [{ name, file: id }] } };
  }
  const attachment = {
    type: 'BASE64' as const,
    name,
    title: titleOfFile(name),
    file: id,
    category: 'AGREEMENT' as const,
  };
  return { api: 'v1', body: { ...content.body, attachments: [attachment] } };
}

export interface TemplateContentRequest {
  readonly template: Template;
  readonly data: IntakeData;
  /** Form of the imported PDF, which replaces the template's PDF. */
  readonly form: PdfForm;
  readonly file: IntakeFile;
  /** Value of the template's counter. */
  readonly number: number;
  readonly now: number;
}

/**
 * Content of a draft from a template. Fills the mapped fields that the imported PDF also has.
 * Missing values are left for the user. Throws 'invalid' with 'intake-data' for invalid values.
 */
export function templateContent(order: TemplateContentRequest): DraftContent {
  const { template, data, form, file, now } = order;
  const { source, content } = template;
  if (source.kind !== 'pdf') {
    throw intakeDataError('template-remote');
  }
  const has = new Set(form.fields.map(({ name }) => name));
  const mapping = content.mapping.filter(({ field }) => has.has(field));
  const stand = {
    ...template,
    source: { ...source, form },
    content: { ...content, mapping },
  };
  const answers = templateAnswers(template, data, now);
  const number = numberText(content.counter, order.number);
  const filled = fillTemplate({ template: stand, answers, now, number });
  // Missing answers are left for the user who reviews the draft.
  const wrong = filled.problems.filter(({ code }) => code !== 'answer-needed');
  if (wrong.length > 0) {
    const exactly = wrong.map(({ at, message }) => `${at}: ${message}`).join('; ');
    throw intakeDataError('fields', [...new Set(wrong.map(({ at }) => at))].join(', '), exactly);
  }
  const title = data.title ?? (filled.title === '' ? titleOfFile(file.name) : filled.title);
  const whole = { ...filled, title };
  return withPdfName(
    draftFromTemplate({ template: stand, answers, filled: whole, file: file.id, now }),
    {
      file,
      title,
    },
  );
}

/** Returns the content with the PDF's own name for the attached file; in v2, also with `title`. */
function withPdfName(
  content: DraftContent,
  { file, title }: { readonly file: IntakeFile; readonly title: string },
): DraftContent {
  const { name } = file;
  if (content.api === 'v2') {
    const attachments = (content.body.attachments ?? []).map((one) => ({ ...one, name }));
    return { api: 'v2', body: { ...content.body, name: title, attachments } };
  }
  const attachments = content.body.attachments.map((one) => ({
    ...one,
    name,
    title: titleOfFile(name),
  }));
  return { api: 'v1', body: { ...content.body, attachments } };
}

function templateAnswers({ content }: Template, data: IntakeData, now: number): TemplateAnswers {
  const { body, questions } = content;
  const byRole = assignPartiesToRoles(rolesOf(body), data.parties);
  const today = dayOf(now);
  const filled: TemplateAnswers['parties'] = {};
  for (const [role, { person }] of byRole) filled[role] = answersOf(person, body.api, today);
  const byLabel = new Map(questions.map(({ id, label }) => [foldLabel(label), id]));
  const unknown = Object.keys(data.answers).findIndex((label) => !byLabel.has(foldLabel(label)));
  if (unknown >= 0) throw intakeDataError('answer', unknown + 1);
  const said = { ...data.others, ...data.answers };
  const answered = Object.entries(said).flatMap(([label, text]): [string, string][] => {
    const id = byLabel.get(foldLabel(label));
    return id === undefined ? [] : [[id, text]];
  });
  return { parties: filled, questions: Object.fromEntries(answered) };
}

/** Roles that the data may name: the account's own company needs no data. */
function rolesOf(body: Template['content']['body']): readonly { id: string; name: string }[] {
  if (body.api === 'v2') return body.roles;
  return body.roles.filter(({ party }) => party.type !== 'MY_COMPANY');
}

/** Assigns parties to the roles that they name; other parties get the remaining roles in order. */
function assignPartiesToRoles(
  roles: readonly { readonly id: string; readonly name: string }[],
  parties: readonly IntakeParty[],
): ReadonlyMap<string, IntakeParty> {
  const taken = new Map<string, IntakeParty>();
  for (const [index, party] of parties.entries()) {
    const { role } = party;
    if (role === null) continue;
    const found = roles.find(({ name }) => foldLabel(name) === foldLabel(role));
    if (found === undefined || taken.has(found.id)) {
      throw intakeDataError('role-place', index + 1);
    }
    taken.set(found.id, party);
  }
  const left = roles.filter(({ id }) => !taken.has(id));
  const unnamed = parties.filter(({ role }) => role === null);
  if (unnamed.length > left.length) {
    throw intakeDataError('parties-many', parties.length);
  }
  for (const [index, party] of unnamed.entries()) {
    const role = left[index];
    if (role !== undefined) taken.set(role.id, party);
  }
  return taken;
}

const foldLabel = (label: string): string =>
  label.replaceAll(EXCESS_COMBINING_MARKS, '').normalize('NFC').trim().toLowerCase();

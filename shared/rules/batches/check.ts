import * as z from 'zod';
import { AllowedRecipients } from '../../contract/connections.ts';
import { BatchMapping, ColumnMatch, type RowProblem } from '../../contract/batches.ts';
import {
  type ContactCounts,
  DraftBodyV1,
  DraftBodyV2,
  type DraftCheck,
  type DraftContent,
  DraftFile,
  type LaterRecipient,
} from '../../contract/drafts.ts';
import { PdfField, PdfForm } from '../../model/pdf-form.ts';
import type { SheetRow } from '../../contract/sheets.ts';
import { cellProblems, WARNINGS } from './cells.ts';
import { type CompiledMapping, compileMapping } from './compile.ts';
import { type FilledRow, fillRow } from './fill.ts';
import { type CellKind, cellKinds } from './kinds.ts';
import { createCellLocator, type CellLocator } from './places.ts';
import { repairsOf } from './repair.ts';
import { type TidyProblem, tidyBody } from './tidy.ts';
import { dayOf } from '../time/days.ts';
import { contradictions, type FilledBox } from '../forms/box-words.ts';
import { totalsOf } from '../forms/calculate.ts';
import {
  chosenOptions,
  isBlankWord,
  offeredOptionsOf,
  toStoredValue,
} from '../forms/field-values.ts';
import { hasUnusualCharacters } from '../text/missing-letter.ts';
import { checkDraft, partyNames, titleOf } from '../drafts/check.ts';
import { contactsOf, notifiedPersonKeys } from '../drafts/parts/contacts.ts';
import { validationSentences } from '../text/verdict.ts';

/** PDF that every row is merged into; absent for a template on the service. */
export const BatchDocument = z.object({
  file: DraftFile,
  form: PdfForm,
  /** Writer of the values into the PDF: the service, or this program before sending ('here'). */
  merge: z.enum(['service', 'here']),
});
export type BatchDocument = z.infer<typeof BatchDocument>;

/** Everything needed to validate a row; plain data, so that a separate thread can do it. */
export const CheckSpec = z.object({
  mapping: BatchMapping,
  matches: z.array(ColumnMatch),
  columns: z.array(z.string()),
  document: BatchDocument.nullable(),
  /** Fields of the PDF or of the service's template; empty if they were not read. */
  fields: z.array(PdfField),
  /** Time of the check (epoch ms). */
  now: z.number(),
  /** The next number, in the format of the template's counter. */
  number: z.string(),
  /** Allowed recipients of the connection; null for everyone. */
  allowed: AllowedRecipients,
});
export type CheckSpec = z.infer<typeof CheckSpec>;

/** Value that must be checked with the fonts: whether it can be drawn, and its width. */
interface UnusualValue {
  readonly name: string;
  readonly text: string;
  readonly problem: RowProblem;
}

export interface CheckedRow {
  readonly row: number;
  readonly problems: readonly RowProblem[];
  readonly contacts: ContactCounts;
  readonly later: readonly LaterRecipient[];
  /** Keys of the notified people; a person has the same key in every row. */
  readonly notified: readonly string[];
  readonly parties: number;
  /** Key of the content; two rows with the same content have the same key. */
  readonly key: string;
  /** Key of the signers and the title; two rows with the same key are likely duplicates. */
  readonly personKey: string;
  /** Values with characters that not every computer has a font for, with the problem to report. */
  readonly unusual: readonly UnusualValue[];
  /** Texts that are drawn into the PDF, with the problem to report if one does not fit its box. */
  readonly drawn: readonly UnusualValue[];
  /** Number of fields that keep a default value of the PDF, because the row has none. */
  readonly keptDefaults: number;
}

export interface RowContent {
  readonly content: DraftContent;
  readonly fields: FilledRow['fields'];
  readonly check: DraftCheck;
  readonly checked: CheckedRow;
}

const BodyV1 = DraftBodyV1.omit({ attachments: true });
const BodyV2 = DraftBodyV2.omit({ attachments: true });
/** API v1, "Tags": two of the 100 are the batch's own, one is the outbox's. */
const MAX_BATCH_TAGS = 97;
/** Maximum number of suggestions for a cell. For a longer list, the user chooses in the form. */
const MAX_REPAIRS = 20;

const REPAIRABLE_CODES: readonly RowProblem['code'][] = ['field', 'formatted', 'identifier'];

export type CheckRow = (row: Pick<SheetRow, 'row' | 'cells' | 'marks'>) => CheckedRow;

/** Validates rows by the same rules as drafts. */
export function createRowCheck(spec: CheckSpec): CheckRow {
  const judge = createRowReader(spec);
  return (row) => judge(row).checked;
}

/** Returns a row as its draft, with its problems. `number` is this row's counter value. */
export function createRowReader(
  spec: CheckSpec,
): (row: Pick<SheetRow, 'row' | 'cells' | 'marks'>, number?: string) => RowContent {
  const { document, mapping } = spec;
  const compiled = compileMapping(mapping);
  const today = dayOf(spec.now);
  const forms = new Map(document === null ? [] : [[document.file.id, document.form]]);
  const files = document === null ? [] : [document.file];
  const template = new Map(spec.fields.map((field) => [field.name, field]));
  const kinds = cellKinds(mapping, (name) => template.get(name)?.type === 'checkbox');
  const places = createCellLocator(compiled, spec);
  const stays = dayIndependentFields(compiled);
  const isMergedHere = document !== null && (compiled.api === 'v2' || document.merge === 'here');
  return (row, number = spec.number) => {
    const source = { ...places.source(row.cells), field: (name: string) => template.get(name) };
    const filled = fillRow(compiled, { ...source, now: spec.now, number });
    const doubts: TidyProblem[] = [];
    const body = tidyBody(compiled.api, filled.body, today, doubts);
    const { content, mistakes } = contentOf(compiled, { ...filled, body }, document);
    const documents = { files, forms, template, isMergedHere };
    const check = checkDraft(content, documents, spec.now, spec.allowed);
    const problems = [
      ...cellProblems(row, places, kinds),
      ...filled.problems.map(({ placeholder, code }) => places.fillProblem(placeholder, code)),
      ...mistakes.map(({ at, message }) => places.problem(at, filled, message, 'format', true)),
      ...doubts.map(({ at, why, isError }) =>
        places.problem(at, filled, validationSentences[why], why, isError, 'identifier'),
      ),
      ...check.errors.map((one) => places.problem(one.field, filled, one.message, one.code, true)),
      ...check.warnings
        // A batch reports once, for all its rows, who is notified.
        .filter(({ code }) => code !== 'email-shared')
        .map((one) => places.problem(one.field, filled, one.message, one.code, false)),
      ...contradictingBoxes(compiled, filled, template).map(({ place, message, repairs }) => ({
        ...places.problem(placeOfField(place), filled, message, 'contradicts', true),
        repairs: [...repairs],
      })),
      ...tagProblems(content),
    ];
    const fieldAt = (at: string) => template.get(places.fieldNameOf(at, filled) ?? '');
    const offers = withListSuggestions(withoutDuplicateProblems(problems), fieldAt);
    const repaired = withRepairSuggestions(offers, row.cells, kinds, places, content, today);
    const checked = {
      row: row.row,
      problems: repaired,
      contacts: check.contacts,
      later: check.later,
      notified: notifiedPersonKeys(contactsOf(content)),
      parties: partyNames(content).length,
      key: JSON.stringify([
        withoutChangingTimes(body),
        filled.asked.filter(({ name }) => stays.has(name)),
      ]),
      personKey: personKeyOf(content),
      keptDefaults: filled.keptDefaults,
      unusual: isMergedHere ? unusualValuesOf(filled, places, template) : [],
      // The service uses fonts of its own, so the width of its text is not known.
      drawn: document === null ? [] : drawnFieldProblems(filled, places, template, isMergedHere),
    };
    return { content, fields: filled.fields, check, checked };
  };
}

function drawnFieldProblems(
  filled: FilledRow,
  places: CellLocator,
  template: ReadonlyMap<string, PdfField>,
  isError: boolean,
): readonly UnusualValue[] {
  const values = new Map(filled.fields.map(({ name, value }) => [name, value]));
  const { worked } = totalsOf(isError ? [...template.values()] : [], values);
  // A total has no cell of its own, so its index does not matter.
  const totals = [...worked].map(([name, value]) => ({ name, value, place: 0 }));
  const given = filled.fields.map((field, place) => ({ ...field, place }));
  return [...given, ...totals].flatMap(({ name, value, place }) => {
    const type = template.get(name)?.type;
    const isDrawn = type === 'text' || type === 'choice';
    if (!isDrawn || typeof value !== 'string' || value === '' || value.startsWith('{{@agr.'))
      return [];
    const problem = places.problem(placeOfField(place), filled, '', 'text-cut', isError);
    return [{ name, text: value, problem }];
  });
}

/** Values that this program writes into the PDF; the service fills the signature fields. */
function unusualValuesOf(
  filled: FilledRow,
  places: CellLocator,
  template: ReadonlyMap<string, PdfField>,
): readonly UnusualValue[] {
  return filled.fields.flatMap(({ name, value }, place) => {
    const field = template.get(name);
    const isDrawn = field === undefined || field.type === 'text' || field.type === 'choice';
    if (typeof value !== 'string' || !isDrawn || value.startsWith('{{@agr.')) return [];
    const text = drawnText(field, value);
    if (!hasUnusualCharacters(text)) return [];
    const problem = places.problem(placeOfField(place), filled, '', 'letters', true);
    return [{ name, text, problem }];
  });
}

const placeOfField = (place: number): string => `attachments.0.fields.${String(place)}.value`;

/** Boxes that one column sets to the same value although their names contradict each other. */
function contradictingBoxes(
  { fields }: CompiledMapping,
  filled: FilledRow,
  template: ReadonlyMap<string, PdfField>,
) {
  const columns = new Map(
    fields.flatMap(({ name, segments: [only, ...others] }) =>
      only?.kind === 'column' && others.length === 0 ? [[name, only.name] as const] : [],
    ),
  );
  const said = new Map(filled.asked.map(({ name, value }) => [name, value]));
  const boxes = filled.fields.flatMap(({ name, value }): FilledBox[] => {
    const source = columns.get(name);
    const word = String(said.get(name) ?? '');
    const isBlank = word === '' || isBlankWord(word);
    if (typeof value !== 'boolean' || source === undefined || isBlank) return [];
    const [box = ''] = template.get(name)?.options ?? [];
    return [{ field: name, name: box, source, isTicked: value }];
  });
  return contradictions(boxes).map(({ boxes: pair, message }) => ({
    place: filled.fields.findIndex(({ name }) => name === pair[1].field),
    message,
    repairs: pair.map(({ name }) => name),
  }));
}

/** Text that is drawn for a value; a list field shows its own words for the stored values. */
function drawnText(field: PdfField | undefined, value: string): string {
  if (field?.type !== 'choice') return String(toStoredValue(value));
  const { options = [] } = field;
  return (
    chosenOptions(field, value)
      ?.map((at) => options[at] ?? '')
      .join('') ?? value
  );
}

/** Fields whose value does not depend on the current day or the next number. */
function dayIndependentFields({ fields }: CompiledMapping): ReadonlySet<string> {
  const moves = ({ segments }: CompiledMapping['fields'][number]) =>
    segments.some(({ kind }) => kind === 'today' || kind === 'number');
  return new Set(fields.flatMap((field) => (moves(field) ? [] : [field.name])));
}

/** Returns the body without the times that depend on the day of the check. */
function withoutChangingTimes(body: FilledRow['body']): FilledRow['body'] {
  const { expireOn: _expires, deleteOn: _deletes, expireIn: _days, ...rest } = body;
  return rest;
}

function contentOf(
  { api }: CompiledMapping,
  { body, fields }: Pick<FilledRow, 'body' | 'fields'>,
  document: BatchDocument | null,
): {
  readonly content: DraftContent;
  readonly mistakes: readonly { at: string; message: string }[];
} {
  const texts = fields.map(({ name, value }) => ({ name, value: String(value) }));
  const withFields = texts.length === 0 ? {} : { fields: texts };
  if (api === 'v1') {
    const parsed = BodyV1.safeParse(body);
    const attachments: DraftBodyV1['attachments'] =
      document === null
        ? []
        : [{ type: 'BASE64', category: 'AGREEMENT', file: document.file.id, ...withFields }];
    const read = parsed.success ? parsed.data : { ...EMPTY_BODY_V1, title: titleIn(body, 'title') };
    return { content: { api, body: { ...read, attachments } }, mistakes: schemaMistakesOf(parsed) };
  }
  const parsed = BodyV2.safeParse(withDynamicFields(body, fields));
  const read = parsed.success ? parsed.data : { ...EMPTY_BODY_V2, name: titleIn(body, 'name') };
  const attachments =
    document === null ? {} : { attachments: [{ file: document.file.id, ...withFields }] };
  return {
    content: { api, body: { ...read, ...attachments } },
    mistakes: schemaMistakesOf(parsed),
  };
}

const EMPTY_BODY_V1 = { title: '', parties: [] };
const EMPTY_BODY_V2: z.infer<typeof BodyV2> = {
  name: '',
  type: 'ATTACHED',
  parties: { privates: [], companies: [] },
};

/**
 * Adds the fields to the body: v2 merges them into its own template, and requires true or false
 * for a checkbox.
 */
function withDynamicFields(body: FilledRow['body'], fields: FilledRow['fields']): unknown {
  const dynamic = body['dynamicPdf'];
  if (typeof dynamic !== 'object' || dynamic === null || fields.length === 0) return body;
  return { ...body, dynamicPdf: { ...dynamic, fields } };
}

function titleIn(body: FilledRow['body'], key: string): string {
  const title = body[key];
  return typeof title === 'string' ? title : '';
}

function schemaMistakesOf(parsed: z.ZodSafeParseResult<unknown>) {
  if (parsed.success) return [];
  return parsed.error.issues.map(({ path, message }) => ({ at: path.join('.'), message }));
}

function tagProblems(content: DraftContent): readonly RowProblem[] {
  const tags = content.api === 'v1' ? Object.keys(content.body.tags ?? {}).length : 0;
  if (tags <= MAX_BATCH_TAGS) return [];
  const message = `There can be at most ${MAX_BATCH_TAGS} tags of your own`;
  return [
    {
      column: null,
      code: 'field',
      detail: 'too-many',
      field: 'tags',
      message,
      isError: true,
      repairs: [],
    },
  ];
}

/** Keeps one cause per cell: a cell damaged by the spreadsheet is not also reported as invalid. */
function withoutDuplicateProblems(problems: readonly RowProblem[]): readonly RowProblem[] {
  const seen = new Set<string>();
  const spoiled = new Set(
    problems
      .filter(({ code }) => code !== 'field' && !WARNINGS.includes(code))
      .map(({ column }) => column),
  );
  return problems.filter(({ column, code, detail, isError }) => {
    if (code === 'field' && column !== null && spoiled.has(column) && detail === 'format')
      return false;
    const key = `${column}:${code}:${detail}:${isError}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** Adds the entries of a list field as suggestions to the problems of its cells. */
function withListSuggestions(
  problems: readonly RowProblem[],
  fieldAt: (at: string) => PdfField | undefined,
): readonly RowProblem[] {
  return problems.map((problem) => {
    if (problem.detail !== 'not-offered' || problem.column === null) return problem;
    const field = fieldAt(problem.field);
    const repairs = field === undefined ? [] : offeredOptionsOf(field);
    return { ...problem, repairs: repairs.slice(0, MAX_REPAIRS) };
  });
}

function withRepairSuggestions(
  problems: readonly RowProblem[],
  cells: readonly string[],
  kinds: ReadonlyMap<string, CellKind>,
  places: CellLocator,
  content: DraftContent,
  today: string,
): readonly RowProblem[] {
  return problems.map((problem) => {
    const { column, code, isError } = problem;
    const isOffered = problem.repairs.length > 0;
    if (!isError || column === null || isOffered || !REPAIRABLE_CODES.includes(code)) {
      return problem;
    }
    const placeholder = places.placeholderOf(column);
    const kind = placeholder === null ? 'text' : (kinds.get(placeholder) ?? 'text');
    const country = placeholder === null ? undefined : places.countryFor(placeholder, content);
    const repairs = repairsOf(kind, cells[column] ?? '', { country, today });
    return repairs.length === 0 ? problem : { ...problem, repairs: [...repairs] };
  });
}

function personKeyOf(content: DraftContent): string {
  const people =
    content.api === 'v1'
      ? content.body.parties.map((one) => one.personNumber || one.email || one.mobile || '')
      : [
          ...content.body.parties.privates.map((one) => one.personNo || one.email || ''),
          ...content.body.parties.companies.map((one) => one.orgNo || one.email || ''),
        ];
  const known = people.map((one) => one.toLowerCase()).filter((one) => one !== '');
  if (known.length === 0) return '';
  return [titleOf(content), ...known.toSorted()].join('\n');
}

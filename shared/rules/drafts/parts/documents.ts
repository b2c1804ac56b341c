import type { DraftFile, ProblemCode } from '../../../contract/drafts.ts';
import type { FileId } from '../../../model/ids.ts';
import type { PdfField, PdfForm } from '../../../contract/templates.ts';
import { type Findings, isBlank, warnOfRepeats } from './findings.ts';
import { type FittedValues, totalsOf } from '../../forms/calculate.ts';
import { fitValue, type ValueProblem } from '../../forms/field-values.ts';
import { checkProblem, formatProblem } from '../../forms/form-format.ts';
import { looksLikePlaceholder, signatureOf } from '../../forms/signature-text.ts';
import { EXCESS_COMBINING_MARKS } from '../../text/long-marks.ts';

/** Files of a draft and their forms. A file without a form in the map was not examined. */
export interface Documents {
  readonly files: readonly DraftFile[];
  readonly forms: ReadonlyMap<FileId, PdfForm>;
  /** Fields of the service's own template, if they are known (v2, `DYNAMIC_PDF`). */
  readonly template?: ReadonlyMap<string, PdfField>;
  /** Whether this program writes the values into the PDFs, although v1's service could do that. */
  readonly isMergedHere?: boolean;
}

export interface FieldValue {
  readonly name: string;
  readonly value: string;
}

export function findFile(documents: Documents, id: FileId | undefined): DraftFile | null {
  return documents.files.find((file) => file.id === id) ?? null;
}

/** Warns of one file with two names, or two files with one name: often a mistake. */
export function warnOfSameFiles(
  attachments: readonly {
    readonly file?: FileId | undefined;
    readonly name?: string | undefined;
  }[],
  documents: Documents,
  findings: Findings,
): void {
  const files = attachments.map(({ file }) => findFile(documents, file));
  const contents = files.map((file) => (file?.sha256 ? file.sha256 : null));
  const names = attachments.map(({ name }, index) => {
    const content = contents[index] ?? null;
    const isRepeat = content !== null && contents.indexOf(content) < index;
    const called = name ?? files[index]?.name ?? '';
    return called === '' || isRepeat
      ? null
      : called.replaceAll(EXCESS_COMBINING_MARKS, '').normalize().toLowerCase();
  });
  warnOfRepeats(contents, (index) => `attachments.${index}.file`, findings);
  warnOfRepeats(names, (index) => `attachments.${index}.name`, findings);
}

export function isPdf(file: DraftFile): boolean {
  return file.mimeType === 'application/pdf';
}

/** Checks the values against the PDF: the field exists and accepts the value. */
export function checkValues(
  values: readonly FieldValue[] = [],
  form: PdfForm | undefined,
  { at, isMergedHere }: { readonly at: string; readonly isMergedHere: boolean },
  findings: Findings,
): void {
  for (const [index, value] of values.entries()) {
    const place = `${at}.${index}`;
    if (isBlank(value.name)) findings.error(`${place}.name`, 'required');
    const field = form === undefined ? undefined : fieldNamed(form.fields, value.name);
    if (!isBlank(value.name) && field === undefined) {
      checkFieldName(value.name, form, `${place}.name`, findings);
    }
    checkFit(value.value, field, `${place}.value`, findings);
  }
  const names = values.map(({ name }) => name);
  warnOfRepeats(names, (index) => `${at}.${index}.name`, findings);
  warnOfTotals(values, form?.fields ?? [], { at, isMergedHere }, findings);
}

/**
 * Warns of a total that would keep its old value next to changed numbers. This program calculates
 * simple totals when it merges the PDF; the service calculates none.
 */
function warnOfTotals(
  values: readonly FieldValue[],
  fields: readonly PdfField[],
  { at, isMergedHere }: { readonly at: string; readonly isMergedHere: boolean },
  findings: Findings,
): void {
  const given = new Set(values.map(({ name }) => fieldNamed(fields, name)?.name));
  const totals = fields.filter((field) => field.calculated === true);
  const place = values.findIndex(({ name }) => totals.every((total) => total.name !== name));
  if (totals.length === 0 || place < 0) return;
  const left = isMergedHere
    ? totalsOf(fields, fittedBy(values, fields)).left
    : totals.filter(({ name }) => !given.has(name));
  const [total] = left;
  if (total === undefined) return;
  const names = left.map(({ name }) => `"${name}"`).join(', ');
  const kept = total.value === '' ? 'empty' : `"${total.value}"`;
  const message = `The form calculates ${names} from other fields, but Signing Desk does not. It stays ${kept} unless you fill it in too`;
  findings.warn(`${at}.${place}.value`, 'not-calculated', message);
}

function fittedBy(values: readonly FieldValue[], fields: readonly PdfField[]): FittedValues {
  const fitted = values.flatMap(({ name, value: text }) => {
    const field = fieldNamed(fields, name);
    const { value } = fitValue(field, text);
    return field === undefined || value === null ? [] : [[field.name, value] as const];
  });
  return new Map(fitted);
}

const problemCodeByValueProblem: Readonly<Record<ValueProblem['code'], ProblemCode>> = {
  'too-long': 'value-too-long',
  'not-offered': 'not-offered',
  'signature-field': 'not-applicable',
  'password-field': 'password-field',
};

/** Checks that the field accepts the value, by the same rule that fills it. */
export function checkFit(
  value: string | boolean,
  field: PdfField | undefined,
  at: string,
  findings: Findings,
): void {
  // A signature replaces the text, so the text need not fit.
  if (typeof value === 'string' && signatureOf(value) !== null) return;
  const { value: fitted, problem } = fitValue(field, value);
  if (problem !== null)
    findings.error(at, problemCodeByValueProblem[problem.code], problem.message);
  if (field === undefined || typeof fitted !== 'string') return;
  const unformatted = formatProblem(field, fitted);
  if (unformatted !== null) findings.warn(at, 'not-formatted', unformatted);
  const unchecked = checkProblem(field, fitted);
  if (unchecked !== null) findings.warn(at, 'not-checked', unchecked);
}

/** Finds the field with this name; a draft may use the name from an earlier program version. */
export function fieldNamed(fields: readonly PdfField[], name: string): PdfField | undefined {
  return (
    fields.find((field) => field.name === name) ??
    fields.find(({ formerName }) => formerName === name)
  );
}

/** Checks that the form has the field. Compares the full name exactly, as PDF forms do. */
export function checkFieldName(
  name: string,
  form: PdfForm | undefined,
  at: string,
  findings: Findings,
): void {
  if (form === undefined || form.fields.some((field) => field.name === name)) return;
  findings.error(at, 'no-such-field', `The PDF has no field '${name}'`);
}

/**
 * Reports a value that v1 would convert to a signature (API v1, "Field"). A complete and valid
 * value causes a warning, because it may be intended. Within other text, it is an error.
 */
export function checkSignatureText(
  value: string,
  canDraw: (party: number) => boolean,
  at: string,
  findings: Findings,
): void {
  if (!looksLikePlaceholder(value)) return;
  const party = signatureOf(value);
  if (party === null) {
    findings.error(at, 'placeholder', 'This text would be read as a placeholder of the service');
  } else if (canDraw(party)) {
    findings.warn(at, 'placeholder', 'The drawn signature of a party is placed here');
  } else {
    findings.error(at, 'placeholder', 'This party does not exist, or does not sign by drawing');
  }
}

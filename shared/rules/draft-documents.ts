import type { DraftFile } from '../contract/drafts.ts';
import type { FileId } from '../contract/ids.ts';
import type { PdfForm } from '../contract/templates.ts';
import { type Findings, lengthOf } from './draft-findings.ts';

/** The files of a draft and the forms in them; a file without a form entry was not looked into. */
export interface Documents {
  readonly files: readonly DraftFile[];
  readonly forms: ReadonlyMap<FileId, PdfForm>;
}

export interface FieldValue {
  readonly name: string;
  readonly value: string;
}

/** A text that v1 reads as "this party's drawn signature goes here". */
const SIGNATURE = /^\{\{@agr\.parties\[(\d+)\]\.signature\}\}$/;
const LIKE_SIGNATURE = /\{\{\s*@agr\./i;

export function findFile(documents: Documents, id: FileId | undefined): DraftFile | null {
  return documents.files.find((file) => file.id === id) ?? null;
}

export function isPdf(file: DraftFile): boolean {
  return file.mimeType === 'application/pdf';
}

/** What the PDF says about the values: names that exist, lengths it takes. */
export function checkValues(
  values: readonly FieldValue[],
  form: PdfForm | undefined,
  at: string,
  findings: Findings,
): void {
  if (form === undefined) return;
  for (const [index, { name, value }] of values.entries()) {
    const field = form.fields.find((one) => one.name === name);
    if (field === undefined) {
      findings.error(`${at}.${index}.name`, 'no-such-field', `The PDF has no field '${name}'`);
    } else if (field.maxLength !== undefined && lengthOf(value) > field.maxLength) {
      const most = `The field takes at most ${field.maxLength} characters`;
      findings.error(`${at}.${index}.value`, 'value-too-long', most);
    }
  }
}

/**
 * A value that v1 would turn into a signature (API v1, "Field"). It is shown when it is a whole and
 * valid one, since a person may have meant it, and refused when it is hidden in other text.
 */
export function checkSignatureText(
  value: string,
  canDraw: (party: number) => boolean,
  at: string,
  findings: Findings,
): void {
  if (!LIKE_SIGNATURE.test(value)) return;
  const found = SIGNATURE.exec(value);
  if (found === null) {
    findings.error(at, 'placeholder', 'This text would be read as a placeholder of the service');
  } else if (canDraw(Number(found[1]))) {
    findings.warn(at, 'placeholder', 'The drawn signature of a party is placed here');
  } else {
    findings.error(at, 'placeholder', 'There is no such party, or it does not sign by drawing');
  }
}

import type { Draft, DraftContent, Problem } from '../../../shared/contract/drafts.ts';
import type { FileId } from '../../../shared/model/ids.ts';
import type { PdfForm, PdfValues } from '../../../shared/contract/templates.ts';
import { signatureOf } from '../../../shared/rules/forms/signature-text.ts';
import type { DraftStore, OutgoingFile, PdfForms } from '../ports.ts';
import { restrictedPdfError } from './attach.ts';

/** Returns the values of a draft for one of its files, as entered, by field name. */
export function valuesOf(content: DraftContent, file: FileId): PdfValues {
  const attachment = content.body.attachments?.find((one) => one.file === file);
  return Object.fromEntries((attachment?.fields ?? []).map(({ name, value }) => [name, value]));
}

/** Returns the forms of a draft's PDFs, which the draft's values must fit. */
export async function readForms(
  draft: Draft,
  drafts: DraftStore,
  pdf: PdfForms,
): Promise<ReadonlyMap<FileId, PdfForm>> {
  const forms = new Map<FileId, PdfForm>();
  for (const file of draft.files) {
    if (file.fieldCount === 0 && Object.keys(valuesOf(draft.content, file.id)).length === 0)
      continue;
    if (file.mimeType !== 'application/pdf') continue;
    forms.set(file.id, await pdf.read(drafts.fileData(draft.id, file.id).data));
  }
  return forms;
}

export function originalFiles(
  draft: Draft,
  drafts: Pick<DraftStore, 'fileData'>,
): ReadonlyMap<FileId, OutgoingFile> {
  return new Map(draft.files.map(({ id }) => [id, drafts.fileData(draft.id, id)]));
}

/**
 * Returns the files in the form that is sent. API v1 merges values into a PDF itself, unless the
 * user chose that this program merges. API v2 does not, so this program merges them. With drawn
 * signatures the form is not flattened, since the service writes into its fields.
 */
export async function outgoingFiles(
  draft: Draft,
  drafts: DraftStore,
  pdf: PdfForms,
): Promise<ReadonlyMap<FileId, OutgoingFile>> {
  const { content } = draft;
  const files = new Map<FileId, OutgoingFile>();
  for (const { id, notices } of draft.files) {
    const file = drafts.fileData(draft.id, id);
    const values = valuesOf(content, id);
    if (!isMergedHere(content, id) || Object.keys(values).length === 0) {
      if (notices.includes('owner-locked')) throw restrictedPdfError();
      files.set(id, file);
      continue;
    }
    const isFlat = content.api === 'v1' || content.body.drawSignature !== true;
    files.set(id, { ...file, data: (await pdf.merge(file.data, values, isFlat)).data });
  }
  return files;
}

function isMergedHere({ api, body }: DraftContent, id: FileId): boolean {
  return (
    api === 'v2' || body.attachments.some(({ file, merge }) => file === id && merge === 'here')
  );
}

/**
 * Returns the values that are cut off in their boxes or drawn too small. If the service fills the
 * PDF, it uses its own fonts, so this is only a warning.
 */
export async function findPoorlyFittingValues(
  draft: Draft,
  drafts: DraftStore,
  pdf: PdfForms,
): Promise<readonly { readonly problem: Problem; readonly isError: boolean }[]> {
  const { content, files } = draft;
  const found: { readonly problem: Problem; readonly isError: boolean }[] = [];
  for (const [at, { file: id, fields = [] }] of (content.body.attachments ?? []).entries()) {
    const file = files.find((one) => one.id === id);
    if (id === undefined || file?.mimeType !== 'application/pdf' || fields.length === 0) continue;
    const values = fields.map(({ name, value }) => ({
      field: name,
      text: signatureOf(value) === null ? value : '',
    }));
    const fits = await pdf.textFits(drafts.fileData(draft.id, id).data, values);
    for (const [index, fit] of fits.entries()) {
      if (fit === null) continue;
      const field = `attachments.${at}.fields.${index}.value`;
      const code = fit.excess > 0 ? 'text-cut' : 'text-small';
      const isError = fit.excess > 0 && isMergedHere(content, id);
      found.push({ problem: { field, code, message: fit.message, fit }, isError });
    }
  }
  return found;
}

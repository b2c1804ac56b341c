import type {
  Draft,
  DraftCheck,
  DraftContent,
  Problem,
  ProblemCode,
} from '../../shared/contract/drafts.ts';
import type { FileId } from '../../shared/contract/ids.ts';
import type { PdfForm, PdfValues } from '../../shared/contract/templates.ts';
import { AppError, type ErrorReason } from '../../shared/errors.ts';
import { checkDraft } from '../../shared/rules/draft-check.ts';
import type { Clock, DraftStore, OutgoingFile, PdfForms, Stores } from './ports.ts';

/** The values a draft holds for one of its files, by field name. */
export function valuesOf(content: DraftContent, file: FileId): PdfValues {
  const attachment = content.body.attachments?.find((one) => one.file === file);
  return Object.fromEntries((attachment?.fields ?? []).map(({ name, value }) => [name, value]));
}

/** The forms of a draft's PDFs, which its values must fit. */
async function readForms(
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

/** The files as they were added. */
export function originalFiles(
  draft: Draft,
  drafts: Pick<DraftStore, 'fileData'>,
): ReadonlyMap<FileId, OutgoingFile> {
  return new Map(draft.files.map(({ id }) => [id, drafts.fileData(draft.id, id)]));
}

/**
 * The files as they go out. v1 merges values into a PDF itself unless the person wants it done
 * here; v2 does not, so they are merged here. With drawn signatures the form stays a form, since
 * the service writes into its fields.
 */
export async function outgoingFiles(
  draft: Draft,
  drafts: DraftStore,
  pdf: PdfForms,
): Promise<ReadonlyMap<FileId, OutgoingFile>> {
  const { content } = draft;
  const files = new Map<FileId, OutgoingFile>();
  for (const { id } of draft.files) {
    const file = drafts.fileData(draft.id, id);
    const values = valuesOf(content, id);
    if (!isMergedHere(content, id) || Object.keys(values).length === 0) {
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

/** The rules, and what only the PDFs themselves can say. */
export async function checkWhole(
  draft: Draft,
  ports: { readonly stores: Pick<Stores, 'drafts'>; readonly pdf: PdfForms; readonly clock: Clock },
): Promise<DraftCheck> {
  const { drafts } = ports.stores;
  const forms = await readForms(draft, drafts, ports.pdf);
  const check = checkDraft(draft.content, { files: draft.files, forms }, ports.clock.now());
  if (check.errors.length > 0) return check;
  return { ...check, errors: await checkMerges(draft, drafts, ports.pdf) };
}

const codes: Readonly<Partial<Record<ErrorReason, ProblemCode>>> = {
  'pdf-letters': 'letters',
  'pdf-value-too-long': 'value-too-long',
  'pdf-no-such-field': 'no-such-field',
  'pdf-no-such-option': 'format',
};

/** What only merging shows, where it is done here: letters the PDF cannot take, unknown options. */
async function checkMerges(draft: Draft, drafts: DraftStore, pdf: PdfForms): Promise<Problem[]> {
  try {
    await outgoingFiles(draft, drafts, pdf);
    return [];
  } catch (error) {
    if (!(error instanceof AppError) || error.failure.code !== 'invalid') throw error;
    const { reason, message } = error.failure;
    const code = (reason === undefined ? undefined : codes[reason]) ?? 'format';
    return [{ field: 'attachments', code, message }];
  }
}

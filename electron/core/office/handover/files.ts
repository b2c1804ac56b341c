import type { DraftFile } from '../../../../shared/contract/drafts.ts';
import { AppError, isCode } from '../../../../shared/errors.ts';
import type { SheetReader } from '../../sheet-ports.ts';

type NumberSearch = Pick<SheetReader, 'holdsNumber'>;

/** MIME types (by file name) of files whose content is searched. */
const SEARCHABLE_TYPES =
  /^text\/|^application\/vnd\.(?:openxmlformats-officedocument|oasis\.opendocument)\./u;
const PDF = 'application/pdf';

/**
 * Whether an attached file may contain a personal number. Texts inside PDFs are not searched.
 * Throws 'forbidden' with the file's name for any other file that cannot be searched.
 */
export async function attachedHoldsNumber(
  search: NumberSearch,
  { name, mimeType }: Pick<DraftFile, 'name' | 'mimeType'>,
  data: Uint8Array,
): Promise<boolean> {
  if (mimeType === PDF) return false;
  if (!SEARCHABLE_TYPES.test(mimeType)) throw unsearchableFileError(name);
  return searchedFile(search, name, data);
}

/**
 * Whether a file of any name contains a personal number. Throws 'forbidden' with the file's name if
 * the file cannot be searched.
 */
export async function searchedFile(
  search: NumberSearch,
  name: string,
  data: Uint8Array,
): Promise<boolean> {
  try {
    return await search.holdsNumber(data);
  } catch (error) {
    if (isCode(error, 'invalid')) throw unsearchableFileError(name, error);
    throw error;
  }
}

function unsearchableFileError(name: string, cause?: unknown): AppError {
  const message = `${name} cannot be searched for personal numbers, which that user may not see. Remove the file, or save it as a PDF, .docx, .xlsx or .txt`;
  return new AppError('forbidden', message, { reason: 'file-unsearched', file: name, cause });
}

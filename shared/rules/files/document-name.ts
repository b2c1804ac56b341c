import type { AgreementDocument } from '../../model/agreement.ts';
import { foldName, safeStem } from './file-name.ts';

const UNNAMED_DOCUMENT = 'attachment';
/** The part after the last dot, if it can be an extension. */
const DOCUMENT_EXTENSION_PATTERN = /\.([a-z0-9]{1,8})$/i;

/** Extensions of each media type (IANA, RFC 6838); the first is added to a name without any. */
const extensionsByType: ReadonlyMap<string, readonly string[]> = new Map([
  ['application/pdf', ['pdf']],
  ['application/json', ['json']],
  ['application/xml', ['xml']],
  ['application/zip', ['zip']],
  ['application/rtf', ['rtf']],
  ['application/msword', ['doc']],
  ['application/vnd.ms-excel', ['xls']],
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', ['docx']],
  ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', ['xlsx']],
  ['application/vnd.openxmlformats-officedocument.presentationml.presentation', ['pptx']],
  ['application/vnd.oasis.opendocument.text', ['odt']],
  ['image/jpeg', ['jpg', 'jpeg']],
  ['image/png', ['png']],
  ['image/gif', ['gif']],
  ['image/tiff', ['tif', 'tiff']],
  ['image/svg+xml', ['svg']],
  ['text/plain', ['txt', 'text', 'log', 'md']],
  ['text/csv', ['csv']],
  ['text/xml', ['xml']],
  ['text/html', ['html', 'htm']],
]);

/**
 * Returns the file name of an attachment: valid on every system, never a path, and with an
 * extension of its type, so that a program cannot look like a document. For an unknown type, `.bin`
 * follows the original extension.
 *
 * @param taken names already in the folder, each through `foldName`; a duplicate gets a number
 */
export function documentName(
  { name, mimeType }: Pick<AgreementDocument, 'name' | 'mimeType'>,
  taken: { has(folded: string): boolean },
): string {
  const ending = DOCUMENT_EXTENSION_PATTERN.exec(name)?.[1] ?? null;
  const type = mimeType?.split(';')[0]?.trim().toLowerCase() ?? '';
  const allowed = extensionsByType.get(type) ?? ['bin'];
  const isAllowed = ending !== null && allowed.includes(ending.toLowerCase());
  const stem = safeStem(isAllowed ? name.slice(0, -ending.length - 1) : name) || UNNAMED_DOCUMENT;
  const suffix = isAllowed ? ending.toLowerCase() : (allowed[0] ?? 'bin');
  let free = `${stem}.${suffix}`;
  for (let copy = 2; taken.has(foldName(free)); copy += 1) free = `${stem} (${copy}).${suffix}`;
  return free;
}

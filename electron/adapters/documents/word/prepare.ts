import type { AppError } from '../../../../shared/errors.ts';
import type { MergeCode } from '../../../core/documents/ports.ts';
import { openZip, type Zip } from '../../sheets/read/zip.ts';
import type { ZipEntry } from '../../sheets/write/zip.ts';
import { documentError, PASSWORD_MESSAGE } from '../refuse.ts';
import { cleanPart, withDocumentErrors, zipOf } from './clean-parts.ts';
import { markCodes } from './merge-codes.ts';
import { elementsIn, parseTree, printTree } from './xml-tree.ts';

/** A document that is safe to give to LibreOffice. */
export interface PreparedDocument {
  readonly data: Uint8Array;
  readonly ending: 'docx' | 'odt';
  /** Word: codes are marked. OpenDocument: there are codes, but they are not marked. */
  readonly hasAnchors: boolean;
  readonly codes: readonly MergeCode[];
}

/** Parts of a Word file that hold text. */
const TEXT_PARTS = /^word\/(?:document|header|footer|footnotes|endnotes)\d*\.xml$/iu;
/** Parts of an OpenDocument text that hold text. */
const OPEN_DOCUMENT_PARTS = /^(?:content|styles)\.xml$/iu;
/** Macros and their parts, which are not read. */
const MACROS =
  /(?:^|\/)(?:vbaProject|vbaData)[^/]*$|^(?:Basic|Scripts)\/|\/attachedToolbars\.bin$/iu;

/**
 * Removes external references and macros from a Word or OpenDocument text and, if requested, marks
 * its codes. Throws 'document-kind', 'document-damaged', 'document-password' or 'document-limit'.
 */
export async function prepareDocument(
  data: Uint8Array,
  withCodes: boolean,
): Promise<PreparedDocument> {
  const zip = await withDocumentErrors(() => openZip(data));
  const isWord = await packageKindOf(zip);
  const codes: MergeCode[] = [];
  let hasAnchors = false;
  const entries: ZipEntry[] = [];
  for (const name of zip.names) {
    if (name.endsWith('/') || (MACROS.test(name) && !isWord)) continue;
    const bytes = await withDocumentErrors(() => zip.read(name));
    entries.push({ name, text: [marked(name, await cleanPart(name, bytes))] });
  }
  const ending = isWord ? 'docx' : 'odt';
  return { data: await zipOf(entries), ending, hasAnchors, codes };

  function marked(name: string, part: string | Uint8Array): string | Uint8Array {
    if (!isWord && withCodes && OPEN_DOCUMENT_PARTS.test(name)) hasAnchors ||= hasTypedCodes(part);
    if (!isWord || !withCodes || !TEXT_PARTS.test(name)) return part;
    const root = parseTree(typeof part === 'string' ? Buffer.from(part) : part);
    if (!markCodes(root, codes)) return part;
    hasAnchors = true;
    return printTree(root);
  }
}

/** Whether the text contains a name in braces, even if its characters are in several pieces. */
function hasTypedCodes(part: string | Uint8Array): boolean {
  const text = typeof part === 'string' ? part : Buffer.from(part).toString('utf8');
  return text.replaceAll(/<[^<>]*>/g, '').includes('{{');
}

/** Whether a ZIP file is a Word document; false if it is an OpenDocument text. */
async function packageKindOf(zip: Zip): Promise<boolean> {
  const types = zip.find('[Content_Types].xml');
  if (types !== undefined) {
    const list = parseTree(await withDocumentErrors(() => zip.read(types)));
    const isText = [...elementsIn(list)].some(({ attributes }) =>
      /wordprocessingml\.(?:document|template)\.main|ms-word\.(?:document|template)\.macroEnabled/iu.test(
        attributes['ContentType'] ?? '',
      ),
    );
    if (isText) return true;
    throw spreadsheetKindError();
  }
  const type = zip.find('mimetype');
  if (type === undefined) throw spreadsheetKindError();
  const mime = Buffer.from(await withDocumentErrors(() => zip.read(type))).toString('latin1');
  if (!/^application\/vnd\.oasis\.opendocument\.text(?:-template)?\s*$/u.test(mime))
    throw spreadsheetKindError();
  const manifest = zip.find('META-INF/manifest.xml');
  const parts =
    manifest === undefined ? null : parseTree(await withDocumentErrors(() => zip.read(manifest)));
  const isSealed = [...(parts === null ? [] : elementsIn(parts))].some(({ name }) =>
    name.endsWith(':encryption-data'),
  );
  if (isSealed) throw documentError('document-password', PASSWORD_MESSAGE);
  return false;
}

const spreadsheetKindError = (): AppError =>
  documentError(
    'document-kind',
    'The file is a spreadsheet, a presentation, an archive or a book. Save it as a PDF in its own program',
  );

import { AppError, type ErrorReason } from '../../../../shared/errors.ts';
import type { MergeCode } from '../../../core/documents/ports.ts';
import { openZip, type Zip } from '../../sheets/read/zip.ts';
import { writeZip, type ZipEntry } from '../../sheets/write/zip.ts';
import { DAMAGED, refuse, WITH_PASSWORD } from '../refuse.ts';
import { refuseOutsideWithin } from '../outside/refuse-outside.ts';
import { markCodes } from './merge-codes.ts';
import { type Element, elementsIn, parseTree, printTree } from './xml-tree.ts';

/** A document as it may be given to LibreOffice. */
export interface PreparedDocument {
  readonly data: Uint8Array;
  readonly ending: 'docx' | 'odt';
  readonly hasAnchors: boolean;
  readonly codes: readonly MergeCode[];
}

/** Parts of a Word file that hold text. */
const TEXT_PARTS = /^word\/(?:document|header|footer|footnotes|endnotes)\d*\.xml$/iu;
const RELATIONS = /\.rels$/iu;
/** Code, and what belongs to it: nothing of it is looked at. */
const MACROS =
  /(?:^|\/)(?:vbaProject|vbaData)[^/]*$|^(?:Basic|Scripts)\/|\/attachedToolbars\.bin$/iu;
const ODT_PARTS = new Set(['content.xml', 'styles.xml']);

/**
 * Takes out of a Word or OpenDocument text what leads out of it, macros too, and, when asked, marks
 * its codes. Throws 'document-kind', 'document-damaged', 'document-password' or 'document-limit'.
 */
export async function prepareDocument(
  data: Uint8Array,
  withCodes: boolean,
): Promise<PreparedDocument> {
  const zip = await orRefused(() => openZip(data));
  const isWord = await kindIn(zip);
  const codes: MergeCode[] = [];
  let hasAnchors = false;
  const entries: ZipEntry[] = [];
  for (const name of zip.names) {
    if (name.endsWith('/') || (MACROS.test(name) && !isWord)) continue;
    const bytes = await orRefused(() => zip.read(name));
    refuseOutsideWithin(bytes);
    entries.push({ name, text: [rewritten(name, bytes)] });
  }
  const chunks: Uint8Array[] = [];
  for await (const chunk of writeZip(entries)) chunks.push(chunk);
  const ending = isWord ? 'docx' : 'odt';
  return { data: Buffer.concat(chunks), ending, hasAnchors, codes };

  function rewritten(name: string, bytes: Uint8Array): string | Uint8Array {
    if (!isWord) return ODT_PARTS.has(name) ? withoutLinks(bytes) : bytes;
    if (RELATIONS.test(name)) return withoutTargets(bytes);
    if (!withCodes || !TEXT_PARTS.test(name)) return bytes;
    const root = parseTree(bytes);
    if (!markCodes(root, codes)) return bytes;
    hasAnchors = true;
    return printTree(root);
  }
}

/** Whether it is of Word; else an OpenDocument text. */
async function kindIn(zip: Zip): Promise<boolean> {
  const types = zip.find('[Content_Types].xml');
  if (types !== undefined) {
    const list = parseTree(await orRefused(() => zip.read(types)));
    const isText = [...elementsIn(list)].some(({ attributes }) =>
      /wordprocessingml\.(?:document|template)\.main|ms-word\.(?:document|template)\.macroEnabled/iu.test(
        attributes['ContentType'] ?? '',
      ),
    );
    if (isText) return true;
    throw otherKind();
  }
  const type = zip.find('mimetype');
  if (type === undefined) throw otherKind();
  const mime = Buffer.from(await orRefused(() => zip.read(type))).toString('latin1');
  if (!/^application\/vnd\.oasis\.opendocument\.text(?:-template)?\s*$/u.test(mime))
    throw otherKind();
  const manifest = zip.find('META-INF/manifest.xml');
  const parts =
    manifest === undefined ? null : parseTree(await orRefused(() => zip.read(manifest)));
  const isSealed = [...(parts === null ? [] : elementsIn(parts))].some(({ name }) =>
    name.endsWith(':encryption-data'),
  );
  if (isSealed) throw refuse('document-password', WITH_PASSWORD);
  return false;
}

const otherKind = (): AppError =>
  refuse(
    'document-kind',
    'The file is a sheet, a presentation, an archive or a book; save it as a PDF in its own program',
  );

/**
 * Pictures and objects that lie elsewhere would be read from there, from this computer too; a link
 * that a reader may click stays.
 */
function withoutTargets(bytes: Uint8Array): string | Uint8Array {
  const root = parseTree(bytes);
  const isLead = ({ attributes: { TargetMode, Type = '' } }: Element) =>
    TargetMode?.toLowerCase() === 'external' && !/\/hyperlink$/iu.test(Type);
  const isMacro = ({ attributes: { Type = '' } }: Element) => /\/vbaProject$/iu.test(Type);
  const found = root.children.filter(
    (one) => typeof one !== 'string' && (isLead(one) || isMacro(one)),
  );
  if (found.length === 0) return bytes;
  root.children = root.children.filter((one) => !found.includes(one));
  return printTree(root);
}

/** Leaves links to be clicked, and what lies in the file itself. */
function withoutLinks(bytes: Uint8Array): string | Uint8Array {
  const root = parseTree(bytes);
  let isChanged = false;
  for (const { name, attributes } of elementsIn(root)) {
    const isClicked = name === 'text:a' || name === 'draw:a' || name === 'form:button';
    const target = attributes['xlink:href'];
    const isEvent = name === 'script:event-listener';
    if (target === undefined || (isClicked && !isEvent) || isInside(target)) continue;
    // Gone with its name and its filter: a link that leads nowhere is looked for all the same.
    for (const key of Object.keys(attributes)) {
      if (key.startsWith('xlink:') || key === 'text:filter-name') delete attributes[key];
    }
    isChanged = true;
  }
  return isChanged ? printTree(root) : bytes;
}

/** A path within the file: without a scheme, and not upwards. */
const isInside = (target: string): boolean =>
  target === '' ||
  target.startsWith('#') ||
  !/^[a-z][a-z0-9+.-]*:|^\/|^\\|^\.\.|^\.\/\.\./iu.test(target);

type Refusal = readonly [Parameters<typeof refuse>[0], string];
const REASONS = new Map<ErrorReason | undefined, Refusal>([
  ['sheet-password', ['document-password', WITH_PASSWORD]],
  ['sheet-bomb', ['document-limit', 'The document unpacks to more than can be taken']],
  ['sheet-damaged', ['document-damaged', DAMAGED]],
]);

/** Zips are read as those of sheets are; only the words are others. */
async function orRefused<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { reason } = error.failure;
    const known = REASONS.get(reason);
    throw known === undefined ? error : refuse(known[0], known[1], error);
  }
}

import { AppError, type ErrorReason } from '../../../../shared/errors.ts';
import { openZip } from '../../sheets/read/zip.ts';
import { writeZip, type ZipEntry } from '../../sheets/write/zip.ts';
import { streamsIn } from '../outside/compound-file.ts';
import { rejectOutsideWithin, rejectIfReadsOutside } from '../outside/refuse-outside.ts';
import { drawingReadsOutside } from '../outside/svg.ts';
import { DAMAGED_MESSAGE, documentError, PASSWORD_MESSAGE } from '../refuse.ts';
import { type Element, elementsIn, parseTree, printTree } from './xml-tree.ts';

/*
 * Removes external references from the parts of a document of any kind: a text may contain a sheet,
 * which contains a text.
 */

const RELATIONSHIP_PARTS = /\.rels$/iu;
/**
 * Parts of an OpenDocument file that may contain links, at any depth: each object in a text has its
 * own parts.
 */
const LINKING_PARTS = /(?:^|\/)(?:content|styles)\.xml$/iu;
const XLINK = 'www.w3.org/1999/xlink';
/** Maximum levels of documents within the given document. */
const MAX_PACKAGE_DEPTH = 3;
const ZIP = Buffer.from('PK\u0003\u0004');
const COMPOUND_MAGIC = Buffer.from('d0cf11e0a1b11ae1', 'hex');

/**
 * Returns the part, unchanged if it has no external references. Throws as `prepareDocument` does.
 */
export async function cleanPart(
  name: string,
  bytes: Uint8Array,
  within = 0,
): Promise<string | Uint8Array> {
  if (beginsWith(bytes, ZIP)) return cleanZip(bytes, within + 1);
  rejectOutsideWithin(bytes);
  if (beginsWith(bytes, COMPOUND_MAGIC)) await rejectLinkedPackages(bytes, within);
  if (RELATIONSHIP_PARTS.test(name)) return withoutTargets(bytes);
  if (LINKING_PARTS.test(name)) return withoutLinks(bytes);
  rejectIfReadsOutside(drawingReadsOutside(bytes));
  return isLinking(name, bytes) ? withoutLinks(bytes) : bytes;
}

/**
 * Throws 'document-outside' if a document within a compound file has external references, which
 * cannot be removed there.
 */
export async function rejectLinkedPackages(data: Uint8Array, within = 0): Promise<void> {
  for (const { read } of streamsIn(data)) {
    const stream = read();
    if (!beginsWith(stream, ZIP)) continue;
    rejectIfReadsOutside((await cleanZip(stream, within + 1)) !== stream);
  }
}

async function cleanZip(data: Uint8Array, within: number): Promise<Uint8Array> {
  if (within > MAX_PACKAGE_DEPTH) {
    throw documentError(
      'document-limit',
      'The document contains documents within documents, on too many levels. Save it as a PDF in its own program',
    );
  }
  const zip = await withDocumentErrors(() => openZip(data));
  const entries: ZipEntry[] = [];
  let isChanged = false;
  for (const name of zip.names) {
    if (name.endsWith('/')) continue;
    const bytes = await withDocumentErrors(() => zip.read(name));
    const cleaned = await cleanPart(name, bytes, within);
    isChanged ||= cleaned !== bytes;
    entries.push({ name, text: [cleaned] });
  }
  return isChanged ? zipOf(entries) : data;
}

export async function zipOf(entries: readonly ZipEntry[]): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of writeZip(entries)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const beginsWith = (data: Uint8Array, sign: Buffer): boolean =>
  sign.equals(data.subarray(0, sign.length));

/** Whether a part is XML with links; empty and non-XML parts have none. */
function isLinking(name: string, bytes: Uint8Array): boolean {
  if (!/\.xml$/iu.test(name)) return false;
  return Buffer.from(bytes).toString('latin1').replaceAll('\0', '').includes(XLINK);
}

/**
 * Removes the targets of external pictures and objects, which a program would load, even from this
 * computer. Links for a reader to click stay.
 */
function withoutTargets(bytes: Uint8Array): string | Uint8Array {
  const root = parseTree(bytes);
  const isLead = ({ attributes: { TargetMode, Target = '', Type = '' } }: Element) =>
    (TargetMode?.toLowerCase() === 'external' || SCHEME.test(Target)) &&
    !/\/hyperlink$/iu.test(Type);
  const isMacro = ({ attributes: { Type = '' } }: Element) => /\/vbaProject$/iu.test(Type);
  const found = root.children.filter(
    (one) => typeof one !== 'string' && (isLead(one) || isMacro(one)),
  );
  if (found.length === 0) return bytes;
  root.children = root.children.filter((one) => !found.includes(one));
  return printTree(root);
}

const SCHEME = /^\s*[a-z][a-z0-9+.-]*:/iu;

/**
 * Removes links to external content. Links to click, and links within the file, stay. The
 * attributes are recognized with any namespace prefix.
 */
function withoutLinks(bytes: Uint8Array): string | Uint8Array {
  const root = parseTree(bytes);
  let isChanged = false;
  for (const { name, attributes } of elementsIn(root)) {
    const isClicked = ['a', 'button'].includes(localNameOf(name));
    for (const [key, target] of Object.entries(attributes)) {
      const isStaying = localNameOf(key) === 'href' && isClicked;
      if (!LINK_ATTRIBUTES.has(localNameOf(key)) && !DDE_ATTRIBUTE.test(localNameOf(key))) continue;
      if (isStaying || (isPackageTarget(target) && !DDE_ATTRIBUTE.test(localNameOf(key)))) continue;
      isChanged = true;
      // The type and filter of the link are removed too: a link without a target would still be
      // followed.
      for (const other of Object.keys(attributes)) {
        const isOfLink = key.includes(':') && other.startsWith(key.slice(0, key.indexOf(':') + 1));
        const isXlink = isOfLink && localNameOf(key) === 'href';
        if (other === key || isXlink || localNameOf(other) === 'filter-name')
          delete attributes[other];
      }
    }
  }
  return isChanged ? printTree(root) : bytes;
}

/** Attributes that link to other files, or to the picture of a form. */
const LINK_ATTRIBUTES: ReadonlySet<string> = new Set(['href', 'image-data']);
/** Attributes that name data of another running program. */
const DDE_ATTRIBUTE = /^dde-(?:application|topic|item)$/u;

const localNameOf = (name: string): string => name.slice(name.indexOf(':') + 1);

/** Whether a target is a path within the file: without a scheme, and not upwards. */
function isPackageTarget(target: string): boolean {
  const path = target
    .trim()
    .replaceAll(/%2e/giu, '.')
    .replaceAll(/%(?:2f|5c)|\\/giu, '/');
  if (path === '' || path.startsWith('#')) return true;
  return !/^[a-z][a-z0-9+.-]*:|^\/|(?:^|\/)\.\.(?:\/|$)|%3a/iu.test(path);
}

type Refusal = readonly [Parameters<typeof documentError>[0], string];
const REFUSAL_BY_REASON = new Map<ErrorReason | undefined, Refusal>([
  ['sheet-password', ['document-password', PASSWORD_MESSAGE]],
  ['sheet-bomb', ['document-limit', 'The document is too large when unpacked']],
  ['sheet-damaged', ['document-damaged', DAMAGED_MESSAGE]],
]);

/**
 * Converts the errors of spreadsheets to those of documents: their ZIP files are read by the same
 * code, only the messages differ.
 */
export async function withDocumentErrors<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { reason } = error.failure;
    const known = REFUSAL_BY_REASON.get(reason);
    throw known === undefined ? error : documentError(known[0], known[1], error);
  }
}

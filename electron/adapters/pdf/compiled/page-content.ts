import { inflateSync, constants } from 'node:zlib';
import {
  decodePDFRawStream,
  PDFArray,
  type PDFContext,
  PDFDict,
  PDFName,
  type PDFObject,
  type PDFPage,
  PDFRawStream,
  PDFRef,
  PDFStream,
} from 'pdf-lib';
import { numberIn } from '../dict-values.ts';
import { withoutPredictor } from '../predictor.ts';
import { findUnclosedContent } from './content-operators.ts';

const { Contents: CONTENTS } = PDFName;
const FILTER = PDFName.of('Filter');
const PARAMETERS = PDFName.of('DecodeParms');
const FLATE = PDFName.of('FlateDecode');
const LONG_NAMES = Object.entries({
  Fl: 'FlateDecode',
  LZW: 'LZWDecode',
  A85: 'ASCII85Decode',
  AHx: 'ASCIIHexDecode',
  RL: 'RunLengthDecode',
}).map(([short, long]) => [PDFName.of(short), PDFName.of(long)] as const);
/** Maximum bytes of a page's content; a page with a drawing has a tenth of it. */
const MAX_CONTENT_BYTES = 64 * 1024 * 1024;
/** Maximum bytes of content in other encodings, which pdf-lib decodes without its own limit. */
const MAX_PACKED = 256 * 1024;
const NEW_LINE = Buffer.from('\n');
const SPACE = 0x20;

/**
 * Appends drawing operators to the content of a page, with the graphics state at the start of the
 * page. Open structures of the content (saved states, text, marked content, a truncated string) are
 * ended first, and a `Q` without a `q`, which viewers ignore, is removed.
 */
export function drawBehind(page: PDFPage, operators: string): void {
  const { node } = page;
  const { context } = page.doc;
  const entry = node.get(CONTENTS);
  const held = node.lookup(CONTENTS);
  const own = held instanceof PDFArray ? held.asArray() : [entry];
  const content = contentOf(own.map((one) => context.lookup(one)));
  const { saved, marked, isText, ending, surplus } = findUnclosedContent(
    content ?? Buffer.alloc(0),
  );
  if (content !== null) for (const at of surplus) content[at] = SPACE;
  const kept = content === null || surplus.length === 0 ? own : [registerContent(context, content)];
  const closing = [
    ending,
    ...(isText ? ['ET'] : []),
    ...repeatOperator('EMC', marked),
    ...repeatOperator('Q', saved),
  ];
  node.set(
    CONTENTS,
    // A new array is written, because two pages may share theirs.
    context.obj([
      registerContent(context, Buffer.from('q\n')),
      ...kept.filter((one) => one !== undefined),
      registerContent(context, Buffer.from(['\n', ...closing, 'Q', operators].join('\n'))),
    ]),
  );
}

/**
 * Adds an object to the resources of a page and returns its name with the slash: the wanted name,
 * or a longer one if it is taken.
 */
export function addPageResource(
  { node, doc: { context } }: PDFPage,
  kind: 'XObject' | 'Properties',
  wanted: string,
  ref: PDFRef,
): string {
  const resources = node.Resources() ?? context.obj({});
  node.set(PDFName.Resources, resources);
  const held = resources.lookup(PDFName.of(kind));
  const named = held instanceof PDFDict ? held : context.obj({});
  if (named !== held) resources.set(PDFName.of(kind), named);
  let name = PDFName.of(wanted);
  for (let more = 1; named.has(name) && named.get(name) !== ref; more += 1) {
    name = PDFName.of(`${wanted}_${more}`);
  }
  named.set(name, ref);
  return name.toString();
}

const repeatOperator = (operator: string, times: number): readonly string[] =>
  Array.from({ length: times }, () => operator);

const registerContent = (context: PDFContext, content: Uint8Array): PDFRef =>
  context.register(context.flateStream(content));

/** Returns the whole content of a page; null if a part of it cannot be decoded by this program. */
function contentOf(parts: readonly unknown[]): Buffer | null {
  const read = parts.filter((part) => part instanceof PDFStream).map(bytesOf);
  const all = read.filter((bytes) => bytes !== null);
  return all.length < read.length ? null : Buffer.concat(all.flatMap((part) => [part, NEW_LINE]));
}

function bytesOf(stream: PDFStream): Uint8Array | null {
  if (!(stream instanceof PDFRawStream)) return null;
  const filters = listIn(stream.dict, FILTER).map(longFilterName);
  const parameters = listIn(stream.dict, PARAMETERS);
  const predicted = parameters.filter((one) => one instanceof PDFDict && isPredicted(one));
  const [only] = filters;
  try {
    if (filters.length === 1 && only === FLATE) {
      // A truncated stream is read as far as possible.
      const finishFlush = constants.Z_SYNC_FLUSH;
      const packed = inflateSync(stream.contents, {
        finishFlush,
        maxOutputLength: MAX_CONTENT_BYTES,
      });
      const [predictor] = predicted;
      if (!(predictor instanceof PDFDict)) return packed;
      return withoutPredictor(packed, numberIn(predictor, 'Columns') ?? 1);
    }
    // pdf-lib does not support predictors.
    if (stream.contents.length > MAX_PACKED || predicted.length > 0) return null;
    const dict = stream.dict.clone();
    dict.set(FILTER, dict.context.obj(filters));
    if (parameters.length > 0) dict.set(PARAMETERS, dict.context.obj(parameters));
    return decodePDFRawStream(PDFRawStream.of(dict, stream.contents)).decode();
  } catch {
    return null;
  }
}

/** Returns the items of an array entry, or the single value of any other entry. */
function listIn(dict: PDFDict, key: PDFName): PDFObject[] {
  const held = dict.lookup(key);
  if (held instanceof PDFArray) return held.asArray().flatMap((_, at) => held.lookup(at) ?? []);
  return held === undefined ? [] : [held];
}

/**
 * Returns the long name of a filter. Filters may have short names too, although these are meant for
 * inline images (PDF 1.7, 8.9.7).
 */
const longFilterName = (filter: PDFObject): PDFObject =>
  LONG_NAMES.find(([short]) => short === filter)?.[1] ?? filter;

function isPredicted(parameters: PDFDict): boolean {
  return (numberIn(parameters, 'Predictor') ?? 1) > 1;
}

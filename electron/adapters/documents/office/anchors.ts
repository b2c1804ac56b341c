import {
  decodePDFRawStream,
  PDFArray,
  PDFDict,
  PDFDocument,
  PDFName,
  PDFRawStream,
  PDFRef,
} from 'pdf-lib';
import { ANCHOR_COLOUR } from '../word/merge-codes.ts';

const ANCHOR_RGB = [0, 2, 4]
  .map((at) => Number.parseInt(ANCHOR_COLOUR.slice(at, at + 2), 16))
  .join(' ');
const MAX_COLOUR_VALUE = 255;

/** Returns the PDF without the texts in the anchor colour; everything else keeps its position. */
export async function withoutAnchors(data: Uint8Array): Promise<Uint8Array> {
  const document = await PDFDocument.load(data, { updateMetadata: false });
  const { context } = document;
  const contents = new Set(
    document.getPages().flatMap(({ node }) => {
      const entry = node.get(PDFName.of('Contents'));
      const list = entry instanceof PDFRef ? context.lookup(entry) : entry;
      return list instanceof PDFArray ? list.asArray() : entry === undefined ? [] : [entry];
    }),
  );
  for (const [ref, object] of context.enumerateIndirectObjects()) {
    if (!(object instanceof PDFRawStream)) continue;
    const isForm = object.dict.get(PDFName.of('Subtype')) === PDFName.of('Form');
    if (!isForm && !contents.has(ref)) continue;
    const before = Buffer.from(decodePDFRawStream(object).decode()).toString('latin1');
    const after = withoutColour(before);
    if (after === before) continue;
    const made = context.flateStream(Buffer.from(after, 'latin1'));
    for (const [key, value] of kept(object.dict)) made.dict.set(key, value);
    context.assign(ref, made);
  }
  return document.save({ updateFieldAppearances: false, addDefaultPage: false });
}

const STREAM_ENCODING_KEYS = new Set(['/Length', '/Filter', '/DecodeParms']);
const kept = (dict: PDFDict) =>
  dict.entries().filter(([key]) => !STREAM_ENCODING_KEYS.has(key.asString()));

const TEXT_SHOWING_OPERATORS = new Set(['Tj', 'TJ', "'", '"']);
/**
 * A token of a content stream (PDF 1.7, 7.8.2); strings and inline images are skipped separately.
 */
const TOKEN = /[^\s()<>[\]{}/%]+/y;
const SPACE = /[\s\u0000]+|%[^\r\n]*/y;

/** @internal */
export function withoutColour(source: string): string {
  const kept: string[] = [];
  const colours: string[] = [];
  let colour = '';
  let from = 0;
  for (const { name, start, end, operands } of operatorsIn(source)) {
    if (name === 'q') colours.push(colour);
    if (name === 'Q') colour = colours.pop() ?? '';
    if (name === 'rg') colour = bytesOf(operands);
    if (name === 'g' || name === 'k' || name === 'scn' || name === 'sc' || name === 'cs')
      colour = '';
    if (colour !== ANCHOR_RGB) continue;
    const isSaid = name === 'BDC' && operands.includes('ActualText');
    if (!TEXT_SHOWING_OPERATORS.has(name) && !isSaid) continue;
    kept.push(source.slice(from, start));
    // The ActualText is removed too. Its EMC stays, and needs a start of marked content.
    if (isSaid) kept.push('/Span BMC');
    from = end;
  }
  return kept.length === 0 ? source : kept.join('') + source.slice(from);
}

function bytesOf(operands: string): string {
  const numbers = operands.trim().split(/\s+/u);
  return numbers.map((one) => String(Math.round(Number(one) * MAX_COLOUR_VALUE))).join(' ');
}

interface Operator {
  readonly name: string;
  /** Position of the operator's first operand. */
  readonly start: number;
  readonly end: number;
  readonly operands: string;
}

function* operatorsIn(source: string): Generator<Operator> {
  let at = 0;
  let start: number | null = null;
  while (at < source.length) {
    SPACE.lastIndex = at;
    if (SPACE.test(source)) {
      at = SPACE.lastIndex;
      continue;
    }
    start ??= at;
    const sign = source[at] ?? '';
    TOKEN.lastIndex = at;
    if (sign === '(') at = endOfString(source, at);
    else if (sign === '/') {
      TOKEN.lastIndex = at + 1;
      at = TOKEN.test(source) ? TOKEN.lastIndex : at + 1;
    } else if (!TOKEN.test(source)) at += 1;
    else {
      const token = source.slice(at, TOKEN.lastIndex);
      const place = at;
      at = TOKEN.lastIndex;
      // Numbers, and the digits between angle brackets, are operands.
      if (/^[+\-.\d]/u.test(token) || source[place - 1] === '<' || isWord(token)) continue;
      if (token === 'ID') at = endOfInlineImage(source, at);
      yield { name: token, start, end: at, operands: source.slice(start, place) };
      start = null;
    }
  }
}

const isWord = (token: string): boolean =>
  token === 'true' || token === 'false' || token === 'null';

function endOfString(source: string, from: number): number {
  let depth = 0;
  for (let at = from; at < source.length; at += 1) {
    const sign = source[at];
    if (sign === '\\') at += 1;
    else if (sign === '(') depth += 1;
    else if (sign === ')') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return source.length;
}

/** Returns the end of an inline image: its bytes follow `ID`, up to a separate `EI`. */
function endOfInlineImage(source: string, from: number): number {
  const end = /\sEI(?=\s|$)/gu;
  end.lastIndex = from;
  return end.test(source) ? end.lastIndex : source.length;
}

import { isReason } from '../../../../shared/errors.ts';
import { containsPersonNumber } from '../../../../shared/rules/people/personal-numbers.ts';
import { sheetError } from './refuse.ts';
import { charactersOf } from './text.ts';
import { type Attributes, decodeOfficeText, readXml, type XmlReader } from './xml.ts';
import { openZip, type Zip } from './zip.ts';

/*
 * Searches every text of a file, displayed or not: comments, formulas, properties, names. The
 * displayed cells are searched separately, when rows are read.
 */

const XML_PART = /\.(?:xml|rels|vml|svg|rdf)$/i;
/** Pictures, fonts, and settings of printers and layout, which contain no text. */
const NON_TEXT_PARTS =
  /\.(?:png|jpe?g|jfif|gif|bmp|tiff?|emf|wmf|wdp|ico|odttf|fntdata|ttf|otf)$|(?:^|\/)printerSettings\d*\.bin$|^layout-cache$|^ObjectReplacements\/|^settings\.xml$/i;
const BEGINS_AS_XML = /^\uFEFF?\s*<(?:\?xml|office:document)\b/;
const CONTROL = /[\u0000-\u0008\u000E-\u001F\uFFFE\uFFFF]/;
/** Maximum levels of documents within the given document. */
const MAX_ARCHIVE_DEPTH = 2;

/**
 * Whether a text file, or a document that is a ZIP file of XML parts, contains a certain or
 * possible personal number in any of its texts. Throws 'invalid' with a reason `sheet-…` if it
 * cannot be searched.
 */
export async function holdsNumber(data: Uint8Array, within = 0): Promise<boolean> {
  if (data[0] === 0x50 && data[1] === 0x4b) return hasZipPersonNumber(await openZip(data), within);
  const text = charactersOf(data);
  if (CONTROL.test(text))
    throw sheetError('sheet-kind', 'The file is not a text that can be searched');
  if (BEGINS_AS_XML.test(text)) {
    const found = await hasXmlPersonNumber('The file', [data]).catch(() => null);
    if (found !== null) return found;
  }
  return containsPersonNumber(text);
}

async function hasZipPersonNumber(zip: Zip, within: number): Promise<boolean> {
  if (within > MAX_ARCHIVE_DEPTH) {
    throw sheetError(
      'sheet-limit',
      'The file contains files within files that are nested too deeply to be searched',
    );
  }
  for (const name of zip.names) {
    if (containsPersonNumber(name)) return true;
    if (name.endsWith('/') || NON_TEXT_PARTS.test(name)) continue;
    if (await hasPartPersonNumber(zip, name, within)) return true;
  }
  return false;
}

async function hasPartPersonNumber(zip: Zip, name: string, within: number): Promise<boolean> {
  if (XML_PART.test(name)) {
    const found = await hasXmlPersonNumber(name, zip.chunks(name)).catch((error: unknown) => {
      // Some programs write drawings as HTML; a part that is too large or invalid is searched as
      // other data.
      if (isReason(error, 'sheet-damaged')) return null;
      throw error;
    });
    if (found !== null) return found;
  }
  const data = await zip.read(name);
  return data.length > 0 && holdsNumber(data, within + 1);
}

async function hasXmlPersonNumber(
  what: string,
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<boolean> {
  const search = new XmlSearch();
  await readXml(what, chunks, search);
  return search.isFound;
}

/** Elements whose end also ends a text, with any content. */
const BLOCK_ELEMENTS = new Set(['p', 'h', 'si', 'is', 'c', 'tc', 'comment', 'rPh', 'annotation']);
/** Elements that contain pieces of one text with different formatting. */
const INLINE_ELEMENTS = new Set(['t', 'r', 'span', 'a', 'delText', 'instrText']);
const TEXT_BY_ELEMENT: ReadonlyMap<string, string> = new Map([
  ['noBreakHyphen', '-'],
  ...['tab', 'br', 'cr', 's', 'line-break'].map((name) => [name, ' '] as const),
]);
/** Elements with positions on a page. */
const POSITION_ELEMENTS = new Set(['Anchor', 'posOffset']);
/** Attributes with texts that people write; others are IDs, sizes, colours and paths. */
const TEXT_ATTRIBUTES = new Set(
  `name title subject descr description displayText displayName display value string-value formula condition
  Target href location tooltip prompt promptTitle error errorTitle val v instr alt author initials caption
  formatCode text label tag`.split(/\s+/),
);
const ID_ATTRIBUTE = /id$|^crossAx$/i;

class XmlSearch implements XmlReader {
  isFound = false;
  readonly #open: { readonly from: number; isDirect: boolean }[] = [];
  #text = '';

  open(name: string, attributes: Attributes): void {
    const element = localName(name);
    if (BLOCK_ELEMENTS.has(element)) this.#end();
    this.#open.push({ from: this.#text.length, isDirect: false });
    this.#text += TEXT_BY_ELEMENT.get(element) ?? '';
    for (const [attribute, value] of Object.entries(attributes)) {
      const isWritten = TEXT_ATTRIBUTES.has(localName(attribute)) && !ID_ATTRIBUTE.test(element);
      if (isWritten) this.#search(plainWholeNumber(value));
    }
  }

  text(text: string): void {
    this.#text += text;
    const within = this.#open.at(-1);
    if (within !== undefined && text.trim() !== '') within.isDirect = true;
  }

  close(name: string): void {
    const element = localName(name);
    const { from, isDirect } = this.#open.pop() ?? { from: 0, isDirect: false };
    if (POSITION_ELEMENTS.has(element)) this.#text = '';
    else if (element === 'v' && isDirect) this.#wholeFrom(from);
    if (BLOCK_ELEMENTS.has(element) || (isDirect && !INLINE_ELEMENTS.has(element))) this.#end();
  }

  /**
   * Converts only the content of the element: text before it may be long, and many elements may
   * follow.
   */
  #wholeFrom(from: number): void {
    const written = this.#text.slice(from);
    const number = plainWholeNumber(written);
    if (number !== written) this.#text = this.#text.slice(0, from) + number;
  }

  #end(): void {
    this.#search(this.#text);
    this.#text = '';
  }

  #search(text: string): void {
    if (!this.isFound && text.length >= MIN_LENGTH)
      this.isFound = containsPersonNumber(decodeOfficeText(text));
  }
}

/** Length of a personal number with a six-digit date. */
const MIN_LENGTH = 10;

/**
 * Returns all digits of a whole number such as `1.9E+11`; any other text stays unchanged, because a
 * fraction is never a personal number.
 */
function plainWholeNumber(text: string): string {
  if (!/^-?(?:\d+(?:\.\d+)?|\.\d+)(?:E[+-]?\d+)?$/i.test(text.trim()) || !/[.E]/i.test(text))
    return text;
  const number = Number(text);
  return Number.isSafeInteger(number) ? String(number) : '';
}

const localName = (name: string): string => name.slice(name.lastIndexOf(':') + 1);

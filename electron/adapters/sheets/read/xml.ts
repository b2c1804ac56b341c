import { SaxesParser } from 'saxes';
import { AppError } from '../../../../shared/errors.ts';
import { MAX_SHEET_XML_DEPTH } from './limits.ts';
import { sheetError } from './refuse.ts';

/** Attributes by their names in the file. */
export type Attributes = Readonly<Record<string, string>>;

/** Receives the events of a part in file order, without comments and processing instructions. */
export interface XmlReader {
  /**
   * Receives the start of an element. Names have a prefix of `PREFIX_BY_NAMESPACE` regardless of the prefix in
   * the file.
   */
  open(name: string, attributes: Attributes, names: XmlNames): void;
  close(name: string): void;
  /** Receives plain text and CDATA; one text may arrive in several pieces. */
  text(text: string): void;
}

/** Prefixes of the known namespaces; both editions of Office Open XML. */
const PREFIX_BY_NAMESPACE: ReadonlyMap<string, string> = new Map([
  ['http://schemas.openxmlformats.org/spreadsheetml/2006/main', ''],
  ['http://purl.oclc.org/ooxml/spreadsheetml/main', ''],
  ['http://schemas.openxmlformats.org/package/2006/relationships', ''],
  ['http://schemas.openxmlformats.org/package/2006/content-types', ''],
  ['http://schemas.openxmlformats.org/officeDocument/2006/relationships', 'r'],
  ['http://purl.oclc.org/ooxml/officeDocument/relationships', 'r'],
  ...['office', 'table', 'text', 'style', 'number', 'manifest'].map(
    (name) => [`urn:oasis:names:tc:opendocument:xmlns:${oasisName(name)}:1.0`, name] as const,
  ),
  ['urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0', 'calcext'],
]);

function oasisName(prefix: string): string {
  return prefix === 'number' ? 'datastyle' : prefix;
}

/** Names of one part: maps the prefixes of the file to `PREFIX_BY_NAMESPACE`. */
export class XmlNames {
  readonly #byPrefix = new Map<string, string>();
  readonly #ours = new Map<string, string>();
  readonly #theirs = new Map<string, string>();

  /** The attributes are those of the root element, in which every program declares the prefixes. */
  constructor(root: Attributes) {
    for (const [name, uri] of Object.entries(root)) {
      if (name !== 'xmlns' && !name.startsWith('xmlns:')) continue;
      this.#byPrefix.set(name.slice('xmlns:'.length), PREFIX_BY_NAMESPACE.get(uri) ?? uri);
    }
  }

  /** Converts a name of the file to one with a prefix of `PREFIX_BY_NAMESPACE`. */
  ours(name: string): string {
    const known = this.#ours.get(name);
    if (known !== undefined) return known;
    const at = name.indexOf(':');
    const ours = this.#byPrefix.get(at < 0 ? '' : name.slice(0, at));
    const found = ours === undefined ? name : qualifiedName(ours, name.slice(at + 1));
    this.#ours.set(name, found);
    return found;
  }

  /**
   * Returns an attribute by its name with a prefix of `PREFIX_BY_NAMESPACE`; null if the element does not have
   * it.
   */
  attribute(attributes: Attributes, name: string): string | null {
    let theirs = this.#theirs.get(name);
    if (theirs === undefined) {
      const [prefix = '', local = ''] = name.split(':');
      const own = [...this.#byPrefix].find(([, ours]) => ours === prefix)?.[0] ?? prefix;
      theirs = qualifiedName(own, local);
      this.#theirs.set(name, theirs);
    }
    return attributes[theirs] ?? null;
  }
}

const qualifiedName = (prefix: string, local: string): string =>
  prefix === '' ? local : `${prefix}:${local}`;

/**
 * Reads a part strictly: throws if it is not well-formed, truncated, declares entities, or is
 * nested deeper than any workbook. `what` names the part in the message.
 */
export async function readXml(
  what: string,
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  reader: XmlReader,
): Promise<void> {
  const parser = parserFor(reader);
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  try {
    for await (const chunk of chunks) {
      decoder ??= decoderFor(chunk);
      parser.write(decoder.decode(chunk, { stream: true }));
    }
    parser.write(decoder?.decode() ?? '');
    parser.close();
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw sheetError(
      'sheet-damaged',
      `${what} is incomplete or damaged. Open the file in its own program and save it again`,
      cause,
    );
  }
}

/**
 * Settings of the parser. Namespaces are resolved in this file: the parser would look up each name
 * again, which doubles the time.
 */
interface ParserSettings {
  readonly xmlns: false;
  readonly position: false;
}

function parserFor(reader: XmlReader): SaxesParser<ParserSettings> {
  const parser = new SaxesParser<ParserSettings>({ xmlns: false, position: false });
  let depth = 0;
  let names: XmlNames | undefined;
  parser.on('opentag', ({ name, attributes }) => {
    names ??= new XmlNames(attributes);
    depth += 1;
    if (depth > MAX_SHEET_XML_DEPTH) {
      throw sheetError(
        'sheet-limit',
        `The spreadsheet has more than ${MAX_SHEET_XML_DEPTH} levels of elements within elements`,
      );
    }
    reader.open(names.ours(name), attributes, names);
  });
  parser.on('closetag', ({ name }) => {
    depth -= 1;
    reader.close(names?.ours(name) ?? name);
  });
  const text = (piece: string): void => reader.text(piece);
  parser.on('text', text);
  parser.on('cdata', text);
  parser.on('doctype', () => {
    throw sheetError(
      'sheet-damaged',
      'The spreadsheet contains XML entities, which are not allowed. Open the spreadsheet and save it again',
    );
  });
  return parser;
}

/**
 * Returns the decoder of a part: by its first bytes, otherwise by the XML declaration, otherwise
 * UTF-8.
 */
function decoderFor(chunk: Uint8Array): InstanceType<typeof TextDecoder> {
  const [first, second] = chunk;
  const fatal = { fatal: true };
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)) {
    return new TextDecoder('utf-16le', fatal);
  }
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c)) {
    return new TextDecoder('utf-16be', fatal);
  }
  const head = Buffer.from(chunk.subarray(0, 200)).toString('latin1');
  const [, said = 'utf-8'] =
    /^(?:\u00ef\u00bb\u00bf)?<\?xml[^>]*?encoding=["']([\w.:-]+)/.exec(head) ?? [];
  // UTF-16 would have been detected by the first bytes.
  return new TextDecoder(/^utf-?16/i.test(said) ? 'utf-8' : said, fatal);
}

/** Office's escape for characters that XML does not allow: `_x000D_`. */
const OFFICE_ESCAPE = /_x([\da-f]{4})_/gi;

/**
 * Decodes a text of Office: escapes once (`_x005F_x000D_` is the text `_x000D_`), line ends to
 * `\n`.
 */
export function decodeOfficeText(text: string): string {
  if (!text.includes('_x')) return normalizeLineEnds(text);
  const decoded = text.replace(OFFICE_ESCAPE, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return normalizeLineEnds(decoded);
}

/** Converts every kind of line end to `\n`. */
export function normalizeLineEnds(text: string): string {
  return text.includes('\r') ? text.replaceAll(/\r\n?/g, '\n') : text;
}

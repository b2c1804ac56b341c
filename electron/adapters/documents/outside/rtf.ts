import { DAMAGED_MESSAGE, documentError } from '../refuse.ts';
import { TEXT_SEPARATOR, hasOutsideFieldName, readsOutside } from './fields.ts';
import { oldWordReadsOutside } from './old-word.ts';

/*
 * Whether a Rich Text document (Rich Text Format 1.9.1) loads other files. Words may be written in
 * any way that the format allows: as codes, in pieces, in nested groups. Where programs read a file
 * in different ways, none of these readings may load a file.
 */

/**
 * Control words of linked objects, parts of a master document, and the file that is printed next.
 */
const LINKING_WORDS: ReadonlySet<string> = new Set([
  ...['objlink', 'objautlink', 'objsub', 'objpub', 'objalias', 'subdocument', 'nextfile'],
  'nextgraphic',
]);
/** Flags of a picture that is a separate file (MS-ODRAW, 2.3.23.7). */
const PICTURE_FLAGS_WORD = /^(?:pib|fillblip|lineblip|linefillblip)flags$/i;
const LINK_TO_FILE = 8;
/**
 * Maximum characters of an instruction, and maximum depth of fields and of groups. Documents beyond
 * these limits are refused; no real document reaches them.
 */
const MAX_LENGTH = 262_144;
const MAX_FIELD_DEPTH = 32;
const MAX_GROUP_DEPTH = 10_000;
const MAX_SKIPPED = 32_767;
const MAX_BYTES = 0x7fff_ffff;
const COMPOUND_FILE_MAGIC = Buffer.from('d0cf11e0a1b11ae1', 'hex');
/** A linked object (MS-OLEDS, 2.2.6). */
const LINKED_OBJECT = Buffer.from('0105000001000000', 'hex');
/** Code pages that keep ASCII letters; in any other code page, a word could be hidden. */
const ASCII_CODE_PAGES =
  /^(?:0|1|437|7[0-3]\d|737|775|8[5-7]\d|932|936|949|950|125\d|1361|100\d\d|20866|21866|28\d\d\d|54936|65001)$/;
const PAGE_WORDS: ReadonlySet<string> = new Set(['ansicpg', 'cpg']);

const BACKSLASH = 0x5c;
const [OPEN, CLOSE, QUOTE, MINUS, SPACE] = [0x7b, 0x7d, 0x27, 0x2d, 0x20];
const [LINE_FEED, RETURN] = [0x0a, 0x0d];
/** Character that begins a field in old text. */
const FIELD_START = 0x13;

type RtfGroupKind = 'instruction' | 'name' | 'value';

interface RtfGroup {
  /** Number of characters after `\u` that replace it in programs without Unicode. */
  skip: number;
  /** Depth of the innermost enclosing group that a program may skip; 0 for none. */
  unread: number;
}

/** Text that is collected after a word of `KIND_BY_CONTROL_WORD`. */
interface CollectedText {
  readonly kind: RtfGroupKind;
  /** Depth of the group that contains the word. */
  readonly depth: number;
  readonly signs: string[];
  /** Marks of each character, which say why programs may skip it. */
  readonly marks: number[];
}

/**
 * Marks of a character that replaces a Unicode code, and of one in a group that a program may not
 * know.
 */
const [REPLACED, UNREAD] = [1, 2];
/** After this mark, programs differ in what a Unicode code replaces. */
const AMBIGUOUS_REPLACEMENT = 4;
/** Marks of the characters to skip: first as the format requires, then as programs may do it. */
const SKIP_VARIANTS = [REPLACED, REPLACED | UNREAD, 0, UNREAD];

/** Words that define the kind of their group's text. */
const KIND_BY_CONTROL_WORD: ReadonlyMap<string, RtfGroupKind> = new Map([
  ['fldinst', 'instruction'],
  ['sn', 'name'],
  ['sv', 'value'],
]);
/** Groups whose text does not belong to the surrounding text. */
const SEPARATE_TEXT_GROUPS: ReadonlySet<string> = new Set([
  ...['*', 'fonttbl', 'colortbl', 'stylesheet', 'info', 'title', 'author', 'pict', 'object'],
  ...['result', 'nonshppict', 'shptxt', 'header', 'headerl', 'headerr', 'headerf', 'footer'],
  ...['footerl', 'footerr', 'footerf', 'footnote', 'annotation', 'bkmkstart', 'bkmkend', 'upr'],
  ...[
    'datafield',
    'xe',
    'tc',
    'rxe',
    'txe',
    'pntext',
    'listtext',
    'filetbl',
    'formfield',
    'ffname',
  ],
  ...['subject', 'operator', 'keywords', 'comment', 'doccomm', 'listtable', 'revtbl', 'objdata'],
]);
/** Control symbols of a literal character, and the one that introduces a character's code. */
const CHARACTER_SYMBOLS: ReadonlySet<string> = new Set(["'", '\\', '{', '}']);

/**
 * Whether the document reads from a file, an address or another program, and the compound files
 * among its objects. Throws 'document-limit' for groups nested more deeply than in any real
 * document, and 'document-damaged' if binary data is shorter than declared.
 */
export function readRtf(data: Uint8Array): { isOutside: boolean; objects: readonly Uint8Array[] } {
  const reader = new RtfReader(data, true);
  const { objects } = reader;
  if (reader.readsOutside()) return { isOutside: true, objects };
  // The document is read again, like by a program that treats binary data as text.
  const isOutside = reader.hasBytes && new RtfReader(data, false).readsOutside();
  return { isOutside, objects };
}

class RtfReader {
  readonly #data: Uint8Array;
  readonly #passesBytes: boolean;
  hasBytes = false;
  readonly objects: Uint8Array[] = [];
  #at = 0;
  /** End of binary data that is read as text. */
  #bytesEnd = 0;
  #top: RtfGroup = { skip: 1, unread: 0 };
  readonly #around: RtfGroup[] = [];
  #gathering: readonly CollectedText[] = [];
  /**
   * Object that is being read. Of nested objects it is the outermost, which is checked with
   * everything in it.
   */
  #object: { readonly depth: number; readonly from: number } | null = null;
  #property = '';
  #toSkip = 0;
  #isOutside = false;

  constructor(data: Uint8Array, passesBytes: boolean) {
    this.#data = data;
    this.#passesBytes = passesBytes;
  }

  readsOutside(): boolean {
    const data = this.#data;
    while (this.#at < data.length && !this.#isOutside) {
      const byte = data[this.#at] ?? 0;
      if (byte === BACKSLASH) this.#word();
      else {
        if (byte === OPEN) this.#open();
        else if (byte === CLOSE) this.#close();
        else if (byte !== LINE_FEED && byte !== RETURN) this.#write(byte);
        this.#at += 1;
      }
    }
    // A truncated file is read up to its end.
    while (this.#around.length > 0 && !this.#isOutside) this.#close();
    for (const one of this.#gathering) this.#judge(one);
    return this.#isOutside;
  }

  #open(): void {
    this.#endPiece();
    if (this.#around.length >= MAX_GROUP_DEPTH) {
      // Braces in binary data that is also read as text are not groups, and thus not an error.
      if (!this.#passesBytes) return;
      throw documentError(
        'document-limit',
        'The document has too many levels of groups within groups. Save it as a PDF in its own program',
      );
    }
    this.#around.push(this.#top);
    this.#top = { ...this.#top };
  }

  #close(): void {
    this.#endPiece();
    const depth = this.#around.length;
    this.#top = this.#around.pop() ?? { skip: 1, unread: 0 };
    // An instruction continues after its group, until its field ends.
    this.#end((one) => one.depth - (one.kind === 'instruction' ? 1 : 0) >= depth);
    if (this.#object === null || this.#object.depth < depth) return;
    const { from } = this.#object;
    this.#object = null;
    this.#isOutside ||= this.#objectReadsOutside(this.#data.subarray(from, this.#at));
  }

  /**
   * Whether an object reads external content. Checks it as written: in hexadecimal digits, or in
   * bytes.
   */
  #objectReadsOutside(written: Uint8Array): boolean {
    const bytes = Buffer.from(written);
    const digits = bytes.toString('latin1').replaceAll(CONTROL_WORDS, '');
    const decoded = Buffer.from(digits.replaceAll(/[^\da-f]/gi, ''), 'hex');
    if (decoded.subarray(0, LINKED_OBJECT.length).equals(LINKED_OBJECT)) return true;
    return [bytes, decoded].some((data) => {
      if (hasOutsideFieldName(data)) return true;
      const start = data.indexOf(COMPOUND_FILE_MAGIC);
      if (start < 0) return false;
      this.objects.push(data.subarray(start));
      return oldWordReadsOutside(data.subarray(start));
    });
  }

  #end(isOver: (one: CollectedText) => boolean): void {
    if (this.#gathering.length === 0) return;
    const over = this.#gathering.filter(isOver);
    this.#gathering = this.#gathering.filter((one) => !isOver(one));
    for (const one of over) this.#judge(one);
  }

  #word(): void {
    const { name, value, end } = readControlWord(this.#data, this.#at + 1);
    // Programs distinguish upper and lower case; words are refused in either case.
    const small = name.toLowerCase();
    const kind = KIND_BY_CONTROL_WORD.get(small);
    const isSign = CHARACTER_SYMBOLS.has(name);
    if (!isSign) this.#endPiece(false);
    if (
      LINKING_WORDS.has(small) ||
      (PAGE_WORDS.has(small) && !ASCII_CODE_PAGES.test(String(value)))
    ) {
      this.#isOutside = true;
    }
    if (small === 'objdata') this.#object ??= { depth: this.#depth(), from: this.#at };
    if (SEPARATE_TEXT_GROUPS.has(name)) this.#top.unread = this.#depth();
    if (name === 'ud') this.#top.unread = 0;
    if (name === 'fldrslt') {
      const depth = this.#depth();
      this.#end((one) => one.kind === 'instruction' && one.depth >= depth);
    } else if (kind !== undefined) this.#gather(kind);
    else if (isSign) this.#write(value);
    else if (name === 'tab' || name === '~') this.#write(SPACE);
    else if (name === 'uc') {
      if (value <= MAX_SKIPPED) this.#top.skip = Math.max(value, 0);
    } else if (name === 'u') {
      this.#write(value & 0xffff);
      this.#toSkip = this.#top.skip;
    }
    this.#at = name === 'bin' ? this.#behindBytes(value, end) : end;
  }

  /**
   * Returns the position after binary data. Programs count truncated and empty data differently.
   */
  #behindBytes(count: number, from: number): number {
    if (count < 0 || count > MAX_BYTES || from + count > this.#data.length) {
      // The word before the data may itself be in binary data that is read as text.
      if (!this.#passesBytes && from <= this.#bytesEnd) return from;
      throw documentError('document-damaged', DAMAGED_MESSAGE);
    }
    this.hasBytes = true;
    if (this.#passesBytes) return from + count;
    this.#bytesEnd = Math.max(this.#bytesEnd, from + count);
    return from;
  }

  #depth(): number {
    return this.#around.length;
  }

  #write(code: number): void {
    if (code === FIELD_START && this.#at >= this.#bytesEnd) this.#isOutside = true;
    const isReplaced = this.#toSkip > 0;
    if (isReplaced) this.#toSkip -= 1;
    for (const { depth, signs, marks } of this.#gathering) {
      const mark = (isReplaced ? REPLACED : 0) | (this.#top.unread > depth ? UNREAD : 0);
      // Several spaces mean the same as one.
      if (code === SPACE && signs.at(-1) === ' ' && marks.at(-1) === mark) continue;
      signs.push(String.fromCharCode(code));
      marks.push(mark);
      this.#isOutside ||= signs.length > MAX_LENGTH;
    }
  }

  #endPiece(isGroup = true): void {
    const mark = this.#toSkip > 0 ? AMBIGUOUS_REPLACEMENT : 0;
    if (isGroup) this.#toSkip = 0;
    for (const { signs, marks } of this.#gathering) {
      if (signs.at(-1) === TEXT_SEPARATOR && marks.at(-1) === mark) continue;
      signs.push(TEXT_SEPARATOR);
      marks.push(mark);
      this.#isOutside ||= signs.length > MAX_LENGTH;
    }
  }

  /**
   * Begins to collect text. Also checks the text collected so far, because some programs ignore the
   * word.
   */
  #gather(kind: RtfGroupKind): void {
    for (const one of this.#gathering) this.#judge(one, true);
    const one = { kind, depth: this.#depth(), signs: [], marks: [] };
    this.#gathering = [...this.#gathering, one];
    this.#isOutside ||= this.#gathering.length > MAX_FIELD_DEPTH;
  }

  #judge({ kind, signs, marks }: CollectedText, goesOn = false): void {
    if (this.#isOutside || signs.length === 0) return;
    const isClear = marks.every((mark) => mark === 0);
    const readings = (isClear ? [0] : SKIP_VARIANTS).map((passed) =>
      signs.filter((_, at) => ((marks[at] ?? 0) & passed) === 0).join(''),
    );
    if (kind === 'instruction') {
      this.#isOutside ||= readings.some((text) => readsOutside(text, isClear));
      return;
    }
    const texts = readings.map((text) => text.replaceAll(TEXT_SEPARATOR, '').trim());
    if (kind === 'name') {
      if (!goesOn) this.#property = texts[0] ?? '';
    } else if (PICTURE_FLAGS_WORD.test(this.#property)) {
      this.#isOutside ||= texts.some((text) => (Number.parseInt(text, 10) & LINK_TO_FILE) !== 0);
    }
  }
}

/** Control words among the digits of an object: their characters are not digits. */
const CONTROL_WORDS = /\\(?:[a-z]{1,64}-?\d{0,10} ?|[^a-z])/gi;

interface ControlWord {
  readonly name: string;
  readonly value: number;
  readonly end: number;
}

const isLetter = (byte: number): boolean =>
  (byte >= 0x61 && byte <= 0x7a) || (byte >= 0x41 && byte <= 0x5a);
const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39;

/**
 * Reads a control word with its number, or a control symbol; `'` is read with the byte that it
 * encodes.
 */
function readControlWord(data: Uint8Array, from: number): ControlWord {
  let at = from;
  const signAt = (place: number): number => data[place] ?? 0;
  if (!isLetter(signAt(at))) {
    const name = String.fromCharCode(signAt(at));
    if (signAt(at) !== QUOTE) return { name, value: signAt(at), end: at + 1 };
    return { name, ...readCharacterCode(data, at + 1) };
  }
  // 64 letters are more than any word of the format has.
  while (at - from < 64 && isLetter(signAt(at))) at += 1;
  const name = Buffer.from(data.subarray(from, at)).toString('latin1');
  const start = at;
  if (signAt(at) === MINUS) at += 1;
  while (isDigit(signAt(at))) at += 1;
  const value = Number.parseInt(Buffer.from(data.subarray(start, at)).toString('latin1'), 10);
  if (signAt(at) === SPACE) at += 1;
  return { name, value: Number.isNaN(value) ? 1 : value, end: at };
}

/**
 * Reads a character code. Like LibreOffice, ignores a character that is not a digit, and line ends
 * before it.
 */
function readCharacterCode(data: Uint8Array, from: number): { value: number; end: number } {
  let [at, value, left] = [from, 0, 2];
  for (; left > 0 && at < data.length; at += 1) {
    const sign = data[at] ?? 0;
    if (sign === OPEN || sign === CLOSE || sign === BACKSLASH) break;
    if (sign === LINE_FEED || sign === RETURN) continue;
    const digit = Number.parseInt(String.fromCharCode(sign), 16);
    if (!Number.isNaN(digit)) value = value * 16 + digit;
    left -= 1;
  }
  return { value, end: at };
}

import { refuse } from '../refuse.ts';
import { namesOutside, readsOutside } from './fields.ts';
import { oldWordReadsOutside } from './old-word.ts';

/*
 * Whether a Rich Text document (Rich Text Format 1.9.1) names files to be read into it. Words may be
 * written in any of the format's ways: as codes, in pieces, in groups within groups.
 */

/** Linked objects, parts of a master document, and the file that is printed behind it. */
const LINKS: ReadonlySet<string> = new Set([
  ...['objlink', 'objautlink', 'objsub', 'objpub', 'subdocument', 'nextfile'],
]);
/** Of a picture: the flags say whether it lies in a file of its own (MS-ODRAW, 2.3.23.7). */
const FLAGS = /^(?:pib|fillblip|lineblip|linefillblip)flags$/i;
const LINK_TO_FILE = 8;
/** Longer instructions and fields deeper within each other are no document's, and are refused. */
const LONGEST = 262_144;
const DEEPEST = 32;
const DEEPEST_GROUP = 10_000;
const MOST_SKIPPED = 8;
const OLD_WORD = Buffer.from('d0cf11e0a1b11ae1', 'hex');

const BACKSLASH = 0x5c;
const [OPEN, CLOSE, QUOTE, MINUS, SPACE] = [0x7b, 0x7d, 0x27, 0x2d, 0x20];
const [LINE_FEED, RETURN] = [0x0a, 0x0d];
/** In old text the sign that begins a field. */
const FIELD_START = 0x13;

type Kind = 'instruction' | 'name' | 'value' | 'object' | null;

interface Group {
  /** What its text is part of. */
  readonly kind: Kind;
  /** Where it begins in the file. */
  readonly from: number;
  /** Signs behind `\u` that stand for it where Unicode is not known. */
  skip: number;
  readonly text: string[];
}

/** Words that say what the text of their group is. */
const KINDS: ReadonlyMap<string, Kind> = new Map([
  ['fldinst', 'instruction'],
  ['sn', 'name'],
  ['sv', 'value'],
  ['objdata', 'object'],
]);
/** Symbols that stand for a sign, and the code of one. */
const SIGNS: ReadonlySet<string> = new Set(["'", '\\', '{', '}']);

/**
 * Whether it names a file, an address or another program that something is read from. Throws
 * 'document-limit' for groups deeper within each other than any document's.
 */
export function rtfReadsOutside(data: Uint8Array): boolean {
  return new RtfReader(data).readsOutside();
}

class RtfReader {
  readonly #data: Uint8Array;
  #at = 0;
  #top: Group = group(null, 0, 1);
  readonly #around: Group[] = [];
  /** Groups around the place that gather text. */
  #gathering: readonly Group[] = [];
  /** The outer one of objects within each other is looked at with all that is in it. */
  #object: Group | null = null;
  #property = '';
  #toSkip = 0;
  #isOutside = false;

  constructor(data: Uint8Array) {
    this.#data = data;
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
    // A file that was cut off is read to where it ends.
    while (this.#around.length > 0 && !this.#isOutside) this.#close();
    return this.#isOutside;
  }

  #open(): void {
    this.#toSkip = 0;
    this.#around.push(this.#top);
    if (this.#around.length > DEEPEST_GROUP) {
      throw refuse('document-limit', 'The document has groups too deep within each other');
    }
    this.#top = group(null, this.#at, this.#top.skip);
  }

  #close(): void {
    this.#toSkip = 0;
    const ended = this.#top;
    this.#top = this.#around.pop() ?? group(null, this.#at, 1);
    if (ended.kind === null) return;
    this.#gathering = this.#gathering.filter((one) => one !== ended);
    if (ended.kind === 'object') {
      if (this.#object !== ended) return;
      this.#object = null;
      this.#isOutside ||= objectReadsOutside(this.#data.subarray(ended.from, this.#at));
      return;
    }
    const text = ended.text.join('');
    if (ended.kind === 'name') this.#property = text.trim();
    else this.#isOutside ||= endsOutside(ended.kind, text, this.#property);
  }

  #word(): void {
    const { name, value, end } = wordAt(this.#data, this.#at + 1);
    const kind = KINDS.get(name);
    if (LINKS.has(name)) this.#isOutside = true;
    else if (kind !== undefined) this.#become(kind);
    else if (SIGNS.has(name)) this.#write(value);
    else if (name === 'tab' || name === '~') this.#write(SPACE);
    else if (name === 'uc') this.#top.skip = Math.min(Math.max(value, 0), MOST_SKIPPED);
    else if (name === 'u') {
      this.#write(value & 0xffff);
      this.#toSkip = this.#top.skip;
    }
    this.#at = name === 'bin' ? end + Math.max(value, 0) : end;
  }

  #write(code: number): void {
    if (code === FIELD_START) this.#isOutside = true;
    if (this.#toSkip > 0) {
      this.#toSkip -= 1;
      return;
    }
    for (const { text } of this.#gathering) {
      // Spaces in a row say no more than one.
      const isMore = code === SPACE && text.at(-1) === ' ';
      if (!isMore) text.push(String.fromCharCode(code));
      this.#isOutside ||= text.length > LONGEST;
    }
  }

  #become(kind: Kind): void {
    const before = this.#top;
    this.#top = group(kind, this.#at, before.skip);
    this.#gathering = this.#gathering.filter((one) => one !== before);
    if (kind === 'object') this.#object ??= this.#top;
    else this.#gathering = [...this.#gathering, this.#top];
    this.#isOutside ||= this.#gathering.length > DEEPEST;
  }
}

const group = (kind: Kind, from: number, skip: number): Group => ({ kind, from, skip, text: [] });

function endsOutside(kind: Kind, text: string, property: string): boolean {
  if (kind === 'instruction') return readsOutside(text);
  return (
    kind === 'value' && FLAGS.test(property) && (Number.parseInt(text, 10) & LINK_TO_FILE) !== 0
  );
}

/** An object as it is written: in digits, or in bytes. */
function objectReadsOutside(written: Uint8Array): boolean {
  const bytes = Buffer.from(written);
  const digits = bytes.toString('latin1').replace(/^[^{}\s]*objdata/i, '');
  const decoded = Buffer.from(digits.replaceAll(/[^\da-f]/gi, ''), 'hex');
  return [bytes, decoded].some((data) => {
    const start = data.indexOf(OLD_WORD);
    return namesOutside(data) || (start >= 0 && oldWordReadsOutside(data.subarray(start)));
  });
}

interface Word {
  readonly name: string;
  readonly value: number;
  readonly end: number;
}

const isLetter = (byte: number): boolean =>
  (byte >= 0x61 && byte <= 0x7a) || (byte >= 0x41 && byte <= 0x5a);
const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39;

/** A control word with its number, or a control symbol: `'` with the byte that it stands for. */
function wordAt(data: Uint8Array, from: number): Word {
  let at = from;
  const signAt = (place: number): number => data[place] ?? 0;
  if (!isLetter(signAt(at))) {
    const name = String.fromCharCode(signAt(at));
    if (signAt(at) !== QUOTE) return { name, value: signAt(at), end: at + 1 };
    const code = String.fromCharCode(signAt(at + 1), signAt(at + 2));
    const isCode = /^[\da-f]{2}$/i.test(code);
    return { name, value: isCode ? Number.parseInt(code, 16) : 0, end: at + (isCode ? 3 : 1) };
  }
  // Longer than any that the format has.
  while (at - from < 64 && isLetter(signAt(at))) at += 1;
  const name = Buffer.from(data.subarray(from, at)).toString('latin1').toLowerCase();
  const start = at;
  if (signAt(at) === MINUS) at += 1;
  while (at - start < 12 && isDigit(signAt(at))) at += 1;
  const value = Number.parseInt(Buffer.from(data.subarray(start, at)).toString('latin1'), 10);
  if (signAt(at) === SPACE) at += 1;
  return { name, value: Number.isNaN(value) ? 1 : value, end: at };
}

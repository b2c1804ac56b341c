import { decode, fromQuotedPrintable } from './letters.ts';

/** A property of a card: `item1.TEL;TYPE=CELL:+46…` is named TEL. */
export interface Property {
  readonly name: string;
  /** Types and preferences, in lower case: `type=cell`, or version 2.1's bare `cell`. */
  readonly marks: ReadonlySet<string>;
  /** Unescaped values between semicolons; null if a value cannot be decoded. */
  readonly parts: readonly string[] | null;
}

/** Pictures, sounds and keys, which are not read. */
const SKIPPED = new Set(['PHOTO', 'LOGO', 'SOUND', 'KEY', 'AGENT']);
const HEAD = /^(?:[\w-]+\.)?([\w-]+)((?:;(?:[^":;]|"[^"]*")*)*):/;
const QUOTED = /;(?:ENCODING=)?"?QUOTED-PRINTABLE"?(?=[;:])/i;
const VERSION = /^VERSION\s*:\s*(\d)/i;
/** Parameters that mark the whole value as base64, in versions 2.1 and 3.0. */
const BASE64 = new Set(['encoding=b', 'encoding=base64', 'base64']);
const VALUE = /^"?([^"]*)"?$/;

/**
 * Maximum characters of a property. No name or address is longer; longer properties are skipped.
 */
const MAX_LENGTH = 1_048_576;

/**
 * A line that arrives in pieces, of which it can have a hundred thousand. They are joined only
 * once.
 */
class Line {
  readonly #pieces: string[] = [];
  #length = 0;
  readonly isQuoted: boolean;

  constructor(first: string) {
    this.isQuoted = QUOTED.test(first.slice(0, MAX_LENGTH));
    this.add(first);
  }

  get goesOn(): boolean {
    return this.isQuoted && (this.#pieces.at(-1)?.endsWith('=') ?? false);
  }

  add(piece: string): void {
    this.#length += piece.length;
    // A line that is too long keeps only its last piece, which shows whether the line continues.
    if (this.#length > MAX_LENGTH) this.#pieces.length = 0;
    this.#pieces.push(piece);
  }

  addQuoted(piece: string): void {
    const last = this.#pieces.pop() ?? '';
    if (last !== '=') this.#pieces.push(last.slice(0, -1));
    this.add(piece);
  }

  /** Returns the joined line; null if it is too long. */
  whole(): string | null {
    return this.#length > MAX_LENGTH ? null : this.#pieces.join('');
  }
}

/**
 * Yields the unfolded lines of a file, without lines that are too long. A quoted-printable line
 * that ends with `=` continues in the next line; any other line continues if the next one begins
 * with a space.
 */
export function* unfoldLines(letters: string): Generator<string> {
  let line: Line | null = null;
  let isOld = false;
  for (const next of physicalLines(letters)) {
    if (line?.goesOn === true) {
      line.addQuoted(next.replace(/^[ \t](?==)/, ''));
    } else if (line !== null && /^[ \t]/.test(next)) {
      // Version 2.1 folds at a space that belongs to the text.
      line.add(isOld ? next.replace(/^[ \t]+/, ' ') : next.slice(1));
    } else {
      const whole = line?.whole();
      if (typeof whole === 'string') yield whole;
      line = new Line(next);
      const version = VERSION.exec(next)?.[1];
      if (version !== undefined) isOld = version === '2';
    }
  }
  const whole = line?.whole();
  if (typeof whole === 'string') yield whole;
}

function* physicalLines(letters: string): Generator<string> {
  let from = 0;
  while (from < letters.length) {
    let end = from;
    while (end < letters.length && letters[end] !== '\n' && letters[end] !== '\r') end += 1;
    yield letters.slice(from, end);
    from = letters.startsWith('\r\n', end) ? end + 2 : end + 1;
  }
}

/** Parses a line; returns null if it is not a property, or a property that is skipped. */
export function propertyOf(line: string): Property | null {
  const head = HEAD.exec(line);
  const name = head?.[1]?.toUpperCase();
  if (head === null || name === undefined || SKIPPED.has(name)) return null;
  const parameters = (head[2] ?? '').split(';').slice(1);
  const marks = new Set<string>();
  let charset: string | null = null;
  let [isQuoted, isBase64] = [false, false];
  for (const parameter of parameters) {
    const [key = '', given] = splitOnce(parameter, '=');
    const value = (VALUE.exec(given ?? key)?.[1] ?? '').toLowerCase();
    if (value === 'quoted-printable') isQuoted = true;
    else if (BASE64.has(parameter.toLowerCase())) isBase64 = true;
    else if (given !== undefined && key.toUpperCase() === 'CHARSET') charset = value;
    else
      for (const one of value.split(','))
        marks.add(given === undefined ? one : parameterMark(key, one));
  }
  const written = line.slice(head[0].length);
  const value = isBase64 ? Buffer.from(written, 'base64').toString('latin1') : written;
  const parts = splitValue(value).map((part) => {
    const text = decode(isQuoted ? fromQuotedPrintable(part) : part, charset);
    return text === null ? null : unescapeValue(text).trim();
  });
  const isRead = (part: string | null): part is string => part !== null;
  return { name, marks, parts: parts.every(isRead) ? parts : null };
}

/** Returns the mark of a parameter; `TYPE=cell` gives the same mark as a bare `cell`. */
const parameterMark = (key: string, value: string): string =>
  key.toUpperCase() === 'TYPE' ? value : `${key.toLowerCase()}=${value}`;

function splitOnce(text: string, sign: string): readonly [string, string?] {
  const at = text.indexOf(sign);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

/** Splits at semicolons that are not escaped by a backslash. */
function splitValue(value: string): readonly string[] {
  const parts: string[] = [];
  let from = 0;
  for (let at = 0; at < value.length; at += 1) {
    if (value[at] === '\\') at += 1;
    else if (value[at] === ';') {
      parts.push(value.slice(from, at));
      from = at + 1;
    }
  }
  return [...parts, value.slice(from)];
}

/** Removes the escapes of a value (RFC 6350, 3.4). */
function unescapeValue(text: string): string {
  return text.replaceAll(/\\([nN,;:\\])/g, (_, sign: string) =>
    sign.toLowerCase() === 'n' ? '\n' : sign,
  );
}

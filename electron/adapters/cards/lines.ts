import { decode, fromQuotedPrintable } from './letters.ts';

/** A property of a card: `item1.TEL;TYPE=CELL:+46…` is named TEL. */
export interface Property {
  readonly name: string;
  /** Types and preferences, in lower case: `type=cell`, or version 2.1's bare `cell`. */
  readonly marks: ReadonlySet<string>;
  /** The parts between semicolons that stand for themselves; null where a letter is not readable. */
  readonly parts: readonly string[] | null;
}

/** Pictures, sounds and keys: nothing of them is looked at. */
const SKIPPED = new Set(['PHOTO', 'LOGO', 'SOUND', 'KEY', 'AGENT']);
const HEAD = /^(?:[\w-]+\.)?([\w-]+)((?:;(?:[^":;]|"[^"]*")*)*):/;
const QUOTED = /;(?:ENCODING=)?"?QUOTED-PRINTABLE"?(?=[;:])/i;
const VERSION = /^VERSION\s*:\s*(\d)/i;
const VALUE = /^"?([^"]*)"?$/;

/**
 * The lines of a file as they were before they were folded. A line of quoted-printable goes on
 * behind a `=` at its end; any other where the next one begins with a space.
 */
export function* unfolded(letters: string): Generator<string> {
  let line: string | null = null;
  let isQuoted = false;
  let isOld = false;
  for (const next of physical(letters)) {
    if (line !== null && isQuoted && line.endsWith('=')) {
      line = line.slice(0, -1) + next.replace(/^[ \t](?==)/, '');
    } else if (line !== null && /^[ \t]/.test(next)) {
      // Version 2.1 folds at a space that belongs to the text.
      line += isOld ? next.replace(/^[ \t]+/, ' ') : next.slice(1);
    } else {
      if (line !== null) yield line;
      line = next;
      isQuoted = QUOTED.test(next);
      const version = VERSION.exec(next)?.[1];
      if (version !== undefined) isOld = version === '2';
    }
  }
  if (line !== null) yield line;
}

function* physical(letters: string): Generator<string> {
  let from = 0;
  while (from < letters.length) {
    let end = from;
    while (end < letters.length && letters[end] !== '\n' && letters[end] !== '\r') end += 1;
    yield letters.slice(from, end);
    from = letters.startsWith('\r\n', end) ? end + 2 : end + 1;
  }
}

/** What a line says; null for what is no property, or none that is looked at. */
export function propertyOf(line: string): Property | null {
  const head = HEAD.exec(line);
  const name = head?.[1]?.toUpperCase();
  if (head === null || name === undefined || SKIPPED.has(name)) return null;
  const parameters = (head[2] ?? '').split(';').slice(1);
  const marks = new Set<string>();
  let charset: string | null = null;
  let isQuoted = false;
  for (const parameter of parameters) {
    const [key = '', given] = splitOnce(parameter, '=');
    const value = (VALUE.exec(given ?? key)?.[1] ?? '').toLowerCase();
    if (value === 'quoted-printable') isQuoted = true;
    else if (given !== undefined && key.toUpperCase() === 'CHARSET') charset = value;
    else
      for (const one of value.split(',')) marks.add(given === undefined ? one : markOf(key, one));
  }
  const parts = split(line.slice(head[0].length)).map((part) => {
    const text = decode(isQuoted ? fromQuotedPrintable(part) : part, charset);
    return text === null ? null : unescaped(text).trim();
  });
  const isRead = (part: string | null): part is string => part !== null;
  return { name, marks, parts: parts.every(isRead) ? parts : null };
}

/** `TYPE=cell` and `cell` say the same. */
const markOf = (key: string, value: string): string =>
  key.toUpperCase() === 'TYPE' ? value : `${key.toLowerCase()}=${value}`;

function splitOnce(text: string, sign: string): readonly [string, string?] {
  const at = text.indexOf(sign);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

/** At semicolons, but for those behind a backslash. */
function split(value: string): readonly string[] {
  return value.match(/(?:^|;)(?:\\[^]|[^;\\])*\\?/g)?.map((part) => part.replace(/^;/, '')) ?? [''];
}

/** RFC 6350, 3.4. */
function unescaped(text: string): string {
  return text.replaceAll(/\\([nN,;:\\])/g, (_, sign: string) =>
    sign.toLowerCase() === 'n' ? '\n' : sign,
  );
}

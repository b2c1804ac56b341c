/** Structures that the content of a page begins but does not end. */
export interface UnclosedContent {
  /** Number of states saved by `q` without a `Q`. */
  readonly saved: number;
  /** Number of marked contents without an `EMC`. */
  readonly marked: number;
  /** Whether a text object has no `ET`. */
  readonly isText: boolean;
  /**
   * Closing characters for a truncated string, array, dictionary or inline image, such as `)` or
   * `]`.
   */
  readonly ending: string;
  /** Positions of each `Q` without a saved state. */
  readonly surplus: readonly number[];
}

const charCodesOf = (text: string): readonly number[] => [...Buffer.from(text, 'latin1')];
const SPACE_CODES = new Set(charCodesOf('\0\t\n\f\r '));
const WORD_END_CODES = new Set([...SPACE_CODES, ...charCodesOf('()<>[]{}/%')]);
const [OPENING, CLOSING, LESS, GREATER, PERCENT, SLASH, BACKSLASH] = charCodesOf('()<>%/\\');
const [LIST, LIST_END] = charCodesOf('[]');
const [NEW_LINE, RETURN] = charCodesOf('\n\r');
/** Maximum length of an operator; longer words are numbers or invalid. */
const MAX_OPERATOR_LENGTH = 3;
/**
 * Number of bytes after `EI` that must look like content, as other viewers require for the end of
 * an image.
 */
const IMAGE_END_PROBE_BYTES = 15;

/** Reads content operator by operator (PDF 1.7, 7.8.2), in linear time. */
export function findUnclosedContent(content: Uint8Array): UnclosedContent {
  const surplus: number[] = [];
  const unended = new OpenBrackets();
  let [saved, marked, isText, at] = [0, 0, false, 0];
  while (at < content.length) {
    const byte = content[at] ?? 0;
    if (SPACE_CODES.has(byte)) at += 1;
    else if (byte === PERCENT) at = lineEnd(content, at);
    else if (byte === OPENING) at = unended.string(content, at);
    else if (byte === LESS && content[at + 1] !== LESS) at = unended.bytes(content, at);
    else if (byte === SLASH) at = wordEnd(content, at + 1);
    else if (WORD_END_CODES.has(byte)) at = unended.bracket(content, at);
    else {
      const end = wordEnd(content, at);
      const word = end - at > MAX_OPERATOR_LENGTH ? '' : textAt(content, at, end);
      if (word === 'q') saved += 1;
      else if (word === 'Q' && saved > 0) saved -= 1;
      else if (word === 'Q') surplus.push(at);
      else if (word === 'BMC' || word === 'BDC') marked += 1;
      else if (word === 'EMC') marked = Math.max(0, marked - 1);
      else if (word === 'BT') isText = true;
      else if (word === 'ET') isText = false;
      at = word === 'ID' ? unended.image(content, end) : end;
    }
  }
  return { saved, marked, isText, ending: unended.ending(), surplus };
}

/** Open brackets; the content of a truncated bracket extends to the end. */
class OpenBrackets {
  readonly #brackets: string[] = [];
  #last = '';

  ending(): string {
    return [this.#last, ...this.#brackets.toReversed()].filter((one) => one !== '').join(' ');
  }

  /** Reads a string. Brackets within it belong to it if they are balanced, or after a backslash. */
  string(content: Uint8Array, from: number): number {
    let [at, depth] = [from, 0];
    while (at < content.length) {
      const byte = content[at];
      at += byte === BACKSLASH ? 2 : 1;
      if (byte === OPENING) depth += 1;
      if (byte === CLOSING) depth -= 1;
      if (depth === 0) return at;
    }
    this.#last = ')'.repeat(depth);
    return at;
  }

  bytes(content: Uint8Array, from: number): number {
    const found = content.indexOf(GREATER ?? 0, from);
    if (found < 0) this.#last = '>';
    return found < 0 ? content.length : found + 1;
  }

  bracket(content: Uint8Array, at: number): number {
    const byte = content[at];
    const isTwice = content[at + 1] === byte && (byte === LESS || byte === GREATER);
    if (byte === LIST) this.#brackets.push(']');
    else if (byte === LESS) this.#brackets.push('>>');
    else if (byte === LIST_END || isTwice) this.#brackets.pop();
    return at + (isTwice ? 2 : 1);
  }

  image(content: Uint8Array, from: number): number {
    const end = imageEnd(content, from);
    if (end === null) this.#last = 'EI';
    return end ?? content.length;
  }
}

const textAt = (content: Uint8Array, from: number, to: number): string =>
  String.fromCharCode(...content.subarray(from, to));

function wordEnd(content: Uint8Array, from: number): number {
  let at = from;
  while (at < content.length && !WORD_END_CODES.has(content[at] ?? 0)) at += 1;
  return at;
}

function lineEnd(content: Uint8Array, from: number): number {
  let at = from;
  while (at < content.length && content[at] !== NEW_LINE && content[at] !== RETURN) at += 1;
  return at;
}

/**
 * Returns the position after the `EI` of an inline image, whose data may be any bytes (PDF 1.7,
 * 8.9.7); null if there is no `EI`.
 */
function imageEnd(content: Uint8Array, from: number): number | null {
  const [e, i] = charCodesOf('EI');
  let at = content.indexOf(e ?? 0, from);
  while (at >= 0) {
    const next = content[at + 2];
    const isAlone =
      content[at + 1] === i &&
      SPACE_CODES.has(content[at - 1] ?? 0) &&
      (next === undefined || SPACE_CODES.has(next));
    if (isAlone && looksLikeContent(content.subarray(at + 2, at + 2 + IMAGE_END_PROBE_BYTES)))
      return at + 2;
    at = content.indexOf(e ?? 0, at + 1);
  }
  return null;
}

const looksLikeContent = (bytes: Uint8Array): boolean =>
  bytes.every((byte) => SPACE_CODES.has(byte) || (byte > 0x20 && byte < 0x7f));

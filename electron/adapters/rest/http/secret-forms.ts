/**
 * Maximum number of characters of a credential that are searched; the following ones are masked
 * with them.
 */
const MAX_LENGTH = 256;
/** Minimum length of a piece of Base64; shorter ones would match ordinary words. */
const MIN_BASE64_LENGTH = 8;

/**
 * Finds a credential in every form in which a service may quote it: plain; percent-encoded, once or
 * twice; escaped for JSON or HTML; in hex; and in Base64, alone or within a longer text, such as
 * `Basic` with a user name before or after it. Ignores case, and matches every occurrence.
 * @param secret visible ASCII, not empty
 */
export function secretPattern(secret: string): RegExp {
  const head = secret.slice(0, MAX_LENGTH);
  const bytes = Buffer.from(head, 'latin1');
  const rest = secret.length > MAX_LENGTH ? '[^\\s"\'<>]*' : '';
  const forms = [
    [...head].map(anySpellingOf).join('') + rest,
    `${bytes.toString('hex')}(?:[\\da-f]{2})*`,
    ...base64FormsOf(bytes).map((inner) => `${inner}[\\w+/=-]*`),
  ];
  return new RegExp(forms.join('|'), 'gi');
}

/**
 * Returns a pattern of one character in every form that plain text, a link, JSON or HTML may
 * contain.
 */
function anySpellingOf(sign: string): string {
  const code = sign.charCodeAt(0);
  const hex = code.toString(16).padStart(2, '0');
  const named = HTML_NAMES.get(sign);
  const writings = [
    `\\\\?${escaped(sign)}`,
    `%(?:25){0,2}${hex}`,
    `\\\\{1,2}u00${hex}`,
    `&#0{0,4}${String(code)};`,
    `&#x0{0,4}${hex};`,
    ...(named === undefined ? [] : [`&${named};`]),
  ];
  return `(?:${writings.join('|')})`;
}

const HTML_NAMES: ReadonlyMap<string, string> = new Map([
  ['&', 'amp'],
  ['<', 'lt'],
  ['>', 'gt'],
  ['"', 'quot'],
  ["'", 'apos'],
]);

/**
 * Returns the Base64 characters that depend only on these bytes, for each of the three alignments
 * within a longer text. The characters at the ends also contain bits of neighbouring bytes.
 */
function base64FormsOf(bytes: Buffer): readonly string[] {
  return [0, 1, 2].flatMap((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    const first = Math.ceil((before * 8) / 6);
    const inner = text.slice(first, Math.floor(((before + bytes.length) * 8) / 6));
    if (inner.length < MIN_BASE64_LENGTH) return [];
    const anyAlphabet = inner.replaceAll('+', '[+-]').replaceAll('/', '[/_]');
    return [anyAlphabet];
  });
}

/**
 * Minimum lengths of a piece (plain, Base64, hex): shorter ones reveal little, and may be words.
 */
const [LEAST_PIECE, LEAST_BASE64_PIECE, LEAST_HEX_PIECE] = [10, 12, 16];

/** Masks texts that quote only a piece of a credential; ignores case. */
export function createPieceMask(secret: string, mask: string): (text: string) => string {
  const bytes = Buffer.from(secret, 'latin1');
  const base64 = [0, 1, 2].map((before) =>
    Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .slice(before + 1),
  );
  const forms: readonly (readonly [least: number, forms: readonly string[]])[] = [
    [LEAST_PIECE, [secret, encodeURIComponent(secret)]],
    [LEAST_BASE64_PIECE, base64.flatMap((one) => [one, toUrlAlphabet(one)])],
    [LEAST_HEX_PIECE, [bytes.toString('hex')]],
  ];
  const pieces = forms.map(([least, written]) => ({
    least,
    known: new Set(written.flatMap((one) => piecesOf(one.toLowerCase(), least))),
  }));
  return (text) =>
    pieces.reduce((kept, { least, known }) => maskPieces(kept, least, known, mask), text);
}

const toUrlAlphabet = (text: string): string => text.replaceAll('+', '-').replaceAll('/', '_');

function piecesOf(text: string, length: number): readonly string[] {
  const count = Math.max(0, text.length - length + 1);
  return Array.from({ length: count }, (_, at) => text.slice(at, at + length));
}

/** Masks overlapping pieces as one piece. */
function maskPieces(
  text: string,
  length: number,
  known: ReadonlySet<string>,
  mask: string,
): string {
  const lower = text.toLowerCase();
  // Characters whose lower case has two code units occur in no credential, and would shift the
  // positions.
  if (lower.length !== text.length) return maskPieces(lower, length, known, mask);
  const kept: string[] = [];
  let from = 0;
  let until = -1;
  for (let at = 0; at + length <= lower.length; at += 1) {
    if (!known.has(lower.slice(at, at + length))) continue;
    if (at > until) {
      kept.push(text.slice(from, at), mask);
    }
    until = at + length;
    from = until;
  }
  return [...kept, text.slice(from)].join('');
}

const escaped = (sign: string): string => (/\w/.test(sign) ? sign : `\\${sign}`);

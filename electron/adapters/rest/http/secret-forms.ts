/** Of a longer credential this much is looked for; the rest goes with it. */
const LONGEST = 256;
/** A shorter piece of Base64 would stand in ordinary words too. */
const LEAST_BASE64 = 8;

/**
 * Finds a credential in whatever form a service may quote it: as it is; percent-encoded, once or
 * twice; escaped for JSON or HTML; in hex; and in Base64, alone or within a longer text such as
 * `Basic` with a user's name before or behind it. Case counts in no form, and every occurrence is
 * found.
 * @param secret visible ASCII, not empty
 */
export function findSecret(secret: string): RegExp {
  const head = secret.slice(0, LONGEST);
  const bytes = Buffer.from(head, 'latin1');
  const rest = secret.length > LONGEST ? '[^\\s"\'<>]*' : '';
  const forms = [
    [...head].map(anyWriting).join('') + rest,
    `${bytes.toString('hex')}(?:[\\da-f]{2})*`,
    ...inBase64(bytes).map((inner) => `${inner}[\\w+/=-]*`),
  ];
  return new RegExp(forms.join('|'), 'gi');
}

/** One character as a text, a link, JSON or HTML may write it. */
function anyWriting(sign: string): string {
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
 * The characters that stand for these bytes alone, in each of the three ways in which they can lie
 * within a longer Base64; those at the ends stand for a neighbour's bits as well.
 */
function inBase64(bytes: Buffer): readonly string[] {
  return [0, 1, 2].flatMap((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    const first = Math.ceil((before * 8) / 6);
    const inner = text.slice(first, Math.floor(((before + bytes.length) * 8) / 6));
    if (inner.length < LEAST_BASE64) return [];
    const anyAlphabet = inner.replaceAll('+', '[+-]').replaceAll('/', '[/_]');
    return [anyAlphabet];
  });
}

/** A character that means itself in an expression. */
const escaped = (sign: string): string => (/\w/.test(sign) ? sign : `\\${sign}`);

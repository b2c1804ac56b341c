import { addressFieldName, type Bounce, isPermanentBounce } from './bounce-kinds.ts';

/** Maximum depth of nested objects that is read; a notification has at most two envelopes. */
const MAX_JSON_DEPTH = 8;
/** Keys whose values name all recipients, or the reached ones, instead of bounced addresses. */
const SKIPPED_JSON_KEYS = new Set([
  'mail',
  'delivery',
  'deliverydelay',
  'complaint',
  'send',
  'open',
  'click',
]);

/**
 * Reads notifications of Amazon SES, direct or through SNS, its suppression list, and JSON of
 * Mailgun, SendGrid, Postmark and others: one text, or one object per line.
 */
export function bouncesInJson(text: string): readonly Bounce[] | 'unreadable' | null {
  if (!/^\s*[{[]/u.test(text)) return null;
  const whole = parseJsonOrNothing(text);
  const lines = text.split(/\r\n|\r|\n/u);
  if (whole !== undefined) return withLineNumbers(addressesIn(whole, 0), lines);
  // Not JSON: a list that a user typed may start with an address in brackets.
  if (!/^\s*(?:\{\s*"|\[\s*\{)/u.test(text)) return null;
  const bounces: Bounce[] = [];
  for (const [at, raw] of lines.entries()) {
    if (raw.trim() === '') continue;
    const part = parseJsonOrNothing(raw);
    if (part === undefined) return 'unreadable';
    bounces.push(...addressesIn(part, 0).map((address) => ({ line: at + 1, address })));
  }
  return bounces;
}

/** Finds the line of each address, in order, so that a long text is searched only once. */
function withLineNumbers(
  addresses: readonly string[],
  lines: readonly string[],
): readonly Bounce[] {
  let line = 0;
  return addresses.map((address) => {
    const found = lines.findIndex((one, at) => at >= line && one.includes(address));
    if (found >= 0) line = found;
    return { line: line + 1, address };
  });
}

/** Parses a text; undefined if the text is not JSON. */
function parseJsonOrNothing(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function addressesIn(value: unknown, depth: number): readonly string[] {
  if (depth > MAX_JSON_DEPTH || typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((one: unknown) => addressesIn(one, depth + 1));
  const entries: readonly (readonly [string, unknown])[] = Object.entries(value);
  const texts = new Map(
    entries.flatMap(([name, text]) =>
      typeof text === 'string' || typeof text === 'number'
        ? [[name.toLowerCase(), String(text)] as const]
        : [],
    ),
  );
  // The bounce type of SES applies to all addresses in its notification.
  if (!isPermanentBounce(texts)) return [];
  const message = texts.get('message');
  const inner =
    message?.trimStart().startsWith('{') === true ? parseJsonOrNothing(message) : undefined;
  const name =
    addressFieldName([...texts.keys()]) ?? (texts.has('emailaddress') ? 'emailaddress' : null);
  const own = name === null ? undefined : texts.get(name);
  return [
    ...(own?.includes('@') === true ? [own] : []),
    ...addressesIn(inner, depth + 1),
    ...entries.flatMap(([key, one]) =>
      SKIPPED_JSON_KEYS.has(key.toLowerCase()) ? [] : addressesIn(one, depth + 1),
    ),
  ];
}

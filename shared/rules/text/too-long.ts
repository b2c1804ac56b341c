/**
 * Maximum characters of a text that lists show, and of any other text: no API accepts more than
 * 30,000 (API v2, "text").
 */
const MAX_NAME_LENGTH = 2048;
const MAX_TEXT_LENGTH = 65_536;

/** Texts that lists show, by field name in drafts, templates, batches and the address book. */
const SHORT_TEXT_FIELDS: ReadonlySet<string> = new Set([
  'title',
  'name',
  'firstName',
  'lastName',
  'email',
  'fileName',
]);

interface TextPart {
  readonly value: unknown;
  readonly field: string;
  readonly at: string;
}

/**
 * Path of a text in data from outside that is longer than any real text or API limit; null if no
 * text is. The data may be nested as deeply as JSON can be.
 */
export function placeOfLongText(whole: unknown): string | null {
  const waiting: TextPart[] = [{ value: whole, field: '', at: '' }];
  for (;;) {
    const part = waiting.pop();
    if (part === undefined) return null;
    const { value, field, at } = part;
    if (typeof value === 'string') {
      if (value.length > (SHORT_TEXT_FIELDS.has(field) ? MAX_NAME_LENGTH : MAX_TEXT_LENGTH))
        return shortPathOf(at);
      continue;
    }
    if (typeof value !== 'object' || value === null) continue;
    const isList = Array.isArray(value);
    for (const [name, inner] of Object.entries(value)) {
      if (name.length > MAX_NAME_LENGTH) return shortPathOf(at);
      waiting.push({ value: inner, field: isList ? field : name, at: `${at}.${name}` });
    }
  }
}

const shortPathOf = (at: string): string => at.slice(1, 200) || 'its beginning';

/**
 * Marks are whole words in a separate column of the search index. Their common prefix makes them
 * cheap in the prefix index.
 */
const MARK_PREFIX = 'zzz';

export const stateMark = (code: number): string => `${MARK_PREFIX}s${String(code)}`;
export const connectionMark = (number: number): string => `${MARK_PREFIX}c${String(number)}`;
export const templateMark = (templateId: string): string => `${MARK_PREFIX}p${digest(templateId)}`;

/**
 * Returns the mark of a tag.
 * @param tag `key` or `key=value`; a key contains no `=` (API v1, "Tags")
 */
export const tagMark = (tag: string): string => `${MARK_PREFIX}k${digest(tag)}`;

/** Returns two marks for each tag: one for the key, one for the key and the value. */
export function tagMarks(tags: Readonly<Record<string, string>>): string {
  const marks = Object.entries(tags).flatMap(([key, value]) => [
    tagMark(key),
    tagMark(`${key}=${value}`),
  ]);
  return marks.join(' ');
}

/** SQL for the marks of a row of `agreement`; their words are those of the functions above. */
export const marksSql = `concat_ws(' ', tag_marks, template_mark,
  '${MARK_PREFIX}s' || (facets & 7), '${MARK_PREFIX}c' || connection_number)`;

/**
 * Returns a 53-bit hash of a text (cyrb53, public domain) in base 36. Among a million tags, the
 * probability of a collision is 1 in 10,000.
 */
function digest(text: string): string {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    high = Math.imul(high ^ unit, 2654435761);
    low = Math.imul(low ^ unit, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return (4294967296 * (2097151 & low) + (high >>> 0)).toString(36);
}

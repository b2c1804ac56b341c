/**
 * Marks stand in the search index beside the words, in a column of their own, and are looked up
 * whole. They all begin alike, which makes them cost next to nothing in the index of prefixes.
 */
const BEGINNING = 'zzz';

export const stateMark = (code: number): string => `${BEGINNING}s${String(code)}`;
export const connectionMark = (number: number): string => `${BEGINNING}c${String(number)}`;
export const templateMark = (templateId: string): string => `${BEGINNING}p${digest(templateId)}`;

/** @param tag `key` or `key=value`; a key has no `=` in it (API v1, "Tags") */
export const tagMark = (tag: string): string => `${BEGINNING}k${digest(tag)}`;

/** Two marks for each tag: one for the key, one for key and value. */
export function tagMarks(tags: Readonly<Record<string, string>>): string {
  const marks = Object.entries(tags).flatMap(([key, value]) => [
    tagMark(key),
    tagMark(`${key}=${value}`),
  ]);
  return marks.join(' ');
}

/** The marks of a row of `agreement`, which the index gets; the same words as above. */
export const marksSql = `concat_ws(' ', tag_marks, template_mark,
  '${BEGINNING}s' || (facets & 7), '${BEGINNING}c' || connection_number)`;

/**
 * 53 bits of a text (the public domain's cyrb53), as letters and digits. Among a million tags the
 * chance that any two meet is one in ten thousand.
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

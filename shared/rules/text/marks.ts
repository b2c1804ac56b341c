/* Converts texts of web pages and addresses to the text that a browser shows. */

/** Characters of markup and escapes; a text without them is shown unchanged. */
export const MARKUP_PATTERN = /[<&%]/u;

/** HTML tag; the length limit is longer than normal tags around a word. */
const TAG_PATTERN = /<\/?([a-z][\w:]*)[^<>]{0,500}>/giu;
/** Names of tags that may be within a word; any other tag ends the word. */
const INLINE_TAG_NAMES =
  /^(?:a|abbr|b|bdi|bdo|big|code|del|em|font|i|ins|kbd|mark|q|s|small|span|strike|strong|sub|sup|tt|u|var|wbr)$/iu;
const ENTITY_PATTERN = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,8}));?/giu;
const PERCENT_ESCAPE_PATTERN = /%([2-7][\da-f])/giu;
const NAMED_ENTITIES: ReadonlyMap<string, string> = new Map([
  ...['nbsp', 'ensp', 'emsp', 'thinsp'].map((name) => [name, ' '] as const),
  ...['ndash', 'mdash', 'minus', 'hyphen', 'dash', 'horbar'].map((name) => [name, '-'] as const),
  ...['shy', 'zwj', 'zwnj', 'lrm', 'rlm'].map((name) => [name, ''] as const),
  ['plus', '+'],
  ['period', '.'],
  ['sol', '/'],
  ['colon', ':'],
  ['comma', ','],
  ['lowbar', '_'],
  ['middot', '·'],
]);
const LAST_CODE_POINT = 0x10ffff;

/** Returns the text without tags, and with its entities and escapes decoded. */
export function withoutMarkup(text: string): string {
  return text
    .replaceAll(PERCENT_ESCAPE_PATTERN, (_, hex: string) =>
      String.fromCodePoint(Number.parseInt(hex, 16)),
    )
    .replaceAll(TAG_PATTERN, (_, name: string) => (INLINE_TAG_NAMES.test(name) ? '' : ' '))
    .replaceAll(ENTITY_PATTERN, characterOfEntity);
}

function characterOfEntity(entity: string, decimal?: string, hex?: string, name?: string): string {
  if (name !== undefined) return NAMED_ENTITIES.get(name.toLowerCase()) ?? entity;
  const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
  return code > 0 && code <= LAST_CODE_POINT ? String.fromCodePoint(code) : ' ';
}

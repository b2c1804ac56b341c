import { DEPTH_MAX } from './read-limits.ts';
import { refuse } from './refuse.ts';

const ENTITY = /&(?:#x([\da-f]{1,6})|#(\d{1,7})|(lt|gt|amp|quot|apos));/gi;
const NAMED = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
  ['quot', '"'],
  ['apos', "'"],
]);
/** What Office writes for characters that XML cannot hold: `_x000D_`. */
const OFFICE_ESCAPE = /_x([\da-f]{4})_/gi;
const TAG = /<(\/?)[a-z_][^<>]*?(\/?)>/gi;
const LAST_CODE_POINT = 0x10ffff;

/**
 * The text of an XML part. Nothing is resolved: a part that declares entities, its own or from
 * elsewhere, is refused, and so is one nested deeper than any workbook.
 */
export function xmlText(data: Uint8Array): string {
  const text = new TextDecoder('utf-8').decode(data);
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text)) {
    throw refuse(
      'sheet-damaged',
      'The workbook declares entities, which no spreadsheet program does',
    );
  }
  return text;
}

/** For parts of free form; rows and cells are read flat, whatever they are in. */
export function refuseDeep(text: string): void {
  let depth = 0;
  for (const [, closes, isEmpty] of text.matchAll(TAG)) {
    if (closes !== '') depth -= 1;
    else if (isEmpty === '') depth += 1;
    if (depth > DEPTH_MAX) {
      throw refuse('sheet-limit', `The workbook nests more than ${DEPTH_MAX} elements`);
    }
  }
}

export function unescapeXml(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(ENTITY, (whole, hex?: string, decimal?: string, name?: string) => {
    if (name !== undefined) return NAMED.get(name.toLowerCase()) ?? whole;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code > 0 && code <= LAST_CODE_POINT ? String.fromCodePoint(code) : '\uFFFD';
  });
}

/** Decoded once: `_x005F_x000D_` is the text `_x000D_`. */
export function unescapeOffice(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replace(OFFICE_ESCAPE, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

/** The value of an attribute in the inside of a tag; null when it is not there. */
export function attribute(tag: string, name: string): string | null {
  const found = new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(tag);
  return found === null ? null : unescapeXml(found[1] ?? found[2] ?? '');
}

/** The tags of this name, as what stands between its brackets; prefixes of namespaces are left out. */
export function tagsOf(text: string, name: string): readonly string[] {
  const pattern = new RegExp(`<(?:\\w+:)?${name}\\b([^<>]*?)/?>`, 'g');
  return [...text.matchAll(pattern)].map(([, inside = '']) => inside);
}

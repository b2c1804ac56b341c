/*
 * The two tables from drawn codes: to the characters that they represent, and to the font's own
 * glyph numbers (PDF 1.7, 9.7.5 and 9.10.3).
 */

/** Maximum entries of a block in a map. */
const ROWS_PER_CODE_BLOCK = 100;

export interface NamedCode {
  readonly code: number;
  readonly text: string;
}

/** Returns the map from codes of `bytes` bytes to text. */
export function toUnicode(codes: readonly NamedCode[], bytes: 1 | 2): string {
  const rows = codes.map(({ code, text }) => `<${hexDigits(code, bytes * 2)}> <${utf16(text)}>`);
  return writeCodeMap('Adobe-Identity-UCS', 2, 'UCS', bytes, writeBlocks(rows, 'bfchar'));
}

/** Returns the map from two-byte codes to glyph numbers. */
export function toGlyphs(pairs: readonly (readonly [code: number, number: number])[]): string {
  const rows = pairs.map(([code, number]) => `<${hexDigits(code, 4)}> ${number}`);
  return writeCodeMap(GLYPH_MAP, 1, 'Identity', 2, writeBlocks(rows, 'cidchar'));
}

export const GLYPH_MAP = 'SigningDesk-H';

/** Returns a text as UTF-16 digits, as a PDF writes it in hexadecimal. */
export function utf16(text: string): string {
  return Array.from({ length: text.length }, (_, at) => hexDigits(text.charCodeAt(at), 4)).join('');
}

function writeBlocks(rows: readonly string[], kind: string): string {
  let written = '';
  for (let from = 0; from < rows.length; from += ROWS_PER_CODE_BLOCK) {
    const some = rows.slice(from, from + ROWS_PER_CODE_BLOCK);
    written += `${some.length} begin${kind}\n${some.join('\n')}\nend${kind}\n`;
  }
  return written;
}

function writeCodeMap(
  name: string,
  type: 1 | 2,
  ordering: string,
  bytes: 1 | 2,
  rows: string,
): string {
  return `/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CIDSystemInfo 3 dict dup begin
/Registry (Adobe) def
/Ordering (${ordering}) def
/Supplement 0 def
end def
/CMapName /${name} def
/CMapType ${type} def
1 begincodespacerange
<${'00'.repeat(bytes)}> <${'FF'.repeat(bytes)}>
endcodespacerange
${rows}endcmap
CMapName currentdict /CMap defineresource pop
end
end`;
}

function hexDigits(value: number, digits: number): string {
  return value.toString(16).toUpperCase().padStart(digits, '0');
}

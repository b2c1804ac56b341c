import { refuse } from './refuse.ts';
import { attribute, refuseDeep, tagsOf, unescapeOffice, unescapeXml, xmlText } from './read-xml.ts';
import type { Zip } from './read-zip.ts';

export interface WorkbookSheet {
  readonly name: string;
  readonly hidden: boolean;
  readonly part: string;
}

export interface Workbook {
  readonly sheets: readonly WorkbookSheet[];
  readonly is1904: boolean;
  /** Texts that cells name by number. */
  readonly texts: readonly string[];
  /** What the numbers of a style show as, by the style's number. */
  readonly styles: readonly NumberStyle[];
  readonly external: number;
}

export type NumberStyle = 'plain' | 'date' | 'formatted' | 'text';

const MAIN = 'xl/workbook.xml';
const EXTERNAL_PARTS =
  /^xl\/(?:externalLinks|connections\.xml|queryTables|embeddings|media|drawings\/_rels)/;
const MACRO = /macroEnabled|vbaProject/i;
/** Built-in number formats of Office (ECMA-376 part 1, 18.8.30). */
const BUILT_IN_DATES = [
  ...[14, 15, 16, 17, 18, 19, 20, 21, 22, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36],
  ...[45, 46, 47, 50, 51, 52, 53, 54, 55, 56, 57, 58],
];
const BUILT_IN_FORMATTED = [5, 6, 7, 8, 9, 10, 41, 42, 43, 44];
const BUILT_IN_TEXT = 49;

/** Everything of a workbook but its cells. Throws 'sheet-kind' for what is no plain workbook. */
export function readWorkbook(zip: Zip): Workbook {
  refuseOthers(zip);
  const book = part(zip, MAIN);
  refuseDeep(book);
  const properties = tagsOf(book, 'workbookPr')[0] ?? '';
  return {
    sheets: sheetsOf(book, zip),
    is1904: /^(?:1|true)$/i.test(attribute(properties, 'date1904') ?? ''),
    texts: sharedTexts(zip),
    styles: stylesOf(zip),
    external: zip.names.filter((name) => EXTERNAL_PARTS.test(name)).length,
  };
}

export function part(zip: Zip, name: string): string {
  return xmlText(zip.read(name));
}

function refuseOthers(zip: Zip): void {
  if (zip.has('content.xml') && zip.has('mimetype')) {
    throw refuse('sheet-kind', 'The file is an OpenDocument sheet; save it as .xlsx');
  }
  const types = zip.has('[Content_Types].xml') ? part(zip, '[Content_Types].xml') : '';
  const hasMacros = zip.names.some((name) => MACRO.test(name)) || MACRO.test(types);
  if (hasMacros) throw refuse('sheet-kind', 'The workbook holds macros; save it as .xlsx');
  if (zip.has('xl/workbook.bin')) {
    throw refuse('sheet-kind', 'The file is a binary workbook; save it as .xlsx');
  }
  if (!zip.has(MAIN)) throw refuse('sheet-kind', 'The file is no workbook, whatever its name');
}

function sheetsOf(book: string, zip: Zip): readonly WorkbookSheet[] {
  const rels = new Map(
    tagsOf(part(zip, 'xl/_rels/workbook.xml.rels'), 'Relationship').map((tag) => [
      attribute(tag, 'Id'),
      tag,
    ]),
  );
  const sheets = tagsOf(book, 'sheet').flatMap((tag) => {
    const rel = rels.get(
      /\br?:?id\s*=\s*"([^"]*)"/.exec(tag.replace(/\bsheetId\s*=\s*"[^"]*"/, ''))?.[1] ?? '',
    );
    const target = rel === undefined ? null : attribute(rel, 'Target');
    if (target === null)
      throw refuse('sheet-damaged', 'The workbook names a sheet it does not have');
    // Charts are sheets without cells.
    if (!/\/worksheet$/.test(attribute(rel ?? '', 'Type') ?? '')) return [];
    const name = attribute(tag, 'name') ?? '';
    const isHidden = (attribute(tag, 'state') ?? 'visible') !== 'visible';
    const place = target.startsWith('/') ? target.slice(1) : `xl/${target}`;
    return [{ name, hidden: isHidden, part: place }];
  });
  if (sheets.length === 0) throw refuse('sheet-empty', 'The workbook has no sheet with cells');
  return sheets;
}

function sharedTexts(zip: Zip): readonly string[] {
  const name = zip.names.find((one) => /^xl\/sharedStrings\.xml$/i.test(one));
  if (name === undefined) return [];
  const text = part(zip, name);
  return [...text.matchAll(/<(?:\w+:)?si\b[^>]*?(?:\/>|>([\s\S]*?)<\/(?:\w+:)?si>)/g)].map(
    ([, inside = '']) => richText(inside),
  );
}

/** Runs of text put together; how it is pronounced (`rPh`) is no part of it. */
export function richText(inside: string): string {
  const spoken = inside.replaceAll(/<(?:\w+:)?rPh\b[\s\S]*?<\/(?:\w+:)?rPh>/g, '');
  const runs = spoken.matchAll(/<(?:\w+:)?t\b[^>]*?(?:\/>|>([^<]*)<\/(?:\w+:)?t>)/g);
  return [...runs].map(([, run = '']) => unescapeOffice(unescapeXml(run))).join('');
}

function stylesOf(zip: Zip): readonly NumberStyle[] {
  const name = zip.names.find((one) => /^xl\/styles\.xml$/i.test(one));
  if (name === undefined) return [];
  const text = part(zip, name);
  refuseDeep(text);
  const formats = new Map(
    tagsOf(text, 'numFmt').map((tag) => [
      Number(attribute(tag, 'numFmtId')),
      attribute(tag, 'formatCode') ?? '',
    ]),
  );
  const cells = /<(?:\w+:)?cellXfs\b[\s\S]*?<\/(?:\w+:)?cellXfs>/.exec(text)?.[0] ?? '';
  return tagsOf(cells, 'xf').map((tag) =>
    styleOf(Number(attribute(tag, 'numFmtId') ?? 0), formats),
  );
}

function styleOf(id: number, formats: ReadonlyMap<number, string>): NumberStyle {
  const code = formats.get(id);
  if (code !== undefined) return styleOfCode(code);
  if (BUILT_IN_DATES.includes(id)) return 'date';
  if (BUILT_IN_FORMATTED.includes(id)) return 'formatted';
  return id === BUILT_IN_TEXT ? 'text' : 'plain';
}

/** By what is left of a number format without quoted texts, colours and escaped letters. */
function styleOfCode(code: string): NumberStyle {
  if (code === '@') return 'text';
  const isCurrency = /\[\$[^\]-]/.test(code);
  const bare = code.replaceAll(/"[^"]*"|\\.|\[(?!h+\]|m+\]|s+\])[^\]]*\]|_.|\*./gi, '');
  if (/[dyhs]|m/i.test(bare.replaceAll(/general/gi, ''))) return 'date';
  return isCurrency || /[%€$£¥]/.test(bare) ? 'formatted' : 'plain';
}

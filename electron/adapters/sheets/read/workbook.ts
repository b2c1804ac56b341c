import { numberFormat, type NumberFormat } from './number-format.ts';
import { type Attributes, decodeOfficeText, readXml, type XmlNames } from './xml.ts';
import type { Zip } from './zip.ts';
import { sheetError } from './refuse.ts';
import { rejectOtherKinds } from './refuse-kind.ts';

export interface WorkbookSheet {
  readonly name: string;
  readonly hidden: boolean;
  readonly part: string;
}

export interface Workbook {
  readonly sheets: readonly WorkbookSheet[];
  readonly is1904: boolean;
  /** Shared texts, by their index. */
  readonly texts: readonly string[];
  /** Number format of each style, by its index. */
  readonly styles: readonly NumberFormat[];
  readonly external: number;
}

interface Relation {
  readonly id: string;
  /** Last word of the address of the relationship's type: `worksheet`, `styles`. */
  readonly type: string;
  /** Path of the part; an address if it is outside the file. */
  readonly part: string;
}

const EXTERNAL_PARTS =
  /^xl\/(?:externalLinks|connections\.xml|queryTables|embeddings|media|drawings\/_rels)/;

/**
 * Reads everything in a workbook except its cells. Throws 'sheet-kind' if it is not a plain
 * workbook.
 */
export async function readWorkbook(zip: Zip): Promise<Workbook> {
  const roots = await relationsOf(zip, '');
  const named = roots.find(({ type }) => type === 'officeDocument')?.part;
  // Files without a relationship list use the default name.
  const main = zip.find(named ?? 'xl/workbook.xml');
  await rejectOtherKinds(zip, main);
  if (main === undefined) {
    throw sheetError(
      'sheet-kind',
      'Despite its name, the file is a ZIP file without a spreadsheet',
    );
  }
  const { listed, is1904 } = await readMain(zip, main);
  const relations = await relationsOf(zip, main);
  // Without its styles a workbook would display different numbers.
  const partOf = (type: string): string | undefined => {
    const named = relations.find((one) => one.type === type)?.part;
    const found = named === undefined ? undefined : zip.find(named);
    if (named === undefined || found !== undefined) return found;
    throw sheetError(
      'sheet-damaged',
      'The spreadsheet refers to a part that is missing. Open the spreadsheet and save it again',
    );
  };
  return {
    sheets: sheetsOf(listed, relations),
    is1904,
    texts: await sharedTexts(zip, partOf('sharedStrings') ?? zip.find('xl/sharedStrings.xml')),
    styles: await stylesOf(zip, partOf('styles') ?? zip.find('xl/styles.xml')),
    external: zip.names.filter((name) => EXTERNAL_PARTS.test(name)).length,
  };
}

interface ListedSheet {
  readonly name: string;
  readonly hidden: boolean;
  readonly relation: string | null;
}

async function readMain(
  zip: Zip,
  main: string,
): Promise<{ readonly listed: readonly ListedSheet[]; readonly is1904: boolean }> {
  const listed: ListedSheet[] = [];
  let is1904 = false;
  await eachElement(zip, main, 'The list of sheets', (name, attributes, names) => {
    if (name === 'workbookPr') is1904 = isTrueAttribute(attributes['date1904']);
    if (name !== 'sheet') return;
    listed.push({
      name: attributes['name'] ?? '',
      hidden: (attributes['state'] ?? 'visible') !== 'visible',
      relation: names.attribute(attributes, 'r:id'),
    });
  });
  return { listed, is1904 };
}

function sheetsOf(
  listed: readonly ListedSheet[],
  relations: readonly Relation[],
): readonly WorkbookSheet[] {
  const sheets = listed.flatMap(({ name, hidden, relation }) => {
    const found = relations.find(({ id }) => id === relation);
    if (found === undefined)
      throw sheetError(
        'sheet-damaged',
        'The spreadsheet refers to a sheet that is missing. Open the spreadsheet and save it again',
      );
    // Charts are sheets without cells.
    return found.type === 'worksheet' ? [{ name, hidden, part: found.part }] : [];
  });
  if (sheets.length === 0)
    throw sheetError('sheet-empty', 'The spreadsheet has no sheet with cells');
  return sheets;
}

/** Returns the relationships of a part, or those of the whole workbook for an empty name. */
async function relationsOf(zip: Zip, of: string): Promise<readonly Relation[]> {
  const folder = of.slice(0, of.lastIndexOf('/') + 1);
  const list = zip.find(`${folder}_rels/${of.slice(folder.length)}.rels`);
  if (list === undefined) return [];
  const relations: Relation[] = [];
  await eachElement(zip, list, 'The list of parts', (name, attributes) => {
    if (name !== 'Relationship') return;
    const type = attributes['Type'] ?? '';
    relations.push({
      id: attributes['Id'] ?? '',
      type: type.slice(type.lastIndexOf('/') + 1),
      part: resolvePartPath(folder, attributes['Target'] ?? ''),
    });
  });
  return relations;
}

/** Resolves a target against the folder of its part; `/xl/x` is absolute. */
function resolvePartPath(folder: string, target: string): string {
  const path = target.replaceAll('\\', '/');
  const steps: string[] = [];
  for (const step of (path.startsWith('/') ? path : folder + path).split('/')) {
    if (step === '..') steps.pop();
    else if (step !== '.' && step !== '') steps.push(step);
  }
  return steps.join('/');
}

/** Returns the shared texts by index. Joins their runs, without pronunciation (`rPh`). */
async function sharedTexts(zip: Zip, part: string | undefined): Promise<readonly string[]> {
  const texts: string[] = [];
  if (part === undefined) return texts;
  let text = '';
  let isRun = false;
  let isSpoken = false;
  await readXml('The list of texts', zip.chunks(part), {
    open: (name) => {
      if (name === 'si') text = '';
      else if (name === 't') isRun = true;
      else if (name === 'rPh') isSpoken = true;
    },
    text: (piece) => {
      if (isRun && !isSpoken) text += piece;
    },
    close: (name) => {
      if (name === 'si') texts.push(decodeOfficeText(text));
      else if (name === 't') isRun = false;
      else if (name === 'rPh') isSpoken = false;
    },
  });
  return texts;
}

async function stylesOf(zip: Zip, part: string | undefined): Promise<readonly NumberFormat[]> {
  if (part === undefined) return [];
  const codes = new Map<number, string>();
  const ids: number[] = [];
  let [isOfCells, isOfAll] = [false, false];
  await readXml('The list of styles', zip.chunks(part), {
    open: (name, attributes) => {
      if (name === 'cellXfs') isOfCells = true;
      else if (name === 'numFmts') isOfAll = true;
      // Conditional formats (`dxfs`) have formats too, with separate numbers.
      else if (name === 'numFmt' && isOfAll) {
        codes.set(Number(attributes['numFmtId']), attributes['formatCode'] ?? '');
      } else if (name === 'xf' && isOfCells) ids.push(Number(attributes['numFmtId'] ?? 0));
    },
    text: () => {},
    close: (name) => {
      if (name === 'cellXfs') isOfCells = false;
      if (name === 'numFmts') isOfAll = false;
    },
  });
  return ids.map((id) => numberFormat(id, codes.get(id)));
}

async function eachElement(
  zip: Zip,
  part: string,
  what: string,
  open: (name: string, attributes: Attributes, names: XmlNames) => void,
): Promise<void> {
  await readXml(what, zip.chunks(part), { open, text: () => {}, close: () => {} });
}

export const isTrueAttribute = (value: string | undefined): boolean =>
  value !== undefined && /^(?:1|true|on)$/i.test(value);

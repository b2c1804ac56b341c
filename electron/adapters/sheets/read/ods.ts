import type { SheetChoices } from '../../../../shared/contract/sheets.ts';
import { type Grid, countedNotice } from './grid.ts';
import { OdsContent } from './ods-content.ts';
import { readXml } from './xml.ts';
import type { Zip } from './zip.ts';
import { sheetError } from './refuse.ts';

const SPREADSHEET = 'application/vnd.oasis.opendocument.spreadsheet';
const MACROS = /^(?:Basic|Scripts)\/./;
const EXTERNAL = /^(?:Pictures|media|Object [^/]+)\/./i;

interface OdsSheet {
  readonly grid: Grid;
  readonly sheets: readonly { readonly name: string; readonly hidden: boolean }[];
  readonly sheet: string;
}

type ReadChunks = () => AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** Whether a ZIP file declares itself as OpenDocument. */
export const isOpenDocument = (zip: Zip): boolean =>
  zip.find('mimetype') !== undefined && zip.find('content.xml') !== undefined;

/**
 * Reads one sheet of an OpenDocument spreadsheet (ODF 1.3 part 3). Throws 'invalid' like an XLSX
 * file.
 */
export async function readOds(zip: Zip, choices: SheetChoices): Promise<OdsSheet> {
  const type = (await zip.read('mimetype')).toString().trim();
  if (!type.startsWith(SPREADSHEET)) {
    throw sheetError(
      'sheet-kind',
      'The file is an OpenDocument text or drawing. Save its table as .ods, .xlsx or .csv',
    );
  }
  await rejectLocked(zip);
  if (zip.names.some((name) => MACROS.test(name))) {
    throw sheetError(
      'sheet-kind',
      'The spreadsheet contains macros. Save it without macros, as .xlsx or .csv',
    );
  }
  const external = zip.names.filter((name) => EXTERNAL.test(name)).length;
  return readContent(() => zip.chunks('content.xml'), choices, external);
}

/** Reads one sheet of an OpenDocument spreadsheet that is a single XML file (.fods). */
export async function readFlatOds(data: Uint8Array, choices: SheetChoices): Promise<OdsSheet> {
  return readContent(() => [data], choices, 0);
}

/**
 * Throws for a spreadsheet with a password. The manifest lists encrypted parts; the newest format
 * encrypts all of them together.
 */
async function rejectLocked(zip: Zip): Promise<void> {
  const manifest = zip.find('META-INF/manifest.xml');
  let isLocked = zip.find('encrypted-package') !== undefined;
  if (manifest !== undefined) {
    await readXml('The list of parts', zip.chunks(manifest), {
      open: (name) => {
        if (name === 'manifest:encryption-data') isLocked = true;
      },
      text: () => {},
      close: () => {},
    });
  }
  if (isLocked) {
    throw sheetError(
      'sheet-password',
      'The spreadsheet has a password. Save it without a password',
    );
  }
}

async function readContent(
  pieces: ReadChunks,
  choices: SheetChoices,
  external: number,
): Promise<OdsSheet> {
  let content = await parseOdsContent(pieces, choices);
  const { sheets } = content;
  const [first] = sheets;
  if (first === undefined) throw sheetError('sheet-empty', 'The file has no sheet with cells');
  if (content.chosen === null && choices.sheet === undefined) {
    // Every sheet is hidden, so the first one is read.
    content = await parseOdsContent(pieces, { ...choices, sheet: first.name });
  }
  const { chosen } = content;
  if (chosen === null) {
    throw sheetError('sheet-kind', `The spreadsheet has no sheet "${choices.sheet ?? ''}"`);
  }
  const { rows, notices } = content.grid.grid();
  const others = sheets.filter(({ name }) => name !== chosen);
  const allNotices = [
    ...notices,
    ...countedNotice('hidden-sheets', others.filter(({ hidden }) => hidden).length),
    ...countedNotice('other-sheets', others.filter(({ hidden }) => !hidden).length),
    ...countedNotice('external-content', external + content.links),
  ];
  return { grid: { rows, notices: allNotices }, sheets, sheet: chosen };
}

async function parseOdsContent(pieces: ReadChunks, choices: SheetChoices): Promise<OdsContent> {
  const content = new OdsContent(choices);
  await readXml('The list of cells', pieces(), content);
  return content;
}

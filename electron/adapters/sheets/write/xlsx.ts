import type { ReportCell } from '../../../../shared/contract/reports.ts';
import type { ReportTable } from '../../../core/reports/ports.ts';
import { wallClock, wallClockText } from './wall-clock.ts';
import { writeZip } from './zip.ts';
import { DAY, MINUTE } from '../../../../shared/rules/time/units.ts';

const MAIN_NAMESPACE = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS_NAMESPACE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE_NAMESPACE = 'http://schemas.openxmlformats.org/package/2006';
const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/** Maximum characters of a cell in Excel. */
const MAX_CELL_CHARACTERS = 32_767;
/** Text added to the end of a shortened text, so that users see that it is incomplete. */
const cutNotice = (letters: number): string => ` […cut: ${String(letters)} characters]`;
const MAX_SHEET_NAME_LENGTH = 31;
/**
 * Minimum and maximum column width in digits; long titles and names are cut in the view, not in the
 * cell.
 */
const MIN_COLUMN_WIDTH = 12;
const MAX_COLUMN_WIDTH = 48;
const WIDTH_SAMPLE_ROWS = 200;
/** Days from Excel's day 0 to 1970. */
const DAYS_BEFORE_UNIX_EPOCH = 25_569;
const DATE_COLUMN_WIDTH = 17;

/** Indexes of the formats in `stylesXml`. Text stays text when the cell is edited. */
const TEXT_STYLE = 0;
const HEADING_STYLE = 1;
const DATE_STYLE = 2;
const NUMBER_STYLE = 3;
/** Number of rows converted without a pause: a few milliseconds that block everything else. */
const ROWS_PER_CHUNK = 100;

/** Writes a table as an Excel workbook with one sheet; every text is a text, never a formula. */
export async function* writeXlsx(table: ReportTable): AsyncIterable<Uint8Array> {
  yield* writeZip([
    { name: '[Content_Types].xml', text: [contentTypes] },
    { name: '_rels/.rels', text: [packageRelations] },
    { name: 'xl/workbook.xml', text: [workbookXml(table.title)] },
    { name: 'xl/_rels/workbook.xml.rels', text: [workbookRelations] },
    { name: 'xl/styles.xml', text: [stylesXml] },
    { name: 'xl/worksheets/sheet1.xml', text: sheetXml(table) },
  ]);
}

async function* sheetXml({ headings, rows }: ReportTable): AsyncIterable<string> {
  const portions = rows[Symbol.asyncIterator]();
  let next = await portions.next();
  const sample = next.done === true ? [] : next.value.slice(0, WIDTH_SAMPLE_ROWS);
  yield (
    `${XML}<worksheet xmlns="${MAIN_NAMESPACE}"><sheetViews><sheetView workbookViewId="0">` +
      '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>' +
      `</sheetView></sheetViews><cols>${columnWidthsFor(headings, sample)}</cols><sheetData>`
  );
  const places = headings.map((_, index) => columnName(index));
  const top = headings.map((heading, at) =>
    textCell(`${places[at] ?? ''}1`, heading, HEADING_STYLE),
  );
  yield `<row r="1">${top.join('')}</row>`;
  let written = 1;
  while (next.done !== true) {
    for (let at = 0; at < next.value.length; at += ROWS_PER_CHUNK) {
      const part = next.value.slice(at, at + ROWS_PER_CHUNK);
      yield part.map((row) => rowOf(row, places, (written += 1))).join('');
    }
    next = await portions.next();
  }
  const last = `${columnName(headings.length - 1)}${String(written)}`;
  yield `</sheetData><autoFilter ref="A1:${last}"/></worksheet>`;
}

function rowOf(row: readonly ReportCell[], places: readonly string[], number: number): string {
  const cells = row.map((value, at) => cellXml(`${places[at] ?? ''}${String(number)}`, value));
  return `<row r="${String(number)}">${cells.join('')}</row>`;
}

function cellXml(place: string, value: ReportCell): string {
  if (value === null || value === '') return '';
  if (typeof value === 'string') return textCell(place, value, TEXT_STYLE);
  if ('number' in value) {
    return `<c r="${place}" s="${String(NUMBER_STYLE)}"><v>${String(value.number)}</v></c>`;
  }
  // An ambiguous local time is written as text with its offset, which a number cannot contain.
  if (wallClock(value.at).offset !== '') {
    return textCell(place, wallClockText(value.at), TEXT_STYLE);
  }
  return `<c r="${place}" s="${String(DATE_STYLE)}"><v>${String(excelSerialOf(value.at))}</v></c>`;
}

const textCell = (place: string, text: string, style: number): string =>
  `<c r="${place}" t="inlineStr" s="${String(style)}"><is>` +
  `<t xml:space="preserve">${escapeCellText(text)}</t></is></c>`;

/**
 * Converts an instant to Excel's serial number. Excel's times have no time zone: they are local
 * times.
 */
function excelSerialOf(instant: number): number {
  const wall = instant - new Date(instant).getTimezoneOffset() * MINUTE;
  return wall / DAY + DAYS_BEFORE_UNIX_EPOCH;
}

const entityByCharacter: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/**
 * Escapes a text for a cell: XML does not allow control characters, and Excel reads `_x0041_` as an
 * escaped character.
 */
function escapeCellText(text: string): string {
  return shortenText(text)
    .toWellFormed()
    .replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g, '')
    .replace(/_(?=x[\dA-Fa-f]{4}_)/g, '_x005F_')
    .replace(/[&<>"]/g, (sign) => entityByCharacter[sign] ?? sign);
}

function shortenText(text: string): string {
  if (text.length <= MAX_CELL_CHARACTERS) return text;
  const mark = cutNotice(text.length);
  return cutAtCharacter(text, MAX_CELL_CHARACTERS - mark.length) + mark;
}

/** Cuts a text without splitting a surrogate pair. */
function cutAtCharacter(text: string, most: number): string {
  const isHalved = /[\uD800-\uDBFF]/.test(text.charAt(most - 1));
  return text.slice(0, isHalved ? most - 1 : most);
}

function columnWidthsFor(
  headings: readonly string[],
  sample: readonly (readonly ReportCell[])[],
): string {
  return headings
    .map((heading, at) => {
      const longest = Math.max(heading.length, ...sample.map((row) => lengthOf(row[at] ?? null)));
      const width = Math.min(MAX_COLUMN_WIDTH, Math.max(MIN_COLUMN_WIDTH, longest + 2));
      const place = String(at + 1);
      return `<col min="${place}" max="${place}" width="${String(width)}" customWidth="1"/>`;
    })
    .join('');
}

function lengthOf(value: ReportCell): number {
  if (value === null) return 0;
  return typeof value === 'string' ? value.length : DATE_COLUMN_WIDTH;
}

const ALPHABET_LENGTH = 26;

function columnName(index: number): string {
  const rest = Math.floor(index / ALPHABET_LENGTH);
  const letter = String.fromCharCode('A'.charCodeAt(0) + (index % ALPHABET_LENGTH));
  return rest === 0 ? letter : columnName(rest - 1) + letter;
}

/** Replaces the characters that a sheet name must not contain. */
const sheetName = (title: string): string =>
  cutAtCharacter(title.replace(/[\\/?*[\]:']/g, ' '), MAX_SHEET_NAME_LENGTH).trim() || 'Sheet1';

const workbookXml = (title: string): string =>
  `${XML}<workbook xmlns="${MAIN_NAMESPACE}" xmlns:r="${RELATIONS_NAMESPACE}"><sheets>` +
  `<sheet name="${escapeCellText(sheetName(title))}" sheetId="1" r:id="rId1"/></sheets></workbook>`;

const packageRelations =
  `${XML}<Relationships xmlns="${PACKAGE_NAMESPACE}/relationships"><Relationship Id="rId1" ` +
  `Type="${RELATIONS_NAMESPACE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`;

const workbookRelations =
  `${XML}<Relationships xmlns="${PACKAGE_NAMESPACE}/relationships">` +
  `<Relationship Id="rId1" Type="${RELATIONS_NAMESPACE}/worksheet" Target="worksheets/sheet1.xml"/>` +
  `<Relationship Id="rId2" Type="${RELATIONS_NAMESPACE}/styles" Target="styles.xml"/></Relationships>`;

const SPREADSHEET = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

const contentTypes =
  `${XML}<Types xmlns="${PACKAGE_NAMESPACE}/content-types">` +
  '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
  '<Default Extension="xml" ContentType="application/xml"/>' +
  `<Override PartName="/xl/workbook.xml" ContentType="${SPREADSHEET}.sheet.main+xml"/>` +
  `<Override PartName="/xl/styles.xml" ContentType="${SPREADSHEET}.styles+xml"/>` +
  `<Override PartName="/xl/worksheets/sheet1.xml" ContentType="${SPREADSHEET}.worksheet+xml"/>` +
  '</Types>';

const stylesXml =
  `${XML}<styleSheet xmlns="${MAIN_NAMESPACE}">` +
  '<numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd hh:mm"/></numFmts>' +
  '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>' +
  '<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>' +
  '<fills count="2"><fill><patternFill patternType="none"/></fill>' +
  '<fill><patternFill patternType="gray125"/></fill></fills>' +
  '<borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs>' +
  '<cellXfs count="4"><xf numFmtId="49" applyNumberFormat="1"/><xf fontId="1" applyFont="1"/>' +
  '<xf numFmtId="164" applyNumberFormat="1"/><xf numFmtId="0"/></cellXfs></styleSheet>';

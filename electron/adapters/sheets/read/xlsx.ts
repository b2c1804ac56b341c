import type { SheetChoices, SheetNotice } from '../../../../shared/contract/sheets.ts';
import { type Grid, countedNotice } from './grid.ts';
import { readCell } from './cell.ts';
import { MAX_SHEET_COLUMNS } from './limits.ts';
import { isTrueAttribute, readWorkbook, type Workbook, type WorkbookSheet } from './workbook.ts';
import { type Attributes, readXml, type XmlReader } from './xml.ts';
import type { Zip } from './zip.ts';
import { sheetError } from './refuse.ts';
import { SheetGrid } from './sheet-grid.ts';

/** Excel's maximum number of rows. */
const LAST_ROW = 1_048_576;
const A = 65;
const Z = 90;

export async function readXlsx(
  zip: Zip,
  choices: SheetChoices,
): Promise<{
  readonly grid: Grid;
  readonly sheets: readonly WorkbookSheet[];
  readonly sheet: string;
}> {
  const book = await readWorkbook(zip);
  const chosen = chooseSheet(book.sheets, choices.sheet);
  const grid = new SheetGrid(choices.hidden === 'read');
  await readXml(`The sheet "${chosen.name}"`, zip.chunks(chosen.part), new SheetXml(book, grid));
  const { rows, notices } = grid.grid();
  const hidden = book.sheets.filter((one) => one.hidden && one !== chosen).length;
  const others = book.sheets.filter((one) => !one.hidden && one !== chosen).length;
  const allNotices: SheetNotice[] = [
    ...notices,
    ...countedNotice('hidden-sheets', hidden),
    ...countedNotice('other-sheets', others),
    ...countedNotice('external-content', book.external),
    ...countedNotice('dates-1904', book.is1904 ? 1 : 0),
  ];
  return { grid: { rows, notices: allNotices }, sheets: book.sheets, sheet: chosen.name };
}

/** Returns the wanted sheet, otherwise the first visible one. */
function chooseSheet(sheets: readonly WorkbookSheet[], wanted: string | undefined): WorkbookSheet {
  const found =
    wanted === undefined
      ? (sheets.find(({ hidden }) => !hidden) ?? sheets[0])
      : sheets.find(({ name }) => name === wanted);
  if (found !== undefined) return found;
  throw sheetError('sheet-kind', `The spreadsheet has no sheet "${wanted ?? ''}"`);
}

/** Reads the rows of one sheet from its elements in sequence. */
class SheetXml implements XmlReader {
  readonly #book: Workbook;
  readonly #grid: SheetGrid;
  #row = 0;
  #isHidden = false;
  #column = -1;
  /**
   * Columns of the row that had a cell: programs differ in which of two duplicates they display.
   */
  readonly #filled = new Set<number>();
  #type: string | undefined;
  #style = 0;
  #isFormula = false;
  #text = '';
  #hasValue = false;
  /** Whether the reader is inside a cell, and inside a text element of that cell. */
  #isCell = false;
  #isText = false;
  #isSpoken = false;

  constructor(book: Workbook, grid: SheetGrid) {
    this.#book = book;
    this.#grid = grid;
  }

  open(name: string, attributes: Attributes): void {
    switch (name) {
      case 'c':
        this.#startCell(attributes);
        break;
      case 'v':
        this.#isText = this.#isCell && this.#type !== 'inlineStr';
        if (this.#isText) this.#hasValue = true;
        break;
      case 't':
        this.#isText = this.#isCell && this.#type === 'inlineStr' && !this.#isSpoken;
        if (this.#isText) this.#hasValue = true;
        break;
      case 'rPh':
        this.#isSpoken = true;
        break;
      case 'f':
        this.#isFormula = this.#isCell;
        break;
      case 'row':
        this.#row = rowNumber(attributes['r'], this.#row);
        this.#isHidden = isTrueAttribute(attributes['hidden']);
        this.#column = -1;
        this.#filled.clear();
        this.#grid.startRow(this.#row);
        break;
      case 'col':
        this.#hideColumns(attributes);
        break;
      case 'mergeCell':
        this.#grid.merged.addReference(attributes['ref'] ?? '');
        break;
      case 'autoFilter':
        this.#grid.isFiltered = true;
        break;
      default:
    }
  }

  text(text: string): void {
    if (this.#isText) this.#text += text;
  }

  close(name: string): void {
    switch (name) {
      case 'v':
      case 't':
        this.#isText = false;
        break;
      case 'c':
        this.#endCell();
        break;
      case 'rPh':
        this.#isSpoken = false;
        break;
      case 'row':
        if (!this.#grid.endRow(this.#isHidden)) this.#grid.addEmpty(1);
        break;
      default:
    }
  }

  #startCell({ r, t, s }: Attributes): void {
    this.#column = r === undefined ? this.#column + 1 : columnOf(r);
    if (this.#filled.has(this.#column)) {
      throw sheetError(
        'sheet-damaged',
        `Row ${this.#row} of the sheet has the same cell twice. Open the spreadsheet and save it again`,
      );
    }
    this.#filled.add(this.#column);
    this.#type = t;
    this.#style = s === undefined ? 0 : Number(s);
    this.#isFormula = false;
    this.#text = '';
    this.#hasValue = false;
    this.#isCell = true;
  }

  #endCell(): void {
    this.#isCell = false;
    if (!this.#hasValue && !this.#isFormula) return;
    const value = this.#hasValue ? this.#text : null;
    const about = { type: this.#type, style: this.#style, value, isFormula: this.#isFormula };
    this.#grid.cell(this.#column, readCell(this.#book, about), this.#isFormula);
  }

  #hideColumns({ hidden, min, max }: Attributes): void {
    if (!isTrueAttribute(hidden)) return;
    const last = Math.min(Number(max ?? 0), MAX_SHEET_COLUMNS);
    for (let at = Number(min ?? 1); at <= last; at += 1) this.#grid.hideColumn(at - 1);
  }
}

function rowNumber(text: string | undefined, before: number): number {
  const number = text === undefined ? before + 1 : Number(text);
  if (Number.isInteger(number) && number > before && number <= LAST_ROW) return number;
  throw sheetError(
    'sheet-damaged',
    'The rows of the sheet are not in order. Open the spreadsheet and save it again',
  );
}

/** Returns the column of a cell's reference: 0 for `A7`, 26 for `AA7`. */
function columnOf(reference: string): number {
  let column = 0;
  let at = 0;
  for (; at < reference.length; at += 1) {
    const code = reference.charCodeAt(at);
    if (code < A || code > Z) break;
    column = column * 26 + code - A + 1;
  }
  if (at > 0 && at <= 3 && at < reference.length) return column - 1;
  throw sheetError(
    'sheet-damaged',
    'A cell of the sheet does not state its row and column. Open the spreadsheet and save it again',
  );
}

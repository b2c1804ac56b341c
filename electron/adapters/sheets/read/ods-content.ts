import type { SheetChoices } from '../../../../shared/contract/sheets.ts';
import { readOdsCell } from './ods-cell.ts';
import { MAX_SHEET_COLUMNS } from './limits.ts';
import { type Attributes, normalizeLineEnds, type XmlNames, type XmlReader } from './xml.ts';
import { SheetGrid } from './sheet-grid.ts';

/** Parts of a cell that are not its text: comments, pronunciation, drawings. */
const SIDE_TEXT_ELEMENTS: ReadonlySet<string> = new Set([
  'office:annotation',
  'text:ruby-text',
  'text:note',
]);
const DRAWING = /^draw:/;
/**
 * Maximum number of rows, which is Excel's: OpenDocument allows more, but real sheets never have
 * more.
 */
const LAST_ROW = 1_048_576;
const VALUE_ATTRIBUTES: Readonly<Record<string, string>> = {
  date: 'office:date-value',
  time: 'office:time-value',
  boolean: 'office:boolean-value',
  string: 'office:string-value',
};

/** Reads the elements of `content.xml` in sequence; keeps the rows of one sheet. */
export class OdsContent implements XmlReader {
  readonly grid: SheetGrid;
  readonly sheets: { readonly name: string; readonly hidden: boolean }[] = [];
  /** Name of the sheet that is read; null until it is found. */
  chosen: string | null = null;
  /** Number of ranges that another file fills. */
  links = 0;
  readonly #wanted: string | undefined;
  /** Names of table styles that hide a sheet. */
  readonly #hidingStyles = new Set<string>();
  #style = '';
  /** Depth within drawings on a sheet: a table in a drawing is not a sheet. */
  #skipped = 0;
  #isRead = false;
  #row = 0;
  #rowTimes = 1;
  #isHidden = false;
  /** Enclosing row and column groups, and whether each is collapsed. */
  readonly #folded: boolean[] = [];
  /** Number of empty rows since the last row with content. */
  #empty = 0;
  #column = 0;
  #shownColumn = 0;
  #cell: { readonly attributes: Attributes; readonly names: XmlNames } | null = null;
  #beside = 0;
  #paragraphs = 0;
  #isText = false;
  #text = '';
  #isSpace = true;

  constructor({ sheet, hidden }: SheetChoices) {
    this.#wanted = sheet;
    this.grid = new SheetGrid(hidden === 'read');
  }

  open(name: string, attributes: Attributes, names: XmlNames): void {
    if (this.#cell !== null) this.#openInCell(name, attributes, names);
    else if (isSkipped(name)) this.#skipped += 1;
    else if (this.#skipped === 0) this.#openOutside(name, attributes, names);
  }

  text(text: string): void {
    if (!this.#isText || this.#beside > 0) return;
    // White space in the file counts as one space (ODF 1.3 part 3, 6.1.2).
    const bare = text.replaceAll(/[ \t\r\n]+/g, ' ');
    this.#text += this.#isSpace && bare.startsWith(' ') ? bare.slice(1) : bare;
    if (bare !== '') this.#isSpace = bare.endsWith(' ');
  }

  close(name: string): void {
    if (this.#cell !== null) this.#closeInCell(name);
    else if (isSkipped(name)) this.#skipped -= 1;
    else if (this.#skipped > 0 || !this.#isRead) return;
    else if (isGroup(name)) this.#folded.pop();
    else if (name === 'table:table-row') this.#endRow();
    else if (name === 'table:table') this.#isRead = false;
  }

  #closeInCell(name: string): void {
    if (isSideText(name)) this.#beside -= 1;
    else if (this.#beside > 0) return;
    else if (name === 'text:p') this.#endParagraph();
    else if (isCell(name)) this.#endCell();
  }

  #openOutside(name: string, attributes: Attributes, names: XmlNames): void {
    const value = (of: string): string | null => names.attribute(attributes, of);
    switch (name) {
      case 'style:style':
        this.#style = value('style:name') ?? '';
        break;
      case 'style:table-properties':
        if (value('table:display') === 'false') this.#hidingStyles.add(this.#style);
        break;
      case 'table:table':
        this.#startTable(value('table:name') ?? '', value('table:style-name') ?? '');
        break;
      case 'table:table-source':
        this.links += 1;
        break;
      default:
        if (this.#isRead) this.#openInTable(name, attributes, names);
    }
  }

  #startTable(name: string, style: string): void {
    const hidden = this.#hidingStyles.has(style);
    this.sheets.push({ name, hidden });
    const isWanted = this.#wanted === undefined ? !hidden : name === this.#wanted;
    this.#isRead = isWanted && this.chosen === null;
    if (this.#isRead) this.chosen = name;
  }

  #openInTable(name: string, attributes: Attributes, names: XmlNames): void {
    const value = (of: string): string | null => names.attribute(attributes, of);
    const isFolded = this.#folded.includes(true);
    if (isGroup(name)) this.#folded.push(value('table:display') === 'false');
    else if (name === 'table:table-column') {
      const times = repeatCountOf(value('table:number-columns-repeated'));
      if (isFolded || isHidden(value('table:visibility'))) {
        const last = Math.min(this.#shownColumn + times, MAX_SHEET_COLUMNS);
        for (let at = this.#shownColumn; at < last; at += 1) this.grid.hideColumn(at);
      }
      this.#shownColumn += times;
    } else if (name === 'table:table-row') {
      this.#row += 1;
      this.#rowTimes = repeatCountOf(value('table:number-rows-repeated'));
      this.#isHidden = isFolded || isHidden(value('table:visibility'));
      if (value('table:visibility') === 'filter') this.grid.isFiltered = true;
      this.#column = 0;
      this.grid.startRow(this.#row);
    } else if (isCell(name)) {
      this.#cell = { attributes, names };
      this.#paragraphs = 0;
      this.#text = '';
    }
  }

  #openInCell(name: string, attributes: Attributes, names: XmlNames): void {
    if (isSideText(name)) this.#beside += 1;
    if (this.#beside > 0) return;
    switch (name) {
      case 'text:p':
        if (this.#paragraphs > 0) this.#text += '\n';
        this.#paragraphs += 1;
        this.#isText = true;
        this.#isSpace = true;
        break;
      case 'text:s':
        this.#add(' '.repeat(Math.min(repeatCountOf(names.attribute(attributes, 'text:c')), 1000)));
        break;
      case 'text:tab':
        this.#add('\t');
        break;
      case 'text:line-break':
        this.#add('\n');
        break;
      default:
    }
  }

  #add(text: string): void {
    this.#text += text;
    this.#isSpace = false;
  }

  #endParagraph(): void {
    this.#isText = false;
    // A space at the end of a paragraph is file layout.
    if (this.#isSpace && this.#text.endsWith(' ')) this.#text = this.#text.slice(0, -1);
  }

  #endCell(): void {
    if (this.#cell === null) return;
    const { attributes, names } = this.#cell;
    const value = (of: string): string | null => names.attribute(attributes, of);
    this.#cell = null;
    const times = repeatCountOf(value('table:number-columns-repeated'));
    const type = value('office:value-type');
    const isFormula = value('table:formula') !== null;
    const own = value(VALUE_ATTRIBUTES[type ?? ''] ?? 'office:value');
    // A text without paragraphs may be in an attribute.
    const shown = this.#paragraphs > 0 ? this.#text : type === 'string' ? (own ?? '') : null;
    const isError = value('calcext:value-type') === 'error';
    const cell = readOdsCell({
      type,
      value: own,
      shown: shown === null ? null : normalizeLineEnds(shown),
      isFormula,
      isError,
    });
    const columns = Number(value('table:number-columns-spanned') ?? 1);
    const rows = Number(value('table:number-rows-spanned') ?? 1);
    if (columns > 1 || rows > 1) {
      this.grid.merged.add(
        this.#column,
        this.#column + columns - 1,
        this.#row,
        this.#row + rows - 1,
      );
    }
    const isEmpty = cell.text === '' && cell.mark === null;
    // One cell beyond the last column is enough for an error.
    const last = isEmpty ? 0 : Math.min(times, MAX_SHEET_COLUMNS + 1);
    for (let at = 0; at < last; at += 1) this.grid.cell(this.#column + at, cell, isFormula);
    this.#column += times;
  }

  #endRow(): void {
    const times = Math.min(this.#rowTimes, LAST_ROW);
    const isFilled = this.grid.endRow(this.#isHidden, times);
    if (isFilled) {
      this.grid.addEmpty(this.#empty);
      this.#empty = 0;
    } else {
      // Rows after the last one with content only fill the sheet, so empty rows are counted only if
      // another row with content follows.
      this.#empty += times;
    }
    this.#row += times - 1;
  }
}

const isCell = (name: string): boolean =>
  name === 'table:table-cell' || name === 'table:covered-table-cell';
const isGroup = (name: string): boolean =>
  name === 'table:table-row-group' || name === 'table:table-column-group';
const isSideText = (name: string): boolean =>
  SIDE_TEXT_ELEMENTS.has(name) || DRAWING.test(name) || name === 'table:table';
const isSkipped = (name: string): boolean => name === 'table:shapes' || name === 'office:forms';
const isHidden = (visibility: string | null): boolean =>
  visibility === 'collapse' || visibility === 'filter';

function repeatCountOf(text: string | null): number {
  const times = Number(text ?? 1);
  return Number.isInteger(times) && times > 0 ? times : 1;
}

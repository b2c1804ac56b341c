import { columnIndex } from './grid.ts';
import { MAX_SHEET_COLUMNS } from './limits.ts';

/** First and last row of an area, both included. */
type Span = readonly [top: number, bottom: number];

const REFERENCE = /^\$?([A-Z]{1,3})\$?(\d{1,7}):\$?([A-Z]{1,3})\$?(\d{1,7})$/;

/**
 * Merged cells of a sheet. A sheet may have any number of areas: they are stored by column, sorted
 * once, and queried row by row from the top.
 */
export class MergedAreas {
  readonly #columns: Span[][] = [];
  #isOrdered = true;

  /** Adds an area such as `A2:B3`; an invalid one is ignored. */
  addReference(reference: string): void {
    const [, left = '', top, right = '', bottom] = REFERENCE.exec(reference) ?? [];
    const [from, to] = [columnIndex(left), columnIndex(right)];
    if (from !== null && to !== null) this.add(from, to, Number(top), Number(bottom));
  }

  /** Adds an area. Columns are counted from 0, rows from 1. */
  add(left: number, right: number, top: number, bottom: number): void {
    this.#isOrdered = false;
    // Cells further right are refused if they have any content.
    for (let column = left; column <= Math.min(right, MAX_SHEET_COLUMNS - 1); column += 1) {
      (this.#columns[column] ??= []).push([top, bottom]);
    }
  }

  /** Returns the merged columns below `width` for each row; the rows must be ascending. */
  columnsOf(rows: readonly number[], width: number): readonly (readonly number[])[] {
    this.#order();
    const places = new Map<number, number>();
    return rows.map((row) => {
      const merged: number[] = [];
      for (let column = 0; column < width; column += 1) {
        const spans = this.#columns[column];
        if (spans === undefined) continue;
        let at = places.get(column) ?? 0;
        while ((spans[at]?.[1] ?? Number.POSITIVE_INFINITY) < row) at += 1;
        places.set(column, at);
        if ((spans[at]?.[0] ?? Number.POSITIVE_INFINITY) <= row) merged.push(column);
      }
      return merged;
    });
  }

  /** Sorts the spans of each column from the top, and joins overlapping ones. */
  #order(): void {
    if (this.#isOrdered) return;
    this.#isOrdered = true;
    for (const [column, spans] of this.#columns.entries()) {
      if (spans === undefined) continue;
      const joined: Span[] = [];
      for (const span of spans.toSorted(([one], [other]) => one - other)) {
        const last = joined.at(-1);
        if (last === undefined || span[0] > last[1]) joined.push(span);
        else joined[joined.length - 1] = [last[0], Math.max(last[1], span[1])];
      }
      this.#columns[column] = joined;
    }
  }
}

// tier: quick, 20 s, because it tries a thousand made-up sheets
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readSheet } from '../../electron/adapters/sheets/read/sheet.ts';
import { writeCsv } from '../../electron/adapters/sheets/write/csv.ts';
import { writeXlsx } from '../../electron/adapters/sheets/write/xlsx.ts';
import type { ReportTable } from '../../electron/core/reports/ports.ts';
import { AppError } from '../../shared/errors.ts';
import { guardCsv, unguardCsv } from '../../shared/rules/sheets/csv-guard.ts';
import { fods, ods, odsRow, odsText } from '../adapters/sheets/ods.ts';
import { workbook } from '../adapters/sheets/workbook.ts';
import { anyText, TIMEOUT_MS, settings } from './runs.ts';

const HEADINGS = ['Key', 'Last name', 'Notes'] as const;
/** Rows with a key, so that no row is empty, and two other texts. */
const rows = fc.array(fc.tuple(fc.constant('k'), anyText(30), anyText(30)), {
  minLength: 1,
  maxLength: 6,
});
type Rows = readonly (readonly string[])[];

async function written(
  write: (table: ReportTable) => AsyncIterable<Uint8Array>,
  cells: Rows,
): Promise<Uint8Array> {
  const table = { title: 'Report', headings: HEADINGS, rows: portions(cells) };
  const pieces: Uint8Array[] = [];
  for await (const piece of write(table)) pieces.push(piece);
  return new Uint8Array(Buffer.concat(pieces));
}

async function* portions(cells: Rows): AsyncGenerator<Rows> {
  yield cells;
}

/**
 * Returns the cells below the header, and expects the headings; a column without values must have
 * its heading, too.
 */
async function cellsOf(data: Uint8Array): Promise<Rows> {
  const { shape, rows: read } = await readSheet(data, { headerRow: 1 });
  expect(shape.columns.map(({ name }) => name)).toEqual([...HEADINGS]);
  return read.map(({ cells }) => cells);
}

/** Returns the cells, or null if the file was rejected with a reason. Throws other errors. */
async function readOrRefused(data: Uint8Array): Promise<Rows | null> {
  try {
    const { rows: read } = await readSheet(data, {});
    return read.map(({ cells }) => cells);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    expect(error.failure.reason).toMatch(/^sheet-/);
    return null;
  }
}

const evenEnds = (text: string): string => text.replaceAll(/\r\n?/g, '\n');
/** Characters that XML 1.0 cannot contain; lone surrogates become U+FFFD. */
const NOT_IN_XML = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g;
/** Characters that mark a file as binary. */
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f\uFFFE\uFFFF]/g;
const inText = (text: string): string => text.toWellFormed().replaceAll(CONTROL, '');
const inXml = (text: string): string => text.toWellFormed().replace(NOT_IN_XML, '');
const escaped = (text: string): string =>
  inXml(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

describe('a written spreadsheet', () => {
  it.each([',', ';', '\t'] as const)(
    'is read back unchanged from CSV with %j, except for the protection against formulas (TE-P3)',
    async (delimiter) => {
      await fc.assert(
        fc.asyncProperty(rows, async (cells) => {
          const data = await written((table) => writeCsv(table, delimiter), cells);
          const read = await cellsOf(data);
          const shown = (text: string) => evenEnds(unguardCsv(guardCsv(inText(text))));
          expect(read).toEqual(cells.map((row) => row.map(shown)));
        }),
        settings,
      );
    },
    TIMEOUT_MS,
  );

  it(
    'is read back unchanged from XLSX, except for characters that XML cannot contain (TE-P3)',
    async () => {
      await fc.assert(
        fc.asyncProperty(rows, async (cells) => {
          const read = await cellsOf(await written(writeXlsx, cells));
          expect(read).toEqual(cells.map((row) => row.map((text) => evenEnds(inXml(text)))));
        }),
        settings,
      );
    },
    TIMEOUT_MS,
  );

  it(
    'is read back unchanged from OpenDocument, except for spaces that the format merges (TE-P3)',
    async () => {
      await fc.assert(
        fc.asyncProperty(rows, fc.constantFrom(ods, fods), async (cells, write) => {
          const table = [HEADINGS, ...cells].map((row) =>
            odsRow(row.map((text) => odsText(escaped(text)))),
          );
          const read = await cellsOf(write({ tables: { Sheet1: table.join('') } }));
          const loose = (text: string) =>
            inXml(text)
              .replaceAll(/[ \t\r\n]+/g, ' ')
              .trim();
          expect(read.map((row) => row.map(loose))).toEqual(cells.map((row) => row.map(loose)));
        }),
        settings,
      );
    },
    TIMEOUT_MS,
  );
});

describe('a damaged spreadsheet', () => {
  const number = (style: number, value: string) => `<c s="${String(style)}"><v>${value}</v></c>`;
  const shared = (at: number) => `<c t="s"><v>${String(at)}</v></c>`;
  const texts = ['Name', 'Rent', 'Day', 'Åsa'].map((text) => `<t>${text}</t>`);
  const header = `<row r="1">${shared(0)}${shared(1)}${shared(2)}</row>`;
  const row = `<row r="2">${shared(3)}${number(1, '123')}${number(2, '46000')}</row>`;
  const whole = workbook({
    sheets: { Sheet1: header + row },
    texts,
    formats: ['000000', 'yyyy\\-mm\\-dd'],
  });
  const shown = [['Åsa', '000123', '2025-12-09']];
  const place = fc.nat({ max: whole.length - 1 });

  it(
    'is rejected or read as before the damage, whichever byte was changed (TE-P4)',
    async () => {
      expect(await readOrRefused(whole)).toEqual(shown);
      await fc.assert(
        fc.asyncProperty(place, fc.integer({ min: 1, max: 255 }), async (at, change) => {
          const damaged = whole.slice();
          damaged[at] = (damaged[at] ?? 0) ^ change;
          const read = await readOrRefused(damaged);
          if (read !== null) expect(read).toEqual(shown);
        }),
        settings,
      );
    },
    TIMEOUT_MS,
  );

  it(
    'is rejected, wherever it was cut off (TE-P4)',
    async () => {
      await fc.assert(
        fc.asyncProperty(place, async (at) => {
          const read = await readOrRefused(whole.subarray(0, at));
          expect(read).toBeNull();
        }),
        settings,
      );
    },
    TIMEOUT_MS,
  );
});

describe('any bytes opened as a spreadsheet', () => {
  const heads = [
    '',
    'PK\u0003\u0004',
    'sep=;\n',
    '\u00ef\u00bb\u00bf',
    '\u00ff\u00fe',
    '<office:document ',
    '\u00d0\u00cf\u0011\u00e0',
  ];
  const bytes = fc
    .tuple(
      fc.constantFrom(...heads),
      fc.oneof(
        fc.uint8Array({ maxLength: 300 }),
        anyText(200).map((text) => new Uint8Array(Buffer.from(text))),
      ),
    )
    .map(([head, body]) => new Uint8Array(Buffer.concat([Buffer.from(head, 'latin1'), body])));

  it(
    'are rejected with a reason, or read so that every row has all columns (TE-P5)',
    async () => {
      await fc.assert(
        fc.asyncProperty(bytes, async (data) => {
          const read = await readOrRefused(data);
          const widths = new Set((read ?? []).map((cells) => cells.length));
          expect(widths.size).toBeLessThanOrEqual(1);
        }),
        settings,
      );
    },
    TIMEOUT_MS,
  );
});

import { readSheet } from 'read-excel-file/node';
import { describe, expect, it } from 'vitest';
import { createReportWriter } from '../../../electron/adapters/sheets/write-report.ts';
import type { CsvDelimiter, ReportCell } from '../../../electron/core/report-ports.ts';
import { cells, names, read } from './refusal.ts';

const writer = createReportWriter();

/** Everything a spreadsheet program may take for the beginning of a formula. */
const formulas = ['=1+1', '+46701234567', '-1', '@sum', '\tcell', '\rcell'];

async function* portions(...rows: readonly (readonly ReportCell[])[]) {
  for (const row of rows) yield [row];
}

const table = (...rows: readonly (readonly ReportCell[])[]) => ({
  title: 'Agreements',
  headings: ['Title', 'Closed'],
  rows: portions(...rows),
});

async function bytesOf(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return Buffer.concat(parts);
}

const csv = async (delimiter: CsvDelimiter, ...rows: readonly (readonly ReportCell[])[]) =>
  (await bytesOf(writer.csv(table(...rows), delimiter))).toString('utf8');

const xlsx = async (...rows: readonly (readonly ReportCell[])[]) =>
  readSheet(await bytesOf(writer.xlsx(table(...rows))));

describe('a report as CSV', () => {
  it('begins with the mark of UTF-8 and has the delimiter that was chosen (TX-24)', async () => {
    expect(await csv(';', ['Åsas avtal', null])).toBe('\uFEFFTitle;Closed\r\nÅsas avtal;\r\n');
    expect(await csv(',', ['a;b', null])).toBe('\uFEFFTitle,Closed\r\na;b,\r\n');
    expect(await csv('\t', ['a', 'b'])).toBe('\uFEFFTitle\tClosed\r\na\tb\r\n');
  });

  it('holds no cell that a program would calculate (TX-24)', async () => {
    for (const formula of formulas) {
      const text = await csv(';', [formula, null]);
      const [, second = ''] = text.split('\r\n');
      expect(second.replace(/^"/, '').startsWith("'")).toBe(true);
    }
  });

  it('is read back as it was written by the importer of the desk (TX-24)', async () => {
    const written = [
      ['Hyra; kök "3"', 'rad ett\nrad två'],
      ['=HYPERLINK("https://example.com")', '-12'],
      ['Åsa, Öberg', '  avstånd  '],
    ];
    for (const delimiter of [';', ',', '\t'] as const) {
      const sheet = await read(await bytesOf(writer.csv(table(...written), delimiter)));
      expect(names(sheet)).toEqual(['Title', 'Closed']);
      expect(cells(sheet).map((row) => row.map((cell) => cell.trim()))).toEqual(
        written.map((row) => row.map((cell) => cell.trim())),
      );
    }
  });

  it('tells times as the clock on the wall shows them', async () => {
    const at = new Date(2026, 9, 25, 2, 30).getTime();
    expect(await csv(';', ['Natten då klockan ställs om', { at }])).toContain('2026-10-25 02:30');
  });
});

describe('a report as XLSX', () => {
  it('holds every text as text, what looks like a formula or a number too (TX-24)', async () => {
    const texts = [...formulas.slice(0, 4), '0046701234567', '20260101', '<b>&amp;"</b>'];
    const rows = await xlsx(...texts.map((text): readonly ReportCell[] => [text, null]));
    expect(rows.slice(1).map(([title]) => title)).toEqual(texts);
  });

  it('holds times as times', async () => {
    const at = new Date(2026, 10, 19, 14, 2).getTime();
    const [, row] = await xlsx(['Avtal', { at }]);
    // What is read back has the wall clock's digits, in UTC.
    expect(row?.[1]).toEqual(new Date(Date.UTC(2026, 10, 19, 14, 2)));
  });

  it('leaves out letters that no XML can hold, and halves of letters', async () => {
    const [, row] = await xlsx(['a\u0000b\u000Bc\uD800d', 'e\u001F']);
    expect(row).toEqual(['abc\uFFFDd', 'e']);
  });

  it('cuts what no cell can hold', async () => {
    const [, row] = await xlsx(['x'.repeat(40_000), null]);
    expect(String(row?.[0])).toHaveLength(32_767);
  });

  it('has its headings alone when nothing matches', async () => {
    expect(await xlsx()).toEqual([['Title', 'Closed']]);
  });

  it('comes portion by portion, so that a long one need not be held whole', async () => {
    let asked = 0;
    async function* rows() {
      for (asked = 0; asked < 50; asked += 1) yield [[`Avtal ${String(asked)}`, null]];
    }
    const chunks = writer.csv({ title: 'A', headings: ['T', 'C'], rows: rows() }, ';');
    const iterator = chunks[Symbol.asyncIterator]();
    await iterator.next();
    await iterator.next();
    expect(asked).toBeLessThan(5);
  });
});

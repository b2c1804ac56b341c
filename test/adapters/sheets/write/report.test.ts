import { readSheet } from 'read-excel-file/node';
import Papa from 'papaparse';
import { describe, expect, it } from 'vitest';
import { defaultIndexColumns } from '../../../../shared/contract/archive.ts';
import { renderIndex } from '../../../../electron/core/archive/index-files.ts';
import { createReportWriter } from '../../../../electron/adapters/sheets/write/report.ts';
import type { ReportCell } from '../../../../shared/contract/reports.ts';
import type { CsvDelimiter } from '../../../../electron/core/reports/ports.ts';
import { guardCsv, unguardCsv } from '../../../../shared/rules/sheets/csv-guard.ts';
import { createSeeded } from '../../../support/seeded.ts';
import { cells, names, read } from '../refusal.ts';

const writer = createReportWriter();

/** Texts with every possible start of a formula in a spreadsheet program. */
const formulas = ['=1+1', '+46701234567', '-1', '@sum', '\tcell', '\rcell'];

/** Runs `work` in the Swedish time zone, whatever the time zone of this computer. */
async function inStockholm(work: () => Promise<void>): Promise<void> {
  const before = process.env['TZ'];
  process.env['TZ'] = 'Europe/Stockholm';
  try {
    await work();
  } finally {
    if (before === undefined) delete process.env['TZ'];
    else process.env['TZ'] = before;
  }
}

/** Matches a possible start of a formula, after characters that a program may skip. */
const RISKY = /^[\s"\p{Cc}\p{Cf}]*[=+\-@＝＋－＠]/u;

/** Returns texts combined from separators, formula signs, quotes and other characters. */
function nastyTexts(count: number): readonly string[] {
  const parts = [
    ...[';', ',', '\t', '|', '\n', '\r\n', '\r', '"', '""', "'", ' ', '\u00a0', '\u200b', '\ufeff'],
    ...[
      '=1+41',
      '+1',
      '-1',
      '@SUM(A1)',
      '＝1',
      '＋1',
      '－1',
      '＠a',
      "=cmd|' /C calc'!A1",
      'Avtal',
      'å',
    ],
  ];
  const { whole } = createSeeded(7);
  return Array.from({ length: count }, () =>
    Array.from({ length: whole(1, 8) }, () => parts[whole(0, parts.length - 1)]).join(''),
  );
}

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
  it('starts with the UTF-8 mark and has the chosen delimiter (TX-24)', async () => {
    expect(await csv(';', ['Åsas avtal', null])).toBe('\uFEFFTitle;Closed\r\nÅsas avtal;\r\n');
    expect(await csv(',', ['a;b', null])).toBe('\uFEFFTitle,Closed\r\n"a;b",\r\n');
    expect(await csv('\t', ['a', 'b'])).toBe('\uFEFFTitle\tClosed\r\na\tb\r\n');
  });

  it('contains no cell that a spreadsheet program would calculate (TX-24)', async () => {
    for (const formula of formulas) {
      const text = await csv(';', [formula, null]);
      const [, second = ''] = text.split('\r\n');
      expect(second.replace(/^"/, '').startsWith("'")).toBe(true);
    }
  });

  it('is read back unchanged by the program’s own import (TX-24)', async () => {
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

  it('has no formula in a program that splits it at a different delimiter (SEC-M2)', async () => {
    const written = nastyTexts(200).map((text, at): readonly ReportCell[] => [
      `id${String(at)}`,
      text,
      text,
    ]);
    for (const delimiter of [',', ';', '\t'] as const) {
      const text = await csv(delimiter, ...written);
      for (const other of [',', ';', '\t', '|']) {
        const { data } = Papa.parse<string[]>(text.slice(1), { delimiter: other });
        const found = data.flat().filter((cell) => RISKY.test(cell));
        expect({ delimiter, other, found }).toEqual({ delimiter, other, found: [] });
      }
    }
  });

  it('has no formula as the index of an archive, split at any delimiter (SEC-M2)', () => {
    const rows = nastyTexts(200).map((title, at) => ({
      file: `${title}.pdf`,
      sha256: 'a',
      bytes: 1,
      kind: 'signed PDF',
      seal: '',
      id: String(at),
      title,
      parties: [title, title],
      closedAt: null,
      savedAt: 0,
      connection: undefined,
      agreement: undefined,
    }));
    for (const other of [',', ';', '\t', '|']) {
      const { data } = Papa.parse<string[]>(renderIndex(rows, defaultIndexColumns).slice(1), {
        delimiter: other,
      });
      expect(data.flat().filter((cell) => RISKY.test(cell))).toEqual([]);
    }
  });

  it('is the same text when read and written again (SEC-M2)', async () => {
    const texts = nastyTexts(200).map((text) => text.replaceAll(/\r\n?/g, '\n'));
    const rows = texts.map((text, at): readonly ReportCell[] => [`id${String(at)}`, text]);
    const once = await bytesOf(writer.csv(table(...rows), ';'));
    const again = cells(await read(once, { delimiter: ';', headerRow: 1 })).map(
      (row): readonly ReportCell[] => row,
    );
    expect((await bytesOf(writer.csv(table(...again), ';'))).toString()).toBe(once.toString());
  });

  it.each(["'=1", '=1', "''-", "'\t", ' +46', "O'Brien", "'x", 'a;b', '"@"', ''])(
    'keeps the value %j exactly when it is written and read (SEC-M2)',
    (text) => {
      expect(unguardCsv(guardCsv(text))).toBe(text);
    },
  );

  it('has no control character, which would make it something other than text (TE-P3)', async () => {
    const title = 'Av\u0001tal\u0000 \u009f1\u007f\uffff';
    const sheet = await read(await bytesOf(writer.csv(table([title, 'x']), ',')));
    expect(cells(sheet)).toEqual([['Avtal 1', 'x']]);
  });

  it('gives times in local time', async () => {
    const at = new Date(2026, 9, 24, 2, 30).getTime();
    expect(await csv(';', ['Natten då klockan ställs om', { at }])).toContain('2026-10-24 02:30');
  });
});

describe('a report as XLSX', () => {
  it('stores every text as text, also text like a formula or a number (AP-18, TX-24)', async () => {
    const texts = [...formulas.slice(0, 4), '0046701234567', '20260101', '<b>&amp;"</b>'];
    const rows = await xlsx(...texts.map((text): readonly ReportCell[] => [text, null]));
    expect(rows.slice(1).map(([title]) => title)).toEqual(texts);
  });

  it('stores times as times', async () => {
    const at = new Date(2026, 10, 19, 14, 2).getTime();
    const [, row] = await xlsx(['Avtal', { at }]);
    // The value read back has the local time's digits, in UTC.
    expect(row?.[1]).toEqual(new Date(Date.UTC(2026, 10, 19, 14, 2)));
  });

  it('omits characters that XML does not allow, and replaces halves of surrogate pairs', async () => {
    const [, row] = await xlsx(['a\u0000b\u000Bc\uD800d', 'e\u001F']);
    expect(row).toEqual(['abc\uFFFDd', 'e']);
  });

  it('shortens a text that is too long for a cell, and marks where it was cut (IN-22)', async () => {
    const [, row] = await xlsx(['x'.repeat(40_000), null]);
    expect(String(row?.[0])).toHaveLength(32_767);
    expect(String(row?.[0]).endsWith('x […cut: 40000 characters]')).toBe(true);
    const whole = 'y'.repeat(32_767);
    expect((await xlsx([whole, null]))[1]?.[0]).toBe(whole);
  });

  it('cuts no character in half, in a cell or in the sheet name (IN-22)', async () => {
    const [, row] = await xlsx([`x${'😀'.repeat(20_000)}`, null]);
    expect(String(row?.[0])).not.toContain('\uFFFD');
    const title = `${'x'.repeat(30)}😀`;
    const data = await bytesOf(writer.xlsx({ title, headings: ['A'], rows: portions(['a']) }));
    expect((await read(data)).shape.sheets).toEqual([{ name: 'x'.repeat(30), hidden: false }]);
  });

  it('distinguishes two instants with the same local time (IN-22)', async () => {
    await inStockholm(async () => {
      const first = Date.UTC(2026, 9, 25, 0, 30);
      const texts = await csv(';', ['a', { at: first }], ['b', { at: first + 3_600_000 }]);
      expect(texts).toContain('a;2026-10-25 02:30 +02:00\r\n');
      expect(texts).toContain('b;2026-10-25 02:30 +01:00\r\n');
      const rows = await xlsx(['a', { at: first }], ['b', { at: first + 3_600_000 }]);
      expect(rows.slice(1).map(([, time]) => time)).toEqual([
        '2026-10-25 02:30 +02:00',
        '2026-10-25 02:30 +01:00',
      ]);
      const usual = await csv(';', ['c', { at: first - 3_600_000 }]);
      expect(usual).toContain('c;2026-10-25 01:30\r\n');
    });
  });

  it('has only its headings when nothing matches', async () => {
    expect(await xlsx()).toEqual([['Title', 'Closed']]);
  });

  it('is written in chunks, so that a long report is not held in memory', async () => {
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

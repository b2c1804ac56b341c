import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readOrdinaryFile } from '../../../electron/hosts/cli/commands/batches/bytes.ts';
import { csvOf, importing, importingRow, tableOf, text } from '../../support/sheets/sheet-cases.ts';

/*
 * Cases 1 to 20, about files: each file runs through a whole batch. Every case checks that no row
 * with an error is armed.
 */

const one = [{ Rent: '9400' }];
const lines = (rows: readonly object[]) =>
  tableOf(rows as never)
    .map((cells) => cells.join(';'))
    .join('\r\n');

describe('a file of rows', () => {
  it('1: without rows is rejected, whether it is empty, only a header, or blank lines', async () => {
    for (const file of ['', lines([]), '\r\n\n\r\n']) {
      const { refused, armed } = await importing(text(file));
      expect(refused).toMatchObject({ reason: 'sheet-empty' });
      expect(armed).toEqual([]);
    }
  });

  it('2: that begins with a byte order mark has a clean first header', async () => {
    const { columns, errors, armed } = await importing(text(`\uFEFF${lines(one)}`));
    expect(columns[0]).toBe('First name');
    expect({ errors, armed }).toEqual({ errors: [], armed: [2] });
  });

  it('3: in UTF-16 of either order, with and without its mark, keeps its letters', async () => {
    const little = Buffer.from(lines(one), 'utf16le');
    const big = Buffer.from(little).swap16();
    const marked = [
      [0xff, 0xfe, little],
      [0xfe, 0xff, big],
    ] as const;
    const files = [little, big, ...marked.map(([a, b, data]) => Buffer.from([a, b, ...data]))];
    for (const file of files) {
      const { rows, armed } = await importing(new Uint8Array(file));
      expect(rows[0]?.cells.slice(0, 2)).toEqual(['Åsa', 'Öberg']);
      expect(armed).toEqual([2]);
    }
  });

  it('4: in Windows-1252 is read as such, and the guess is reported', async () => {
    const { rows, notices } = await importing(text(lines(one), 'latin1'));
    expect(notices).toMatchObject({ 'guessed-encoding': 1 });
    expect(rows[0]?.cells.slice(0, 2)).toEqual(['Åsa', 'Öberg']);
  });

  it('5: that ends within a character is rejected, and the position is shown', async () => {
    const whole = text(lines([{ Note: 'Malmö' }]));
    const { refused } = await importing(whole.subarray(0, whole.length - 1));
    expect(refused?.reason).toBe('sheet-text');
    expect(refused?.message).toContain(`byte ${String(whole.length - 2)}`);
  });

  it('6: with text encoded twice is reported', async () => {
    const { notices } = await importing(csvOf([{ 'First name': 'Ã…sa', 'Last name': 'Ã–berg' }]));
    expect(notices).toMatchObject({ 'double-encoded': 1 });
  });

  it('7: is split at semicolons, tabs, bars or commas, never inside quotes', async () => {
    for (const sign of [';', '\t', '|', ',']) {
      const { rows, armed } = await importing(csvOf([{ Rent: `9${sign}400` }], 'v1', sign));
      expect(rows[0]?.cells.at(-1)).toBe(`9${sign}400`);
      expect(armed).toEqual([2]);
    }
  });

  it('8: may name its delimiter in the first line, which is not read as a row', async () => {
    const { columns, armed } = await importing(text(`sep=;\r\n${lines(one)}`));
    expect(columns[0]).toBe('First name');
    expect(armed).toEqual([3]);
  });

  it('9: has the same rows for every kind of line end', async () => {
    const [header, a, b, c] = lines([{ Rent: '1' }, { Rent: '2' }, { Rent: '3' }]).split('\r\n');
    const { armed } = await importing(text(`${header}\r\n${a}\n${b}\r${c}`));
    expect(armed).toEqual([2, 3, 4]);
  });

  it('10: with an unclosed quote is rejected at its row', async () => {
    const [header, a, b] = lines([{ Rent: '1' }, { Rent: '2' }]).split('\r\n');
    const { refused } = await importing(text(`${header}\n${a}\n"${b}\n${a}\n`));
    expect(refused).toMatchObject({ reason: 'sheet-quote' });
    expect(refused?.message).toContain('Row 3');
  });

  it('11: keeps doubled quotes and lines in quotes, and counts rows as the spreadsheet does', async () => {
    const notes = [{ Note: 'Åsa "Ace"\nin two lines', Rent: '1' }, { Rent: '2' }];
    const { rows, armed } = await importing(csvOf(notes));
    expect(rows.map(({ cells }) => cells.at(-1))).toEqual(['Åsa "Ace"\nin two lines', '']);
    expect(armed).toEqual([2, 3]);
  });

  it('12: with NUL or other control characters is rejected, and the line is shown', async () => {
    for (const sign of ['\0', '\u0007', '\u001b']) {
      const { refused } = await importing(csvOf([{ Note: `a${sign}b` }]));
      expect(refused).toMatchObject({ reason: 'sheet-text' });
      expect(refused?.message).toContain('Line 2');
    }
  });

  it('13: sends no row with too few or too many cells, and moves no cells', async () => {
    const [header, a, b, c] = lines([{ Rent: '1' }, { Rent: '2' }, { Rent: '3' }]).split('\r\n');
    const imported = await importing(text(`${header}\n${a}\n${b}\n${c};one more\n`));
    expect(imported).toMatchObject({ errors: ['4::ragged'], armed: [2, 3] });
    const few = await importing(text(`${header}\n${a}\nBo;Ek\n`));
    expect(few.errors).toContain('3::ragged');
    expect(few.armed).toEqual([2]);
  });

  it('14: over a size limit is rejected, and the error names the limit', async () => {
    const wide = Array.from({ length: 16_384 }, (_, at) => `C${String(at)}`).join(';');
    const [header = '', row = ''] = lines(one).split('\r\n');
    const files: readonly (readonly [string, string])[] = [
      [`${header}\n${'x'.repeat(50 * 1024 * 1024)}`, '20 MB'],
      [`${header}\n${`${row}\n`.repeat(10_001)}`, '10000'],
      [`Name\n${'Åsa\n'.repeat(1_000_000)}`, '10000'],
      [`${wide}\n${wide}\n`, '64 columns'],
      [lines([{ Note: 'x'.repeat(32_768) }]), '32767 characters'],
    ];
    for (const [file, limit] of files) {
      const { refused } = await importing(text(file));
      expect(refused?.reason).toBe('sheet-limit');
      expect(refused?.message.replaceAll(',', '')).toContain(limit);
    }
  });

  it('15: with a repeated header is rejected; headers in other case or spacing are matched and shown', async () => {
    const table = lines(one);
    const twice = await importing(text(table.replace('Mobile', 'e\u00a0MAIL')));
    expect(twice.refused).toMatchObject({ reason: 'sheet-headers' });
    expect(twice.refused?.message).toContain('C and D');
    const spaced = await importing(text(table.replace('E-mail', ' e-MAIL\u00a0')));
    expect(spaced).toMatchObject({ missing: [], armed: [2] });
  });

  it('16: may have columns named like parts of JavaScript, which are treated as plain data', async () => {
    const own = JSON.parse('{"__proto__":"a","constructor":"b","toString":"c"}') as object;
    const { columns, rows, armed } = await importing(csvOf([own as never]));
    expect(columns).toEqual(expect.arrayContaining(['__proto__', 'constructor', 'toString']));
    expect(rows[0]?.cells.slice(-3)).toEqual(['a', 'b', 'c']);
    expect(armed).toEqual([2]);
    expect(Object.hasOwn(Object.prototype, 'a')).toBe(false);
    expect(({} as Record<string, unknown>)['toString']).toBe(Object.prototype.toString);
  });

  it('17: with a missing column sends nothing and names it; extra columns are reported and ignored', async () => {
    const without = (column: number) =>
      tableOf(one).map((cells) => cells.filter((_, at) => at !== column).join(';'));
    const lacking = await importing(text(without(1).join('\n')));
    expect(lacking.missing).toEqual(['Last name']);
    expect(lacking.errors).toContain('2::required');
    expect(lacking).toMatchObject({ armed: [], notArmed: 'column-missing' });
    const more = await importingRow({ 'Shoe size': '41' });
    expect(more).toMatchObject({ unused: ['Shoe size'], errors: [], armed: [2] });
  });

  it('18: with two swapped columns is blocked, and both columns are named', async () => {
    const rows = [1, 2, 3, 4].map((at) => ({
      'E-mail': '198001019804',
      'Personal number': `asa${String(at)}@example.com`,
      Rent: String(at),
    }));
    const { notArmed, armed, errors } = await importing(csvOf(rows));
    expect({ notArmed, armed }).toEqual({ notArmed: 'column-wrong', armed: [] });
    expect(errors).toEqual(expect.arrayContaining(['2:E-mail:format', '5:Personal number:format']));
  });

  it('19: counts and ignores empty rows and columns at its end', async () => {
    const table = tableOf(one).map((cells) => `${cells.join(';')};;`);
    const empty = ';'.repeat(9);
    const { notices, armed } = await importing(text([...table, empty, empty, ''].join('\r\n')));
    expect(notices).toMatchObject({ 'empty-rows': 2, 'empty-columns': 2 });
    expect(armed).toEqual([2]);
  });

  it.skipIf(process.platform === 'win32')(
    '20: is read once and whole, and is rejected if it is a link, a folder, a pipe or a device',
    async () => {
      const folder = mkdtempSync(path.join(tmpdir(), 'desk-case-'));
      try {
        const file = path.join(folder, 'people.csv');
        writeFileSync(file, csvOf(one));
        const data = await readOrdinaryFile(file);
        writeFileSync(file, csvOf([{ Rent: '1' }, { Rent: '2' }]));
        expect(await importing(data)).toMatchObject({ errors: [], armed: [2] });
        const link = path.join(folder, 'link.csv');
        symlinkSync(file, link);
        const pipe = path.join(folder, 'pipe.csv');
        execFileSync('mkfifo', [pipe]);
        for (const place of [link, pipe, folder, '/dev/zero']) {
          await expect(readOrdinaryFile(place)).rejects.toMatchObject({
            failure: { code: 'invalid' },
          });
        }
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  );
});

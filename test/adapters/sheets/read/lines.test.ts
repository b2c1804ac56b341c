import { describe, expect, it } from 'vitest';
import { readLines } from '../../../../electron/adapters/sheets/read/lines.ts';
import { fods, ods, odsRow, odsText } from '../ods.ts';
import { bytes } from '../refusal.ts';
import { rowsOf, textCell, workbook } from '../workbook.ts';

const PAIRS = [
  ['a@old.example', 'a@new.example'],
  ['Ek, Bo', 'b@new.example'],
];
const LINES = 'a@old.example\ta@new.example\nEk, Bo\tb@new.example';
const row = (number: number, text: string, more = ''): string =>
  `<row r="${number}"${more}>${textCell(text)}</row>`;

const refusal = (data: Uint8Array): Promise<unknown> =>
  readLines(data, {}).then(
    () => 'read',
    (error: unknown) => error,
  );

describe('a file read as lines', () => {
  it('has a line for each row of a workbook, including the first', async () => {
    const tables = {
      Blad1: PAIRS.map((cells) => odsRow(cells.map((one) => odsText(one)))).join(''),
    };
    for (const file of [
      workbook({ sheets: { Blad1: rowsOf(PAIRS) } }),
      ods({ tables }),
      fods({ tables }),
    ]) {
      expect(await readLines(file, {})).toMatchObject({ text: LINES, sheet: 'Blad1' });
    }
  });

  it('is read when it has only one row', async () => {
    const { text } = await readLines(workbook({ sheets: { S: rowsOf(PAIRS.slice(0, 1)) } }), {});
    expect(text).toBe('a@old.example\ta@new.example');
  });

  it('keeps the row numbers of a sheet with empty or hidden rows', async () => {
    const inside = row(2, 'a') + row(3, 'hidden', ' hidden="1"') + row(6, 'b');
    const file = workbook({ sheets: { S: inside } });
    const { text, notices } = await readLines(file, {});
    expect(text.split('\n')).toEqual(['', 'a', '', '', '', 'b']);
    expect(notices).toEqual([{ code: 'hidden-rows', count: 1 }]);
    const all = await readLines(file, { hidden: 'read' });
    expect(all.text.split('\n')[2]).toBe('hidden');
  });

  it('has one line for a cell with several lines', async () => {
    const file = workbook({ sheets: { S: rowsOf([[' Ek\nBo ', 'x\ty']]) } });
    expect((await readLines(file, {})).text).toBe('Ek Bo\tx y');
  });

  it('has the lines of the requested sheet, and the names of all sheets', async () => {
    const sheets = { Read: rowsOf([['me']]), Moved: rowsOf(PAIRS), '!Old': rowsOf([['no']]) };
    const file = workbook({ sheets });
    const { text, sheet, ...read } = await readLines(file, { sheet: 'Moved' });
    expect({ text, sheet }).toEqual({ text: LINES, sheet: 'Moved' });
    expect(read.sheets).toEqual([
      { name: 'Read', hidden: false },
      { name: 'Moved', hidden: false },
      { name: 'Old', hidden: true },
    ]);
    expect((await readLines(file, {})).sheet).toBe('Read');
  });

  it.each([
    ['UTF-8 with a byte order mark', Buffer.from('\uFEFFå@x.example', 'utf8')],
    ['UTF-16, low byte first', Buffer.from('\uFEFFå@x.example', 'utf16le')],
    ['UTF-16, high byte first', Buffer.from('\uFEFFå@x.example', 'utf16le').swap16()],
    ['Windows-1252', Buffer.from('å@x.example', 'latin1')],
  ])('keeps the letters of %s', async (_, data) => {
    const { text, sheets } = await readLines(new Uint8Array(data), {});
    expect({ text, sheets }).toEqual({ text: 'å@x.example', sheets: [] });
  });

  it('may be an email with control characters, or a log that ends within a character', async () => {
    expect((await readLines(bytes('Subject: \u001b$B@\n'), {})).text).toContain('\u001b');
    const cut = Buffer.from('550 5.1.1 <bo@x.example>: okänd å').subarray(0, -1);
    expect((await readLines(new Uint8Array(cut), {})).text).toContain('bo@x.example');
  });

  it('is rejected with the row of a cell too far out, or with its type if it is not a list', async () => {
    expect(
      await refusal(workbook({ sheets: { S: row(1, 'a') + row(1_048_576, 'b') } })),
    ).toMatchObject({
      failure: { reason: 'sheet-limit', message: expect.stringContaining('row 1048576') },
    });
    expect(await refusal(workbook({ sheets: { S: '' } }))).toMatchObject({
      failure: { reason: 'sheet-empty' },
    });
    expect(await refusal(bytes('%PDF-1.7\n'))).toMatchObject({ failure: { reason: 'sheet-kind' } });
  });
});

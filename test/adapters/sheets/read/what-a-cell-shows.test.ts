import { describe, expect, it } from 'vitest';
import { read } from '../refusal.ts';
import { rowsOf, textCell, workbook } from '../workbook.ts';

/** Returns the sent text, the mark and the suggestion of a cell with each format and value. */
async function shownAs(
  formats: readonly (readonly [format: string, value: number | string])[],
): Promise<readonly (readonly string[])[]> {
  const codes = formats.map(([format]) => format.replaceAll('&', '&amp;').replaceAll('<', '&lt;'));
  const rows = formats.map(
    ([, value], at) =>
      `<row r="${at + 2}">${textCell('x')}<c s="${at + 1}"><v>${value}</v></c></row>`,
  );
  const inside = rowsOf([['Name', 'Value']]) + rows.join('');
  const found = await read(workbook({ sheets: { Blad1: inside }, formats: codes }));
  return found.rows.map(({ cells, marks }) => {
    const [, ...said] = marks[0] ?? [];
    return [cells[1] ?? '', ...said];
  });
}

/** Returns the same as `shownAs`, for cells with ISO 8601 dates and times. */
async function isoShownAs(
  formats: readonly (readonly [format: string, value: string])[],
): Promise<readonly (readonly string[])[]> {
  const rows = formats.map(
    ([, value], at) =>
      `<row r="${at + 2}">${textCell('x')}<c t="d" s="${at + 1}"><v>${value}</v></c></row>`,
  );
  const inside = rowsOf([['Name', 'Value']]) + rows.join('');
  const codes = formats.map(([format]) => format);
  const found = await read(workbook({ sheets: { Blad1: inside }, formats: codes }));
  return found.rows.map(({ cells, marks }) => {
    const [, ...said] = marks[0] ?? [];
    return [cells[1] ?? '', ...said];
  });
}

describe('the displayed value of a cell', () => {
  it('has every digit of a number, however small, and no other (IN-05)', async () => {
    const noise = 0.1 + 0.2 - 0.3;
    const small = '0.0000000000000000555111512312578';
    expect(
      await shownAs([
        ['0.00', noise],
        ['0.00', -noise],
        ['General', noise],
        ['General', -noise],
        ['General', 1.5e-10],
        ['General', 0.1 + 0.2],
        ['General', 12.5],
        ['General', 8333.33333333333],
        ['General', -0],
        ['General', 1e-300],
      ]),
    ).toEqual([
      [small, 'shown-rounded', '0.00'],
      [`-${small}`, 'shown-rounded', '0.00'],
      [small, 'shown-rounded', '0.0000000000000000555112'],
      [`-${small}`, 'shown-rounded', '-0.0000000000000000555112'],
      ['0.00000000015', 'decimal'],
      ['0.3', 'decimal'],
      ['12.5', 'decimal'],
      ['8333.33333333333', 'shown-rounded', '8333.333333'],
      ['0'],
      [`0.${'0'.repeat(299)}1`, 'decimal'],
    ]);
  });

  it('is hours and minutes for a duration, and never a date (IN-06)', async () => {
    expect(
      await shownAs([
        ['[h]:mm', 40 / 24],
        ['[h]:mm:ss', 100 / 24],
        ['[mm]', 90 / 1440],
        ['[ss]', 90 / 86_400],
        ['hh:mm', 0.4375],
        ['hh:mm:ss', 37_240 / 86_400],
        ['h:mm AM/PM', 0.75],
        ['[h]:mm', -0.5],
        ['mm:ss.0', 30.5 / 86_400],
      ]),
    ).toEqual([
      ['40:00'],
      ['100:00:00'],
      ['90'],
      ['90'],
      ['10:30'],
      ['10:20:40'],
      ['18:00', 'formatted', '18:00'],
      ['-0.5', 'wrong-date'],
      ['00:30.5', 'decimal'],
    ]);
  });

  it('has the leading zeros and the spaces of its format (IN-07)', async () => {
    expect(
      await shownAs([
        ['000000', 123],
        ['00 00 00 00 00', 123_456_789],
        ['000000-0000', 8_001_019_804],
        ['"+"0', 46_701_234_567],
        ['[<=9999999]###-####;(###) ###-####', 5_551_234_567],
        ['000000', -123],
        ['000', 12.6],
        ['0', 198_001_019_804],
      ]),
    ).toEqual([
      ['000123'],
      ['01 23 45 67 89'],
      ['800101-9804'],
      ['+46701234567'],
      ['(555) 123-4567'],
      ['-000123'],
      ['12.6', 'shown-rounded', '013'],
      ['198001019804'],
    ]);
  });

  it('needs confirmation for a currency, thousands or percent, in every notation (IN-08)', async () => {
    expect(
      await shownAs([
        ['#,##0.00\\ "kr"', 8333.33333333333],
        ['#,##0.00\\ "kr"', 8333.33],
        ['0\\ "kr"', 9400],
        ['"€"0', 9400],
        ['"$"#,##0', 9400],
        ['[$kr-41D] #,##0', 9400],
        ['#,##0', 9400],
        ['#,##0_);(#,##0)', -9400],
        ['0%', 0.25],
        ['0.00E+00', 12_345],
        ['# ?/?', 1.5],
        ['0,', 12_345],
        [';;;', 5],
        ['0;0', -5],
      ]),
    ).toEqual([
      ['8333.33333333333', 'shown-rounded', '8333.33'],
      ['8333.33', 'formatted', '8333.33'],
      ['9400', 'formatted', '9400'],
      ['9400', 'formatted', '9400'],
      ['9400', 'formatted', '9400'],
      ['9400', 'formatted', '9400'],
      ['9400', 'formatted', '9400'],
      ['-9400', 'formatted', '-9400'],
      ['0.25', 'formatted', '25%'],
      ['12345', 'formatted', '12345'],
      ['1.5', 'formatted', '1.5'],
      ['12345', 'formatted', '12345'],
      ['5', 'formatted', '5'],
      ['-5', 'formatted', '-5'],
    ]);
  });

  it('is a date with the displayed time, to the second (IN-13)', async () => {
    const at = 44_197 + 37_240 / 86_400;
    expect(
      await shownAs([
        ['yyyy-mm-dd hh:mm:ss', at],
        ['yyyy-mm-dd hh:mm', at],
        ['yyyy-mm-dd', at],
        ['d mmmm yyyy', 46_418],
        ['mmmm yyyy', 46_418],
      ]),
    ).toEqual([
      ['2021-01-01 10:20:40', 'date'],
      ['2021-01-01 10:20', 'date'],
      ['2021-01-01', 'date'],
      ['2027-01-31', 'date-form'],
      ['2027-01-31', 'formatted', '2027-01-31'],
    ]);
  });

  it('has the time of an ISO 8601 date (IN-13)', async () => {
    const values = [
      '2021-01-01',
      '2021-01-01T10:20:40',
      '2021-01-01T00:00:00Z',
      '10:20:40',
      'soon',
    ];
    const rows = values.map(
      (value, at) => `<row r="${at + 2}">${textCell('x')}<c t="d"><v>${value}</v></c></row>`,
    );
    const inside = rowsOf([['Name', 'Value']]) + rows.join('');
    const found = await read(workbook({ sheets: { Blad1: inside } }));
    expect(found.rows.map(({ cells, marks }) => [cells[1], marks[0]?.[1]])).toEqual([
      ['2021-01-01', 'date'],
      ['2021-01-01 10:20:40', 'date'],
      ['2021-01-01', 'date'],
      ['10:20:40', 'date'],
      ['soon', 'wrong-date'],
    ]);
  });

  it('needs confirmation for a text that its format changes', async () => {
    const inside =
      rowsOf([['Name', 'Value']]) +
      `<row r="2">${textCell('x')}<c s="1" t="str"><v>abc</v></c></row>` +
      `<row r="3">${textCell('x')}<c s="2" t="str"><v>abc</v></c></row>`;
    const formats = ['"Nr "@', '0.00'];
    const found = await read(workbook({ sheets: { Blad1: inside }, formats }));
    expect(found.rows.map(({ cells, marks }) => [cells[1], ...(marks[0] ?? [])])).toEqual([
      ['abc', 1, 'formatted', 'Nr abc'],
      ['abc'],
    ]);
  });

  it('is suggested if its format shows a word instead of the number (IN-D17)', async () => {
    const answer = '[=1]"Ja";[=0]"Nej";0';
    expect(
      await shownAs([
        [answer, 1],
        [answer, 0],
        [answer, 7],
        ['"Ja";;"Nej"', 0],
        ['[>=18]"vuxen";"barn"', 12],
        ['[=1]"Alternativ 1";[=2]"Alternativ 2"', 2],
        ['[=1]"112";"113"', 1],
        ['0" st"', 4],
      ]),
    ).toEqual([
      ['1', 'formatted', 'Ja'],
      ['0', 'formatted', 'Nej'],
      ['7'],
      ['0', 'formatted', 'Nej'],
      ['12', 'formatted', 'barn'],
      ['2', 'formatted', 'Alternativ 2'],
      ['1', 'formatted', '112'],
      ['4', 'formatted', '4'],
    ]);
  });

  it('has the format of its own style, despite conditional styles with the same number (IN-Y12)', async () => {
    const inside =
      rowsOf([['Name', 'Value']]) + `<row r="2">${textCell('x')}<c s="1"><v>123</v></c></row>`;
    const moreStyles = '<dxfs><dxf><numFmt numFmtId="164" formatCode="0"/></dxf></dxfs>';
    const found = await read(
      workbook({ sheets: { Blad1: inside }, formats: ['00000'], moreStyles }),
    );
    expect(found.rows.map(({ cells, marks }) => [cells[1], marks])).toEqual([['00123', []]]);
  });

  it('is the date before midnight for a time milliseconds before it, if no time is displayed (IN-Y13)', async () => {
    const end = 46_387 + 86_399.997 / 86_400;
    expect(
      await shownAs([
        ['yyyy-mm-dd', end],
        ['d mmmm yyyy', end],
        ['mmmm yyyy', end],
        ['yyyy-mm-dd hh:mm', end],
        ['yyyy-mm-dd', 46_387.999_999_999_9],
      ]),
    ).toEqual([
      ['2026-12-31', 'date'],
      ['2026-12-31', 'date-form'],
      ['2026-12-31', 'formatted', '2026-12-31'],
      ['2027-01-01', 'date-form'],
      ['2027-01-01', 'date-form'],
    ]);
  });

  it('follows its format for an ISO 8601 date (IN-Y14)', async () => {
    expect(
      await isoShownAs([
        ['yyyy-mm-dd', '2026-12-31T23:59:59.997'],
        ['yyyy-mm-dd', '2026-12-31T10:20:40'],
        ['yyyy-mm-dd hh:mm', '2026-12-31T10:20:40'],
        ['d mmmm yyyy', '2026-12-31'],
        ['mmmm yyyy', '2026-12-31'],
        ['yyyy', '2026-12-31'],
        ['hh:mm', '08:30:00'],
        ['[h]:mm', '08:30:00'],
        ['0.00', '2026-12-31'],
        ['General', '2026-12-31'],
        ['yyyy-mm-dd', '1899-12-31'],
      ]),
    ).toEqual([
      ['2026-12-31', 'date'],
      ['2026-12-31', 'date'],
      ['2026-12-31 10:20', 'date'],
      ['2026-12-31', 'date-form'],
      ['2026-12-31', 'formatted', '2026-12-31'],
      ['2026-12-31', 'formatted', '2026-12-31'],
      ['08:30'],
      ['8:30'],
      ['2026-12-31', 'date'],
      ['2026-12-31', 'date'],
      ['1899-12-31', 'date'],
    ]);
  });

  it('has only the time of an ISO 8601 value when its format shows no date (DL-V13)', async () => {
    expect(
      await isoShownAs([
        ['hh:mm', '1899-12-31T08:15:00'],
        ['hh:mm:ss', '1904-01-01T08:15:30'],
        ['[h]:mm', '1900-01-01T12:00:00'],
      ]),
    ).toEqual([['08:15'], ['08:15:30'], ['1900-01-01 12:00', 'date']]);
  });
});

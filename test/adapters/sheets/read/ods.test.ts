import { describe, expect, it } from 'vitest';
import { fods, ods, odsRow, odsText, odsValue } from '../ods.ts';
import { cells, noticed, read, refusal } from '../refusal.ts';

const HEADER = odsRow([odsText('Name'), odsText('Value')]);
const LAST_COLUMN = '<table:table-cell table:number-columns-repeated="16382"/>';
const row = (value: string, about = ''): string =>
  odsRow([odsText('x'), value, LAST_COLUMN], about);
const sheetOf = (inside: string): Uint8Array => ods({ tables: { Blad1: HEADER + inside } });

describe('an OpenDocument spreadsheet', () => {
  it('is read as its cells were displayed, zipped and flat (IN-21)', async () => {
    const values = [
      odsText('Åsa Öberg'),
      odsValue('float', '123', '000123'),
      odsValue('float', '9400.5', '9400,50'),
      odsValue('currency', '8333.33333333333', '8 333,33 kr', 'office:currency="SEK"'),
      odsValue('percentage', '0.25', '25 %'),
      odsValue('time', 'PT40H00M00S', '40:00'),
      odsValue('boolean', 'true', 'SANT'),
      odsValue('float', '198001019804', '198001019804'),
    ];
    const tables = { Blad1: HEADER + values.map((value) => row(value)).join('') };
    for (const file of [ods({ tables }), fods({ tables })]) {
      const found = await read(file);
      expect(found.shape).toMatchObject({ format: 'ods', sheet: 'Blad1', headerRow: 1 });
      expect(cells(found).map(([, text]) => text)).toEqual([
        ...['Åsa Öberg', '000123', '9400,50', '8 333,33 kr', '25 %', '40:00', 'SANT'],
        '198001019804',
      ]);
      expect(found.rows.flatMap(({ marks }) => marks)).toEqual([]);
    }
  });

  it('has dates in ISO form, with the displayed time', async () => {
    const found = await read(
      sheetOf(
        [
          odsValue('date', '2027-01-31', '2027-01-31'),
          odsValue('date', '2027-01-31', '31 januari 2027'),
          odsValue('date', '2027-01-31T12:30:00', '2027-01-31 12:30'),
          odsValue('date', '2027-01-31T12:30:00', '2027-01-31'),
          odsValue('date', 'soon', 'soon'),
        ]
          .map((value) => row(value))
          .join(''),
      ),
    );
    expect(found.rows.map(({ cells: [, text], marks }) => [text, marks[0]?.[1]])).toEqual([
      ['2027-01-31', 'date'],
      ['2027-01-31', 'date-form'],
      ['2027-01-31 12:30', 'date'],
      ['2027-01-31', 'date'],
      ['soon', 'wrong-date'],
    ]);
  });

  it('marks values displayed differently, errors, and formulas with and without a result', async () => {
    const formula = 'table:formula="of:=1+1"';
    const found = await read(
      sheetOf(
        [
          odsValue('float', '1234567890123456789', '1,23456789012346E+18'),
          odsValue('float', '12345', '1,23E+04'),
          odsValue('float', '5', ''),
          odsValue('float', '2', '2', formula),
          `<table:table-cell ${formula}/>`,
          odsText('#DIV/0!', formula),
          odsText('#1 in town'),
        ]
          .map((value) => row(value))
          .join(''),
      ),
    );
    expect(found.rows.map(({ cells: [, text], marks }) => [text, ...(marks[0] ?? [])])).toEqual([
      ['1234567890123456768', 1, 'rounded'],
      ['12345', 1, 'formatted', '12345'],
      ['5', 1, 'formatted', '5'],
      ['2', 1, 'formula'],
      ['', 1, 'formula-empty'],
      ['#DIV/0!', 1, 'cell-error'],
      ['#1 in town'],
    ]);
    expect(noticed(found)).toMatchObject({ formulas: 3 });
  });

  it('marks an error named in any language, and an invisible value (IN-Y15)', async () => {
    const error = 'table:formula="of:=1/0" calcext:value-type="error"';
    const found = await read(
      sheetOf(
        [
          odsText('#VÄRDEFEL!', error),
          odsText('Ошибка:508', error),
          odsValue('float', '0', '#SAKNAS!', error),
          odsText('#SAKNAS!'),
          odsValue('time', 'PT40H00M00S', '###'),
          odsValue('date', '2026-12-31', '###'),
          odsValue('date', '2026-12-31', ''),
          odsValue('float', '5000', ''),
          '<table:table-cell office:value-type="float" office:value="5000"/>',
        ]
          .map((value) => row(value))
          .join(''),
      ),
    );
    expect(found.rows.map(({ cells: [, text], marks }) => [text, ...(marks[0] ?? [])])).toEqual([
      ['#VÄRDEFEL!', 1, 'cell-error'],
      ['Ошибка:508', 1, 'cell-error'],
      ['#SAKNAS!', 1, 'cell-error'],
      ['#SAKNAS!', 1, 'cell-error'],
      ['40:00:00', 1, 'formatted', '40:00:00'],
      ['2026-12-31', 1, 'formatted', '2026-12-31'],
      ['2026-12-31', 1, 'formatted', '2026-12-31'],
      ['5000', 1, 'formatted', '5000'],
      ['5000'],
    ]);
  });

  it('skips rows and columns of a collapsed group (IN-Y16)', async () => {
    const cells = (...texts: string[]) => odsRow(texts.map((text) => odsText(text)));
    const inside =
      '<table:table-column/><table:table-column-group table:display="false"><table:table-column/></table:table-column-group><table:table-column/>' +
      cells('Name', 'Secret', 'Rent') +
      `<table:table-row-group table:display="false">${cells('A', 'x', '1')}</table:table-row-group>` +
      `<table:table-row-group>${cells('B', 'y', '2')}</table:table-row-group>`;
    const found = await read(ods({ tables: { Blad1: inside } }));
    expect(found.rows.map(({ row: at, cells: shown }) => [at, ...shown])).toEqual([[3, 'B', '2']]);
    expect(noticed(found)).toMatchObject({ 'hidden-rows': 1, 'hidden-columns': 1 });
  });

  it('keeps spaces, tabs and lines of a text, without comments', async () => {
    const inside =
      '<table:table-cell office:value-type="string">' +
      '<office:annotation><text:p>a note</text:p></office:annotation>' +
      '<draw:frame xmlns:draw="urn:d"><text:p>a picture</text:p></draw:frame>' +
      '<text:p>\n  one<text:s text:c="2"/>two<text:tab/>three <text:span> four</text:span>\n</text:p>' +
      '<text:p><![CDATA[<five>]]><text:line-break/>six<!-- not this --></text:p><text:p/>' +
      '</table:table-cell>';
    expect(cells(await read(sheetOf(row(inside))))).toEqual([
      ['x', 'one  two\tthree four\n<five>\nsix\n'],
    ]);
  });

  it('repeats cells and rows as declared, within its limits', async () => {
    const twice = odsText('a', 'table:number-columns-repeated="2"');
    const tables = {
      Blad1:
        odsRow([odsText('A'), odsText('B'), odsText('C')]) +
        odsRow([odsText('x'), twice, LAST_COLUMN], 'table:number-rows-repeated="3"') +
        odsRow([LAST_COLUMN], 'table:number-rows-repeated="2"') +
        odsRow([odsText('y'), '<table:table-cell/>', odsText('z')]) +
        odsRow([LAST_COLUMN], 'table:number-rows-repeated="1048569"'),
    };
    const found = await read(ods({ tables }));
    expect(found.rows.map(({ row: number, cells: texts }) => [number, ...texts])).toEqual([
      [2, 'x', 'a', 'a'],
      [3, 'x', 'a', 'a'],
      [4, 'x', 'a', 'a'],
      [7, 'y', '', 'z'],
    ]);
    expect(noticed(found)).toEqual({ 'empty-rows': 2 });
    const rows = row(odsText('a'), 'table:number-rows-repeated="1048570"');
    const columns = row(odsText('a', 'table:number-columns-repeated="16000"'));
    const long = odsText('x'.repeat(10_000), 'table:number-columns-repeated="60"');
    const texts = row(long, 'table:number-rows-repeated="10000"');
    for (const bomb of [rows, columns, texts]) {
      expect((await refusal(sheetOf(bomb))).reason).toBe('sheet-limit');
    }
  });

  it('skips and reports hidden cells, and reads them on request', async () => {
    const three = (one: string, two: string, three_: string, about = ''): string =>
      odsRow([odsText(one), odsText(two), odsText(three_)], about);
    const columns =
      '<table:table-column/><table:table-column table:visibility="collapse"/><table:table-column/>';
    const tables = {
      '!Old': odsRow([odsText('Secret')]) + odsRow([odsText('x')]),
      Leases:
        columns +
        three('Name', 'Salary', 'Town') +
        three('Åsa', '9', 'Lund', 'table:visibility="collapse"') +
        three('Bo', '8', 'Ystad'),
      Notes: odsRow([odsText('x')]),
    };
    const found = await read(ods({ tables }));
    expect(found.shape.sheets).toEqual([
      { name: 'Old', hidden: true },
      { name: 'Leases', hidden: false },
      { name: 'Notes', hidden: false },
    ]);
    expect(found.rows).toEqual([{ row: 3, cells: ['Bo', 'Ystad'], marks: [] }]);
    expect(noticed(found)).toMatchObject({
      'hidden-rows': 1,
      'hidden-columns': 1,
      'hidden-sheets': 1,
      'other-sheets': 1,
    });
    expect((await read(ods({ tables }), { hidden: 'read' })).rows).toHaveLength(2);
    expect(cells(await read(ods({ tables }), { sheet: 'Old' }))).toEqual([['x']]);
    expect((await refusal(ods({ tables }), { sheet: 'None' })).reason).toBe('sheet-kind');
    const { '!Old': old } = tables;
    expect((await read(ods({ tables: { '!Old': old } }))).shape.sheet).toBe('Old');
    const filtered = {
      Leases: HEADER + row(odsText('a'), 'table:visibility="filter"') + row(odsText('b')),
    };
    expect(noticed(await read(ods({ tables: filtered })))).toMatchObject({ 'filtered-rows': 1 });
  });

  it('marks merged cells, and the cells that they cover', async () => {
    const first = odsText('Åsa', 'table:number-rows-spanned="2" table:number-columns-spanned="1"');
    const covered = '<table:covered-table-cell/>';
    const inside =
      odsRow([first, odsText('1')]) + odsRow([covered, odsText('2')]) + row(odsText('3'));
    const found = await read(sheetOf(inside));
    expect(found.rows.map(({ marks }) => marks)).toEqual([[[0, 'merged']], [[0, 'merged']], []]);
  });

  it('is rejected when it is truncated, locked, has macros, or is not a spreadsheet (IN-21)', async () => {
    const tables = { Blad1: HEADER + row(odsText('a')) };
    const whole = Buffer.from(fods({ tables }));
    const cut = whole.subarray(0, whole.length - 60);
    expect((await refusal(new Uint8Array(cut))).reason).toBe('sheet-damaged');
    const manifest =
      '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0">' +
      '<manifest:file-entry manifest:full-path="content.xml"><manifest:encryption-data/></manifest:file-entry></manifest:manifest>';
    const locked = ods({ tables, more: [{ name: 'META-INF/manifest.xml', data: manifest }] });
    expect((await refusal(locked)).reason).toBe('sheet-password');
    const macros = ods({ tables, more: [{ name: 'Basic/Standard/Module1.xml', data: '<x/>' }] });
    const text = ods({ tables, type: 'application/vnd.oasis.opendocument.text' });
    for (const [file, words] of [
      [macros, /macros/],
      [text, /OpenDocument text/],
    ] as const) {
      const { reason, message } = await refusal(file);
      expect(reason).toBe('sheet-kind');
      expect(message).toMatch(words);
    }
    const entities = Buffer.from(
      whole
        .toString()
        .replace('<office:document ', '<!DOCTYPE x [<!ENTITY a "b">]><office:document '),
    );
    expect((await refusal(new Uint8Array(entities))).message).toContain('entities');
  });
});

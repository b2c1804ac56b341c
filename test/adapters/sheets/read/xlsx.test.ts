import { describe, expect, it } from 'vitest';
import { cells, names, noticed, read, refusal } from '../refusal.ts';
import { rowsOf, textCell, workbook, zipOf } from '../workbook.ts';

const HEADER = rowsOf([['Name', 'Number']]);
const row = (number: number, name: string, cell: string, more = ''): string =>
  `<row r="${number}"${more}>${textCell(name)}${cell}</row>`;
const sheetOf = (inside: string, more = {}) =>
  workbook({ sheets: { Sheet1: HEADER + inside }, ...more });

describe('a workbook', () => {
  it('is recognised by its content: old and macro files and web pages are rejected', async () => {
    const old = Uint8Array.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);
    const macro = sheetOf(row(2, 'Åsa', ''), { more: [{ name: 'xl/vbaProject.bin', data: 'x' }] });
    for (const file of [old, macro, '<html><table></table></html>']) {
      expect(await refusal(file)).toMatchObject({ reason: 'sheet-kind' });
    }
  });

  it('is rejected with a specific reason if it has a password (TX-22)', async () => {
    const name = Buffer.from('EncryptedPackage', 'utf16le');
    const locked = Buffer.concat([Buffer.from([0xd0, 0xcf, 0x11, 0xe0]), Buffer.alloc(600), name]);
    expect(await refusal(new Uint8Array(locked))).toMatchObject({ reason: 'sheet-password' });
  });

  it('is rejected before unpacking when it unpacks to far more than its size (TX-22)', async () => {
    const zeros = Buffer.alloc(30 * 1024 * 1024);
    const bomb = sheetOf('', { more: [{ name: 'xl/media/x', data: zeros }] });
    const liar = zipOf([{ name: 'xl/workbook.xml', data: zeros, size: 100 }]);
    const many = zipOf(Array.from({ length: 2001 }, (_, at) => ({ name: `p${at}`, data: '' })));
    const outside = zipOf([{ name: '../../x', data: 'x' }]);
    for (const file of [bomb, liar, many, outside]) {
      expect(await refusal(file)).toMatchObject({ reason: 'sheet-bomb' });
    }
  });

  it('may contain a ZIP file, which is counted by its size and never unpacked', async () => {
    const inner = zipOf([{ name: 'x', data: Buffer.alloc(30 * 1024 * 1024) }]);
    const more = [{ name: 'xl/embeddings/inner.zip', data: inner }];
    expect((await read(sheetOf(row(2, 'Åsa', ''), { more }))).rows).toHaveLength(1);
  });

  it('is rejected when it declares entities, internal or external', async () => {
    const own = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>';
    const far = '<!DOCTYPE x SYSTEM "file:///etc/passwd">';
    for (const prolog of [own, far]) {
      expect((await refusal(sheetOf(row(2, 'Åsa', ''), { prolog }))).reason).toBe('sheet-damaged');
    }
  });

  it('reports links and pictures, and fetches nothing', async () => {
    const more = [
      { name: 'xl/externalLinks/externalLink1.xml', data: '<x Target="http://127.0.0.1:1/"/>' },
      { name: 'xl/connections.xml', data: '<connections/>' },
      { name: 'xl/media/image1.png', data: 'x' },
    ];
    expect(noticed(await read(sheetOf(row(2, 'Åsa', ''), { more })))).toMatchObject({
      'external-content': 3,
    });
  });

  it('shows the saved value of a formula and marks it, and marks a formula without a saved value and an error in a cell (TX-21)', async () => {
    const sheet = await read(
      sheetOf(
        row(2, 'Åsa', '<c t="str"><f>A1&amp;"x"</f><v>abc</v></c>') +
          row(3, 'Bo', '<c><f>NOW()</f></c>') +
          row(4, 'Cia', '<c t="e"><v>#N/A</v></c>') +
          row(5, 'Dag', '<c t="e"><f>A9</f><v>#REF!</v></c>'),
      ),
    );
    expect(cells(sheet).map(([, text]) => text)).toEqual(['abc', '', '#N/A', '#REF!']);
    expect(sheet.rows.map(({ marks }) => marks[0]?.[1])).toEqual([
      'formula',
      'formula-empty',
      'cell-error',
      'cell-error',
    ]);
  });

  it('skips hidden rows and columns and reports them, and reads them on request (TX-22)', async () => {
    const file = workbook({
      sheets: {
        '!Old': rowsOf([['Secret'], ['x']]),
        Leases:
          rowsOf([['Name', 'Salary', 'Town']]) +
          `<row r="2" hidden="1">${['Åsa', '9', 'Lund'].map(textCell).join('')}</row>` +
          `<row r="3">${['Bo', '8', 'Ystad'].map(textCell).join('')}</row>`,
        Notes: rowsOf([['x']]),
      },
      before: '<cols><col min="2" max="2" hidden="1"/></cols>',
    });
    const sheet = await read(file);
    expect(sheet.shape.sheet).toBe('Leases');
    expect(sheet.rows).toEqual([{ row: 3, cells: ['Bo', 'Ystad'], marks: [] }]);
    expect(noticed(sheet)).toMatchObject({
      'hidden-rows': 1,
      'hidden-columns': 1,
      'hidden-sheets': 1,
      'other-sheets': 1,
    });
    expect((await read(file, { hidden: 'read' })).rows).toHaveLength(2);
    expect(names(await read(file, { sheet: 'Old' }))).toEqual(['Secret']);
  });

  it('distinguishes filtered rows from hidden ones', async () => {
    const inside = row(2, 'Åsa', '', ' hidden="1"') + row(3, 'Bo', '');
    const file = sheetOf(inside, { behind: '<autoFilter ref="A1:B3"/>' });
    expect(noticed(await read(file))).toMatchObject({ 'filtered-rows': 1 });
  });

  it('marks rows with merged cells, of which only the first has a value (TX-22)', async () => {
    const inside = row(2, 'Åsa', textCell('1')) + row(3, '', textCell('2'));
    const file = sheetOf(inside, { behind: '<mergeCells><mergeCell ref="A2:A3"/></mergeCells>' });
    expect((await read(file)).rows.map(({ marks }) => marks)).toEqual([
      [[0, 'merged']],
      [[0, 'merged']],
    ]);
  });

  it('has the exact digits of a number, and marks a number that may have had more digits (TX-21)', async () => {
    const inside = [
      row(2, 'Åsa', '<c><v>199001012384</v></c>'),
      row(3, 'Bo', '<c><v>1.99001012384E11</v></c>'),
      row(4, 'Cia', '<c><v>1234567890123456789</v></c>'),
      row(5, 'Dag', '<c><v>9400.1</v></c>'),
      row(6, 'Eva', '<c><v>0.30000000000000004</v></c>'),
    ];
    const sheet = await read(sheetOf(inside.join('')));
    const numbers = cells(sheet).map(([, text]) => text);
    expect(numbers).toEqual([
      '199001012384',
      '199001012384',
      '1234567890123456768',
      '9400.1',
      '0.3',
    ]);
    expect(sheet.rows[2]?.marks).toEqual([[1, 'rounded']]);
  });

  it('shows dates of both date systems in ISO form, and marks impossible dates (TX-21)', async () => {
    const formats = ['yyyy-mm-dd', 'd.m.yyyy hh:mm'];
    const date = (serial: number, style = 1) => `<c s="${style}"><v>${serial}</v></c>`;
    const inside = [46_082, 60, 59, 61, -1].map((serial, at) => row(at + 2, 'x', date(serial)));
    const fraction = row(9, 'x', date(46_082.5, 2));
    const sheet = await read(sheetOf(inside.join('') + fraction, { formats }));
    expect(cells(sheet).map(([, text]) => text)).toEqual([
      '2026-03-01',
      '60',
      '1900-02-28',
      '1900-03-01',
      '-1',
      '2026-03-01 12:00',
    ]);
    expect(sheet.rows.map(({ marks }) => marks[0]?.[1])).toEqual([
      'date',
      'wrong-date',
      'date',
      'date',
      'wrong-date',
      // This date is sent in ISO form, but displayed in another form.
      'date-form',
    ]);
    const other = await read(sheetOf(row(2, 'x', date(44_620)), { formats, is1904: true }));
    expect(cells(other)).toEqual([['x', '2026-03-01']]);
    expect(noticed(other)).toMatchObject({ 'dates-1904': 1 });
  });

  it('has rich text as plain text, without phonetic guides, and decodes escapes once', async () => {
    const texts = [
      '<r><t>Å</t></r><r><rPr><b/></rPr><t xml:space="preserve">sa </t></r><rPh sb="0" eb="1"><t>AA</t></rPh>',
      '<t>one_x000D_two</t>',
      '<t>_x005F_x000D_ &amp;lt;</t>',
    ];
    const inside = texts.map((_, at) => row(at + 2, 'x', `<c t="s"><v>${at}</v></c>`)).join('');
    expect(cells(await read(sheetOf(inside, { texts }))).map(([, text]) => text)).toEqual([
      'Åsa ',
      'one\ntwo',
      '_x000D_ &lt;',
    ]);
  });

  it('marks percent and currency, whose number differs from the display (IN-08)', async () => {
    const formats = ['0%', '#,##0.00 "kr"', '[$€-x] #,##0', '"+"0'];
    const inside = [0.25, 9400, 12, 46_701_234_567]
      .map((value, at) => row(at + 2, 'x', `<c s="${at + 1}"><v>${value}</v></c>`))
      .join('');
    const sheet = await read(
      sheetOf(`${inside}${row(9, 'x', '<c t="b"><v>1</v></c>')}`, { formats }),
    );
    expect(sheet.rows.map(({ marks }) => marks[0]?.[1])).toEqual([
      'formatted',
      'formatted',
      'formatted',
      undefined,
      'truth',
    ]);
    // Quoted text whose meaning is clear is sent as displayed.
    expect(cells(sheet)[3]).toEqual(['x', '+46701234567']);
    expect(cells(sheet)[4]).toEqual(['x', 'TRUE']);
  });

  it('has TRUE and FALSE in English, in any display language, and reports this (IN-Y19)', async () => {
    const found = await read(sheetOf(row(2, 'Åsa', '<c t="b"><v>1</v></c>')));
    expect(cells(found)).toEqual([['Åsa', 'TRUE']]);
    expect(found.rows[0]?.marks).toEqual([[1, 'truth']]);
  });

  it('is rejected when a text of a cell, or a part of the workbook, is missing', async () => {
    const inside = row(2, 'x', '<c t="s"><v>7</v></c>');
    expect((await refusal(sheetOf(inside, { texts: ['<t>a</t>'] }))).reason).toBe('sheet-damaged');
    const torn = zipOf([
      {
        name: 'xl/workbook.xml',
        data: '<workbook><sheets><sheet name="A" r:id="r1"/></sheets></workbook>',
      },
      { name: 'xl/_rels/workbook.xml.rels', data: '<Relationships/>' },
    ]);
    expect((await refusal(torn)).reason).toBe('sheet-damaged');
  });

  it('is rejected when nested too deeply, and accepts the longest cell of Excel', async () => {
    const deep = '<a>'.repeat(10_000) + '</a>'.repeat(10_000);
    expect((await refusal(sheetOf(row(2, 'x', ''), { prolog: deep }))).reason).toBe('sheet-limit');
    const longest = 'x'.repeat(32_767);
    expect(cells(await read(sheetOf(row(2, 'x', textCell(longest)))))[0]?.[1]).toBe(longest);
    expect((await refusal(sheetOf(row(2, 'x', textCell(`${longest}y`))))).reason).toBe(
      'sheet-limit',
    );
  });

  it('has the row numbers of the spreadsheet (TX-23)', async () => {
    const inside = row(5, 'Åsa', textCell('1')) + row(900, 'Bo', textCell('2'));
    expect((await read(sheetOf(inside))).rows.map((one) => one.row)).toEqual([5, 900]);
  });

  it('reads a million empty rows within a second or two (TX-22)', async () => {
    const empty = Array.from({ length: 1_000_000 }, (_, at) => `<row r="${at + 3}"/>`).join('');
    const sheet = await read(sheetOf(row(2, 'Åsa', textCell('1')) + empty));
    expect(sheet.rows).toHaveLength(1);
    expect(noticed(sheet)).toMatchObject({ 'empty-rows': 1_000_000 });
  });
});

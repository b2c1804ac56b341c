import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { ods, odsRow, odsText } from '../../adapters/sheets/ods.ts';
import { textCell, workbook, type WorkbookParts, zipOf } from '../../adapters/sheets/workbook.ts';
import {
  type Imported,
  importing,
  peopleOf,
  tableOf,
  text,
} from '../../support/sheets/sheet-cases.ts';

/* Cases 21 to 35, about workbooks. Every case checks that no row with an error is armed. */

type Cells = Readonly<Record<string, string>>;

/** Rows of valid cells; a value that begins with `<` is the cell's XML. */
function inside(rows: readonly Cells[], attributes: readonly string[] = []): string {
  return tableOf(rows)
    .map((cells, at) => {
      const more = attributes[at - 1] ?? '';
      const written = cells.map((cell) => (cell.startsWith('<c') ? cell : textCell(cell)));
      return `<row r="${String(at + 1)}"${more}>${written.join('')}</row>`;
    })
    .join('');
}

const bookOf = (rows: readonly Cells[], parts: Partial<WorkbookParts> = {}): Uint8Array =>
  workbook({ sheets: { Blad1: inside(rows) }, ...parts });

const taken = (data: Uint8Array): Promise<Imported> => importing(data, { fileName: 'people.xlsx' });
const one: readonly Cells[] = [{ Rent: '9400' }];
const number = (value: string, style = 0): string => `<c s="${String(style)}"><v>${value}</v></c>`;

async function refusedAs(reason: string, ...files: readonly Uint8Array[]): Promise<string[]> {
  const sentences: string[] = [];
  for (const file of files) {
    const { refused, armed } = await taken(file);
    expect(refused).toMatchObject({ reason });
    expect(armed).toEqual([]);
    sentences.push(refused?.message ?? '');
  }
  return sentences;
}

describe('a workbook of rows', () => {
  it('21: is recognised by its content: old, macro and web files are rejected, ODS is read', async () => {
    const old = Uint8Array.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);
    const macro = bookOf(one, { more: [{ name: 'xl/vbaProject.bin', data: 'x' }] });
    await refusedAs('sheet-kind', old, macro, text('<html><table></table></html>'));
    const rows = tableOf(one).map((cells) => odsRow(cells.map((cell) => odsText(cell))));
    const openDocument = await taken(ods({ tables: { Blad1: rows.join('') } }));
    expect(openDocument).toMatchObject({ refused: null, errors: [], armed: [2] });
    const renamed = await taken(
      text(
        tableOf(one)
          .map((cells) => cells.join(';'))
          .join('\n'),
      ),
    );
    expect(renamed).toMatchObject({ refused: null, armed: [2] });
  });

  it('22: with a password is rejected for that reason', async () => {
    const name = Buffer.from('EncryptedPackage', 'utf16le');
    const locked = Buffer.concat([Buffer.from([0xd0, 0xcf, 0x11, 0xe0]), Buffer.alloc(600), name]);
    const [sentence] = await refusedAs('sheet-password', new Uint8Array(locked));
    expect(sentence).toMatch(/password/i);
  });

  it('23: that unpacks to far more than its size, or outside its folder, is rejected', async () => {
    const zeros = Buffer.alloc(30 * 1024 * 1024);
    await refusedAs(
      'sheet-bomb',
      bookOf(one, { more: [{ name: 'xl/media/x', data: zeros }] }),
      zipOf([{ name: 'xl/workbook.xml', data: zeros, size: 100 }]),
      zipOf(Array.from({ length: 2001 }, (_, at) => ({ name: `p${String(at)}`, data: '' }))),
      bookOf(one, { more: [{ name: '../../x', data: 'x' }] }),
    );
    const nested = zipOf([{ name: 'x', data: zeros }]);
    const more = [{ name: 'xl/embeddings/inner.zip', data: nested }];
    expect(await taken(bookOf(one, { more }))).toMatchObject({ refused: null, armed: [2] });
  });

  it('24: that declares XML entities is rejected, and no entity is resolved', async () => {
    const bomb = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]>';
    const outside = '<!DOCTYPE x [<!ENTITY passwords SYSTEM "file:///etc/passwd">]>';
    const far = '<!DOCTYPE x SYSTEM "http://127.0.0.1:9/x.dtd">';
    const files = [bomb, outside, far].map((prolog) => bookOf(one, { prolog }));
    const sentences = await refusedAs('sheet-damaged', ...files);
    expect(sentences.join()).not.toMatch(/root:|aaaa/);
  });

  it('25: with links, web queries, DDE and pictures fetches nothing, and reports them', async () => {
    let asked = 0;
    const server = createServer((socket) => {
      asked += 1;
      socket.destroy();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const url = `http://127.0.0.1:${String(port)}/book.xlsx`;
    const rels = (type: string) =>
      `<Relationships><Relationship Id="r1" Type="${type}" Target="${url}" TargetMode="External"/></Relationships>`;
    const dde = '<externalLink><ddeLink ddeService="cmd" ddeTopic="/c calc"/></externalLink>';
    const query = `<connections><connection id="1" name="q"><webPr url="${url}"/></connection></connections>`;
    const picture = `<c t="str"><f>IMAGE("${url}")</f></c>`;
    const imported = await taken(
      bookOf([{ Rent: '9400' }, { Rent: picture }], {
        more: [
          { name: 'xl/externalLinks/externalLink1.xml', data: dde },
          { name: 'xl/externalLinks/_rels/externalLink1.xml.rels', data: rels('externalLink') },
          { name: 'xl/connections.xml', data: query },
          { name: 'xl/media/image1.png', data: 'x' },
          { name: 'xl/worksheets/_rels/sheet1.xml.rels', data: rels('image') },
        ],
      }),
    );
    await new Promise((resolve) => server.close(resolve));
    expect(asked).toBe(0);
    expect(imported.notices['external-content']).toBeGreaterThanOrEqual(3);
    expect(imported).toMatchObject({ refused: null, errors: ['3:Rent:formula-empty'], armed: [2] });
  });

  it('26: uses and reports saved formula values; a formula without one, or an error, is not sent', async () => {
    const imported = await taken(
      bookOf([
        { Rent: '<c t="str"><f>9000+400</f><v>9400</v></c>' },
        { Rent: '<c><f>NOW()</f></c>' },
        { Rent: '<c t="e"><v>#N/A</v></c>' },
        { Rent: '<c t="e"><f>A9</f><v>#REF!</v></c>' },
      ]),
    );
    expect(imported.errors).toEqual([
      '3:Rent:formula-empty',
      '4:Rent:cell-error',
      '5:Rent:cell-error',
    ]);
    expect(imported.warnings).toContain('2:Rent:formula');
    expect(imported.rows.map(({ cells }) => cells.at(-1))).toEqual(['9400', '', '#N/A', '#REF!']);
    expect(imported.armed).toEqual([2]);
  });

  it('27: counts and ignores hidden and filtered rows, columns and sheets', async () => {
    const rows = [{ Rent: '1' }, { Rent: '2' }, { Rent: '3' }];
    const sheets = {
      '!Old': inside(one),
      Blad1: inside(rows, [' hidden="1"']),
      Notes: inside(one),
    };
    const imported = await taken(workbook({ sheets }));
    expect(imported.notices).toMatchObject({
      'hidden-rows': 1,
      'hidden-sheets': 1,
      'other-sheets': 1,
    });
    expect(imported.armed).toEqual([3, 4]);
    const filtered = await taken(workbook({ sheets, behind: '<autoFilter ref="A1:H4"/>' }));
    expect(filtered.notices).toMatchObject({ 'filtered-rows': 1 });
  });

  it('28: sends no row with merged cells', async () => {
    const behind = '<mergeCells><mergeCell ref="A2:A3"/></mergeCells>';
    const rows = [{ Rent: '1' }, { Rent: '2' }, { Rent: '3' }];
    const imported = await taken(bookOf(rows, { behind }));
    expect(imported).toMatchObject({
      errors: ['2:First name:merged', '3:First name:merged'],
      armed: [4],
    });
  });

  it('29: keeps the exact digits of a number, and rejects a rounded number', async () => {
    const numbers = ['198001019804', '1.98001019804E11', '1234567890123456789'];
    const rows = numbers.map((value, at) => ({ 'Personal number': number(value), Rent: `${at}` }));
    const imported = await taken(bookOf(rows));
    expect(imported.bodies.map((body) => peopleOf(body)[0])).toEqual([
      expect.objectContaining({ personNumber: '198001019804' }),
      expect.objectContaining({ personNumber: '198001019804' }),
    ]);
    expect(imported.errors).toContain('4:Personal number:rounded');
    expect(imported.armed).toEqual([2, 3]);
  });

  it('30: never adds a lost leading zero to a number, but suggests it for a phone number', async () => {
    const lost = { 'Personal number': number('101011234'), Rent: '1' };
    const imported = await taken(bookOf([lost, { Mobile: number('701234567'), Rent: '2' }]));
    expect(imported.errors).toEqual(['2:Personal number:format', '3:Mobile:format']);
    expect(imported.repairs).toEqual(['0701234567']);
    expect(imported.armed).toEqual([]);
  });

  it('31: shows dates of the 1900 and 1904 systems in ISO form, and rejects impossible dates', async () => {
    const formats = ['yyyy-mm-dd', 'd.m.yyyy hh:mm'];
    const days = [number('46418', 1), number('46418.5', 2), number('60', 1), number('-1', 1)];
    const rows = days.map((Expires, at) => ({ Expires, Rent: String(at) }));
    const imported = await taken(bookOf(rows, { formats }));
    const shown = imported.rows.map(({ cells }) => cells.at(-2));
    expect(shown.slice(0, 2)).toEqual(['2027-01-31', '2027-01-31 12:00']);
    expect(imported.errors).toEqual(
      expect.arrayContaining(['4:Expires:wrong-date', '5:Expires:wrong-date']),
    );
    expect(imported.armed).toEqual([2, 3]);
    const other = bookOf([{ Expires: number('44956', 1) }], { formats, is1904: true });
    const apple = await taken(other);
    expect(apple.rows[0]?.cells.at(-2)).toBe('2027-01-31');
    expect(apple.notices).toMatchObject({ 'dates-1904': 1 });
  });

  it('32: reads rich text as plain text without phonetic guides, and decodes escapes once', async () => {
    const texts = [
      '<r><t>Å</t></r><r><rPr><b/></rPr><t>sa</t></r><rPh sb="0" eb="1"><t>AA</t></rPh>',
      '<t>_x005F_x000D_ &amp;lt;</t>',
    ];
    const shared = { 'First name': '<c t="s"><v>0</v></c>', Note: '<c t="s"><v>1</v></c>' };
    const imported = await taken(bookOf([shared], { texts }));
    expect(imported.rows[0]?.cells[0]).toBe('Åsa');
    expect(imported.rows[0]?.cells.at(-1)).toBe('_x000D_ &lt;');
    expect(imported.armed).toEqual([2]);
  });

  it('33: reads yes and no as TRUE and FALSE, and rejects numbers displayed differently', async () => {
    const formats = ['0%', '[$€-x] #,##0'];
    const cells = ['<c t="b"><v>1</v></c>', number('0.25', 1), number('9400', 2)];
    const imported = await taken(
      bookOf(
        cells.map((Rent) => ({ Rent })),
        { formats },
      ),
    );
    expect(imported.rows[0]?.cells.at(-1)).toBe('TRUE');
    expect(imported.errors).toEqual(['3:Rent:formatted', '4:Rent:formatted']);
    expect(imported.armed).toEqual([2]);
  });

  it('34: that refers to a missing text or part is rejected', async () => {
    const index = bookOf([{ Rent: '<c t="s"><v>7</v></c>' }], { texts: ['<t>a</t>'] });
    const torn = zipOf([
      {
        name: 'xl/workbook.xml',
        data: '<workbook><sheets><sheet name="A" r:id="r1"/></sheets></workbook>',
      },
      { name: 'xl/_rels/workbook.xml.rels', data: '<Relationships/>' },
    ]);
    await refusedAs('sheet-damaged', index, torn);
  });

  it('35: is rejected when nested too deeply, and accepts Excel’s longest cell', async () => {
    const deep = '<a>'.repeat(10_000) + '</a>'.repeat(10_000);
    const longest = 'x'.repeat(32_767);
    const tooLong = bookOf([{ Note: `${longest}y` }]);
    await refusedAs('sheet-limit', bookOf(one, { prolog: deep }), tooLong);
    expect(await taken(bookOf([{ Note: longest }]))).toMatchObject({ refused: null, armed: [2] });
  });
});

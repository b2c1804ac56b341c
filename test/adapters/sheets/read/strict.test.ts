import { describe, expect, it } from 'vitest';
import { createSheetReader } from '../../../../electron/adapters/sheets/worker/read-client.ts';
import { openZip } from '../../../../electron/adapters/sheets/read/zip.ts';
import { cells, noticed, read, refusal } from '../refusal.ts';
import { type Part, rowsOf, textCell, workbook, zipOf } from '../workbook.ts';

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const TABLE = rowsOf([
  ['Name', 'Rent'],
  ['Åsa', '12000'],
  ['Bo', '9400'],
]);
const RENTS = [
  ['Åsa', '12000'],
  ['Bo', '9400'],
];

interface Book {
  /** XML of the only sheet. */
  readonly sheet?: string | Uint8Array;
  readonly texts?: string;
  readonly more?: readonly Part[];
  readonly main?: string;
}

const wrapped = (inside: string): string =>
  `<worksheet xmlns="${MAIN}"><sheetData>${inside}</sheetData></worksheet>`;

/** Returns the parts of a workbook with exactly this sheet. */
function partsOf({ sheet = wrapped(TABLE), texts = '', more = [], main }: Book): Part[] {
  const place = main ?? 'xl/workbook.xml';
  const folder = place.slice(0, place.lastIndexOf('/') + 1);
  const name = place.slice(folder.length);
  return [
    {
      name: '_rels/.rels',
      data: `<Relationships><Relationship Id="r" Type="${RELS}/officeDocument" Target="/${place}"/></Relationships>`,
    },
    {
      name: place,
      data: `<workbook xmlns:r="${RELS}"><sheets><sheet name="Blad1" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    },
    {
      name: `${folder}_rels/${name}.rels`,
      data:
        `<Relationships><Relationship Id="rId1" Type="${RELS}/worksheet" Target="sheets/one.xml"/>` +
        `<Relationship Id="rId2" Type="${RELS}/sharedStrings" Target="texts.xml"/></Relationships>`,
    },
    { name: `${folder}sheets/one.xml`, data: sheet },
    { name: `${folder}texts.xml`, data: `<sst xmlns="${MAIN}">${texts}</sst>` },
    ...more,
  ];
}

const bookOf = (book: Book = {}): Uint8Array => zipOf(partsOf(book));

describe('an incomplete or altered workbook', () => {
  it('is rejected with the sheet name wherever its sheet is truncated, and never read as shorter (IN-01)', async () => {
    const whole = wrapped(TABLE);
    for (const share of [0.3, 0.6, 0.9, 0.999]) {
      const cut = whole.slice(0, Math.floor(whole.length * share));
      const { reason, message } = await refusal(bookOf({ sheet: cut }));
      expect(reason).toBe('sheet-damaged');
      expect(message).toContain('"Blad1"');
      expect(message).toContain('save it again');
    }
    expect(cells(await read(bookOf()))).toEqual(RENTS);
  });

  it('is rejected when a part that it names, or the format of a cell, is missing (TE-P4)', async () => {
    const lacking = partsOf({}).filter(({ name }) => name !== 'xl/texts.xml');
    expect((await refusal(zipOf(lacking))).reason).toBe('sheet-damaged');
    const sheet = wrapped(TABLE.replace('<c ', '<c s="7" '));
    expect((await refusal(bookOf({ sheet }))).reason).toBe('sheet-damaged');
  });

  it('is rejected when its list of texts or of sheets is truncated (IN-01)', async () => {
    const texts = '<si><t>Åsa</t></si><si><t>B';
    expect((await refusal(bookOf({ texts }))).reason).toBe('sheet-damaged');
    const parts = partsOf({}).map((part) =>
      part.name === 'xl/workbook.xml' ? { ...part, data: '<workbook><sheets>' } : part,
    );
    expect((await refusal(zipOf(parts))).reason).toBe('sheet-damaged');
  });

  it('is rejected when a digit was changed and its CRC-32 was not (IN-02)', async () => {
    for (const isStored of [true, false]) {
      const parts = partsOf({}).map((part) => ({ ...part, isStored }));
      const book = zipOf(parts);
      expect(cells(await read(book))).toEqual(RENTS);
      const zip = await openZip(book);
      const sheet = await zip.read('xl/sheets/one.xml');
      const other = Buffer.from(sheet.toString().replace('12000', '22000'));
      const changed = partsOf({ sheet: other }).map((part) => ({ ...part, isStored }));
      // The parts of the changed workbook get the checksums of the unchanged one.
      const sums = new Map(parts.map((part) => [part.name, part.data]));
      const lying = changed.map((part) => ({ ...part, sumOf: sums.get(part.name) ?? '' }));
      const { reason, message } = await refusal(zipOf(lying));
      expect({ isStored, reason }).toEqual({ isStored, reason: 'sheet-damaged' });
      expect(message).toContain('xl/sheets/one.xml');
    }
  });

  it('is rejected when a part unpacks to less, or to more, than declared (IN-02)', async () => {
    const shorter = partsOf({}).map((part) =>
      part.name.endsWith('one.xml') ? { ...part, size: 100_000 } : part,
    );
    expect((await refusal(zipOf(shorter))).reason).toBe('sheet-damaged');
    const longer = partsOf({}).map((part) =>
      part.name.endsWith('one.xml') ? { ...part, size: 10 } : part,
    );
    expect((await refusal(zipOf(longer))).reason).toBe('sheet-bomb');
  });

  it('is rejected, or read correctly, when any bit of its packed sheet changes (IN-02)', async () => {
    const book = bookOf();
    const start = Buffer.from(book).indexOf('xl/sheets/one.xml') + 'xl/sheets/one.xml'.length;
    const ends = { same: 0, refused: 0 };
    for (let bit = 0; bit < 400; bit += 7) {
      const turned = Buffer.from(book);
      const at = start + (bit >> 3);
      turned[at] = (turned[at] ?? 0) ^ (1 << (bit & 7));
      const outcome = await read(new Uint8Array(turned)).then(cells, () => null);
      if (outcome === null) ends.refused += 1;
      else {
        expect(outcome).toEqual(RENTS);
        ends.same += 1;
      }
    }
    expect(ends.refused).toBeGreaterThan(50);
  });

  it('is rejected when it has two different parts with one name (IN-02)', async () => {
    const other = { name: 'xl/sheets/one.xml', data: wrapped(rowsOf([['Name'], ['Eva']])) };
    expect((await refusal(bookOf({ more: [other] }))).reason).toBe('sheet-damaged');
  });
});

describe('XML as other programs write it', () => {
  it('is read with texts in CDATA, between comments and in runs, without phonetic guides (IN-09)', async () => {
    const texts =
      '<si><t><![CDATA[a < b & c]]></t></si>' +
      '<si><t>one<!-- not this --> two<?pi not this?> three</t></si>' +
      '<si><r><t>Å</t></r><r><t><![CDATA[sa]]></t></r><rPh sb="0" eb="1"><t>AA</t></rPh></si>';
    const inside =
      rowsOf([['Note', 'Own']]) +
      [0, 1, 2]
        .map(
          (at) =>
            `<row r="${at + 2}"><c t="s"><v>${at}</v></c>` +
            `<c t="inlineStr"><is><t><![CDATA[<${at}>]]></t><rPh sb="0" eb="1"><t>X</t></rPh></is></c></row>`,
        )
        .join('');
    expect(cells(await read(bookOf({ sheet: wrapped(inside), texts })))).toEqual([
      ['a < b & c', '<0>'],
      ['one two three', '<1>'],
      ['Åsa', '<2>'],
    ]);
  });

  it('may have its attributes in single quotes, with spaces and in any order (IN-16, PK-04)', async () => {
    const texts = '<si><t>Name</t></si><si><t>Rent</t></si><si><t>Åsa</t></si>';
    const sheet =
      `<?xml version='1.0'?><worksheet xmlns='${MAIN}'><sheetData>` +
      `<row spans = '1:3'  r = '1'><c t='s' r='A1'><v>0</v></c><c\n t = 's'\n r = 'C1'><v>1</v></c></row>` +
      `<row r='2'><c s='0' t='s' r='A2' ><v>2</v></c><c r='C2'><v>9400</v></c></row>` +
      '</sheetData></worksheet>';
    const found = await read(bookOf({ sheet, texts }));
    expect(found.shape.columns).toEqual([
      { name: 'Name', letter: 'A' },
      { name: 'Rent', letter: 'C' },
    ]);
    expect(cells(found)).toEqual([['Åsa', '9400']]);
  });

  it('may use a prefix for sheet elements, and none for others (IN-16)', async () => {
    const row = (number: number, name: string, rent: string): string =>
      `<x:row r="${number}"><x:c t="inlineStr"><x:is><x:t>${name}</x:t></x:is></x:c><x:c t="str"><x:v>${rent}</x:v></x:c></x:row>`;
    const sheet =
      `<x:worksheet xmlns:x="${MAIN}" xmlns="urn:other"><x:sheetData>` +
      `${row(1, 'Name', 'Rent')}${row(2, 'Åsa', '12000')}<row r="3"><c><v>1</v></c></row>` +
      `${row(4, 'Bo', '9400')}</x:sheetData></x:worksheet>`;
    expect(cells(await read(bookOf({ sheet })))).toEqual(RENTS);
  });

  it('is read without rows inside comments (IN-21, PK-04)', async () => {
    const comment = `<!-- <row r="9">${textCell('Eva')}${textCell('1')}</row> -->`;
    expect(cells(await read(bookOf({ sheet: wrapped(comment + TABLE) })))).toEqual(RENTS);
  });

  it('may be UTF-16 with or without a byte order mark, or declare its encoding (IN-21, PK-04)', async () => {
    const text = `<?xml version="1.0" encoding="UTF-16"?>${wrapped(TABLE)}`;
    const little = Buffer.from(text, 'utf16le');
    const big = Buffer.from(little).swap16();
    const latin = `<?xml version="1.0" encoding="ISO-8859-1"?>${wrapped(TABLE)}`;
    const sheets = [
      Buffer.concat([Buffer.from([0xff, 0xfe]), little]),
      little,
      Buffer.concat([Buffer.from([0xfe, 0xff]), big]),
      big,
      Buffer.from(latin, 'latin1'),
      Buffer.from(`\uFEFF${wrapped(TABLE)}`),
    ];
    for (const sheet of sheets) expect(cells(await read(bookOf({ sheet })))).toEqual(RENTS);
    const wrong = Buffer.from(wrapped(TABLE), 'latin1');
    expect((await refusal(bookOf({ sheet: wrong }))).reason).toBe('sheet-damaged');
  });

  it('is read with its escapes decoded, and with every line break as one line feed (IN-10)', async () => {
    const lines = [
      'a_x000D_\nb',
      'a_x000D_\r\nb',
      'a_x000A_b',
      'a&#13;&#10;b',
      'a\r\nb',
      'a&#13;b',
    ];
    const inside = rowsOf([['Note'], ...lines.map((line) => [line])]);
    const texts = lines.map((line) => `<si><t>${line}</t></si>`).join('');
    const shared = lines.map((_, at) => `<row r="${at + 20}"><c t="s"><v>${at}</v></c></row>`);
    const results = lines.map(
      (line, at) => `<row r="${at + 40}"><c t="str"><v>${line}</v></c></row>`,
    );
    const sheet = wrapped(inside + shared.join('') + results.join(''));
    const found = cells(await read(bookOf({ sheet, texts }))).flat();
    expect(found).toHaveLength(18);
    for (const text of found) expect(text).toMatch(/^a\n{1,2}b$/);
    expect(found.filter((text) => text === 'a\nb')).toHaveLength(18);
  });
});

describe('a ZIP file as other programs write it', () => {
  it('may have its sizes in the fields of ZIP64 (PK-04)', async () => {
    const parts = partsOf({}).map((part) => ({ ...part, isZip64: true }));
    expect(cells(await read(zipOf(parts)))).toEqual(RENTS);
  });

  it('may have backslashes in the names of its parts, and its workbook at an unusual path (IN-21)', async () => {
    const windows = partsOf({}).map((part) => ({ ...part, name: part.name.replaceAll('/', '\\') }));
    expect(cells(await read(zipOf(windows)))).toEqual(RENTS);
    for (const main of ['workbook.xml', 'data/book/main.xml']) {
      expect(cells(await read(bookOf({ main })))).toEqual(RENTS);
    }
  });

  it('may contain a sheet with 50,000 merged areas, each found without a full search (IN-19)', async () => {
    // The program's own reader limits its work. A full search for each cell would need some
    // ten thousand million checks.
    const reader = createSheetReader();
    const columns = Array.from({ length: 20 }, (_, at) => `n${at}`);
    const rows = Array.from({ length: 5_000 }, () => columns);
    const fileOf = (areas: number, area: (at: number) => string) => {
      const references = Array.from({ length: areas }, (_, at) => `<mergeCell ref="${area(at)}"/>`);
      const behind = `<mergeCells>${references.join('')}</mergeCells>`;
      return workbook({ sheets: { Blad1: rowsOf([columns, ...rows]) }, behind });
    };
    const found = await reader.read(
      fileOf(50_000, (at) => `A${at + 3}:T${at + 3}`),
      {},
    );
    expect(found.rows[0]?.marks).toEqual([]);
    expect(found.rows.slice(1).every(({ marks }) => marks.length === 20)).toBe(true);
    // If no area contains a cell, a full search would check every area for every cell.
    const under = fileOf(50_000, (at) => `A${at + 20_003}:T${at + 20_003}`);
    expect((await reader.read(under, {})).rows.every(({ marks }) => marks.length === 0)).toBe(true);
    // Overlapping areas as large as the sheet cost no more than small ones.
    const over = fileOf(20_000, () => 'A2:XFD1048576');
    expect((await reader.read(over, {})).rows.every(({ marks }) => marks.length === 20)).toBe(true);
  });

  it('is rejected when its cells repeat a long text so often that they would exceed the memory', async () => {
    const long = `<t>${'x'.repeat(32_000)}</t>`;
    const cell = '<c t="s"><v>0</v></c>';
    const rows = Array.from({ length: 2_000 }, () => `<row>${cell}</row>`).join('');
    const file = workbook({ sheets: { Blad1: rows }, texts: [long] });
    expect(await refusal(file)).toMatchObject({ reason: 'sheet-limit' });
  });
});

describe('a file that is not an ordinary workbook', () => {
  const type = (content: string): Part => ({
    name: '[Content_Types].xml',
    data: `<Types><Override PartName="/xl/workbook.xml" ContentType="${content}"/></Types>`,
  });
  const ole = (name: string): Uint8Array =>
    new Uint8Array(
      Buffer.concat([
        Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]),
        Buffer.alloc(600),
        Buffer.from(name, 'utf16le'),
      ]),
    );

  it('is rejected with its type and advice (IN-21)', async () => {
    const macros = 'application/vnd.ms-excel.template.macroEnabled.main+xml';
    const files: readonly (readonly [Uint8Array | string, RegExp])[] = [
      [
        zipOf([...partsOf({ main: 'xl/workbook.bin' }), { name: 'xl/vbaProject.bin', data: '' }]),
        /xlsb/,
      ],
      [bookOf({ more: [type('application/vnd.ms-excel.sheet.binary.macroEnabled.main')] }), /xlsb/],
      [bookOf({ more: [{ name: 'xl/vbaProject.bin', data: '' }] }), /macros/],
      [bookOf({ more: [type(macros)] }), /macros.*xltm/],
      [
        zipOf([
          { name: 'Index/Document.iwa', data: '' },
          { name: 'preview.jpg', data: '' },
        ]),
        /Numbers/,
      ],
      [zipOf([{ name: 'word/document.xml', data: '' }]), /without a spreadsheet/],
      [bookOf({ main: 'word/document.xml' }), /text document/],
      [ole('Workbook'), /\.xls\)/],
      [ole('WordDocument'), /old Office document/],
      ['%PDF-1.7\n%âãÏÓ', /PDF/],
      [
        '<?xml version="1.0"?>\n<?mso-application progid="Excel.Sheet"?>\n<Workbook/>',
        /Excel 2003/,
      ],
      ['<html><table></table></html>', /web page/],
    ];
    for (const [file, words] of files) {
      const { reason, message } = await refusal(file);
      expect({ reason, message }).toEqual({
        reason: 'sheet-kind',
        message: expect.stringMatching(words),
      });
      if (!/without a spreadsheet/.test(message)) expect(message).toMatch(/\.xlsx|Export/);
    }
    expect((await refusal(ole('EncryptedPackage'))).reason).toBe('sheet-password');
  });

  it('is read when it is a template without macros, with any additional parts', async () => {
    const plain = 'application/vnd.openxmlformats-officedocument.spreadsheetml.template.main+xml';
    const more = [type(plain), { name: 'xl/media/image1.png', data: 'x' }];
    const found = await read(bookOf({ more }));
    expect(cells(found)).toEqual(RENTS);
    expect(noticed(found)).toMatchObject({ 'external-content': 1 });
  });
});

describe('a CSV file with one long row', () => {
  it('is rejected for its number of cells before it is split into cells (SEC-L13)', async () => {
    const row = `Name${',x'.repeat(6 * 1024 * 1024)}`;
    const before = process.memoryUsage().heapUsed;
    const { reason, message } = await refusal(row);
    expect({ reason, message }).toEqual({
      reason: 'sheet-limit',
      message: 'Row 1 has more than 16384 cells',
    });
    // Six million separate cells would take some 400 MB.
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(150 * 1024 * 1024);
    const quoted = `Name;Note\nÅsa;"${';'.repeat(20_000)}"\n`;
    expect(cells(await read(quoted))[0]?.[1]).toHaveLength(20_000);
  });
});

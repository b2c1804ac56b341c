import { describe, expect, it } from 'vitest';
import { bytes, cells, names, noticed, read, refusal } from '../refusal.ts';

describe('a CSV file', () => {
  it('is rejected when it is empty, has only a header, or only blank lines', async () => {
    for (const text of ['', 'Name;E-mail\n', '\n\n\r\n']) {
      expect(await refusal(text)).toMatchObject({ reason: 'sheet-empty' });
    }
  });

  it('has a clean header when it starts with a byte order mark', async () => {
    const sheet = await read(bytes('\uFEFFName;E-mail\nÅsa;asa@example.com\n'));
    expect(names(sheet)).toEqual(['Name', 'E-mail']);
    expect(sheet.shape).toMatchObject({ encoding: 'utf-8', headerRow: 1 });
  });

  it('is read as UTF-16 in both byte orders, with and without a byte order mark (TX-20)', async () => {
    const text = 'Name\tE-mail\r\nÅsa Öberg\tasa@example.com\r\n';
    const little = Buffer.from(text, 'utf16le');
    const big = Buffer.from(little).swap16();
    const files = [
      Buffer.concat([Buffer.from([0xff, 0xfe]), little]),
      little,
      Buffer.concat([Buffer.from([0xfe, 0xff]), big]),
      big,
    ];
    for (const file of files) {
      expect(cells(await read(new Uint8Array(file)))).toEqual([['Åsa Öberg', 'asa@example.com']]);
    }
  });

  it('is read as Windows-1252 when it is not UTF-8, with a notice', async () => {
    const file = bytes('Förnamn;Ort\nÅsa;Malmö\nAndré;Ängelholm\n', 'latin1');
    const sheet = await read(file);
    expect(sheet.shape.encoding).toBe('windows-1252');
    expect(noticed(sheet)).toMatchObject({ 'guessed-encoding': 1 });
    expect(cells(sheet)).toEqual([
      ['Åsa', 'Malmö'],
      ['André', 'Ängelholm'],
    ]);
  });

  it('keeps euro signs and dashes in Windows-1252, and letters in code page 850', async () => {
    const euro = Uint8Array.from([...bytes('A;B\n'), 0x80, ...bytes(';'), 0x96, ...bytes('\n')]);
    expect(cells(await read(euro))).toEqual([['€', '–']]);
    const dos = Uint8Array.from([...bytes('A;B\n'), 0x8f, ...bytes(';'), 0x94, ...bytes('\n')]);
    expect(cells(await read(dos, { encoding: 'ibm850' }))).toEqual([['Å', 'ö']]);
  });

  it('is rejected with the position when it ends within a character', async () => {
    const whole = bytes('Name;Town\nÅsa;Malmö');
    const cut = whole.subarray(0, whole.length - 1);
    const failure = await refusal(cut);
    expect(failure.reason).toBe('sheet-text');
    expect(failure.message).toContain(`byte ${cut.length - 1}`);
  });

  it('is reported when its text was encoded twice', async () => {
    expect(noticed(await read('Name;Town\nÃ…sa;MalmÃ¶\n'))).toMatchObject({ 'double-encoded': 1 });
  });

  it('is split at semicolons, tabs, bars or commas, and never inside quotes (TX-20)', async () => {
    for (const sign of [';', '\t', '|', ','] as const) {
      const sheet = await read(
        `Name${sign}Note\n"Öberg, Åsa; x\t|"${sign}ok\nBo${sign}"a${sign}b"\n`,
      );
      expect(sheet.shape.delimiter).toBe(sign);
      expect(cells(sheet)).toEqual([
        ['Öberg, Åsa; x\t|', 'ok'],
        ['Bo', `a${sign}b`],
      ]);
    }
    expect((await read('A;B,C\n1;2,3\n', { delimiter: ',' })).shape.columns).toHaveLength(2);
  });

  it('may name its delimiter in the first line, which is not a row (TX-20)', async () => {
    const sheet = await read('sep=|\r\nName|Town\r\nÅsa|Malmö, Sweden\r\n');
    expect(sheet.shape).toMatchObject({ delimiter: '|', headerRow: 2 });
    expect(sheet.rows).toEqual([{ row: 3, cells: ['Åsa', 'Malmö, Sweden'], marks: [] }]);
  });

  it('has the same rows with every kind of line end', async () => {
    const rows = ['Name;Town', 'Åsa;Malmö', 'Bo;Lund', 'Cia;Ystad'];
    const mixed = `${rows[0]}\r\n${rows[1]}\n${rows[2]}\r${rows[3]}`;
    expect(cells(await read(mixed))).toEqual(cells(await read(rows.join('\n'))));
  });

  it('is rejected at the row where a quote is opened and never closed', async () => {
    const failure = await refusal('Name;Note\nÅsa;ok\nBo;"never closed\nCia;ok\nDag;ok\n');
    expect(failure.reason).toBe('sheet-quote');
    expect(failure.message).toContain('Row 3');
  });

  it('keeps doubled quotes and line breaks inside quotes, and counts rows as a spreadsheet program', async () => {
    const sheet = await read('Name;Note\n"Åsa ""Ace"" Öberg";"two\r\nlines"\nBo;one\n');
    expect(sheet.rows).toEqual([
      { row: 2, cells: ['Åsa "Ace" Öberg', 'two\nlines'], marks: [] },
      { row: 3, cells: ['Bo', 'one'], marks: [] },
    ]);
  });

  it('is rejected with line, character and advice when it has control characters (IN-C11)', async () => {
    for (const sign of ['\0', '\u0007', '\u001b', '\u001f', '\u0090']) {
      const failure = await refusal(`Name;Town\nÅsa;Mal${sign}mö\n`);
      expect(failure).toMatchObject({ reason: 'sheet-text' });
      expect(failure.message).toContain('Line 2');
      expect(failure.message).toContain('another encoding');
    }
  });

  it('may end with Ctrl-Z and the NULs of a disk block, in every encoding (IN-C10)', async () => {
    const text = 'Name;Town\r\nÅsa;Malmö\r\n';
    const dos = Buffer.from('Name;Town\r\n\x8fsa;Malm\x94\r\n', 'latin1');
    const ends = ['\0'.repeat(4096), '\u001a', '\u001a\0\0\0', '\0\u001a'];
    for (const end of ends) {
      const wide = Buffer.from(`\ufeff${text}${end}`, 'utf16le');
      const files = [
        Buffer.from(text + end),
        wide,
        Buffer.concat([wide, Buffer.from([0])]),
        Buffer.concat([dos, Buffer.from(end)]),
      ];
      for (const file of files) {
        expect(cells(await read(new Uint8Array(file)))).toEqual([['Åsa', 'Malmö']]);
      }
    }
  });

  it('is guessed to be Mac Roman or DOS text when its bytes are undefined in Windows-1252 (IN-C02)', async () => {
    const mac = 'F\x9arnamn;Ort\n\x81sa;Malm\x9a\nAndr\x8e;\x80ngelholm\n';
    const dos = 'F\x94rnamn;Ort\n\x8fsa;Malm\x94\nAndr\x82;\x8engelholm\n';
    const rows = [
      ['Åsa', 'Malmö'],
      ['André', 'Ängelholm'],
    ];
    for (const [text, encoding] of [[mac, 'macintosh'] as const, [dos, 'ibm850'] as const]) {
      const sheet = await read(bytes(text, 'latin1'));
      expect(sheet.shape.encoding).toBe(encoding);
      expect(noticed(sheet)).toMatchObject({ 'guessed-encoding': 1 });
      expect(cells(sheet)).toEqual(rows);
    }
  });

  it('never moves the cells of a row that has too few or too many', async () => {
    const sheet = await read('A,B,C\n1,2,3\n4,5\n6,7,8,9\n');
    expect(cells(sheet)).toEqual([
      ['1', '2', '3'],
      ['4', '5', ''],
      ['6', '7', '8'],
    ]);
    expect(sheet.rows.map(({ marks }) => marks)).toEqual([[], [[0, 'ragged']], [[0, 'ragged']]]);
  });

  it('has its spreadsheet errors marked, but not texts that look similar (IN-Y17)', async () => {
    const errors = [
      ...['#N/A', '#SAKNAS!', '#VÄRDEFEL!', '#DIV/0!', '#DIVISION/0!', '#NAMN?', '#NV', '#BEZUG!'],
      ...['#¡VALOR!', '#¿NOMBRE?', '#VALEUR !', '#Н/Д', '########', 'Err:502', 'Fel:508'],
    ];
    const others = ['#1 in town', '#Hej!', '##', '#12', 'Err 5', 'C#', '#kund?', 'Fel: 12'];
    const found = await read(
      `Namn;Hyra\r\n${[...errors, ...others].map((one) => `A;${one}\r\n`).join('')}`,
    );
    const marked = found.rows.filter(({ marks }) =>
      marks.some(([column, mark]) => column === 1 && mark === 'cell-error'),
    );
    expect(marked.map(({ cells }) => cells[1])).toEqual(errors);
  });

  it('has its row of totals marked, and no other row (IN-S11)', async () => {
    const sheet = await read(
      'Bolag;Orgnr;Hyra\nA AB;556012-3456;100\nB AB;556012-3456;50\n\nSumma;;150\n',
    );
    expect(sheet.rows.map(({ marks }) => marks)).toEqual([[], [], [[0, 'total']]]);
  });

  it('is rejected with the name of the limit that it exceeds', async () => {
    const wide = Array.from({ length: 200 }, (_, at) => `C${at}`).join(';');
    const files: [string, string][] = [
      ['x'.repeat(21 * 1024 * 1024), '20 MB'],
      [`Name\n${'Åsa\n'.repeat(10_001)}`, 'at most 10000'],
      [`${wide}\n${wide}\n`, '64 columns'],
      [`Name;Note\nÅsa;${'x'.repeat(32_768)}\n`, '32767 characters'],
    ];
    for (const [file, limit] of files) {
      const failure = await refusal(file);
      expect(failure.reason).toBe('sheet-limit');
      expect(failure.message.replaceAll(',', '')).toContain(limit);
    }
  });

  it('is rejected when two columns have the same name, ignoring case and spaces', async () => {
    const failure = await refusal('E-mail;Name;e\u00a0mail \na@b.se;Åsa;c@d.se\n');
    expect(failure.reason).toBe('sheet-headers');
    expect(failure.message).toContain('A and C');
  });

  it('may have columns named like JavaScript properties, without any special effect', async () => {
    const sheet = await read('__proto__;constructor;toString\na;b;c\n');
    expect(names(sheet)).toEqual(['__proto__', 'constructor', 'toString']);
    expect(cells(sheet)).toEqual([['a', 'b', 'c']]);
    expect(Object.getPrototypeOf({})).toBe(Object.prototype);
  });

  it('ignores and counts the empty rows and columns that Excel leaves at the end', async () => {
    const sheet = await read('Name;Town;;\nÅsa;Malmö;;\n;;;\n;;;\n');
    expect(names(sheet)).toEqual(['Name', 'Town']);
    expect(sheet.rows).toHaveLength(1);
    expect(noticed(sheet)).toMatchObject({ 'empty-rows': 2, 'empty-columns': 2 });
  });

  it('may have titles above its header, and the user can choose another header row', async () => {
    const text = 'Leases of autumn;;\n;;\nFörnamn;Efternamn;E-post\nÅsa;Öberg;a@b.se\n';
    const sheet = await read(text);
    expect(sheet.shape.headerRow).toBe(3);
    expect(sheet.rows[0]?.row).toBe(4);
    expect(noticed(sheet)).toMatchObject({ 'rows-above-header': 1 });
  });

  it('has a formula that is only a text, which keeps leading zeros, read as that text (IN-F14)', async () => {
    const sheet = await read(
      [
        'Name;="Code"',
        'Åsa;="00123"',
        'Bo;"=""0 7"""',
        'Cia; = "a""b" ',
        'Dag;=T("0046")',
        'Eva;=""',
        'Fia;=',
        `Gun;'="00123"`,
      ].join('\n'),
    );
    expect(names(sheet)).toEqual(['Name', 'Code']);
    const codes = ['00123', '0 7', 'a"b', '0046', '', '=', '="00123"'];
    expect(cells(sheet).map(([, code]) => code)).toEqual(codes);
    expect(sheet.rows.flatMap(({ marks }) => marks)).toEqual([]);
  });

  it('keeps every formula that is more than a text unchanged (IN-F14)', async () => {
    const formulas = ['=HYPERLINK("http://x";"y")', '="a"&B2', '=00123', '=""00123""'];
    const quoted = formulas.map((text) => `Åsa,"${text.replaceAll('"', '""')}"`);
    const sheet = await read(['Name,Note', ...quoted, 'Bo,+1', 'Cia,-2', 'Dag,@SUM'].join('\n'));
    expect(cells(sheet).map(([, note]) => note)).toEqual([...formulas, '+1', '-2', '@SUM']);
  });
});

describe('the delimiter of a CSV file', () => {
  const signOf = async (text: string) => {
    const { shape } = await read(text);
    const guessed = shape.notices.find(({ code }) => code === 'guessed-delimiter');
    return [shape.delimiter, shape.columns.length, guessed?.detail ?? null];
  };

  it('is detected by rows of equal width and a matching header, not by commas in cells (IN-25)', async () => {
    const ranges =
      'Prefix ; Length ; Type\n39 ; 6,7,8,9,10 ; FIXED_LINE\n3[1-9] ; 9,10 ; MOBILE\n[2-5] ; 6,7,8,9 ; FIXED_LINE\n';
    const russian = 'Name;Sum\nA;1 234,50\nB;2 345,60\nC;3 456,70\n';
    const english = 'Name,Note\nA,one; two\nB,three; four\nC,five; six\n';
    const titled = 'Leases, autumn 2026\nName;Town\nÅsa;Lund\nBo;Ystad\nCia;Ystad\n';
    expect(await signOf(ranges)).toEqual([';', 3, null]);
    expect(await signOf(russian)).toEqual([';', 2, null]);
    expect(await signOf(english)).toEqual([',', 2, null]);
    expect(await signOf(titled)).toEqual([';', 2, null]);
    expect(await signOf('Name|Town\nÅsa, Bo|Lund; Ystad\n')).toEqual(['|', 2, null]);
  });

  it('is absent in a list of one column, whose first person is not a header (IN-25)', async () => {
    const list = await read('Namn\nÖberg, Åsa\nEk, Bo\nAlm, Cia\n');
    expect(names(list)).toEqual(['Namn']);
    expect(cells(list)).toEqual([['Öberg, Åsa'], ['Ek, Bo'], ['Alm, Cia']]);
    expect(await signOf('Namn\nÖberg, Åsa\nEk, Bo\n')).toEqual([';', 1, ',']);
    expect(await signOf('Hyresgäster i huset\nÖberg, Åsa\nEk, Bo\n')).toEqual([';', 1, ',']);
    expect(await signOf('Namn\nÅsa\nBo\n')).toEqual([';', 1, null]);
    const notes = 'Note\nhello\nfine, thanks\nbye\nwell; no\nyes\n';
    expect((await signOf(notes)).slice(0, 2)).toEqual(['\t', 1]);
  });

  it('is reported with its alternative if it is ambiguous, unless the user chose it (IN-25)', async () => {
    const both = 'A;B,C\n1;2,3\n4;5,6\n';
    const [sign, width, other] = await signOf(both);
    expect([sign, other].toSorted()).toEqual([',', ';']);
    expect(width).toBe(2);
    for (const delimiter of [',', ';'] as const) {
      expect(noticed(await read(both, { delimiter }))).toEqual({});
    }
    const list = 'Namn\nÖberg, Åsa\nEk, Bo\n';
    expect((await read(list, { delimiter: ',' })).shape.columns).toHaveLength(2);
  });
});

import { describe, expect, it } from 'vitest';
import {
  maskDoubt,
  peopleReader,
  cellsFor,
  readPeopleTable,
  splitCells,
} from '../../../shared/rules/people/table.ts';

const TODAY = '2026-11-21';
const read = (text: string) => readPeopleTable(text, TODAY);

describe('an imported table of people', () => {
  it('with a header is read by its columns, in any order', () => {
    const text = 'E-post\tNamn\tMobil\tSkostorlek\nasa@example.com\tÅsa Öberg\t070-123 45 67\t38';
    expect(read(text)).toEqual({
      hasHeader: true,
      ignored: ['Skostorlek'],
      rows: [
        {
          person: {
            kind: 'person',
            firstName: 'Åsa',
            lastName: 'Öberg',
            country: 'SE',
            email: 'asa@example.com',
            mobile: '+46701234567',
          },
          doubts: [],
          wrong: [],
        },
      ],
    });
  });

  it('without a header is read by the form of its cells', () => {
    const [row] = read('Öberg, Åsa;850709-9805;asa@example.com').rows;
    expect(row?.person).toEqual({
      kind: 'person',
      firstName: 'Åsa',
      lastName: 'Öberg',
      country: 'SE',
      personNumber: '198507099805',
      email: 'asa@example.com',
    });
  });

  it('has a row with an organisation number read as a company', () => {
    const [row] = read('Berg AB\t559999-0008').rows;
    expect(row?.person).toMatchObject({ kind: 'company', name: 'Berg AB' });
  });

  it('has a row with a personal name and a company name read as a person', () => {
    const text =
      'Förnamn;Efternamn;Företag;Typ\nÅsa;Öberg;Berg AB;\n;;Berg AB;\nBo;Ek;Ek AB;company';
    expect(read(text).rows.map(({ person }) => person)).toMatchObject([
      { kind: 'person', firstName: 'Åsa', lastName: 'Öberg' },
      { kind: 'company', name: 'Berg AB' },
      { kind: 'company', name: 'Ek AB', firstName: 'Bo', lastName: 'Ek' },
    ]);
  });

  it('with several address columns gives the first address', () => {
    const text = 'E-mail 1 - Value,E-mail Address,Phone 1 - Value\na@example.com,b@example.com,\n';
    expect(read(text).rows[0]?.person).toMatchObject({ email: 'a@example.com' });
  });

  it.each(['asa.example.com', 'asa(at)example.com', 'asa.oberg＠example.com'])(
    'has the mistyped address %s read as an address in doubt, not as a name',
    (text) => {
      const [row] = read(`Åsa\tÖberg\t${text}`).rows;
      expect(row).toMatchObject({ doubts: [text], wrong: ['email'] });
      expect(row?.person).toMatchObject({ firstName: 'Åsa', lastName: 'Öberg', email: text });
    },
  );

  it('has an address in the column of a name marked as doubtful', () => {
    const [row] = read('Förnamn\tEfternamn\tE-post\nÅsa\tasa@example.com\t').rows;
    expect(row?.doubts).toEqual(['asa@example.com']);
  });

  it('keeps a company that is named after its domain, in doubt', () => {
    const [row] = read('Berg.se\t559999-0008').rows;
    expect(row).toMatchObject({
      person: { kind: 'company', name: 'Berg.se' },
      doubts: ['Berg.se'],
    });
  });

  it('keeps unknown columns, and reports them', () => {
    const [row] = read('Namn;Mobil\nÅsa Öberg;12').rows;
    expect(row).toMatchObject({ person: { mobile: '12' }, doubts: ['12'], wrong: ['mobile'] });
  });
});

it('quoted cells of a table may contain separators, line breaks and quotes', () => {
  expect(splitCells('a;"b;c\nd ""e"""\r\n\r\nf;g')).toEqual([
    ['a', 'b;c\nd "e"'],
    ['f', 'g'],
  ]);
});

it('data of an address book person fills only the matching columns of a table', () => {
  const person = { kind: 'person', firstName: 'Åsa', lastName: 'Öberg', email: 'a@b.se' } as const;
  const titles = ['Namn', 'Rent', 'E-post', 'Efternamn', 'Mobil', 'Typ'];
  expect([...cellsFor(titles, person)]).toEqual([
    [0, 'Åsa Öberg'],
    [2, 'a@b.se'],
    [3, 'Öberg'],
  ]);
});

it('Outlook’s columns are recognised in the Nordic languages and in German (IN-Y23)', () => {
  for (const title of ['E-Mail-Adresse', 'E-mailadresse', 'E-postadresse', 'Sähköpostiosoite']) {
    const { rows } = readPeopleTable(`Vorname;${title}\nÅsa;asa@example.com`, TODAY);
    expect(rows).toMatchObject([{ person: { firstName: 'Åsa', email: 'asa@example.com' } }]);
  }
  const { ignored } = peopleReader(['Vorname', 'E-Mail-Adresse', 'Mobiltelefon'], TODAY);
  expect(ignored).toEqual([]);
});

it('the first of several values in a Google cell is used (IN-V03)', () => {
  const text = [
    'First Name,Last Name,E-mail 1 - Value,Phone 1 - Value,Organization Name',
    'Åsa,Öberg,asa@example.com ::: asa@home.example,070-123 45 67 ::: 08-12 34 56,Hamn AB ::: Varv AB',
    'Bo,Ek, ::: bo@example.com,070-765 43 21,',
  ].join('\n');
  const { rows } = readPeopleTable(text, TODAY);
  expect(rows).toMatchObject([
    { person: { email: 'asa@example.com', mobile: '+46701234567' }, doubts: [], wrong: [] },
    { person: { email: 'bo@example.com', mobile: '+46707654321' }, doubts: [], wrong: [] },
  ]);
  const pasted = readPeopleTable('Åsa Öberg\tasa@example.com ::: asa@home.example', TODAY);
  expect(pasted.rows).toMatchObject([{ person: { email: 'asa@example.com' }, doubts: [] }]);
});

describe('a doubtful cell of a pasted table on the screen', () => {
  const shown = (text: string) =>
    read(text).rows.flatMap(({ person, doubts }) => doubts.map((one) => maskDoubt(one, person)));

  it('shows the mistyped part of an address or phone number', () => {
    expect(shown('Bo Alm;bo@example,com')).toEqual(['bo@example,com']);
    expect(shown('Cia Ek;cia@@example.com')).toEqual(['cia@@example.com']);
    expect(shown('Bo Alm;bo(at)example.com')).toEqual(['bo(at)example.com']);
    expect(shown('Namn;E-post;Mobil\nBo Alm;bo1.example;070-12')).toEqual([
      '070-12',
      'bo1.example',
    ]);
  });

  it('masks a mistyped personal number, also in the column of an address', () => {
    expect(shown('Namn;Personnummer\nBo Alm;850709-98055')).toEqual(['850709-9••••']);
    expect(shown('Bo Alm;850709-98O5')).toEqual(['850709-••••']);
    expect(shown('Namn;E-post\nBo Alm;850709-9805')).toEqual(['850709-••••']);
  });
});

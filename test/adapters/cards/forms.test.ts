import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isCards, readCards as read } from '../../../electron/adapters/cards/read.ts';
import { place as inRepository } from '../../../build/places.ts';

const fileOf = (name: string): Uint8Array =>
  readFileSync(inRepository(`test/fixtures/vcards/${name}.vcf`));
const factsIn = (name: string) => read(fileOf(name)).map(({ facts }) => facts);
const textOf = (text: string): Uint8Array => Buffer.from(text);

describe('vCards of several programs are read:', () => {
  it('Outlook: quoted-printable, its encoding, a folded picture, a fax (2.1)', () => {
    expect(factsIn('outlook')).toEqual([
      {
        kind: 'person',
        firstName: 'Åsa',
        lastName: 'Öberg',
        name: '',
        emails: ['asa@example.com'],
        phones: ['070-123 45 67', '08-12 34 56 78'],
      },
    ]);
  });

  it('Apple Contacts: grouped properties, the preferred address, a company (3.0)', () => {
    expect(factsIn('apple')).toEqual([
      {
        kind: 'person',
        firstName: 'Karl-Johan Erik',
        lastName: 'Lindström',
        name: '',
        emails: ['kj.lindstrom@example.com', 'kj@example.net'],
        phones: ['+46 70 765 43 21', '+46 31 711 11 11'],
      },
      {
        kind: 'company',
        firstName: '',
        lastName: '',
        name: 'Hamnens Varv',
        emails: ['info@example.org'],
        phones: ['+46 8 500 000 00'],
      },
    ]);
  });

  it('Apple Contacts: a group is not imported as a person, in versions 3.0 and 4.0 (IN-V02)', () => {
    const card = (...lines: readonly string[]) => [
      'BEGIN:VCARD',
      'VERSION:3.0',
      'N:Familjen;;;;',
      'FN:Familjen',
      ...lines,
      'END:VCARD',
    ];
    const kinds = [
      'X-ADDRESSBOOKSERVER-KIND:group',
      'x-addressbookserver-kind: Group',
      'KIND:group',
    ];
    for (const kind of kinds) {
      const text = card(kind, 'X-ADDRESSBOOKSERVER-MEMBER:urn:uuid:1234').join('\r\n');
      expect(read(textOf(text)).map(({ facts }) => facts)).toMatchObject([
        { lastName: '', name: '' },
      ]);
    }
    const person = read(textOf(card('X-ADDRESSBOOKSERVER-KIND:individual').join('\r\n')));
    expect(person.map(({ facts }) => facts)).toMatchObject([{ lastName: 'Familjen' }]);
  });

  it('Google: a person with an employer stays a person (3.0)', () => {
    expect(factsIn('google')).toMatchObject([
      {
        kind: 'person',
        firstName: 'Łucja',
        lastName: 'Wójcik',
        emails: ['lucja@example.com', 'lucja.privat@example.net'],
        phones: ['+48 512 345 678'],
      },
    ]);
  });

  it('Thunderbird: numbered preferences, a mobile phone first (4.0)', () => {
    expect(factsIn('thunderbird')).toMatchObject([
      {
        firstName: 'Maija',
        lastName: 'Virtanen',
        emails: ['maija@example.fi', 'maija.v@example.net'],
        phones: ['040 1234567', '+358 9 1234567'],
      },
    ]);
  });

  it('Nextcloud: an organisation, a phone as an address, a group that is not a person (4.0)', () => {
    expect(factsIn('nextcloud')).toMatchObject([
      { kind: 'company', name: 'Ærø Færge A/S', phones: ['+45-62-52-40-00'] },
      { kind: 'person', firstName: '', lastName: '', emails: [], phones: [] },
    ]);
  });

  it('an old phone: a name with characters split over two lines (2.1)', () => {
    expect(factsIn('nokia')).toMatchObject([
      { firstName: 'Jürgen', lastName: 'Özgür', emails: ['juergen@example.de'] },
      { firstName: '', lastName: 'Mor', phones: ['112'] },
    ]);
  });

  it('a program that writes UTF-16', () => {
    expect(factsIn('utf-16')).toMatchObject([{ firstName: 'Jiří', lastName: 'Dvořák' }]);
  });
});

describe('vCards are read even if', () => {
  const factsOf = (...lines: string[]) =>
    read(textOf(['BEGIN:VCARD', 'VERSION:3.0', ...lines, 'END:VCARD', ''].join('\r\n'))).map(
      ({ facts }) => facts,
    );

  it('several values of a person were joined into one, as Google joins them (IN-Y21)', () => {
    const joined = [
      'EMAIL:asa@example.com ::: asa@home.example',
      'TEL;TYPE=CELL:+46701 ::: +46702',
    ];
    expect(factsOf('N:Öberg;Åsa;;;', ...joined)).toMatchObject([
      { emails: ['asa@example.com', 'asa@home.example'], phones: ['+46701', '+46702'] },
    ]);
  });

  it('the names in them were written in base64 (IN-Y22)', () => {
    const name = Buffer.from('Öberg;Åsa').toString('base64');
    for (const head of [
      'N;CHARSET=UTF-8;ENCODING=b',
      'N;ENCODING=BASE64;CHARSET=UTF-8',
      'N;BASE64',
    ]) {
      expect(factsOf(`${head}:${name}`, 'EMAIL:asa@example.com')).toMatchObject([
        { firstName: 'Åsa', lastName: 'Öberg' },
      ]);
    }
  });
});

describe('vCards are read from combined exports:', () => {
  it('of a phone: quoted-printable names, and a company entry without a name (2.1)', () => {
    expect(factsIn('android')).toMatchObject([
      {
        kind: 'person',
        firstName: 'Åsa',
        lastName: 'Öberg',
        phones: ['+46701234567', '0850000000'],
      },
      { kind: 'company', name: 'Kvarnens Kök AB', emails: ['kok@example.com'] },
    ]);
  });

  it('of iCloud: custom labels, a name of one word, parameters in any order (3.0)', () => {
    expect(factsIn('icloud')).toMatchObject([
      { firstName: 'Siân', lastName: '', emails: ['sian@example.co.uk'] },
      {
        firstName: 'Jean-Luc',
        lastName: 'de la Tour',
        phones: ['+33 6 12 34 56 78', '+33 1 42 00 00 00'],
      },
    ]);
  });

  it('of Google: an entry with only an address, two companies, multi-line notes (3.0)', () => {
    expect(factsIn('google-many')).toMatchObject([
      { firstName: '', lastName: '', emails: ['nobody@example.com'] },
      { kind: 'company', name: 'Ærø Færge A/S' },
      { firstName: 'Nils Ole', lastName: 'Bråten', phones: ['+47 412 34 567'] },
    ]);
  });

  it('of Nextcloud and Thunderbird: quoted parameter lists, several names, no N (4.0)', () => {
    expect(factsIn('nextcloud-many')).toMatchObject([
      { firstName: 'Maija', lastName: 'Virtanen', phones: ['+358401234567', '+35891234567'] },
      { firstName: 'Pál', lastName: 'Kovács', emails: ['pal@example.hu'] },
      { firstName: 'Ewa', lastName: 'Żak', emails: ['ewa@example.pl', 'ewa.zak@example.net'] },
    ]);
  });

  it('of Outlook files joined by hand, each with its own byte order mark', () => {
    expect(factsIn('outlook-many')).toMatchObject([
      { firstName: 'Åsa', lastName: 'Öberg' },
      { firstName: 'Bo', lastName: 'Ek', emails: ['bo@example.com'] },
      { firstName: 'Cecilia', lastName: 'von Friesen' },
    ]);
  });
});

describe('an unreadable vCard', () => {
  it('is rejected if the file is truncated within it, and the cards before it are read', () => {
    expect(read(fileOf('cut'))).toMatchObject([
      { place: 1, facts: { firstName: 'Ida' }, refusal: null },
      { place: 2, facts: null, refusal: 'broken' },
    ]);
  });

  it('that has no end does not take lines of the cards after it', () => {
    const text =
      'BEGIN:VCARD\nN:Holm;Id\nBEGIN:VCARD\nN:Ek;Bo\nEND:VCARD\nBEGIN:VCARD\nN:Al;Cy\nEND:VCARD\n';
    expect(read(textOf(text))).toMatchObject([
      { place: 1, facts: null, refusal: 'broken' },
      { place: 2, facts: { lastName: 'Ek' }, refusal: null },
      { place: 3, facts: { lastName: 'Al' }, refusal: null },
    ]);
  });

  it('is rejected when its encoding is unknown', () => {
    expect(read(fileOf('unreadable')).map(({ refusal }) => refusal)).toEqual([
      'letters',
      null,
      null,
    ]);
  });
});

describe('the vCard syntax', () => {
  const one = (...lines: string[]) =>
    read(textOf(['BEGIN:VCARD', ...lines, 'END:VCARD', ''].join('\r\n')))[0]?.facts;

  it('keeps a character after a backslash, and splits parts only at semicolons', () => {
    expect(one('VERSION:4.0', String.raw`N:Berg\, von\;der;A\\B;;;`)).toMatchObject({
      lastName: 'Berg, von;der',
      firstName: String.raw`A\B`,
    });
  });

  it('joins a folded line, even within a character', () => {
    const bytes = Buffer.from(
      'BEGIN:VCARD\r\nVERSION:3.0\r\nN:\u00d6berg;\u00c5sa\r\nEND:VCARD\r\n',
    );
    const at = bytes.indexOf(0xc3) + 1;
    const folded = Buffer.concat([bytes.subarray(0, at), Buffer.from('\r\n '), bytes.subarray(at)]);
    expect(read(folded)[0]?.facts).toMatchObject({ lastName: 'Öberg', firstName: 'Åsa' });
  });

  it('keeps the space at the start of a folded line in version 2.1', () => {
    expect(one('VERSION:2.1', 'N:von', ' Berg;Anna')).toMatchObject({
      lastName: 'von Berg',
    });
  });

  it('skips a card within a card', () => {
    const agent = ['AGENT:', 'BEGIN:VCARD', 'N:Agent;Secret', 'END:VCARD'];
    expect(one('VERSION:2.1', ...agent, 'N:Berg;Anna')).toMatchObject({ lastName: 'Berg' });
  });
});

describe('a vCard property that is too long', () => {
  const between = (line: string) =>
    read(textOf(`BEGIN:VCARD\nVERSION:2.1\n${line}\nEMAIL:bo@example.com\nEND:VCARD\n`));

  it.each([
    ['in one line', `N:${'a'.repeat(20_000_000)}`],
    ['with only semicolons', `N:${';'.repeat(1_100_000)}`],
    ['in folded lines', `N:a${'\n a'.repeat(600_000)}`],
    ['with soft line breaks', `N;ENCODING=QUOTED-PRINTABLE:${'=41=\n'.repeat(400_000)}Berg;Anna`],
  ])('%s is skipped, and the card keeps its other properties (SR-M7)', (_, line) => {
    const [card, ...more] = between(line);
    expect(more).toEqual([]);
    expect(card?.facts).toMatchObject({ lastName: '', emails: ['bo@example.com'] });
  });

  it('with soft line breaks below the limit is read, however many lines it has (SR-M7)', () => {
    const [card] = between(`N;ENCODING=QUOTED-PRINTABLE:${'=\n'.repeat(200_000)}Berg;Anna`);
    expect(card?.facts).toMatchObject({ lastName: 'Berg', firstName: 'Anna' });
  });
});

it('vCards are recognised by the start of the file', () => {
  const forms = [
    'begin:vcard\nN:a\n',
    '\ufeffBEGIN:VCARD\r\n',
    '\r\nBEGIN:VCARD',
    'Name;Mail\n',
    '',
  ];
  expect(forms.map((text) => isCards(textOf(text)))).toEqual([true, true, true, false, false]);
});

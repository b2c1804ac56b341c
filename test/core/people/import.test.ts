import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { place as inRepository } from '../../../build/places.ts';
import type { BookImport, ImportRow } from '../../../shared/contract/people.ts';
import { bytesOf, textOf } from '../../support/fakes/memory-ports.ts';
import { type MemoryDesk, startMemoryDesk } from '../../support/fakes/memory-desk.ts';
import { entryOf } from '../../support/person-entry.ts';

let desk: MemoryDesk;

beforeEach(() => {
  desk = startMemoryDesk();
});

const read = (data: Uint8Array | string): Promise<BookImport> => {
  const bytes = desk.bytes.put(typeof data === 'string' ? bytesOf(data) : data);
  return desk.api['people.readImport']({ bytes, fileName: 'people' });
};
const rowsOf = async ({ id }: BookImport): Promise<readonly ImportRow[]> =>
  (await desk.api['people.importRows']({ id, verdict: null, from: 0, limit: 1000 })).rows;
const verdicts = async (file: BookImport) =>
  (await rowsOf(file)).map(({ place, verdict, refusal }) => [place, verdict, refusal]);
const vcards = (name: string) => readFileSync(inRepository(`test/fixtures/vcards/${name}.vcf`));
const everybody = async () => {
  const view = { text: '', group: null, sort: 'name', direction: 'ascending' } as const;
  return (await desk.api['people.window']({ ...view, from: 0, limit: 1000 })).items;
};

describe('an imported file of people', () => {
  it('is previewed before anything is stored: new, existing, changed, and rejected rows', async () => {
    const entry = entryOf({ mobile: '0701234567' });
    await desk.api['people.save']({ id: null, entry });
    const file = await read(
      [
        'Förnamn;Efternamn;E-post;Mobil;Personnummer',
        'Åsa;Öberg;asa@example.com;070-123 45 67;',
        'Bo;Ek;bo@example.com;;',
        'Bo;Ek;bo@example.com;070-765 43 21;',
        'Eva;Frisk;eva at example.com;;',
        'Dag;Gran;dag@example.com;12;',
        'Ida;Holm;ida@example.com;;19850709',
        ';;;070-111 11 11;',
      ].join('\r\n'),
    );
    expect(file).toMatchObject({ form: 'sheet', ignored: [] });
    expect(await verdicts(file)).toEqual([
      [2, 'same', null],
      [3, 'new', null],
      [4, 'change', null],
      [5, 'refused', 'email'],
      [6, 'refused', 'mobile'],
      [7, 'refused', 'number'],
      [8, 'new', null],
    ]);
    expect(await everybody()).toHaveLength(1);
  });

  it('names the columns that are not imported', async () => {
    const file = await read('Namn;E-post;Skostorlek;Ort\nBo Ek;bo@example.com;43;Kiruna\n');
    expect(file.ignored).toEqual(['Skostorlek', 'Ort']);
  });

  it('can be imported after two more previews, but must be read again after three', async () => {
    const files: BookImport[] = [];
    for (const name of ['Bo', 'Eva', 'Dag']) files.push(await read(`Namn\n${name} Ek\n`));
    for (const file of files) expect(await rowsOf(file)).toHaveLength(1);
    const [first, second] = files;
    if (first === undefined || second === undefined) throw new Error('three files');
    await read('Namn\nIda Ek\n');
    await expect(rowsOf(first)).rejects.toMatchObject({ failure: { reason: 'import-gone' } });
    expect(await rowsOf(second)).toHaveLength(1);
  });

  it('shows the rows of each kind of result separately', async () => {
    const file = await read(
      'Namn;E-post\nÅsa Öberg;asa@example.com\nEva Frisk;eva at example.com\n',
    );
    const shown = async (verdict: 'new' | 'refused' | 'same') => {
      const order = { id: file.id, verdict, from: 0, limit: 1000 } as const;
      const { rows, total } = await desk.api['people.importRows'](order);
      return [total, ...rows.map(({ place }) => place)];
    };
    expect(await shown('new')).toEqual([1, 2]);
    expect(await shown('refused')).toEqual([1, 3]);
    expect(await shown('same')).toEqual([0]);
  });

  it('is stored as previewed, and removed by an undo', async () => {
    const file = await read('Namn;E-post\nÅsa Öberg;asa@example.com\nBo Ek;bo@example.com\n');
    const { change, ...done } = await desk.api['people.import']({ id: file.id, changes: true });
    expect(done).toEqual({ added: 2, changed: 0 });
    expect((await everybody()).map(({ title }) => title)).toEqual(['Bo Ek', 'Åsa Öberg']);
    await desk.api['people.undo']({ change });
    expect(await everybody()).toEqual([]);
  });

  it('removes no data: an empty cell keeps the stored value', async () => {
    const { id } = await desk.api['people.save']({
      id: null,
      entry: entryOf({ mobile: '0701234567', personNumber: '19850709-9805' }),
    });
    const file = await read('Namn;E-post;Mobil;Land\nÅsa Öberg;asa@example.com;;\n');
    await desk.api['people.import']({ id: file.id, changes: true });
    expect(await desk.api['people.take']({ id })).toMatchObject({
      mobile: '+46701234567',
      personNumber: '198507099805',
    });
  });

  it('changes no existing entry if the user imports only new people', async () => {
    await desk.api['people.save']({ id: null, entry: entryOf({}) });
    const file = await read('Namn;E-post;Mobil\nÅsa Öberg;asa@example.com;0701234567\n');
    expect(file.counts).toEqual({ new: 0, same: 0, change: 1, refused: 0 });
    expect(await desk.api['people.import']({ id: file.id, changes: false })).toMatchObject({
      added: 0,
      changed: 0,
    });
  });

  it('that changed an entry and added the same person twice is fully undone', async () => {
    await desk.api['people.save']({ id: null, entry: entryOf({}) });
    const file = await read(
      [
        'Namn;E-post;Mobil',
        'Åsa Öberg;asa@example.com;0701234567',
        'Åsa Öberg;asa@example.com;0707654321',
        'Bo Ek;bo@example.com;',
        'Bo Ek;bo@example.com;0701111111',
      ].join('\n'),
    );
    const order = { id: file.id, changes: true };
    const { change, ...done } = await desk.api['people.import'](order);
    expect(done).toEqual({ added: 1, changed: 1 });
    expect((await everybody()).map(({ title, mobile }) => [title, mobile])).toEqual([
      ['Bo Ek', '+46701111111'],
      ['Åsa Öberg', '+46707654321'],
    ]);
    await desk.api['people.undo']({ change });
    expect(await everybody()).toMatchObject([{ title: 'Åsa Öberg', mobile: null }]);
  });

  it('changes nothing if it is imported again', async () => {
    const text = 'Namn;E-post\nÅsa Öberg;asa@example.com\nBo Ek;bo@example.com\n';
    await desk.api['people.import']({ id: (await read(text)).id, changes: true });
    expect((await read(text)).counts).toEqual({ new: 0, same: 2, change: 0, refused: 0 });
  });

  it('is rejected if no column is recognised', async () => {
    await expect(read('Colour;Size\nred;7\n')).rejects.toMatchObject({
      failure: { code: 'invalid', reason: 'not-a-card' },
    });
  });

  it('of vCards is imported with mobile phones in the service’s format; other data is counted', async () => {
    const file = await read(vcards('apple'));
    expect(file).toMatchObject({ form: 'vcard', counts: { new: 2 } });
    expect((await rowsOf(file)).map(({ title, leftOut }) => [title, leftOut])).toEqual([
      ['Karl-Johan Erik Lindström', 2],
      ['Hamnens Varv', 0],
    ]);
    await desk.api['people.import']({ id: file.id, changes: true });
    expect(await everybody()).toMatchObject([
      { kind: 'company', title: 'Hamnens Varv', mobile: '+46850000000' },
      { title: 'Karl-Johan Erik Lindström', mobile: '+46707654321' },
    ]);
  });

  it.each([
    [
      'cut',
      [
        ['new', null],
        ['refused', 'broken'],
      ],
    ],
    [
      'unreadable',
      [
        ['refused', 'letters'],
        ['refused', 'nobody'],
        ['refused', 'email'],
      ],
    ],
    [
      'nextcloud',
      [
        ['new', null],
        ['refused', 'nobody'],
      ],
    ],
    [
      'nokia',
      [
        ['new', null],
        ['refused', 'mobile'],
      ],
    ],
  ])('of faulty vCards reports the reason for each card: %s', async (name, expected) => {
    const rows = await rowsOf(await read(vcards(name)));
    expect(rows.map(({ verdict, refusal }) => [verdict, refusal])).toEqual(expected);
  });

  it('is read and stored in steps, between which other work can run', async () => {
    const lines = Array.from({ length: 300 }, (_, at) => `Person ${at};p${at}@example.com`);
    const file = read(['Namn;E-post', ...lines].join('\n'));
    const { id } = await file;
    let turns = 0;
    const stop = desk.on('people.changed', () => undefined);
    let isOver = false;
    const stored = desk.api['people.import']({ id, changes: true }).finally(() => (isOver = true));
    while (!isOver) {
      await new Promise((resolve) => setImmediate(resolve));
      turns += 1;
    }
    stop();
    expect(await stored).toMatchObject({ added: 300 });
    expect(turns).toBeGreaterThanOrEqual(300 / 25);
  });
});

describe('the address book export', () => {
  it('has a file name that describes its content', async () => {
    const nameOf = async (as: 'vcard' | 'csv') =>
      (await desk.api['people.export']({ as, group: null, numbers: false })).fileName;
    expect([await nameOf('vcard'), await nameOf('csv')]).toEqual(['people.vcf', 'people.csv']);
  });

  const exported = async (as: 'vcard' | 'csv', numbers = false) => {
    const { out } = await desk.api['people.export']({ as, group: null, numbers });
    return textOf(desk.bytes.take(out));
  };

  beforeEach(async () => {
    const entry = entryOf({ mobile: '0701234567', country: 'SE', personNumber: '19850709-9805' });
    await desk.api['people.save']({ id: null, entry });
    await desk.api['people.save']({
      id: null,
      entry: entryOf({ kind: 'company', name: 'Berg; Söner, AB', companyNumber: '5566778899' }),
    });
  });

  it.each(['vcard', 'csv'] as const)('is imported unchanged from a %s', async (as) => {
    const text = await exported(as, true);
    expect((await read(text)).counts).toEqual({ new: 0, same: 2, change: 0, refused: 0 });
    const other = startMemoryDesk();
    const bytes = other.bytes.put(bytesOf(text));
    const { id } = await other.api['people.readImport']({ bytes, fileName: 'people' });
    await other.api['people.import']({ id, changes: true });
    const found = await other.api['people.search']({ text: 'öberg' });
    expect(found.map(({ title }) => title).toSorted()).toEqual(['Berg; Söner, AB', 'Åsa Öberg']);
  });

  it('has company numbers; those of sole traders only if personal numbers are included', async () => {
    const entry = entryOf({ kind: 'company', name: 'Ek', companyNumber: '850709-9805' });
    await desk.api['people.save']({ id: null, entry });
    const files = [await exported('csv'), await exported('csv', true)];
    const has = (number: RegExp) => files.map((text) => number.test(text));
    expect(has(/556677-8899/u)).toEqual([true, true]);
    expect(has(/850709-?9805/u)).toEqual([false, true]);
  });

  it('has personal numbers only on request, and never in a vCard', async () => {
    const files = [
      await exported('csv'),
      await exported('vcard', true),
      await exported('csv', true),
    ];
    expect(files.map((text) => text.includes('198507099805'))).toEqual([false, false, true]);
  });

  it('has no cell that a spreadsheet program would calculate', async () => {
    await desk.api['people.save']({
      id: null,
      entry: entryOf({ firstName: '=1+1', lastName: '' }),
    });
    expect(await exported('csv')).toContain("'=1+1");
  });

  it('as vCards has lines of at most 75 octets, split only between characters', async () => {
    const firstName = `x${'Åäö'.repeat(26)}`;
    await desk.api['people.save']({ id: null, entry: entryOf({ firstName }) });
    const text = await exported('vcard');
    const lengths = text.split('\r\n').map((line) => Buffer.byteLength(line));
    expect(Math.max(...lengths)).toBeLessThanOrEqual(75);
    expect((await read(text)).counts).toMatchObject({ same: 3 });
  });
});

import { rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { addConnection } from '../../support/fakes/memory-desk.ts';
import { pdf, watchedFolder } from './watched-folder.ts';
import { MINUTE } from '../../../shared/rules/time/units.ts';

const LEASE = {
  title: 'Lease 12',
  connection: 'office V1',
  parties: [
    { firstName: 'Åsa', lastName: 'Öberg', email: 'asa@example.com', mobile: '070-123 45 67' },
    { name: 'Berg AB', companyNumber: '556036-0793', email: 'bo@example.com' },
  ],
};

describe('a PDF in a watched folder', () => {
  it('becomes a draft for review and moves to done; nothing is sent', async () => {
    using place = watchedFolder();
    place.put('Lease 12.pdf', pdf('a'));
    expect(await place.take()).toMatchObject({ drafts: 1, refused: 0, waiting: 0 });
    const [draft] = await place.drafts();
    expect(draft).toMatchObject({
      connectionId: null,
      sending: null,
      content: { api: 'v1', body: { title: 'Lease 12', parties: [] } },
      files: [{ name: 'Lease 12.pdf', pages: 1 }],
    });
    expect(draft?.content.body.attachments?.[0]?.file).toBe(draft?.files[0]?.id);
    expect(place.names()).toEqual([]);
    expect(place.names('done')).toEqual(['Lease 12.pdf']);
    expect(await place.api['outbox.list']({})).toEqual([]);
  });

  it('is imported immediately when all files have been in the folder for a while', async () => {
    using place = watchedFolder();
    for (const name of ['a.pdf', 'b.pdf']) place.put(name, pdf(name));
    await place.take({ needsData: true });
    place.clock.leap(MINUTE);
    const before = place.clock.now();
    expect(await place.take()).toMatchObject({ drafts: 2, waiting: 0 });
    expect(place.clock.now()).toBe(before);
  });

  it('becomes a v2 draft when the folder is set to v2', async () => {
    using place = watchedFolder();
    place.put('a.pdf', pdf('a'));
    await place.take({ api: 'v2' });
    expect((await place.drafts())[0]?.content).toMatchObject({
      api: 'v2',
      body: { name: 'a', type: 'ATTACHED', attachments: [{ name: 'a.pdf' }] },
    });
  });

  it('takes the title, parties and connection from its .json sidecar file', async () => {
    using place = watchedFolder();
    const { id } = await addConnection(place.desk);
    place.put('12.pdf', pdf('a'));
    place.put('12.JSON', JSON.stringify(LEASE));
    expect(await place.take()).toMatchObject({ drafts: 1 });
    const [draft] = await place.drafts();
    expect(draft).toMatchObject({ connectionId: id });
    expect(draft?.content.body).toMatchObject({
      title: 'Lease 12',
      parties: [
        { type: 'PRIVATE', firstName: 'Åsa', email: 'asa@example.com', mobile: '+46701234567' },
        { type: 'COMPANY', name: 'Berg AB', companyNumber: '556036-0793' },
      ],
    });
    expect(place.names('done')).toEqual(['12.JSON', '12.pdf']);
  });

  it('takes its parties from spreadsheet rows; the sheet moves to done when all PDFs have arrived', async () => {
    using place = watchedFolder();
    place.put(
      'leases.csv',
      'Fil;Titel;Förnamn;Efternamn;E-post\r\na.pdf;Lease A;Åsa;Öberg;asa@example.com\r\n' +
        'A.PDF;;Bo;Ek;bo@example.com\r\nb.pdf;Lease B;Eva;Ås;eva@example.com\r\n',
    );
    place.put('a.pdf', pdf('a'));
    expect(await place.take({ needsData: true })).toMatchObject({ drafts: 1, waiting: 1 });
    expect((await place.drafts())[0]?.content.body).toMatchObject({
      title: 'Lease A',
      parties: [{ lastName: 'Öberg' }, { lastName: 'Ek' }],
    });
    expect(place.names()).toEqual(['leases.csv']);
    place.put('b.pdf', pdf('b'));
    expect(await place.take({ needsData: true })).toMatchObject({ drafts: 1, waiting: 0 });
    expect(place.names()).toEqual([]);
    expect(place.names('done')).toEqual(['a.pdf', 'b.pdf', 'leases.csv']);
  });

  it.each(['csv', 'tsv'])(
    'waits while its %s is refused, which happens if a row has no file name (DL-Q5)',
    async (kind) => {
      using place = watchedFolder();
      const rows = [
        ['File', 'Title', 'First name', 'Last name', 'E-mail'],
        ['a.pdf', 'Lease A', 'Åsa', 'Öberg', 'asa@example.com'],
        ['', '', 'Bo', 'Ek', 'bo@example.com'],
        ['', ' ', '', '', ''],
      ];
      const name = `leases.${kind}`;
      place.put(name, rows.map((cells) => cells.join(kind === 'csv' ? ';' : '\t')).join('\n'));
      place.put('a.pdf', pdf('a'));
      const { refused, refusals } = await place.take({ needsData: true });
      expect(refused).toBe(1);
      expect(refusals).toMatchObject([
        { file: name, failure: { message: 'Row 3 does not name a file in this folder.' } },
      ]);
      expect(place.names('refused')).toContain(name);
      const whole = rows.with(2, ['a.pdf', ...(rows[2]?.slice(1) ?? [])]);
      place.put(name, whole.map((cells) => cells.join(kind === 'csv' ? ';' : '\t')).join('\n'));
      expect(await place.take({ needsData: true })).toMatchObject({ drafts: 1, refused: 0 });
      expect((await place.drafts())[0]?.content.body).toMatchObject({
        parties: [{ lastName: 'Öberg' }, { lastName: 'Ek' }],
      });
    },
  );

  it('waits until its CSV was unchanged for a minute, so that all rows are read if the writer pauses (DL-Q5)', async () => {
    using place = watchedFolder();
    const head = 'First name;Last name;E-mail\nAnna;Ek;anna@example.com\n';
    place.put('rows.csv', head, 0);
    place.put('a.pdf', pdf('a'), 0);
    expect(await place.take()).toMatchObject({ sheets: 0, waiting: 2 });
    place.clock.advance(50_000);
    expect(await place.take()).toMatchObject({ sheets: 0, waiting: 2 });
    place.put('rows.csv', `${head}Bo;Ek;bo@example.com\n`, 0);
    place.clock.advance(50_000);
    expect(await place.take()).toMatchObject({ sheets: 0, waiting: 2 });
    place.clock.advance(10_000);
    expect(await place.take()).toMatchObject({ sheets: 1, drafts: 1, waiting: 0 });
    const [batch] = await place.api['batches.list']({});
    expect(batch?.rows).toBe(2);
  });

  it('waits for its sidecar file when the folder requires one, in either order', async () => {
    using place = watchedFolder();
    place.put('a.pdf', pdf('a'));
    place.put('b.json', '{"title":"B"}');
    expect(await place.take({ needsData: true })).toMatchObject({ drafts: 0, waiting: 2 });
    place.put('a.json', '{"title":"A"}');
    place.put('b.pdf', pdf('b'));
    expect(await place.take({ needsData: true })).toMatchObject({ drafts: 2, waiting: 0 });
    const titles = (await place.drafts()).map(
      ({ content }) => content.api === 'v1' && content.body.title,
    );
    expect(titles.toSorted()).toEqual(['A', 'B']);
  });

  it('waits while a spreadsheet that may name it is being written', async () => {
    using place = watchedFolder();
    place.put('a.pdf', pdf('a'));
    place.put('list.csv', '', 0);
    expect(await place.take()).toMatchObject({ drafts: 0, refused: 0, waiting: 2 });
    place.put('list.csv', 'file;title\na.pdf;From the sheet\n');
    expect(await place.take()).toMatchObject({ drafts: 1, waiting: 0 });
    expect((await place.drafts())[0]?.content.body).toMatchObject({ title: 'From the sheet' });
  });

  it('is imported with three hundred others, and lists are refreshed only a few times', async () => {
    using place = watchedFolder();
    for (let at = 0; at < 300; at += 1) place.put(`${at}.pdf`, pdf(String(at)));
    place.desk.emitted.length = 0;
    expect(await place.take()).toMatchObject({ drafts: 300 });
    expect(place.desk.emitted.filter((name) => name === 'drafts.changed')).toHaveLength(2);
    expect(place.names('done')).toHaveLength(300);
  });
});

describe('a spreadsheet that names no PDFs', () => {
  it('becomes the open rows of a batch, for review', async () => {
    using place = watchedFolder();
    place.put('Tenants.csv', 'Förnamn;Efternamn\nÅsa;Öberg\nBo;Ek\n');
    expect(await place.take()).toMatchObject({ drafts: 0, sheets: 1 });
    expect(await place.api['batches.list']({})).toMatchObject([
      { name: 'Tenants', stage: 'open', rows: 2, fileName: 'Tenants.csv' },
    ]);
    expect(place.names('done')).toEqual(['Tenants.csv']);
    expect(place.desk.emitted).toContain('batches.changed');
    place.put('Tenants.csv', 'Förnamn;Efternamn\nÅsa;Öberg\nBo;Ek\n');
    expect(await place.take()).toMatchObject({ sheets: 0, again: 1 });
    expect(await place.api['batches.list']({})).toHaveLength(1);
  });
});

describe('a file that arrives again', () => {
  it('creates no second draft, even under another name', async () => {
    using place = watchedFolder();
    place.put('a.pdf', pdf('same'));
    await place.take();
    place.put('a.pdf', pdf('same'));
    place.put('b.pdf', pdf('same'));
    expect(await place.take()).toMatchObject({ drafts: 0, again: 2 });
    expect(await place.drafts()).toHaveLength(1);
    expect(place.names('done')).toEqual(['a (2).pdf', 'a.pdf', 'b.pdf']);
  });

  it('leads to another agreement with different sidecar data, and to none with the same data', async () => {
    using place = watchedFolder();
    const give = async (data: string) => {
      place.put('terms.pdf', pdf('terms'));
      place.put('terms.json', data);
      return place.take();
    };
    expect(await give('{"title":"For A","api":"v1"}')).toMatchObject({ drafts: 1 });
    expect(await give('{"title":"For B"}')).toMatchObject({ drafts: 1, again: 0 });
    expect(await give('{ "api": "v1", "title": "For A" }')).toMatchObject({ drafts: 0, again: 1 });
    expect(await place.drafts()).toHaveLength(2);
  });

  it('is remembered only while it is in the folder', async () => {
    using place = watchedFolder();
    place.put('a.pdf', pdf('same'));
    place.put('b.json', '{"title":"B"}');
    await place.take();
    const { intake } = place.world.stores;
    expect(intake.known(place.folder, 'other')).toBeNull();
    expect(intake.sights(place.folder).length).toBeGreaterThan(0);
    rmSync(place.at('b.json'));
    await place.take();
    expect(intake.sights(place.folder)).toEqual([]);
  });
});

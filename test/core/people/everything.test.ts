import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFiles } from '../../../electron/adapters/files/files.ts';
import { formPdf } from '../../../electron/demo/pdf/form.ts';
import { type PersonId, PersonExport } from '../../../shared/contract/people.ts';
import { personPage } from '../../../electron/core/people/person-page.ts';
import { PersonFile } from '../../../shared/contract/person-file.ts';
import { party, remote } from '../../adapters/sqlite/samples.ts';
import { NOW } from '../../adapters/sqlite/temp-database.ts';
import {
  addBatch,
  addLease,
  type BatchDesk,
  startBatchDesk,
} from '../../support/desks/batch-desk.ts';
import { bodyV1 } from '../../support/fakes/memory-desk.ts';
import { createMemoryFiles } from '../../support/fakes/memory-ports.ts';
import { entryOf } from '../../support/person-entry.ts';

let on: BatchDesk;
let folder: string;
let asa: PersonId;

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'desk-person-'));
  const files = { ...createMemoryFiles(), ...createFiles() };
  on = await startBatchDesk('v1', { files });
  const facts = { mobile: '+46 70-123 45 67', personNumber: '19850709-9805', country: 'SE' };
  ({ id: asa } = await on.desk.api['people.save']({ id: null, entry: entryOf(facts) }));
});
afterEach(() => {
  on[Symbol.dispose]();
  rmSync(folder, { recursive: true });
});

/** Adds drafts, batch rows and local copies of Åsa, and some of other people. */
async function fill(): Promise<void> {
  const { api, bytes } = on.desk;
  for (const title of ['Lease', 'Gone']) {
    const content = { api: 'v1' as const, body: bodyV1(title) };
    const { id } = await api['drafts.create']({ content, connectionId: null });
    await api['drafts.attach']({
      id,
      name: 'person.json',
      bytes: bytes.put(await formPdf('Avtal', ['tenant'])),
    });
    if (title === 'Gone') await api['drafts.delete']({ id });
  }
  const nobody = { ...bodyV1('Of others'), parties: [] };
  await api['drafts.create']({ content: { api: 'v1', body: nobody }, connectionId: null });
  const rows = [
    'Åsa;Öberg;19850709-9805;asa@example.com;9000',
    'Bo;Ek;19900101-9802;bo@example.com;9100',
  ];
  await addBatch(on, await addLease(on.desk), rows);
  const { agreements } = on.world.stores;
  const mine = remote({
    title: 'Hers',
    parties: [party({ name: 'Åsa Öberg', email: 'asa@example.com' })],
  });
  const theirs = remote({ title: 'His', parties: [party({ name: 'Bo Ek' })] });
  agreements.put(on.connectionId, 'v1', [mine, theirs], NOW);
  agreements.buildIndex();
}

async function everything(): Promise<{ done: PersonExport; file: PersonFile; page: string }> {
  const { jobId } = await on.desk.api['people.everything']({ id: asa, folder });
  const done = PersonExport.parse((await on.desk.finish(jobId)).result);
  const text = (name: string) => readFileSync(path.join(done.folder, name), 'utf8');
  const file = PersonFile.parse(JSON.parse(text('person.json')));
  return { done, file, page: text('person.html') };
}

describe('the export of all data about a person', () => {
  it('contains only data of the person: drafts with files, rows by heading, local copies', async () => {
    await fill();
    const { done, file } = await everything();
    expect(file.person).toMatchObject({ personNumber: expect.stringContaining('9805') });
    expect(file.drafts.map(({ title, state }) => [title, state]).toSorted()).toEqual([
      ['Gone', 'trashed'],
      ['Lease', 'open'],
    ]);
    expect(file.batchRows).toMatchObject([{ batch: 'Autumn', cells: { Efternamn: 'Öberg' } }]);
    expect(file.copies.map(({ agreement }) => agreement)).toMatchObject([{ title: 'Hers' }]);
    expect(done).toMatchObject({ drafts: 2, copies: 1, batchRows: 1 });
    expect(JSON.stringify(file)).not.toContain('bo@example.com');
  });

  it('keeps files with the same name separate, and never overwrites its own files', async () => {
    await fill();
    const { done, file } = await everything();
    const names = file.drafts.flatMap(({ files }) => files.map((one) => one.file));
    expect(names.toSorted()).toEqual(['person (2).json', 'person (3).json']);
    expect(readdirSync(done.folder)).toHaveLength(done.files);
    expect(path.basename(done.folder)).not.toMatch(/[öo]berg|asa/iu);
  });

  it('has a page that runs no script, whatever text it contains', async () => {
    const content = { api: 'v1' as const, body: bodyV1('<script>alert(1)</script>') };
    await on.desk.api['drafts.create']({ content, connectionId: null });
    const { page } = await everything();
    expect(page).not.toContain('<script>');
    expect(page).toContain('&lt;script&gt;');
    expect(page).toContain(`default-src 'none'`);
  });

  it('has a page that shows the content of each exported file under its heading', async () => {
    await fill();
    const { file } = await everything();
    const [at, sha256] = ['2026-11-20T10:00:00.000Z', 'ab'.repeat(32)];
    const sent = { at, title: 'Sent', agreement: 'a-1', state: 'done' } as const;
    const page = personPage({
      ...file,
      batchRows: file.batchRows.map((row) => ({ ...row, state: 'sent', agreement: 'a-2' })),
      records: [{ ...sent, kind: 'create', people: [] }],
      corrections: [{ ...sent, title: 'Corrected', kind: 'remind', goal: null }],
      archive: [{ savedAt: at, title: 'Archived', file: 'kept/Archived.pdf', sha256 }],
    });
    const under = (heading: string): string => page.split(`<h2>${heading}`)[1] ?? '';
    expect(under('Sent agreements')).toContain('Sent a-1');
    expect(under('Corrections and other actions')).toContain('Corrected a-1');
    for (const cell of [at, 'Archived', 'kept/Archived.pdf', sha256]) {
      expect(under('Archived PDFs')).toContain(cell);
    }
    expect(under('Rows of batches')).toContain('Efternamn: Öberg');
    expect(under('Rows of batches')).toContain('<td>sent a-2</td>');
    expect(page).toMatch(/Copies of agreements \(1\)[^]*Hers/u);
  });

  it('has a page that lists the groups of the person', async () => {
    const { api } = on.desk;
    for (const name of ['Board', 'Tenants']) {
      const { id } = await api['people.saveGroup']({ name, content: null });
      await api['people.setMember']({ id: asa, group: id, isIn: true });
    }
    expect((await everything()).page).toContain('<td>Board, Tenants</td>');
  });

  it('has a page that names every column', async () => {
    await fill();
    const { file } = await everything();
    const at = '2026-11-20T10:00:00.000Z';
    const sent = { at, title: 'Sent', agreement: 'a-1', state: 'done' } as const;
    const page = personPage({
      ...file,
      records: [{ ...sent, kind: 'create', people: [] }],
      corrections: [{ ...sent, kind: 'remind', goal: null }],
      archive: [{ savedAt: at, title: 'Sent', file: 'Sent.pdf', sha256: 'ab'.repeat(32) }],
    });
    const tables = page.split('<table>').slice(1);
    const headings = tables.map((table) => table.match(/<th\b[^>]*>[^<]+</gu)?.length);
    const cells = tables.map((table) => table.split('</tr>')[1]?.match(/<td\b/gu)?.length);
    expect(headings).toEqual(cells);
    expect(headings).toEqual([2, 4, 4, 5, 4, 4]);
    const sections = [...page.matchAll(/<h2>([^<(]+) \(/gu)].map(([, name]) => name);
    expect(sections).toEqual([
      'The entry',
      'Drafts',
      'Copies of agreements',
      'Rows of batches',
      'Corrections and other actions',
      'Sent agreements',
      'Evidence',
      'Archived PDFs',
      'Templates',
    ]);
  });

  it('is rejected for an unknown person before anything is written', async () => {
    await on.desk.api['people.remove']({ id: asa });
    const refused = on.desk.api['people.everything']({ id: asa, folder });
    await expect(refused).rejects.toMatchObject({ failure: { code: 'not-found' } });
    expect(readdirSync(folder)).toEqual([]);
  });
});

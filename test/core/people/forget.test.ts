import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { OfficeUserId } from '../../../shared/contract/office/office.ts';
import type { PersonId } from '../../../shared/contract/people.ts';
import type { Batch } from '../../../shared/contract/batches.ts';
import { createEncoding } from '../../../electron/adapters/system/encoding.ts';
import { tracesOf } from '../../../electron/core/people/forget.ts';
import { packDraft } from '../../../electron/core/drafts/transfer.ts';
import { idOf, party, remote } from '../../adapters/sqlite/samples.ts';
import { NOW } from '../../adapters/sqlite/temp-database.ts';
import {
  addBatch,
  addLease,
  type BatchDesk,
  HEADER,
  startBatchDesk,
} from '../../support/desks/batch-desk.ts';
import { bodyV1 } from '../../support/fakes/memory-desk.ts';
import type { DraftId } from '../../../shared/model/ids.ts';
import { entryOf } from '../../support/person-entry.ts';

let on: BatchDesk;
let asa: PersonId;

const facts = { mobile: '+46 70-123 45 67', personNumber: '19850709-9805', country: 'SE' };
/** Patterns that find what is stored about Åsa, with and without the hyphen in her number. */
const traces = [/[öo]berg/i, /asa@example\.com/i, /850709-?9805/, /70123456?7/];
const ROWS = [
  'Åsa;Öberg;19850709-9805;asa@example.com;9000',
  'Bo;Ek;19900101-9802;bo@example.com;9100',
];

beforeEach(async () => {
  on = await startBatchDesk();
  const { id } = await on.desk.api['people.save']({ id: null, entry: entryOf(facts) });
  asa = id;
});
afterEach(() => on[Symbol.dispose]());

const Name = z.object({ name: z.string() });

/** Content of each table of the open data file, decrypted, including the search indexes' tables. */
function tablesWith(pattern: RegExp): readonly string[] {
  const { database } = on.temp;
  const tables = database
    .query("SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE '%VIRTUAL%'", Name)
    .all();
  return tables.flatMap(({ name }) => {
    const rows = database.query(`SELECT * FROM "${name}"`, z.record(z.string(), z.unknown())).all();
    const text = rows.map((row) => Object.values(row).map(readable).join('\n')).join('\n');
    return pattern.test(text) ? [name] : [];
  });
}

const readable = (value: unknown): string =>
  value instanceof Uint8Array ? Buffer.from(value).toString() : String(value);

/** Adds a draft to Åsa, with an undo step. */
async function addDraft(): Promise<DraftId> {
  const content = { api: 'v1' as const, body: bodyV1('Lease') };
  const { id, revision } = await on.desk.api['drafts.create']({ content, connectionId: null });
  const edited = { ...content, body: { ...content.body, title: 'Lease of Åsa Öberg' } };
  await on.desk.api['drafts.save']({ id, revision, content: edited, connectionId: null });
  return id;
}

async function sendBatch(): Promise<Batch> {
  const { api } = on.desk;
  const batch = await addBatch(on, await addLease(on.desk), ROWS);
  const { revision } = await api['batches.show']({ id: batch.id });
  const { jobId } = await api['batches.send']({ id: batch.id, confirm: 2, revision });
  await on.desk.finish(jobId);
  return batch;
}

const forget = (drafts: Parameters<(typeof on.desk.api)['people.forget']>[0]['drafts'] = []) =>
  on.desk.api['people.forget']({ id: asa, drafts, copies: true });

describe('forgetting a person', () => {
  it('erases name, address and numbers from every table, except tables with a stated reason', async () => {
    const { api } = on.desk;
    const draft = await addDraft();
    const trashed = await addDraft();
    await api['drafts.delete']({ id: trashed });
    const batch = await sendBatch();
    await api['batches.stop']({ id: batch.id });
    const signed = remote({
      state: 'signed',
      closedAt: NOW,
      parties: [party({ name: 'Åsa Öberg', email: 'asa@example.com' })],
    });
    const others = remote({ parties: [party({ name: 'Bo Ek', email: 'bo@example.com' })] });
    on.world.stores.agreements.put(on.connectionId, 'v1', [signed, others], NOW);
    const preview = await api['people.forgetPreview']({ id: asa });
    for (const trace of traces) expect(tablesWith(trace)).not.toEqual([]);
    expect(preview).toMatchObject({
      title: 'Åsa Öberg',
      batchRows: 1,
      sheets: 1,
      copies: 1,
      stays: { openCopies: 0, openRows: 0, evidence: 0 },
    });
    expect(preview.drafts.map(({ id, state }) => [id, state])).toEqual(
      expect.arrayContaining([
        [draft, 'open'],
        [trashed, 'trashed'],
      ]),
    );
    expect(preview.stays.records).toBeGreaterThan(0);
    const told = on.desk.emitted.length;
    const done = await forget(preview.drafts.map(({ id }) => id));
    const events = on.desk.emitted.slice(told);
    expect(events).toContain('people.changed');
    expect(events.filter((name) => name === 'drafts.changed')).toHaveLength(2);
    expect(done).toMatchObject({ people: 1, drafts: 2, batchRows: 1, sheets: 1, copies: 1 });
    for (const trace of traces) {
      // Sent data is evidence, and prevents a second sending.
      expect(tablesWith(trace).filter((name) => name !== 'outbox')).toEqual([]);
    }
    expect(await api['people.erasures']({})).toEqual([done]);
  });

  it('keeps the secure deletion settings of the data file', async () => {
    const careful = () =>
      on.temp.database
        .query('PRAGMA secure_delete', z.object({ secure_delete: z.number() }))
        .only();
    expect(careful()).toEqual({ secure_delete: 1 });
    await forget();
    expect(careful()).toEqual({ secure_delete: 1 });
  });

  it('keeps the other rows of a batch and all data of other people', async () => {
    const batch = await sendBatch();
    await on.desk.api['batches.stop']({ id: batch.id });
    await forget();
    const { rows } = await on.desk.api['batches.rows']({
      id: batch.id,
      filter: 'all',
      offset: 0,
      limit: 9,
    });
    const width = HEADER.split(';').length;
    expect(rows.map(({ cells }) => cells)).toEqual([
      Array.from({ length: width }, () => ''),
      ROWS[1]?.split(';'),
    ]);
  });

  it('keeps a batch that can still be sent, an unselected draft and an open agreement', async () => {
    const { api } = on.desk;
    await addDraft();
    await sendBatch();
    const open = remote({ parties: [party({ name: 'Åsa Öberg', email: 'asa@example.com' })] });
    on.world.stores.agreements.put(on.connectionId, 'v1', [open], NOW);
    expect(await api['people.forgetPreview']({ id: asa })).toMatchObject({
      batchRows: 0,
      copies: 0,
      stays: { openRows: 1, openCopies: 1 },
    });
    expect(await forget()).toMatchObject({ people: 1, drafts: 0, batchRows: 0, copies: 0 });
    expect(await api['drafts.list']({})).toHaveLength(1);
    const key = { connectionId: on.connectionId, id: idOf(open.id) };
    expect(on.world.stores.agreements.details(key)).toMatchObject({ id: open.id });
  });

  it('lists handovers not yet accepted whose packed draft is on this computer', async () => {
    const { stores } = on.world;
    const encoding = createEncoding();
    const id = await addDraft();
    const draft = encoding.base64(packDraft({ stores, encoding }, id));
    const data = encoding.utf8(JSON.stringify({ service: null, origin: id, draft }));
    const item = { kind: 'draft' as const, what: id, title: 'Lease', data, at: NOW, asked: null };
    stores.office.keepGiven({ ...item, id: randomUUID() });
    const preview = await on.desk.api['people.forgetPreview']({ id: asa });
    expect(preview.stays).toMatchObject({ handed: 1 });
    const { id: bo } = await on.desk.api['people.save']({
      id: null,
      entry: entryOf({ firstName: 'Bo', lastName: 'Ek', email: 'bo@example.com' }),
    });
    const other = await on.desk.api['people.forgetPreview']({ id: bo });
    expect(other.stays).toMatchObject({ handed: 0 });
  });

  it('reports that the entry is lost on every computer if the address book is shared', async () => {
    const look = () => on.desk.api['people.forgetPreview']({ id: asa });
    expect(await look()).toMatchObject({ isShared: false });
    on.world.stores.office.share('address-book', 0);
    expect(await look()).toMatchObject({ isShared: true });
  });

  it('finds a draft that named the person in an earlier version', async () => {
    const { api } = on.desk;
    const { id, revision } = await api['drafts.show']({ id: await addDraft() });
    const body = { ...bodyV1('Lease'), parties: [] };
    await api['drafts.save']({ id, revision, content: { api: 'v1', body }, connectionId: null });
    const { drafts } = await api['people.forgetPreview']({ id: asa });
    expect(drafts.map((one) => one.id)).toEqual([id]);
    await forget([id]);
    expect(tablesWith(/asa@example/)).toEqual([]);
  });

  it.each(['mobile', 'personNumber'] as const)(
    'finds a draft that names the person only by the %s',
    async (by) => {
      const { api } = on.desk;
      const title = { mobile: '0701234567', personNumber: '19850709-9805' }[by];
      const body = { ...bodyV1(`Lease ${title}`), parties: [] };
      const { id } = await api['drafts.create']({
        content: { api: 'v1', body },
        connectionId: null,
      });
      const { drafts } = await api['people.forgetPreview']({ id: asa });
      expect(drafts.map((one) => one.id)).toEqual([id]);
    },
  );

  it('searches for the known name when the first or last name is missing', async () => {
    const { api } = on.desk;
    const single = { firstName: 'Sólveig', email: 'solveig@example.com' };
    const { id } = await api['people.save']({
      id: null,
      entry: entryOf({ ...single, lastName: '' }),
    });
    const { person } = on.world.stores.people.get(id);
    expect(tracesOf(on.world, id, person).names).toEqual(['sólveig']);
  });

  it('also requires the name if another entry has the same address', async () => {
    const { api } = on.desk;
    const office = { email: 'asa@example.com', firstName: 'Bo', lastName: 'Ek' };
    await api['people.save']({ id: null, entry: entryOf(office) });
    const content = {
      api: 'v1' as const,
      body: {
        title: 'Hers or his',
        attachments: [],
        parties: [{ type: 'PRIVATE' as const, ...office, signingConfigurations: [] }],
      },
    };
    await api['drafts.create']({ content, connectionId: null });
    const id = await addDraft();
    const { drafts } = await api['people.forgetPreview']({ id: asa });
    expect(drafts.map((one) => one.id)).toEqual([id]);
  });

  it('is a single transaction: if it fails, nothing is erased', async () => {
    const draft = await addDraft();
    on.temp.database.command(
      `CREATE TEMP TRIGGER no_note BEFORE INSERT ON main.erasure
       BEGIN SELECT RAISE(ABORT, 'no'); END`,
    )();
    await expect(forget([draft])).rejects.toThrow();
    expect(await on.desk.api['people.search']({ text: 'öberg' })).toHaveLength(1);
    expect(await on.desk.api['drafts.list']({})).toHaveLength(1);
  });

  it('is permanent: no undo restores the entry', async () => {
    const { change } = await on.desk.api['people.save']({
      id: asa,
      entry: entryOf({ lastName: 'Lind' }),
    });
    await forget();
    await expect(on.desk.api['people.undo']({ change })).rejects.toMatchObject({
      failure: { reason: 'change-gone' },
    });
  });

  it('is recorded without naming the person', async () => {
    await forget();
    const noted = await on.desk.api['people.erasures']({});
    expect(noted).toEqual([
      { at: on.desk.clock.now(), people: 1, drafts: 0, batchRows: 0, sheets: 0, copies: 0 },
    ]);
  });

  it('erases the targets of settled actions and list views, but no open action', async () => {
    const { command } = on.temp.database;
    const action = command(`
      INSERT INTO action (id, kind, state, connection_id, title, goal, created_at, updated_at)
      VALUES (@id, 'correct-email', @state, @connection, 'Lease', @goal, 0, 0)`);
    const goal = JSON.stringify({ email: 'asa@example.com' });
    for (const state of ['done', 'queued']) {
      action({ id: state, state, connection: on.connectionId, goal });
    }
    const view = (name: string) => ({ id: randomUUID(), name, text: 'asa@example.com' });
    const other = { ...view('Others'), text: 'bo' };
    command(`INSERT INTO setting (name, value) VALUES ('agreementViews', @value)`)({
      value: JSON.stringify([view('Hers'), other]),
    });
    expect((await on.desk.api['people.forgetPreview']({ id: asa })).stays.records).toBe(1);
    await forget();
    const rows = (text: string) =>
      on.temp.database.query(text, z.object({ found: z.string().nullable() })).all();
    expect(rows('SELECT goal AS found FROM action ORDER BY id')).toEqual([
      { found: null },
      { found: goal },
    ]);
    expect(rows(`SELECT value AS found FROM setting WHERE name = 'agreementViews'`)).toEqual([
      { found: JSON.stringify([other]) },
    ]);
  });

  it('erases local office records, and informs the office at the next exchange', async () => {
    const { office } = on.temp.stores;
    const shared = {
      version: 3,
      seat: OfficeUserId.parse(randomUUID()),
      open: [],
      isHere: true,
    } as const;
    const { personNumber, ...rest } = await on.desk.api['people.take']({ id: asa });
    office.putItem({ ...shared, kind: 'person', id: asa, content: rest });
    office.putItem({
      ...shared,
      kind: 'number',
      id: asa,
      content: { personNumber: personNumber ?? '' },
    });
    const view = { ...shared, kind: 'view', id: randomUUID() } as const;
    office.putItem({ ...view, content: { name: 'Of asa@example.com' } });
    office.putItem({ ...view, id: randomUUID(), content: { name: 'Others' } });
    await forget();
    for (const pattern of traces) expect(tablesWith(pattern)).toEqual([]);
    // The local content differs from this content, so the next exchange sends the erasure.
    expect(office.item('person', asa)?.content).toBe('erased');
    expect(office.itemsBehind('view', '', 9).map(({ content }) => content)).toContainEqual({
      name: 'Others',
    });
  });

  it('keeps a shared draft that stays, and only service and send ID of a deleted draft (DL-U2)', async () => {
    const { office, drafts } = on.temp.stores;
    const [stays, goes] = [await addDraft(), await addDraft()];
    const shared = {
      kind: 'draft',
      version: 3,
      seat: OfficeUserId.parse(randomUUID()),
      open: [],
    } as const;
    const about = { service: 'https://service', sendingAt: randomUUID() };
    const contentOf = (id: DraftId) => ({ content: drafts.get(id).content, files: [], ...about });
    for (const id of [stays, goes]) {
      office.putItem({ ...shared, id, content: contentOf(id), isHere: true });
    }
    const before = contentOf(stays);
    await forget([goes]);
    expect(office.item('draft', stays)?.content).toEqual(before);
    expect(office.item('draft', goes)?.content).toEqual({ erased: true, ...about });
  });

  it('lists where else the person is named: signers, rules and backups', async () => {
    await on.desk.api['identities.add']({
      name: 'Åsa',
      firstName: 'Åsa',
      lastName: 'Öberg',
      email: 'asa@example.com',
    });
    const { stays } = await on.desk.api['people.forgetPreview']({ id: asa });
    expect(stays).toMatchObject({ identities: 1, rules: 0, backups: 0 });
  });
});

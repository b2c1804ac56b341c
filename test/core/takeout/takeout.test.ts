// tier: quick, 25 s, because no other quick test imports an export over deleted and changed data
import { readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEncoding } from '../../../electron/adapters/system/encoding.ts';
import { EvidenceLog } from '../../../electron/core/evidence/log.ts';
import { formPdf } from '../../../electron/demo/pdf/form.ts';
import { CopiedAgreement } from '../../../shared/contract/draft-history.ts';
import { DraftBodyV1 } from '../../../shared/contract/drafts.ts';
import { PersonId } from '../../../shared/contract/people.ts';
import { BatchId } from '../../../shared/model/ids.ts';
import { ExportedDraft } from '../../../shared/contract/takeout.ts';
import { reviewed } from '../../support/evidence-facts.ts';
import { sha256 } from '../../support/fakes/memory-ports.ts';
import { addBatch, addLease, type BatchDesk, people } from '../../support/desks/batch-desk.ts';
import { manifestOf, rewrite, TwoDesks } from '../../support/desks/two-desks.ts';
import { partyOf, remoteOf } from '../../support/fakes/fake-service.ts';
import { bodyV1 } from '../../support/fakes/memory-desk.ts';
import { entryOf } from '../../support/person-entry.ts';

let two: TwoDesks;
let from: BatchDesk;
let to: BatchDesk;
let folder: string;

beforeEach(async () => {
  two = await TwoDesks.start();
  ({ from, to, folder } = two);
});
afterEach(() => two[Symbol.dispose]());

const NUMBER = '19850709-9805';

/** Two drafts with one PDF, a template, people in a group, a sent batch and an unsent one. */
async function fill(): Promise<void> {
  const { api, bytes } = from.desk;
  const pdf = await formPdf('Hyresavtal', ['tenant']);
  for (const title of ['Lease', 'Licence']) {
    const content = { api: 'v1' as const, body: bodyV1(title) };
    const { id } = await api['drafts.create']({ content, connectionId: from.connectionId });
    await api['drafts.attach']({ id, name: 'Avtal å.pdf', bytes: bytes.put(pdf) });
  }
  const gone = await api['drafts.create']({
    content: { api: 'v1', body: bodyV1('Gone') },
    connectionId: null,
  });
  await api['drafts.delete']({ id: gone.id });
  const template = await addLease(from.desk);
  const { id } = await api['people.save']({
    id: null,
    entry: entryOf({ personNumber: NUMBER, country: 'SE' }),
  });
  const other = entryOf({ firstName: 'Bo', lastName: 'Ek', email: 'bo@example.com' });
  await api['people.save']({ id: null, entry: other });
  const { id: group } = await api['people.saveGroup']({ name: 'Board', content: null });
  await api['people.setMember']({ id, group, isIn: true });
  const sent = await addBatch(from, template, people(2));
  const { revision } = await api['batches.show']({ id: sent.id });
  const send = { id: sent.id, confirm: 2, revision, holdSeconds: 0 };
  await from.desk.finish((await api['batches.send'](send)).jobId);
  await addBatch(from, template, people(3));
  const log = new EvidenceLog({
    evidence: from.world.stores.evidence,
    vault: from.world.vault,
    externalState: from.world.externalState,
    origin: { user: 'maria', computer: 'desk', program: 'Signing Desk 1.0.0' },
    clock: from.world.clock,
    sha256,
    encoding: createEncoding(),
    emit: () => {},
  });
  for (const id of ['1', '2']) log.append(reviewed(id));
}

const write = () => two.write();
const read: TwoDesks['read'] = (...asked) => two.read(...asked);
const done: TwoDesks['done'] = (...asked) => two.done(...asked);

/** All data that an import may add to. */
async function held({ desk: { api } }: BatchDesk) {
  return {
    drafts: (await api['drafts.list']({})).map(({ title }) => title).toSorted(),
    templates: (await api['templates.list']({})).map(({ name }) => name),
    people: (await api['people.search']({ text: '' })).length,
    groups: (await api['people.groups']({})).map(({ name, members }) => [name, members]),
    batches: (await api['batches.list']({}))
      .map(({ stage, rows }) => `${stage} ${rows}`)
      .toSorted(),
  };
}

describe('a data export', () => {
  it('lists every file with its hash, has each document once, and is readable by its owner only', async () => {
    await fill();
    const written = await write();
    const files = readdirSync(written.folder, { recursive: true, withFileTypes: true })
      .filter((one) => one.isFile())
      .map((one) => path.relative(written.folder, path.join(one.parentPath, one.name)));
    const listed = manifestOf(written.folder).files;
    expect(listed.map(({ file }) => path.normalize(file)).toSorted()).toEqual(
      files.filter((file) => file !== 'manifest.json').toSorted(),
    );
    expect(files).toHaveLength(written.files);
    for (const { file, sha256: hash, bytes } of listed) {
      const data = new Uint8Array(readFileSync(path.join(written.folder, file)));
      expect([sha256(data), data.length]).toEqual([hash, bytes]);
      expect(statSync(path.join(written.folder, file)).mode & 0o077).toBe(0);
    }
    // Both drafts share one PDF, the template has another, and both batches have spreadsheets.
    expect(listed.filter(({ kind }) => kind === 'document')).toHaveLength(4);
    expect(written.counts).toEqual({ drafts: 3, templates: 1, people: 2, batches: 2 });
    expect(written.evidence).toBe(2);
  });

  it('describes its CSV files in table descriptions, and its JSON files in schemas', async () => {
    await fill();
    const written = await write();
    const text = (file: string) => readFileSync(path.join(written.folder, file), 'utf8');
    expect(text('people.csv')).toContain('850709');
    const [batch] = await from.desk.api['batches.list']({});
    expect(text(`batches/${batch?.id ?? ''}.csv`)).toContain('Förnamn');
    const schema = JSON.parse(text('schemas/draft.schema.json'));
    expect(schema).toMatchObject({
      title: 'draft.json',
      properties: { state: { enum: ['open', 'sending', 'sent', 'trashed'] } },
    });
    expect(text('readme.txt')).not.toContain(NUMBER);
  });

  it('contains no API key', async () => {
    await fill();
    const written = await write();
    for (const { file } of manifestOf(written.folder).files) {
      expect(readFileSync(path.join(written.folder, file)).includes('secret-of-')).toBe(false);
    }
  });
});

describe('a data import', () => {
  it('adds drafts with files, templates, people with groups, and batches; sends nothing', async () => {
    await fill();
    const { folder: exported } = await write();
    const { look, isImported } = await done('takeout.import', exported);
    expect(isImported).toBe(true);
    expect(look).toMatchObject({
      counts: {
        drafts: { added: 2, same: 0, passed: 1 },
        templates: { added: 1 },
        people: { added: 2 },
        batches: { added: 2 },
      },
      evidence: { entries: 2, firstBroken: null },
    });
    expect(await held(to)).toEqual({
      drafts: ['Lease', 'Licence'],
      templates: ['Lease'],
      people: 2,
      groups: [['Board', 1]],
      batches: ['open 2', 'open 3'],
    });
    const { api } = to.desk;
    const [draft] = await api['drafts.list']({});
    if (draft === undefined) throw new Error('no draft');
    const { files, connectionId } = await api['drafts.show']({ id: draft.id });
    expect(connectionId).toBeNull();
    const [file] = files;
    if (file === undefined) throw new Error('no file');
    expect(file.name).toBe('Avtal å.pdf');
    const { data } = to.world.stores.drafts.fileData(draft.id, file.id);
    expect(sha256(data)).toBe(file.sha256);
    for (const state of ['queued', 'sending', 'sent', 'unknown'] as const) {
      expect(to.world.stores.outbox.inState(state)).toEqual([]);
    }
    expect(to.world.stores.evidence.last()).toBeNull();
  });

  it('creates no duplicates if it is repeated, or made into the source data', async () => {
    await fill();
    const { folder: exported } = await write();
    await done('takeout.import', exported);
    const first = await held(to);
    const { look } = await done('takeout.import', exported);
    for (const { added } of Object.values(look.counts)) expect(added).toBe(0);
    expect(await held(to)).toEqual(first);
    const before = await held(from);
    const { jobId } = await from.desk.api['takeout.import']({ folder: exported });
    await from.desk.finish(jobId);
    expect(await held(from)).toEqual(before);
  });

  it('excludes rows that were already sent, so that they are not sent again', async () => {
    await fill();
    const { folder: exported } = await write();
    await done('takeout.import', exported);
    const batches = await to.desk.api['batches.list']({});
    const sent = batches.find(({ rows }) => rows === 2);
    if (sent === undefined) throw new Error('no batch');
    const choices = to.world.stores.batches.rows(sent.id).map(({ choice }) => choice);
    expect(choices).toEqual([true, true]);
  });

  it('recognises existing people by their data, with any ID', async () => {
    await fill();
    const entry = entryOf({ personNumber: NUMBER, country: 'SE' });
    const { id } = await to.desk.api['people.save']({ id: null, entry });
    const { folder: exported } = await write();
    const { look } = await done('takeout.import', exported);
    expect(look.counts.people).toEqual({ added: 1, beside: 0, same: 1, passed: 0, removed: 0 });
    const [group] = await to.desk.api['people.groups']({});
    expect(await to.desk.api['people.show']({ id })).toMatchObject({ groups: [group?.id] });
    expect(PersonId.safeParse(id).success).toBe(true);
  });

  it('renames a template if its name is in use', async () => {
    await fill();
    await addLease(to.desk);
    const { folder: exported } = await write();
    await done('takeout.import', exported);
    expect((await held(to)).templates).toEqual(['Lease', 'Lease (2)']);
  });

  it('can be previewed without adding anything', async () => {
    await fill();
    const { folder: exported } = await write();
    const before = await held(to);
    const { look, isImported } = await done('takeout.look', exported);
    expect([isImported, look.counts.drafts.added]).toEqual([false, 2]);
    expect(await held(to)).toEqual(before);
  });
});

describe('an imported sent draft', () => {
  /** A draft with a PDF that became an agreement, and the agreement's key. */
  async function send({ desk, connectionId }: BatchDesk) {
    const { api, bytes } = desk;
    const content = { api: 'v1' as const, body: bodyV1('Went out') };
    const { id } = await api['drafts.create']({ content, connectionId });
    const pdf = await formPdf('Hyresavtal', ['tenant']);
    const file = await api['drafts.attach']({ id, name: 'Avtal.pdf', bytes: bytes.put(pdf) });
    const attachments = [{ type: 'BASE64', category: 'AGREEMENT', file: file.id }];
    const body = DraftBodyV1.parse({ ...content.body, attachments });
    const { revision } = await api['drafts.show']({ id });
    await api['drafts.save']({ id, revision, connectionId, content: { api: 'v1', body } });
    await api['drafts.send']({ id, connectionId, holdSeconds: 0, confirm: 1 });
    const [item] = await api['outbox.run']({});
    if (item === undefined || item.remoteId === null) throw new Error('not sent');
    return { id, agreement: item.remoteId };
  }
  const waits = ({ world }: BatchDesk) =>
    (['queued', 'sending', 'sent', 'unknown'] as const).flatMap((state) =>
      world.stores.outbox.inState(state),
    );

  it('stays sent with a full copy of its agreement, and is never sent again', async () => {
    const { id, agreement } = await send(from);
    const { folder: exported, counts } = await write();
    expect(counts.drafts).toBe(1);
    const { look } = await done('takeout.import', exported);
    expect(look.counts.drafts).toEqual({ added: 1, beside: 0, same: 0, passed: 0, removed: 0 });
    const { api } = to.desk;
    expect(await api['drafts.list']({})).toEqual([]);
    expect(waits(to)).toEqual([]);
    await expect(api['drafts.show']({ id })).rejects.toMatchObject({
      failure: { code: 'not-found' },
    });

    const key = { connectionId: to.connectionId, id: agreement };
    const parties = [partyOf({ kind: 'person', name: 'Åsa Öberg', email: 'asa@example.com' })];
    const remote = remoteOf({ id: agreement, title: 'Went out', parties });
    to.desk.services.v1.agreements.set(agreement, remote);
    const { jobId } = await api['drafts.fromAgreement']({ key });
    const copy = CopiedAgreement.parse((await to.desk.finish(jobId)).result);
    expect(copy.losses).toEqual([]);
    const shown = await api['drafts.show']({ id: copy.draft });
    const original = from.world.stores.drafts.sent()[0]?.draft;
    expect(shown.content).toEqual(original?.content);
    expect(shown.files.map(({ name, sha256: hash }) => [name, hash])).toEqual(
      original?.files.map(({ name, sha256: hash }) => [name, hash]),
    );
  });

  it('of the other API is a different agreement, even with the same ID', async () => {
    const { agreement } = await send(from);
    await done('takeout.import', (await write()).folder);
    const { drafts } = to.world.stores;
    expect(drafts.sentElsewhere(agreement, 'v1')).not.toBeNull();
    expect(drafts.sentElsewhere(agreement, 'v2')).toBeNull();
  });

  it('can be exported to a third computer with its agreement, and keeps its retention time', async () => {
    const { id, agreement } = await send(from);
    await done('takeout.import', (await write()).folder);
    const { drafts } = to.world.stores;
    const [first] = from.world.stores.drafts.sent();
    expect(first?.agreement).toBe(agreement);
    const about = drafts.sent().map((one) => [one.draft.id, one.ref, one.at, one.agreement]);
    expect(about).toEqual([[id, first?.ref, first?.at, agreement]]);
    to.temp.stores.privacy.drop('sent', (first?.at ?? 0) + 1, 9);
    expect(drafts.sent()).toEqual([]);
  });

  it('is skipped if the export does not name its agreement', async () => {
    const { id } = await send(from);
    const { folder: exported } = await write();
    rewrite(exported, `drafts/${id}.json`, (text) =>
      JSON.stringify({ ...JSON.parse(text), sent: null }),
    );
    const { look } = await done('takeout.import', exported);
    expect(look.counts.drafts).toEqual({ added: 0, beside: 0, same: 0, passed: 1, removed: 0 });
  });
});

describe('an imported item that differs from the local one', () => {
  const show = async ({ desk }: BatchDesk, title: string) =>
    (await desk.api['drafts.list']({})).filter((one) => one.title === title);

  it('becomes a second draft or template only once, and the local item stays (DL-D6)', async () => {
    await fill();
    const { folder: exported } = await write();
    await done('takeout.import', exported);
    const { api } = to.desk;
    const [draft] = await show(to, 'Licence');
    const [listed] = await api['templates.list']({});
    if (draft === undefined || listed === undefined) throw new Error('nothing was imported');
    const template = await api['templates.get']({ id: listed.id });
    const { revision, content, connectionId } = await api['drafts.show']({ id: draft.id });
    if (content.api !== 'v1') throw new Error('Another API');
    const changed = { ...content, body: { ...content.body, title: 'Changed here' } };
    await api['drafts.save']({ id: draft.id, revision, content: changed, connectionId });
    const body = { ...template.content.body, title: 'Changed here' };
    const other = { ...template.content, body };
    await api['templates.save']({
      id: template.id,
      revision: template.revision,
      name: template.name,
      content: other,
    });
    const looked = await done('takeout.look', exported);
    expect(looked.look.counts).toMatchObject({
      drafts: { added: 0, beside: 1, same: 1 },
      templates: { added: 0, beside: 1, same: 0 },
    });
    const { look } = await done('takeout.import', exported);
    expect(look.counts).toEqual(looked.look.counts);
    expect(await held(to)).toMatchObject({
      drafts: ['Changed here', 'Lease', 'Licence'],
      templates: ['Lease', 'Lease (2)'],
    });
    expect((await api['templates.get']({ id: template.id })).content.body.title).toBe(
      'Changed here',
    );
    const again = await done('takeout.import', exported);
    expect(again.look.counts).toMatchObject({
      drafts: { added: 0, beside: 0, same: 2 },
      templates: { beside: 0, same: 1 },
      batches: { beside: 0, same: 2 },
    });
  });

  it('becomes a second batch if no row was sent (DL-D6)', async () => {
    await fill();
    const { folder: exported } = await write();
    await done('takeout.import', exported);
    const batches = await to.desk.api['batches.list']({});
    const open = batches.find(({ rows }) => rows === 3);
    if (open === undefined) throw new Error('no batch');
    const edits = [{ row: 2, column: 0, text: 'Eva' }];
    await to.desk.api['batches.edit']({ id: open.id, edits });
    const { look } = await done('takeout.import', exported);
    expect(look.counts.batches).toMatchObject({ added: 0, beside: 1, same: 1 });
    const again = await done('takeout.import', exported);
    expect(again.look.counts.batches).toMatchObject({ added: 0, beside: 0, same: 2 });
  });

  it('keeps the rows of an exported batch, so that an office sends each row once (DL-S3)', async () => {
    await fill();
    const { folder: exported } = await write();
    await done('takeout.import', exported);
    const { batches } = to.world.stores;
    const [open] = batches.list().filter(({ rows }) => rows === 3);
    if (open === undefined) throw new Error('no batch');
    await to.desk.api['batches.edit']({ id: open.id, edits: [{ row: 2, column: 0, text: 'Eva' }] });
    await done('takeout.import', exported);
    const both = batches.list().filter(({ rows }) => rows === 3);
    expect(both.map(({ id }) => batches.origin(id))).toEqual([open.id, open.id]);
    // The export names a batch of another computer as the origin of this one.
    const first = BatchId.parse('b0000000-0000-4000-8000-00000000000f');
    const wasFirst = (id: BatchId) =>
      rewrite(exported, `batches/${id}.json`, (text) =>
        JSON.stringify({ ...JSON.parse(text), name: 'Winter', origin: first }),
      );
    wasFirst(open.id);
    await done('takeout.import', exported);
    const [winter] = batches.list().filter(({ name }) => name === 'Winter');
    expect(winter && batches.origin(winter.id)).toBe(first);
  });

  it('is not imported if the local item was later forgotten, put in the trash or changed (DL-C1)', async () => {
    await fill();
    const { folder: exported } = await write();
    await done('takeout.import', exported);
    const { api } = to.desk;
    const view = { text: '', group: null, sort: 'name', direction: 'ascending' } as const;
    const { items } = await api['people.window']({ ...view, from: 0, limit: 9 });
    const [first, second] = items;
    if (first === undefined || second === undefined) throw new Error('nobody was imported');
    await api['people.forget']({ id: first.id, drafts: [], copies: false });
    const mobile = entryOf({ firstName: 'Changed', mobile: '+46701234567' });
    await api['people.save']({ id: second.id, entry: mobile });
    for (const { id } of await api['drafts.list']({})) await api['drafts.delete']({ id });
    for (const { id } of await api['templates.list']({})) await api['templates.remove']({ id });
    const { look } = await done('takeout.import', exported);
    expect(look.counts).toMatchObject({
      people: { added: 0, beside: 0, passed: 2 },
      drafts: { added: 0, beside: 0 },
      templates: { added: 0, beside: 0, passed: 1 },
    });
    expect(await held(to)).toMatchObject({ drafts: [], people: 1 });
  });
});

describe('a data export folder', () => {
  it('of a newer version is rejected for that reason, and nothing is imported', async () => {
    await fill();
    const { folder: exported } = await write();
    const manifest = path.join(exported, 'manifest.json');
    const list: object = JSON.parse(readFileSync(manifest, 'utf8'));
    writeFileSync(manifest, JSON.stringify({ ...list, version: 3 }));
    expect((await read('takeout.import', exported)).failure).toMatchObject({
      code: 'newer-data',
      message:
        'The export has version 3, but this program reads only up to 2. Install a newer version',
    });
    expect((await held(to)).drafts).toEqual([]);
  });

  it('with a changed or missing file is rejected as a whole', async () => {
    await fill();
    const { folder: exported } = await write();
    const people = path.join(exported, 'people.json');
    const text = readFileSync(people, 'utf8');
    writeFileSync(people, `${text} `);
    const changed = await read('takeout.import', exported);
    expect(changed.failure).toMatchObject({
      code: 'invalid',
      reason: 'export-changed',
      message: 'people.json was changed',
    });
    rmSync(people);
    const missing = await read('takeout.import', exported);
    expect(missing.failure).toMatchObject({ message: 'people.json is missing' });
    symlinkSync(path.join(folder, 'elsewhere.json'), people);
    writeFileSync(path.join(folder, 'elsewhere.json'), text);
    expect((await read('takeout.import', exported)).failure).toMatchObject({
      reason: 'export-changed',
    });
    expect((await held(to)).drafts).toEqual([]);
  });

  it('that is not an export, or names files outside it, is rejected', async () => {
    const refused = async () => (await read('takeout.look', folder)).failure;
    expect(await refused()).toMatchObject({ reason: 'not-an-export' });
    writeFileSync(path.join(folder, 'manifest.json'), '{"format":"other"}');
    expect(await refused()).toMatchObject({ reason: 'not-an-export' });
    const file = { file: '../people.json', kind: 'people', bytes: 1, sha256: 'a'.repeat(64) };
    const manifest = { format: 'signing-desk-export', version: 1, program: '1', madeAt: 0 };
    writeFileSync(
      path.join(folder, 'manifest.json'),
      JSON.stringify({ ...manifest, files: [file] }),
    );
    expect(await refused()).toMatchObject({ reason: 'not-an-export' });
  });

  it('is shown with its first broken evidence entry, even if the listed hash was changed too', async () => {
    await fill();
    const { folder: exported } = await write();
    const file = path.join(exported, 'evidence.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace('"user":"', '"user":"x'));
    const manifest = manifestOf(exported);
    const hash = sha256(new Uint8Array(readFileSync(file)));
    const files = manifest.files.map((one) =>
      one.file === 'evidence.json' ? { ...one, sha256: hash } : one,
    );
    writeFileSync(path.join(exported, 'manifest.json'), JSON.stringify({ ...manifest, files }));
    const { look } = await done('takeout.look', exported);
    expect(look.evidence).toEqual({ entries: 2, firstBroken: 1 });
  });

  it('is imported without the drafts that are marked as being sent', async () => {
    await fill();
    const { folder: exported } = await write();
    const manifest = manifestOf(exported);
    const files = manifest.files.map((one) => {
      if (one.kind !== 'drafts') return one;
      const place = path.join(exported, one.file);
      const draft = ExportedDraft.parse(JSON.parse(readFileSync(place, 'utf8')));
      writeFileSync(place, JSON.stringify({ ...draft, state: 'sending' }));
      return { ...one, sha256: sha256(new Uint8Array(readFileSync(place))) };
    });
    writeFileSync(path.join(exported, 'manifest.json'), JSON.stringify({ ...manifest, files }));
    const { look } = await done('takeout.import', exported);
    expect(look.counts.drafts).toEqual({ added: 0, beside: 0, same: 0, passed: 3, removed: 0 });
  });
});

describe('an impossible text in a data export', () => {
  it.each([
    ['a title', 2049],
    ['any other text', 65_537],
  ])(
    'used as %s rejects the import before any change, and the file is named (SR-P18)',
    async (what, length) => {
      const { api } = from.desk;
      const title = what === 'a title' ? 'x'.repeat(length) : 'Lease';
      const text = what === 'a title' ? undefined : 'x'.repeat(length);
      const content = { api: 'v1' as const, body: { ...bodyV1('Lease'), tags: { about: 'TEXT' } } };
      const { id } = await api['drafts.create']({ content, connectionId: null });
      const { folder: exported } = await write();
      rewrite(exported, `drafts/${id}.json`, (json) =>
        json.replace('"Lease"', JSON.stringify(title)).replace('TEXT', text ?? 'TEXT'),
      );
      for (const call of ['takeout.look', 'takeout.import'] as const) {
        const { jobId } = await to.desk.api[call]({ folder: exported });
        const { failure } = await to.desk.finish(jobId);
        expect(failure).toMatchObject({ code: 'invalid', reason: 'not-an-export' });
        expect(failure?.message).toMatch(
          new RegExp(`^drafts/${id}.json has a text that is too long at content.body`, 'u'),
        );
      }
      expect(await to.desk.api['drafts.list']({})).toEqual([]);
    },
  );
});

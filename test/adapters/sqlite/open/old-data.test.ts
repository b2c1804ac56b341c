import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createEncoding } from '../../../../electron/adapters/system/encoding.ts';
import { connect } from '../../../../electron/adapters/sqlite/database/cipher.ts';
import type { Database } from '../../../../electron/adapters/sqlite/database/database.ts';
import { migrations } from '../../../../electron/adapters/sqlite/migrations/index.ts';
import { openDatabase } from '../../../../electron/adapters/sqlite/open/open.ts';
import { createStores } from '../../../../electron/adapters/sqlite/stores.ts';
import { EvidenceLog } from '../../../../electron/core/evidence/log.ts';
import type { Stores } from '../../../../electron/core/ports.ts';
import { ArchiveRuleId } from '../../../../shared/contract/archive.ts';
import {
  ActionId,
  BatchId,
  ConnectionId,
  DraftId,
  FileId,
  IdentityId,
  OutboxRef,
  TemplateId,
} from '../../../../shared/model/ids.ts';
import { AppError } from '../../../../shared/errors.ts';
import { createHandClock, createMemoryWitness } from '../../../support/fakes/memory-ports.ts';
import { keptVault } from '../../../support/fakes/kept-vault.ts';
import { layOldData, OLD_KEY, OLDEST_FILE, oldPagesOf } from '../../../support/old-data.ts';
import { idOf, query } from '../samples.ts';
import { NOW, tempFolder } from '../temp-database.ts';
import { DAY } from '../../../../shared/rules/time/units.ts';

const PDF = '%PDF-1.7 the file of a draft %%EOF';
/** First version of the data file with each feature. */
const SINCE = { actions: 2, uploads: 3, sync: 5, shelf: 6, templates: 7, outbox: 8, batches: 9 };
const LATER = { evidence: 10, archive: 11, checks: 12, noted: 14, replaced: 15 };

const uuid = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const office = ConnectionId.parse(uuid(1));
const signed = { connectionId: office, id: idOf(uuid(11)) };
const ref = (number: number) => OutboxRef.parse(uuid(number));
const textOf = (data: Uint8Array) => Buffer.from(data).toString();

/** Checks the content that data files of every version have. */
function expectTheFirst({ connections, settings, identities, agreements, archive }: Stores): void {
  expect(connections.list()).toMatchObject([
    { id: uuid(2), name: 'Berg & Partners', api: 'v2', accountId: '1001', orgNo: '5560360793' },
    { id: uuid(1), name: 'Kontoret å ä ö', api: 'v1', createdAt: NOW },
  ]);
  expect(connections.checkedUntil(office)).toBe(NOW - 5000);
  expect(settings.read()).toMatchObject({
    holdSeconds: 30,
    language: 'sv',
    archiveFolder: '/archive',
    theme: 'system',
  });
  expect(identities.get(IdentityId.parse(uuid(3)))).toMatchObject({
    name: 'Karin',
    lastName: 'Lind',
    personNumber: '189001019802',
    country: 'SE',
  });
  const titles = (search?: string) =>
    agreements
      .list(query({ sort: 'title', ...(search === undefined ? {} : { search }) }), NOW)
      .items.map(({ title }) => title);
  expect(titles()).toEqual(['Hyresavtal Ålgatan 7', 'Order 4711']);
  expect(titles('ålgatan')).toEqual(['Hyresavtal Ålgatan 7']);
  expect(agreements.details(signed)).toMatchObject({
    state: 'signed',
    closedAt: NOW - DAY,
    tags: { case: 'K-7' },
    parties: [{ name: 'Astrid Öberg', signedAt: NOW - DAY }],
    archivedFile: '/archive/Hyresavtal.pdf',
  });
  expect(archive.saved(signed)).toMatchObject({
    file: '/archive/Hyresavtal.pdf',
    bytes: 17,
    sha256: 'cd'.repeat(32),
  });
}

function expectDrafts({ drafts }: Stores, version: number): void {
  const id = DraftId.parse(uuid(21));
  const isShelved = version >= SINCE.shelf;
  const title = isShelved ? 'Utkast å ä ö, ändrat' : 'Utkast å ä ö';
  const draft = drafts.get(id);
  expect(draft).toMatchObject({
    connectionId: office,
    content: { api: 'v1', body: { title } },
    files: [{ name: 'lease.pdf', pages: 3, notices: ['owner-locked'] }],
    sending: null,
  });
  const file = drafts.fileData(id, FileId.parse(uuid(22)));
  expect({ ...file, data: textOf(file.data) }).toMatchObject({
    name: 'lease.pdf',
    data: PDF,
    modifiedAt: NOW - DAY,
  });
  expect(drafts.list().map((one) => one.id)).toEqual([id]);
  if (!isShelved) return;
  expect(drafts.trashed().map((one) => one.draft.id)).toEqual([uuid(23)]);
  const back = drafts.step(id, draft.revision, -1, NOW);
  expect(back.content.body).toMatchObject({ title: 'Utkast å ä ö' });
}

function expectSends({ outbox, actions }: Stores, version: number): void {
  expect(outbox.get(ref(31))).toMatchObject({ state: 'queued', nextAt: NOW + DAY, attempts: 0 });
  expect(outbox.get(ref(32))).toMatchObject({ state: 'sent', remoteId: uuid(12), attempts: 1 });
  expect(outbox.get(ref(33))).toMatchObject({ state: 'unknown', reason: { message: 'Lost' } });
  expect(textOf(outbox.request(ref(31)).body)).toBe('{"title":"Lease"}');
  expect(outbox.journal(ref(32)).map(({ to }) => to)).toEqual(['queued', 'sending', 'sent']);
  expect(outbox.attempts(ref(33))).toMatchObject([{ startedAt: NOW, left: true }]);
  expect(outbox.journalBreak()).toBeNull();
  if (version >= SINCE.actions) {
    const action = actions.get(ActionId.parse(uuid(41)));
    expect(action).toMatchObject({ kind: 'revoke', state: 'done', revokedAt: NOW + 2 });
  }
  if (version >= SINCE.uploads) {
    const [first, second] = outbox.uploads(ref(34));
    expect([first?.token, second?.token]).toEqual(['token-of-the-first', null]);
    expect(textOf(outbox.uploadData(ref(34), 1))).toBe('%PDF-2');
  }
  if (version < SINCE.outbox) return;
  const batchId = BatchId.parse(uuid(72));
  expect(outbox.batch(batchId)).toMatchObject({
    policy: 'auto',
    stopAfter: 5,
    title: 'Sent batch',
  });
  expect(outbox.inBatch(batchId).map(({ title }) => title)).toEqual(['Row 35', 'Row 36']);
  expect(outbox.gates()).toMatchObject([{ connectionId: uuid(2), kind: 'user' }]);
  expect(outbox.scans(ref(33))).toMatchObject([{ agreements: 2, isComplete: true }]);
  expect(outbox.hits(ref(33))).toMatchObject([{ remoteId: uuid(12), title: 'Order 4711' }]);
}

function expectOfficeWork({ sync, people, templates, batches }: Stores, version: number): void {
  if (version >= SINCE.sync) expect(sync.openCount(office)).toMatchObject({ count: 2 });
  if (version >= SINCE.shelf) {
    expect(people.search('oberg', 5)).toMatchObject([{ person: { firstName: 'Astrid' } }]);
  }
  const templateId = TemplateId.parse(uuid(61));
  if (version >= SINCE.templates) {
    expect(templates.list()).toMatchObject([{ id: templateId, name: 'Hyresavtal' }]);
    expect(textOf(templates.pdf(templateId))).toBe(PDF);
    expect(templates.takeNumber(templateId)).toBe(2);
  }
  if (version < SINCE.batches) return;
  const batchId = BatchId.parse(uuid(71));
  expect(batches.get(batchId)).toMatchObject({ name: 'Avtal i maj', stage: 'open' });
  expect(textOf(batches.file(batchId).data)).toBe('Namn\nAstrid\nNils');
  const replaces = version >= LATER.replaced ? uuid(33) : null;
  expect(batches.rows(batchId)).toMatchObject([
    { row: 2, cells: ['Åsa'], original: ['Astrid'] },
    { row: 3, cells: ['Nils'], original: null, replaces },
  ]);
  expect(batches.recall(templateId, 'namn')).toEqual([]);
}

async function expectEvidence({ evidence, outbox }: Stores, version: number): Promise<void> {
  if (version < LATER.evidence) return;
  const log = new EvidenceLog({
    evidence,
    vault: keptVault(),
    externalState: createMemoryWitness(),
    clock: createHandClock(),
    origin: { user: 'maria', computer: 'desk', program: 'Signing Desk 1.0.0' },
    sha256: (data) => createHash('sha256').update(data).digest('hex'),
    encoding: createEncoding(),
    emit: () => undefined,
  });
  expect(await log.verify([])).toMatchObject({ entries: 3, firstBroken: null });
  expect(evidence.list({ limit: 9 })).toMatchObject([{ number: 3 }, { number: 2 }, { number: 1 }]);
  if (version >= LATER.noted) {
    expect(evidence.noted()).toMatchObject({ entries: 3 });
    expect(outbox.epoch()).toMatchObject({ current: 4, place: { computer: 'office' } });
  }
}

function expectArchive({ archive }: Stores, version: number): void {
  if (version < LATER.archive) return;
  expect(archive.inFolder('/archive')).toMatchObject([{ title: 'Hyresavtal Ålgatan 7' }]);
  expect(archive.extras('/archive')).toMatchObject([{ kind: 'json', name: 'answer' }]);
  expect(archive.heldFolders()).toEqual(['/archive']);
  expect(archive.work.list()).toMatchObject([{ file: '/archive/half.pdf', whole: null }]);
  const rule = archive.rules.get(ArchiveRuleId.parse(uuid(81)));
  expect(rule).toMatchObject({ rule: { name: 'Varje natt' }, last: { saved: 1, failed: 0 } });
  if (version < LATER.checks) return;
  expect(archive.list(office)).toMatchObject([{ state: 'archived', finding: 'intact' }]);
}

/** Opens the data file like the program, and checks all content of its version. */
async function expectAll(file: string, version: number): Promise<void> {
  const database: Database = openDatabase({ file, key: OLD_KEY, now: NOW });
  try {
    const stores = createStores(database);
    expectTheFirst(stores);
    expectDrafts(stores, version);
    expectSends(stores, version);
    expectOfficeWork(stores, version);
    await expectEvidence(stores, version);
    expectArchive(stores, version);
  } finally {
    database.close();
  }
}

const copiesOf = (file: string) =>
  readdirSync(path.dirname(file)).filter((name) => name.includes('.before-'));

describe('data of an earlier version', () => {
  it.each(migrations)(
    'opens from version $version with all its content, after a copy was made (TE-D1)',
    async ({ version }) => {
      using place = tempFolder();
      layOldData(version, place.file);
      await expectAll(place.file, version);
      const copies = copiesOf(place.file);
      expect(copies).toHaveLength(version < migrations.length ? 1 : 0);
      for (const name of copies) {
        const copy = connect(path.join(path.dirname(place.file), name), OLD_KEY, 'read');
        expect(copy.pragma('user_version', { simple: true })).toBe(version);
        expect(copy.prepare('SELECT name FROM connection ORDER BY id').pluck().all()).toEqual([
          'Kontoret å ä ö',
          'Berg & Partners',
        ]);
        copy.close();
      }
    },
  );

  it('opens if it was encrypted by the first version (TE-D2)', async () => {
    using place = tempFolder();
    mkdirSync(path.dirname(place.file), { recursive: true });
    copyFileSync(OLDEST_FILE, place.file);
    await expectAll(place.file, 1);
    expect(copiesOf(place.file)).toHaveLength(1);
    expect(readFileSync(OLDEST_FILE).includes('Kontoret')).toBe(false);
  });

  it('is stored as a test file for every migration (TE-D3)', () => {
    const missing = migrations.filter(({ version }) => !existsSync(oldPagesOf(version)));
    expect(missing.map(({ name }) => name)).toEqual([]);
  });
});

it('the key of a data file from the first version is recognised even if pages are damaged', () => {
  using place = tempFolder();
  const pages = readFileSync(OLDEST_FILE);
  pages.fill(7, 200, 300);
  mkdirSync(path.dirname(place.file), { recursive: true });
  writeFileSync(place.file, pages);
  const reasonWith = (key: Uint8Array): unknown => {
    try {
      openDatabase({ ...place, key, now: NOW }).close();
      return 'opened';
    } catch (error) {
      return error instanceof AppError ? error.failure.reason : error;
    }
  };
  expect(reasonWith(OLD_KEY)).toBe('data-damaged');
  expect(reasonWith(OLD_KEY.toReversed().fill(1, 0, 4))).toBe('data-wrong-key');
});

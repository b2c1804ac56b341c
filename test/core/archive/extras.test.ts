import { beforeEach, describe, expect, it } from 'vitest';
import { ArchiveResult, type ArchiveRun } from '../../../shared/contract/archive.ts';
import { AppError } from '../../../shared/errors.ts';
import type { AgreementDocument, RemoteAgreement } from '../../../shared/model/agreement.ts';
import { reviewed } from '../../support/evidence-facts.ts';
import { pageOf, remoteOf } from '../../support/fakes/fake-service.ts';
import { signed } from '../../support/known-agreements.ts';
import {
  addConnection,
  type MemoryDesk,
  startMemoryDesk,
} from '../../support/fakes/memory-desk.ts';

let desk: MemoryDesk;

beforeEach(() => {
  desk = startMemoryDesk();
});

/** A connection of this API, whose service lists one agreement with `details`. */
async function withOne(api: 'v1' | 'v2', details: Partial<RemoteAgreement> = {}): Promise<void> {
  await addConnection(desk, api);
  const service = desk.services[api];
  service.pages = [pageOf([signed('a')], 1)];
  service.agreements.set('a', remoteOf({ ...signed('a'), ...details }));
  await desk.finish((await desk.api['agreements.sync']({})).jobId);
}

async function run(change: Partial<ArchiveRun> = {}) {
  const { jobId } = await desk.api['archive.run']({ folder: '/archive', parallel: 1, ...change });
  return ArchiveResult.parse((await desk.finish(jobId)).result);
}

const beside = () =>
  [...desk.files.saved.keys()]
    .filter((name) => !name.endsWith('_a.pdf'))
    .map((name) => name.replace('/archive/', ''))
    .toSorted();

const documentOf = (
  id: string | null,
  name: string,
  mimeType: string | null,
): AgreementDocument => ({
  id,
  name,
  title: null,
  category: 'agreement',
  mimeType,
  bytes: null,
});
const documents = [
  documentOf('d1', 'Terms', 'application/pdf'),
  documentOf('d2', 'Plan', 'image/png'),
  documentOf(null, 'In the PDF only', null),
];

describe('additional files that a rule saves with a PDF', () => {
  it('are the attachments that the service offers separately, each once', async () => {
    await withOne('v1', { documents });
    const service = desk.services.v1;
    service.documents.set('d1', '%PDF-1.7\nterms\nstartxref\n9\n%%EOF\n').set('d2', 'a picture');
    expect(await run({ beside: ['attachments'] })).toMatchObject({ saved: 1, failed: [] });
    expect(beside()).toEqual(['Lease a_a - Plan.png', 'Lease a_a - Terms.pdf']);
    const asked = service.reads.length;
    expect(await run({ beside: ['attachments'] })).toMatchObject({ present: 1, failed: [] });
    expect(service.reads).toHaveLength(asked);
    expect(beside()).toHaveLength(2);
  });

  it('are reported when they cannot be downloaded, and downloaded by the next run', async () => {
    await withOne('v1', { documents: documents.slice(1) });
    desk.services.v1.documents.set('d2', new AppError('forbidden', 'Not for you'));
    expect(await run({ beside: ['attachments'] })).toMatchObject({
      saved: 1,
      failed: [{ id: 'a', failure: { code: 'forbidden' } }],
    });
    expect(beside()).toEqual([]);
    desk.services.v1.documents.set('d2', 'a picture');
    expect(await run({ beside: ['attachments'] })).toMatchObject({ present: 1, failed: [] });
    expect(beside()).toEqual(['Lease a_a - Plan.png']);
  });

  it('that are missing attachments do not mark the agreement as deleted', async () => {
    await withOne('v1', { documents: documents.slice(0, 1) });
    desk.services.v1.documents.set('d1', new AppError('not-found', 'No such attachment'));
    const { failed } = await run({ beside: ['attachments'] });
    expect(failed).toMatchObject([{ failure: { code: 'not-found' } }]);
    const { items } = await desk.api['agreements.list']({});
    expect(items).toMatchObject([{ id: 'a', gone: null }]);
  });

  it('are refused if a PDF attachment is not a PDF', async () => {
    await withOne('v1', { documents: documents.slice(0, 1) });
    desk.services.v1.documents.set('d1', '<html>');
    const { failed } = await run({ beside: ['attachments'] });
    expect(failed).toMatchObject([{ failure: { reason: 'not-a-pdf' } }]);
  });

  it.each([
    { api: 'v1', forms: ['json'], names: ['Lease a_a - answer.json'] },
    {
      api: 'v2',
      forms: ['json', 'xml'],
      names: ['Lease a_a - answer.json', 'Lease a_a - answer.xml'],
    },
  ] as const)('include the answer of the service in every form that $api has', async (row) => {
    await withOne(row.api);
    const kinds = ['attachments', 'json', 'xml'] as const;
    expect(await run({ beside: [...kinds] })).toMatchObject({ saved: 1, failed: [] });
    expect(beside()).toEqual(row.names);
    await run({ beside: [...kinds] });
    expect(desk.actions[row.api].rawForms).toEqual(row.forms);
    expect(beside()).toEqual(row.names);
  });
});

it('attachments are not requested from a service that does not offer them separately', async () => {
  await withOne('v2', { documents });
  expect(await run({ beside: ['attachments'] })).toMatchObject({ saved: 1, failed: [] });
  expect([desk.services.v2.reads, beside()]).toEqual([[], []]);
});

it('evidence next to the PDF states the true result, even when its log is broken from the first entry', async () => {
  await withOne('v1');
  const [connection] = await desk.api['connections.list']({});
  if (connection === undefined) throw new Error('No connection');
  const { connection: about, ...rest } = reviewed('a');
  const entry = {
    ...rest,
    number: 1,
    at: 1,
    connection: Object.assign(about, { id: connection.id }),
    by: { user: 'maria', computer: 'desk', person: null },
    program: 'Signing Desk',
    previous: '',
  };
  desk.stores.evidence.append(() => ({ number: 1, text: JSON.stringify(entry), hash: 'other' }));
  expect(await run({ beside: ['evidence'] })).toMatchObject({ saved: 1, failed: [] });
  expect(beside()).toEqual(['Lease a_a - evidence 1.pdf']);
  await run({ beside: ['evidence'] });
  expect(beside()).toHaveLength(1);
});

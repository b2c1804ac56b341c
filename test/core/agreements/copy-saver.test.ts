import { beforeEach, describe, expect, it } from 'vitest';
import { SavedCopies } from '../../../shared/contract/agreements.ts';
import { AgreementId } from '../../../shared/model/ids.ts';
import { AppError } from '../../../shared/errors.ts';
import { downloadOf, PDF_TEXT, remoteOf } from '../../support/fakes/fake-service.ts';
import { plant, signed } from '../../support/known-agreements.ts';
import {
  addConnection,
  type MemoryDesk,
  startMemoryDesk,
} from '../../support/fakes/memory-desk.ts';

const FOLDER = '/desktop';

let desk: MemoryDesk;

beforeEach(async () => {
  desk = startMemoryDesk();
  await addConnection(desk);
});

async function save(...ids: string[]) {
  const [connection] = desk.stores.connections.list();
  if (connection === undefined) throw new Error('There is no connection');
  const keys = ids.map((id) => ({ connectionId: connection.id, id: AgreementId.parse(id) }));
  const { jobId } = await desk.api['agreements.saveCopies']({ keys, folder: FOLDER });
  const job = await desk.finish(jobId);
  return { job, result: SavedCopies.parse(job.result) };
}

const names = () => [...desk.files.saved.keys()].toSorted();

describe('downloading several PDFs to a folder', () => {
  it('saves them under the names of an archive, and does not count them as archived', async () => {
    await plant(desk, signed('a'), signed('b'), signed('c'));
    const { result } = await save('a', 'c');
    expect(result).toMatchObject({ folder: FOLDER, saved: 2, failed: [], withoutPdf: 0 });
    expect(names()).toEqual(['/desktop/Lease a_a.pdf', '/desktop/Lease c_c.pdf']);
    expect([...desk.files.texts.keys()]).toEqual([]);
    const { counts } = await desk.api['archive.list']({});
    expect(counts.archived).toBe(0);
    const { items } = await desk.api['agreements.list']({});
    expect(items.map(({ archivedAt }) => archivedAt)).toEqual([null, null, null]);
  });

  it('never overwrites a file: a second copy gets a different name', async () => {
    await plant(desk, signed('a'));
    await save('a');
    await save('a');
    expect(names()).toHaveLength(2);
  });

  it('sends no request for unsigned agreements, and counts them', async () => {
    await plant(desk, signed('a'), remoteOf({ id: 'open', state: 'part-signed' }));
    expect((await save('a', 'open')).result).toMatchObject({ saved: 1, withoutPdf: 1, failed: [] });
    expect(desk.services.v1.downloads).toEqual(['a']);
  });

  it('reports each failed download, and saves the rest', async () => {
    await plant(desk, signed('a'), signed('b'), signed('c'));
    desk.services.v1.fileOf = (id) => {
      if (id === 'b') throw new AppError('service', 'It broke');
      if (id === 'c') throw new AppError('conflict', 'Not yet', { reason: 'not-concluded' });
      return downloadOf(PDF_TEXT);
    };
    const { result } = await save('a', 'b', 'c');
    expect(result).toMatchObject({ saved: 1, withoutPdf: 1 });
    expect(result.failed).toMatchObject([
      { id: 'b', title: 'Lease b', failure: { code: 'service' } },
    ]);
  });

  it('stops when the disk is full, and names all agreements that were not tried', async () => {
    const ids = Array.from({ length: 30 }, (_, at) => `n${String(at)}`);
    await plant(desk, ...ids.map((id) => signed(id)));
    desk.services.v1.fileOf = () => {
      throw new AppError('storage', 'The disk is full', { reason: 'disk-full' });
    };
    const { job, result } = await save(...ids);
    expect(job).toMatchObject({ state: 'failed', failure: { reason: 'disk-full' } });
    const reported = [...result.failed, ...result.left].map(({ id }) => id);
    expect(reported.toSorted()).toEqual(ids.toSorted());
    expect(result.left.length).toBeGreaterThan(0);
  });

  it('sends one request, not one per agreement, when the service rejects the API key', async () => {
    const ids = Array.from({ length: 20 }, (_, at) => `n${String(at)}`);
    await plant(desk, ...ids.map((id) => signed(id)));
    desk.services.v1.fileOf = () => {
      throw new AppError('signed-out', 'No');
    };
    const { result } = await save(...ids);
    expect(result.failed).toHaveLength(20);
    expect(desk.services.v1.downloads.length).toBeLessThan(10);
  });
});

import { beforeEach, describe, expect, it } from 'vitest';
import { ArchiveResult } from '../../../shared/contract/archive.ts';
import { AgreementId } from '../../../shared/model/ids.ts';
import { AppError } from '../../../shared/errors.ts';
import { downloadOf, pageOf, PDF_TEXT, remoteOf } from '../../support/fakes/fake-service.ts';
import {
  addConnection,
  createWorld,
  type MemoryDesk,
  startMemoryDesk,
} from '../../support/fakes/memory-desk.ts';
import { DAY } from '../../../shared/rules/time/units.ts';

let desk: MemoryDesk;

beforeEach(async () => {
  desk = startMemoryDesk();
  await addConnection(desk);
});

async function plantSigned(...ids: string[]): Promise<void> {
  desk.services.v1.pages = [
    pageOf(
      ids.map((id) => remoteOf({ id, state: 'signed', closedAt: 1 })),
      1,
    ),
  ];
  await desk.finish((await desk.api['agreements.sync']({})).jobId);
}

async function run(parallel: number) {
  const { jobId } = await desk.api['archive.run']({ folder: '/archive', parallel });
  const job = await desk.finish(jobId);
  return { job, result: ArchiveResult.parse(job.result) };
}

describe('an archive run of many agreements', () => {
  it('downloads no more at a time than allowed, and reports its progress (TX-47)', async () => {
    await plantSigned('a', 'b', 'c', 'd', 'e');
    let under = 0;
    let most = 0;
    desk.services.v1.fileOf = () => {
      most = Math.max(most, (under += 1));
      const { bytes } = downloadOf(PDF_TEXT);
      const chunks = async function* () {
        yield* downloadOf(PDF_TEXT).chunks;
        under -= 1;
      };
      return { chunks: chunks(), bytes };
    };
    const { job, result } = await run(2);
    expect(most).toBe(2);
    expect(result.saved).toBe(5);
    expect(job).toMatchObject({ done: 5, total: 5, bytes: 5 * PDF_TEXT.length });
  });

  it('records deleted, refused and broken agreements, and saves the others (TX-45)', async () => {
    await plantSigned('deleted', 'refused', 'broken', 'early', 'whole');
    const errors = new Map([
      ['deleted', new AppError('not-found', 'No such agreement')],
      ['refused', new AppError('forbidden', 'Not for you')],
      ['broken', new AppError('service', 'Out of order')],
      ['early', new AppError('conflict', 'Not yet', { reason: 'not-concluded' })],
    ]);
    desk.services.v1.fileOf = (id) => {
      const error = errors.get(id);
      if (error !== undefined) throw error;
      return downloadOf(PDF_TEXT);
    };
    const { job, result } = await run(1);
    expect(job.state).toBe('done');
    expect(result.saved).toBe(1);
    expect(result.failed.map(({ id, failure }) => `${id} ${failure.code}`)).toEqual([
      'deleted not-found',
      'refused forbidden',
      'broken service',
    ]);
  });
});

it('agreements that the service deletes within 14 days and that are not archived are counted (T1-21)', async () => {
  const world = createWorld();
  const { id: connectionId } = await addConnection(startMemoryDesk(world));
  const now = world.clock.now();
  const item = (id: string, deletesAt: number | null, state: 'archived' | 'not-archived') => ({
    connectionId,
    id: AgreementId.parse(id),
    title: id,
    parties: null,
    closedAt: 1,
    deletesAt,
    state,
    file: null,
    sha256: null,
    savedAt: null,
    checkedAt: null,
    finding: null,
    isOnService: true,
  });
  const list = () => [
    item('soon', now + 14 * DAY, 'not-archived'),
    item('saved', now + DAY, 'archived'),
    item('later', now + 14 * DAY + 1, 'not-archived'),
    item('never', null, 'not-archived'),
    item('never either', null, 'not-archived'),
  ];
  const stores = { ...world.stores, archive: { ...world.stores.archive, list } };
  const { counts } = await startMemoryDesk({ ...world, stores }).api['archive.list']({});
  expect(counts).toMatchObject({ notArchived: 4, archived: 1, endangered: 1 });
});

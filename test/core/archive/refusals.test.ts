import { beforeEach, describe, expect, it } from 'vitest';
import { ArchiveResult, type ArchiveRun } from '../../../shared/contract/archive.ts';
import { AppError, type ErrorReason } from '../../../shared/errors.ts';
import { downloadOf, PDF_TEXT } from '../../support/fakes/fake-service.ts';
import { plant, signed } from '../../support/known-agreements.ts';
import {
  addConnection,
  type MemoryDesk,
  startMemoryDesk,
} from '../../support/fakes/memory-desk.ts';
import { MINUTE } from '../../../shared/rules/time/units.ts';

let desk: MemoryDesk;

beforeEach(async () => {
  desk = startMemoryDesk();
  await addConnection(desk);
});

async function run(change: Partial<ArchiveRun> = {}) {
  const { jobId } = await desk.api['archive.run']({ folder: '/archive', parallel: 1, ...change });
  const job = await desk.finish(jobId);
  return { job, result: ArchiveResult.parse(job.result) };
}

/** Agreements `00`, `01` and so on, in the order in which a run processes them. */
const plantMany = (count: number) =>
  plant(
    desk,
    ...Array.from({ length: count }, (_, at) =>
      signed(String(at).padStart(2, '0'), { closedAt: at + 1 }),
    ),
  );

const asked = () => desk.services.v1.downloads.length;

describe('an archive run', () => {
  it.each(['offline', 'storage'] as const)(
    'that is refused ten times in a row (%s) sends no more requests, and fails',
    async (code) => {
      await plantMany(12);
      desk.services.v1.fileOf = () => {
        throw new AppError(code, 'No');
      };
      const { job, result } = await run();
      expect(job).toMatchObject({ state: 'failed', failure: { code } });
      expect([asked(), result.failed.length]).toEqual([10, 10]);
    },
  );

  it.each([
    { what: 'a received PDF', between: () => downloadOf(PDF_TEXT) },
    {
      what: 'a refusal of another kind',
      between: () => {
        throw new AppError('forbidden', 'Not for you');
      },
    },
  ])('counts only consecutive refusals: $what restarts the count', async ({ between }) => {
    await plantMany(19);
    desk.services.v1.fileOf = (id) => {
      if (id === '09') return between();
      throw new AppError('offline', 'No');
    };
    const { job } = await run();
    expect(job.state).toBe('done');
    expect(asked()).toBe(19);
  });

  it.each<[string, AppError]>([
    ['the error of a full disk', new AppError('storage', 'No', { reason: 'disk-full' })],
    ['the error of a missing folder', new AppError('storage', 'No', { reason: 'folder-missing' })],
    [
      'the error of a read-only folder',
      new AppError('storage', 'No', { reason: 'folder-read-only' }),
    ],
    ['the error of the credential store', new AppError('vault', 'No')],
  ])('ends after %s, however many agreements are left', async (_, error) => {
    await plantMany(3);
    desk.services.v1.fileOf = () => {
      throw error;
    };
    const { job, result } = await run();
    expect(job.failure).toEqual(error.failure);
    expect([asked(), result.failed.length]).toEqual([1, 1]);
  });

  it('processes more than one block of files, and counts each once', async () => {
    await plantMany(70);
    expect((await run()).result).toMatchObject({ listed: 70, saved: 70, present: 0 });
    desk.files.saved.delete(`/archive/Lease 40_40.pdf`);
    expect((await run()).result).toMatchObject({ listed: 70, saved: 1, present: 69 });
  });
});

describe('a download of a file', () => {
  it.each<ErrorReason>(['cut-answer', 'not-a-pdf', 'file-empty', 'connection-lost', 'timed-out'])(
    'is tried five times if it fails with %s',
    async (reason) => {
      await plantMany(1);
      desk.services.v1.fileOf = () => {
        throw new AppError('service', 'No', { reason });
      };
      expect((await run()).result.failed).toMatchObject([{ failure: { reason } }]);
      expect(asked()).toBe(5);
    },
  );

  it.each<[string, AppError | Error]>([
    ['because it is too large', new AppError('service', 'No', { reason: 'too-large' })],
    ['without a reason', new AppError('service', 'No')],
    ['with an unexpected error', new Error('odd')],
  ])('is tried once if it is refused %s', async (_, error) => {
    await plantMany(1);
    desk.services.v1.fileOf = () => {
      throw error;
    };
    expect((await run()).result.failed).toHaveLength(1);
    expect(asked()).toBe(1);
  });

  it.each([
    { outcome: 'is repeated', minutes: 15, more: 0, tried: 2 },
    { outcome: 'is not repeated', minutes: 15, more: 1, tried: 1 },
  ])(
    '$outcome if the service requests a wait of $minutes minutes and $more ms',
    async ({ minutes, more, tried }) => {
      await plantMany(1);
      const retryAt = desk.clock.now() + minutes * MINUTE + more;
      let isRefused = false;
      desk.services.v1.fileOf = () => {
        if (isRefused) return downloadOf(PDF_TEXT);
        isRefused = true;
        // The clock moves once the run waits.
        setImmediate(() => desk.clock.advance(minutes * MINUTE));
        throw new AppError('limited', 'Too many', { retryAt });
      };
      expect((await run()).result).toMatchObject({ saved: tried - 1 });
      expect(asked()).toBe(tried);
    },
  );
});

import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFiles } from '../../../electron/adapters/files/files.ts';
import { ActionsResult } from '../../../shared/contract/actions.ts';
import { ArchiveResult } from '../../../shared/contract/archive.ts';
import { AppError } from '../../../shared/errors.ts';
import { AgreementId, type ConnectionId } from '../../../shared/model/ids.ts';
import { downloadOf } from '../../support/fakes/fake-service.ts';
import { plant, signed } from '../../support/known-agreements.ts';
import { addConnection, createWorld, startMemoryDesk } from '../../support/fakes/memory-desk.ts';
import { createMemoryFiles } from '../../support/fakes/memory-ports.ts';
import { pdfOf } from '../../support/small-pdf.ts';

const PDF = pdfOf('the lease');
/** A whole PDF of the same length as the lease, from which only its hash distinguishes it. */
const OTHER = pdfOf('the loan!');

let folder = '';
let file = '';
let connectionId: ConnectionId;
let desk: ReturnType<typeof startMemoryDesk>;

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'desk-resume-'));
  file = path.join(folder, 'Lease.pdf');
  const files = Object.assign(createMemoryFiles(), createFiles());
  desk = startMemoryDesk({ ...createWorld(), files });
  connectionId = (await addConnection(desk)).id;
  await plant(desk, signed('a', { title: 'Lease' }));
  desk.services.v1.fileOf = () => downloadOf(PDF);
  killedWhenWhole();
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const key = () => ({ connectionId, id: AgreementId.parse('a') });
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');
const names = () => readdirSync(folder).filter((name) => /\.(?:pdf|part)$/u.test(name));

/** Leaves the data of a run that was killed after the last byte, before it named the file. */
function killedWhenWhole(): void {
  const { work } = desk.stores.archive;
  work.begin([{ file, key: key() }]);
  work.whole([{ file, bytes: PDF.length, sha256: hashOf(PDF), seal: null }]);
}

async function run() {
  const { jobId } = await desk.api['archive.run']({ folder, pattern: '{title}' });
  return ArchiveResult.parse((await desk.finish(jobId)).result);
}

describe('a saved file', () => {
  it('is not read again while its size and time are unchanged on the disk', async () => {
    desk.stores.archive.work.end([file]);
    await run();
    const read: string[] = [];
    const { hash } = desk.files;
    desk.files.hash = (of: string) => {
      read.push(of);
      return hash(of);
    };
    expect(await run()).toMatchObject({ saved: 0, present: 1 });
    const pdfsRead = () => read.filter((of) => of.endsWith('.pdf'));
    expect(pdfsRead()).toEqual([]);
    utimesSync(file, 1, 1);
    expect(await run()).toMatchObject({ saved: 0, present: 1 });
    expect(pdfsRead()).toEqual([file]);
  });
});

describe('after a kill, a run', () => {
  it('renames a completely downloaded part, and does not download it again (TE-F09)', async () => {
    writeFileSync(`${file}.part`, PDF);
    expect(await run()).toMatchObject({ saved: 1, failed: [] });
    expect(desk.services.v1.downloads).toEqual([]);
    expect(names()).toEqual(['Lease.pdf']);
    expect(desk.stores.archive.saved(key())).toMatchObject({ file, sha256: hashOf(PDF) });
  });

  it('removes an incomplete part, even when no file is downloaded in its place', async () => {
    const { work } = desk.stores.archive;
    work.end([file]);
    const other = path.join(folder, 'Other.pdf');
    work.begin([{ file: other, key: { connectionId, id: AgreementId.parse('gone') } }]);
    writeFileSync(`${other}.part`, PDF.slice(0, 9));
    expect(await run()).toMatchObject({ saved: 1, failed: [] });
    expect(names()).toEqual(['Lease.pdf']);
    expect(work.list()).toEqual([]);
  });

  it.skipIf(process.platform === 'win32')(
    'removes a part that stayed in a folder which disappeared and came back (DL-W13)',
    async () => {
      desk.stores.archive.work.end([file]);
      const away = `${folder}-away`;
      const { fileOf } = desk.services.v1;
      async function* pulled() {
        // More bytes than are buffered before the first write.
        yield Buffer.alloc(600_000);
        renameSync(folder, away);
        yield Buffer.alloc(1);
      }
      desk.services.v1.fileOf = () => ({ chunks: pulled(), bytes: null });
      expect((await run()).saved).toBe(0);
      renameSync(away, folder);
      expect(names()).toEqual(['Lease.pdf.part']);
      desk.services.v1.fileOf = fileOf;
      expect(await run()).toMatchObject({ saved: 1, failed: [] });
      expect(names()).toEqual(['Lease.pdf']);
    },
  );

  it('downloads a file again when its part is damaged (TE-F09)', async () => {
    writeFileSync(`${file}.part`, OTHER);
    expect(await run()).toMatchObject({ saved: 1, failed: [] });
    expect(desk.services.v1.downloads).toEqual(['a']);
    expect(names()).toEqual(['Lease.pdf']);
    expect(readFileSync(file, 'utf8')).toBe(PDF);
  });

  it('keeps and records a file that already has its final name, without a download (TE-F08)', async () => {
    writeFileSync(file, PDF);
    expect(await run()).toMatchObject({ saved: 1, failed: [] });
    expect(desk.services.v1.downloads).toEqual([]);
    expect(desk.stores.archive.saved(key())).toMatchObject({ file, sha256: hashOf(PDF) });
  });

  it.each(['with', 'without'])(
    'does not record another program’s file under the name, %s a part next to it (TE-F08)',
    async (which) => {
      writeFileSync(file, OTHER);
      if (which === 'with') writeFileSync(`${file}.part`, PDF);
      expect(await run()).toMatchObject({ saved: 1, failed: [] });
      expect(desk.services.v1.downloads).toEqual(['a']);
      const recorded = desk.stores.archive.saved(key());
      expect(recorded).toMatchObject({ sha256: hashOf(PDF) });
      expect(recorded?.file).not.toBe(file);
      expect(readFileSync(recorded?.file ?? '', 'utf8')).toBe(PDF);
      expect(readFileSync(file, 'utf8')).toBe(OTHER);
      expect(existsSync(`${file}.part`)).toBe(false);
    },
  );
});

describe('a deletion after archiving', () => {
  const other = () => ({ connectionId, id: AgreementId.parse('b') });
  const removeOther = () =>
    desk.api['actions.remove']({ keys: [other()], confirm: 1, archiveTo: folder });
  const resultOf = async ({ jobId }: Awaited<ReturnType<typeof removeOther>>) =>
    ActionsResult.parse((await desk.finish(jobId)).result);

  beforeEach(() => plant(desk, signed('b', { title: 'Loan' })));

  it('keeps an agreement without a PDF, although the run saves the file that a killed run left', async () => {
    writeFileSync(`${file}.part`, PDF);
    desk.services.v1.fileOf = () => {
      throw new AppError('conflict', 'Not yet', { reason: 'not-concluded' });
    };
    const { done, failed } = await resultOf(await removeOther());
    expect(done).toEqual([]);
    expect(failed[0]?.failure).toMatchObject({ reason: 'not-archived' });
    expect(names()).toEqual(['Lease.pdf']);
    expect(desk.actions.v1.sent).toEqual([]);
  });

  it('is done if the run also saves files that a killed run left', async () => {
    writeFileSync(`${file}.part`, PDF);
    const { done } = await resultOf(await removeOther());
    expect(done).toMatchObject([{ id: 'b' }]);
    expect(names()).toHaveLength(2);
  });

  it('keeps the agreement if the user stops the job during the download, after a killed run', async () => {
    writeFileSync(`${file}.part`, PDF);
    const job = Promise.withResolvers<Awaited<ReturnType<typeof removeOther>>>();
    const pdf = downloadOf(PDF);
    desk.services.v1.fileOf = () => ({
      ...pdf,
      chunks: (async function* stopped() {
        const { jobId } = await job.promise;
        await desk.api['jobs.cancel']({ jobId });
        yield* pdf.chunks;
      })(),
    });
    const started = await removeOther();
    job.resolve(started);
    await desk.finish(started.jobId);
    expect(desk.actions.v1.sent).toEqual([]);
  });

  it('waits for no other archive run, but keeps the agreement', async () => {
    const running = await desk.api['archive.run']({ folder });
    const { failed } = await resultOf(await removeOther());
    expect(failed[0]?.failure).toMatchObject({ reason: 'already-under-way' });
    expect(desk.actions.v1.sent).toEqual([]);
    await desk.finish(running.jobId);
  });
});

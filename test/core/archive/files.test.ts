import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFiles } from '../../../electron/adapters/files/files.ts';
import {
  ArchiveResult,
  type ArchiveRun,
  ArchiveVerification,
} from '../../../shared/contract/archive.ts';
import { AppError } from '../../../shared/errors.ts';
import { downloadOf, pageOf, remoteOf } from '../../support/fakes/fake-service.ts';
import { addConnection, createWorld, startMemoryDesk } from '../../support/fakes/memory-desk.ts';
import { createMemoryFiles } from '../../support/fakes/memory-ports.ts';
import { hostileTitles } from '../../support/hostile-titles.ts';
import { pdfOf, sealedPdf } from '../../support/small-pdf.ts';
import { MINUTE } from '../../../shared/rules/time/units.ts';

let parent = '';
let folder = '';
let desk: ReturnType<typeof startWith>;

const startWith = () =>
  startMemoryDesk({ ...createWorld(), files: Object.assign(createMemoryFiles(), createFiles()) });

beforeEach(async () => {
  parent = mkdtempSync(path.join(tmpdir(), 'desk-archive-'));
  folder = path.join(parent, 'archive');
  desk = startWith();
  await addConnection(desk);
  desk.services.v1.fileOf = (id) => downloadOf(pdfOf(id));
});
afterEach(() => {
  rmSync(parent, { recursive: true, force: true });
});

async function plant(titles: readonly string[], state: 'signed' | 'rejected' = 'signed') {
  const remotes = titles.map((title, index) => {
    const id = `${String(index).padStart(8, '0')}-1`;
    return remoteOf({ id, title, state, closedAt: 1 });
  });
  desk.services.v1.pages = [pageOf(remotes, 1)];
  await desk.finish((await desk.api['agreements.sync']({})).jobId);
}

async function run(change: Partial<ArchiveRun> = {}) {
  const { jobId } = await desk.api['archive.run']({ folder, ...change });
  const job = await desk.finish(jobId);
  return { job, result: job.result === null ? null : ArchiveResult.parse(job.result) };
}

async function verify() {
  const { jobId } = await desk.api['archive.verify']({ folder });
  return ArchiveVerification.parse((await desk.finish(jobId)).result);
}

const pdfs = () =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.pdf'),
  );

describe('files of agreements with hostile titles', () => {
  it('are saved once each, in the folder only, with the service’s bytes (TX-40)', async () => {
    expect(hostileTitles.length).toBeGreaterThanOrEqual(120);
    await plant(hostileTitles);
    writeFileSync(path.join(parent, 'x'), 'mine');
    const { result } = await run({ pattern: '{title}' });
    expect(result).toMatchObject({ listed: hostileTitles.length, saved: hostileTitles.length });
    expect(readdirSync(parent).toSorted()).toEqual(['archive', 'x']);
    expect(pdfs()).toHaveLength(hostileTitles.length);
    expect(new Set(pdfs().map((name) => readFileSync(path.join(folder, name), 'utf8'))).size).toBe(
      hostileTitles.length,
    );
    const { ok, changed, missing, unknown } = await verify();
    expect(ok).toBe(hostileTitles.length);
    expect([...changed, ...missing, ...unknown]).toEqual([]);
  });

  it('are verified, and agreements that the folder lacks are reported', async () => {
    await plant(['Lease', 'Order']);
    const { items } = await desk.api['agreements.list']({ limit: 9 });
    const lease = items.find(({ title }) => title === 'Lease');
    const order = items.find(({ title }) => title === 'Order');
    if (lease === undefined || order === undefined) throw new Error('Not planted');
    await run({ only: [{ connectionId: lease.connectionId, id: lease.id }] });
    const { agreements } = await verify();
    expect(agreements).toMatchObject({
      listed: 2,
      saved: 1,
      notSaved: [{ id: order.id, title: 'Order' }],
    });
  });

  it('never get the names of the lists, and never overwrite an existing file (TX-40)', async () => {
    mkdirSync(folder);
    writeFileSync(path.join(folder, 'Lease.pdf'), 'mine');
    await plant(['Lease', 'manifest-sha256.txt', 'index.csv']);
    await run({ pattern: '{title}' });
    expect(readFileSync(path.join(folder, 'Lease.pdf'), 'utf8')).toBe('mine');
    expect(pdfs().toSorted()).toEqual([
      'Lease [00000000].pdf',
      'Lease.pdf',
      'index.csv.pdf',
      'manifest-sha256.txt.pdf',
    ]);
  });
});

describe('a link in the archive', () => {
  it('receives no file if it points outside the archive, but does if it points to a folder inside (SEC-L5)', async () => {
    const outside = path.join(parent, 'outside');
    mkdirSync(outside);
    mkdirSync(folder);
    symlinkSync(outside, path.join(folder, 'Office v1'));
    await plant(['Lease']);
    const { result } = await run({ subfolder: '{connection}' });
    expect(result).toMatchObject({ saved: 0 });
    expect(result?.failed.map(({ failure }) => failure.reason)).toEqual(['folder-outside']);
    expect(readdirSync(outside)).toEqual([]);
    rmSync(path.join(folder, 'Office v1'));
    symlinkSync(folder, path.join(folder, 'Office v1'));
    expect((await run({ subfolder: '{connection}' })).result).toMatchObject({ saved: 0 });
    rmSync(path.join(folder, 'Office v1'));
    mkdirSync(path.join(folder, 'kept'));
    symlinkSync('kept', path.join(folder, 'Office v1'));
    expect((await run({ subfolder: '{connection}' })).result).toMatchObject({ saved: 1 });
    expect(readdirSync(path.join(folder, 'kept'))).toHaveLength(1);
  });

  it('is accepted as the chosen folder itself (SEC-L5)', async () => {
    const real = path.join(parent, 'real');
    mkdirSync(real);
    symlinkSync(real, folder);
    await plant(['Lease']);
    expect((await run({ subfolder: '{connection}' })).result).toMatchObject({ saved: 1 });
    expect(readdirSync(path.join(real, 'Office v1'))).toHaveLength(1);
  });
});

describe('a new archive folder', () => {
  it.each([0, 1, 3])(
    'that vanishes during its first run after %i files is not created again by the next run (SEC-L6)',
    async (before) => {
      await plant(['One', 'Two', 'Three', 'Four']);
      let asked = 0;
      desk.services.v1.fileOf = (id) => {
        // An earlier file may be renamed at this moment, so the removal is retried.
        if (asked === before) rmSync(folder, { recursive: true, maxRetries: 10 });
        asked += 1;
        return downloadOf(pdfOf(id));
      };
      const first = await run({ parallel: 1 });
      expect(first.job.failure ?? first.result?.failed[0]?.failure).toMatchObject({
        reason: 'folder-missing',
      });
      const second = await run({ parallel: 1 });
      expect(second.job).toMatchObject({ failure: { code: 'storage', reason: 'folder-missing' } });
      expect(readdirSync(parent)).toEqual([]);
      mkdirSync(folder);
      expect((await run({ parallel: 1, anew: true })).job.failure).toBeNull();
      expect(pdfs()).toHaveLength(4);
    },
  );

  it('that receives no file in its first run receives files in the next run (SEC-L6)', async () => {
    await plant(['One']);
    desk.services.v1.fileOf = () => {
      throw new AppError('offline', 'No line', { reason: 'connection-refused' });
    };
    expect((await run()).result).toMatchObject({ saved: 0 });
    desk.services.v1.fileOf = (id) => downloadOf(pdfOf(id));
    expect((await run()).result).toMatchObject({ saved: 1 });
  });
});

describe('an archive on a real disk', () => {
  it('neither reads nor downloads again a file that is unchanged according to the system', async () => {
    await plant(['One', 'Two']);
    await run();
    const asked = desk.services.v1.downloads.length;
    expect((await run()).result).toMatchObject({ saved: 0, present: 2 });
    expect(desk.services.v1.downloads).toHaveLength(asked);
  });

  it('downloads a file again that was changed in place with the same length (TX-42)', async () => {
    await plant(['One']);
    await run({ pattern: '{title}' });
    const file = path.join(folder, 'One.pdf');
    const changed = readFileSync(file, 'utf8').replace('%PDF-1.7', '%PDF-1.6');
    writeFileSync(file, changed);
    expect(await verify()).toMatchObject({ ok: 0, changed: ['One.pdf'] });
    expect((await run({ pattern: '{title}' })).result).toMatchObject({ saved: 1, present: 0 });
    expect(readFileSync(`${file}.changed`, 'utf8')).toBe(changed);
    expect(readFileSync(file, 'utf8')).toBe(pdfOf('00000000-1'));
    expect(await verify()).toMatchObject({ ok: 1, changed: [], missing: [], unknown: [] });
  });

  it('adopts an identical file that another program wrote, and writes no second file', async () => {
    await plant(['One', 'Two']);
    await run({ pattern: '{title}' });
    const lost = startWith();
    await addConnection(lost);
    lost.services.v1.fileOf = (id) => downloadOf(pdfOf(id));
    desk = lost;
    await plant(['One', 'Two']);
    writeFileSync(path.join(folder, 'Two.pdf'), pdfOf('another'));
    expect((await run({ pattern: '{title}' })).result).toMatchObject({ saved: 2, failed: [] });
    expect(pdfs().toSorted()).toEqual(['One.pdf', 'Two [00000001].pdf', 'Two.pdf']);
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
    // The earlier index stays valid: the overwritten file is still checked and reported.
    expect(await verify()).toMatchObject({ ok: 2, changed: ['Two.pdf'], missing: [], unknown: [] });
    expect((await run({ pattern: '{title}' })).result).toMatchObject({ saved: 0, present: 2 });
  });

  it('removes temporary files of a killed run, and keeps the files of other programs', async () => {
    await plant(['One']);
    await run({ pattern: '{title}' });
    const mine = 'letter.0123abcd.tmp';
    const left = ['index.csv.0123abcd.tmp', 'One.pdf.rejected.89abcdef.tmp'];
    for (const name of [mine, ...left]) writeFileSync(path.join(folder, name), 'half');
    await run({ pattern: '{title}' });
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([mine]);
  });

  it('on an unplugged drive is only started again from nothing when a person confirms it (TX-43)', async () => {
    await plant(['One']);
    await run();
    rmSync(folder, { recursive: true });
    const gone = await run();
    expect(gone.job).toMatchObject({ state: 'failed', failure: { reason: 'folder-missing' } });
    // The empty mount point of a removed drive often remains.
    mkdirSync(folder);
    expect((await run()).job.failure).toMatchObject({
      reason: 'archive-gone',
      message: 'The archive that was in this folder is missing. Check that its drive is connected',
    });
    expect(readdirSync(folder)).toEqual([]);
    expect((await run({ anew: true })).result).toMatchObject({ saved: 1 });
  });

  it('whose parent folder is missing is refused (TX-43)', async () => {
    await plant(['One']);
    const { job } = await run({ folder: path.join(parent, 'usb', 'archive') });
    expect(job).toMatchObject({ state: 'failed', failure: { reason: 'folder-missing' } });
    expect(readdirSync(parent)).toEqual([]);
  });

  it('rejects a PDF that points to a table it does not contain (T1-86)', async () => {
    await plant(['One']);
    desk.services.v1.fileOf = () =>
      downloadOf(`%PDF-1.7\n${'x'.repeat(60)}\nstartxref\n9\n%%EOF\n`);
    const { result } = await run();
    expect(result?.failed[0]?.failure.reason).toBe('cut-answer');
    expect(pdfs()).toEqual([]);
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  it('downloads a damaged file again before the download fails (T1-86)', async () => {
    await plant(['One']);
    let asked = 0;
    desk.services.v1.fileOf = (id) => {
      asked += 1;
      return downloadOf(asked < 3 ? '%PDF-1.7 cut' : pdfOf(id));
    };
    expect((await run()).result).toMatchObject({ saved: 1, failed: [] });
    expect(asked).toBe(3);
  });

  it('waits for the time that the service requests, and then continues', async () => {
    await plant(['One', 'Two']);
    const retryAt = desk.clock.now() + 30_000;
    let refused = 0;
    let reportBoth = (): void => {};
    const bothRefused = new Promise<void>((resolve) => (reportBoth = resolve));
    desk.services.v1.fileOf = (id) => {
      if (desk.clock.now() >= retryAt) return downloadOf(pdfOf(id));
      refused += 1;
      if (refused === 2) reportBoth();
      throw new AppError('limited', 'Too many requests', { retryAt });
    };
    const { jobId } = await desk.api['archive.run']({ folder, parallel: 2 });
    await bothRefused;
    await new Promise((resolve) => setImmediate(resolve));
    desk.clock.advance(30_000);
    expect((await desk.finish(jobId)).result).toMatchObject({ saved: 2, failed: [] });
  });

  it('marks a PDF that not everyone signed in its name and in the index (T2-69)', async () => {
    await plant(['One'], 'rejected');
    const filter = { states: ['rejected' as const] };
    expect((await run({ pattern: '{title}' })).result).toMatchObject({ listed: 0, saved: 0 });
    expect((await run({ pattern: '{title}', filter })).result).toMatchObject({ saved: 1 });
    expect(pdfs()).toEqual(['One (unsigned copy).pdf']);
    expect(readFileSync(path.join(folder, 'index.csv'), 'utf8')).toContain('unsigned copy');
    expect((await run({ pattern: '{title}', filter })).result).toMatchObject({ saved: 0 });
  });

  it('reports whether a seal covers the whole file, and bytes that follow the seal', async () => {
    await plant(['Sealed', 'Extended']);
    desk.services.v1.fileOf = (id) =>
      downloadOf(sealedPdf(id.startsWith('00000001') ? '%more\n' : ''));
    const doubtful = [{ title: 'Extended', doubt: 'seal-extended' }];
    const { result } = await run({ pattern: '{title}' });
    expect(result).toMatchObject({ saved: 2, unsealed: 1, doubtful });
    const index = readFileSync(path.join(folder, 'index.csv'), 'utf8');
    expect(index).toMatch(/"Sealed\.pdf".*"a seal is present and covers the whole file"/);
    expect(index).toMatch(/"Extended\.pdf".*"\d+ bytes were added after the seal"/);
  });

  it('reports a test seal on a PDF of a production agreement (T1-90)', async () => {
    await plant(['Real', 'Trial']);
    desk.services.v1.fileOf = (id) =>
      downloadOf(sealedPdf('', id.startsWith('00000001') ? 'Sealing TEST CA' : 'Sealing CA'));
    const doubtful = [{ title: 'Trial', doubt: 'seal-of-test' }];
    const { result } = await run({ pattern: '{title}' });
    expect(result).toMatchObject({ saved: 2, unsealed: 0, doubtful });
    const index = readFileSync(path.join(folder, 'index.csv'), 'utf8');
    expect(index).toMatch(/"Trial\.pdf".*"[^"]*its certificate is named like a test certificate"/);
    expect(index).not.toMatch(/"Real\.pdf".*test certificate/);
  });

  it('reports when the service returns one PDF for two agreements', async () => {
    await plant(['Mine', 'Of another', 'Alone']);
    desk.services.v1.fileOf = (id) =>
      downloadOf(pdfOf(id.startsWith('00000002') ? id : 'mixed up'));
    const { result } = await run({ pattern: '{title}', parallel: 1 });
    expect(result).toMatchObject({ saved: 3, failed: [] });
    expect(result?.doubtful.map(({ title, doubt }) => `${title}: ${doubt}`)).toEqual([
      'Mine: same-as-another',
      'Of another: same-as-another',
    ]);
  });

  it('stores the beginning of a web page that came instead of a PDF, without personal data', async () => {
    await plant(['One']);
    const page = '<html>Sign in, Åsa: asa@example.se 19800101-1234 token=s3cretS3cret</html>';
    desk.services.v1.fileOf = () => downloadOf(page);
    await run({ pattern: '{title}' });
    const kept = readFileSync(path.join(folder, 'One.pdf.rejected'), 'utf8');
    expect(kept).toMatch(/^<html>Sign in/);
    expect(kept).not.toMatch(/asa@|19800101|s3cret/);
    desk.services.v1.fileOf = (id) => downloadOf(pdfOf(id));
    await run({ pattern: '{title}' });
    expect(pdfs()).toEqual(['One.pdf']);
    expect(readdirSync(folder)).not.toContain('One.pdf.rejected');
    expect(await verify()).toMatchObject({ ok: 1, unknown: [] });
  });

  it('can only be verified in a folder that contains one, and the check creates no folder', async () => {
    const failure = async () => {
      const { jobId } = await desk.api['archive.verify']({ folder });
      return (await desk.finish(jobId)).failure;
    };
    expect(await failure()).toMatchObject({ code: 'storage', reason: 'folder-missing' });
    expect(readdirSync(parent)).toEqual([]);
    mkdirSync(folder);
    const message = 'This folder does not contain an archive';
    expect(await failure()).toMatchObject({ code: 'not-found', message });
  });

  it('can be stopped while it is verified, and no further file is read then', async () => {
    await plant(['One', 'Two']);
    await run({ pattern: '{title}' });
    const { hash } = desk.files;
    desk.files.hash = async (file) => {
      const found = await hash(file);
      if (file.endsWith('.pdf')) await desk.api['jobs.cancel']({ jobId });
      return found;
    };
    const { jobId } = await desk.api['archive.verify']({ folder });
    const job = await desk.finish(jobId);
    expect(job).toMatchObject({ state: 'cancelled', done: 1, total: 2 });
    expect(job.result).toMatchObject({ files: 2, ok: 1, changed: [], missing: [] });
  });

  it('is verified with the program’s records when its lists are missing', async () => {
    await plant(['One', 'Two']);
    await run({ pattern: '{title}' });
    rmSync(path.join(folder, 'manifest-sha256.txt'));
    rmSync(path.join(folder, 'Two.pdf'));
    expect(await verify()).toMatchObject({ files: 2, ok: 1, changed: [], missing: ['Two.pdf'] });
  });

  it('has the time and the result of the last check recorded for each PDF', async () => {
    await plant(['One', 'Two', 'Three']);
    await run({ pattern: '{title}' });
    writeFileSync(path.join(folder, 'Two.pdf'), 'changed');
    rmSync(path.join(folder, 'Three.pdf'));
    desk.clock.advance(MINUTE);
    await verify();
    const found = async () =>
      (await desk.api['archive.list']({})).items
        .toSorted((one, other) => one.id.localeCompare(other.id))
        .map(({ finding, checkedAt }) => [finding, checkedAt]);
    const at = desk.clock.now();
    expect(await found()).toEqual([
      ['intact', at],
      ['changed', at],
      ['missing', at],
    ]);
    rmSync(path.join(folder, 'Two.pdf'));
    await run({ pattern: '{title}' });
    expect((await found()).slice(1)).toEqual([
      [null, null],
      [null, null],
    ]);
  });

  it('counts its files by the result of the last check, with the earliest time of these checks', async () => {
    await plant(['One', 'Two', 'Three', 'Four']);
    const counts = async () => (await desk.api['archive.list']({})).counts;
    expect(await counts()).toMatchObject({ notArchived: 4, archived: 0, checkedAt: null });
    await run({ pattern: '{title}' });
    const none = { changed: 0, missing: 0 };
    expect(await counts()).toMatchObject({ archived: 4, ...none, unchecked: 4, checkedAt: null });
    writeFileSync(path.join(folder, 'Two.pdf'), 'changed');
    rmSync(path.join(folder, 'Three.pdf'));
    await verify();
    const first = desk.clock.now();
    const found = { changed: 1, missing: 1, unchecked: 0, checkedAt: first };
    expect(await counts()).toMatchObject({ archived: 4, ...found });
    rmSync(path.join(folder, 'Two.pdf'));
    await run({ pattern: '{title}' });
    expect(await counts()).toMatchObject({ ...none, unchecked: 2, checkedAt: first });
    desk.clock.advance(MINUTE);
    await verify();
    expect(await counts()).toMatchObject({ ...none, unchecked: 0, checkedAt: desk.clock.now() });
  });

  it('names the folder of each file, and of two nested archives the inner one', async () => {
    await plant(['One', 'Two']);
    await run({ pattern: '{title}' });
    const inner = path.join(folder, 'inner');
    const { items } = await desk.api['agreements.list']({ limit: 9 });
    const two = items.filter(({ title }) => title === 'Two');
    await run({ folder: inner, only: two });
    const placed = (await desk.api['archive.list']({})).items
      .map(({ title, folder: place }) => [title, place])
      .toSorted();
    expect(placed).toEqual([
      ['One', folder],
      ['Two', inner],
    ]);
  });

  it('has its lists and log written even if a run is stopped or fails (TX-44)', async () => {
    await plant(['One', 'Two']);
    desk.services.v1.fileOf = (id) => {
      if (id.startsWith('00000000')) return downloadOf(pdfOf(id));
      throw new AppError('forbidden', 'Not yours');
    };
    expect((await run({ pattern: '{title}', parallel: 1 })).result?.failed).toHaveLength(1);
    const log = readFileSync(path.join(folder, 'run-log.csv'), 'utf8').trim().split('\n');
    expect(log).toHaveLength(2);
    expect(log[1]).toMatch(/^\d{4}-\d\d-\d\dT.*,done,2,1,0,0,1,1,/);
    expect(readFileSync(path.join(folder, 'manifest-sha256.txt'), 'utf8')).toMatch(
      /^[0-9a-f]{64} {2}One\.pdf\n$/,
    );
  });
});

describe('archive files named when {id8} was the first 8 characters of an id', () => {
  const reference = '004711000012';
  const former = 'Ramavtal_00471100.pdf';

  async function plantReference(): Promise<void> {
    await addConnection(desk, 'v2');
    desk.services.v2.fileOf = (id) => downloadOf(pdfOf(id));
    const contract = { id: reference, title: 'Ramavtal', state: 'signed', closedAt: 1 } as const;
    desk.services.v2.pages = [pageOf([remoteOf(contract)], 1)];
    await desk.finish((await desk.api['agreements.sync']({})).jobId);
  }

  it('belong to the archive: they are not downloaded or saved again (SC-11)', async () => {
    await plantReference();
    await run({ pattern: 'Ramavtal_00471100' });
    expect(pdfs()).toEqual([former]);
    const again = await run({ pattern: '{title}_{id8}' });
    expect(again.result).toMatchObject({ saved: 0, present: 1 });
    expect(pdfs()).toEqual([former]);
    expect(await verify()).toMatchObject({ ok: 1, unknown: [] });
  });

  it('are found by a computer that does not know them (SC-11)', async () => {
    await plantReference();
    mkdirSync(folder);
    writeFileSync(path.join(folder, former), pdfOf(reference));
    expect((await run({ pattern: '{title}_{id8}' })).result).toMatchObject({ failed: [] });
    expect(pdfs()).toEqual([former]);
    expect(await verify()).toMatchObject({ ok: 1, unknown: [] });
  });

  it('are found by their whole id when an older agreement has the name without an id', async () => {
    await plantReference();
    const older = '004711000010';
    const contracts = [older, reference].map((id, index) =>
      remoteOf({ id, title: 'Ramavtal', state: 'signed', closedAt: index + 1 }),
    );
    desk.services.v2.pages = [pageOf(contracts, 2)];
    await desk.finish((await desk.api['agreements.sync']({})).jobId);
    const names = [`Ramavtal [${reference}].pdf`, 'Ramavtal.pdf'];
    mkdirSync(folder);
    writeFileSync(path.join(folder, 'Ramavtal.pdf'), pdfOf(older));
    writeFileSync(path.join(folder, `Ramavtal [${reference}].pdf`), pdfOf(reference));
    expect((await run({ pattern: '{title}', parallel: 1 })).result).toMatchObject({ saved: 2 });
    expect(pdfs().toSorted()).toEqual(names);
    expect(await verify()).toMatchObject({ ok: 2, unknown: [] });
  });
});

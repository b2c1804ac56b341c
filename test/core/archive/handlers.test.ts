import { beforeEach, describe, expect, it } from 'vitest';
import { ArchiveResult, type ArchiveRun } from '../../../shared/contract/archive.ts';
import { AppError } from '../../../shared/errors.ts';
import { downloadOf, pageOf, PDF_TEXT, remoteOf } from '../../support/fakes/fake-service.ts';
import { plant, signed } from '../../support/known-agreements.ts';
import {
  addConnection,
  type MemoryDesk,
  startMemoryDesk,
} from '../../support/fakes/memory-desk.ts';

const FOLDER = '/archive';

let desk: MemoryDesk;

beforeEach(async () => {
  desk = startMemoryDesk();
  await addConnection(desk);
});

async function run(change: Partial<ArchiveRun> = {}) {
  const { jobId } = await desk.api['archive.run']({ folder: FOLDER, parallel: 1, ...change });
  const job = await desk.finish(jobId);
  return { job, result: ArchiveResult.parse(job.result) };
}

const names = () => [...desk.files.saved.keys()];
const index = () => desk.files.texts.get(`${FOLDER}/index.csv`) ?? '';

describe('an archive run', () => {
  it('saves every signed agreement, and a second run downloads nothing', async () => {
    await plant(desk, signed('a'), signed('b'));
    expect((await run()).result).toMatchObject({ listed: 2, saved: 2, present: 0, failed: [] });
    expect((await run()).result).toMatchObject({ listed: 2, saved: 0, present: 2, bytes: 0 });
    expect(desk.services.v1.downloads).toEqual(['a', 'b']);
    expect(names()).toEqual(['/archive/Lease a_a.pdf', '/archive/Lease b_b.pdf']);
  });

  it('saves only agreements that everyone signed (T1-27)', async () => {
    const partly = remoteOf({ id: 'partly', state: 'part-signed', nativeState: 'SIGNED' });
    await plant(desk, partly, signed('whole'), remoteOf({ id: 'rejected', state: 'rejected' }));
    expect((await run()).result).toMatchObject({ listed: 1, saved: 1 });
    expect(desk.services.v1.downloads).toEqual(['whole']);
  });

  it('downloads files again that were changed or removed on the disk (TX-42)', async () => {
    await plant(desk, signed('a'), signed('b'));
    await run();
    const [first = '', second = ''] = names();
    desk.files.saved.delete(first);
    desk.files.saved.set(second, new TextEncoder().encode('%PDF- something else'));
    expect((await run()).result).toMatchObject({ saved: 2, present: 0 });
    expect(new TextDecoder().decode(desk.files.saved.get(`${second}.changed`))).toContain(
      'something else',
    );
  });

  it('finds its files in a folder that was moved (TX-42)', async () => {
    await plant(desk, signed('a'));
    await run();
    for (const [path, data] of [...desk.files.saved]) {
      desk.files.saved.delete(path);
      desk.files.saved.set(path.replace(FOLDER, '/moved'), data);
    }
    expect((await run({ folder: '/moved' })).result).toMatchObject({ saved: 0, present: 1 });
  });

  it('gives two agreements with the same title different names', async () => {
    await plant(
      desk,
      signed('aaaaaaaa-1', { title: 'Same' }),
      signed('aaaaaaaa-2', { title: 'Same' }),
    );
    await run({ parallel: 2, pattern: '{title}' });
    expect(new Set(names()).size).toBe(2);
  });

  it('skips agreements that are not concluded yet, without a failure (T1-85, TX-45)', async () => {
    await plant(desk, signed('early'), signed('b'));
    desk.services.v1.fileOf = (id) => {
      if (id === 'b') return downloadOf(PDF_TEXT);
      throw new AppError('conflict', 'Not yet', { reason: 'not-concluded' });
    };
    const { job, result } = await run();
    expect(job).toMatchObject({ state: 'done', failure: null });
    expect(result).toMatchObject({ listed: 2, saved: 1, failed: [] });
    desk.services.v1.fileOf = () => downloadOf(PDF_TEXT);
    expect((await run()).result).toMatchObject({ saved: 1, present: 1 });
  });

  it('saves only complete PDFs, and continues after an incomplete one (TX-41)', async () => {
    await plant(desk, signed('html'), signed('cut'), signed('whole'));
    desk.services.v1.fileOf = (id) => {
      if (id === 'whole') return downloadOf(PDF_TEXT);
      return downloadOf(id === 'html' ? '<html>Sign in' : '%PDF-1.7 and then nothing');
    };
    const { job, result } = await run();
    expect(job.state).toBe('done');
    expect(result.failed.map(({ id, failure }) => [id, failure.reason])).toEqual([
      ['html', 'not-a-pdf'],
      ['cut', 'cut-answer'],
    ]);
    expect(names()).toHaveLength(1);
  });

  it('ends when the disk is full, and lists the files saved before in the result and the index (TX-44)', async () => {
    await plant(desk, signed('a'), signed('b'), signed('c'));
    desk.services.v1.fileOf = (id) => {
      if (id === 'b') {
        desk.files.breakWith(new AppError('storage', 'Full', { reason: 'disk-full' }));
      }
      return downloadOf(PDF_TEXT);
    };
    const { job, result } = await run();
    expect(job).toMatchObject({ state: 'failed', failure: { reason: 'disk-full' } });
    expect(result).toMatchObject({ saved: 1 });
    expect(desk.services.v1.downloads).toEqual(['a', 'b']);
    expect(index()).toContain('Lease a');
  });

  it('stops after one refusal that concerns all agreements, instead of repeating it a thousand times', async () => {
    await plant(desk, signed('a'), signed('b'), signed('c'));
    desk.services.v1.fileOf = () => {
      throw new AppError('signed-out', 'No', { reason: 'credential-refused' });
    };
    expect((await run()).result.failed).toHaveLength(3);
    expect(desk.services.v1.downloads).toEqual(['a']);
  });

  it('reports agreements that were deleted from the service', async () => {
    await plant(desk, signed('a'));
    desk.services.v1.fileOf = () => {
      throw new AppError('not-found', 'Deleted');
    };
    expect((await run()).result.failed[0]?.failure.code).toBe('not-found');
    expect((await run()).result).toMatchObject({ listed: 0 });
  });

  it('tries an agreement again if the service has the agreement, but did not find its PDF', async () => {
    await plant(desk, signed('a'));
    desk.services.v1.agreements.set('a', signed('a'));
    desk.services.v1.fileOf = () => {
      throw new AppError('not-found', 'No such file');
    };
    expect((await run()).result.failed[0]?.failure.code).toBe('not-found');
    desk.services.v1.fileOf = () => downloadOf(PDF_TEXT);
    expect((await run()).result).toMatchObject({ listed: 1, saved: 1 });
  });

  it('does not count an agreement with a refused download as deleted (TE-F17)', async () => {
    await plant(desk, signed('a'));
    desk.services.v1.fileOf = () => {
      throw new AppError('forbidden', 'Not for you');
    };
    expect((await run()).result.failed[0]?.failure.code).toBe('forbidden');
    const { items } = await desk.api['agreements.list']({});
    expect(items).toMatchObject([{ id: 'a', state: 'signed' }]);
    desk.services.v1.fileOf = () => downloadOf(PDF_TEXT);
    expect((await run()).result).toMatchObject({ listed: 1, saved: 1 });
  });

  it('can be stopped, and the next run saves the remaining files (TX-47)', async () => {
    await plant(desk, signed('a'), signed('b'));
    desk.services.v1.fileOf = () => {
      void desk.api['jobs.list']({}).then(([job]) =>
        job === undefined ? undefined : desk.api['jobs.cancel']({ jobId: job.id }),
      );
      return downloadOf(PDF_TEXT);
    };
    const stopped = await run();
    expect(stopped.job.state).toBe('cancelled');
    expect(stopped.result).toMatchObject({ saved: 1 });
    desk.services.v1.fileOf = () => downloadOf(PDF_TEXT);
    expect((await run()).result).toMatchObject({ saved: 1, present: 1 });
  });

  it('saves no more files than the limit, and the remaining files in the next run', async () => {
    await plant(desk, signed('a'), signed('b'), signed('c'));
    expect((await run({ limit: 2 })).result).toMatchObject({ listed: 3, saved: 2 });
    expect((await run({ limit: 2 })).result).toMatchObject({ saved: 1, present: 2 });
  });

  it('keeps files of test and demo connections in separate folders (T1-90)', async () => {
    const test = { name: 'Test', api: 'v1', url: 'https://t', environment: 'test' } as const;
    await desk.api['connections.add']({ ...test, accountId: null, secret: 's' });
    await desk.api['connections.addDemo']({});
    desk.services.v1.pages = [pageOf([signed('a')], 1)];
    const { jobId } = await desk.api['agreements.sync']({});
    await desk.finish(jobId);
    await run();
    expect(
      names()
        .map((path) => path.slice(0, path.lastIndexOf('/')))
        .toSorted(),
    ).toEqual(['/archive', '/archive/DEMO', '/archive/TEST']);
  });
});

describe('the index of an archive', () => {
  it('lists the files in the folder, ready for a spreadsheet', async () => {
    const closedAt = Date.UTC(2026, 10, 20, 9);
    await plant(desk, signed('a', { title: 'Lease "Åsa", 7', closedAt }));
    await run();
    const [head, line] = index().split('\r\n');
    expect(head).toBe(
      '\uFEFF"file","sha256","bytes","kind","seal","connection","environment","id","title","parties","closed","saved"',
    );
    expect(line).toMatch(
      /^"Lease _Åsa_, 7_a\.pdf","[0-9a-f]{64}","\d+","signed PDF","no seal","Office v1","production"/,
    );
    expect(line).toContain('"Lease ""Åsa"", 7"');
    expect(line).toContain('"2026-11-20T09:00:00.000Z"');
  });

  it.each(['=HYPERLINK("http://x")', '+1', '-2', '@SUM(A1)', '\tx'])(
    'writes the title %j so that no spreadsheet runs it',
    async (title) => {
      await plant(desk, signed('a', { title }));
      await run({ pattern: '{id}' });
      expect(index()).toContain(`"'${title.replaceAll('"', '""')}"`);
    },
  );

  it('shows data of the local copies in its columns, such as the time of sending', async () => {
    const sentAt = Date.UTC(2026, 2, 1, 9);
    await desk.api['settings.write']({ archiveIndex: ['file', 'sent'] });
    await plant(desk, signed('a', { sentAt }));
    await run({ pattern: '{id}' });
    expect(index()).toContain('"a.pdf","2026-03-01T09:00:00.000Z"');
  });

  it('lists files in subfolders, and excludes files elsewhere', async () => {
    await plant(desk, signed('a'));
    await run({ folder: '/elsewhere' });
    await desk.api['connections.addDemo']({});
    await plant(desk, signed('b'));
    const connections = await desk.api['connections.list']({});
    await run({ connectionId: connections.find((one) => one.environment === 'demo')?.id });
    expect(index()).toContain('"DEMO/Lease b_b.pdf"');
    expect(index()).not.toContain('Lease a');
  });
});

it('the preview of an archive pattern uses real agreements', async () => {
  await plant(desk, signed('aaaaaaaa-1', { title: 'One' }), signed('bbbbbbbb-2', { title: 'Two' }));
  const { names: shown } = await desk.api['archive.preview']({ pattern: '{connection} {title}' });
  expect(shown).toEqual(['Office v1 One.pdf', 'Office v1 Two.pdf']);
});

it('an unknown token in the file names of the settings is refused with its name, and no run uses it', async () => {
  const settings = desk.stores.settings;
  const refusal = { failure: { code: 'invalid', reason: 'name-token' } };
  for (const archivePattern of ['{foo}', '{closed:YYYY} {title}']) {
    await expect(desk.api['settings.write']({ archivePattern })).rejects.toMatchObject(refusal);
  }
  await expect(desk.api['settings.write']({ archivePattern: '{titel}' })).rejects.toThrow(
    '{titel}',
  );
  expect(settings.read().archivePattern).not.toContain('titel');
  // An earlier version could store such a pattern. Other settings can still be saved.
  settings.write({ ...settings.read(), archivePattern: '{foo}' });
  await desk.api['settings.write']({ theme: 'dark' });
  await plant(desk, signed('a'));
  const { failure } = await desk.finish(
    (await desk.api['archive.run']({ folder: '/archive' })).jobId,
  );
  expect(failure).toMatchObject({ reason: 'name-token' });
});

it('only archived files and their folder can be opened', async () => {
  await plant(desk, signed('a'));
  await run();
  await desk.api['settings.write']({ archiveFolder: '/chosen' });
  desk.files.kinds.set('/chosen', 'folder');
  const open = (path: string) => desk.api['host.openPath']({ path });
  await Promise.all([open('/archive/Lease a_a.pdf'), open('/archive'), open('/chosen')]);
  await run({ folder: '/by year', subfolder: '{closed:yyyy}' });
  await open('/by year');
  for (const path of ['/etc/passwd', '/archive/../etc', '/archive/other.exe', '']) {
    await expect(open(path)).rejects.toMatchObject({ failure: { code: 'forbidden' } });
  }
});

it('only archived files can be dragged out, and no folder', async () => {
  await plant(desk, signed('a'));
  await run();
  const drag = (path: string) => desk.api['host.dragFile']({ path });
  await drag('/archive/Lease a_a.pdf');
  for (const path of ['/archive', '/etc/passwd', '/archive/../etc/passwd', '']) {
    await expect(drag(path)).rejects.toMatchObject({ failure: { code: 'forbidden' } });
  }
});

import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createFiles } from '../../../electron/adapters/files/files.ts';
import { AgreementQuery } from '../../../shared/contract/agreement-query.ts';
import {
  ArchiveResult,
  type ArchiveRun,
  ArchiveVerification,
  BagResult,
} from '../../../shared/contract/archive.ts';
import { AppError } from '../../../shared/errors.ts';
import { downloadOf, pageOf, remoteOf } from '../../support/fakes/fake-service.ts';
import { addConnection, createWorld, startMemoryDesk } from '../../support/fakes/memory-desk.ts';
import { createMemoryFiles } from '../../support/fakes/memory-ports.ts';
import { pdfOf } from '../../support/small-pdf.ts';

let parent = '';
let folder = '';
let desk: ReturnType<typeof startWith>;

/** Folder that cannot be written. The user of the tests may be root, who can write everywhere. */
let readOnlyFolder: string | null = null;

function startWith() {
  const disk = createFiles();
  const prepareFolder: typeof disk.prepareFolder = async (asked, ...rest) => {
    if (asked !== readOnlyFolder) return disk.prepareFolder(asked, ...rest);
    throw new AppError('storage', 'Read-only', { reason: 'folder-read-only' });
  };
  const files = Object.assign(createMemoryFiles(), disk, { prepareFolder });
  return startMemoryDesk({ ...createWorld(), files });
}

/** Starts a computer that has read these agreements; the first one has the id 00000000. */
async function startDesk(titles: readonly string[]) {
  desk = startWith();
  await addConnection(desk);
  desk.services.v1.fileOf = (id) => downloadOf(pdfOf(id));
  const remotes = titles.map((title, index) =>
    remoteOf({ id: `${String(index).padStart(8, '0')}-1`, title, state: 'signed', closedAt: 1 }),
  );
  desk.services.v1.pages = [pageOf(remotes, 1)];
  await desk.finish((await desk.api['agreements.sync']({})).jobId);
}

beforeEach(() => {
  parent = mkdtempSync(path.join(tmpdir(), 'desk-changed-archive-'));
  folder = path.join(parent, 'archive');
});
afterEach(() => {
  readOnlyFolder = null;
  rmSync(parent, { recursive: true, force: true });
});

async function run(change: Partial<ArchiveRun> = {}) {
  const order = { folder, pattern: '{title}', ...change };
  const { jobId } = await desk.api['archive.run'](order);
  return ArchiveResult.parse((await desk.finish(jobId)).result);
}

async function verify() {
  const { jobId } = await desk.api['archive.verify']({ folder });
  return ArchiveVerification.parse((await desk.finish(jobId)).result);
}

const namesIn = () => readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted();
const textOf = (name: string) => readFileSync(path.join(folder, name), 'utf8');
const alter = (name: string, from: string, to: string) =>
  writeFileSync(path.join(folder, name), textOf(name).replace(from, to));

/** Renames every file and folder as another file system would. */
function rename(form: 'NFC' | 'NFD', within = folder): void {
  for (const entry of readdirSync(within, { withFileTypes: true })) {
    if (entry.isDirectory()) rename(form, path.join(within, entry.name));
    renameSync(path.join(within, entry.name), path.join(within, entry.name.normalize(form)));
  }
}

const clean = { changed: [], missing: [], unknown: [], lists: [] };

describe('an archive whose file names return in another Unicode form', () => {
  const titles = ['Räksmörgås', 'Ångström', 'Łukasz', '각서', 'Plain'];
  const order = { subfolder: '{title}', beside: ['json' as const] };

  it('passes verification, is found complete and is listed by the names on the disk, NFC or NFD (IN-F8, IN-A3)', async () => {
    await startDesk(titles);
    expect(await run(order)).toMatchObject({ saved: 5, failed: [] });
    const composed = namesIn();
    for (const form of ['NFD', 'NFC'] as const) {
      rename(form);
      expect(namesIn()).toEqual(composed.map((name) => name.normalize(form)).toSorted());
      expect(await verify()).toMatchObject({ files: 10, ok: 10, ...clean });
      const before = namesIn();
      expect(await run(order)).toMatchObject({ saved: 0, present: 5, failed: [] });
      expect(namesIn()).toEqual(before);
    }
  });

  it('is found complete before its first verification, and its lists use the names on the disk (IN-F8)', async () => {
    await startDesk(titles);
    await run(order);
    rename('NFD');
    const before = namesIn();
    expect(await run(order)).toMatchObject({ saved: 0, present: 5, failed: [] });
    expect(namesIn()).toEqual(before);
    const listed = textOf('manifest-sha256.txt').trimEnd().split('\n');
    const names = listed.map((line) => line.slice(66));
    expect(names.toSorted()).toEqual(before.filter((name) => /[.](?:pdf|json)$/.test(name)));
    const { items } = await desk.api['archive.list']({});
    expect(items.every(({ file }) => file !== null && readFileSync(file).length > 0)).toBe(true);
  });

  it('is recognised by a computer that does not know it, and exported completely to a bag (IN-F8)', async () => {
    await startDesk(titles);
    await run();
    rename('NFD');
    await startDesk(titles);
    expect(await run()).toMatchObject({ saved: 5, failed: [] });
    expect(namesIn().filter((name) => name.endsWith('.pdf'))).toHaveLength(5);
    expect(await verify()).toMatchObject({ files: 5, ok: 5, ...clean });
    rename('NFC');
    const to = path.join(parent, 'bag');
    const { jobId } = await desk.api['archive.bag']({ folder, to });
    const bag = BagResult.parse((await desk.finish(jobId)).result);
    expect(bag).toMatchObject({ leftOut: [] });
  });

  it('is found in a folder that was moved and whose names were decomposed (IN-F8)', async () => {
    await startDesk(titles);
    await run(order);
    rename('NFD');
    renameSync(folder, path.join(parent, 'moved'));
    folder = path.join(parent, 'moved');
    expect(await run(order)).toMatchObject({ saved: 0, present: 5, failed: [] });
    expect(namesIn().filter((name) => name.endsWith('.pdf'))).toHaveLength(5);
  });

  it('still has a file with changed content reported, unlike a file with another form of its name', async () => {
    await startDesk(['Ångström', 'Räksmörgås']);
    await run();
    rename('NFD');
    appendFileSync(path.join(folder, 'Ångström.pdf'.normalize('NFD')), 'x');
    rmSync(path.join(folder, 'Räksmörgås.pdf'.normalize('NFD')));
    expect(await verify()).toMatchObject({
      ok: 0,
      changed: ['Ångström.pdf'.normalize('NFD')],
      missing: ['Räksmörgås.pdf'],
      unknown: [],
    });
  });
});

it('an archive in a read-only folder is verified, and exported to a bag', async () => {
  await startDesk(['Lease']);
  await run();
  readOnlyFolder = folder;
  expect(await verify()).toMatchObject({ ...clean, ok: 1 });
  const to = path.join(parent, 'bag');
  const { jobId } = await desk.api['archive.bag']({ folder, to });
  expect(BagResult.parse((await desk.finish(jobId)).result)).toMatchObject({ leftOut: [] });
});

describe('altered lists of an archive', () => {
  const lists = ['index.csv', 'index.xlsx', 'manifest-sha256.txt', 'run-log.csv'];

  it.each(lists)('are detected, and each is named: %s (FE-N4)', async (name) => {
    await startDesk(['Lease', 'Order']);
    await run();
    expect(await verify()).toMatchObject(clean);
    appendFileSync(path.join(folder, name), ' ');
    expect(await verify()).toMatchObject({ ...clean, ok: 2, lists: [name] });
    rmSync(path.join(folder, name));
    expect(await verify()).toMatchObject({ ...clean, ok: 2, lists: [name] });
  });

  it('stay reported after a run without new files, which keeps them and writes new lists (FE-N4)', async () => {
    await startDesk(['Lease']);
    await run();
    alter('index.csv', 'Lease', 'FORGED');
    alter('run-log.csv', 'done', 'well');
    const setAside = ['index.csv.changed', 'run-log.csv.changed'];
    expect(await run()).toMatchObject({ saved: 0, present: 1, setAside });
    expect(textOf('index.csv.changed')).toContain('FORGED');
    expect(textOf('run-log.csv.changed')).toContain('well');
    expect(textOf('index.csv')).toContain('Lease');
    expect(await verify()).toMatchObject(clean);
  });

  it('are not reported by a computer that did not write them', async () => {
    await startDesk(['Lease']);
    await run();
    await startDesk(['Lease']);
    appendFileSync(path.join(folder, 'index.csv'), ' ');
    expect(await verify()).toMatchObject({ ...clean, ok: 1 });
  });
});

describe("the user's own files with the names of lists", () => {
  const own = {
    'index.csv': 'file;title\n1;Mine\n',
    'index.xlsx': 'my workbook',
    'manifest-sha256.txt': `${'a'.repeat(64)}  mine.pdf\n`,
    'run-log.csv': 'day,kilometres\n1,10\n',
  };
  const keptNames = Object.keys(own).map((name) => `${name}.changed`);

  it.each([['Lease'], []])(
    'are kept and named by the first run into their folder, also if it saves nothing',
    async (...titles) => {
      await startDesk(titles);
      mkdirSync(folder);
      for (const [name, text] of Object.entries(own)) writeFileSync(path.join(folder, name), text);
      const { setAside } = await run();
      expect(setAside?.toSorted()).toEqual(keptNames);
      for (const [name, text] of Object.entries(own)) {
        expect(textOf(`${name}.changed`)).toBe(text);
        expect(textOf(name)).not.toBe(text);
      }
      expect(await run()).not.toHaveProperty('setAside');
      expect(namesIn().filter((name) => name.includes('.changed'))).toEqual(keptNames);
    },
  );

  it('do not include lists that another computer wrote', async () => {
    await startDesk(['Lease']);
    await run();
    await startDesk(['Lease']);
    expect(await run()).not.toHaveProperty('setAside');
    expect(namesIn().filter((name) => name.includes('.changed'))).toEqual([]);
    expect(textOf('run-log.csv').trim().split('\n')).toHaveLength(3);
  });

  it('are kept one by one in a folder with lists of another computer', async () => {
    await startDesk(['Lease']);
    await run();
    writeFileSync(path.join(folder, 'run-log.csv'), own['run-log.csv']);
    await startDesk(['Lease']);
    expect((await run()).setAside).toEqual(['run-log.csv.changed']);
    expect(textOf('run-log.csv.changed')).toBe(own['run-log.csv']);
  });
});

describe('an archive whose folder cannot be reached', () => {
  async function verifyUnreachable(): Promise<void> {
    const { failure } = await desk.finish((await desk.api['archive.verify']({ folder })).jobId);
    expect(failure).toMatchObject({ code: 'storage', reason: 'folder-missing' });
  }
  const countMissing = async () => (await desk.api['archive.list']({})).counts.missing;

  it('does not count as safe until its files are verified again', async () => {
    await startDesk(['Lease', 'Order']);
    await run();
    await verify();
    renameSync(folder, `${folder} disconnected`);
    await verifyUnreachable();
    expect(await countMissing()).toBe(2);
    renameSync(`${folder} disconnected`, folder);
    expect(await countMissing()).toBe(2);
    expect(await verify()).toMatchObject({ ...clean, ok: 2 });
    expect(await countMissing()).toBe(0);
  });

  it('counts as safe after its files are verified in the folder to which they were moved', async () => {
    await startDesk(['Lease', 'Order']);
    await run();
    renameSync(folder, path.join(parent, 'moved'));
    await verifyUnreachable();
    folder = path.join(parent, 'moved');
    await verify();
    expect(await countMissing()).toBe(0);
  });
});

describe('an archive in another folder', () => {
  it('is recognised by its content, and its files are opened in the new folder (FE-N4)', async () => {
    await startDesk(['Lease', 'Order']);
    await run();
    renameSync(folder, path.join(parent, 'moved'));
    folder = path.join(parent, 'moved');
    const { agreements } = await verify();
    expect(agreements).toEqual({ listed: 2, saved: 2, notSaved: [] });
    const { items } = await desk.api['archive.list']({});
    expect(items.map(({ file }) => path.dirname(file ?? ''))).toEqual([folder, folder]);
  });

  it.each(['verified', 'run'] as const)(
    'still has its altered lists detected and kept after it was %s (IN-Y18)',
    async (first) => {
      await startDesk(['Lease', 'Order']);
      await run();
      alter('index.csv', 'Lease', 'FORGED');
      renameSync(folder, path.join(parent, 'moved'));
      folder = path.join(parent, 'moved');
      if (first === 'verified') {
        for (let times = 0; times < 2; times += 1) {
          expect(await verify()).toMatchObject({ ...clean, ok: 2, lists: ['index.csv'] });
        }
      }
      expect(await run()).toMatchObject({ saved: 0, present: 2 });
      expect(textOf('index.csv.changed')).toContain('FORGED');
      expect(textOf('index.csv')).not.toContain('FORGED');
      expect(await verify()).toMatchObject({ ...clean, ok: 2 });
    },
  );

  it('is not checked against the lists of the first folder when it is a copy next to it (IN-Y18)', async () => {
    await startDesk(['Lease']);
    await run();
    const copy = path.join(parent, 'copy');
    cpSync(folder, copy, { recursive: true });
    await run();
    folder = copy;
    expect(await verify()).toMatchObject({ ...clean, ok: 1 });
  });

  it('counts only files that are present and unchanged (FE-N4)', async () => {
    await startDesk(['Lease', 'Order', 'Offer']);
    await run();
    appendFileSync(path.join(folder, 'Lease.pdf'), 'x');
    rmSync(path.join(folder, 'Order.pdf'));
    const { agreements } = await verify();
    expect(agreements).toMatchObject({ listed: 3, saved: 1 });
    expect(agreements.notSaved.map(({ title }) => title).toSorted()).toEqual(['Lease', 'Order']);
  });
});

describe('a missing or changed file of an archive', () => {
  it('is downloaded again under its name, and each changed version is kept next to it (SC-2)', async () => {
    await startDesk(['Lease', 'Order', 'Offer']);
    await run();
    for (const change of ['one', 'two']) {
      writeFileSync(path.join(folder, 'Lease.pdf'), change);
      rmSync(path.join(folder, 'Order.pdf'));
      expect(await run()).toMatchObject({ saved: 2, present: 1, failed: [] });
    }
    expect(textOf('Lease.pdf.changed')).toBe('one');
    expect(textOf('Lease.pdf.changed-2')).toBe('two');
    expect(namesIn().filter((name) => name.endsWith('.pdf'))).toHaveLength(3);
    expect(await verify()).toMatchObject({ ...clean, ok: 3 });
  });

  it('keeps its name and content when it cannot be downloaded again (SC-2)', async () => {
    await startDesk(['Lease']);
    await run();
    writeFileSync(path.join(folder, 'Lease.pdf'), 'mine');
    desk.services.v1.fileOf = () => downloadOf('no PDF');
    expect((await run()).failed).toHaveLength(1);
    expect(textOf('Lease.pdf')).toBe('mine');
    expect(namesIn().filter((name) => name.endsWith('.changed'))).toEqual([]);
  });

  const counters = async () => {
    const { attention, notArchived } = await desk.api['agreements.counts']({});
    return { attention, notArchived };
  };
  const listed = async (counter: 'attention' | 'not-archived') => {
    const query = AgreementQuery.parse({ counter, sort: 'title' });
    const { items } = await desk.api['agreements.list'](query);
    return items.map(({ title, archiveDamage, archivedAt }) =>
      [title, archiveDamage, archivedAt === null ? 'not safe' : 'safe'].join(': '),
    );
  };

  it('makes its agreement need attention and count as not archived, until it is repaired', async () => {
    await startDesk(['Lease', 'Order', 'Offer']);
    await run();
    expect(await counters()).toEqual({ attention: 0, notArchived: 0 });
    writeFileSync(path.join(folder, 'Lease.pdf'), 'mine');
    rmSync(path.join(folder, 'Order.pdf'));
    const changed = vi.fn();
    desk.on('archive.changed', changed);
    await verify();
    expect(changed).toHaveBeenCalled();
    expect(await counters()).toEqual({ attention: 2, notArchived: 2 });
    const damaged = ['Lease: changed: not safe', 'Order: missing: not safe'];
    expect(await listed('attention')).toEqual(damaged);
    expect(await listed('not-archived')).toEqual(damaged);
    await run();
    expect(await counters()).toEqual({ attention: 0, notArchived: 0 });
  });

  it('is recorded by a run, and still needs attention if the service has deleted the agreement', async () => {
    await startDesk(['Lease', 'Order']);
    await run();
    rmSync(path.join(folder, 'Order.pdf'));
    desk.services.v1.fileOf = () => {
      throw new AppError('not-found', 'No such agreement');
    };
    desk.services.v1.read = () => Promise.reject(new AppError('not-found', 'No such agreement'));
    expect((await run()).failed).toHaveLength(1);
    expect(await counters()).toEqual({ attention: 1, notArchived: 0 });
    expect(await listed('attention')).toEqual(['Order: missing: not safe']);
  });

  it('is downloaded again also if it is an additional file of a PDF (SC-2)', async () => {
    await startDesk(['Lease']);
    await run({ beside: ['json'] });
    const [json = ''] = namesIn().filter((name) => name.endsWith('.json'));
    rmSync(path.join(folder, json));
    expect(await verify()).toMatchObject({ missing: [json] });
    await run({ beside: ['json'] });
    expect(await verify()).toMatchObject({ ...clean, ok: 2 });
    writeFileSync(path.join(folder, json), 'changed');
    await run({ beside: ['json'] });
    expect(textOf(`${json}.changed`)).toBe('changed');
    expect(await verify()).toMatchObject({ ...clean, ok: 2 });
  });
});

describe('a list of hashes with a line about a file outside the folder', () => {
  it('is reported as altered, and the files of the folder are verified', async () => {
    await startDesk(['Lease', 'Offer']);
    await run();
    const manifest = path.join(folder, 'manifest-sha256.txt');
    appendFileSync(manifest, `${'a'.repeat(64)}  ../outside.txt\n${'a'.repeat(64)}  /etc/hosts\n`);
    rmSync(path.join(folder, 'Lease.pdf'));
    const { missing, ok, lists } = await verify();
    expect({ missing, ok, lists }).toEqual({
      missing: ['Lease.pdf'],
      ok: 1,
      lists: ['manifest-sha256.txt'],
    });
    const { counts } = await desk.api['archive.list']({ folder });
    expect(counts).toMatchObject({ missing: 1, here: 1 });
  });
});

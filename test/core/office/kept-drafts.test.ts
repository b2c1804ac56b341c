// tier: all
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DataExportReading, WrittenDataExport } from '../../../shared/contract/takeout.ts';
import type { DraftId } from '../../../shared/model/ids.ts';
import {
  type HomeDesk,
  type OfficeDesks,
  startOfficeDesks,
} from '../../support/desks/office-desks.ts';
import { bodyV1 } from '../../support/fakes/memory-desk.ts';
import { postgresPrograms } from '../../support/postgres.ts';

const TIMEOUT_MS = 120_000;

describe.skipIf(postgresPrograms === null)('a draft of an office in a data export', () => {
  let office: OfficeDesks;
  let anna: HomeDesk;
  let bo: HomeDesk;
  let draft: DraftId;
  let exported: string;

  beforeEach(async () => {
    exported = await mkdtemp(path.join(tmpdir(), 'desk-kept-'));
    office = await startOfficeDesks();
    anna = await join('Anna');
    bo = await join('Bo');
    const content = { api: 'v1' as const, body: bodyV1('Lease') };
    ({ id: draft } = await anna.api['drafts.create']({ content, connectionId: null }));
    await anna.api['office.together']({ draft, isTogether: true });
    await exchange(bo);
  }, TIMEOUT_MS);
  afterEach(async () => {
    await office.close();
    await rm(exported, { recursive: true });
  });

  async function join(name: string): Promise<HomeDesk> {
    const home = await office.add(name);
    await home.api['office.share']({ set: 'drafts', isShared: true });
    await exchange(home);
    return home;
  }
  const exchange = async (...desks: readonly HomeDesk[]) => {
    for (const { api } of desks) await api['office.exchange']({});
  };
  const write = async ({ api }: HomeDesk, title: string) => {
    const { revision, connectionId } = await api['drafts.show']({ id: draft });
    const content = { api: 'v1' as const, body: bodyV1(title) };
    await api['drafts.save']({ id: draft, revision, connectionId, content });
  };
  const takeOut = async ({ api }: HomeDesk) => {
    await api['office.together']({ draft, isTogether: false });
    await exchange(anna, bo);
  };
  const everythingOf = async (home: HomeDesk) => {
    const job = await home.finish(await home.api['takeout.write']({ folder: exported }));
    return WrittenDataExport.parse(job.result).folder;
  };
  const take = async (home: HomeDesk, folder: string) => {
    const job = await home.finish(await home.api['takeout.import']({ folder }));
    return DataExportReading.parse(job.result).look.counts.drafts;
  };
  const titles = async ({ api }: HomeDesk) =>
    (await api['drafts.list']({})).map(({ title }) => title);

  it('is imported when its owner took it out of the office and kept working on it (DL-U8)', async () => {
    await takeOut(anna);
    await write(anna, 'Lease, two hours later');
    const folder = await everythingOf(anna);
    const next = await join('Anna, new computer');
    expect(await take(next, folder)).toMatchObject({ added: 1, passed: 0, removed: 0 });
    expect(await titles(next)).toEqual(['Lease, two hours later']);
    expect(await take(next, folder)).toMatchObject({ added: 0, beside: 0, same: 1 });
    // No other computer receives the draft until it is shared again.
    await exchange(next, anna, bo);
    expect([await titles(anna), await titles(bo)]).toEqual([['Lease, two hours later'], []]);
    await write(next, 'Lease, of the new computer');
    await next.api['office.together']({ draft, isTogether: true });
    await exchange(next, bo, anna);
    expect(await titles(bo)).toEqual(['Lease, of the new computer']);
    // The draft on Anna's old computer is kept there too.
    expect((await titles(anna)).toSorted()).toEqual([
      'Lease, of the new computer',
      'Lease, two hours later',
    ]);
  });

  it('is added next to the draft in the trash when another person took that draft out of the office (DL-U8)', async () => {
    const next = await join('Anna, new computer');
    expect(await titles(next)).toEqual(['Lease']);
    await takeOut(anna);
    await exchange(next);
    expect(await titles(next)).toEqual([]);
    await write(anna, 'Lease, two hours later');
    const folder = await everythingOf(anna);
    expect(await take(next, folder)).toMatchObject({ beside: 1, passed: 0, removed: 0 });
    expect(await titles(next)).toEqual(['Lease, two hours later']);
    expect(await take(next, folder)).toMatchObject({ beside: 0, same: 1 });
    // Anna deleted this draft herself, so it stays in the trash on her computer.
    await anna.api['drafts.delete']({ id: draft });
    expect(await take(anna, folder)).toMatchObject({ added: 0, beside: 0, passed: 1 });
  });

  it('is imported when the exporting user restored it after another person took it out of the office (DL-U8)', async () => {
    await takeOut(anna);
    await bo.api['drafts.restore']({ id: draft });
    await write(bo, 'What Bo typed');
    const folder = await everythingOf(bo);
    const next = await join('Bo, new computer');
    expect(await take(next, folder)).toMatchObject({ added: 1, removed: 0 });
    expect(await titles(next)).toEqual(['What Bo typed']);
    expect(await take(anna, folder)).toMatchObject({ beside: 1 });
    expect((await titles(anna)).toSorted()).toEqual(['Lease', 'What Bo typed']);
  });

  it('is not imported after a person removed it from the office for everyone, on any computer (DL-U8, DL-R3)', async () => {
    const folder = await everythingOf(anna);
    await bo.api['drafts.delete']({ id: draft });
    await exchange(bo, anna);
    const next = await join('Anna, new computer');
    expect(await take(next, folder)).toMatchObject({ added: 0, passed: 1, removed: 1 });
    expect(await take(anna, folder)).toMatchObject({ added: 0, beside: 0, passed: 1 });
    expect(await take(bo, folder)).toMatchObject({ added: 0, beside: 0, passed: 1 });
    // Only restoring the draft brings it back, for everyone.
    await bo.api['drafts.restore']({ id: draft });
    await exchange(bo, anna, next);
    expect([await titles(anna), await titles(next)]).toEqual([['Lease'], ['Lease']]);
  });
});

import { readDirectly } from '../../../electron/adapters/sqlite/reader/direct.ts';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFiles } from '../../../electron/adapters/files/files.ts';
import { createReportWriter } from '../../../electron/adapters/sheets/write/report.ts';
import { createToFailure } from '../../../electron/core/app-error.ts';
import { JobQueue } from '../../../electron/core/job-queue.ts';
import { createReportHandlers } from '../../../electron/core/reports/handlers.ts';
import type { ListColumn } from '../../../shared/contract/agreement-views.ts';
import { JobId } from '../../../shared/model/ids.ts';
import { ReportOrder, ReportResult } from '../../../shared/contract/reports.ts';
import type * as z from 'zod';
import readXlsx from 'read-excel-file/node';
import { daysWaiting } from '../../../shared/rules/agreements/columns.ts';
import { agreementPlace } from '../../adapters/sqlite/agreements/place.ts';
import { newConnection, party, remote } from '../../adapters/sqlite/samples.ts';
import { NOW } from '../../adapters/sqlite/temp-database.ts';
import {
  createCountingChance,
  createHandClock,
  createMemoryLog,
} from '../../support/fakes/memory-ports.ts';
import { DAY } from '../../../shared/rules/time/units.ts';

const words = {
  title: 'Agreements',
  rejectedOrExpired: 'rejected or expired',
  unsigned: 'not signed',
  partyStates: {
    draft: 'draft',
    waiting: 'waiting',
    turn: 'to sign',
    signed: 'signed',
    rejected: 'rejected',
    unknown: 'unknown',
  },
  states: {
    draft: 'draft',
    waiting: 'waiting',
    'part-signed': 'part-signed',
    signed: 'signed',
    rejected: 'rejected',
    revoked: 'revoked',
    expired: 'expired',
    unknown: 'unknown',
  },
};

function reporting() {
  const place = agreementPlace();
  const clock = createHandClock();
  const jobs = new JobQueue({
    clock,
    chance: createCountingChance(),
    emit: () => {},
    toFailure: createToFailure(createMemoryLog()),
  });
  const files = createFiles();
  const folder = path.dirname(place.file);
  const file = path.join(folder, 'report.csv');
  const handlers = createReportHandlers({
    stores: place,
    lists: readDirectly(place.agreements),
    reports: createReportWriter(),
    files,
    jobs,
    clock,
  });

  /** Writes a report, and returns the result of its job. */
  const write = async (
    order: Partial<z.input<typeof ReportOrder>>,
    shown: ListColumn[] = ['title'],
  ) => {
    const whole = ReportOrder.parse({
      file,
      form: 'csv',
      words,
      delimiter: ';',
      rows: { kind: 'view', view: {}, except: [] },
      columns: shown.map((column) => ({ column, heading: column })),
      ...order,
    });
    const { jobId } = await handlers['reports.write'](whole);
    for (;;) {
      const job = await jobs.handlers['jobs.show']({ jobId: JobId.parse(jobId) });
      if (job.state !== 'running') return job;
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const lines = async () => (await readFile(file, 'utf8')).slice(1).trimEnd().split('\r\n');
  return Object.assign(place, { write, lines, folder, file });
}

describe('a report', () => {
  it('contains all matching agreements in list order, and reports their number and file', async () => {
    using place = reporting();
    const received = Array.from({ length: 450 }, (_, at) =>
      remote({ title: `Avtal ${String(at)}`, updatedAt: NOW - at }),
    );
    place.put([
      ...received,
      remote({ title: 'Hyra', state: 'signed', nativeState: 'SIGNED_BY_ALL' }),
    ]);
    const job = await place.write({
      rows: { kind: 'view', view: { states: ['waiting'] }, except: [] },
    });
    expect(ReportResult.parse(job.result)).toMatchObject({ file: place.file, rows: 450 });
    expect(job).toMatchObject({ state: 'done', done: 450, total: 450 });
    expect(await place.lines()).toEqual(['title', ...received.map(({ title }) => title)]);
  });

  it('excludes agreements that were unmarked among all matches', async () => {
    using place = reporting();
    const [first, second] = [remote({ title: 'A' }), remote({ title: 'B' })];
    place.put([first, second]);
    const except = [place.keyOf(first)];
    await place.write({ rows: { kind: 'view', view: {}, except } });
    expect(await place.lines()).toEqual(['title', 'B']);
  });

  it('contains the marked agreements in order, without those that were forgotten after they were marked', async () => {
    using place = reporting();
    const received = ['A', 'B', 'C'].map((title) => remote({ title }));
    place.put(received);
    const keys = received.map((one) => place.keyOf(one)).toReversed();
    const rows = { kind: 'keys' as const, keys: [...keys, place.keyOf(remote())] };
    const job = await place.write({ rows });
    expect(await place.lines()).toEqual(['title', 'C', 'B', 'A']);
    expect(ReportResult.parse(job.result).rows).toBe(3);
  });

  it('has the status of the service next to the common status of both APIs (TX-03)', async () => {
    using place = reporting();
    place.put([remote({ title: 'Lån', state: 'unknown', nativeState: 'ON_HOLD' })]);
    await place.write({}, ['title', 'state', 'nativeState']);
    expect(await place.lines()).toEqual(['title;state;nativeState', 'Lån;ON_HOLD;ON_HOLD']);
  });

  it('distinguishes a v2 rejection, whose party is not given, from a party’s own act (T2-27)', async () => {
    using place = reporting();
    const old = newConnection({ api: 'v2', name: 'Old office' });
    place.connections.save(old);
    const gone = { state: 'rejected', nativeState: 'REJECTED' } as const;
    place.put(
      [
        remote({ ...gone, title: 'A', parties: [party({ state: 'waiting' })] }),
        remote({ ...gone, title: 'B', parties: [party({ state: 'rejected' })] }),
        remote({ ...gone, title: 'C', parties: null }),
      ],
      NOW,
      old,
    );
    await place.write({ rows: { kind: 'view', view: { sort: 'title' }, except: [] } }, [
      ...(['title', 'state', 'connection'] as const),
    ]);
    expect(await place.lines()).toEqual([
      'title;state;connection',
      'A;rejected or expired;Old office',
      'B;rejected;Old office',
      'C;rejected;Old office',
    ]);
  });

  it('separates two agreements with one ID that belong to two connections (TX-04)', async () => {
    using place = reporting();
    const other = newConnection({ name: 'Andra kontoret' });
    place.connections.save(other);
    const received = remote({ title: 'Samma' });
    place.put([received]);
    place.put([received], NOW, other);
    await place.write({}, ['title', 'connection']);
    expect((await place.lines()).toSorted()).toEqual([
      'Samma;Andra kontoret',
      'Samma;Berg & Partners',
      'title;connection',
    ]);
  });

  it('has the chosen columns in order, and neutral cells for unknown values', async () => {
    using place = reporting();
    const old = newConnection({ api: 'v2', name: 'Old office' });
    place.connections.save(old);
    const sentAt = NOW - 3 * DAY;
    place.put([remote({ title: 'A', sentAt, tags: { case: 'K-1', rent: '=9400' } })]);
    place.put([remote({ title: 'B', sentAt: null, tags: null, parties: null })], NOW, old);
    const rows = { kind: 'view' as const, view: { sort: 'title' as const }, except: [] };
    await place.write({ rows }, [
      'tags',
      'daysWaiting',
      'title',
      'partyStates',
      'addresses',
      'batch',
    ]);
    const waited = String(daysWaiting({ state: 'waiting', gone: null, sentAt }, NOW));
    expect(await place.lines()).toEqual([
      'tags;daysWaiting;title;partyStates;addresses;batch',
      `"case: K-1, rent: =9400";${waited};A;Astrid Öberg: to sign;astrid@example.com;`,
      ';;B;;;',
    ]);
  });

  it('writes numbers as numbers for spreadsheet programs', async () => {
    using place = reporting();
    place.put([remote({ title: 'A', sentAt: NOW })]);
    const file = path.join(place.folder, 'report.xlsx');
    await place.write({ file, form: 'xlsx' }, ['title', 'daysWaiting']);
    const [sheet] = await readXlsx(file);
    expect(sheet?.data[1]).toEqual([
      'A',
      daysWaiting({ state: 'waiting', gone: null, sentAt: NOW }, NOW),
    ]);
  });

  it('has no personal number in any of its columns (TX-55)', async () => {
    using place = reporting();
    const native = '{"parties":[{"personNo":"198507099805"}]}';
    place.put([remote({ parties: [party({ name: 'Karin Lindqvist' })], native })]);
    const all: ListColumn[] = ['title', 'parties', 'state', 'updated', 'expires', 'closed'];
    await place.write({}, [...all, 'deletes', 'connection', 'archived', 'id', 'nativeState']);
    const text = (await place.lines()).join('\n');
    expect(text).toContain('Karin Lindqvist');
    expect(text).not.toContain('198507099805');
  });

  it('is refused before its job starts if the file exists, which stays as it is', async () => {
    using place = reporting();
    place.put([remote()]);
    await place.write({});
    const before = await readFile(place.file, 'utf8');
    await expect(place.write({})).rejects.toMatchObject({
      failure: { code: 'conflict', reason: 'file-exists' },
    });
    expect(await readFile(place.file, 'utf8')).toBe(before);
    expect((await readdir(place.folder)).filter((name) => name.endsWith('.part'))).toEqual([]);
  });
});

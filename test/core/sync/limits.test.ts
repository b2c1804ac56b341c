import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fileName } from '../../../shared/rules/files/file-name.ts';
import { systemClock } from '../../../electron/adapters/system/platform.ts';
import { tempDatabase, type TempDatabase } from '../../adapters/sqlite/temp-database.ts';
import { longestBlock } from '../../support/event-loop.ts';
import { rawAnswer, type RawServer, startRawServer } from '../../support/raw-server.ts';
import { createSyncing, ids } from '../../support/desks/syncing.ts';

const MIB = 1024 * 1024;
const credentials = { token: 't', accessKey: 'k', accountId: '1001' };
const json = (value: unknown) => rawAnswer('200 OK', 'application/json', JSON.stringify(value));

let desk: TempDatabase;
let server: RawServer;
let freeDisk: number | null;
/** Agreements in the list of v1. */
let listed: readonly { readonly id: string; readonly title: string; readonly name: string }[];

beforeEach(async () => {
  desk = tempDatabase();
  freeDisk = null;
  server = await startRawServer((request) => {
    const isV2 = request.startsWith('GET /v2/');
    const data = listed.map(({ id, title, name }) => ({
      id,
      title,
      state: 'SIGNED_BY_ALL',
      createdOn: '20261101T100000Z',
      parties: [{ id: `p-${id}`, type: 'PRIVATE', state: 'SIGNED', name, email: name }],
      tags: { key: name },
    }));
    const totals = { totalRecords: listed.length, totalPages: 1, pageNumber: 1, pageSize: 100 };
    const agreements = listed.map(({ id: referenceNumber, title }) => ({
      referenceNumber,
      name: title,
      status: 'SIGNED_BY_ALL',
    }));
    return json(isV2 ? { agreements, totalCount: listed.length } : { data, meta: totals });
  });
});
afterEach(async () => {
  desk[Symbol.dispose]();
  await server.close();
});

const createRun = () =>
  createSyncing(
    desk.stores,
    { v1Url: server.origin, v2Url: `${server.origin}/v2`, credentials },
    systemClock,
    () => freeDisk,
  );
const copies = (api: 'v1' | 'v2') =>
  desk.stores.agreements.list({ connectionId: ids[api], sort: 'title', limit: 100 }, 0).items;

describe('a list with a title of one MiB', () => {
  it.each([
    ['letters', 'a'],
    ['dots', '.'],
    ['combining marks', 'a\u0301'],
  ])(
    'from %s is read, searched and used for file names in time (SEC-H2, SEC-L2)',
    async (_, unit) => {
      const long = `a${unit.repeat(MIB / unit.length)}b`;
      listed = ['1', '2'].map((id) => ({ id, title: long, name: long }));
      const run = createRun();
      const work = async () => {
        for (const api of ['v1', 'v2'] as const) {
          const outcome = await run.run(api, true);
          expect(outcome).toMatchObject({ received: 2, failure: null });
          for (const { id, title } of copies(api)) {
            expect(title.length).toBeLessThanOrEqual(2000);
            const tokens = { id, title, parties: [long], connection: long, closedAt: null };
            expect(fileName('{title} {party}', tokens, new Set()).length).toBeLessThan(200);
          }
        }
      };
      // Work that is quadratic in the length would take half an hour for one MiB.
      expect(await longestBlock(work)).toBeLessThan(20_000);
    },
  );
});

describe('a reading of a list', () => {
  it('stops while the disk still has room to record sends, and keeps the pages read (SEC-L1)', async () => {
    listed = [{ id: '1', title: 'First', name: 'A' }];
    const run = createRun();
    expect((await run.run('v1', true)).failure).toBeNull();
    listed = [...listed, { id: '2', title: 'Second', name: 'B' }];
    freeDisk = 60 * MIB;
    expect(await run.run('v1', true)).toMatchObject({
      failure: { code: 'storage', reason: 'disk-full' },
    });
    expect(copies('v1').map(({ title }) => title)).toEqual(['First']);
    freeDisk = 600 * MIB;
    expect((await run.run('v1', true)).failure).toBeNull();
    expect(copies('v1').map(({ title }) => title)).toEqual(['First', 'Second']);
  });
});

import { beforeEach, describe, expect, it } from 'vitest';
import type { Connection } from '../../../shared/contract/connections.ts';
import { pageOf, partyOf, remoteOf } from '../../support/fakes/fake-service.ts';
import {
  addConnection,
  type MemoryDesk,
  startMemoryDesk,
} from '../../support/fakes/memory-desk.ts';

const OURS = '5599990008';
const THEIRS = '5560360793';
const MISTYPED = '559999-0009';

let desk: MemoryDesk;
let connection: Connection;

beforeEach(async () => {
  desk = startMemoryDesk();
  connection = await addConnection(desk, 'v2');
  await setOrgNo(MISTYPED);
});

const setOrgNo = (orgNo: string | null): Promise<Connection> =>
  desk.api['connections.setOrgNo']({ id: connection.id, orgNo });

/** Company party as the service of a connection with the mistyped number reads it. */
const companyOf = (orgNo: string) =>
  partyOf({ id: orgNo, kind: 'company', orgNo, apiSigning: null });

async function read(agreements: Readonly<Record<string, readonly string[]>>): Promise<void> {
  const remotes = Object.entries(agreements).map(([id, numbers]) =>
    remoteOf({ id, parties: numbers.map(companyOf) }),
  );
  desk.services.v2.pages = [pageOf(remotes, 1)];
  const { jobId } = await desk.api['agreements.sync']({ connectionId: connection.id, full: true });
  await desk.finish(jobId);
}

const offered = async (): Promise<string[]> =>
  (await desk.api['signing.list']({})).map(({ id, partyId }) => `${id} for ${partyId}`);
const others = () => desk.api['signing.otherCompanies']({});

describe('our organisation number in a connection of API v2', () => {
  it('decides which agreements the queue offers, also after it is corrected without a connection', async () => {
    await read({ lease: [OURS, THEIRS], theirs: [THEIRS] });
    expect(await offered()).toEqual([]);
    const requests = desk.services.v2.requestCount();
    await setOrgNo('559999-0008');
    expect(await offered()).toEqual([`lease for ${OURS}`]);
    expect((await desk.api['agreements.counts']({})).myTurn).toBe(1);
    await setOrgNo(THEIRS);
    expect(await offered()).toEqual([`lease for ${THEIRS}`, `theirs for ${THEIRS}`]);
    await setOrgNo(MISTYPED);
    expect(await offered()).toEqual([]);
    expect((await desk.api['agreements.counts']({})).myTurn).toBe(0);
    expect(desk.services.v2.requestCount()).toBe(requests);
  });

  it('offers every company if it is removed', async () => {
    await read({ lease: [OURS, THEIRS] });
    await setOrgNo('');
    expect((await desk.api['connections.list']({}))[0]?.orgNo).toBeNull();
    expect(await offered()).toEqual([`lease for ${OURS}`, `lease for ${THEIRS}`]);
  });

  it('applies to a read that began before it was corrected', async () => {
    await read({ lease: [OURS] });
    await setOrgNo(OURS);
    await read({ lease: [OURS], late: [OURS] });
    expect(await offered()).toEqual([`lease for ${OURS}`, `late for ${OURS}`]);
  });

  it('offers every company of a read that began before it was removed', async () => {
    await read({ lease: [OURS] });
    await setOrgNo(null);
    await read({ lease: [OURS], late: [THEIRS] });
    expect(await offered()).toEqual([`lease for ${OURS}`, `late for ${THEIRS}`]);
  });

  it('is that of the demo service in the demo, although its connection stores none', async () => {
    const demo = (await desk.api['connections.addDemo']({})).find(({ api }) => api === 'v2');
    connection = demo ?? connection;
    expect(connection).toMatchObject({ environment: 'demo', orgNo: null });
    await read({ theirs: [THEIRS] });
    expect((await desk.api['agreements.counts']({})).all).toBe(1);
    expect(await offered()).toEqual([]);
  });

  it('cannot be set for a connection that has no such number', async () => {
    const { id } = await addConnection(desk, 'v1');
    await expect(desk.api['connections.setOrgNo']({ id, orgNo: OURS })).rejects.toMatchObject({
      failure: { code: 'invalid', fields: { orgNo: expect.any(String) } },
    });
  });
});

describe('agreements of API v2 that all name other companies', () => {
  it('are counted with the numbers that they name, the most frequent first', async () => {
    await read({ a: [THEIRS, OURS], b: [OURS] });
    expect(await others()).toEqual([
      { connectionId: connection.id, count: 2, orgNos: [OURS, THEIRS] },
    ]);
  });

  it('are not counted once the number is corrected, or while one agreement names our number', async () => {
    await read({ a: [OURS], b: [THEIRS] });
    expect(await others()).toHaveLength(1);
    await setOrgNo(OURS);
    expect(await others()).toEqual([]);
  });

  it('are not counted if an agreement that has ended names our number', async () => {
    await setOrgNo(OURS);
    desk.services.v2.pages = [
      pageOf(
        [
          remoteOf({ id: 'sent', parties: [companyOf(THEIRS)] }),
          remoteOf({ id: 'over', state: 'signed', parties: [companyOf(OURS)] }),
        ],
        1,
      ),
    ];
    const { jobId } = await desk.api['agreements.sync']({});
    await desk.finish(jobId);
    expect(await others()).toEqual([]);
    await setOrgNo(MISTYPED);
    expect(await others()).toMatchObject([{ count: 1, orgNos: [THEIRS] }]);
  });

  it('show a personal number of a sole trader only masked', async () => {
    await read({ a: ['8507099805'] });
    expect(JSON.stringify(await others())).not.toContain('9805');
  });
});

import { beforeEach, describe, expect, it } from 'vitest';
import { SyncResult } from '../../../shared/contract/agreements.ts';
import type { Selection } from '../../../shared/contract/agreement-selection.ts';
import { AgreementId, type ConnectionId } from '../../../shared/model/ids.ts';
import { pageOf, remoteOf } from '../../support/fakes/fake-service.ts';
import {
  addConnection,
  type MemoryDesk,
  startMemoryDesk,
} from '../../support/fakes/memory-desk.ts';

const SERVER_TIME = Date.UTC(2026, 10, 21, 11, 59);

let desk: MemoryDesk;
let office: ConnectionId;
let old: ConnectionId;

beforeEach(async () => {
  desk = startMemoryDesk();
  office = (await addConnection(desk)).id;
  old = (await addConnection(desk, 'v2')).id;
});

async function select(connectionId: ConnectionId, selection: Selection) {
  const { jobId } = await desk.api['agreements.syncSelection']({ connectionId, selection });
  const job = await desk.finish(jobId);
  const [outcome] = job.result === null ? [] : SyncResult.parse(job.result).connections;
  return { job, outcome };
}

describe('a filtered reading of the service', () => {
  it('is stored in the local copy, and does not change the start of the next sync', async () => {
    const { v1 } = desk.actions;
    v1.selectedPages = [
      pageOf([remoteOf({ id: 'a' })], SERVER_TIME),
      pageOf([remoteOf({ id: 'b' })], SERVER_TIME),
    ];
    let told = 0;
    desk.on('agreements.changed', ({ added }) => void (told += added));
    const { outcome } = await select(office, { state: 'REVOKED' });
    // The change events cover all agreements, including the last.
    expect(told).toBe(2);
    expect(outcome).toMatchObject({ received: 2, changed: 2, checkedUntil: null, failure: null });
    expect(v1.selections).toEqual([{ state: 'REVOKED' }]);
    const { items } = await desk.api['agreements.list']({ connectionId: office });
    expect(items.map(({ id }) => id).toSorted()).toEqual(['a', 'b']);
  });

  it('does not mark agreements as deleted that it does not include', async () => {
    desk.actions.v1.selectedPages = [pageOf([remoteOf({ id: 'a' })], SERVER_TIME)];
    await select(office, { state: 'AWAITING' });
    desk.actions.v1.selectedPages = [];
    const { outcome } = await select(office, { active: { to: SERVER_TIME } });
    expect(outcome).toMatchObject({ received: 0, changed: 0, gone: 0 });
    const key = { connectionId: office, id: AgreementId.parse('a') };
    expect(await desk.api['agreements.show']({ ...key, refresh: false })).toMatchObject({
      gone: null,
    });
  });

  it('by a template of v2 stores which agreements were made from the template', async () => {
    const taught: unknown[] = [];
    desk.stores.agreements.setTemplate = (...args) => void taught.push(args);
    desk.actions.v2.selectedPages = [pageOf([remoteOf({ id: '004711000001' })], SERVER_TIME)];
    await select(old, { status: 'ALL', templateId: 'lease' });
    await select(old, { status: 'CLOSED', from: 0 });
    expect(taught).toEqual([[old, 'lease', ['004711000001']]]);
  });

  it('by a filter of the other API is refused before any request', async () => {
    const { job } = await select(office, { status: 'MODIFIED' });
    expect(job).toMatchObject({ state: 'failed', failure: { code: 'invalid' } });
    expect((await select(old, { state: 'AWAITING' })).job.failure?.code).toBe('invalid');
    expect(desk.actions.v1.selections).toEqual([]);
    expect(desk.actions.v2.selections).toEqual([]);
  });
});

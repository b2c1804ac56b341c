import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemChance, systemClock } from '../../../electron/adapters/system/platform.ts';
import { createOpenService } from '../../../electron/adapters/rest/open-service.ts';
import type { Demo } from '../../../electron/demo/start.ts';
import type { DraftBodyV2, DraftContent } from '../../../shared/contract/drafts.ts';
import type { ConnectionId, OutboxRef } from '../../../shared/model/ids.ts';
import { type TempDatabase, tempDatabase } from '../../adapters/sqlite/temp-database.ts';
import {
  addFilesDraft,
  createDemoWorld,
  restart,
  sendDraft,
  startWithV2,
} from '../../support/desks/demo-desk.ts';
import {
  addDraftV1,
  bodyV2,
  type MemoryDesk,
  type World,
} from '../../support/fakes/memory-desk.ts';
import { DAY, MINUTE } from '../../../shared/rules/time/units.ts';

let temp: TempDatabase;
let world: World;
let demo: Demo;
let desk: MemoryDesk;
let connectionId: ConnectionId;

/** The data file and the service are real; dates are simulated, waits are real. */
beforeEach(async () => {
  temp = tempDatabase();
  const base = createDemoWorld();
  const clock = { ...base.clock, after: systemClock.after };
  world = { ...base, clock, stores: { ...temp.stores, journal: [], actionJournal: [] } };
  ({ demo, desk, connectionId } = await startWithV2(world));
});
afterEach(async () => {
  await desk.desk.stop();
  await demo.close();
  temp[Symbol.dispose]();
});

const row = (ref: OutboxRef) => desk.api['outbox.show']({ ref });
const scans = (ref: OutboxRef) => world.stores.outbox.scans(ref).length;

async function sync(): Promise<void> {
  const { jobId } = await desk.api['agreements.sync']({});
  expect(await desk.finish(jobId)).toMatchObject({ state: 'done' });
}

/** Sends a v2 draft, and returns the row once it was sent. */
async function sendV2(body: DraftBodyV2 = bodyV2('Lease')): Promise<OutboxRef> {
  const content: DraftContent = { api: 'v2', body };
  const draft = await desk.api['drafts.create']({ content, connectionId: null });
  const ref = await sendDraft(desk, draft, connectionId);
  await desk.api['outbox.run']({});
  expect(await row(ref)).toMatchObject({ state: 'sent', attempts: 1 });
  return ref;
}

/** A draft from a template of the service with a hidden field. */
function employment(reference: string): DraftBodyV2 {
  const { text: _, ...about } = bodyV2('Employment');
  const fields = [{ name: 'desk_ref', value: reference }];
  return { ...about, type: 'DYNAMIC_PDF', dynamicPdf: { templateId: '70002', fields } };
}

/** Sends a row's request bytes again without the outbox, like a late commit. */
async function comeAgain(
  ref: OutboxRef,
  change: (body: object) => object = (body) => body,
): Promise<boolean> {
  const { body } = world.stores.outbox.request(ref);
  const { accessKey, accountId } = demo.credentials;
  const parsed = change(JSON.parse(Buffer.from(body).toString()) as object);
  const answer = await fetch(`${demo.v2Url}/agreements`, {
    method: 'POST',
    headers: { accessKey, accountId, 'content-type': 'application/json' },
    body: JSON.stringify(parsed),
  });
  await answer.arrayBuffer();
  return answer.ok;
}

describe('a second agreement of one send (v2)', () => {
  it('is found by the code in its name at the next reading, and both are reported', async () => {
    const ref = await sendV2();
    await sync();
    expect(await row(ref)).toMatchObject({ state: 'sent' });
    expect(await comeAgain(ref)).toBe(true);
    world.clock.advance(MINUTE);
    await sync();
    expect(await row(ref)).toMatchObject({ state: 'duplicate' });
    const { candidates, journal } = await desk.api['outbox.history']({ ref });
    const made = demo.agreements.v2().map(({ referenceNumber }) => referenceNumber);
    expect(candidates.map(({ id }) => id).toSorted()).toEqual(made.toSorted());
    expect(candidates.every(({ isMarked }) => isMarked)).toBe(true);
    expect(journal.at(-1)).toMatchObject({ from: 'sent', to: 'duplicate', actor: 'program' });
  });

  it('is reported once: a kept agreement leads to no other question, even after a restart', async () => {
    const ref = await sendV2();
    await comeAgain(ref);
    await sync();
    const { remoteId } = await row(ref);
    if (remoteId === null) throw new Error('It has no agreement');
    await desk.api['outbox.settle']({ ref, decision: { as: 'keep', remoteId } });
    desk = restart(world);
    world.clock.advance(MINUTE);
    await sync();
    expect(await row(ref)).toMatchObject({ state: 'sent', remoteId });
    expect(await comeAgain(ref)).toBe(true);
    world.clock.advance(MINUTE);
    await sync();
    expect(await row(ref)).toMatchObject({ state: 'duplicate' });
  });

  it('is found by the hidden field of its template, which the list does not show', async () => {
    const ref = await sendV2(employment(''));
    expect((await row(ref)).mark).toMatchObject({ by: 'field' });
    expect(await comeAgain(ref)).toBe(true);
    world.clock.advance(MINUTE);
    await sync();
    expect(await row(ref)).toMatchObject({ state: 'duplicate' });
  });

  it('is not assumed for an agreement with the same name and parties but another field or code', async () => {
    const ref = await sendV2(employment(''));
    const named = await sendV2();
    await comeAgain(ref, () => employment('of a colleague'));
    await comeAgain(named, (body) => ({ ...body, name: 'Lease ·AAAAAA' }));
    expect(demo.agreements.v2()).toHaveLength(4);
    world.clock.advance(MINUTE);
    await sync();
    for (const one of [ref, named]) expect(await row(one)).toMatchObject({ state: 'sent' });
  });

  it('is checked only once, not at every later reading', async () => {
    const ref = await sendV2();
    const name = { firstName: 'Bo', lastName: 'Ek', email: 'bo@example.com' };
    const parties = { privates: [{ personNo: '19850709-9805', ...name }], companies: [] };
    expect(await comeAgain(ref, (body) => ({ ...body, parties }))).toBe(true);
    world.clock.advance(MINUTE);
    await sync();
    const scansBefore = scans(ref);
    expect(scansBefore).toBe(1);
    expect(await row(ref)).toMatchObject({ state: 'sent' });
    for (const _again of [1, 2]) {
      world.clock.advance(MINUTE);
      await sync();
    }
    expect(scans(ref)).toBe(scansBefore);
  });

  it('is no longer looked for a week later', async () => {
    const ref = await sendV2();
    await sync();
    world.clock.advance(8 * DAY);
    await comeAgain(ref);
    await sync();
    expect(await row(ref)).toMatchObject({ state: 'sent' });
    expect(scans(ref)).toBe(0);
  });

  it('cannot come from a file uploaded for the send, since the file token works only once', async () => {
    await desk.api['settings.write']({ markNames: false });
    const files = { 'avtal.pdf': 2_000_000, 'bilaga.pdf': 2_000_000 };
    const ref = await sendDraft(desk, await addFilesDraft(desk, files), connectionId);
    await desk.api['outbox.run']({});
    expect(await row(ref)).toMatchObject({ state: 'sent', mark: { by: 'token' } });
    expect(await comeAgain(ref)).toBe(false);
    await sync();
    expect(await row(ref)).toMatchObject({ state: 'sent' });
    expect(demo.agreements.v2()).toHaveLength(1);
  });
});

describe('a send that was given up with unknown outcome (v2)', () => {
  it('is found for thirty days by its code if it appears in the list', async () => {
    demo.fault({ method: 'POST', path: /\/agreements$/, do: { kind: 'reset-before' } });
    const content: DraftContent = { api: 'v2', body: bodyV2('Lease') };
    const draft = await desk.api['drafts.create']({ content, connectionId: null });
    const ref = await sendDraft(desk, draft, connectionId);
    await desk.api['outbox.run']({});
    expect(await row(ref)).toMatchObject({ state: 'unknown' });
    await desk.api['outbox.settle']({ ref, decision: { as: 'abandon' } });
    world.clock.advance(20 * DAY);
    expect(await comeAgain(ref)).toBe(true);
    await sync();
    const [made] = demo.agreements.v2();
    expect(await row(ref)).toMatchObject({ state: 'sent', remoteId: made?.referenceNumber });
  });
});

describe('a second agreement of one send (v1)', () => {
  it('is found by its tag at the next reading, and both are reported', async () => {
    const { token } = demo.credentials;
    const { id } = await desk.api['connections.add']({
      name: 'Service v1',
      api: 'v1',
      url: demo.v1Url,
      environment: 'test',
      accountId: null,
      orgNo: null,
      secret: token,
    });
    const open = createOpenService({ clock: systemClock, chance: systemChance, log: world.log });
    const ref = await sendDraft(desk, await addDraftV1(desk), id);
    await desk.api['outbox.run']({});
    expect(await row(ref)).toMatchObject({ state: 'sent' });
    const where = { api: 'v1', environment: 'test', url: demo.v1Url, accountId: null } as const;
    const { signal } = new AbortController();
    const again = open({ ...where, orgNo: null }, token);
    const { body } = world.stores.outbox.request(ref);
    expect(await again.create(body, signal)).toMatchObject({ kind: 'done' });
    world.clock.advance(MINUTE);
    await sync();
    expect(await row(ref)).toMatchObject({ state: 'duplicate' });
    const { candidates } = await desk.api['outbox.history']({ ref });
    const made = demo.agreements.v1().map((one) => one.id);
    expect(candidates.map((one) => one.id).toSorted()).toEqual(made.toSorted());
  });
});

// tier: quick, 20 s, because nothing may be sent twice by two computers
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemChance } from '../../../electron/adapters/system/platform.ts';
import { plainPdf } from '../../../electron/demo/pdf/pdf.ts';
import { type Demo, startDemo } from '../../../electron/demo/start.ts';
import type { Draft, EarlierSend } from '../../../shared/contract/drafts.ts';
import type { ConnectionId, OutboxRef } from '../../../shared/model/ids.ts';
import { connectV1, createDemoWorld } from '../../support/desks/demo-desk.ts';
import {
  addDraftV1,
  addDraftV2,
  bodyV1,
  type MemoryDesk,
  startMemoryDesk,
} from '../../support/fakes/memory-desk.ts';
import { sendElsewhere } from '../../support/send-elsewhere.ts';
import { DAY } from '../../../shared/rules/time/units.ts';

/** Reference of a send that neither computer of a test made. */
const FOREIGN = '7f9c24e8-3b12-4d5f-9f51-0d3b6a2c1e47';

/** A computer that knows other computers' sends only from the service. */
interface Computer {
  readonly desk: MemoryDesk;
  readonly ids: Readonly<Record<'v1' | 'v2', ConnectionId>>;
}

let demo: Demo;
let now = 0;
let one: Computer;
let two: Computer;

async function computer(): Promise<Computer> {
  // The references of two computers always differ.
  const world = { ...createDemoWorld(), chance: systemChance };
  now = world.clock.now();
  const desk = startMemoryDesk(world);
  return { desk, ids: { v1: await connectV1(desk, demo), v2: await named(desk) } };
}

/** Adds a v2 connection with a name of its own, since two connections need different names. */
async function named(desk: MemoryDesk): Promise<ConnectionId> {
  const { accessKey, accountId } = demo.credentials;
  const url = demo.v2Url;
  const about = { name: 'Old', api: 'v2', url, environment: 'test', accountId } as const;
  return (await desk.api['connections.add']({ ...about, orgNo: null, secret: accessKey })).id;
}

beforeEach(async () => {
  const clock = () => createDemoWorld().clock.now();
  demo = await startDemo({ dataDir: null, seed: 'none', counterpartDelayMs: null, now: clock });
  [one, two] = [await computer(), await computer()];
});
afterEach(() => demo.close());

async function sync({ desk }: Computer): Promise<void> {
  const { jobId } = await desk.api['agreements.sync']({});
  await desk.finish(jobId);
}

const order = ({ ids }: Computer, { id, content }: Draft) => ({
  id,
  connectionId: ids[content.api],
  holdSeconds: 0,
  confirm: 1,
});

async function send(
  at: Computer,
  draft: Draft,
  again: EarlierSend['key'][] = [],
): Promise<OutboxRef> {
  const { ref } = await at.desk.api['drafts.send']({ ...order(at, draft), again });
  await at.desk.api['outbox.run']({});
  return ref;
}

async function before(at: Computer, draft: Draft): Promise<readonly EarlierSend[]> {
  const { id: draftId, connectionId } = order(at, draft);
  return (await at.desk.api['drafts.check']({ id: draftId, connectionId })).sentBefore;
}

const made = (api: 'v1' | 'v2') => demo.agreements[api]().length;
const asked = { failure: { code: 'invalid', reason: 'sent-before' } };

describe.each([
  ['v1', addDraftV1],
  ['v2', addDraftV2],
] as const)('a draft that another computer sent, API %s', (api, add) => {
  it('is shown as sent before once the local copies of agreements show it, and needs a decision (FE-N7)', async () => {
    const ref = await send(one, await add(one.desk, 'Lease'));
    const { remoteId } = await one.desk.api['outbox.show']({ ref });
    const draft = await add(two.desk, 'Lease');
    await sync(two);
    const found = await before(two, draft);
    expect(found).toMatchObject([{ ref: null, remoteId, isSent: true, at: expect.any(Number) }]);
    expect(found[0]?.people.length).toBeGreaterThan(0);
    await expect(send(two, draft)).rejects.toMatchObject(asked);
    const later = { ...order(two, draft), sendAt: now + DAY };
    await expect(two.desk.api['drafts.send'](later)).rejects.toMatchObject(asked);
    expect(made(api)).toBe(1);
    if (remoteId === null) throw new Error('It has no agreement');
    const second = await send(two, draft, [remoteId]);
    expect(made(api)).toBe(2);
    const { journal } = await two.desk.api['outbox.history']({ ref: second });
    expect(journal[0]).toMatchObject({ to: 'queued', cause: 'again', actor: 'person' });
  });

  it('is detected by the first send from data that was restored after the last reading of the service (DL-T3)', async () => {
    await send(one, await add(one.desk, 'Lease'));
    const draft = await add(two.desk, 'Lease');
    two.desk.stores.settings.write({ lastRestoredAt: now });
    await expect(send(two, draft)).rejects.toMatchObject(asked);
    expect(made(api)).toBe(1);
    const other = await add(two.desk, 'Another lease');
    const before = demo.requests.length;
    await send(two, other);
    expect(made(api)).toBe(2);
    // The first send has read the list, so the first request of this send creates the agreement.
    const since = demo.requests.slice(before);
    expect(since.findIndex(({ method }) => method === 'POST')).toBe(0);
  });

  /** Adds a connection to the same service, with its address typed differently. */
  async function connectOnceMore({ desk }: Computer): Promise<ConnectionId> {
    const { token, accessKey, accountId } = demo.credentials;
    const { id } = await desk.api['connections.add']({
      name: 'Once more',
      api,
      url: `${api === 'v1' ? demo.v1Url : demo.v2Url}/`,
      environment: 'test',
      accountId: api === 'v1' ? null : accountId,
      orgNo: null,
      secret: api === 'v1' ? token : accessKey,
    });
    return id;
  }

  it('is shown once, through any connection to the service (DL-A3)', async () => {
    const ref = await send(one, await add(one.desk, 'Lease'));
    const { remoteId } = await one.desk.api['outbox.show']({ ref });
    await sync(two);
    const connectionId = await connectOnceMore(two);
    const draft = await add(two.desk, 'Lease');
    const check = () => two.desk.api['drafts.check']({ id: draft.id, connectionId });
    expect((await check()).sentBefore).toMatchObject([{ remoteId }]);
    await sync(two);
    expect((await check()).sentBefore).toMatchObject([{ remoteId }]);
  });

  it('is not shown as sent elsewhere when this computer sent it through another connection (DL-A3)', async () => {
    const ref = await send(one, await add(one.desk, 'Lease'));
    const connectionId = await connectOnceMore(one);
    await sync(one);
    const draft = await add(one.desk, 'Lease');
    const { sentBefore } = await one.desk.api['drafts.check']({ id: draft.id, connectionId });
    expect(sentBefore).toMatchObject([{ ref }]);
  });

  it('is shown once at the computer that sent it, and not for a draft with another title (FE-N7)', async () => {
    const ref = await send(one, await add(one.desk, 'Lease'));
    await sync(one);
    await sync(two);
    expect(await before(one, await add(one.desk, 'Lease'))).toMatchObject([{ ref }]);
    expect(await before(two, await add(two.desk, 'Lease of Monday'))).toEqual([]);
  });
});

describe('a draft of API v1 and an agreement of the service', () => {
  const pdf = plainPdf('Lease', ['A lease.']);

  async function elsewhere(body: object): Promise<void> {
    const data = Buffer.from(await pdf).toString('base64');
    const document = { type: 'BASE64', category: 'AGREEMENT', name: 'lease.pdf', data };
    await sendElsewhere(demo, { ...bodyV1('Lease'), attachments: [document], ...body });
    await sync(two);
  }
  const found = async () => (await before(two, await addDraftV1(two.desk, 'Lease'))).length;

  it('match by title and parties when an older version of the program sent the agreement (DL-A8)', async () => {
    await elsewhere({ tags: { 'desk.ref': FOREIGN } });
    expect(await found()).toBe(1);
  });

  it('match when the agreement was sent as a row of a batch (DL-A8)', async () => {
    await elsewhere({ tags: { 'desk.ref': FOREIGN, 'desk.key': 'a', 'desk.src': 'b' } });
    expect(await found()).toBe(1);
  });

  it('do not match when documents or parties differ, or when another program sent the agreement (DL-A8)', async () => {
    await elsewhere({ tags: { 'desk.ref': FOREIGN, 'desk.key': 'of other documents' } });
    await elsewhere({ tags: {} });
    const [party, ...others] = bodyV1('Lease').parties;
    const parties = [{ ...party, firstName: 'Bertil' }, ...others];
    await elsewhere({ tags: { 'desk.ref': FOREIGN }, parties });
    expect(await found()).toBe(0);
  });

  it('match for 90 days, through the same connection only (DL-A8)', async () => {
    await elsewhere({ tags: { 'desk.ref': FOREIGN } });
    const draft = await addDraftV1(two.desk, 'Lease');
    if (draft.content.api !== 'v1') throw new Error('It is of the other API');
    const { expireOn: _past, ...body } = draft.content.body;
    const { id, revision } = draft;
    const content = { api: 'v1' as const, body };
    await two.desk.api['drafts.save']({ id, revision, connectionId: null, content });
    const { sentBefore } = await two.desk.api['drafts.check']({ id: draft.id });
    expect(sentBefore).toEqual([]);
    const { desk } = two;
    desk.clock.advance(89 * DAY);
    expect(await before(two, draft)).toHaveLength(1);
    desk.clock.advance(2 * DAY);
    expect(await before(two, draft)).toEqual([]);
  });
});

describe('a draft of API v2 and an agreement of the service', () => {
  it('do not match when their recipients are different people or companies (FE-N7)', async () => {
    await send(one, await addDraftV2(one.desk, 'Lease'));
    await sync(two);
    const draft = await addDraftV2(two.desk, 'Lease');
    if (draft.content.api !== 'v2') throw new Error('It is of the other API');
    const { body } = draft.content;
    const { privates, companies } = body.parties;
    const save = async (parties: typeof body.parties) => {
      const { id, revision } = await two.desk.api['drafts.show']({ id: draft.id });
      const content = { api: 'v2' as const, body: { ...body, parties } };
      return two.desk.api['drafts.save']({ id, revision, connectionId: null, content });
    };
    expect(await before(two, draft)).toHaveLength(1);
    const [person] = privates;
    const other = { ...person, firstName: 'Bertil', lastName: 'Ek', personNo: '189001019802' };
    expect(await before(two, await save({ companies, privates: [other] }))).toEqual([]);
  });

  it('match even if the name of the agreement contains no code (FE-N7)', async () => {
    await one.desk.api['settings.write']({ markNames: false });
    await send(one, await addDraftV2(one.desk, 'Lease'));
    await sync(two);
    expect(await before(two, await addDraftV2(two.desk, 'Lease'))).toHaveLength(1);
  });
});

import { afterEach, describe, expect, it } from 'vitest';
import { type Demo, startDemo } from '../../../electron/demo/start.ts';
import type { Draft } from '../../../shared/contract/drafts.ts';
import { AgreementId, type ConnectionId, type OutboxRef } from '../../../shared/model/ids.ts';
import { DAY, HOUR, MINUTE } from '../../../shared/rules/time/units.ts';
import {
  addConnection,
  addDraftV1,
  addDraftV2,
  bodyV2,
  createWorld,
  type MemoryDesk,
  startMemoryDesk,
  type World,
} from '../../support/fakes/memory-desk.ts';
import {
  addFilesDraft,
  connectV1,
  connectV2,
  createDemoWorld,
  restart,
  sendDraft,
} from '../../support/desks/demo-desk.ts';
import { armRows } from '../../support/armed-rows.ts';
import { insertRow } from '../../support/outbox-rows.ts';
import { startOutboxWork } from '../../support/desks/outbox-work.ts';

const REFUSAL = {
  v1: '{"errors":[{"status":"400","title":"Bad Request","detail":"No"}]}',
  v2: '{"message":"No","errors":["No"]}',
};
const CREATE = { method: 'POST', path: /\/agreements$/ };
const LIST = { method: 'GET', path: /\/agreements\?/ };
/** Requests for a list, of either API. */
const LISTS = { method: 'GET', path: /\/agreements?\?/ };
const FILES = { method: 'GET', path: /\/files\/attachment\// };

interface Place {
  readonly world: World;
  readonly demo: Demo;
  readonly desk: MemoryDesk;
  readonly connectionId: ConnectionId;
}

const demos: Demo[] = [];
afterEach(async () => {
  await Promise.all(demos.splice(0).map((demo) => demo.close()));
});

async function start(api: 'v1' | 'v2', listLagMs = 0): Promise<Place> {
  const world = createDemoWorld();
  const { now } = world.clock;
  const options = { dataDir: null, seed: 'none', counterpartDelayMs: null, now } as const;
  const demo = await startDemo({ ...options, behaviour: { listLagMs } });
  demos.push(demo);
  const desk = startMemoryDesk(world);
  const connectionId = await (api === 'v1' ? connectV1(desk, demo) : connectV2(desk, demo));
  return { world, demo, desk, connectionId };
}

/** Makes the service answer the next create requests with this status, carried out or not. */
function refuse(
  { demo }: Place,
  api: 'v1' | 'v2',
  commits: boolean,
  status = 400,
  times = 1,
): void {
  const body = REFUSAL[api];
  const answer = { kind: 'status', status, contentType: 'application/json', body } as const;
  demo.fault({ ...CREATE, times, do: { ...answer, commits } });
}

const run = ({ desk }: Pick<Place, 'desk'>) => desk.api['outbox.run']({});

async function refused(place: Place, draft: Draft, commits: boolean): Promise<OutboxRef> {
  const { api } = draft.content;
  refuse(place, api, commits);
  const ref = await sendDraft(place.desk, draft, place.connectionId);
  await run(place);
  return ref;
}

/** Lets the service refuse the send of a draft, and returns the draft to drafts. */
async function corrected(place: Place, draft: Draft, commits: boolean): Promise<OutboxRef> {
  const ref = await refused(place, draft, commits);
  await place.desk.api['outbox.undo']({ ref });
  return ref;
}

async function pass(place: Pick<Place, 'world' | 'desk'>, milliseconds: number): Promise<void> {
  for (let left = milliseconds; left > 0; left -= 2 * MINUTE) {
    place.world.clock.advance(Math.min(left, 2 * MINUTE));
    await run(place);
  }
}

const rowOf = ({ world }: Pick<Place, 'world'>, ref: OutboxRef) => world.stores.outbox.get(ref);
const countOf = ({ demo }: Place) => demo.agreements.v1().length + demo.agreements.v2().length;
const sendLater = async ({ desk, connectionId, world }: Place, { id }: Draft) => {
  const sendAt = world.clock.now() + 15 * MINUTE;
  const order = { id, connectionId, holdSeconds: 0, confirm: 1, again: [], sendAt };
  return (await desk.api['drafts.send'](order)).ref;
};

const replacedSent = { state: 'queued', nextAt: null, reason: { reason: 'replaced-sent' } };
const replacedUnproved = { state: 'queued', nextAt: null, reason: { reason: 'replaced-unproved' } };

describe('a correction of a send that the service refused but carried out', () => {
  it('waits for a person if another refused correction came in between (DL-V3)', async () => {
    const place = await start('v1', 3 * MINUTE);
    const draft = await addDraftV1(place.desk);
    const first = await corrected(place, draft, true);
    await corrected(place, draft, false);
    const third = await sendLater(place, draft);
    await pass(place, 20 * MINUTE);
    expect(rowOf(place, first)).toMatchObject({ state: 'sent' });
    expect(rowOf(place, third)).toMatchObject(replacedSent);
    expect(countOf(place)).toBe(1);

    await place.desk.api['outbox.sendNow']({ ref: third });
    await run(place);
    expect(rowOf(place, third)).toMatchObject({ state: 'sent' });
    expect(countOf(place)).toBe(2);
  });

  it('waits for a person if the service rejects it while the agreement is found (DL-V4)', async () => {
    const place = await start('v1', MINUTE);
    const draft = await addDraftV1(place.desk);
    const first = await corrected(place, draft, true);
    refuse(place, 'v1', false, 401);
    const hits = [AgreementId.parse(place.demo.agreements.v1()[0]?.id ?? '')];
    // The agreement is found while the request is in flight.
    place.demo.weather(
      () => null,
      ({ method }) => {
        const item = rowOf(place, first);
        const found = { to: 'sent', cause: 'sync', remoteId: hits[0] ?? item.remoteId } as const;
        const { outbox } = place.world.stores;
        if (method === 'POST' && item.state === 'abandoned' && found.remoteId !== null) {
          const { remoteId } = found;
          outbox.apply(item, { ...found, remoteId, track: { lookAt: null } }, item.updatedAt);
        }
      },
    );
    const second = await sendDraft(place.desk, draft, place.connectionId);
    await run(place);
    expect(rowOf(place, second)).toMatchObject({ state: 'queued', verify: true });
    await place.desk.api['outbox.resume']({ connectionId: place.connectionId });
    await pass(place, 20 * MINUTE);
    expect(rowOf(place, second)).toMatchObject(replacedSent);
    expect(countOf(place)).toBe(1);
  });

  it('waits for a person even if it is a copy of the refused draft (DL-V21)', async () => {
    const place = await start('v1', 3 * MINUTE);
    const draft = await addDraftV1(place.desk);
    const first = await refused(place, draft, true);
    const copy = await place.desk.api['drafts.duplicate']({ id: draft.id });
    const second = await sendLater(place, copy);
    await pass(place, 20 * MINUTE);
    expect(rowOf(place, first)).toMatchObject({ state: 'sent' });
    expect(rowOf(place, second)).toMatchObject(replacedSent);
    expect(countOf(place)).toBe(1);
  });

  it.each(['v1', 'v2'] as const)(
    'waits for the scan even if it is a copy of the refused draft: API %s (DL-W14)',
    async (api) => {
      const place = await start(api);
      const dead = place.demo.fault({ ...LISTS, times: 1000, do: { kind: 'status', status: 500 } });
      const draft = await (api === 'v1' ? addDraftV1(place.desk) : addDraftV2(place.desk));
      await refused(place, draft, true);
      const copy = await place.desk.api['drafts.duplicate']({ id: draft.id });
      const second = await sendDraft(place.desk, copy, place.connectionId);
      await run(place);
      expect(rowOf(place, second)).toMatchObject({ state: 'queued', attempts: 0 });
      expect(countOf(place)).toBe(1);
      dead.clear();
      await pass(place, 20 * MINUTE);
      expect(rowOf(place, second)).toMatchObject(replacedSent);
      expect(countOf(place)).toBe(1);
    },
  );

  it('waits for the scan of the last refusal, even if the clock was set back before it (DL-W15)', async () => {
    const place = await start('v1');
    const draft = await addDraftV1(place.desk);
    await corrected(place, draft, false);
    place.world.clock.sleep(-2 * MINUTE);
    place.demo.fault({ ...LIST, times: 1000, do: { kind: 'status', status: 500 } });
    const second = await corrected(place, draft, true);
    const third = await sendDraft(place.desk, draft, place.connectionId);
    await run(place);
    expect(rowOf(place, third)).toMatchObject({ state: 'queued', supersedes: second });
    expect(countOf(place)).toBe(1);
  });

  it('is recognised even if its draft was handed over and handed back (DL-W16)', async () => {
    const place = await start('v1');
    place.demo.fault({ ...LIST, times: 1000, do: { kind: 'status', status: 500 } });
    const draft = await addDraftV1(place.desk);
    const first = await corrected(place, draft, true);
    // The draft returns with a new id.
    const back = await addDraftV1(place.desk, 'Lease, corrected');
    place.world.stores.drafts.setOrigin(back.id, draft.id);
    const second = await sendDraft(place.desk, back, place.connectionId);
    await run(place);
    expect(rowOf(place, second)).toMatchObject({ state: 'queued', supersedes: first });
    expect(countOf(place)).toBe(1);
  });

  it('waits even if it is a row of a spreadsheet that was imported again (DL-W17)', async () => {
    const world = createWorld();
    const { id: connectionId } = await addConnection(startMemoryDesk(world));
    const { outbox } = world.stores;
    const now = world.clock.now();
    const same = { fingerprint: 'same', nextAt: now };
    const first = insertRow(world, connectionId, same);
    outbox.claim(first, { at: now, floor: now, credential: 'key' });
    const looked = { verify: true, track: { lookAt: now, endedAt: now } };
    outbox.move(first, ['sending'], { to: 'rejected', cause: 'answer', ...looked }, now);
    const rows = armRows(world, { connectionId, rows: 2, about: same });
    expect(outbox.due(now, 10)).toEqual([]);
    expect(outbox.nextDue(now - 1)).toBeNull();

    outbox.move(first, ['rejected'], { to: 'rejected', cause: 'look', verify: false }, now);
    expect(outbox.due(now, 10).map(({ ref }) => ref)).toEqual(rows);
    outbox.move(first, ['rejected'], { to: 'sent', cause: 'look' }, now);
    expect(rows.map((ref) => outbox.replacedOpen(ref))).toEqual(['sent', 'sent']);
  });

  it('is not recognised in another row of the same spreadsheet with the same content (DL-W18)', async () => {
    const world = createWorld();
    const { id: connectionId } = await addConnection(startMemoryDesk(world));
    const { outbox } = world.stores;
    const now = world.clock.now();
    const [first, second] = armRows(world, {
      connectionId,
      rows: 2,
      about: { fingerprint: 'one' },
    });
    if (first === undefined) throw new Error('Nothing was armed');
    outbox.claim(first, { at: now, floor: now, credential: 'key' });
    outbox.move(first, ['sending'], { to: 'rejected', cause: 'answer', verify: true }, now);
    expect(outbox.due(now, 10).map(({ ref }) => ref)).toEqual([second]);
  });

  it('waits for a person if the program ended right after the match was stored (DL-V5)', async () => {
    const place = await start('v1', 3 * MINUTE);
    const { outbox } = place.world.stores;
    const draft = await addDraftV1(place.desk);
    const first = await corrected(place, draft, true);
    const second = await sendLater(place, draft);
    const remoteId = AgreementId.parse(place.demo.agreements.v1()[0]?.id ?? '');
    const found = { to: 'sent', cause: 'look', remoteId, track: { lookAt: null } } as const;
    outbox.apply(outbox.get(first), found, place.world.clock.now());
    const next = { ...place, desk: restart(place.world) };
    await pass(next, 20 * MINUTE);
    expect(rowOf(next, second)).toMatchObject(replacedSent);
    expect(countOf(next)).toBe(1);
  });
});

describe('the correction of a refused send without a conclusive list', () => {
  const isEmpty = (json: unknown) => {
    const meta = { totalRecords: 0, totalPages: 0, pageNumber: 1, pageSize: 100 };
    return typeof json === 'object' ? { ...json, data: [], meta } : json;
  };
  it.each([
    ['shows nothing that was sent before', { kind: 'mutate', change: isEmpty }],
    ['cannot be read', { kind: 'status', status: 500 }],
  ] as const)('is finally left to a person if the list %s (DL-V6)', async (_what, action) => {
    const place = await start('v1');
    await sendDraft(place.desk, await addDraftV1(place.desk, 'Earlier'), place.connectionId);
    await run(place);
    place.world.clock.advance(HOUR);
    place.demo.fault({ ...LIST, times: 1000, do: action });
    const draft = await addDraftV1(place.desk);
    const first = await corrected(place, draft, false);
    const second = await sendDraft(place.desk, draft, place.connectionId);
    await pass(place, 10 * MINUTE);
    expect(rowOf(place, second)).toMatchObject({ state: 'queued', reason: null });
    await pass(place, HOUR);
    expect(rowOf(place, first)).toMatchObject({ state: 'abandoned', verify: false });
    expect(rowOf(place, second)).toMatchObject(replacedUnproved);
    expect(countOf(place)).toBe(1);

    await place.desk.api['outbox.sendNow']({ ref: second });
    await run(place);
    expect(rowOf(place, second)).toMatchObject({ state: 'sent' });
  });
});

describe('a scan for sends that the service refused', () => {
  it('reads only the list, however many of the sends have files (DL-V7)', async () => {
    const place = await start('v2');
    place.world.stores.settings.write({ markNames: false });
    refuse(place, 'v2', false, 400, 3);
    for (const title of ['One', 'Two', 'Three']) {
      const draft = await addFilesDraft(place.desk, { 'a.pdf': 3e6, 'b.pdf': 2e6 }, title);
      await sendDraft(place.desk, draft, place.connectionId);
    }
    await run(place);
    await pass(place, 20 * MINUTE);
    const asked = place.demo.requests.filter(
      ({ method, url }) => method === 'GET' && url.includes('/files/'),
    );
    expect(asked).toEqual([]);
  });

  it('leaves a refused send as it is, and is repeated, if its files cannot be checked (DL-V8)', async () => {
    const place = await start('v2');
    place.world.stores.settings.write({ markNames: false });
    const files = { 'a.pdf': 3e6, 'b.pdf': 2e6 };
    const ref = await refused(place, await addFilesDraft(place.desk, files), false);
    await createElsewhere(place);
    place.demo.fault({ ...FILES, times: 1000, do: { kind: 'status', status: 503 } });
    await pass(place, 4 * MINUTE);
    const { state, track } = rowOf(place, ref);
    expect(state).toBe('rejected');
    expect(track.lookAt).toBeGreaterThan(place.world.clock.now());
  });

  it('does not match a later agreement of another user with a send whose files are gone (DL-V9)', async () => {
    const place = await start('v2');
    place.world.stores.settings.write({ markNames: false });
    const files = { 'a.pdf': 3e6, 'b.pdf': 2e6 };
    const ref = await refused(place, await addFilesDraft(place.desk, files), false);
    await pass(place, 20 * MINUTE);
    place.world.clock.advance(3 * DAY);
    await createElsewhere(place);
    place.demo.fault({ ...CREATE, do: { kind: 'reset-after' } });
    await sendDraft(place.desk, await addDraftV2(place.desk, 'Other'), place.connectionId);
    await run(place);
    await pass(place, 4 * MINUTE);
    expect(rowOf(place, ref)).toMatchObject({ state: 'rejected', remoteId: null });
  });

  it('does not list the correction, sent through another connection, as a match (DL-V10)', async () => {
    const place = await start('v2', MINUTE);
    place.world.stores.settings.write({ markNames: false });
    const draft = await addDraftV2(place.desk);
    const first = await corrected(place, draft, false);
    await place.desk.api['connections.rename']({ id: place.connectionId, name: 'First' });
    const other = await connectV2(place.desk, place.demo);
    const second = await sendDraft(place.desk, draft, other);
    await pass(place, 20 * MINUTE);
    expect(rowOf(place, second)).toMatchObject({ state: 'sent' });
    expect(rowOf(place, first)).toMatchObject({ state: 'abandoned' });
  });

  it('ends for a send that was undone before the program was closed for a month (DL-V11)', async () => {
    const place = await start('v1');
    const ref = await corrected(place, await addDraftV1(place.desk), false);
    place.world.clock.leap(31 * DAY);
    const { locks } = createWorld();
    await startOutboxWork({ ...place.world, locks }).worker.reconcileConnection(place.connectionId);
    const { lookAt } = rowOf(place, ref).track;
    expect(lookAt ?? Number.POSITIVE_INFINITY).toBeGreaterThan(place.world.clock.now());
  });

  it('does not start as early as a send that was refused long ago (DL-V12)', async () => {
    const place = await start('v2');
    await refused(place, await addDraftV2(place.desk), false);
    await pass(place, 20 * MINUTE);
    place.world.clock.advance(60 * DAY);
    place.demo.fault({ ...CREATE, do: { kind: 'reset-after' } });
    const draft = await addDraftV2(place.desk, 'Later');
    const later = await sendDraft(place.desk, draft, place.connectionId);
    await run(place);
    await pass(place, 2 * MINUTE);
    const [scan] = place.world.stores.outbox.scans(later);
    expect(scan?.from).toBeGreaterThan(place.world.clock.now() - 2 * DAY);
  });
});

/** Creates an agreement of the same name and parties with another program. */
async function createElsewhere({ demo, world }: Place): Promise<void> {
  const { accessKey, accountId } = demo.credentials;
  const headers = { accessKey, accountId, 'content-type': 'application/json' };
  const body = JSON.stringify(bodyV2('Lease'));
  const answer = await fetch(`${demo.v2Url}/agreements`, { method: 'POST', headers, body });
  if (answer.status !== 200) throw new Error(`${answer.status} at ${world.clock.now()}`);
}

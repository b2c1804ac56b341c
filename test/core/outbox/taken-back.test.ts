import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Demo, startDemo } from '../../../electron/demo/start.ts';
import type { ConnectionId, OutboxRef } from '../../../shared/model/ids.ts';
import {
  addFilesDraft,
  connectV1,
  connectV2,
  createDemoWorld,
  sendDraft,
} from '../../support/desks/demo-desk.ts';
import {
  addDraftV1,
  bodyV2,
  type MemoryDesk,
  startMemoryDesk,
  type World,
} from '../../support/fakes/memory-desk.ts';
import { MINUTE } from '../../../shared/rules/time/units.ts';

/** Large enough to need an upload token (API v2, "File upload for attachments"). */
const LARGE = { 'lease.pdf': 4_200_000 };

let world: World;
let demo: Demo;
let desk: MemoryDesk;

beforeEach(async () => {
  world = createDemoWorld();
  const { now } = world.clock;
  demo = await startDemo({ dataDir: null, seed: 'none', counterpartDelayMs: null, now });
  desk = startMemoryDesk(world);
  // Rows have the policy of a batch whose rows may be repeated without asking.
  const { outbox } = world.stores;
  const { get } = outbox;
  outbox.get = (ref) => ({ ...get(ref), policy: 'auto' });
});
afterEach(async () => {
  await desk.desk.stop();
  await demo.close();
});

const row = (ref: OutboxRef) => desk.api['outbox.show']({ ref });
const made = (api: 'v1' | 'v2') =>
  demo.requests.filter(
    ({ method, url }) =>
      method === 'POST' && url.includes(`/${api}/`) && url.endsWith('/agreements'),
  ).length;

async function later(...minutes: readonly number[]): Promise<void> {
  for (const one of minutes) {
    world.clock.advance(one * MINUTE);
    await desk.api['outbox.run']({});
  }
}

/** Sends a control agreement that a complete list must show. */
async function sendSeen(connectionId: ConnectionId, api: 'v1' | 'v2'): Promise<void> {
  await sendNext(connectionId, api, 'Seen');
  await desk.api['outbox.run']({});
}

async function sendNext(
  connectionId: ConnectionId,
  api: 'v1' | 'v2',
  title: string,
): Promise<OutboxRef> {
  const content = { api: 'v2', body: bodyV2(title) } as const;
  const draft =
    api === 'v1'
      ? await addDraftV1(desk, title)
      : await desk.api['drafts.create']({ content, connectionId: null });
  return sendDraft(desk, draft, connectionId);
}

describe('a send whose answer was lost, in a batch whose rows may be repeated', () => {
  it.each([
    { api: 'v1', what: 'delete' },
    { api: 'v2', what: 'revoke' },
  ] as const)(
    'is left to a person after a $what by a colleague on $api, which no list shows (DL-A7)',
    async ({ api, what }) => {
      const connectionId = await (api === 'v1' ? connectV1(desk, demo) : connectV2(desk, demo));
      await sendSeen(connectionId, api);
      demo.fault({ method: 'POST', path: /\/agreements$/, do: { kind: 'reset-after' } });
      const ref = await sendNext(connectionId, api, 'Lease');
      await desk.api['outbox.run']({});
      expect(await row(ref)).toMatchObject({ state: 'unknown', attempts: 1 });
      const id =
        api === 'v1'
          ? demo.agreements.v1().at(-1)?.id
          : demo.agreements.v2().at(-1)?.referenceNumber;
      demo.act(api, id ?? '', what);
      await later(1, 11, 3, 3, 60);
      expect(await row(ref)).toMatchObject({
        state: 'human',
        attempts: 1,
        reason: { reason: 'not-listed' },
      });
      expect(made(api)).toBe(2);
    },
  );

  /** Loses the answer for a row whose uploaded file shows later that nothing was created. */
  async function loseUnused(): Promise<{ connectionId: ConnectionId; ref: OutboxRef }> {
    const connectionId = await connectV2(desk, demo);
    await sendSeen(connectionId, 'v2');
    demo.fault({ method: 'POST', path: /\/agreements$/, do: { kind: 'reset-before' } });
    const ref = await sendDraft(desk, await addFilesDraft(desk, LARGE), connectionId);
    await desk.api['outbox.run']({});
    expect(await row(ref)).toMatchObject({ state: 'unknown', attempts: 1 });
    return { connectionId, ref };
  }

  it('is sent again if its uploaded file is still unused, so that it was not created (DL-A7)', async () => {
    const { ref } = await loseUnused();
    await later(1, 11, 3, 3);
    expect(await row(ref)).toMatchObject({ state: 'sent', attempts: 2 });
    expect(demo.agreements.v2()).toHaveLength(2);
  });

  it.each([
    { kind: 'breaker', to: 'queued', what: 'waits to be sent again', when: 'the circuit breaker' },
    { kind: 'user', to: 'human', what: 'is left to a person', when: 'a person' },
  ] as const)(
    '$what if its uploaded file is still unused, while $when holds back the connection',
    async ({ kind, to }) => {
      const { connectionId, ref } = await loseUnused();
      const { outbox } = world.stores;
      outbox.countUnknown = () => 6;
      outbox.closeGate({ connectionId, kind, until: null, reason: null, since: world.clock.now() });
      for (const minutes of [1, 11, 3, 3]) {
        world.clock.advance(minutes * MINUTE);
        await desk.api['outbox.look']({ ref });
      }
      expect(await row(ref)).toMatchObject({ state: to, attempts: 1 });
    },
  );
});

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Behaviour } from '../../../electron/demo/server/behaviour.ts';
import { type Demo, startDemo } from '../../../electron/demo/start.ts';
import type { ConnectionId, OutboxRef } from '../../../shared/model/ids.ts';
import {
  addFilesDraft,
  connectV2,
  createDemoWorld,
  sendDraft,
} from '../../support/desks/demo-desk.ts';
import {
  bodyV2,
  type MemoryDesk,
  startMemoryDesk,
  type World,
} from '../../support/fakes/memory-desk.ts';
import { MINUTE } from '../../../shared/rules/time/units.ts';

const LARGE = { 'lease.pdf': 4_200_000 };

let world: World;
let demo: Demo;
let desk: MemoryDesk;
let connectionId: ConnectionId;

beforeEach(() => {
  world = createDemoWorld();
});
afterEach(async () => {
  await desk.desk.stop();
  await demo.close();
});

async function begin(behaviour: Partial<Behaviour>): Promise<void> {
  const { now } = world.clock;
  const usual = { dataDir: null, seed: 'none', counterpartDelayMs: null, now } as const;
  demo = await startDemo({ ...usual, behaviour });
  desk = startMemoryDesk(world);
  connectionId = await connectV2(desk, demo);
}

const row = (ref: OutboxRef) => desk.api['outbox.show']({ ref });
const run = () => desk.api['outbox.run']({});
const addDraft = (name: string) =>
  desk.api['drafts.create']({ content: { api: 'v2', body: bodyV2(name) }, connectionId: null });

async function later(...minutes: readonly number[]): Promise<void> {
  for (const one of minutes) {
    world.clock.advance(one * MINUTE);
    await run();
  }
}

/** Sends a control, and a row whose answer is lost though it was carried out. */
async function lose(name: string): Promise<OutboxRef> {
  await sendDraft(desk, await addDraft('Seen'), connectionId);
  await run();
  demo.fault({ method: 'POST', path: /\/agreements$/, do: { kind: 'reset-after' } });
  const ref = await sendDraft(desk, await addDraft(name), connectionId);
  await run();
  expect(await row(ref)).toMatchObject({ state: 'unknown', attempts: 1 });
  return ref;
}

describe('a create whose answer was lost, on a service with its own date format (v2)', () => {
  const zones = ['Europe/Stockholm', '+01:00', 'UTC'] as const;
  const days = ['2026-01-15T12:00:00Z', '2026-07-15T12:00:00Z', '2026-10-25T00:40:00Z'];

  it.each(days.flatMap((day) => zones.map((zone) => ({ day, zone }))))(
    'is shown to a person with its possible matches, and never as absent: $zone on $day (DL-A5)',
    async ({ day, zone }) => {
      world.clock.advance(Date.parse(day) - world.clock.now());
      await begin({ v2Zone: zone, v2FilterZone: zone });
      await desk.api['settings.write']({ markNames: false });
      const ref = await lose('Lease');
      await later(1);
      expect(await row(ref)).toMatchObject({
        state: 'human',
        reason: { reason: 'outcome-unknown' },
      });
      const { candidates } = await desk.api['outbox.history']({ ref });
      const made = demo.agreements.v2().at(-1)?.referenceNumber;
      expect(candidates.map(({ id }) => id)).toEqual([made]);
    },
  );

  it('is left to a person if its file token was used, also after another try is refused (DL-A5)', async () => {
    await begin({ v2Zone: 'UTC', v2FilterZone: 'UTC' });
    await desk.api['settings.write']({ markNames: false });
    await sendDraft(desk, await addDraft('Seen'), connectionId);
    await run();
    demo.fault({ method: 'POST', path: /\/agreements$/, do: { kind: 'reset-after' } });
    const draft = await addFilesDraft(desk, LARGE);
    const ref = await sendDraft(desk, draft, connectionId);
    await run();
    await later(1);
    expect(await row(ref)).toMatchObject({ state: 'human', mark: { by: 'token' } });
    // A person decides to send the row again, but the service refuses the used token.
    await desk.api['outbox.settle']({ ref, decision: { as: 'resend' } });
    await run();
    expect(await row(ref)).toMatchObject({ state: 'human', attempts: 2 });
    expect(demo.agreements.v2()).toHaveLength(2);
  });
});

describe('a service that shortens or tidies names (v2)', () => {
  const name = `Lease  of ${'Åsa'.normalize('NFD')} `;

  it('identifies its agreements by their code, also in a batch whose rows may be repeated (DL-A6)', async () => {
    await begin({ names: 'tidied' });
    const { outbox } = world.stores;
    const { get } = outbox;
    outbox.get = (ref) => ({ ...get(ref), policy: 'auto' });
    const ref = await lose(name);
    await later(1, 11, 3, 60);
    const made = demo.agreements.v2();
    expect(made).toHaveLength(2);
    expect(await row(ref)).toMatchObject({
      state: 'sent',
      attempts: 1,
      remoteId: made.at(-1)?.referenceNumber,
    });
  });

  it('leads to a question if two of its agreements have the same code (DL-A6)', async () => {
    await begin({ names: 'tidied' });
    const ref = await sendDraft(desk, await addDraft(name), connectionId);
    await run();
    const sync = async () => {
      const { jobId } = await desk.api['agreements.sync']({});
      expect(await desk.finish(jobId)).toMatchObject({ state: 'done' });
    };
    await sync();
    expect(await row(ref)).toMatchObject({ state: 'sent', attempts: 1 });
    const { accessKey, accountId } = demo.credentials;
    const { body } = world.stores.outbox.request(ref);
    const headers = { accessKey, accountId, 'content-type': 'application/json' };
    await fetch(`${demo.v2Url}/agreements`, { method: 'POST', headers, body: Buffer.from(body) });
    world.clock.advance(MINUTE);
    await sync();
    expect(await row(ref)).toMatchObject({ state: 'duplicate' });
  });
});

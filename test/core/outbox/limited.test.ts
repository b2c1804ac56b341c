import { afterEach, describe, expect, it } from 'vitest';
import { type Demo, startDemo } from '../../../electron/demo/start.ts';
import { DAY, HOUR, MINUTE } from '../../../shared/rules/time/units.ts';
import { addDraftV1, startMemoryDesk } from '../../support/fakes/memory-desk.ts';
import { connectV1, createDemoWorld, restart, sendDraft } from '../../support/desks/demo-desk.ts';

const demos: Demo[] = [];
afterEach(async () => {
  await Promise.all(demos.splice(0).map((demo) => demo.close()));
});

/** A desk whose service answers requests of these methods with 429 for an hour. */
async function limitedFor(methods: readonly string[]) {
  const world = createDemoWorld();
  const { now, advance } = world.clock;
  const options = { dataDir: null, seed: 'none', counterpartDelayMs: null, now } as const;
  const demo = await startDemo(options);
  demos.push(demo);
  const desk = startMemoryDesk(world);
  const connectionId = await connectV1(desk, demo);
  await sendDraft(desk, await addDraftV1(desk, 'Earlier'), connectionId);
  await desk.api['outbox.run']({});
  const until = now() + HOUR;
  const headers = { 'Retry-After': new Date(until).toUTCString() };
  const body = '{"errors":[{"status":"429","title":"Too many"}]}';
  const answer = { status: 429, contentType: 'application/json', body, headers } as const;
  demo.weather(({ method }) =>
    now() < until && methods.includes(method) ? { kind: 'status', ...answer } : null,
  );
  const begun = demo.requests.length;
  const pass = async (milliseconds: number) => {
    for (let left = milliseconds; left > 0; left -= 2 * MINUTE) {
      advance(Math.min(left, 2 * MINUTE));
      await desk.api['outbox.run']({});
    }
  };
  const early = () => demo.requests.slice(begun).filter(({ at }) => at < until);
  return { world, demo, desk, connectionId, pass, early };
}

describe('a service that accepts no requests for an hour', () => {
  it('is not read in that hour for a rejected send, which is sent afterwards automatically (DL-V16)', async () => {
    const { world, demo, desk, connectionId, pass, early } = await limitedFor(['GET', 'POST']);
    const ref = await sendDraft(desk, await addDraftV1(desk), connectionId);
    await desk.api['outbox.run']({});
    await pass(2 * HOUR);
    expect(early().map(({ method }) => method)).toEqual(['POST']);
    expect(world.stores.outbox.get(ref)).toMatchObject({ state: 'sent', attempts: 2 });
    expect(demo.agreements.v1()).toHaveLength(2);
  });

  it('leaves a lost answer unknown, without asking a person, if only its list is limited (DL-V17)', async () => {
    const { world, demo, desk, connectionId, pass } = await limitedFor(['GET']);
    demo.fault({ method: 'POST', path: /\/agreements$/, do: { kind: 'reset-after' } });
    const ref = await sendDraft(desk, await addDraftV1(desk), connectionId);
    await desk.api['outbox.run']({});
    await pass(50 * MINUTE);
    expect(world.stores.outbox.get(ref)).toMatchObject({ state: 'unknown' });
    await pass(HOUR);
    expect(world.stores.outbox.get(ref)).toMatchObject({ state: 'sent', attempts: 1 });
  });

  it('is read again if that hour was recorded by a clock that was years ahead (DL-V23)', async () => {
    const { world, demo, desk, connectionId } = await limitedFor([]);
    demo.fault({ method: 'POST', path: /\/agreements$/, do: { kind: 'reset-after' } });
    const ref = await sendDraft(desk, await addDraftV1(desk), connectionId);
    await desk.api['outbox.run']({});
    const { clock, stores } = world;
    const since = clock.now() + 3_650 * DAY;
    const gate = { connectionId, kind: 'rate', since, until: since + HOUR, reason: null } as const;
    stores.outbox.closeGate(gate);
    clock.advance(MINUTE);
    await restart(world).api['outbox.run']({});
    expect(stores.outbox.get(ref)).toMatchObject({ state: 'sent' });
  });
});

import { beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '../../../shared/errors.ts';
import type { ConnectionId, OutboxRef } from '../../../shared/model/ids.ts';
import type { FakeService } from '../../support/fakes/fake-service.ts';
import {
  addConnection,
  addDraftV1,
  createWorld,
  type MemoryDesk,
  startMemoryDesk,
  type World,
} from '../../support/fakes/memory-desk.ts';
import { MINUTE } from '../../../shared/rules/time/units.ts';

let world: World;
let desk: MemoryDesk;
let service: FakeService;
let connectionId: ConnectionId;
/** Calls to the service, in the sequence in which they were made. */
let met: string[];
/** Failures of the next calls, the first one for the next call. */
let failures: (AppError | Promise<AppError>)[];

beforeEach(async () => {
  world = createWorld();
  desk = startMemoryDesk(world);
  service = world.services.v1;
  connectionId = (await addConnection(desk)).id;
  met = [];
  failures = [];
  const create = service.create.bind(service);
  service.create = (...args) => {
    met.push('create');
    return create(...args);
  };
  service.countOpen = async () => {
    met.push('question');
    const failure = await failures.shift();
    if (failure !== undefined) throw failure;
    return 0;
  };
});

const row = (ref: OutboxRef) => desk.api['outbox.show']({ ref });
const work = () => desk.api['outbox.run']({});
const offline = () => new AppError('offline', 'No network', { reason: 'host-unknown' });

async function queue(title = 'Lease'): Promise<OutboxRef> {
  const { id } = await addDraftV1(desk, title);
  return (await desk.api['drafts.send']({ id, connectionId, holdSeconds: 0, confirm: 1 })).ref;
}

describe('the outbox, after the computer slept', () => {
  it('sends only after each connection has answered one harmless request (TX-13)', async () => {
    await queue('One');
    await work();
    expect(met).toEqual(['create']);
    desk.desk.wokeUp();
    for (const title of ['Two', 'Three', 'Four']) await queue(title);
    await work();
    expect(met).toEqual(['create', 'question', 'create', 'create', 'create']);
  });

  it('sends nothing until the service answers (TX-13)', async () => {
    failures = [offline(), offline()];
    desk.desk.wokeUp();
    const ref = await queue();
    await work();
    expect(await row(ref)).toMatchObject({ state: 'queued', reason: { reason: 'host-unknown' } });
    world.clock.advance(5_000);
    await work();
    expect(met).toEqual(['question', 'question']);
    world.clock.advance(30_000);
    await work();
    expect(met).toEqual(['question', 'question', 'question', 'create']);
    expect(await row(ref)).toMatchObject({ state: 'sent', attempts: 1 });
  });

  it('does not mistake a login page of the network for the service (TX-13)', async () => {
    failures = [new AppError('service', 'The answer is no JSON', { reason: 'not-json' })];
    desk.desk.wokeUp();
    await queue();
    await work();
    expect(met).toEqual(['question']);
  });

  it('counts a service as reached even if it denies the harmless request', async () => {
    failures = [new AppError('forbidden', 'Not yours')];
    desk.desk.wokeUp();
    await queue();
    await work();
    expect(met).toEqual(['question', 'create']);
  });

  it('waits for a person if the API key is then rejected', async () => {
    failures = [new AppError('signed-out', 'No', { reason: 'credential-refused' })];
    desk.desk.wokeUp();
    await queue();
    await work();
    const [gate] = world.stores.outbox.gates(connectionId);
    expect(gate).toMatchObject({ kind: 'auth', until: null });
    expect(met).toEqual(['question']);
  });

  it('ignores an answer from before another sleep', async () => {
    const answer = Promise.withResolvers<AppError>();
    failures = [answer.promise];
    desk.desk.wokeUp();
    await queue();
    const working = work();
    await expect.poll(() => met).toEqual(['question']);
    desk.desk.wokeUp();
    answer.resolve(new AppError('forbidden', 'Answered'));
    await working;
    expect(met).toEqual(['question', 'question', 'create']);
  });

  it('sends due rows automatically', async () => {
    desk.desk.start();
    const { id } = await addDraftV1(desk, 'Lease');
    const { ref } = await desk.api['drafts.send']({ id, connectionId, holdSeconds: 5, confirm: 1 });
    world.clock.sleep(10_000);
    desk.desk.wokeUp();
    await expect.poll(async () => (await row(ref)).state, { timeout: 5000 }).toBe('sent');
    expect(met.indexOf('question')).toBeLessThan(met.indexOf('create'));
    await desk.desk.stop();
  });

  it('immediately tries a connection that was offline before', async () => {
    failures = [offline()];
    desk.desk.wokeUp();
    await queue();
    await work();
    expect(world.stores.outbox.gates(connectionId)).toMatchObject([{ kind: 'offline' }]);
    desk.desk.wokeUp();
    expect(world.stores.outbox.gates(connectionId)).toEqual([]);
  });
});

describe('the outbox of a computer that is about to sleep', () => {
  it('stops sending, and continues automatically if it stays awake', async () => {
    const ref = await queue();
    desk.desk.sleepSoon();
    await work();
    expect(met).toEqual([]);
    expect(await row(ref)).toMatchObject({ state: 'queued' });
    world.clock.advance(30_000);
    await work();
    expect(met).toEqual(['question', 'create']);
  });
});

describe('a host that reports no sleep', () => {
  it('is covered by its clock: a jump of the clock counts as sleep (TX-13)', async () => {
    desk.desk.start();
    world.clock.sleep(10 * MINUTE);
    world.clock.advance(15_000);
    service.countOpen = () => {
      met.push('question');
      return Promise.reject(offline());
    };
    const ref = await queue();
    await work();
    expect(await row(ref)).toMatchObject({ state: 'queued', reason: { reason: 'host-unknown' } });
    expect(met).not.toContain('create');
    await desk.desk.stop();
  });
});

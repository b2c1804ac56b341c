import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { claimKey } from '../../../electron/adapters/office/seal.ts';
import type { OfficeServer } from '../../../electron/adapters/office/server.ts';
import type { JoinedOffice } from '../../../electron/core/office/ports.ts';
import type { NewRow } from '../../../electron/core/outbox/ports.ts';
import type { WriteResult } from '../../../electron/core/ports.ts';
import { AppError, type Failure } from '../../../shared/errors.ts';
import type { ConnectionId, OutboxRef } from '../../../shared/model/ids.ts';
import { BATCH } from '../../support/armed-rows.ts';
import { startOutboxWork } from '../../support/desks/outbox-work.ts';
import { done } from '../../support/fakes/fake-service.ts';
import {
  addConnection,
  createWorld,
  startMemoryDesk,
  type World,
} from '../../support/fakes/memory-desk.ts';
import { insertRow } from '../../support/outbox-rows.ts';
import { postgresPrograms } from '../../support/postgres.ts';
import {
  type OfficeDatabase,
  startOffice,
  type TestDesk,
} from '../../adapters/office/office-database.ts';

const MINUTE = 60_000;
const SECRET = Buffer.alloc(32, 7);
const refusal: Failure = { code: 'invalid', message: 'No' };
const lost: Failure = { code: 'offline', message: 'Lost', reason: 'connection-lost' };

/** A desk of the office: its own data and outbox, and the service that all of them send to. */
interface Desk {
  readonly world: World;
  readonly connectionId: ConnectionId;
  readonly work: ReturnType<typeof startOutboxWork>;
  readonly joined: JoinedOffice;
  insert(change?: Partial<NewRow>): OutboxRef;
  send(ref: OutboxRef, answer?: WriteResult): Promise<unknown>;
  state(ref: OutboxRef): string;
}

describe.skipIf(postgresPrograms === null)('an outbox in an office', () => {
  let place: OfficeDatabase;
  let server: OfficeServer;
  let seats: readonly [TestDesk, TestDesk];
  let anna: Desk;
  let bo: Desk;
  let asked: number;
  let beforeRequest: () => void;

  beforeAll(async () => {
    place = await startOffice();
    seats = [await place.addDesk(), await place.addDesk()];
  }, 600_000);
  beforeEach(async () => {
    await place.empty();
    server = { ...place.server };
    asked = 0;
    beforeRequest = () => undefined;
    anna = await desk(seats[0]);
    bo = await desk(seats[1]);
  });
  afterAll(() => place?.remove());

  async function desk(who: TestDesk): Promise<Desk> {
    const world: World = {
      ...createWorld(),
      chance: { ...createWorld().chance, uuid: randomUUID },
    };
    const { id: connectionId } = await addConnection(startMemoryDesk(world));
    const through: OfficeServer = {
      query: (...given) => server.query(...given),
      command: (...given) => server.command(...given),
      transaction: (work) => {
        asked += 1;
        return server.transaction(work);
      },
      close: async () => undefined,
    };
    const joined: JoinedOffice = {
      desk: who.desk,
      claims: place.claimsOf(who, through),
      claimKey: (parts) => claimKey(SECRET, parts),
      goesOnWithout: true,
    };
    const hooks = { beforeAttempt: () => beforeRequest(), afterAttempt: () => undefined };
    const work = startOutboxWork(world, { joined: () => joined, hooks });
    const state = (ref: OutboxRef) => world.stores.outbox.get(ref).state;
    return {
      world,
      connectionId,
      work,
      joined,
      state,
      insert: (change = {}) =>
        insertRow(world, connectionId, {
          nextAt: world.clock.now(),
          fingerprint: 'lease',
          ...change,
        }),
      async send(ref, answer = done('7')) {
        world.services.v1.answers = [answer];
        await work.worker.attempt(ref);
        await work.office.told();
        return state(ref);
      },
    };
  }
  const sent = () => anna.world.services.v1.created.length + bo.world.services.v1.created.length;
  const why = ({ world }: Desk, ref: OutboxRef) => world.stores.outbox.get(ref).reason?.reason;
  /** Nobody answers at the office's address. */
  const away = (): void => {
    const gone = async () => {
      throw new AppError('offline', 'The office cannot be reached', { reason: 'connection-lost' });
    };
    server = { ...place.server, query: gone, command: gone, transaction: gone };
  };

  it('sends what two desks send at once from one of them', async () => {
    const [ours, theirs] = [anna.insert(), bo.insert()];
    await Promise.all([anna.send(ours), bo.send(theirs)]);
    expect(sent()).toBe(1);
    const states = [anna.state(ours), bo.state(theirs)].toSorted();
    expect(states).toEqual(['queued', 'sent']);
  });

  it('lets a person decide over what another desk has sent, who sees which', async () => {
    await anna.send(anna.insert());
    const ref = bo.insert();
    expect(await bo.send(ref)).toBe('queued');
    expect(why(bo, ref)).toBe('claimed-elsewhere');
    const [held] = await bo.work.office.holders(ref);
    expect(held).toMatchObject({ desk: seats[0].desk, seat: seats[0].seat, state: 'done' });
    // Sent all the same, after this one was seen.
    bo.work.office.follow(ref, await bo.work.office.holders(ref));
    bo.work.transitions.postpone(ref, bo.world.clock.now(), { cause: 'person' });
    expect(await bo.send(ref)).toBe('sent');
    expect(sent()).toBe(2);
    expect(await anna.send(anna.insert())).toBe('queued');
  });

  it('frees what the service refused, once a scan has confirmed it', async () => {
    const ref = anna.insert();
    await anna.send(ref, { kind: 'refused', failure: refusal, serverTime: null });
    expect(await bo.send(bo.insert())).toBe('queued');
    anna.world.stores.outbox.move(
      ref,
      ['rejected'],
      { to: 'rejected', cause: 'scan', verify: false },
      anna.world.clock.now(),
    );
    anna.work.office.changed(ref);
    await anna.work.office.told();
    expect(await bo.send(bo.insert())).toBe('sent');
  });

  it('keeps others from what is of unknown outcome', async () => {
    const ref = anna.insert();
    await anna.send(ref, { kind: 'unknown', failure: lost, serverTime: null });
    expect(anna.state(ref)).toBe('unknown');
    expect(await bo.send(bo.insert())).toBe('queued');
    expect(await bo.joined.claims.open()).toMatchObject([{ id: ref, state: 'unknown' }]);
  });

  it('sends again what was proven absent, unless another desk settles it by now', async () => {
    const [ref, other] = [anna.insert(), anna.insert({ fingerprint: 'order' })];
    const unknown = { kind: 'unknown', failure: lost, serverTime: null } as const;
    for (const one of [ref, other]) {
      await anna.send(one, unknown);
      const { outbox } = anna.world.stores;
      outbox.move(one, ['unknown'], { to: 'absent', cause: 'scan' }, anna.world.clock.now());
      anna.work.transitions.apply(one, { kind: 'resend' }, { cause: 'person' });
    }
    expect(await anna.send(ref)).toBe('sent');
    expect(await bo.joined.claims.takeOver({ id: other, desk: seats[0].desk })).toBe(true);
    expect(await anna.send(other)).toBe('queued');
    expect(why(anna, other)).toBe('claimed-elsewhere');
  });

  it('gives free what a person took back', async () => {
    const ref = anna.insert();
    await anna.send(ref, { kind: 'not-sent', failure: lost });
    expect(await bo.send(bo.insert())).toBe('queued');
    anna.work.transitions.takeBack(anna.world.stores.outbox.get(ref), 'person');
    await anna.work.office.told();
    expect(await bo.send(bo.insert())).toBe('sent');
  });

  it('waits while the office cannot be reached, and goes on by itself', async () => {
    away();
    const ref = anna.insert();
    expect(await anna.send(ref)).toBe('queued');
    expect([sent(), why(anna, ref)]).toEqual([0, 'office-away']);
    expect(anna.work.gates.closed(anna.connectionId)).toMatchObject([{ kind: 'office' }]);
    server = place.server;
    anna.world.clock.advance(MINUTE);
    expect(await anna.send(ref)).toBe('sent');
  });

  it('goes on without the office where a person says so, which the office hears afterwards', async () => {
    away();
    const ref = anna.insert();
    await anna.send(ref);
    anna.work.office.goWithout(ref);
    anna.work.gates.open(anna.connectionId, 'office');
    anna.work.transitions.postpone(ref, anna.world.clock.now(), { cause: 'person' });
    expect(await anna.send(ref)).toBe('sent');
    server = place.server;
    expect(await bo.joined.claims.open()).toEqual([]);
    await anna.work.office.reconcile();
    expect(await bo.send(bo.insert())).toBe('queued');
    expect(anna.world.stores.office.without()).toEqual([]);
  });

  it('tells the office afterwards what it could not hear', async () => {
    const ref = anna.insert();
    beforeRequest = away;
    expect(await anna.send(ref)).toBe('sent');
    server = place.server;
    expect(await bo.joined.claims.open()).toMatchObject([{ id: ref, state: 'claimed' }]);
    await anna.work.office.reconcile();
    expect(await bo.joined.claims.open()).toEqual([]);
    expect(await bo.send(bo.insert())).toBe('queued');
  });

  it('that ended between its claim and its first byte holds nothing up', async () => {
    const ref = anna.insert();
    const item = anna.world.stores.outbox.get(ref);
    expect(await anna.work.office.claim(item)).toBeNull();
    anna.work.transitions.takeBack(item, 'person');
    // The program ended here.
    const next = startOutboxWork(anna.world, { joined: () => anna.joined });
    await next.office.reconcile();
    expect(await bo.send(bo.insert())).toBe('sent');
  });

  it('claims the rows of a batch in one go, and each that says the same as one of them', async () => {
    const rows = ['a', 'b', 'a', 'c'].map((fingerprint, at) => ({ fingerprint, rowNo: at + 2 }));
    const batch = { batchId: BATCH, title: 'Leases', policy: 'ask', stopAfter: null } as const;
    for (const each of [anna, bo]) armBatch(each, batch, rows);
    const [annas, bos] = [rowsOf(anna), rowsOf(bo)];
    asked = 0;
    for (const ref of annas) expect(await anna.send(ref)).toBe('sent');
    expect([sent(), asked]).toEqual([4, 1]);
    for (const ref of bos) expect(await bo.send(ref)).toBe('queued');
    expect([sent(), asked]).toEqual([4, 2]);
  });

  const rowsOf = ({ world }: Desk) => world.stores.outbox.inBatch(BATCH).map(({ ref }) => ref);
  function armBatch(
    { world, connectionId }: Desk,
    batch: { batchId: typeof BATCH; title: string; policy: 'ask'; stopAfter: null },
    rows: readonly Pick<NewRow, 'fingerprint' | 'rowNo'>[],
  ): void {
    const { outbox } = world.stores;
    for (const row of rows) {
      const ref = world.chance.uuid() as OutboxRef;
      const item: NewRow = {
        ref,
        connectionId,
        kind: 'create',
        title: 'Lease',
        people: [],
        mark: { by: 'tag' },
        nextAt: world.clock.now(),
        ...row,
      };
      const request = { body: Buffer.from(JSON.stringify({ ref })), target: null, signedAt: null };
      outbox.stage(BATCH, { item, request, uploads: [] }, world.clock.now());
    }
    outbox.arm({ ...batch, connectionId }, world.clock.now());
  }

  it('asks nothing while it is in no office', async () => {
    const world = createWorld();
    const { id } = await addConnection(startMemoryDesk(world));
    const work = startOutboxWork(world);
    asked = 0;
    const ref = insertRow(world, id, { nextAt: world.clock.now(), fingerprint: 'lease' });
    await work.worker.attempt(ref);
    expect([world.stores.outbox.get(ref).state, asked]).toEqual(['sent', 0]);
  });
});

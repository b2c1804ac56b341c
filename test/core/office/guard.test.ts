import { randomUUID } from 'node:crypto';
import { NO_ADOPTION_DELAYS } from '../../../electron/core/office/adopt.ts';
import { CLAIM_NAMES_VERSION } from '../../../electron/core/office/told.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { NewRow } from '../../../electron/core/outbox/ports.ts';
import type { Failure } from '../../../shared/errors.ts';
import { OutboxRef } from '../../../shared/model/ids.ts';
import { BATCH } from '../../support/armed-rows.ts';
import { startOutboxWork } from '../../support/desks/outbox-work.ts';
import { addConnection, createWorld, startMemoryDesk } from '../../support/fakes/memory-desk.ts';
import { insertRow } from '../../support/outbox-rows.ts';
import { postgresPrograms } from '../../support/postgres.ts';
import {
  type OfficeDatabase,
  startOffice,
  type TestDesk,
} from '../../adapters/office/office-database.ts';
import { type OfficeDesk, joinOffice, officeDesk, tellOffice } from './desks.ts';
import { MINUTE } from '../../../shared/rules/time/units.ts';

const refusal: Failure = { code: 'invalid', message: 'No' };
const lost: Failure = { code: 'offline', message: 'Lost', reason: 'connection-lost' };

describe.skipIf(postgresPrograms === null)('an outbox in an office', () => {
  let place: OfficeDatabase;
  let seats: readonly [TestDesk, TestDesk];
  let anna: OfficeDesk;
  let bo: OfficeDesk;

  beforeAll(async () => {
    place = await startOffice();
    seats = [await place.addDesk(), await place.addDesk()];
  }, 600_000);
  beforeEach(async () => {
    await place.empty();
    anna = await officeDesk(place, seats[0]);
    bo = await officeDesk(place, seats[1]);
  });
  afterAll(() => place?.remove());

  const sent = () => anna.world.services.v1.created.length + bo.world.services.v1.created.length;
  const cut = (isCut: boolean): void => {
    anna.isCut = isCut;
    bo.isCut = isCut;
  };

  it('sends an agreement from one computer only, when two computers send it at the same time', async () => {
    const [ours, theirs] = [anna.insert(), bo.insert()];
    await Promise.all([anna.send(ours), bo.send(theirs)]);
    expect(sent()).toBe(1);
    const states = [anna.world, bo.world].flatMap(({ stores }) =>
      stores.outbox.list(0).map(({ state }) => state),
    );
    expect(states.toSorted()).toEqual(['queued', 'sent']);
  });

  it('reports sends that the service rejected for now to a restored office, so that they can be sent (DL-A10)', async () => {
    const ref = anna.insert();
    const limited = { code: 'limited', message: 'Not now' } as const;
    await anna.send(ref, { kind: 'turned-away', failure: limited });
    const [row] = anna.work.office.known();
    expect(row).toMatchObject({ ref, state: 'queued', verify: true });
    if (row === undefined) throw new Error('Nothing is known');
    expect(anna.work.office.lost(anna.joined, row)).toMatchObject({ id: ref, state: 'unknown' });
  });

  it('forgets the permission to send after another computer once the row is cancelled (DL-T2)', async () => {
    await anna.send(anna.insert());
    const ref = bo.insert();
    await bo.send(ref);
    bo.work.office.follow(ref, await bo.work.office.holders(ref));
    expect(bo.work.transitions.takeBack(bo.world.stores.outbox.get(ref), 'person')).toBe(true);
    const again = bo.insert();
    expect([await bo.send(again), bo.why(again)]).toEqual(['queued', 'claimed-elsewhere']);
  });

  it('lets a person decide about content that another computer has sent, and shows which computer', async () => {
    await anna.send(anna.insert());
    const ref = bo.insert();
    expect(await bo.send(ref)).toBe('queued');
    expect(bo.why(ref)).toBe('claimed-elsewhere');
    const [held] = await bo.work.office.holders(ref);
    expect(held).toMatchObject({ desk: seats[0].desk, seat: seats[0].seat, state: 'done' });
    // The person sends this row although the other computer's row was shown.
    bo.work.office.follow(ref, await bo.work.office.holders(ref));
    bo.work.transitions.postpone(ref, bo.world.clock.now(), { cause: 'person' });
    expect(await bo.send(ref)).toBe('sent');
    expect(sent()).toBe(2);
    expect(await anna.send(anna.insert())).toBe('queued');
  });

  it('releases a refused send to other computers once a scan has confirmed the refusal', async () => {
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
    await anna.work.office.reported();
    expect(await bo.send(bo.insert())).toBe('sent');
  });

  it('does not release a refused send when no scan could confirm that the service created nothing (DL-W27)', async () => {
    const ref = anna.insert();
    await anna.send(ref, { kind: 'refused', failure: refusal, serverTime: null });
    const { outbox } = anna.world.stores;
    const unproved = { inconclusiveScans: 5, inconclusiveSince: 1, lookAt: null };
    const look = { to: 'rejected', cause: 'look', verify: false, track: unproved } as const;
    outbox.move(ref, ['rejected'], look, anna.world.clock.now());
    anna.work.office.changed(ref);
    await anna.work.office.reported();
    const theirs = bo.insert();
    expect([await bo.send(theirs), bo.why(theirs)]).toEqual(['queued', 'claimed-elsewhere']);
    expect(await bo.work.office.holders(theirs)).toMatchObject([{ id: ref, state: 'given-up' }]);
    bo.work.office.follow(theirs, await bo.work.office.holders(theirs));
    bo.work.transitions.postpone(theirs, bo.world.clock.now(), { cause: 'person' });
    expect(await bo.send(theirs)).toBe('sent');
  });

  it('lets a second correction be sent after the first send was given up and its correction refused (DL-W28)', async () => {
    const { outbox } = anna.world.stores;
    const refused = { kind: 'refused', failure: refusal, serverTime: null } as const;
    const once = [['draft', 'one']];
    const confirm = (ref: OutboxRef, state: 'rejected' | 'abandoned') => {
      const look = { to: state, cause: 'look', verify: false, track: { lookAt: null } } as const;
      outbox.move(ref, [state], look, anna.world.clock.now());
      anna.work.office.changed(ref);
    };
    const first = anna.insert({ fingerprint: 'a', once });
    await anna.send(first, refused);
    anna.work.transitions.takeBack(outbox.get(first), 'person');
    confirm(first, 'abandoned');
    const second = anna.insert({ fingerprint: 'b', once, supersedes: first });
    expect(await anna.send(second, refused)).toBe('rejected');
    confirm(second, 'rejected');
    await anna.work.office.reported();
    const third = anna.insert({ fingerprint: 'c', once, supersedes: second });
    expect([await anna.send(third), anna.why(third)]).toEqual(['sent', undefined]);
  });

  it('prevents other computers from repeating a send with unknown outcome', async () => {
    const ref = anna.insert();
    await anna.send(ref, { kind: 'unknown', failure: lost, serverTime: null });
    expect(anna.world.stores.outbox.get(ref).state).toBe('unknown');
    expect(await bo.send(bo.insert())).toBe('queued');
    expect(await bo.joined.claims.open()).toMatchObject([{ id: ref, state: 'unknown' }]);
  });

  it('repeats a send that was proven absent, unless another computer has settled it since that proof', async () => {
    const [ref, other] = [anna.insert(), anna.insert({ fingerprint: 'order' })];
    const unknown = { kind: 'unknown', failure: lost, serverTime: null } as const;
    for (const one of [ref, other]) {
      await anna.send(one, unknown);
      const { outbox } = anna.world.stores;
      outbox.move(one, ['unknown'], { to: 'absent', cause: 'scan' }, anna.world.clock.now());
      anna.work.transitions.apply(one, { kind: 'resend' }, { cause: 'person' });
    }
    expect(await anna.send(ref)).toBe('sent');
    await place.rest('15 minutes');
    expect(
      await bo.joined.claims.takeOver({ id: other, desk: seats[0].desk }, NO_ADOPTION_DELAYS),
    ).toBe(true);
    expect(await anna.send(other)).toBe('queued');
    expect(anna.why(other)).toBe('claimed-elsewhere');
  });

  it('claims a row again after its unknown outcome was settled', async () => {
    const ref = anna.insert();
    let wasCurrent = false;
    anna.beforeRequest = () => void (wasCurrent = anna.work.office.isCurrent(ref));
    expect(await anna.send(ref)).toBe('sent');
    expect([wasCurrent, anna.work.office.isCurrent(ref)]).toEqual([true, false]);
  });

  it('releases a cancelled send to other computers', async () => {
    const ref = anna.insert();
    await anna.send(ref, { kind: 'not-sent', failure: lost });
    expect(await bo.send(bo.insert())).toBe('queued');
    anna.work.transitions.takeBack(anna.world.stores.outbox.get(ref), 'person');
    await anna.work.office.reported();
    expect(await bo.send(bo.insert())).toBe('sent');
  });

  it('sends nothing while the office cannot be reached, and then continues automatically', async () => {
    cut(true);
    const ref = anna.insert();
    expect(await anna.send(ref)).toBe('queued');
    expect([sent(), anna.why(ref)]).toEqual([0, 'office-away']);
    expect(anna.work.gates.closed(anna.connectionId)).toMatchObject([{ kind: 'office' }]);
    cut(false);
    anna.world.clock.advance(MINUTE);
    expect(await anna.send(ref)).toBe('sent');
  });

  it('continues without the office when a person allows it, and reports to the office afterwards', async () => {
    cut(true);
    const ref = anna.insert();
    await anna.send(ref);
    anna.work.office.goWithout(ref);
    anna.work.gates.open(anna.connectionId, 'office');
    anna.work.transitions.postpone(ref, anna.world.clock.now(), { cause: 'person' });
    expect(await anna.send(ref)).toBe('sent');
    cut(false);
    expect(await bo.joined.claims.open()).toEqual([]);
    await anna.work.office.reconcile(anna.joined);
    // Anna has also reported the outcome, so no claim stays open.
    expect(await bo.joined.claims.open()).toEqual([]);
    expect(await bo.send(bo.insert())).toBe('queued');
    expect(anna.world.stores.office.unclaimed()).toEqual([]);
  });

  it('continues without the office although the office had allowed the row more than a minute before', async () => {
    const ref = anna.insert();
    expect(await anna.send(ref, { kind: 'not-sent', failure: lost })).toBe('queued');
    anna.world.clock.leap(MINUTE);
    cut(true);
    anna.work.office.goWithout(ref);
    anna.work.gates.open(anna.connectionId, 'offline');
    anna.work.transitions.postpone(ref, anna.world.clock.now(), { cause: 'person' });
    expect(await anna.send(ref)).toBe('sent');
  });

  it('reports that another computer sent the same while the office was away, and lists both sends', async () => {
    expect(await bo.send(bo.insert())).toBe('sent');
    cut(true);
    const ref = anna.insert();
    await anna.send(ref);
    anna.work.office.goWithout(ref);
    anna.work.gates.open(anna.connectionId, 'office');
    anna.work.transitions.postpone(ref, anna.world.clock.now(), { cause: 'person' });
    expect(await anna.send(ref)).toBe('sent');
    expect(anna.why(ref)).toBeUndefined();
    cut(false);
    await anna.work.office.reconcile(anna.joined);
    expect([anna.world.stores.outbox.get(ref).state, anna.why(ref)]).toEqual([
      'sent',
      'claimed-elsewhere',
    ]);
    const { rows } = await place.postgres.run(
      'SELECT id, state FROM signing_desk.operation',
      'office',
    );
    expect(rows).toContainEqual({ id: ref, state: 'done' });
    expect(rows).toHaveLength(2);
    expect(await anna.work.office.holders(ref)).toMatchObject([{ state: 'done' }]);
    await anna.work.office.reconcile(anna.joined);
    expect(anna.world.stores.office.unclaimed()).toEqual([]);
  });

  it('asks a person before it sends, without the office, what another computer has already sent', async () => {
    expect(await bo.send(bo.insert())).toBe('sent');
    cut(true);
    const ref = anna.insert();
    await anna.send(ref);
    anna.work.office.goWithout(ref);
    anna.work.transitions.postpone(ref, anna.world.clock.now() + MINUTE, { cause: 'person' });
    cut(false);
    await anna.work.office.reconcile(anna.joined);
    expect(anna.why(ref)).toBe('claimed-elsewhere');
    expect(anna.world.stores.outbox.get(ref)).toMatchObject({ state: 'queued', nextAt: null });
    expect(sent()).toBe(1);
  });

  it('reports a send to the office later if it could not report it in time', async () => {
    const ref = anna.insert();
    anna.beforeRequest = () => cut(true);
    expect(await anna.send(ref)).toBe('sent');
    cut(false);
    expect(await bo.joined.claims.open()).toMatchObject([{ id: ref, state: 'claimed' }]);
    await anna.work.office.reconcile(anna.joined);
    expect(await bo.joined.claims.open()).toEqual([]);
    expect(await bo.send(bo.insert())).toBe('queued');
  });

  it('does not block other computers when the program ends between the claim and the first byte', async () => {
    const ref = anna.insert();
    const item = anna.world.stores.outbox.get(ref);
    expect(await anna.work.office.claim(item, 'credential-1')).toBeNull();
    anna.work.transitions.takeBack(item, 'person');
    // The program has ended at this point.
    const next = startOutboxWork(anna.world, { joined: () => Promise.resolve(anna.joined) });
    await next.office.reconcile(anna.joined);
    expect(await bo.send(bo.insert())).toBe('sent');
  });

  it('claims the rows of a batch in one request, and rows with the same content as one', async () => {
    const rows = ['a', 'b', 'a', 'c'].map((fingerprint, at) => ({ fingerprint, rowNo: at + 2 }));
    const batch = { batchId: BATCH, title: 'Leases', policy: 'ask', stopAfter: null } as const;
    for (const each of [anna, bo]) armBatch(each, batch, rows);
    const [annas, bos] = [rowsOf(anna), rowsOf(bo)];
    for (const ref of annas) expect(await anna.send(ref)).toBe('sent');
    expect([sent(), anna.claims]).toEqual([4, 1]);
    for (const ref of bos) expect(await bo.send(ref)).toBe('queued');
    expect([sent(), bo.claims]).toEqual([4, 1]);
  });

  const rowsOf = ({ world }: OfficeDesk) =>
    world.stores.outbox.inBatch(BATCH).map(({ ref }) => ref);
  function armBatch(
    { world, connectionId }: OfficeDesk,
    batch: { batchId: typeof BATCH; title: string; policy: 'ask'; stopAfter: null },
    rows: readonly Pick<NewRow, 'fingerprint' | 'rowNo'>[],
  ): void {
    const { outbox } = world.stores;
    for (const row of rows) {
      const ref = OutboxRef.parse(world.chance.uuid());
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

  it('gives a name to a row of a batch that an earlier version froze without a name (DL-S3)', async () => {
    const batch = { batchId: BATCH, title: 'Leases', policy: 'ask', stopAfter: null } as const;
    armBatch(anna, batch, [{ fingerprint: 'a', rowNo: 2 }]);
    for (const ref of rowsOf(anna)) expect(await anna.send(ref)).toBe('sent');
    const corrected = bo.insert({ fingerprint: 'b', once: [['row', BATCH, '2']] });
    expect(await bo.send(corrected)).toBe('queued');
    expect(bo.why(corrected)).toBe('claimed-elsewhere');
    const next = bo.insert({ fingerprint: 'c', once: [['row', BATCH, '3']] });
    expect(await bo.send(next)).toBe('sent');
  });

  describe('of a computer that has just joined', () => {
    const join = (one: OfficeDesk, desk?: string) => joinOffice(place, seats[0], one, desk);
    const tellAs = (desk: OfficeDesk, who: TestDesk) => tellOffice(place, who, desk);

    it('sends nothing until it has reported its earlier sends to the office (DL-S5)', async () => {
      join(anna);
      const ref = anna.insert();
      expect(await anna.send(ref)).toBe('queued');
      expect(anna.why(ref)).toBe('office-away');
      await tellAs(anna, seats[0]);
      anna.world.clock.advance(MINUTE);
      expect(await anna.send(ref)).toBe('sent');
    });

    it('claims a send from the new office although an earlier office allowed it a moment ago (DL-S5)', async () => {
      join(anna);
      await tellAs(anna, seats[0]);
      const item = anna.world.stores.outbox.get(anna.insert());
      const { office } = anna.work;
      expect(await office.claim(item, 'token')).toBeNull();
      expect([anna.claims, office.isCurrent(item.ref)]).toEqual([1, true]);
      anna.world.stores.office.leave(() => undefined);
      const desk = randomUUID();
      join(anna, desk);
      anna.world.stores.office.tell(desk, CLAIM_NAMES_VERSION);
      expect(office.isCurrent(item.ref)).toBe(false);
      await office.claim(item, 'token');
      expect(anna.claims).toBe(2);
    });

    it('does not report its own send without the office as a send of another computer (DL-S5)', async () => {
      anna.isCut = true;
      const ref = anna.insert();
      await anna.send(ref);
      anna.work.office.goWithout(ref);
      anna.world.clock.advance(MINUTE);
      expect(await anna.send(ref)).toBe('sent');
      anna.isCut = false;
      join(anna);
      await tellAs(anna, seats[0]);
      await anna.work.office.reconcile(anna.joined);
      expect(anna.why(ref)).toBeUndefined();
      expect(anna.world.stores.office.unclaimed()).toEqual([]);
    });

    it('reports the outcomes of sends that the office lists as unknown', async () => {
      const refs = [anna.insert(), anna.insert({ fingerprint: 'order' })];
      for (const ref of refs) expect(await anna.send(ref)).toBe('sent');
      const [older, kept] = refs;
      const change = `UPDATE signing_desk.operation SET state = 'unknown' WHERE id = '${older}'`;
      await place.postgres.run(change, 'office');
      join(anna);
      await tellAs(anna, seats[0]);
      const { rows } = await place.postgres.run(
        'SELECT id, state FROM signing_desk.operation',
        'office',
      );
      const all = [older, kept].map((id) => ({ id, state: 'done' }));
      expect(rows).toEqual(expect.arrayContaining(all));
    });

    it('reports each send under its new name when the program names sends differently (DL-S3)', async () => {
      const batch = { batchId: BATCH, title: 'Leases', policy: 'ask', stopAfter: null } as const;
      armBatch(anna, batch, [{ fingerprint: 'a', rowNo: 2 }]);
      for (const ref of rowsOf(anna)) expect(await anna.send(ref)).toBe('sent');
      // An earlier version claimed a row by its content alone.
      const name = Buffer.from(anna.joined.claimKey(['once', 'row', BATCH, '2'])).toString('hex');
      const table = 'signing_desk.claim';
      await place.postgres.run(`DELETE FROM ${table} WHERE key = '\\x${name}'`, 'office');
      const rows = async () => (await place.postgres.run(`SELECT FROM ${table}`, 'office')).rows;
      expect(await rows()).toHaveLength(1);
      join(anna);
      await tellAs(anna, seats[0]);
      expect(await rows()).toHaveLength(2);
      const corrected = bo.insert({ fingerprint: 'b', once: [['row', BATCH, '2']] });
      expect(await bo.send(corrected)).toBe('queued');
      await tellAs(anna, seats[0]);
      expect(await rows()).toHaveLength(2);
    });
  });

  it('claims nothing while the computer is in no office', async () => {
    const world = createWorld();
    const { id } = await addConnection(startMemoryDesk(world));
    const work = startOutboxWork(world);
    const ref = insertRow(world, id, { nextAt: world.clock.now(), fingerprint: 'lease' });
    await work.worker.attempt(ref);
    expect(world.stores.outbox.get(ref).state).toBe('sent');
    expect(await work.office.holders(ref)).toEqual([]);
  });
});

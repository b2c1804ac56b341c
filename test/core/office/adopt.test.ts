import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  adopt,
  adoptAct,
  adoptMissing,
  NO_ADOPTION_DELAYS,
  DELAYS_FOR_UNRESOLVED_OUTCOME,
  DELAYS_FOR_ABANDONED_SEND,
} from '../../../electron/core/office/adopt.ts';
import { sealedCredential } from '../../../electron/core/office/operation.ts';
import type { OpenOperation } from '../../../electron/core/office/ports.ts';
import { SendScan } from '../../../shared/contract/office/office.ts';
import type { Failure } from '../../../shared/errors.ts';
import { AgreementId, type OutboxRef } from '../../../shared/model/ids.ts';
import { ActionJournal } from '../../../electron/core/actions/journal.ts';
import type { StoredAction } from '../../../electron/core/actions/ports.ts';
import { done, pageOf, remoteOf } from '../../support/fakes/fake-service.ts';
import { postgresPrograms } from '../../support/postgres.ts';
import {
  type OfficeDatabase,
  startOffice,
  type TestDesk,
} from '../../adapters/office/office-database.ts';
import { type OfficeDesk, officeDesk } from './desks.ts';
import { HOUR } from '../../../shared/rules/time/units.ts';

/** Does the work of a visit to the office. */
const visit = async ({ work, world, joined }: OfficeDesk) => {
  const ports = { ...work.ports, stores: world.stores };
  return adoptMissing(ports, joined, await work.office.reconcile(joined));
};

const lost: Failure = { code: 'offline', message: 'Lost', reason: 'connection-lost' };

describe.skipIf(postgresPrograms === null)('a send whose computer was lost', () => {
  let place: OfficeDatabase;
  let seats: readonly [TestDesk, TestDesk];
  let anna: OfficeDesk;
  let bo: OfficeDesk;
  let ref: OutboxRef;

  beforeAll(async () => {
    place = await startOffice();
    seats = [await place.addDesk(), await place.addDesk()];
  }, 600_000);
  beforeEach(async () => {
    await place.empty();
    anna = await officeDesk(place, seats[0]);
    bo = await officeDesk(place, seats[1]);
    ref = anna.insert();
    // The answer of the service is lost, and then the computer itself.
    anna.beforeRequest = () => void (anna.isCut = true);
    await anna.send(ref, { kind: 'unknown', failure: lost, serverTime: null });
    await place.rest('15 minutes');
  });
  afterAll(() => place?.remove());

  const left = async (): Promise<OpenOperation> => {
    const [open] = await bo.joined.claims.open();
    if (open === undefined) throw new Error('Nothing is open');
    return open;
  };
  const take = async (desk = bo) =>
    adopt(
      { ...desk.work.ports, stores: desk.world.stores },
      desk.joined,
      await left(),
      NO_ADOPTION_DELAYS,
    );
  const row = (desk = bo) => desk.world.stores.outbox.get(ref);
  const look = async (desk = bo) => {
    desk.world.clock.advance(HOUR);
    await desk.work.worker.reconcileConnection(desk.connectionId);
    await desk.work.office.reported();
  };

  it('is looked for by another computer, which finds it and reports it to the office', async () => {
    expect(await take()).toBe(ref);
    expect(row()).toMatchObject({ state: 'unknown', title: 'Lease', attempts: 1 });
    const theirs = remoteOf({ id: 'theirs', title: 'Lease', tags: { 'desk.ref': ref } });
    bo.world.services.v1.agreements.set('theirs', theirs);
    bo.world.services.v1.pages = [pageOf([]), pageOf([theirs])];
    await look();
    expect(row()).toMatchObject({ state: 'sent', remoteId: 'theirs' });
    expect(await bo.joined.claims.open()).toEqual([]);
    expect(bo.world.services.v1.created).toEqual([]);
  });

  it('is settled by its own computer, after its data was restored from an older copy (DL-A11)', async () => {
    // The copy has the row, but the restored computer has a new id.
    const back = await officeDesk(place, await place.addDesk(), { world: anna.world });
    const request = back.world.stores.outbox.request(ref).body;
    expect(await take(back)).toBe(ref);
    expect(back.world.stores.outbox.request(ref).body).toEqual(request);
    expect(row(back)).toMatchObject({ state: 'unknown', attempts: 1 });
    expect(await left()).toMatchObject({ desk: back.joined.desk, state: 'unknown' });
    const theirs = remoteOf({ id: 'theirs', title: 'Lease', tags: { 'desk.ref': ref } });
    back.world.services.v1.agreements.set('theirs', theirs);
    back.world.services.v1.pages = [pageOf([]), pageOf([theirs])];
    await look(back);
    expect(row(back)).toMatchObject({ state: 'sent', remoteId: 'theirs' });
    expect(await back.joined.claims.open()).toEqual([]);
  });

  it('cannot be sent again by the computer that took it over', async () => {
    await take();
    const { outbox } = bo.world.stores;
    expect(outbox.request(ref).body).toHaveLength(0);
    outbox.move(ref, ['unknown'], { to: 'absent', cause: 'scan' }, bo.world.clock.now());
    const absent = { kind: 'absent', mayResend: true, isNeverMade: true } as const;
    bo.work.transitions.apply(ref, absent, { cause: 'scan' });
    expect(row().state).toBe('human');
  });

  it('can be given up by a person at the computer that took it over, so that others can knowingly send again', async () => {
    await take();
    bo.work.transitions.apply(ref, { kind: 'abandon' }, { cause: 'person' });
    await bo.work.office.reported();
    const again = bo.insert();
    expect(await bo.send(again)).toBe('queued');
    bo.work.office.follow(again, await bo.work.office.holders(again));
    bo.work.transitions.postpone(again, bo.world.clock.now(), { cause: 'person' });
    expect(await bo.send(again)).toBe('sent');
  });

  it('is not sent again by its own computer when that computer returns', async () => {
    await take();
    anna.isCut = false;
    await anna.work.office.reconcile(anna.joined);
    const { outbox } = anna.world.stores;
    outbox.move(ref, ['unknown'], { to: 'absent', cause: 'scan' }, anna.world.clock.now());
    anna.work.transitions.apply(ref, { kind: 'resend' }, { cause: 'person' });
    expect(await anna.send(ref)).toBe('queued');
    expect(anna.why(ref)).toBe('claimed-elsewhere');
  });

  it('is taken over by only one computer', async () => {
    const open = await left();
    const third = await officeDesk(place, await place.addDesk());
    const by = ({ work, world, joined }: OfficeDesk) =>
      adopt({ ...work.ports, stores: world.stores }, joined, open, NO_ADOPTION_DELAYS);
    const ends = await Promise.allSettled([by(bo), by(third)]);
    expect(ends.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });

  it('reaches the computer that took it over although the reply was lost (DL-Q1)', async () => {
    expect(await bo.joined.claims.takeOver(await left(), NO_ADOPTION_DELAYS)).toBe(true);
    expect(await visit(bo)).toMatchObject([{ id: ref }]);
    expect(row()).toMatchObject({ state: 'unknown', title: 'Lease' });
    expect(await visit(bo)).toEqual([]);
    expect(await left()).toMatchObject({ desk: bo.joined.desk, state: 'unknown' });
  });

  it('is taken over without the other open items of its computer', async () => {
    const other = anna.insert({ fingerprint: 'other', title: 'Other' });
    anna.isCut = false;
    anna.world.clock.advance(HOUR);
    await anna.send(other, { kind: 'unknown', failure: lost, serverTime: null });
    await place.rest('15 minutes');
    const open = (await bo.joined.claims.open()).find(({ id }) => id === ref);
    if (open === undefined) throw new Error('It is not open');
    await bo.joined.claims.takeOver(open, NO_ADOPTION_DELAYS);
    expect((await visit(bo)).map(({ id }) => id)).toEqual([ref]);
    const after = await bo.joined.claims.open();
    expect(after.find(({ id }) => id === other)).toMatchObject({ desk: seats[0].desk });
  });

  it('stays open without blocking others when the computer that took it over cannot look for it (DL-Q1)', async () => {
    const other = anna.insert({ fingerprint: 'other', title: 'Other' });
    anna.isCut = false;
    anna.world.clock.advance(HOUR);
    await anna.send(other, { kind: 'unknown', failure: lost, serverTime: null });
    await place.rest('15 minutes');
    for (const one of await bo.joined.claims.open())
      await bo.joined.claims.takeOver(one, NO_ADOPTION_DELAYS);
    const at = `WHERE id = '${ref}'`;
    await place.postgres.run(
      `UPDATE signing_desk.operation SET sealed = set_byte(sealed, 20, get_byte(sealed, 20) # 1) ${at}`,
      'office',
    );
    expect(await visit(bo)).toMatchObject([{ id: other }]);
    expect(await bo.joined.claims.open()).toMatchObject([
      { id: ref, state: 'unknown' },
      { id: other, state: 'unknown' },
    ]);
  });

  it('returns with unknown outcome to its own computer, if only the row was lost (DL-Q1)', async () => {
    const empty = await officeDesk(place, seats[0]);
    expect(await visit(empty)).toMatchObject([{ id: ref }]);
    expect(row(empty)).toMatchObject({ state: 'unknown', title: 'Lease' });
    expect(empty.world.stores.outbox.request(ref).body).toHaveLength(0);
    const again = empty.insert();
    expect(await empty.send(again)).toBe('queued');
    expect(empty.why(again)).toBe('claimed-elsewhere');
  });

  it('is not taken over by a computer that cannot reach the service', async () => {
    const open = await left();
    const about = { title: 'Lease', scan: open.about?.scan, service: '["https://other",null]' };
    const elsewhere = { ...open, about };
    await expect(
      adopt(
        { ...bo.work.ports, stores: bo.world.stores },
        bo.joined,
        elsewhere,
        NO_ADOPTION_DELAYS,
      ),
    ).rejects.toMatchObject({ failure: { code: 'not-found' } });
    expect(await left()).toMatchObject({ desk: seats[0].desk });
  });

  /** Lets Bo make two complete scans, so late that the service would list any agreement. */
  const scanTwice = async (): Promise<void> => {
    const control = bo.insert({ fingerprint: 'control' });
    await bo.send(control, done('control'));
    const shown = remoteOf({ id: 'control', title: 'Lease', tags: { 'desk.ref': control } });
    for (let scan = 0; scan < 4; scan += 1) {
      bo.world.services.v1.pages = [pageOf([shown])];
      await look();
    }
  };

  it('is proven absent by a computer with the API key that sent it (DL-A2)', async () => {
    await take();
    await scanTwice();
    expect(row()).toMatchObject({ state: 'human', reason: { reason: 'not-listed' } });
  });

  it('is not proven absent by the list of another API key, which is given as the reason (DL-A2)', async () => {
    bo.world.services.v1.credential = 'of-bo';
    await take();
    await scanTwice();
    expect(row()).toMatchObject({ state: 'human', reason: { reason: 'outcome-unknown' } });
    expect(row().reason?.message).toContain('another API key');
    const scans = bo.world.stores.outbox.scans(ref);
    expect(scans.length).toBeGreaterThan(1);
    expect(scans.map(({ isComplete, lack }) => [isComplete, lack])).toEqual(
      scans.map(() => [false, 'other-user']),
    );
  });

  it('is not proven absent when its computer did not record which API key sent it (DL-A2)', async () => {
    const open = await left();
    const scan = { ...SendScan.parse(open.about?.scan), credentials: [] };
    const about = { title: 'Lease', service: open.about?.service ?? '', scan };
    const ports = { ...bo.work.ports, stores: bo.world.stores };
    await adopt(ports, bo.joined, { ...open, about }, NO_ADOPTION_DELAYS);
    await scanTwice();
    expect(row()).toMatchObject({ state: 'human', reason: { reason: 'outcome-unknown' } });
  });

  it('is still a signature at the computer that takes it over, if it was one', async () => {
    const open = await left();
    const target = {
      agreementId: AgreementId.parse('signed'),
      partyId: 'party',
      configurationId: 'way',
    };
    const scan = { ...SendScan.parse(open.about?.scan), target };
    const about = { title: 'Lease', service: open.about?.service ?? '', scan };
    const ports = { ...bo.work.ports, stores: bo.world.stores };
    await adopt(ports, bo.joined, { ...open, about }, NO_ADOPTION_DELAYS);
    expect(row()).toMatchObject({ kind: 'sign', remoteId: 'signed', state: 'unknown' });
  });

  it('is found through another API key that can see it (DL-A2)', async () => {
    bo.world.services.v1.credential = 'of-bo';
    await take();
    const theirs = remoteOf({ id: 'theirs', title: 'Lease', tags: { 'desk.ref': ref } });
    bo.world.services.v1.agreements.set('theirs', theirs);
    bo.world.services.v1.pages = [pageOf([]), pageOf([theirs])];
    await look();
    expect(row()).toMatchObject({ state: 'sent', remoteId: 'theirs' });
  });

  it('identifies the API keys of all its attempts by hashes with a key of the office (DL-A2)', async () => {
    anna.isCut = false;
    anna.beforeRequest = () => undefined;
    anna.world.services.v1.credential = 'renewed';
    anna.world.clock.advance(HOUR);
    const { outbox } = anna.world.stores;
    outbox.move(ref, ['unknown'], { to: 'absent', cause: 'scan' }, anna.world.clock.now());
    anna.work.transitions.apply(ref, { kind: 'resend' }, { cause: 'person' });
    anna.work.gates.resume(anna.connectionId);
    anna.work.ports.services.forget(anna.connectionId);
    await anna.send(ref, { kind: 'unknown', failure: lost, serverTime: null });
    const { credentials } = SendScan.parse((await left()).about?.scan);
    expect(credentials).toEqual(
      ['credential-1', 'renewed'].map((one) => sealedCredential(bo.joined, one)),
    );
    expect(credentials.join()).not.toMatch(/credential|renewed/u);
    await place.rest('15 minutes');
    await take();
    await scanTwice();
    expect(row()).toMatchObject({ state: 'human', reason: { reason: 'outcome-unknown' } });
  });

  it('cannot be taken over within 15 minutes of its last change, unless its user was removed (DL-A2)', async () => {
    const take = async () =>
      adopt(
        { ...bo.work.ports, stores: bo.world.stores },
        bo.joined,
        await left(),
        DELAYS_FOR_ABANDONED_SEND,
      );
    await place.rest('14 minutes');
    const refused = await take().catch((error: unknown) => error);
    expect(refused).toMatchObject({ failure: { code: 'conflict', reason: 'claim-moves' } });
    expect(String(refused)).toContain('Try again in 1 min.');
    expect(await left()).toMatchObject({ desk: seats[0].desk });
    await place.rest('15 minutes');
    expect(await take()).toBe(ref);
    const [inserted] = bo.world.stores.outbox.journal(ref);
    expect(inserted).toBeDefined();
    expect(bo.world.stores.outbox.journal(ref).some(({ actor }) => actor === 'person')).toBe(true);
  });

  it('is not taken over while its computer sends it again, although its decision was handed over (DL-A2)', async () => {
    const take = async () =>
      adopt(
        { ...bo.work.ports, stores: bo.world.stores },
        bo.joined,
        await left(),
        DELAYS_FOR_UNRESOLVED_OUTCOME,
      );
    await place.postgres.run("UPDATE signing_desk.operation SET state = 'claimed'", 'office');
    await expect(take()).rejects.toMatchObject({ failure: { reason: 'claim-moves' } });
    await place.postgres.run("UPDATE signing_desk.operation SET state = 'unknown'", 'office');
    await place.handOver(ref, seats[0], seats[1]);
    expect(await take()).toBe(ref);
  });

  it('is taken over immediately from a removed user (DL-A2)', async () => {
    await place.rest('1 minute');
    const remove = (at: string) =>
      place.postgres.run(
        `UPDATE signing_desk.seat SET removed_at = ${at} WHERE id = '${seats[0].seat}'`,
        'office',
      );
    await remove('clock_timestamp()');
    const open = await left();
    expect(open.isGone).toBe(true);
    expect(
      await adopt(
        { ...bo.work.ports, stores: bo.world.stores },
        bo.joined,
        open,
        DELAYS_FOR_ABANDONED_SEND,
      ),
    ).toBe(ref);
    await remove('NULL');
  });

  it('is rejected with a reason by a computer that cannot read it (DL-D7)', async () => {
    await place.postgres.run(
      'UPDATE signing_desk.operation SET sealed = set_byte(sealed, 20, get_byte(sealed, 20) # 1)',
      'office',
    );
    await expect(take()).rejects.toMatchObject({ failure: { reason: 'data-damaged' } });
    expect(await left()).toMatchObject({ desk: seats[0].desk, about: null });
  });
});

describe.skipIf(postgresPrograms === null)('an action whose computer was lost', () => {
  let place: OfficeDatabase;
  let anna: OfficeDesk;
  let bo: OfficeDesk;
  let action: StoredAction;

  beforeAll(async () => {
    place = await startOffice();
    anna = await officeDesk(place, await place.addDesk());
    bo = await officeDesk(place, await place.addDesk());
  }, 600_000);
  beforeEach(async () => {
    await place.empty();
    const { ports, acts } = anna.work;
    const parts = { acts, intents: { settle: () => undefined }, onDone: () => undefined };
    const { connectionId } = anna;
    const agreementId = AgreementId.parse('lease');
    action = new ActionJournal({ ...ports, ...parts }).open({
      kind: 'revoke',
      connectionId,
      agreementId,
      title: 'Lease',
    });
    await acts.claim(action);
  });
  afterAll(() => place?.remove());

  const left = async (): Promise<OpenOperation> => {
    const [open] = await bo.joined.claims.open();
    if (open === undefined) throw new Error('Nothing is open');
    return open;
  };
  const take = async (desk = bo) => {
    await place.rest('15 minutes');
    return adoptAct({ ...desk.work.ports, stores: desk.world.stores }, desk.joined, await left());
  };

  it('has an unknown outcome at the computer that takes it over, and no visit releases it (DL-B1)', async () => {
    expect(await take()).toBe(action.actionId);
    expect(bo.world.stores.actions.get(action.actionId)).toMatchObject({
      kind: 'revoke',
      state: 'unknown',
      agreementId: 'lease',
      title: 'Lease',
    });
    await bo.work.office.reconcile(bo.joined);
    expect(await left()).toMatchObject({ state: 'unknown', desk: bo.joined.desk });
  });

  it('is settled in the office when the computer that took it over reads that it was done (DL-B1)', async () => {
    await take();
    const { ports, acts } = bo.work;
    const parts = { acts, intents: { settle: () => undefined }, onDone: () => undefined };
    const journal = new ActionJournal({ ...ports, ...parts });
    journal.done(bo.world.stores.actions.get(action.actionId), 'read-back');
    await expect.poll(() => bo.joined.claims.open()).toEqual([]);
  });

  it('reaches the computer that took it over although the reply was lost (DL-Q1)', async () => {
    await place.rest('15 minutes');
    expect(await bo.joined.claims.takeOver(await left(), NO_ADOPTION_DELAYS)).toBe(true);
    expect(await visit(bo)).toMatchObject([{ id: action.actionId }]);
    expect(bo.world.stores.actions.get(action.actionId)).toMatchObject({ state: 'unknown' });
    expect(await visit(bo)).toEqual([]);
  });

  it('stays with the computer that started it when that computer takes it over (DL-B1)', async () => {
    expect(await take(anna)).toBe(action.actionId);
    expect(await left()).toMatchObject({ desk: anna.joined.desk });
  });
});

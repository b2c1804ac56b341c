import { NO_ADOPTION_DELAYS } from '../../../electron/core/office/adopt.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ActionJournal, type NewAction } from '../../../electron/core/actions/journal.ts';
import { ActionRunner } from '../../../electron/core/actions/runner.ts';
import type { ActionResult } from '../../../electron/core/services/ports.ts';
import type { ActionKind } from '../../../shared/contract/actions.ts';
import type { Failure } from '../../../shared/errors.ts';
import { AgreementId } from '../../../shared/model/ids.ts';
import { remoteOf } from '../../support/fakes/fake-service.ts';
import { postgresPrograms } from '../../support/postgres.ts';
import {
  type OfficeDatabase,
  startOffice,
  type TestDesk,
} from '../../adapters/office/office-database.ts';
import { type OfficeDesk, joinOffice, officeDesk, tellOffice } from './desks.ts';
import { HOUR } from '../../../shared/rules/time/units.ts';

const no: Failure = { code: 'invalid', message: 'No' };
const lost: Failure = { code: 'offline', message: 'Lost', reason: 'connection-lost' };
const done: ActionResult<string> = { kind: 'done', reply: 'yes', etag: null, serverTime: 7 };
const elsewhere = expect.objectContaining({
  failure: expect.objectContaining({ reason: 'claimed-elsewhere' }),
});

const unsettled = expect.objectContaining({
  failure: expect.objectContaining({ reason: 'unsettled-elsewhere' }),
});
const unknown = { kind: 'unknown', failure: lost, serverTime: null } as const;

/** A desk that acts, with a count of its sent requests. */
interface Acting {
  readonly desk: OfficeDesk;
  readonly journal: ActionJournal;
  left: number;
  act(
    kind: ActionKind,
    answer?: ActionResult<string>,
    change?: Partial<NewAction>,
  ): Promise<string>;
}

describe.skipIf(postgresPrograms === null)('an action on an agreement in an office', () => {
  let place: OfficeDatabase;
  let seats: readonly [TestDesk, TestDesk];
  let anna: Acting;
  let bo: Acting;

  beforeAll(async () => {
    place = await startOffice();
    seats = [await place.addDesk(), await place.addDesk()];
  }, 600_000);
  beforeEach(async () => {
    await place.empty();
    anna = await acting(seats[0]);
    bo = await acting(seats[1]);
  });
  afterAll(() => place?.remove());

  async function acting(who: TestDesk): Promise<Acting> {
    const desk = await officeDesk(place, who);
    const { ports, acts } = desk.work;
    const nothing = () => undefined;
    const intents = { intend: () => 0, answered: nothing, release: nothing, settle: nothing };
    const journal = new ActionJournal({ ...ports, acts, intents, onDone: nothing });
    const runner = new ActionRunner({ ...ports, acts, actionJournal: journal, intents });
    const one: Acting = {
      desk,
      journal,
      left: 0,
      async act(kind, answer = done, change = {}) {
        const agreementId = AgreementId.parse('lease');
        const what = {
          kind,
          connectionId: desk.connectionId,
          agreementId,
          title: 'Lease',
          ...change,
        };
        const outcome = await runner.run({
          what,
          prepare: async () => ({}),
          send: async () => {
            one.left += 1;
            return answer;
          },
        });
        return outcome.kind;
      },
    };
    return one;
  }
  /** Actions that are still open in the office. */
  const heard = () => anna.desk.joined.claims.open();

  it.each(['remind', 'revoke', 'remove', 'reject', 'share'] as const)(
    'is carried out by only one computer: %s',
    async (kind) => {
      const ends = await Promise.allSettled([anna.act(kind), bo.act(kind)]);
      expect(ends.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
      expect(anna.left + bo.left).toBe(1);
    },
  );

  it('is separate from an action of another kind or for another party', async () => {
    await anna.act('remind', done, { partyId: '1' });
    expect(await bo.act('remind', done, { partyId: '2' })).toBe('done');
    expect(await bo.act('share')).toBe('done');
    await expect(bo.act('remind', done, { partyId: '1' })).rejects.toEqual(elsewhere);
  });

  it('needs no claim from the office when the service itself prevents duplicates', async () => {
    await anna.act('change');
    await bo.act('change');
    expect([anna.desk.claims, bo.desk.claims]).toEqual([0, 0]);
  });

  it('can be done by other computers after the service refused it', async () => {
    await expect(
      anna.act('remind', { kind: 'refused', failure: no, serverTime: null }),
    ).rejects.toThrow();
    await expect.poll(heard).toEqual([]);
    expect(await bo.act('remind')).toBe('done');
  });

  describe.each(['remind', 'share'] as const)('with unknown outcome, %s', (kind) => {
    beforeEach(async () => {
      expect(await anna.act(kind, unknown)).toBe('unknown');
      await expect.poll(heard).toMatchObject([{ state: 'unknown' }]);
    });

    it('is blocked on every computer for a day, with the reason, and then allowed again (DL-B1)', async () => {
      for (const one of [anna, bo]) await expect(one.act(kind)).rejects.toEqual(unsettled);
      await place.age('25 hours');
      expect(await bo.act(kind)).toBe('done');
      await expect.poll(heard).toEqual([]);
      await expect(anna.act(kind)).rejects.toEqual(elsewhere);
    });

    it('is repeated immediately when a person at any computer allows it and knows who started it (DL-B1)', async () => {
      for (const one of [bo, anna]) {
        await expect(one.act(kind)).rejects.toThrow();
        const [refused] = one.desk.world.stores.actions.inState('refused').toReversed();
        if (refused === undefined) throw new Error('Nothing was refused');
        const holders = await one.desk.work.acts.holders(refused.actionId);
        expect(holders).toHaveLength(1);
        one.desk.work.acts.allow(refused.actionId, holders);
        expect(one.desk.world.stores.actions.lastCause(refused.actionId)).toBe('person');
        expect(await one.act(kind)).toBe('done');
        await expect.poll(heard).toEqual([]);
      }
      expect(anna.left + bo.left).toBe(3);
    });

    it('can still be found done later, after another computer repeated it (DL-B1)', async () => {
      await place.age('25 hours');
      await bo.act(kind);
      const [earlier] = anna.desk.world.stores.actions.inState('unknown');
      if (earlier === undefined) throw new Error('Nothing is unknown');
      anna.journal.done(earlier, 'sync');
      const done = () =>
        place.postgres.run("SELECT id FROM signing_desk.operation WHERE state = 'done'", 'office');
      await expect.poll(async () => JSON.stringify(await done())).toContain(earlier.actionId);
    });
  });

  it.each(['revoke', 'remove', 'reject'] as const)(
    'that changes the status can be repeated at any computer while its outcome is unknown: %s (DL-B1)',
    async (kind) => {
      for (const { desk } of [anna, bo]) {
        desk.world.services.v1.agreements.set('lease', remoteOf({ id: 'lease' }));
      }
      expect(await anna.act(kind, unknown)).toBe('unknown');
      await expect.poll(heard).toMatchObject([{ state: 'unknown' }]);
      expect(await bo.act(kind, unknown)).toBe('unknown');
      // The office receives the outcome after the action has ended on this computer.
      await expect.poll(heard).toMatchObject([{ desk: seats[1].desk, state: 'unknown' }]);
      expect(await anna.act(kind)).toBe('done');
      await expect.poll(heard).toEqual([]);
      expect(anna.left + bo.left).toBe(3);
    },
  );

  it('of a computer that never came back blocks other computers for a limited time: a reminder for a day (DL-B1)', async () => {
    const { desk } = anna;
    for (const kind of ['remind', 'revoke'] as const) {
      const agreementId = AgreementId.parse('lease');
      await desk.work.acts.claim(
        anna.journal.open({ kind, connectionId: desk.connectionId, agreementId }),
      );
    }
    await expect(bo.act('revoke')).rejects.toEqual(elsewhere);
    await place.age('2 hours');
    expect(await bo.act('revoke')).toBe('done');
    await expect(bo.act('remind')).rejects.toEqual(unsettled);
    await place.age('23 hours');
    expect(await bo.act('remind')).toBe('done');
    await expect.poll(heard).toEqual([]);
  });

  it('is claimed again when the computer slept before the office’s reply arrived (DL-B1)', async () => {
    const { desk } = anna;
    const { claims } = desk.joined;
    const claim = claims.claim.bind(claims);
    let asked = 0;
    vi.spyOn(claims, 'claim').mockImplementation(async (...given) => {
      const reply = await claim(...given);
      asked += 1;
      if (asked > 1) return reply;
      desk.world.clock.advance(26 * HOUR);
      await place.age('26 hours');
      await bo.act('remind');
      return reply;
    });
    await expect(anna.act('remind')).rejects.toEqual(unsettled);
    expect([anna.left, bo.left]).toEqual([0, 1]);
  });

  it('is separate from an action for another address or another notification of the party (DL-B1)', async () => {
    const to = (address: string) => ({
      partyId: '1',
      notificationId: 'n',
      goal: { to: [address] },
    });
    await anna.act('remind', done, to('a@example.com'));
    expect(await anna.act('remind', done, to('b@example.com'))).toBe('done');
    expect(await bo.act('remind', done, { ...to('a@example.com'), notificationId: 'm' })).toBe(
      'done',
    );
    await expect(bo.act('remind', done, to('a@example.com'))).rejects.toEqual(elsewhere);
  });

  it('stays with the computer that took it over while its first computer slept before the reply arrived (DL-D4)', async () => {
    let slept = false;
    anna.desk.afterClaim = async () => {
      if (slept) return;
      slept = true;
      anna.desk.world.clock.advance(7_200_000);
      const [open] = await heard();
      await place.age('2 hours');
      if (open !== undefined) await bo.desk.joined.claims.takeOver(open, NO_ADOPTION_DELAYS);
    };
    await expect(anna.act('remind')).rejects.toEqual(unsettled);
    expect([slept, anna.left]).toEqual([true, 0]);
  });

  it('that may be repeated can be repeated a day after another computer did it', async () => {
    await anna.act('remind');
    await expect.poll(heard).toEqual([]);
    await expect(bo.act('remind')).rejects.toEqual(elsewhere);
    await place.age('25 hours');
    expect(await bo.act('remind')).toBe('done');
    await place.age('1 hour');
    await expect(anna.act('remind')).rejects.toEqual(elsewhere);
  });

  it('that cannot be repeated stays blocked, however long ago it was done', async () => {
    await anna.act('remove');
    await place.age('25 hours');
    await expect(bo.act('remove')).rejects.toEqual(elsewhere);
  });

  it('is reported to an office that has no record of it, unless the service prevents duplicates', async () => {
    for (const kind of ['remove', 'change'] as const) await anna.act(kind);
    await expect.poll(heard).toEqual([]);
    await place.empty();
    joinOffice(place, seats[0], anna.desk);
    await tellOffice(place, seats[0], anna.desk);
    await expect(bo.act('remove')).rejects.toEqual(elsewhere);
    const { rows } = await place.postgres.run('SELECT kind FROM signing_desk.operation', 'office');
    expect(rows).toEqual([{ kind: 'remove' }]);
  });

  it('waits while the office cannot be reached, and sends no request', async () => {
    anna.desk.isCut = true;
    await expect(anna.act('remind')).rejects.toMatchObject({
      failure: { code: 'offline', reason: 'office-away' },
    });
    expect(anna.left).toBe(0);
  });

  it('that was refused can be retried by its computer although the office did not receive the refusal', async () => {
    const { desk, journal } = anna;
    const agreementId = AgreementId.parse('lease');
    const action = journal.open({ kind: 'remind', connectionId: desk.connectionId, agreementId });
    await desk.work.acts.claim(action);
    journal.claim(action);
    const move = { to: 'refused', cause: 'reply', failure: no } as const;
    desk.world.stores.actions.move(action.actionId, ['sending'], move, desk.world.clock.now());
    expect(await heard()).toMatchObject([{ id: action.actionId, state: 'claimed' }]);
    expect(await anna.act('remind')).toBe('done');
  });

  it('that was in progress when the program ended has an unknown outcome in the office too', async () => {
    const { desk, journal } = anna;
    const agreementId = AgreementId.parse('lease');
    const action = journal.open({ kind: 'remind', connectionId: desk.connectionId, agreementId });
    await desk.work.acts.claim(action);
    journal.claim(action);
    // The program has ended at this point, and another process holds the lock.
    const { ports, acts, office } = desk.work;
    const intents = { settle: () => undefined };
    new ActionJournal({ ...ports, acts, intents, onDone: () => undefined }).recover();
    await office.reconcile(desk.joined);
    expect(await heard()).toMatchObject([{ id: action.actionId, state: 'unknown' }]);
  });

  it('that was interrupted does not block its own or another computer permanently (DL-B1)', async () => {
    const { desk, journal } = anna;
    const agreementId = AgreementId.parse('lease');
    const action = journal.open({ kind: 'remind', connectionId: desk.connectionId, agreementId });
    await desk.work.acts.claim(action);
    journal.claim(action);
    desk.isCut = true;
    // The program has ended at this point; the next process could not report to the office.
    const { ports, acts } = desk.work;
    const intents = { settle: () => undefined };
    new ActionJournal({ ...ports, acts, intents, onDone: () => undefined }).recover();
    desk.isCut = false;
    await expect(anna.act('remind')).rejects.toEqual(unsettled);
    expect(await heard()).toMatchObject([{ id: action.actionId, state: 'unknown' }]);
    desk.world.clock.advance(25 * HOUR);
    await place.age('25 hours');
    expect(await bo.act('remind')).toBe('done');
  });

  it('with unknown outcome that may be repeated stays open in the office for one day only (DL-B1)', async () => {
    await anna.act('remind', unknown);
    await expect.poll(heard).toMatchObject([{ state: 'unknown' }]);
    anna.desk.world.clock.advance(25 * HOUR);
    await anna.desk.work.office.reconcile(anna.desk.joined);
    expect(await heard()).toEqual([]);
  });
});

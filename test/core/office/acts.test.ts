import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ActionJournal, type NewAction } from '../../../electron/core/actions/journal.ts';
import { ActionRunner } from '../../../electron/core/actions/runner.ts';
import type { ActionResult } from '../../../electron/core/services/ports.ts';
import type { ActionKind } from '../../../shared/contract/actions.ts';
import type { Failure } from '../../../shared/errors.ts';
import { AgreementId } from '../../../shared/model/ids.ts';
import { postgresPrograms } from '../../support/postgres.ts';
import {
  type OfficeDatabase,
  startOffice,
  type TestDesk,
} from '../../adapters/office/office-database.ts';
import { type OfficeDesk, officeDesk } from './desks.ts';

const no: Failure = { code: 'invalid', message: 'No' };
const lost: Failure = { code: 'offline', message: 'Lost', reason: 'connection-lost' };
const done: ActionResult<string> = { kind: 'done', reply: 'yes', etag: null, serverTime: 7 };
const elsewhere = expect.objectContaining({
  failure: expect.objectContaining({ reason: 'claimed-elsewhere' }),
});

/** A desk that acts: how often its requests left is counted. */
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

describe.skipIf(postgresPrograms === null)('an act on an agreement in an office', () => {
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
  /** The office has heard what ended. */
  const heard = () => anna.desk.joined.claims.open();

  it.each(['remind', 'revoke', 'remove', 'reject', 'share'] as const)(
    'is done by one desk: %s',
    async (kind) => {
      const ends = await Promise.allSettled([anna.act(kind), bo.act(kind)]);
      expect(ends.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
      expect(anna.left + bo.left).toBe(1);
    },
  );

  it('of another kind or another party is another act', async () => {
    await anna.act('remind', done, { partyId: '1' });
    expect(await bo.act('remind', done, { partyId: '2' })).toBe('done');
    expect(await bo.act('share')).toBe('done');
    await expect(bo.act('remind', done, { partyId: '1' })).rejects.toEqual(elsewhere);
  });

  it('that the service guards itself asks nobody', async () => {
    await anna.act('change');
    await bo.act('change');
    expect([anna.desk.claims, bo.desk.claims]).toEqual([0, 0]);
  });

  it('that was refused is free for others', async () => {
    await expect(
      anna.act('remind', { kind: 'refused', failure: no, serverTime: null }),
    ).rejects.toThrow();
    await expect.poll(heard).toEqual([]);
    expect(await bo.act('remind')).toBe('done');
  });

  it('of unknown outcome keeps others out', async () => {
    const unknown = { kind: 'unknown', failure: lost, serverTime: null } as const;
    expect(await anna.act('remind', unknown)).toBe('unknown');
    await expect.poll(heard).toMatchObject([{ state: 'unknown' }]);
    await expect(bo.act('remind')).rejects.toEqual(elsewhere);
  });

  it('that may be repeated is, a day after another desk did it', async () => {
    await anna.act('remind');
    await expect.poll(heard).toEqual([]);
    await expect(bo.act('remind')).rejects.toEqual(elsewhere);
    await place.age('25 hours');
    expect(await bo.act('remind')).toBe('done');
    await place.age('1 hour');
    await expect(anna.act('remind')).rejects.toEqual(elsewhere);
  });

  it('that cannot be repeated is not, however long ago it was', async () => {
    await anna.act('remove');
    await place.age('25 hours');
    await expect(bo.act('remove')).rejects.toEqual(elsewhere);
  });

  it('waits for an office that cannot be reached, and nothing leaves', async () => {
    anna.desk.isCut = true;
    await expect(anna.act('remind')).rejects.toMatchObject({
      failure: { code: 'offline', reason: 'office-away' },
    });
    expect(anna.left).toBe(0);
  });

  it('that was under way when the program ended is of unknown outcome in the office, too', async () => {
    const { desk, journal } = anna;
    const agreementId = AgreementId.parse('lease');
    const action = journal.open({ kind: 'remind', connectionId: desk.connectionId, agreementId });
    await desk.work.acts.claim(action);
    journal.claim(action);
    // The program ended here, and another process holds the lock now.
    const { ports, acts, office } = desk.work;
    const intents = { settle: () => undefined };
    new ActionJournal({ ...ports, acts, intents, onDone: () => undefined }).recover();
    await office.reconcile();
    expect(await heard()).toMatchObject([{ id: action.actionId, state: 'unknown' }]);
  });
});

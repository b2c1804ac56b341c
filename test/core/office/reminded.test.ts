import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createToFailure } from '../../../electron/core/app-error.ts';
import type { Operation } from '../../../electron/core/office/ports.ts';
import { OfficeReminderCopies } from '../../../electron/core/office/reminded.ts';
import { serviceOf } from '../../../electron/core/services/same-service.ts';
import { AgreementId } from '../../../shared/model/ids.ts';
import {
  type OfficeDatabase,
  operation,
  startOffice,
  type TestDesk,
} from '../../adapters/office/office-database.ts';
import { postgresPrograms } from '../../support/postgres.ts';
import { type OfficeDesk, officeDesk } from './desks.ts';
import { DAY } from '../../../shared/rules/time/units.ts';

const AGREEMENT = AgreementId.parse('004711000001');

describe.skipIf(postgresPrograms === null)('reminders sent by another computer', () => {
  let place: OfficeDatabase;
  let seats: readonly [TestDesk, TestDesk];
  let bo: OfficeDesk;
  let reminded: OfficeReminderCopies;

  beforeAll(async () => {
    place = await startOffice();
    seats = [await place.addDesk(), await place.addDesk()];
  }, 600_000);
  beforeEach(async () => {
    await place.empty();
    bo = await officeDesk(place, seats[1]);
    bo.world.clock.leap(Date.now() - bo.world.clock.now());
    const { stores, clock, log } = bo.world;
    const joined = () => Promise.resolve(bo.joined);
    reminded = new OfficeReminderCopies({ stores, joined, clock, toFailure: createToFailure(log) });
  });
  afterAll(() => place?.remove());

  const reminder = (partyId: string): Operation => {
    const service = serviceOf(bo.world.stores, bo.connectionId);
    const scan = { kind: 'remind', agreementId: AGREEMENT, partyId };
    return {
      ...operation([partyId], { kind: 'remind' }),
      about: { title: 'Lease', service, scan },
    };
  };
  const known = async () => {
    await reminded.refresh();
    const key = { connectionId: bo.connectionId, id: AGREEMENT };
    return bo.world.stores.reminders.reminded(key).map(({ partyId }) => partyId);
  };

  it('are known after that computer reports them to a restored office, long after they were sent (DL-P7)', async () => {
    await place.claimsOf(seats[0]).claim([reminder('lately')]);
    expect(await known()).toEqual(['lately']);
    const startedAt = Date.now() - 3 * DAY;
    const lost = { ...reminder('long ago'), state: 'done' as const, startedAt };
    await place.putBacksOf(seats[0]).bringBack([lost]);
    expect(await known()).toEqual(['long ago', 'lately']);
  });

  it('are known from an office that the computer joined after another one, however old they are (DL-R2)', async () => {
    const other = await startOffice();
    try {
      const [anna, carl] = [await other.addDesk(), await other.addDesk()];
      await other.claimsOf(anna).claim([reminder('in the other office')]);
      await other.rest('2 days');
      await place.claimsOf(seats[0]).claim([reminder('in this office')]);
      expect(await known()).toEqual(['in this office']);
      bo = await officeDesk(other, carl, { world: bo.world });
      expect((await known()).toSorted()).toEqual(['in the other office', 'in this office']);
    } finally {
      await other.remove();
    }
  });

  it('are no longer known once they turn out not to have been sent, however long that was unknown (DL-P7)', async () => {
    const one = reminder('given back');
    await place.claimsOf(seats[0]).claim([one]);
    await place.age('3 days');
    expect(await known()).toEqual(['given back']);
    await place.claimsOf(seats[0]).claim([reminder('later')]);
    expect(await known()).toEqual(['given back', 'later']);
    await place.claimsOf(seats[0]).settle([{ id: one.id, state: 'released' }]);
    expect(await known()).toEqual(['later']);
  });
});

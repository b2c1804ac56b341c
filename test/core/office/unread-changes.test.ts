import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  type HomeDesk,
  type OfficeDesks,
  startOfficeDesks,
} from '../../support/desks/office-desks.ts';

const entryOf = (mobile: string) => ({
  kind: 'person' as const,
  firstName: 'Ada',
  lastName: 'Ek',
  name: '',
  email: '',
  mobile,
  country: 'SE',
  companyNumber: '',
});

let office: OfficeDesks;
beforeAll(async () => {
  office = await startOfficeDesks();
});
afterAll(() => office.close());

async function mobileAt({ api }: HomeDesk): Promise<string | null> {
  const [found] = await api['people.search']({ text: 'Ada' });
  return found?.mobile ?? null;
}

it('a computer that was off keeps others’ changes although a user reports a restore of the database during that time (SR-P6)', async () => {
  const [anna, hanna] = [await office.add('Anna'), await office.add('Hanna')];
  for (const { api } of [anna, hanna])
    await api['office.share']({ set: 'address-book', isShared: true });
  const { id } = await anna.api['people.save']({ id: null, entry: entryOf('+46700000001') });
  for (const { api } of [anna, hanna]) await api['office.exchange']({});
  expect(await mobileAt(hanna)).toBe('+46700000001');
  const { home, copied } = await office.copy(hanna);
  // From now on, Hanna's computer does not reach the office.
  await anna.api['people.save']({ id, entry: entryOf('+46700000002') });
  await anna.api['office.exchange']({});
  // Writes what the database function for reporting a restore writes; any user may call it.
  await office.postgres.run(
    `INSERT INTO signing_desk.put_back (last, as_of, desk, seat, by_mark)
     SELECT (SELECT last FROM signing_desk.change_number), clock_timestamp(), id, seat, true
     FROM signing_desk.desk LIMIT 1`,
    'signing_desk',
  );
  const back = await office.putBack(home, copied);
  await expect
    .poll(async () => {
      await back.api['office.exchange']({}).catch(() => undefined);
      const found = await back.api['office.putBack']({});
      return found?.awaited.some(({ isThis }) => isThis);
    })
    .toBe(false);
  for (const { api } of [back, anna, back]) await api['office.exchange']({});
  expect(await mobileAt(anna)).toBe('+46700000002');
  expect(await mobileAt(back)).toBe('+46700000002');
  expect(await back.api['office.questions']({})).toEqual([]);
});

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { LostOperation, OfficeClaims } from '../../../electron/core/office/ports.ts';
import { OfficeUserId } from '../../../shared/contract/office/office.ts';
import { postgresPrograms } from '../../support/postgres.ts';
import {
  keyNamed,
  type OfficeDatabase,
  operation,
  startOffice,
  type TestDesk,
} from './office-database.ts';
import { DAY, MINUTE } from '../../../shared/rules/time/units.ts';

describe.skipIf(postgresPrograms === null)('the reports of computers to a restored office', () => {
  let place: OfficeDatabase;
  let one: TestDesk;
  let other: TestDesk;
  let first: OfficeClaims;
  let second: OfficeClaims;

  beforeAll(async () => {
    place = await startOffice();
    [one, other] = [await place.addDesk(), await place.addDesk()];
    [first, second] = [place.claimsOf(one), place.claimsOf(other)];
  });
  beforeEach(() => place.empty());
  afterAll(() => place?.remove());

  const sent = (
    names: readonly string[],
    change: { readonly id?: string } = {},
  ): LostOperation => ({
    ...operation(names, change),
    state: 'done',
    startedAt: Date.now(),
  });
  const holdersOf = async (name: string) =>
    (await second.holders([keyNamed(name)])).map(({ id, state }) => ({ id, state }));

  it('block a repeat of a send that the database does not know', async () => {
    const lost = sent(['a', 'b']);
    expect(await place.putBacksOf(one).bringBack([lost])).toEqual(new Map());
    const replies = await second.claim([operation(['a']), operation(['b'])]);
    expect(replies.map(({ ok }) => ok)).toEqual([false, false]);
  });

  it('include the start time of a send, however long ago', async () => {
    const startedAt = Date.now() - DAY;
    await place.putBacksOf(one).bringBack([{ ...sent(['a']), startedAt }]);
    const [holder] = await second.holders([keyNamed('a')]);
    expect(holder?.startedAt).toBeCloseTo(startedAt, -1);
    expect(holder?.age).toBeGreaterThan(DAY - MINUTE);
  });

  it('block a repeat of a send that the database knows as released (DL-P1)', async () => {
    const ours = operation(['a']);
    await first.claim([ours]);
    await first.settle([{ id: ours.id, state: 'released' }]);
    const theirs = operation(['a']);
    await second.claim([theirs]);
    await second.settle([{ id: theirs.id, state: 'released' }]);
    await place.putBacksOf(one).bringBack([sent(['a'], { id: ours.id })]);
    expect(await holdersOf('a')).toEqual([{ id: ours.id, state: 'done' }]);
    expect(await second.claim([operation(['a'])])).toMatchObject([{ ok: false }]);
  });

  it('restore claim keys written after the dump, and do not add known keys twice (DL-P1)', async () => {
    const ours = operation(['content']);
    await first.claim([ours]);
    await place.putBacksOf(one).bringBack([sent(['content', 'draft'], { id: ours.id })]);
    expect(await second.claim([operation(['draft'])])).toMatchObject([{ ok: false }]);
    const { rows } = await place.postgres.run('SELECT key FROM signing_desk.claim', 'office');
    expect(rows).toHaveLength(2);
  });

  it('do not let a send of unknown outcome hide a done send, or run next to it (DL-P1)', async () => {
    const theirs = operation(['a']);
    await second.claim([theirs]);
    await second.settle([{ id: theirs.id, state: 'done' }]);
    const ours = { ...sent(['a']), state: 'unknown' as const };
    await place.putBacksOf(one).bringBack([ours]);
    expect(await holdersOf('a')).toEqual([{ id: theirs.id, state: 'done' }]);
    const again = { ...operation(['a']), id: ours.id };
    expect(await first.claim([again])).toMatchObject([{ ok: false, held: [{ id: theirs.id }] }]);
  });

  it('do not let two sends of unknown outcome run next to each other (DL-P1)', async () => {
    const theirs = operation(['a']);
    await second.claim([theirs]);
    await second.settle([{ id: theirs.id, state: 'unknown' }]);
    const ours = { ...sent(['a']), state: 'unknown' as const };
    await place.putBacksOf(one).bringBack([ours]);
    const again = { ...operation(['a']), id: ours.id };
    expect(await first.claim([again])).toMatchObject([{ ok: false, held: [{ id: theirs.id }] }]);
    expect(await second.claim([theirs])).toMatchObject([{ ok: false, held: [{ id: ours.id }] }]);
    await second.settle([{ id: theirs.id, state: 'released' }]);
    expect(await first.claim([again])).toMatchObject([{ ok: true }]);
    expect(await second.claim([operation(['a'])])).toMatchObject([{ ok: false }]);
  });

  describe('handle resent sends of unknown outcome, which', () => {
    async function both() {
      const [ours, theirs] = [sent(['a']), sent(['a'])];
      await place.putBacksOf(one).bringBack([{ ...ours, state: 'unknown' }]);
      await place.putBacksOf(other).bringBack([{ ...theirs, state: 'unknown' }]);
      return [ours, theirs] as const;
    }
    /** Returns the operation as a user lets it follow all current holders of its key. */
    async function seen({ id }: LostOperation) {
      return operation(['a'], { id, seen: await first.allHolders([keyNamed('a')]) });
    }

    it('wait for each other as abandoned, and continue once a user has seen the abandoned sends (DL-P8)', async () => {
      const [ours, theirs] = await both();
      const unknown = { id: theirs.id, state: 'unknown' };
      expect(await first.claim([ours])).toMatchObject([{ ok: false, held: [unknown] }]);
      const given = { id: ours.id, state: 'given-up' };
      expect(await second.claim([theirs])).toMatchObject([{ ok: false, held: [given] }]);
      expect(await first.claim([await seen(ours)])).toEqual([{ id: ours.id, ok: true }]);
      await first.settle([{ id: ours.id, state: 'done' }]);
      const [refused] = await second.claim([theirs]);
      expect(refused).toHaveProperty(
        'held[0]',
        expect.objectContaining({ id: ours.id, state: 'done' }),
      );
    });

    it('continue at only one computer if two users have seen the same abandoned sends (DL-P8)', async () => {
      const [ours, theirs] = await both();
      await first.claim([ours]);
      await second.claim([theirs]);
      const [mine, yours] = [await seen(ours), await seen(theirs)];
      expect(await first.claim([mine])).toMatchObject([{ ok: true }]);
      const claimed = { id: ours.id, state: 'claimed' };
      expect(await second.claim([yours])).toMatchObject([{ ok: false, held: [claimed] }]);
      // The second computer must not continue, even if the first one ended without a send.
      await first.settle([{ id: ours.id, state: 'given-up' }]);
      expect(await second.claim([yours])).toMatchObject([{ ok: false }]);
    });

    it('continue automatically once the other send is found to be released (DL-P8)', async () => {
      const [ours, theirs] = await both();
      await first.claim([ours]);
      await second.settle([{ id: theirs.id, state: 'released' }]);
      expect(await first.claim([ours])).toEqual([{ id: ours.id, ok: true }]);
      expect(await second.claim([operation(['a'])])).toMatchObject([{ ok: false }]);
    });
  });

  it('include each computer with its user and role, except those of a removed user', async () => {
    const removed = await place.addDesk();
    await place.removeSeat(removed);
    const roleOf = ({ seat }: TestDesk) => `seat_${seat.slice(0, 8)}`;
    const known = (await place.putBacksOf(one).desks()).map(({ desk, seat, role }) => ({
      desk,
      seat,
      role,
    }));
    const wanted = [one, other].map((desk) => ({ ...desk, role: roleOf(desk) }));
    const byDesk = (a: TestDesk, b: TestDesk) => a.desk.localeCompare(b.desk);
    expect(known.toSorted(byDesk)).toEqual(wanted.toSorted(byDesk));
  });

  it('show which computer has claimed the key of a reported send in the restored office', async () => {
    const theirs = operation(['a']);
    await second.claim([theirs]);
    await second.settle([{ id: theirs.id, state: 'done' }]);
    const lost = sent(['a']);
    const held = await place.putBacksOf(one).bringBack([lost]);
    expect(held.get(lost.id)).toMatchObject([{ id: theirs.id, state: 'done', desk: other.desk }]);
  });

  it('leave a send that another computer settled to that computer', async () => {
    const ours = operation(['a']);
    await first.claim([ours]);
    await first.settle([{ id: ours.id, state: 'unknown' }]);
    await place.rest('1 day');
    await second.takeOver({ id: ours.id, desk: one.desk }, { claimed: 0, unknown: 0 });
    await second.settle([{ id: ours.id, state: 'released' }]);
    await place.putBacksOf(one).bringBack([sent(['a'], { id: ours.id })]);
    expect(await holdersOf('a')).toEqual([{ id: ours.id, state: 'given-up' }]);
  });

  it('name each lost computer after each restore, and none of a removed user', async () => {
    const run = (statement: string) => place.postgres.run(statement, 'office');
    onTestFinished(async () => void (await run('TRUNCATE signing_desk.put_back CASCADE')));
    const removed = await place.addDesk();
    await place.removeSeat(removed);
    const lost = ({ seat }: TestDesk, desk: string = randomUUID()) => {
      return { desk, seat: OfficeUserId.parse(seat), role: 'nobody', seenAt: Date.now() };
    };
    const known = lost(one);
    const named = [known, lost(one), lost(other), lost(other, known.desk)];
    for (let restores = 0; restores < 2; restores += 1) {
      await run(`INSERT INTO signing_desk.put_back (last, as_of, desk, seat, by_mark)
        VALUES (0, clock_timestamp(), '${one.desk}', '${one.seat}', true)`);
      const restore = await place.putBacksOf(one).read();
      if (restore === null) throw new Error('Nobody noticed');
      await place.putBacksOf(one).miss(restore.id, [known]);
      await place.putBacksOf(other).miss(restore.id, [...named, lost(removed)]);
      const { rows } = await run(`SELECT missing AS desk, of_seat AS seat
        FROM signing_desk.put_back_missing WHERE put_back = '${restore.id}'`);
      expect(rows).toHaveLength(named.length);
      expect(rows).toEqual(expect.arrayContaining(named.map(({ desk, seat }) => ({ desk, seat }))));
    }
  });
});

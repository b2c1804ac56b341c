import { describe, expect, it } from 'vitest';
import type { ReminderRule } from '../../../../shared/contract/reminders.ts';
import { ReminderRuleId } from '../../../../shared/contract/reminders.ts';
import { idOf, newConnection, remote } from '../samples.ts';
import { NOW, tempDatabase } from '../temp-database.ts';

const rule = (id: string, name: string): ReminderRule => ({
  id: ReminderRuleId.parse(`00000000-0000-4000-8000-00000000000${id}`),
  name,
  isOn: true,
  filter: { ownOnly: false },
  firstAfterDays: 3,
  everyDays: 2,
  most: 3,
  hours: { zone: 'Europe/Stockholm', from: '09:00', to: '16:00' },
  country: 'SE',
  createdAt: NOW,
});

describe('the store of reminder rules', () => {
  it('returns each rule with its last run and failures, sorted by name', () => {
    using place = tempDatabase();
    const { rules } = place.stores.reminders;
    const [one, other] = [rule('1', 'B'), rule('2', 'A')];
    rules.save(one);
    rules.save(other);
    const run = { at: NOW, reminded: 1, failed: 0, unknown: 2, failure: null };
    rules.noteRun(one.id, run, 2);
    rules.save({ ...one, most: 9 });
    expect(rules.list()).toEqual([
      { rule: other, last: null, failures: 0, countsFrom: null },
      { rule: { ...one, most: 9 }, last: run, failures: 2, countsFrom: null },
    ]);
    rules.restart(one.id, 5);
    rules.restart(one.id, null);
    expect(rules.get(one.id)).toMatchObject({ failures: 0, countsFrom: 5 });
    expect(() => rules.save(rule('3', 'A'))).toThrow('Another reminder rule already has this name');
    rules.remove(other.id);
    expect(() => rules.get(other.id)).toThrow('This reminder rule does not exist');
    expect(() => rules.remove(other.id)).toThrow('This reminder rule does not exist');
  });
});

describe('the agreements for reminder rules', () => {
  it('are all open agreements of API v1 with a connection, read in steps', () => {
    using place = tempDatabase();
    const { connections, agreements, reminders } = place.stores;
    const v1 = newConnection({ name: 'A' });
    const v2 = newConnection({ name: 'B', api: 'v2' });
    for (const connection of [v1, v2]) connections.save(connection);
    const put = (id: string, state: 'waiting' | 'part-signed' | 'signed' | 'draft') =>
      remote({ id, state, tags: { a: 'b' } });
    agreements.put(
      v1.id,
      'v1',
      [put('x', 'waiting'), put('s', 'signed'), put('d', 'draft'), put('y', 'part-signed')],
      NOW,
    );
    agreements.put(v2.id, 'v2', [put('z', 'waiting')], NOW);
    const all = reminders.open(0, 10);
    expect(
      all.map(({ id, state, tags, isOwn, templateId }) => [id, state, tags, isOwn, templateId]),
    ).toEqual([
      ['x', 'waiting', { a: 'b' }, false, null],
      ['y', 'part-signed', { a: 'b' }, false, null],
    ]);
    expect(reminders.open(all[0]?.number ?? 0, 1).map(({ id }) => id)).toEqual(['y']);
    expect(reminders.openOfV2()).toEqual([{ connectionId: v2.id, agreements: 1 }]);
    agreements.markGone({ connectionId: v1.id, id: idOf('x') }, 'deleted');
    expect(reminders.open(0, 10).map(({ id }) => id)).toEqual(['y']);
  });

  it('include the holds of each party, until the holds are removed', () => {
    using place = tempDatabase();
    const { reminders } = place.stores;
    const key = { connectionId: newConnection({ name: 'A' }).id, id: idOf('x') };
    reminders.setHold(key, 'p', 'bounced', 'ab');
    reminders.setTried(key, 'p', NOW);
    reminders.setTried(key, 'p', NOW + 1);
    reminders.setServiceTimes(key, 'p', [NOW + 2]);
    const [note] = reminders.notes(key);
    const known = { hold: 'bounced', addressHash: 'ab', triedAt: NOW + 1, tries: 2 };
    expect(note).toMatchObject({ ...known, serviceTimes: [NOW + 2], partyId: 'p' });
    reminders.setHold(key, 'p', null, null);
    reminders.setTried(key, 'p', null);
    expect(reminders.notes(key)).toMatchObject([{ hold: null, triedAt: null, tries: 0 }]);
    // Closed agreements are not read with the others.
    expect(reminders.notes()).toEqual([]);
  });
});

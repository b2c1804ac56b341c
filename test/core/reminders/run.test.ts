import { beforeEach, describe, expect, it } from 'vitest';
import { lost, notificationOf, extrasOf } from '../../support/fakes/fake-actions.ts';
import {
  addConnection,
  createWorld,
  type MemoryDesk,
  startMemoryDesk,
  type World,
} from '../../support/fakes/memory-desk.ts';
import { at, personOf, Remindables, remindDue, ruleOf } from '../../support/desks/reminding.ts';
import { ActionsResult } from '../../../shared/contract/actions.ts';
import { AppError } from '../../../shared/errors.ts';
import type { RemoteAgreement } from '../../../shared/model/agreement.ts';
import { DAY, HOUR, MINUTE } from '../../../shared/rules/time/units.ts';

const unknown = { kind: 'unknown', failure: lost } as const;
const refused = { kind: 'refused', failure: { code: 'invalid', message: 'No' } } as const;

let world: World;
let desk: MemoryDesk;
let office: Remindables;

beforeEach(async () => {
  world = createWorld();
  desk = startMemoryDesk(world);
  office = new Remindables(world, (await addConnection(desk)).id);
});

const sent = () => world.actions.v1.sent;
const rows = () =>
  world.stores.actions
    .list({}, 0)
    .map(({ kind, state, rule }) => `${kind} ${state} ${String(rule)}`);
/** Resolves once a request has left this computer. */
const leaving = () =>
  new Promise<void>((resolve) => {
    world.actions.v1.commit = () => resolve();
  });
const onlyRule = async () => {
  const [shown] = await desk.api['reminders.rules']({});
  if (shown === undefined) throw new Error('There is no rule');
  return shown;
};

describe('a run of the reminder rules', () => {
  it('reminds each due party, records the rule of the reminder, and then waits', async () => {
    office.plant('a', { sentAt: at('2026-11-16 12:00') });
    office.plant('b', { sentAt: at('2026-11-18 12:00') });
    office.goTo('2026-11-19 10:00');
    await desk.api['reminders.saveRule'](ruleOf());
    expect(await onlyRule()).toMatchObject({ dueNow: 1, nextAt: at('2026-11-23 09:00') });
    const told = desk.emitted.length;
    expect((await remindDue(desk)).done).toMatchObject([{ id: 'a', reminded: 1 }]);
    expect(desk.emitted.slice(told)).toContain('reminders.changed');
    expect(sent()).toEqual(['remind a p-a n-p-a']);
    expect(rows()).toEqual(['remind done Usual']);
    expect(world.stores.actionJournal[0]).toEqual({ from: null, to: 'queued', cause: 'rule' });
    expect((await remindDue(desk)).done).toEqual([]);
    expect(await onlyRule()).toMatchObject({
      dueNow: 0,
      last: { reminded: 1, failed: 0, unknown: 0, failure: null },
    });
    office.goTo('2026-11-23 09:00');
    expect((await remindDue(desk)).done.map(({ id }) => id)).toEqual(['a', 'b']);
    expect(sent()).toHaveLength(3);
  });

  it('sends one reminder for an agreement that two connections show', async () => {
    const { id: connectionId } = await desk.api['connections.add']({
      name: 'Once more',
      api: 'v1',
      url: 'https://SERVICE.example/',
      environment: 'production',
      accountId: null,
      orgNo: null,
      secret: 'secret-of-v1',
    });
    const sentAt = at('2026-11-16 12:00');
    for (const one of [office, new Remindables(world, connectionId)]) one.plant('a', { sentAt });
    office.goTo('2026-11-19 10:00');
    await desk.api['reminders.saveRule'](ruleOf());
    expect((await remindDue(desk)).done).toHaveLength(1);
    expect(sent()).toEqual(['remind a p-a n-p-a']);
    expect((await remindDue(desk)).done).toEqual([]);
    office.goTo('2026-11-23 09:00');
    expect((await remindDue(desk)).done).toHaveLength(1);
    expect(sent()).toHaveLength(2);
  });

  it('counts reminders of other computers before a local connection read the agreement (DL-P7)', async () => {
    const { connectionId } = office;
    const other = await addConnection(desk, 'v1', 'Second');
    const key = office.key('a');
    const told = { id: 'told', connectionId, agreementId: key.id, partyId: 'p-a' };
    const lastAt = at('2026-11-19 09:00');
    const sent = [{ ...told, at: lastAt }];
    desk.stores.office.keepReminders({ sent, released: [], source: '', upTo: lastAt });
    const sentAt = at('2026-11-16 12:00');
    new Remindables(world, other.id).plant('a', { sentAt });
    office.goTo('2026-11-19 10:00');
    await desk.api['reminders.saveRule'](ruleOf());
    expect(await onlyRule()).toMatchObject({ dueNow: 0, nextAt: at('2026-11-23 09:00') });
    const { planned } = await desk.api['reminders.preview']({ day: '2026-11-23' });
    expect(planned).toMatchObject([{ id: 'a', lastAt, count: 2 }]);
  });

  it('previews one rule without the reminders of other rules, and counts unmatched agreements', async () => {
    const sentAt = at('2026-11-16 12:00');
    for (const id of ['a', 'b', 'c']) office.plant(id, { sentAt, tags: { for: id } });
    office.goTo('2026-11-18 10:00');
    const of = (tag: string) => ruleOf({ filter: { ownOnly: false, tag } });
    const { id: ruleId } = await desk.api['reminders.saveRule'](of('for=a'));
    await desk.api['reminders.saveRule']({ ...of('for=b'), name: 'Other' });
    const idsOf = async (order: { readonly ruleId?: typeof ruleId }) => {
      const { planned, outside } = await desk.api['reminders.preview'](order);
      return [planned.map(({ id }) => id).toSorted(), outside];
    };
    expect(await idsOf({})).toEqual([['a', 'b'], 1]);
    expect(await idsOf({ ruleId })).toEqual([['a'], 2]);
  });

  it('previews an unsaved rule together with the saved rules', async () => {
    const sentAt = at('2026-11-16 12:00');
    for (const id of ['a', 'b']) office.plant(id, { sentAt, tags: { for: id } });
    office.goTo('2026-11-18 10:00');
    await desk.api['reminders.saveRule'](ruleOf({ filter: { ownOnly: false, tag: 'for=a' } }));
    const rule = ruleOf({ name: 'New' });
    const { planned, outside } = await desk.api['reminders.preview']({ rule });
    expect([planned.map(({ id }) => id), outside]).toEqual([['b'], 1]);
    expect(await desk.api['reminders.rules']({})).toHaveLength(1);
  });

  it('counts reminders sent through a removed connection (DL-P9)', async () => {
    const sentAt = at('2026-11-16 12:00');
    office.plant('a', { sentAt });
    office.goTo('2026-11-19 10:00');
    await desk.api['reminders.saveRule'](ruleOf());
    expect((await remindDue(desk)).done).toHaveLength(1);
    const other = await addConnection(desk, 'v1', 'Second');
    const { connectionId: id } = office;
    await desk.api['connections.remove']({ id, agreements: 'delete', drafts: 'keep' });
    new Remindables(world, other.id).plant('a', { sentAt });
    expect(await onlyRule()).toMatchObject({ dueNow: 0, nextAt: at('2026-11-23 09:00') });
    const targets = [{ connectionId: other.id, id: office.key('a').id }];
    const { jobId } = await desk.api['actions.remind']({ targets, confirm: 1 });
    const { failed } = ActionsResult.parse((await desk.finish(jobId)).result);
    expect(failed[0]?.failure).toMatchObject({ reason: 'reminded-lately' });
    expect(sent()).toHaveLength(1);
  });

  it('counts the days of the next signer from the last signature, as reported by API v1', async () => {
    const parties = [
      personOf({ id: 'p-a', order: 1, state: 'signed' }),
      personOf({ id: 'p-b', order: 2, email: 'b@example.com' }),
    ];
    const lastSigned = { at: at('2026-11-24 09:00'), what: 'signed', party: null } as const;
    const timeline = [lastSigned];
    const sentAt = at('2026-11-16 12:00');
    office.plant('a', { state: 'part-signed', sentAt, parties, timeline });
    office.goTo('2026-11-26 10:00');
    await desk.api['reminders.saveRule'](ruleOf());
    expect((await remindDue(desk)).done).toEqual([]);
    office.goTo('2026-11-27 10:00');
    expect((await remindDue(desk)).done).toMatchObject([{ id: 'a', reminded: 1 }]);
    expect(sent()).toEqual(['remind a p-b n-p-b']);
  });

  it('lets the service decide in an automatic run, despite a local guess', async () => {
    const expiring = { sentAt: at('2026-11-16 12:00'), expiresAt: at('2026-11-24 12:00') };
    for (const id of ['a', 'b']) office.plant(id, expiring);
    const { extrasOfAll } = world.actions.v1;
    const reminds = (id: string, sendsAt: number | null) => [
      notificationOf({ id: `n-p-${id}` }),
      notificationOf({ id: 'expiry', type: 'EXPIRY_REMINDER', sendsAt }),
    ];
    // One reminder was set to an earlier time; the other is due a day before the expiry, as usual.
    const { parties } = extrasOf('"1"', {
      'p-a': reminds('a', at('2026-11-18 10:00')),
      'p-b': reminds('b', null),
    });
    world.actions.v1.extrasOfAll = { ...extrasOfAll, parties };
    await desk.api['reminders.saveRule'](ruleOf());
    office.goTo('2026-11-23 10:00');
    expect((await remindDue(desk)).done).toMatchObject([{ id: 'a' }]);
    world.services.v1.reads.length = 0;
    await remindDue(desk);
    expect(world.services.v1.reads).toEqual([]);
    expect(await onlyRule()).toMatchObject({ dueNow: 0 });
  });

  it('counts manual reminders and reminders with unknown outcome', async () => {
    office.plant('a', { sentAt: at('2026-11-16 12:00') });
    office.goTo('2026-11-19 10:00');
    await desk.api['reminders.saveRule'](ruleOf());
    const targets = [office.key('a')];
    await desk.finish((await desk.api['actions.remind']({ targets, confirm: 1 })).jobId);
    office.goTo('2026-11-20 10:00');
    expect((await remindDue(desk)).done).toEqual([]);
    office.goTo('2026-11-23 10:00');
    world.actions.v1.endings.push(unknown);
    expect((await remindDue(desk)).unknown).toMatchObject([{ id: 'a' }]);
    expect((await onlyRule()).last).toMatchObject({ unknown: 1, failure: null });
    office.goTo('2026-11-24 10:00');
    await remindDue(desk);
    expect(sent()).toHaveLength(2);
    expect(rows()).toEqual(['remind unknown Usual', 'remind done null']);
    // The interval has passed: this is the next reminder, not a repetition.
    office.goTo('2026-11-25 10:00');
    expect((await remindDue(desk)).done).toHaveLength(1);
  });

  it('marks a reminder in flight at a kill as unknown, and never sends it again', async () => {
    office.plant('a', { sentAt: at('2026-11-16 12:00') });
    office.goTo('2026-11-19 10:00');
    await desk.api['reminders.saveRule'](ruleOf());
    world.actions.v1.endings.push(new Promise(() => {}));
    const left = leaving();
    await desk.api['reminders.run']({});
    await left;
    // A new process uses the same data; the old process no longer answers.
    const next = startMemoryDesk({ ...world, locks: createWorld().locks });
    office.goTo('2026-11-19 15:00');
    expect((await remindDue(next)).done).toEqual([]);
    expect(rows()).toEqual(['remind unknown Usual']);
    office.goTo('2026-11-20 15:00');
    await remindDue(next);
    expect(sent()).toHaveLength(1);
  });

  it('reads the service first, and skips agreements signed or revoked since', async () => {
    office.plant('a', { sentAt: at('2026-11-16 12:00') });
    office.plant('b', { sentAt: at('2026-11-16 12:00') });
    office.goTo('2026-11-19 10:00');
    await desk.api['reminders.saveRule'](ruleOf());
    // The agreements change between the reading of the list and their own reading.
    const signed = personOf({ id: 'p-a', email: 'a@example.com', state: 'signed' });
    const change = (id: string, changed: Partial<RemoteAgreement>): void => {
      const known = world.services.v1.agreements.get(id);
      if (known === undefined || known instanceof AppError) throw new Error('There is none');
      world.services.v1.agreements.set(id, { ...known, ...changed });
    };
    change('a', { parties: [signed], state: 'part-signed' });
    change('b', { state: 'revoked' });
    expect(await remindDue(desk)).toEqual({ done: [], failed: [], unknown: [] });
    expect(sent()).toEqual([]);
    expect((await onlyRule()).last).toBeNull();
  });

  it('keeps its interval from the service’s own reminder before the expiry', async () => {
    office.plant('a', { sentAt: at('2026-11-16 12:00') });
    office.goTo('2026-11-19 10:00');
    await desk.api['reminders.saveRule'](ruleOf());
    const expiry = { id: 'e', type: 'EXPIRY_REMINDER', sendsAt: at('2026-11-20 08:00') };
    world.actions.v1.extrasOfAll = extrasOf('"1"', {
      'p-a': [notificationOf({ id: 'n-p-a' }), notificationOf(expiry)],
    });
    await remindDue(desk);
    expect(sent()).toEqual([]);
    expect(await onlyRule()).toMatchObject({ dueNow: 0, nextAt: at('2026-11-23 09:00') });
  });

  it('is made by only one of two processes (TX-46)', async () => {
    office.plant('a', { sentAt: at('2026-11-16 12:00') });
    office.goTo('2026-11-19 10:00');
    await desk.api['reminders.saveRule'](ruleOf());
    const other = startMemoryDesk(world);
    let answer: () => void = () => {};
    world.actions.v1.endings.push(new Promise((resolve) => (answer = () => resolve('done'))));
    const left = leaving();
    const { jobId } = await desk.api['reminders.run']({});
    await left;
    const second = await other.finish((await other.api['reminders.run']({})).jobId);
    expect(second.failure).toMatchObject({ code: 'conflict', reason: 'desk-busy' });
    answer();
    expect((await desk.finish(jobId)).state).toBe('done');
    await remindDue(other);
    expect(sent()).toHaveLength(1);
  });
});

describe('a hold that stops reminders', () => {
  it('can cover a whole agreement, until it is removed', async () => {
    office.plant('a', { sentAt: at('2026-11-16 12:00') });
    office.goTo('2026-11-19 10:00');
    await desk.api['reminders.saveRule'](ruleOf());
    const key = office.key('a');
    await desk.api['reminders.hold']({ ...key, partyId: null, because: 'switched-off' });
    expect(await desk.api['reminders.holds']({ key })).toEqual([
      { ...key, partyId: null, because: 'switched-off' },
    ]);
    await remindDue(desk);
    expect(sent()).toEqual([]);
    const before = desk.emitted.length;
    await desk.api['reminders.release']({ ...key, partyId: null });
    // The window is informed of the release.
    expect(desk.emitted.slice(before)).toContain('reminders.changed');
    await remindDue(desk);
    expect(sent()).toHaveLength(1);
  });

  it('applies to the copies of every connection to the service (DL-P9)', async () => {
    const sentAt = at('2026-11-16 12:00');
    office.plant('a', { sentAt });
    const other = new Remindables(world, (await addConnection(desk, 'v1', 'Second')).id);
    other.plant('a', { sentAt });
    office.goTo('2026-11-19 10:00');
    await desk.api['reminders.saveRule'](ruleOf());
    await desk.api['reminders.hold']({
      ...office.key('a'),
      partyId: null,
      because: 'switched-off',
    });
    expect((await remindDue(desk)).done).toEqual([]);
    expect(await desk.api['reminders.holds']({ key: other.key('a') })).toEqual([
      { ...other.key('a'), partyId: null, because: 'switched-off' },
    ]);
    await desk.api['reminders.release']({ ...other.key('a'), partyId: null });
    expect((await remindDue(desk)).done).toHaveLength(1);
  });

  it('applies to an address with bounced messages, until the address changes', async () => {
    office.plant('a', { sentAt: at('2026-11-16 12:00') });
    office.goTo('2026-11-19 10:00');
    await desk.api['reminders.saveRule'](ruleOf());
    const key = office.key('a');
    await desk.api['reminders.hold']({ ...key, partyId: 'p-a', because: 'bounced' });
    await remindDue(desk);
    expect(sent()).toEqual([]);
    const party = personOf({ id: 'p-a', email: 'right@example.com' });
    office.plant('a', { sentAt: at('2026-11-16 12:00'), parties: [party] });
    await remindDue(desk);
    expect(sent()).toHaveLength(1);
  });

  it('because of bounced messages is no longer listed once the address was corrected (FE-N13)', async () => {
    office.plant('a', { sentAt: at('2026-11-16 12:00') });
    const key = office.key('a');
    await desk.api['reminders.hold']({ ...key, partyId: 'p-a', because: 'bounced' });
    const listed = [{ ...key, partyId: 'p-a', because: 'bounced' }];
    expect(await desk.api['reminders.holds']({ key })).toEqual(listed);
    const party = personOf({ id: 'p-a', email: 'right@example.com' });
    office.plant('a', { sentAt: at('2026-11-16 12:00'), parties: [party] });
    expect(await desk.api['reminders.holds']({ key })).toEqual([]);
    await desk.api['reminders.hold']({ ...key, partyId: 'p-a', because: 'switched-off' });
    const off = [{ ...key, partyId: 'p-a', because: 'switched-off' }];
    expect(await desk.api['reminders.holds']({ key })).toEqual(off);
  });

  it('is rejected for an unknown party and for an agreement of API v2', async () => {
    office.plant('a');
    const bounced = { ...office.key('a'), because: 'bounced' } as const;
    await expect(
      desk.api['reminders.hold']({ ...bounced, partyId: 'nobody' }),
    ).rejects.toMatchObject({ failure: { code: 'not-found' } });
    await expect(desk.api['reminders.hold']({ ...bounced, partyId: null })).rejects.toMatchObject({
      failure: { code: 'invalid' },
    });
    const { id: connectionId } = await addConnection(desk, 'v2');
    await expect(
      desk.api['reminders.hold']({ ...bounced, connectionId, partyId: 'x' }),
    ).rejects.toMatchObject({ failure: { reason: 'api-lacks-action' } });
  });
});

describe('a failing reminder rule', () => {
  const due = async () => {
    office.plant('a', { sentAt: at('2026-11-16 12:00') });
    office.goTo('2026-11-19 10:00');
    return desk.api['reminders.saveRule'](ruleOf());
  };

  it('is paused after three failures, shows the reason, and continues on the user’s request', async () => {
    const { id } = await due();
    for (const [day, failures] of [
      ['2026-11-19', 1],
      ['2026-11-20', 2],
      ['2026-11-23', 3],
    ] as const) {
      office.goTo(`${day} 10:00`);
      world.actions.v1.endings.push(refused);
      expect((await remindDue(desk)).failed).toHaveLength(1);
      // A failed reminder is not retried immediately.
      await remindDue(desk);
      expect(sent()).toHaveLength(failures);
    }
    expect(await onlyRule()).toMatchObject({
      isPaused: true,
      dueNow: 0,
      last: { failed: 1, failure: { code: 'invalid' } },
      failures: [{ failure: { code: 'invalid' } }],
    });
    office.plant('b', { sentAt: at('2026-11-16 12:00') });
    office.goTo('2026-11-25 10:00');
    await remindDue(desk);
    expect(sent()).toHaveLength(3);
    await desk.api['reminders.switchRule']({ id, isOn: true });
    expect((await remindDue(desk)).done.map((one) => one.id)).toEqual(['b']);
    // The party with three failures of its own waits for the user.
    await desk.api['reminders.release']({ ...office.key('a'), partyId: 'p-a' });
    office.goTo('2026-11-25 11:00');
    expect((await remindDue(desk)).done.map((one) => one.id)).toEqual(['a']);
  });

  it('does not count a lost connection as a failure, and tries again in an hour', async () => {
    await due();
    for (const hour of ['10:00', '11:00', '12:00', '13:00']) {
      office.goTo(`2026-11-19 ${hour}`);
      world.services.v1.beforePage = () => {
        throw new AppError('offline', 'No network');
      };
      await remindDue(desk);
      expect(await onlyRule()).toMatchObject({
        isPaused: false,
        dueNow: 0,
        nextAt: world.clock.now() + HOUR,
        last: { failure: { code: 'offline' } },
      });
    }
    world.services.v1.beforePage = () => {};
    office.goTo('2026-11-19 14:00');
    expect((await remindDue(desk)).done).toHaveLength(1);
    expect((await onlyRule()).last).toMatchObject({ failure: null });
  });

  it('reports a connection that was lost halfway, even though some reminders were sent', async () => {
    await due();
    office.plant('b', { sentAt: at('2026-11-16 12:00') });
    const offline = { code: 'offline', message: 'No network' } as const;
    world.actions.v1.endings.push('done', { kind: 'refused', failure: offline });
    expect((await remindDue(desk)).done).toHaveLength(1);
    expect((await onlyRule()).last).toMatchObject({
      reminded: 1,
      failed: 0,
      failure: { code: 'offline' },
    });
  });

  it('sends nothing while the local clock and the service’s clock differ too much', async () => {
    await due();
    // The local clock is set ahead, and now differs from the service's clock by many days.
    world.clock.leap(11 * DAY);
    await remindDue(desk);
    expect(sent()).toEqual([]);
    expect((await onlyRule()).last).toMatchObject({ failure: { reason: 'clock-differs' } });
  });

  it('shows its progress', async () => {
    await due();
    const { jobId } = await desk.api['reminders.run']({});
    expect(await desk.finish(jobId)).toMatchObject({ done: 1, total: 1, failed: 0 });
  });

  it('raises the epoch while it runs, so that a copy of the data taken then counts as older', async () => {
    await due();
    const { outbox } = world.stores;
    let copied = 0;
    world.actions.v1.commit = () => void (copied = outbox.epoch().current);
    await remindDue(desk);
    expect(copied).toBeGreaterThan(0);
    expect(outbox.epoch().current).toBeGreaterThan(copied);
  });

  it('sends nothing if another copy of its data was used while the program runs', async () => {
    await due();
    await remindDue(desk);
    office.goTo('2026-11-23 10:00');
    world.externalState.notes.clear();
    await remindDue(desk);
    expect(sent()).toHaveLength(1);
    expect((await onlyRule()).last).toMatchObject({ failure: { reason: 'data-restored' } });
  });

  it('waits in restored data, and then counts every party as reminded', async () => {
    const { id } = await due();
    await remindDue(desk);
    expect(sent()).toHaveLength(1);
    await desk.desk.stop();
    // Another copy of the data was used in the meantime.
    world.externalState.notes.clear();
    const next = startMemoryDesk(world);
    office.goTo('2026-11-23 10:00');
    await remindDue(next);
    expect(sent()).toHaveLength(1);
    expect((await next.api['reminders.rules']({}))[0]).toMatchObject({
      isPaused: true,
      last: { failure: { reason: 'data-restored' } },
    });
    await next.api['reminders.switchRule']({ id, isOn: true });
    await remindDue(next);
    expect(sent()).toHaveLength(1);
    office.goTo('2026-11-25 10:00');
    await remindDue(next);
    expect(sent()).toHaveLength(2);
  });

  it('counts every party as reminded in restored data, even after later writes (DL-R2)', async () => {
    const { id } = await due();
    await remindDue(desk);
    await desk.desk.stop();
    world.externalState.notes.clear();
    const next = startMemoryDesk(world);
    office.goTo('2026-11-23 10:00');
    await remindDue(next);
    await next.api['reminders.removeRule']({ id });
    await next.api['settings.write']({ restoredAt: null });
    const { planned, held } = await next.api['reminders.preview']({
      rule: ruleOf({ name: 'One that is not saved' }),
    });
    expect([planned, held.map(({ because }) => because)]).toEqual([[], ['lately']]);
    await next.api['reminders.saveRule'](ruleOf({ name: 'The same', firstAfterDays: 1 }));
    await remindDue(next);
    expect(sent()).toHaveLength(1);
    // Another copy cannot have reminded about an agreement sent since.
    office.plant('new', { sentAt: at('2026-11-23 11:00') });
    office.goTo('2026-11-24 10:00');
    expect((await remindDue(next)).done).toMatchObject([{ id: 'new' }]);
    office.goTo('2026-11-25 10:00');
    expect((await remindDue(next)).done).toMatchObject([{ id: 'a' }]);
  });
});

describe('a saved reminder rule', () => {
  it('is updated in the window as soon as it is switched on or off', async () => {
    const { id } = await desk.api['reminders.saveRule'](ruleOf());
    const before = desk.emitted.length;
    await desk.api['reminders.switchRule']({ id, isOn: false });
    expect(desk.emitted.slice(before)).toContain('reminders.changed');
  });

  it('is checked for errors in its time zone, its hours and its country', async () => {
    const wrong = ruleOf({
      country: 'XX',
      hours: { from: '17:00', to: '08:00', zone: 'Europe/Nowhere' },
    });
    await expect(desk.api['reminders.saveRule'](wrong)).rejects.toMatchObject({
      failure: {
        code: 'invalid',
        message:
          'The time zone is not known. Enter one such as Europe/Stockholm. The closing time must be later than the opening time. ' +
          'The holidays of this country are not known',
        fields: {
          'hours.zone': 'The time zone is not known. Enter one such as Europe/Stockholm',
          'hours.to': 'The closing time must be later than the opening time',
          country: 'The holidays of this country are not known',
        },
      },
    });
  });
});

describe('the timer of the open window', () => {
  it('sends reminders automatically when the office opens', async () => {
    office.plant('a', { sentAt: at('2026-11-16 12:00') });
    office.goTo('2026-11-19 08:59');
    await desk.api['reminders.saveRule'](ruleOf());
    desk.desk.start();
    const jobs = async () =>
      (await desk.api['jobs.list']({})).filter(({ kind }) => kind === 'remind-by-rule');
    // The first check ends before the answer to a later one.
    await desk.api['reminders.rules']({});
    expect(await jobs()).toEqual([]);
    desk.clock.advance(MINUTE);
    await desk.until(async () => (await jobs()).length > 0);
    const [job] = await jobs();
    if (job === undefined) throw new Error('There is no job');
    await desk.finish(job.id);
    expect(sent()).toHaveLength(1);
    const [action] = world.stores.actions.list({}, 0);
    expect(action?.createdAt).toBe(at('2026-11-19 09:00'));
    await desk.desk.stop();
  });
});

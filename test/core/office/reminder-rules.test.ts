// tier: all
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Demo, startDemo } from '../../../electron/demo/start.ts';
import { ActionsResult } from '../../../shared/contract/actions.ts';
import type { ReminderRuleDraft } from '../../../shared/contract/reminders.ts';
import type { ConnectionId } from '../../../shared/model/ids.ts';
import {
  type HomeDesk,
  type OfficeDesks,
  startOfficeDesks,
} from '../../support/desks/office-desks.ts';
import { postgresPrograms } from '../../support/postgres.ts';
import { agreement } from '../../demo/bodies.ts';
import { sendElsewhere } from '../../support/send-elsewhere.ts';
import { DAY } from '../../../shared/rules/time/units.ts';

const TIMEOUT_MS = 120_000;
const NOTIFY = /\/notifications\/[^/]+\/notify$/;

const rule: ReminderRuleDraft = {
  name: 'Weekly',
  isOn: true,
  filter: { ownOnly: false },
  firstAfterDays: 2,
  everyDays: 3,
  most: 5,
  hours: { zone: 'UTC', from: '00:01', to: '23:59' },
  country: 'SE',
};

describe.skipIf(postgresPrograms === null)('reminder rules in an office', () => {
  let office: OfficeDesks;
  let service: Demo;
  let anna: HomeDesk;
  let bo: HomeDesk;
  /** A Monday, later than the creation of every office. */
  let now = 0;

  beforeEach(async () => {
    now = Date.parse('2026-11-16T12:00Z');
    service = await startDemo({
      dataDir: null,
      seed: 'none',
      counterpartDelayMs: null,
      now: () => now,
    });
    office = await startOfficeDesks({ now: () => now });
    [anna, bo] = [await office.add('Anna'), await office.add('Bo')];
  }, TIMEOUT_MS);
  afterEach(async () => {
    await office.close();
    await service.close();
  });

  const connect = async ({ api }: HomeDesk): Promise<ConnectionId> => {
    const { v1Url: url, credentials } = service;
    const about = { name: 'Service', api: 'v1', environment: 'test', accountId: null } as const;
    return (await api['connections.add']({ ...about, url, secret: credentials.token })).id;
  };
  const read = async ({ api, finish }: HomeDesk) =>
    void (await finish(await api['agreements.sync']({})));
  const share = async (...desks: readonly HomeDesk[]) => {
    for (const { api } of desks) {
      await api['office.share']({ set: 'reminder-rules', isShared: true });
    }
  };
  const exchange = ({ api }: HomeDesk) => api['office.exchange']({});
  const rulesAt = async ({ api }: HomeDesk) =>
    (await api['reminders.rules']({})).map((shown) => shown.rule);
  const remind = async ({ api, finish }: HomeDesk) => {
    const job = await finish(await api['reminders.run']({}));
    return { failure: job.failure, ...ActionsResult.parse(job.result) };
  };
  /** Lets days pass, also by the office's clock, which no desk can move. */
  const pass = async (days: number) => {
    now += days * DAY;
    const earlier = `- interval '${String(days)} days'`;
    const sql = `SET started_at = started_at ${earlier}, settled_at = settled_at ${earlier}`;
    await office.postgres.run(`UPDATE signing_desk.operation ${sql}`, 'signing_desk');
  };
  const reminded = () => service.requests.filter(({ url }) => NOTIFY.test(url)).length;
  /** Sends an agreement from another computer, which both desks then read. */
  const send = (title: string) => sendElsewhere(service, { ...agreement, title });

  describe('that two computers follow', () => {
    beforeEach(async () => {
      for (const one of [anna, bo]) await connect(one);
      await send('Lease');
      await anna.api['reminders.saveRule'](rule);
      await share(anna, bo);
      expect(await rulesAt(bo)).toEqual(await rulesAt(anna));
      now += 3 * DAY;
      for (const one of [anna, bo]) await read(one);
    }, TIMEOUT_MS);

    it('remind once, from the computer that runs first, and the other counts its days from that reminder', async () => {
      const [fromAnna, fromBo] = await Promise.all([remind(anna), remind(bo)]);
      expect([fromAnna.failure, fromBo.failure]).toEqual([null, null]);
      expect([...fromAnna.failed, ...fromBo.failed]).toEqual([]);
      expect(fromAnna.done.length + fromBo.done.length).toBe(1);
      await pass(1);
      for (const one of [anna, bo, anna]) expect((await remind(one)).done).toEqual([]);
      expect(reminded()).toBe(1);
      // The rule's days have passed since the first desk's reminder; Sunday does not count.
      await pass(3);
      const second = fromAnna.done.length === 1 ? bo : anna;
      await read(second);
      expect((await remind(second)).done).toHaveLength(1);
      expect(reminded()).toBe(2);
    });

    it('forecast at each computer only the reminders that the other one has not sent', async () => {
      const foreseen = async ({ api }: HomeDesk) => {
        const { planned } = await api['reminders.preview']({ day: '2026-11-23' });
        return planned.map(({ count }) => count);
      };
      expect((await remind(anna)).done).toHaveLength(1);
      expect(await foreseen(bo)).toEqual([2]);
    });

    it('count manual reminders by a person at another computer', async () => {
      const [one] = (await bo.api['agreements.list']({})).items;
      if (one === undefined) throw new Error('Bo has read nothing');
      const { connectionId, id } = one;
      const targets = [{ connectionId, id }];
      await bo.finish(await bo.api['actions.remind']({ targets, confirm: 1 }));
      expect(await remind(anna)).toMatchObject({ done: [], failed: [], failure: null });
      expect(reminded()).toBe(1);
    });

    const REVOKE = /\/revoke$/;
    const breaks = (at: RegExp, kind: 'reset-before' | 'reset-after' = 'reset-before') =>
      service.fault({ path: at, do: { kind } });

    it('continue at either computer after a reminder whose answer was lost (DL-B1)', async () => {
      const fault = breaks(NOTIFY);
      expect((await remind(anna)).unknown).toHaveLength(1);
      fault.clear();
      for (const one of [bo, anna, bo]) {
        await pass(1);
        // Both desks learn of the other one's reminders.
        for (const each of [anna, bo]) expect((await remind(each)).done).toEqual([]);
        await pass(3);
        await read(one);
        expect(await remind(one)).toMatchObject({ done: [{}], failed: [], unknown: [] });
      }
    });

    it('count a reminder that the office blocks as failed, with the reason (DL-B1)', async () => {
      const fault = breaks(NOTIFY);
      const [one] = (await bo.api['agreements.list']({})).items;
      if (one === undefined) throw new Error('Bo has read nothing');
      const targets = [{ connectionId: one.connectionId, id: one.id }];
      await bo.finish(await bo.api['actions.remind']({ targets, confirm: 1 }));
      fault.clear();
      // Changes the operation to a kind that no desk counts as a reminder.
      const sql = "UPDATE signing_desk.operation SET kind = 'change'";
      await office.postgres.run(sql, 'signing_desk');
      const { done, failed } = await remind(anna);
      expect({ done, failed }).toMatchObject({
        done: [],
        failed: [{ failure: { reason: 'unsettled-elsewhere' } }],
      });
      const [shown] = await anna.api['reminders.rules']({});
      expect(shown?.last).toMatchObject({
        failed: 1,
        failure: { reason: 'unsettled-elsewhere' },
      });
    });

    it('let another computer repeat a revocation whose answer was lost (DL-B1)', async () => {
      const fault = breaks(REVOKE);
      const revoke = async ({ api, finish }: HomeDesk) => {
        const [one] = (await api['agreements.list']({})).items;
        if (one === undefined) throw new Error('This desk has read nothing');
        const keys = [{ connectionId: one.connectionId, id: one.id }];
        const job = await finish(await api['actions.revoke']({ keys, confirm: 1 }));
        return ActionsResult.parse(job.result);
      };
      expect((await revoke(anna)).unknown).toHaveLength(1);
      fault.clear();
      expect((await revoke(bo)).done).toMatchObject([{ wasAlready: false }]);
      expect((await revoke(anna)).done).toMatchObject([{ wasAlready: true }]);
      await expect.poll(() => bo.api['office.open']({})).toEqual([]);
    });

    it('let a reading settle an action that another computer left open (DL-B1)', async () => {
      const [one] = (await anna.api['agreements.list']({})).items;
      if (one === undefined) throw new Error('Anna has read nothing');
      const fault = breaks(REVOKE, 'reset-after');
      const keys = [{ connectionId: one.connectionId, id: one.id }];
      await anna.finish(await anna.api['actions.revoke']({ keys, confirm: 1 }));
      fault.clear();
      // The result of Anna's reading is reported in the background.
      await expect.poll(() => anna.api['office.open']({})).toEqual([]);
      await office.postgres.run(
        "UPDATE signing_desk.operation SET state = 'unknown', settled_at = NULL",
        'signing_desk',
      );
      const [open] = await bo.api['office.open']({});
      const adopted = await bo.api['office.adopt']({ id: open?.id ?? '' });
      expect(adopted.ref).toBe(null);
      const acts = await bo.api['actions.list']({});
      expect(acts).toMatchObject([{ actionId: adopted.actionId, kind: 'revoke', state: 'done' }]);
      await expect.poll(() => bo.api['office.open']({})).toEqual([]);
    });

    it('send no reminder while the office cannot be reached, and report why', async () => {
      await office.postgres.stop('fast');
      expect(await remind(anna)).toMatchObject({ done: [], failure: { reason: 'office-away' } });
      expect(reminded()).toBe(0);
      await office.postgres.start();
      now += 3_700_000;
      expect((await remind(anna)).done).toHaveLength(1);
    });

    it('are left to other users by a user who may not send', async () => {
      const cy = await office.add('Cy', ['sign']);
      await connect(cy);
      await share(cy);
      await read(cy);
      expect(await remind(cy)).toMatchObject({ done: [], failed: [], failure: null });
      expect((await cy.api['reminders.rules']({}))[0]?.isPaused).toBe(false);
      expect((await remind(anna)).done).toHaveLength(1);
    });
  });

  it('are the same at every computer, and can be changed and removed at any of them', async () => {
    await share(anna, bo);
    const { id } = await anna.api['reminders.saveRule'](rule);
    await exchange(anna);
    await exchange(bo);
    await bo.api['reminders.saveRule']({ ...rule, id, everyDays: 7 });
    await bo.api['reminders.switchRule']({ id, isOn: false });
    await anna.api['reminders.saveRule']({ ...rule, id, name: 'Leases' });
    for (const one of [bo, anna, bo]) await exchange(one);
    for (const one of [anna, bo]) {
      expect(await rulesAt(one)).toMatchObject([{ id, name: 'Leases', everyDays: 7, isOn: false }]);
    }
    await anna.api['reminders.removeRule']({ id });
    for (const one of [anna, bo]) await exchange(one);
    expect(await rulesAt(bo)).toEqual([]);
  });

  it('that two computers changed lead to a question in readable words', async () => {
    await share(anna, bo);
    const { id } = await anna.api['reminders.saveRule'](rule);
    for (const one of [anna, bo]) await exchange(one);
    await office.postgres.stop('fast');
    await bo.api['reminders.saveRule']({ ...rule, id, most: 9 });
    await anna.api['reminders.saveRule']({ ...rule, id, everyDays: 7 });
    await office.postgres.start();
    for (const one of [bo, anna]) await exchange(one);
    expect(await anna.api['office.questions']({})).toMatchObject([
      {
        kind: 'reminder-rule',
        field: 'when',
        title: 'Weekly',
        here: '2 · 7 · 5 · 00:01–23:59 UTC · SE',
        inOffice: '2 · 3 · 9 · 00:01–23:59 UTC · SE',
        seat: 'Bo',
      },
    ]);
  });

  it('with the same name, made at two computers before sharing, become one rule', async () => {
    await anna.api['reminders.saveRule'](rule);
    await bo.api['reminders.saveRule'](rule);
    await share(anna, bo);
    await exchange(anna);
    const hers = await rulesAt(anna);
    expect(hers).toHaveLength(1);
    expect((await rulesAt(bo)).map((one) => one.id)).toEqual(hers.map((one) => one.id));
  });

  it('that get the same name at two computers at the same time get two names, the same at both', async () => {
    await share(anna, bo);
    const { id: first } = await anna.api['reminders.saveRule']({ ...rule, name: 'Leases' });
    const { id: second } = await anna.api['reminders.saveRule']({ ...rule, name: 'Others' });
    for (const one of [anna, bo]) await exchange(one);
    await office.postgres.stop('fast');
    await anna.api['reminders.saveRule']({ ...rule, id: first });
    await bo.api['reminders.saveRule']({ ...rule, id: second });
    await office.postgres.start();
    for (const one of [anna, bo, anna, bo, anna]) await exchange(one);
    const names = (await rulesAt(anna)).map(({ name }) => name).toSorted();
    expect(names).toEqual(['Weekly', 'Weekly (2)']);
    expect(await rulesAt(bo)).toEqual(await rulesAt(anna));
  });

  it('name a connection by its service, and are not added to a computer that cannot reach the service', async () => {
    const hers = await connect(anna);
    const filter = { ownOnly: false, connectionIds: [hers] };
    await anna.api['reminders.saveRule']({ ...rule, filter });
    await share(anna, bo);
    expect(await rulesAt(bo)).toEqual([]);
    const his = await connect(bo);
    await exchange(bo);
    expect(await rulesAt(bo)).toMatchObject([{ filter: { connectionIds: [his] } }]);
    for (const one of [bo, anna]) await exchange(one);
    expect(await rulesAt(anna)).toMatchObject([{ filter: { connectionIds: [hers] } }]);
  });
});

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Demo, startDemo } from '../../../electron/demo/start.ts';
import type { BatchId } from '../../../shared/model/ids.ts';
import {
  addConnected,
  type ConnectedDesk,
  type HomeDesk,
  type OfficeDesks,
  startOfficeDesks,
} from '../../support/desks/office-desks.ts';
import { postgresPrograms } from '../../support/postgres.ts';

const TIMEOUT_MS = 120_000;
const SHEET = 'First name;Last name;E-mail\nÅsa;Öberg;asa@example.com\nBo;Ek;bo@example.com\n';

describe.skipIf(postgresPrograms === null)('a computer that leaves its office', () => {
  let service: Demo;
  let office: OfficeDesks;
  let anna: ConnectedDesk;
  let bo: ConnectedDesk;

  beforeEach(async () => {
    service = await startDemo({ dataDir: null, seed: 'none', counterpartDelayMs: null });
    office = await startOfficeDesks();
    anna = await addConnected(office, service, 'Anna');
    bo = await addConnected(office, service, 'Bo');
  }, TIMEOUT_MS);
  afterEach(async () => {
    await office.close();
    await service.close();
  });

  async function handBatchOver({ api, desk, connectionId }: ConnectedDesk): Promise<BatchId> {
    const bytes = desk.acceptBytes(new TextEncoder().encode(SHEET));
    const file = { name: 'Leases', fileName: 'rows.csv', bytes, choices: {} };
    const { id } = await api['batches.create']({ ...file, connectionId, templateId: null });
    const seat = (await api['office.seats']({})).find(({ name }) => name === 'Bo');
    if (seat === undefined) throw new Error('Nobody of this name');
    await api['office.handOver']({ what: { kind: 'batch', id }, seat: seat.id, note: '' });
    return id;
  }
  const batches = async ({ api }: HomeDesk) =>
    (await api['batches.list']({})).map(({ name, rows }) => [name, rows]);

  it('gets back, as the only computer, a batch that it handed over and no one took (DL-U9)', async () => {
    await handBatchOver(anna);
    expect(await batches(anna)).toEqual([]);
    await anna.api['office.leave']({});
    expect(await batches(anna)).toEqual([['Leases', 2]]);
    expect(await bo.api['office.handovers']({})).toEqual([]);
  });

  it('gets back a batch that it handed over, even when the office is lost (DL-U9)', async () => {
    await handBatchOver(anna);
    await office.lose();
    expect(await batches(anna)).toEqual([['Leases', 2]]);
  });

  it('does not get back a batch that another computer took (DL-U9)', async () => {
    await handBatchOver(anna);
    const [handed] = await bo.api['office.handovers']({});
    await bo.api['office.take']({ id: handed?.id ?? '' });
    await anna.api['office.leave']({});
    expect([await batches(anna), await batches(bo)]).toEqual([[], [['Leases', 2]]]);
  });

  it('turns off its copies of shared rules, and does not change those of other computers (DL-U10)', async () => {
    for (const { api } of [anna, bo]) {
      await api['office.share']({ set: 'reminder-rules', isShared: true });
    }
    await anna.api['reminders.saveRule']({
      name: 'Daily',
      isOn: true,
      filter: { ownOnly: false },
      firstAfterDays: 1,
      everyDays: 1,
      most: 3,
      hours: { zone: 'UTC', from: '00:01', to: '23:59' },
      country: 'SE',
    });
    for (const { api } of [anna, bo]) await api['office.exchange']({});
    await anna.api['office.leave']({});
    await bo.api['office.exchange']({});
    const isOn = async ({ api }: HomeDesk) =>
      (await api['reminders.rules']({})).map(({ rule }) => rule.isOn);
    expect([await isOn(anna), await isOn(bo)]).toEqual([[false], [true]]);
  });
});

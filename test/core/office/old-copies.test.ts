// tier: all
import { expect, it } from 'vitest';
import { startDemo } from '../../../electron/demo/start.ts';
import type { OutboxRef } from '../../../shared/model/ids.ts';
import {
  addConnected,
  type ConnectedDesk,
  startOfficeDesks,
} from '../../support/desks/office-desks.ts';
import { addLeaseDraft } from '../../support/desks/lease-draft.ts';
import { postgresPrograms } from '../../support/postgres.ts';

async function send(desk: ConnectedDesk, title: string): Promise<OutboxRef> {
  const { api, connectionId } = desk;
  const id = await addLeaseDraft(desk, title);
  const { ref } = await api['drafts.send']({ id, connectionId, holdSeconds: 0, confirm: 1 });
  await api['outbox.run']({});
  return ref;
}

it.skipIf(postgresPrograms === null)(
  'a computer whose data was restored notices that its office’s server was restored too (DL-T1)',
  { timeout: 120_000 },
  async () => {
    const service = await startDemo({ dataDir: null, seed: 'none', counterpartDelayMs: null });
    const office = await startOfficeDesks();
    const { run } = office.postgres;
    const anna = await addConnected(office, service, 'Anna');
    // This user of the service does not see Anna's agreements in lists.
    const credentials = { ...service.credentials, token: service.colleagueToken };
    const bo = await addConnected(office, { ...service, credentials }, 'Bo');
    const { rows: marks } = await run('SELECT id, mark FROM signing_desk.desk', 'signing_desk');
    await send(anna, 'Lease');
    const { home, copied } = await office.copy(anna);
    await home.desk.close();
    // Gives the database its rows from before that send, as an older snapshot of the disk would.
    await run('TRUNCATE signing_desk.claim, signing_desk.operation', 'signing_desk');
    for (const { id, mark } of marks) {
      const set = `UPDATE signing_desk.desk SET mark = ${String(mark)} WHERE id = '${String(id)}'`;
      await run(set, 'signing_desk');
    }
    const back = await office.putBack(home, copied);
    await back.api['office.report']({});
    expect(await back.api['office.putBack']({})).toMatchObject({
      awaited: expect.arrayContaining([expect.objectContaining({ seat: 'Anna' })]),
    });
    const ref = await send(bo, 'Lease');
    expect(await bo.api['outbox.show']({ ref })).toMatchObject({
      state: 'queued',
      reason: { reason: 'office-put-back' },
    });
    expect(service.agreements.v1()).toHaveLength(1);
    await office.close();
    await service.close();
  },
);

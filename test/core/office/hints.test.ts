// tier: all
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { plainPdf } from '../../../electron/demo/pdf/pdf.ts';
import { type Demo, startDemo } from '../../../electron/demo/start.ts';
import {
  addConnected,
  type ConnectedDesk,
  type OfficeDesks,
  startOfficeDesks,
} from '../../support/desks/office-desks.ts';
import { bodyV1 } from '../../support/fakes/memory-desk.ts';
import { postgresPrograms } from '../../support/postgres.ts';

const TIMEOUT_MS = 120_000;
const TITLE = 'Hyra Storgatan 1';

describe.skipIf(postgresPrograms === null)('an action of one computer in an office', () => {
  let service: Demo;
  let office: OfficeDesks;
  let anna: ConnectedDesk;
  let bo: ConnectedDesk;

  beforeEach(async () => {
    service = await startDemo({ dataDir: null, seed: 'full', counterpartDelayMs: null });
    // Periodic exchanges are never due in this test: a desk reads only after a hint.
    office = await startOfficeDesks({ now: Date.now });
    [anna, bo] = [await sit('Anna'), await sit('Bo')];
    for (const { api, finish } of [anna, bo]) await finish(await api['agreements.sync']({}));
    for (const { api } of [anna, bo]) await api['office.exchange']({});
  }, TIMEOUT_MS);
  afterEach(async () => {
    await office.close();
    await service.close();
  });

  const sit = (name: string) => addConnected(office, service, name);
  async function send({ api, desk, connectionId }: ConnectedDesk): Promise<void> {
    const content = { api: 'v1' as const, body: bodyV1(TITLE) };
    const { id } = await api['drafts.create']({ content, connectionId });
    const bytes = desk.acceptBytes(await plainPdf(TITLE, ['Of many pages.']));
    const { id: file } = await api['drafts.attach']({ id, name: 'Lease.pdf', bytes });
    const attachments = [{ type: 'BASE64' as const, category: 'AGREEMENT' as const, file }];
    const { revision } = await api['drafts.show']({ id });
    const whole = { api: 'v1' as const, body: { ...bodyV1(TITLE), attachments } };
    await api['drafts.save']({ id, revision, connectionId, content: whole });
    await api['drafts.send']({ id, connectionId, holdSeconds: 0, confirm: 1 });
    await api['outbox.run']({});
    expect(service.agreements.v1().map(({ title }) => title)).toContain(TITLE);
  }

  const seenAt = async ({ api, connectionId }: ConnectedDesk) => {
    const { items } = await api['agreements.list']({ connectionId, limit: 100 });
    return items.map(({ title }) => title);
  };

  it('is in the list of the other computers within seconds, before their next regular reading', async () => {
    await send(anna);
    await expect.poll(() => seenAt(bo), { timeout: 30_000 }).toContain(TITLE);
  });

  it('is shown at the other computers also when it is a revocation', async () => {
    const { api, connectionId, finish } = anna;
    const { items } = await api['agreements.list']({ connectionId, limit: 100 });
    const { id } = items.find(({ state }) => state === 'waiting') ?? {};
    if (id === undefined) throw new Error('Nothing waits for a signature');
    const stateAtBo = async () => {
      const key = { connectionId: bo.connectionId, id };
      return (await bo.api['agreements.show']({ ...key, refresh: false })).state;
    };
    expect(await stateAtBo()).toBe('waiting');
    await finish(await api['actions.revoke']({ keys: [{ connectionId, id }], confirm: 1 }));
    await expect.poll(stateAtBo, { timeout: 30_000 }).toBe('revoked');
  });

  it('reaches the other computers as a hash of the service only', async () => {
    const listener = { user: 'listener', password: 'of this test' };
    const { user, password } = listener;
    await office.postgres.run(`CREATE ROLE ${user} LOGIN SUPERUSER PASSWORD '${password}'`);
    const { host, port } = office.postgres.address;
    const client = new pg.Client({ host, port, ...listener, database: 'signing_desk' });
    const notes: string[] = [];
    client.on('notification', ({ payload = '' }) => void notes.push(payload));
    await client.connect();
    try {
      await client.query('LISTEN signing_desk');
      await send(anna);
      const hints = () => notes.filter((note) => note !== '');
      await expect.poll(() => hints().length, { timeout: 20_000 }).toBeGreaterThan(0);
      for (const note of hints()) expect(note).toMatch(/^[\da-f-]{36} [\da-f]{64}$/);
    } finally {
      await client.end();
    }
  });
});

// tier: all
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Demo, startDemo } from '../../../electron/demo/start.ts';
import type { DraftId } from '../../../shared/model/ids.ts';
import {
  addConnected,
  type ConnectedDesk,
  type OfficeDesks,
  startOfficeDesks,
} from '../../support/desks/office-desks.ts';
import { addLeaseDraft } from '../../support/desks/lease-draft.ts';
import { postgresPrograms } from '../../support/postgres.ts';

const TIMEOUT_MS = 120_000;

describe.skipIf(postgresPrograms === null)('a new office', () => {
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

  /** Creates a draft of Anna's that both computers have. */
  async function shareDraft(): Promise<DraftId> {
    for (const { api } of [anna, bo]) {
      await api['office.share']({ set: 'drafts', isShared: true });
    }
    const id = await addLeaseDraft(anna, 'Together');
    await anna.api['office.together']({ draft: id, isTogether: true });
    await anna.api['office.exchange']({});
    await bo.api['office.exchange']({});
    expect((await bo.api['drafts.list']({})).map((one) => one.id)).toEqual([id]);
    return id;
  }
  async function retitle({ api }: ConnectedDesk, id: DraftId, title: string): Promise<void> {
    const { revision, content, connectionId } = await api['drafts.show']({ id });
    if (content.api !== 'v1') throw new Error('It is of the other API');
    const body = { ...content.body, title };
    await api['drafts.save']({ id, revision, connectionId, content: { api: 'v1', body } });
  }
  async function send({ api, connectionId }: ConnectedDesk, id: DraftId): Promise<void> {
    await api['drafts.send']({ id, connectionId, holdSeconds: 0, confirm: 1 });
    await api['outbox.run']({});
  }
  const outbox = async ({ api }: ConnectedDesk) =>
    (await api['outbox.list']({})).map(({ title, state, reason }) => [
      title,
      state,
      reason?.reason,
    ]);
  const sent = () =>
    service.agreements
      .v1()
      .map(({ title }) => title)
      .toSorted();
  const counted = async () => {
    const sql =
      'SELECT (SELECT count(*)::integer FROM signing_desk.operation) AS operations,' +
      ' (SELECT count(*)::integer FROM signing_desk.claim) AS claims';
    const { rows } = await office.postgres.run(sql, 'signing_desk');
    return rows;
  };

  it('that replaces a lost one knows what was sent before, so that another computer asks before a repeat (DL-S5)', async () => {
    const id = await shareDraft();
    await office.lose();
    await send(anna, id);
    await office.enter(anna, 'Anna');
    await office.enter(bo, 'Bo');
    await retitle(bo, id, 'Together, put right');
    await send(bo, id);
    expect(sent()).toEqual(['Together']);
    expect(await outbox(bo)).toEqual([['Together, put right', 'queued', 'claimed-elsewhere']]);
  });

  it('receives the sends of a connection even if that connection was removed after them (DL-S5)', async () => {
    const id = await shareDraft();
    await office.lose();
    await send(anna, id);
    const removed = { id: anna.connectionId, agreements: 'keep', drafts: 'keep' } as const;
    await anna.api['connections.remove'](removed);
    await office.enter(anna, 'Anna');
    await office.enter(bo, 'Bo');
    await retitle(bo, id, 'Together, put right');
    await send(bo, id);
    expect(sent()).toEqual(['Together']);
  });

  it('receives each send once, however often a computer visits (DL-S5)', async () => {
    const id = await shareDraft();
    await send(anna, id);
    await office.lose();
    await office.enter(anna, 'Anna');
    await anna.api['office.seats']({});
    const before = await counted();
    expect(before).toMatchObject([{ operations: 1 }]);
    await office.copy(anna);
    await office.enter(bo, 'Bo');
    await bo.api['office.seats']({});
    expect(await counted()).toEqual(before);
  });

  it('receives the sends of two computers that sent the same outside any office, and continues (DL-S5)', async () => {
    const id = await shareDraft();
    await office.lose();
    await send(anna, id);
    await retitle(bo, id, 'Together, put right');
    await send(bo, id);
    expect(sent()).toEqual(['Together', 'Together, put right']);
    await office.enter(anna, 'Anna');
    await office.enter(bo, 'Bo');
    await bo.api['office.seats']({});
    expect(await outbox(bo)).toEqual([['Together, put right', 'sent', 'claimed-elsewhere']]);
    await send(bo, await addLeaseDraft(bo, 'Another one'));
    expect(sent()).toContain('Another one');
  });
});

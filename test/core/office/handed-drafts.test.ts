// tier: all
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { plainPdf } from '../../../electron/demo/pdf/pdf.ts';
import { type Demo, startDemo } from '../../../electron/demo/start.ts';
import type { DraftContent } from '../../../shared/contract/drafts.ts';
import { DraftId } from '../../../shared/model/ids.ts';
import {
  addConnected,
  type ConnectedDesk,
  type OfficeDesks,
  startOfficeDesks,
} from '../../support/desks/office-desks.ts';
import { bodyV1 } from '../../support/fakes/memory-desk.ts';
import { entryOf } from '../../support/person-entry.ts';
import { postgresPrograms } from '../../support/postgres.ts';
import { DAY } from '../../../shared/rules/time/units.ts';

const TIMEOUT_MS = 120_000;
const MONTH = 30 * DAY;

describe.skipIf(postgresPrograms === null)('a draft that several computers have', () => {
  let service: Demo;
  let office: OfficeDesks;
  let anna: ConnectedDesk;
  let bo: ConnectedDesk;
  let carl: ConnectedDesk;

  beforeEach(async () => {
    service = await startDemo({ dataDir: null, seed: 'none', counterpartDelayMs: null });
    office = await startOfficeDesks();
    anna = await addConnected(office, service, 'Anna');
    bo = await addConnected(office, service, 'Bo');
    carl = await addConnected(office, service, 'Carl');
  }, TIMEOUT_MS);
  afterEach(async () => {
    await office.close();
    await service.close();
  });

  async function prepare({ api, desk, connectionId }: ConnectedDesk): Promise<DraftId> {
    const content = contentOf('Lease');
    const { id } = await api['drafts.create']({ content, connectionId });
    const bytes = desk.acceptBytes(await plainPdf('Lease', ['Of many pages.']));
    const { id: file } = await api['drafts.attach']({ id, name: 'Lease.pdf', bytes });
    const { revision } = await api['drafts.show']({ id });
    const attachments = [{ type: 'BASE64', category: 'AGREEMENT', file }] as const;
    const whole = { ...content, body: { ...content.body, attachments: [...attachments] } };
    await api['drafts.save']({ id, revision, connectionId, content: whole });
    return id;
  }
  async function rename({ api, connectionId }: ConnectedDesk, id: DraftId, title: string) {
    const { revision, content } = await api['drafts.show']({ id });
    if (content.api !== 'v1') throw new Error('It is of the other API');
    const changed = { api: 'v1' as const, body: { ...content.body, title } };
    await api['drafts.save']({ id, revision, connectionId, content: changed });
  }
  async function giveTo(from: ConnectedDesk, id: DraftId, name: string) {
    const seats = await from.api['office.seats']({});
    const seat = seats.find((one) => one.name === name)?.id;
    if (seat === undefined) throw new Error('Nobody of this name');
    await from.api['office.handOver']({ what: { kind: 'draft', id }, seat, note: '' });
  }
  const waiting = ({ api }: ConnectedDesk) => api['office.handovers']({});
  async function take(desk: ConnectedDesk): Promise<DraftId> {
    const [given] = await waiting(desk);
    const { id } = await desk.api['office.take']({ id: given?.id ?? '' });
    return DraftId.parse(id);
  }
  /** Returns why the desk's row of the draft waits; null once it was sent. */
  async function send({ api, connectionId }: ConnectedDesk, id: DraftId) {
    const { sentBefore } = await api['drafts.check']({ id });
    const again = sentBefore.map(({ key }) => key);
    const ref = await api['drafts.send']({ id, connectionId, holdSeconds: 0, confirm: 1, again });
    await api['outbox.run']({});
    const { state, reason } = await api['outbox.show'](ref);
    return state === 'sent' ? null : (reason?.reason ?? state);
  }
  const sent = () => service.agreements.v1().map(({ title }) => title);

  it('is sent once when it was handed over, changed, and also restored from the trash (DL-P4)', async () => {
    const id = await prepare(anna);
    await giveTo(anna, id, 'Bo');
    const atBo = await take(bo);
    await rename(bo, atBo, 'Lease of Bo');
    expect(await send(bo, atBo)).toBeNull();
    await anna.api['drafts.restore']({ id });
    expect(await send(anna, id)).toBe('claimed-elsewhere');
    expect(sent()).toEqual(['Lease of Bo']);
  });

  it('is sent once when it was handed over and shared with a third computer (DL-P4)', async () => {
    const id = await prepare(anna);
    await giveTo(anna, id, 'Bo');
    const atBo = await take(bo);
    await carl.api['office.share']({ set: 'drafts', isShared: true });
    await bo.api['office.together']({ draft: atBo, isTogether: true });
    await carl.api['office.exchange']({});
    await anna.api['drafts.restore']({ id });
    await rename(anna, id, 'Lease of Anna');
    expect(await send(anna, id)).toBeNull();
    expect(await send(carl, atBo)).toBe('claimed-elsewhere');
    expect(sent()).toEqual(['Lease of Anna']);
  });

  it('is sent once after one computer stops sharing it (DL-P4)', async () => {
    const id = await prepare(anna);
    await bo.api['office.share']({ set: 'drafts', isShared: true });
    await anna.api['office.together']({ draft: id, isTogether: true });
    await bo.api['office.exchange']({});
    await anna.api['office.together']({ draft: id, isTogether: false });
    await bo.api['office.exchange']({});
    await bo.api['drafts.restore']({ id });
    await rename(bo, id, 'Lease of Bo');
    expect(await send(bo, id)).toBeNull();
    expect(await send(anna, id)).toBe('claimed-elsewhere');
    expect(sent()).toEqual(['Lease of Bo']);
  });

  it('names one blocking computer when both its content and its ID are blocked, and is sent once a person saw that', async () => {
    const id = await prepare(anna);
    await giveTo(anna, id, 'Bo');
    expect(await send(bo, await take(bo))).toBeNull();
    await anna.api['drafts.restore']({ id });
    expect(await send(anna, id)).toBe('claimed-elsewhere');
    const [row] = await anna.api['outbox.list']({});
    if (row === undefined) throw new Error('Nothing waits');
    const holders = await anna.api['office.holders']({ ref: row.ref });
    expect(holders).toMatchObject([{ seat: 'Bo', state: 'done', claims: [{}, {}] }]);
    const seen = holders.flatMap(({ claims }) => claims);
    await anna.api['office.follow']({ ref: row.ref, seen });
    await anna.api['outbox.run']({});
    expect(sent()).toEqual(['Lease', 'Lease']);
  });

  it('cannot be taken back after its person was erased, and another computer may take it (DL-R3)', async () => {
    const id = await prepare(anna);
    await giveTo(anna, id, 'Bo');
    const person = await anna.api['people.save']({ id: null, entry: entryOf({}) });
    await anna.api['people.forget']({ id: person.id, drafts: [id], copies: false });
    await expect(take(anna)).rejects.toMatchObject({ failure: { code: 'conflict' } });
    expect(await anna.api['drafts.list']({})).toEqual([]);
    const taken = await take(bo);
    expect(await bo.api['drafts.list']({})).toMatchObject([{ id: taken }]);
  });

  it('is returned to the computer that handed it over when the office’s server lost it (DL-P4)', async () => {
    const id = await prepare(anna);
    await giveTo(anna, id, 'Bo');
    await office.postgres.run(
      'DELETE FROM signing_desk.handover_piece; DELETE FROM signing_desk.handover',
      'signing_desk',
    );
    expect(await waiting(anna)).toMatchObject([{ kind: 'draft', isOwn: true, to: '' }]);
    const back = await take(anna);
    expect((await anna.api['drafts.show']({ id: back })).files).toMatchObject([
      { name: 'Lease.pdf' },
    ]);
    expect(await waiting(anna)).toEqual([]);
  });
});

function contentOf(title: string): DraftContent & { readonly api: 'v1' } {
  const expireOn = new Date(Date.now() + MONTH).toISOString().replace(/[-:]|\.\d+/g, '');
  return { api: 'v1', body: { ...bodyV1(title), expireOn } };
}

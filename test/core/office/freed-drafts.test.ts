// tier: quick, 20 s, because a shared draft goes out once though several desks may send it
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Demo, startDemo } from '../../../electron/demo/start.ts';
import { plainPdf } from '../../../electron/demo/pdf/pdf.ts';
import { type ConnectionId, type DraftId, OutboxRef } from '../../../shared/model/ids.ts';
import { HOUR } from '../../../shared/rules/time/units.ts';
import {
  addConnected,
  type ConnectedDesk,
  type HomeDesk,
  type OfficeDesks,
  startOfficeDesks,
} from '../../support/desks/office-desks.ts';
import { silenceOthers } from '../../support/desks/silence.ts';
import { bodyV1 } from '../../support/fakes/memory-desk.ts';
import { postgresPrograms } from '../../support/postgres.ts';

const TIMEOUT_MS = 120_000;
const OWNER = { role: 'signing_desk_owner', password: 'the owner’s, for this test' };

describe.skipIf(postgresPrograms === null)(
  'a shared draft whose send was left to a lost computer',
  () => {
    let service: Demo;
    let office: OfficeDesks;
    let anna: HomeDesk;
    let bo: ConnectedDesk;
    let connectionId: ConnectionId;
    let draft: DraftId;
    let ref: OutboxRef;
    /** Anna's data from before the send. */
    let before: string;

    beforeEach(async () => {
      service = await startDemo({ dataDir: null, seed: 'none', counterpartDelayMs: null });
      office = await startOfficeDesks();
      const first = await addConnected(office, service, 'Anna');
      ({ connectionId } = first);
      bo = await addConnected(office, service, 'Bo');
      for (const { api } of [first, bo]) {
        await api['office.share']({ set: 'drafts', isShared: true });
      }
      draft = await begin(first);
      ({ home: anna, copied: before } = await office.copy(first));
      ref = await sendFrom(anna, connectionId, Date.now() + HOUR);
      await anna.api['office.leaveDraft']({ draft });
      await exchange(anna, bo);
    }, TIMEOUT_MS);
    afterEach(async () => {
      await office.close();
      await service.close();
    });

    async function begin({ api, desk }: HomeDesk): Promise<DraftId> {
      const body = bodyV1('Lease');
      const { id } = await api['drafts.create']({
        content: { api: 'v1', body },
        connectionId: null,
      });
      const bytes = desk.acceptBytes(await plainPdf('Lease', ['Of many pages.']));
      const { id: file } = await api['drafts.attach']({ id, name: 'Lease.pdf', bytes });
      const { revision } = await api['drafts.show']({ id });
      const attachments = [{ type: 'BASE64' as const, category: 'AGREEMENT' as const, file }];
      const content = { api: 'v1' as const, body: { ...body, attachments } };
      await api['drafts.save']({ id, revision, connectionId: null, content });
      await api['office.together']({ draft: id, isTogether: true });
      await exchange(bo);
      await api['office.leaveDraft']({ draft: id });
      return id;
    }
    const exchange = async (...desks: readonly HomeDesk[]) => {
      for (const { api } of desks) await api['office.exchange']({});
    };
    async function sendFrom({ api }: HomeDesk, by: ConnectionId, sendAt: number | null = null) {
      const order = { id: draft, connectionId: by, holdSeconds: 0, confirm: 1, again: [] };
      const sent = await api['drafts.send']({ ...order, ...(sendAt !== null && { sendAt }) });
      return sent.ref;
    }
    const write = async ({ api }: HomeDesk, title: string) => {
      const { revision, content, connectionId: by } = await api['drafts.show']({ id: draft });
      const changed = { ...content, body: { ...content.body, title } } as typeof content;
      await api['drafts.save']({ id: draft, revision, content: changed, connectionId: by });
    };
    const free = ({ api }: HomeDesk) => api['office.freeDraft']({ draft });
    const isSending = async ({ api }: HomeDesk) =>
      (await api['office.drafts']({})).find((one) => one.draft === draft)?.isSending;
    const isSent = async ({ api }: HomeDesk, sent: OutboxRef) => {
      await expect
        .poll(async () => (await api['outbox.show']({ ref: sent })).state, { timeout: 20_000 })
        .toBe('sent');
    };
    const made = () => service.agreements.v1().map(({ title }) => title);
    const silent = (minutes: number) => silenceOthers(office.postgres, bo.api, minutes);

    it('can be released by a person when the user of that computer was removed (DL-Q3)', async () => {
      await anna.desk.close();
      await expect(write(bo, 'Lease 2')).rejects.toMatchObject({
        failure: {
          reason: 'draft-elsewhere',
          message: expect.stringContaining('a user can free the draft'),
        },
      });
      await expect(free(bo)).rejects.toMatchObject({ failure: { reason: 'claim-moves' } });
      const seat = (await bo.api['office.seats']({})).find(({ name }) => name === 'Anna');
      if (seat === undefined) throw new Error('Nobody of this name');
      await bo.api['office.remove']({ owner: OWNER, seat: seat.id });
      expect(await isSending(bo)).toBe(true);
      await free(bo);
      expect(await isSending(bo)).toBe(false);
      await write(bo, 'Lease 2');
      await isSent(bo, await sendFrom(bo, bo.connectionId));
      expect(made()).toEqual(['Lease 2']);
      await expect(free(bo)).rejects.toMatchObject({ failure: { code: 'conflict' } });
    });

    it('can be released when the data of that computer was restored and its former id is inactive (DL-Q3)', async () => {
      anna = await office.putBack(anna, before);
      await exchange(anna, bo);
      for (const desk of [anna, bo]) {
        await expect(write(desk, 'Lease 2')).rejects.toMatchObject({
          failure: { reason: 'draft-elsewhere' },
        });
      }
      await silent(14);
      await expect(free(bo)).rejects.toMatchObject({
        failure: {
          reason: 'claim-moves',
          message: expect.stringMatching(/try again in [12] min$/u),
        },
      });
      await silent(16);
      await free(bo);
      await exchange(anna);
      expect([await isSending(anna), await isSending(bo)]).toEqual([false, false]);
      await write(anna, 'Lease 2');
      await isSent(anna, await sendFrom(anna, connectionId));
      expect(made()).toEqual(['Lease 2']);
    });

    it('is sent only once when the lost computer comes back and tries to send it too (DL-Q3)', async () => {
      await anna.desk.close();
      await silent(16);
      await free(bo);
      await isSent(bo, await sendFrom(bo, bo.connectionId));
      expect(made()).toEqual(['Lease']);
      ({ home: anna } = await office.copy(anna));
      await exchange(anna);
      expect((await anna.api['outbox.show']({ ref })).reason).toMatchObject({
        reason: 'draft-freed',
      });
      await anna.api['outbox.sendNow']({ ref });
      await anna.api['outbox.run']({});
      expect(await anna.api['outbox.show']({ ref })).toMatchObject({
        state: 'queued',
        reason: { reason: 'claimed-elsewhere' },
      });
      expect(made()).toEqual(['Lease']);
    });

    it.for(['corrects', 'removes'] as const)(
      'waits at the lost computer for a person’s decision when another computer %s it after the release (DL-U5)',
      async (change) => {
        await silent(16);
        await free(bo);
        if (change === 'corrects') await write(bo, 'Lease 2');
        else await bo.api['drafts.delete']({ id: draft });
        await exchange(bo, anna);
        await anna.api['outbox.run']({});
        expect(await anna.api['outbox.show']({ ref })).toMatchObject({
          state: 'queued',
          nextAt: null,
          reason: { reason: 'draft-freed' },
        });
        expect(made()).toEqual([]);
        await exchange(anna, bo);
        if (change === 'removes') return;
        await write(bo, 'Lease 3');
        await exchange(bo, anna);
        // A person undoes the send, and finds the other user's version.
        await anna.api['outbox.undo']({ ref });
        await exchange(anna);
        const { content } = await anna.api['drafts.show']({ id: draft });
        expect(content.body).toMatchObject({ title: 'Lease 3' });
      },
    );

    it('is sent once when its computer leaves the office, and that computer waits for a person’s decision (DL-U7)', async () => {
      await anna.api['office.leave']({});
      await exchange(bo);
      expect(await isSending(bo)).toBe(false);
      await isSent(bo, await sendFrom(bo, bo.connectionId));
      await anna.api['outbox.run']({});
      expect(await anna.api['outbox.show']({ ref })).toMatchObject({
        state: 'queued',
        nextAt: null,
        reason: { reason: 'draft-freed' },
      });
      expect(made()).toEqual(['Lease']);
    });

    it('blocks no other draft at the computer that was to send it, if it was released and then removed (DL-U1)', async () => {
      await silent(16);
      await free(bo);
      await write(bo, 'Lease 2');
      await exchange(bo);
      await anna.api['outbox.sendNow']({ ref });
      await anna.api['outbox.run']({});
      await exchange(anna);
      await bo.api['drafts.delete']({ id: draft });
      await exchange(bo, anna);
      const other = await begin(bo);
      await exchange(anna);
      expect((await anna.api['drafts.show']({ id: other })).files).toHaveLength(1);
      expect((await anna.api['office.sharing']({})).failure).toBeNull();
    });

    it('blocks no other draft if another computer sent it with an extra file after its release (DL-U1)', async () => {
      await silent(16);
      await free(bo);
      const bytes = bo.desk.acceptBytes(await plainPdf('Annex', ['Another page.']));
      await bo.api['drafts.attach']({ id: draft, name: 'Annex.pdf', bytes });
      await exchange(bo, anna);
      await sendFrom(bo, bo.connectionId);
      await bo.api['outbox.run']({});
      await exchange(bo, anna);
      const other = await begin(bo);
      await exchange(anna);
      expect((await anna.api['drafts.show']({ id: other })).files).toHaveLength(1);
      expect((await anna.api['office.sharing']({})).failure).toBeNull();
    });

    it('cannot be released while it may have been sent, only once its outcome is settled (DL-Q3)', async () => {
      const path = /\/agreements$/;
      const fault = service.fault({ method: 'POST', path, do: { kind: 'reset-before' } });
      await anna.api['outbox.sendNow']({ ref });
      await anna.api['outbox.run']({});
      fault.clear();
      expect(await anna.api['outbox.show']({ ref })).toMatchObject({ state: 'unknown' });
      await expect.poll(async () => (await bo.api['office.open']({}))[0]?.state).toBe('unknown');
      await anna.desk.close();
      await silent(16);
      await expect(free(bo)).rejects.toMatchObject({
        failure: {
          reason: 'unsettled-elsewhere',
          message: expect.stringContaining('Anna may have sent this draft'),
        },
      });
      await office.postgres.run(
        `SET search_path = signing_desk; ALTER TABLE operation DISABLE TRIGGER USER;
        UPDATE operation SET moved_at = clock_timestamp() - interval '30 minutes';
        ALTER TABLE operation ENABLE TRIGGER USER`,
        'signing_desk',
      );
      await bo.api['office.adopt']({ id: ref });
      await bo.api['outbox.settle']({ ref, decision: { as: 'abandon' } });
      await expect.poll(() => bo.api['office.open']({}), { timeout: 20_000 }).toEqual([]);
      await free(bo);
      await write(bo, 'Lease 2');
    });
  },
);

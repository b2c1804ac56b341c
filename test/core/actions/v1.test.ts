import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ActionsResult } from '../../../shared/contract/actions.ts';
import { AgreementId, type ConnectionId } from '../../../shared/model/ids.ts';
import { AppError } from '../../../shared/errors.ts';
import type { RemoteAgreement } from '../../../shared/model/agreement.ts';
import { extrasOf, lost, notificationOf } from '../../support/fakes/fake-actions.ts';
import { partyOf, remoteOf } from '../../support/fakes/fake-service.ts';
import {
  addConnection,
  type MemoryDesk,
  startMemoryDesk,
} from '../../support/fakes/memory-desk.ts';
import { HOUR } from '../../../shared/rules/time/units.ts';

const unknown = { kind: 'unknown', failure: lost } as const;
const LATER = Date.UTC(2030, 0, 31);

let desk: MemoryDesk;
let connectionId: ConnectionId;

beforeEach(async () => {
  desk = startMemoryDesk();
  connectionId = (await addConnection(desk)).id;
});

const keyOf = (id: string) => ({ connectionId, id: AgreementId.parse(id) });

function plant(id: string, change: Partial<RemoteAgreement> = {}): void {
  const parties = [partyOf({ email: 'old@example.com' })];
  const remote = remoteOf({ id, title: `Title ${id}`, parties, etag: '"9"', ...change });
  desk.services.v1.agreements.set(id, remote);
  desk.stores.agreements.put(connectionId, 'v1', [remote], desk.clock.now());
}

const states = () => desk.stores.actions.list({}, 0).map(({ kind, state }) => `${kind} ${state}`);
const sent = () => desk.actions.v1.sent;

describe('a change of the dates', () => {
  it('uses the newest ETag of the agreement, byte by byte (T1-73)', async () => {
    plant('a');
    desk.actions.v1.extrasOfAll = extrasOf('W/"x y"');
    const outcome = await desk.api['actions.change']({ key: keyOf('a'), expiresAt: LATER });
    expect(outcome).toMatchObject({ outcome: 'done', etag: '"2"' });
    expect(sent()).toEqual([`change a {"expiresAt":${LATER}} W/"x y"`]);
  });

  it('is refused when the service returns no ETag', async () => {
    plant('a');
    desk.actions.v1.extrasOfAll = extrasOf(null);
    await expect(
      desk.api['actions.change']({ key: keyOf('a'), expiresAt: LATER }),
    ).rejects.toMatchObject({
      failure: {
        code: 'service',
        reason: 'answer-mismatch',
        message:
          'The service sent no version (ETag) of the agreement. Nothing was changed, because a change of someone else could be lost',
      },
    });
    expect(sent()).toEqual([]);
  });

  it('that conflicts with another change shows it in every window, and is repeated only on request (T1-72)', async () => {
    plant('a');
    desk.actions.v1.endings.push('stale');
    plant('a', { expiresAt: 77, etag: '"new"' });
    const seen: unknown[] = [];
    desk.on('agreements.changed', (change) => seen.push(change));
    const first = await desk.api['actions.change']({
      key: keyOf('a'),
      expiresAt: LATER,
      etag: '"1"',
    });
    expect(first).toMatchObject({ outcome: 'changed', etag: '"new"', fresh: { expiresAt: 77 } });
    expect(seen).toContainEqual({ connectionId, added: 0, changed: 1 });
    expect(sent()).toHaveLength(1);
    expect(states()).toEqual(['change refused']);
    if (first.outcome !== 'changed' || first.etag === null) throw new Error('not changed');
    const again = { key: keyOf('a'), expiresAt: LATER, etag: first.etag };
    expect(await desk.api['actions.change'](again)).toMatchObject({ outcome: 'done' });
    expect(sent()[1]).toBe(`change a {"expiresAt":${LATER}} "new"`);
  });

  it('waits for an earlier correction of the agreement, and uses the ETag from its answer (T1-76)', async () => {
    plant('a');
    const key = keyOf('a');
    const order: string[] = [];
    desk.actions.v1.commit = (request) => order.push(request.split(' ')[0] ?? '');
    const correction = { key, partyId: 'party-1', address: 'new@example.com', notify: false };
    const both = await Promise.all([
      desk.api['actions.correctEmail']({ ...correction, etag: '"1"' }),
      desk.api['actions.change']({ key, expiresAt: LATER, etag: '"1"' }),
    ]);
    expect(both.map(({ outcome }) => outcome)).toEqual(['done', 'done']);
    expect(order).toEqual(['correctEmail', 'change']);
    expect(sent()[1]).toBe(`change a {"expiresAt":${LATER}} "2"`);
  });

  it('is validated by the rules for dates of a new agreement, before any request (FE-D7)', async () => {
    plant('a', { expiresAt: LATER, deletesAt: LATER + 30 * 24 * HOUR });
    const refused = async (dates: { expiresAt?: number; deletesAt?: number }) => {
      const asking = desk.api['actions.change']({ key: keyOf('a'), ...dates });
      const error: unknown = await asking.catch((caught: unknown) => caught);
      if (!(error instanceof AppError) || error.failure.code !== 'invalid') throw error;
      return error.failure.fields;
    };
    const past = 'The time is in the past';
    const order = 'The agreement must expire before it is deleted. Choose a later deletion date';
    const before = desk.clock.now() - 1;
    expect(await refused({ expiresAt: before })).toEqual({ expiresAt: past });
    expect(await refused({ deletesAt: before })).toEqual({ deletesAt: past });
    expect(await refused({ expiresAt: LATER + 31 * 24 * HOUR })).toEqual({ deletesAt: order });
    expect(await refused({ expiresAt: LATER, deletesAt: LATER })).toEqual({ deletesAt: order });
    expect(sent()).toEqual([]);
    expect(states()).toEqual([]);
  });

  it('does not use the ETag of an earlier change after that change has ended (T1-72)', async () => {
    plant('a');
    const change = { key: keyOf('a'), expiresAt: LATER, etag: '"1"' };
    await desk.api['actions.change'](change);
    await desk.api['actions.change'](change);
    expect(sent()[1]).toBe(`change a {"expiresAt":${LATER}} "1"`);
  });

  it('with a lost answer is done if the service shows its dates, compared in whole seconds', async () => {
    plant('a');
    desk.actions.v1.endings.push(unknown, unknown);
    desk.actions.v1.commit = () => plant('a', { expiresAt: LATER });
    const change = { key: keyOf('a'), expiresAt: LATER + 400 };
    expect(await desk.api['actions.change'](change)).toMatchObject({ outcome: 'done' });
    const other = { ...change, deletesAt: LATER + HOUR };
    expect(await desk.api['actions.change'](other)).toMatchObject({ outcome: 'unknown' });
    expect(states()).toEqual(['change unknown', 'change done']);
  });

  it('does not settle an earlier change with a lost answer, since both may have been made', async () => {
    plant('a');
    desk.actions.v1.endings.push(unknown);
    await desk.api['actions.change']({ key: keyOf('a'), expiresAt: LATER });
    await desk.api['actions.change']({ key: keyOf('a'), expiresAt: LATER + HOUR });
    expect(states()).toEqual(['change done', 'change unknown']);
  });

  it('requires a date, and an ETag from the service', async () => {
    plant('a');
    await expect(desk.api['actions.change']({ key: keyOf('a') })).rejects.toMatchObject({
      failure: { code: 'invalid' },
    });
    desk.actions.v1.extrasOfAll = extrasOf(null);
    const change = { key: keyOf('a'), expiresAt: LATER };
    await expect(desk.api['actions.change'](change)).rejects.toMatchObject({
      failure: { code: 'service' },
    });
    expect(sent()).toEqual([]);
  });
});

describe('an agreement of another owner', () => {
  const shared = (owner: string, sharedWith: string) => ({
    access: { sharedWith, owner: { id: owner, name: 'Jonas Berg' }, rights: [] },
  });
  const forbidden = { code: 'forbidden', reason: 'not-owner' };

  beforeEach(() => {
    plant('ours', shared('karin', 'NONE'));
    plant('theirs', shared('jonas', 'CUSTOM'));
  });

  it('can be changed by its owner only: no request is sent, and the error names the owner (T1-22)', async () => {
    const key = keyOf('theirs');
    const at = { key, partyId: 'party-1', notificationId: 'invitation' };
    const tries = [
      desk.api['actions.change']({ key, expiresAt: LATER }),
      desk.api['actions.correctEmail']({ ...at, address: 'new@example.com', notify: false }),
      desk.api['actions.notification'](at),
      desk.api['actions.replaceRecipients']({ ...at, recipients: [], nobody: true }),
      desk.api['actions.silence'](at),
    ];
    for (const one of await Promise.allSettled(tries)) {
      expect(one).toMatchObject({ status: 'rejected', reason: { failure: forbidden } });
    }
    const { jobId } = await desk.api['actions.remind']({ targets: [key], confirm: 1 });
    const { failed } = ActionsResult.parse((await desk.finish(jobId)).result);
    expect(failed[0]?.failure).toMatchObject(forbidden);
    expect(failed[0]?.failure.message).toContain('Jonas Berg');
    expect(sent()).toEqual([]);
  });

  it('is neither revoked nor deleted, according to a reading just before (T1-22)', async () => {
    const order = { keys: [keyOf('theirs')], confirm: 1 };
    const ends = [
      await desk.api['actions.revoke'](order),
      await desk.api['actions.remove'](order),
    ].map(async ({ jobId }) => ActionsResult.parse((await desk.finish(jobId)).result).failed[0]);
    expect((await ends[0])?.failure).toMatchObject(forbidden);
    expect((await ends[1])?.failure).toMatchObject({ reason: 'no-delete-right' });
    expect(sent()).toEqual([]);
  });

  it('is distinguished from the user’s own agreements by its details', async () => {
    const shown = await desk.api['agreements.show']({ ...keyOf('theirs'), refresh: false });
    expect(shown).toMatchObject({ ourUser: 'karin', access: { owner: { id: 'jonas' } } });
  });
});

describe('a correction of an email address', () => {
  const correct = (notify: boolean) =>
    desk.api['actions.correctEmail']({
      key: keyOf('a'),
      partyId: 'party-1',
      address: 'new@example.com',
      notify,
    });

  it('notifies no one by default (T1-77)', async () => {
    plant('a');
    expect(await correct(false)).toMatchObject({ notice: { state: 'not-asked' } });
    expect(sent()).toEqual(['correctEmail a party-1 new@example.com "1"']);
  });

  it('notifies the party on request (T1-77)', async () => {
    plant('a');
    desk.actions.v1.extrasOfAll = extrasOf('"1"', { 'party-1': [notificationOf()] });
    expect(await correct(true)).toMatchObject({ outcome: 'done', notice: { state: 'reminded' } });
    expect(sent()).toEqual([
      'correctEmail a party-1 new@example.com "1"',
      'remind a party-1 invitation',
    ]);
  });

  it('is kept when the notification fails, and the failure is reported (T1-77)', async () => {
    plant('a');
    desk.actions.v1.extrasOfAll = extrasOf('"1"', { 'party-1': [notificationOf()] });
    const failure = { code: 'service', message: 'No mail today' } as const;
    desk.actions.v1.endings.push('done', { kind: 'refused', failure });
    expect(await correct(true)).toMatchObject({
      outcome: 'done',
      notice: { state: 'failed', failure: { message: 'No mail today' } },
    });
    expect(states()).toEqual(['remind refused', 'correct-email done']);
  });

  it('notifies no one when the address was not corrected (T1-77)', async () => {
    plant('a');
    desk.actions.v1.endings.push('stale');
    expect(await correct(true)).toMatchObject({ outcome: 'changed' });
    expect(sent()).toHaveLength(1);
  });
});

describe('notifications of a party', () => {
  const at = () => ({ key: keyOf('a'), partyId: 'party-1', notificationId: 'invitation' });
  const recipients = [{ medium: 'SMS' as const, address: '+46701234567' }];

  it('are read just before a change, to use their own ETag (T1-75)', async () => {
    plant('a');
    desk.actions.v1.notifications.set('invitation', notificationOf());
    await desk.api['actions.replaceRecipients']({ ...at(), recipients });
    expect(sent()).toEqual([`replaceRecipients invitation ${JSON.stringify(recipients)} "n1"`]);
  });

  it('are changed with a given ETag without reading the notification first', async () => {
    plant('a');
    const reads = vi.spyOn(desk.actions.v1, 'readNotification');
    await desk.api['actions.replaceRecipients']({ ...at(), recipients, etag: '"shown"' });
    expect(sent()).toEqual([`replaceRecipients invitation ${JSON.stringify(recipients)} "shown"`]);
    expect(reads).not.toHaveBeenCalled();
  });

  it('that have changed since then are returned with the ETag for repeating the change (T1-75)', async () => {
    plant('a');
    desk.actions.v1.notifications.set('invitation', notificationOf());
    desk.actions.v1.endings.push('stale');
    const outcome = await desk.api['actions.replaceRecipients']({ ...at(), recipients });
    expect(outcome).toMatchObject({
      outcome: 'changed',
      etag: '"fresh"',
      notification: { id: 'invitation' },
      fresh: { title: 'Title a' },
    });
  });

  it('are validated locally: one medium, and reachable numbers and addresses (FE-D6)', async () => {
    plant('a');
    desk.actions.v1.notifications.set('invitation', notificationOf());
    const refused = async (...recipients: { medium: 'EMAIL' | 'SMS'; address: string }[]) => {
      const asking = desk.api['actions.replaceRecipients']({ ...at(), recipients });
      const error: unknown = await asking.catch((caught: unknown) => caught);
      if (!(error instanceof AppError) || error.failure.code !== 'invalid') throw error;
      return Object.keys(error.failure.fields ?? {});
    };
    const [mail, phone] = [
      { medium: 'EMAIL', address: 'bo@example.com' },
      { medium: 'SMS', address: '+46701234567' },
    ] as const;
    expect(await refused(mail, phone)).toEqual(['recipients']);
    expect(await refused(mail, { medium: 'EMAIL', address: 'nope' })).toEqual([
      'recipients.1.address',
    ]);
    expect(await refused({ medium: 'SMS', address: '0701' })).toEqual(['recipients.0.address']);
    expect(await refused(mail, mail)).toEqual(['recipients.1.address']);
    expect(sent()).toEqual([]);
    const typed = [{ medium: 'SMS' as const, address: '+46 (0)70-123 45 67' }];
    await desk.api['actions.replaceRecipients']({ ...at(), recipients: typed });
    expect(sent()).toEqual([`replaceRecipients invitation ${JSON.stringify([phone])} "n1"`]);
  });

  it('lose their last recipient only when that is confirmed (T1-78)', async () => {
    plant('a');
    desk.actions.v1.notifications.set('invitation', notificationOf());
    const nobody = { ...at(), recipients: [] };
    await expect(desk.api['actions.replaceRecipients'](nobody)).rejects.toMatchObject({
      failure: { code: 'invalid', fields: { nobody: expect.any(String) } },
    });
    expect(sent()).toEqual([]);
    const confirmed = await desk.api['actions.replaceRecipients']({ ...nobody, nobody: true });
    expect(confirmed).toMatchObject({ outcome: 'done' });
  });

  it('are sent by email and text message only (T1-78)', async () => {
    plant('a');
    const webhook = [{ medium: 'WEBHOOK' as never, address: 'https://example.com' }];
    const input = { ...at(), recipients: webhook };
    await expect(desk.api['actions.replaceRecipients'](input)).rejects.toMatchObject({
      failure: { code: 'invalid' },
    });
  });

  it('that no longer exist on the service are returned as null', async () => {
    plant('a');
    const { v1 } = desk.actions;
    v1.notifications.set('invitation', notificationOf());
    v1.endings.push('stale');
    v1.commit = () => v1.notifications.delete('invitation');
    const outcome = await desk.api['actions.replaceRecipients']({ ...at(), recipients });
    expect(outcome).toMatchObject({ outcome: 'changed', notification: null });
  });

  it('are deleted, and the answer contains the new ETag (T1-74)', async () => {
    plant('a');
    desk.actions.v1.notifications.set('invitation', notificationOf());
    expect(await desk.api['actions.silence'](at())).toMatchObject({ outcome: 'done', etag: '"2"' });
  });

  it('with a lost answer to new recipients are read again, and are done if the recipients are listed (T1-71)', async () => {
    plant('a');
    const { v1 } = desk.actions;
    v1.notifications.set('invitation', notificationOf());
    const replace = () => desk.api['actions.replaceRecipients']({ ...at(), recipients });
    v1.endings.push(unknown);
    expect(await replace()).toMatchObject({ outcome: 'unknown' });
    v1.endings.push(unknown);
    v1.commit = () => v1.notifications.set('invitation', notificationOf({ recipients }));
    expect(await replace()).toMatchObject({ outcome: 'done' });
  });

  it('with a lost answer to a deletion are read again, and are done if they are gone (T1-71)', async () => {
    plant('a');
    const { v1 } = desk.actions;
    v1.notifications.set('invitation', notificationOf());
    v1.endings.push(unknown);
    v1.commit = () => v1.notifications.delete('invitation');
    expect(await desk.api['actions.silence'](at())).toMatchObject({ outcome: 'done' });
  });
});

describe('a reminder', () => {
  const remind = async (target: object = {}) => {
    const targets = [{ ...keyOf('a'), ...target }];
    const { jobId } = await desk.api['actions.remind']({ targets, confirm: 1 });
    return ActionsResult.parse((await desk.finish(jobId)).result);
  };
  const party = (id: string, state: 'turn' | 'waiting' | 'signed') => partyOf({ id, state });

  beforeEach(() => {
    const parties = [party('now', 'turn'), party('later', 'waiting'), party('over', 'signed')];
    plant('a', { parties });
    const expiry = notificationOf({ id: 'expiry', type: 'EXPIRY_REMINDER' });
    const lists = ['now', 'later', 'over'].map((id) => [
      id,
      [notificationOf({ id: `to-${id}` }), expiry],
    ]);
    desk.actions.v1.extrasOfAll = extrasOf('"1"', Object.fromEntries(lists));
  });

  it('is sent to parties whose turn it is, by the notification that contains the link (T1-80)', async () => {
    expect((await remind()).done).toMatchObject([{ id: 'a', reminded: 1 }]);
    expect(sent()).toEqual(['remind a now to-now']);
  });

  it.each(['later', 'over'])(
    'is not sent to a party that waits or has signed: %s (T1-80)',
    async (partyId) => {
      const { failed } = await remind({ partyId });
      expect(failed[0]?.failure).toMatchObject({ reason: 'nobody-to-remind' });
      expect(sent()).toEqual([]);
    },
  );

  it('is sent again only after an hour, and an earlier try is refused with the time (T1-79)', async () => {
    const start = desk.clock.now();
    await remind();
    desk.clock.advance(HOUR - 1);
    const { failed } = await remind();
    expect(failed[0]?.failure).toMatchObject({
      code: 'limited',
      reason: 'reminded-lately',
      retryAt: start + HOUR,
      message: expect.stringContaining(new Date(start + HOUR).toISOString().slice(0, 16)),
    });
    desk.clock.advance(1);
    expect((await remind()).done).toHaveLength(1);
    expect(sent()).toHaveLength(2);
  });

  it('with unknown outcome is neither repeated nor looked for, since it may have been sent (T1-79)', async () => {
    desk.actions.v1.endings.push(unknown);
    const reads = desk.services.v1.reads.length;
    expect((await remind()).unknown).toHaveLength(1);
    expect(desk.services.v1.reads.length - reads).toBe(1);
    expect((await remind()).failed[0]?.failure).toMatchObject({ reason: 'reminded-lately' });
    expect(sent()).toHaveLength(1);
  });

  it('through another connection to the service is also refused within an hour (DL-P9)', async () => {
    const start = desk.clock.now();
    await remind();
    desk.clock.advance(HOUR / 2);
    connectionId = (await addConnection(desk, 'v1', 'Second')).id;
    expect((await remind()).failed[0]?.failure).toMatchObject({
      reason: 'reminded-lately',
      retryAt: start + HOUR,
    });
    desk.clock.advance(HOUR / 2);
    expect((await remind()).done).toHaveLength(1);
    expect(sent()).toHaveLength(2);
  });

  it('through two connections to the service at the same time is sent once (DL-P9)', async () => {
    const { id } = await addConnection(desk, 'v1', 'Second');
    const first = remind();
    connectionId = id;
    const both = await Promise.all([first, remind()]);
    expect(both.map(({ done }) => done.length)).toEqual([1, 0]);
    expect(sent()).toHaveLength(1);
  });

  it('that the service refused can be repeated immediately', async () => {
    const failure = { code: 'invalid', message: 'No recipients' } as const;
    desk.actions.v1.endings.push({ kind: 'refused', failure });
    expect((await remind()).failed).toHaveLength(1);
    expect((await remind()).done).toHaveLength(1);
  });

  it('is sent to no one when one of several parties was reminded recently', async () => {
    const parties = [party('now', 'turn'), party('also', 'turn')];
    plant('a', { parties });
    const lists = parties.map(({ id }) => [id, [notificationOf({ id: `to-${id}` })]]);
    desk.actions.v1.extrasOfAll = extrasOf('"1"', Object.fromEntries(lists));
    await remind({ partyId: 'also', notificationId: 'to-also' });
    const { failed } = await remind();
    expect(failed[0]?.failure).toMatchObject({ reason: 'reminded-lately' });
    expect(sent()).toEqual(['remind a also to-also']);
  });

  it('to another address is sent immediately, and to the previous address after its hour (FE-N5)', async () => {
    const goesTo = (address: string) => {
      const list = [notificationOf({ id: 'to-now', recipients: [{ medium: 'EMAIL', address }] })];
      desk.actions.v1.extrasOfAll = extrasOf('"1"', { now: list });
    };
    goesTo('asa@exmaple.com');
    await remind();
    goesTo('asa@example.com');
    expect((await remind()).done).toHaveLength(1);
    for (const address of ['ASA@example.com', 'asa@exmaple.com']) {
      goesTo(address);
      expect((await remind()).failed[0]?.failure).toMatchObject({ reason: 'reminded-lately' });
      const named = await remind({ partyId: 'now', notificationId: 'to-now' });
      expect(named.failed[0]?.failure).toMatchObject({ reason: 'reminded-lately' });
    }
    expect(sent()).toHaveLength(2);
  });

  it('is sent to no one when the service lists no parties', async () => {
    plant('a', { parties: null });
    const { failed } = await remind();
    expect(failed[0]?.failure).toMatchObject({ reason: 'nobody-to-remind' });
  });

  it('of a named notification is sent to all of its recipients', async () => {
    await remind({ partyId: 'over', notificationId: 'to-over' });
    expect(sent()).toEqual(['remind a over to-over']);
  });
});

it('a raw answer of the service is returned unchanged, as XML too if the API has it', async () => {
  plant('a');
  const raw = (form: 'json' | 'xml') => desk.api['actions.raw']({ key: keyOf('a'), form });
  expect(await raw('json')).toEqual({ text: desk.actions.v1.rawText });
  await expect(raw('xml')).rejects.toMatchObject({
    failure: { reason: 'api-lacks-action', message: 'API v1 answers in JSON only' },
  });
  expect(desk.actions.v1.rawForms).toEqual(['json']);
});

it('a signing link is read from the service when it is used, and never stored (T1-89)', async () => {
  plant('a');
  const { link } = await desk.api['actions.signingLink']({ key: keyOf('a'), partyId: 'party-1' });
  expect(link).toBe('https://sign.example/a/party-1');
  expect(JSON.stringify(desk.stores.actions.list({}, 0))).not.toContain('sign.example');
  expect(JSON.stringify(desk.stores.agreements.details(keyOf('a')))).not.toContain('sign.example');
});

import { beforeEach, describe, expect, it } from 'vitest';
import { SignResult } from '../../../shared/contract/signing.ts';
import type { Failure } from '../../../shared/errors.ts';
import { lost } from '../../support/fakes/fake-actions.ts';
import { pageOf, partyOf, remoteOf } from '../../support/fakes/fake-service.ts';
import { addConnection, createWorld } from '../../support/fakes/memory-desk.ts';
import {
  itemOf,
  keyOf,
  plant,
  sign,
  type SigningDesk,
  startSigningDesk,
} from '../../support/desks/signing-desk.ts';
import { HOUR } from '../../../shared/rules/time/units.ts';

let desk: SigningDesk;

beforeEach(async () => {
  desk = await startSigningDesk();
});

const ids = (list: readonly { readonly id: string }[]) => list.map(({ id }) => id);

describe('the signing queue', () => {
  it('offers agreements that can be signed now, and shows those whose turn comes later', async () => {
    desk.services.v1.pages = [
      pageOf([
        remoteOf({ id: 'ready', parties: [partyOf({})] }),
        remoteOf({ id: 'coming', parties: [partyOf({ state: 'waiting' })] }),
        remoteOf({ id: 'theirs', parties: [partyOf({ apiSigning: null })] }),
        remoteOf({ id: 'over', state: 'revoked', parties: [partyOf({})] }),
      ]),
    ];
    const { jobId } = await desk.api['agreements.sync']({});
    await desk.finish(jobId);
    const queue = await desk.api['signing.list']({});
    expect(queue.map(({ id, state }) => [id, state])).toEqual([
      ['ready', 'ready'],
      ['coming', 'coming'],
    ]);
  });

  it('no longer offers a signed agreement, before the local copy is read again', async () => {
    await plant(desk, 'a');
    desk.clock.advance(1);
    await sign(desk, 'a');
    // The reading just before the signature still showed our turn.
    expect(await desk.api['signing.list']({})).toEqual([]);
  });
});

describe('a signature', () => {
  it('reports the changed agreement once the local copy shows it as signed (SC-22)', async () => {
    await plant(desk, 'a');
    const { v1 } = desk.services;
    const told: number[] = [];
    desk.on('agreements.changed', () => told.push(v1.reads.length));
    await sign(desk, 'a');
    // A listener reads the list after each event, and the last event follows the last reading.
    expect(told.at(-1)).toBe(v1.reads.length);
    expect(v1.reads).toHaveLength(2);
  });

  it('is sent through the outbox: one row and one request each, one after the other', async () => {
    await plant(desk, 'a', 'b');
    const { signed, failed, unknown } = await sign(desk, 'a', 'b');
    expect(ids(signed)).toEqual(['a', 'b']);
    expect([...failed, ...unknown]).toEqual([]);
    expect(desk.services.v1.signed).toHaveLength(2);
    const rows = await desk.api['outbox.list']({});
    expect(rows.map(({ kind, state, attempts }) => [kind, state, attempts])).toEqual([
      ['sign', 'sent', 1],
      ['sign', 'sent', 1],
    ]);
  });

  it('is reported with the title of the agreement, or with its ID if this computer has no copy', async () => {
    await plant(desk, 'a');
    const { signed, failed } = await sign(desk, 'a', 'never-read');
    expect(signed).toMatchObject([{ id: 'a', title: 'Title a' }]);
    expect(failed).toMatchObject([{ id: 'never-read', title: 'never-read' }]);
  });

  it('requires a confirmation of the number of agreements', async () => {
    await plant(desk, 'a', 'b');
    const order = {
      items: [itemOf(desk, 'a'), itemOf(desk, 'b')],
      identityId: desk.identityId,
      confirm: 1,
    };
    await expect(desk.api['signing.sign'](order)).rejects.toMatchObject({
      failure: { code: 'invalid', reason: 'count-differs' },
    });
    const twice = {
      items: [itemOf(desk, 'a'), itemOf(desk, 'a')],
      identityId: desk.identityId,
      confirm: 2,
    };
    await expect(desk.api['signing.sign'](twice)).rejects.toMatchObject({
      failure: { reason: 'count-differs' },
    });
    expect(desk.services.v1.signed).toEqual([]);
  });

  it('reads the agreement first, and signs only if it is still offered (T2-61)', async () => {
    await plant(desk, 'a', 'revoked', 'signed', 'later', 'gone', 'replaced');
    const change = (id: string, remote: Parameters<typeof remoteOf>[0]) =>
      desk.services.v1.agreements.set(id, remoteOf(remote));
    change('revoked', { id: 'revoked', state: 'revoked', parties: [partyOf({})] });
    change('signed', { id: 'signed', parties: [partyOf({ state: 'signed' })] });
    change('later', { id: 'later', parties: [partyOf({ state: 'waiting' })] });
    change('replaced', { id: 'replaced', parties: [partyOf({ id: 'someone-else' })] });
    desk.services.v1.agreements.delete('gone');
    const { signed, failed } = await sign(
      desk,
      'revoked',
      'signed',
      'later',
      'gone',
      'replaced',
      'a',
    );
    expect(ids(signed)).toEqual(['a']);
    expect(failed.map(({ id, failure }) => [id, failure.reason ?? failure.code])).toEqual([
      ['revoked', 'agreement-ended'],
      ['signed', 'signed-already'],
      ['later', 'not-your-turn'],
      ['gone', 'not-found'],
      ['replaced', 'not-offered'],
    ]);
    expect(desk.services.v1.signed).toHaveLength(1);
  });

  it('that came too late reports who ended the agreement, and when (SC-03)', async () => {
    await plant(desk, 'rejected', 'told', 'expired', 'signed', 'replaced', 'later');
    const change = (remote: Parameters<typeof remoteOf>[0]) =>
      desk.services.v1.agreements.set(remote.id, remoteOf(remote));
    const at = Date.UTC(2026, 10, 22, 9);
    const bo = partyOf({ id: 'party-2', name: 'Bo Ek', state: 'rejected' });
    const timeline = [{ at, what: 'rejected' as const, party: null }];
    change({ id: 'rejected', state: 'rejected', parties: [partyOf({}), bo], timeline });
    change({ id: 'told', state: 'rejected', closedAt: at });
    change({ id: 'expired', state: 'expired', parties: [partyOf({})] });
    change({ id: 'signed', state: 'signed', parties: [partyOf({ state: 'signed' })] });
    change({ id: 'replaced', parties: [partyOf({ apiSigning: null })] });
    change({ id: 'later', parties: [partyOf({ state: 'waiting' })] });
    const order = ['rejected', 'told', 'expired', 'signed', 'replaced', 'later'] as const;
    const { failed } = await sign(desk, ...order);
    expect(failed.map(({ id, failure: { reason, end } }) => [id, reason, end])).toEqual([
      ['rejected', 'agreement-ended', { state: 'rejected', by: 'Bo Ek', at }],
      ['told', 'agreement-ended', { state: 'rejected', by: null, at }],
      ['expired', 'agreement-ended', { state: 'expired', by: null, at: null }],
      ['signed', 'signed-already', undefined],
      ['replaced', 'not-offered', undefined],
      ['later', 'not-your-turn', undefined],
    ]);
    expect(desk.services.v1.signed).toEqual([]);
  });

  it('with a lost reply is never repeated, and a reading decides (T1-60)', async () => {
    await plant(desk, 'a');
    desk.services.v1.answers.push({ kind: 'unknown', failure: lost });
    const first = await sign(desk, 'a');
    expect(ids(first.unknown)).toEqual(['a']);
    expect((await desk.api['signing.list']({}))[0]).toMatchObject({ state: 'doubtful' });
    const second = await sign(desk, 'a');
    expect(second.failed[0]?.failure).toMatchObject({ reason: 'outcome-unknown' });
    const [row] = await desk.api['outbox.list']({});
    if (row === undefined) throw new Error('no row');
    expect(await desk.api['outbox.look']({ ref: row.ref })).toMatchObject({ state: 'unknown' });
    const done = remoteOf({ id: 'a', parties: [partyOf({ state: 'signed' })] });
    desk.services.v1.agreements.set('a', done);
    expect(await desk.api['outbox.look']({ ref: row.ref })).toMatchObject({ state: 'sent' });
    expect(desk.services.v1.signed).toHaveLength(1);
  });

  it('that was never sent is not retried automatically', async () => {
    await plant(desk, 'a');
    const failure: Failure = { code: 'offline', message: 'Down', reason: 'host-unknown' };
    desk.services.v1.answers.push({ kind: 'not-sent', failure });
    expect((await sign(desk, 'a')).failed[0]?.failure).toEqual(failure);
    desk.clock.advance(HOUR);
    await desk.api['outbox.run']({});
    expect(desk.services.v1.signed).toHaveLength(1);
    expect((await sign(desk, 'a')).signed).toHaveLength(1);
  });

  it('stops after requests in flight, and reports what was done', async () => {
    await plant(desk, 'a', 'b');
    const signOne = desk.services.v1.sign.bind(desk.services.v1);
    desk.services.v1.sign = async (request) => {
      const [job] = (await desk.api['jobs.list']({})).filter(
        ({ kind }) => kind === 'sign-agreements',
      );
      if (job !== undefined) await desk.api['jobs.cancel']({ jobId: job.id });
      return signOne(request);
    };
    const items = [itemOf(desk, 'a'), itemOf(desk, 'b')];
    const { jobId } = await desk.api['signing.sign']({
      items,
      identityId: desk.identityId,
      confirm: 2,
    });
    const job = await desk.finish(jobId);
    expect(job.state).toBe('cancelled');
    expect(ids(SignResult.parse(job.result).signed)).toEqual(['a']);
    expect(desk.services.v1.signed).toHaveLength(1);
  });

  it('stops at the first agreement that was not signed, if the user chose so, or continues (TX-14)', async () => {
    await plant(desk, 'a', 'b', 'c');
    const refusal: Failure = { code: 'invalid', message: 'No' };
    const items = ['a', 'b', 'c'].map((id) => itemOf(desk, id));
    const { identityId } = desk;
    const signAll = async (stopOnFailure: boolean) => {
      desk.services.v1.answers.push({ kind: 'refused', failure: refusal });
      const order = { items, identityId, confirm: 3, stopOnFailure };
      const { jobId } = await desk.api['signing.sign'](order);
      return SignResult.parse((await desk.finish(jobId)).result);
    };
    const stopped = await signAll(true);
    expect([ids(stopped.signed), ids(stopped.failed)]).toEqual([[], ['a']]);
    const whole = await signAll(false);
    expect([ids(whole.signed), ids(whole.failed)]).toEqual([['b', 'c'], ['a']]);
  });

  it('is refused while another process sends', async () => {
    const world = createWorld();
    const other = world.locks.lock();
    desk = await startSigningDesk(world);
    other.take();
    const order = { items: [itemOf(desk, 'a')], identityId: desk.identityId, confirm: 1 };
    await expect(desk.api['signing.sign'](order)).rejects.toMatchObject({
      failure: { code: 'conflict', reason: 'desk-busy' },
    });
  });

  it('through API v2 requires a personal number, and names the party’s company', async () => {
    desk.connectionId = (await addConnection(desk, 'v2')).id;
    const party = partyOf({ id: '5569813599', orgNo: '5569813599', apiSigning: 'company' });
    desk.services.v2.agreements.set('2311', remoteOf({ id: '2311', parties: [party] }));
    const order = { items: [{ ...itemOf(desk, '2311'), partyId: party.id }], confirm: 1 };
    await expect(
      desk.api['signing.sign']({ ...order, identityId: desk.identityId }),
    ).rejects.toMatchObject({
      failure: { code: 'invalid' },
    });
    const whole = { name: 'Bo', firstName: 'Bo', lastName: 'Ek', personNumber: '189001019802' };
    const { id } = await desk.api['identities.add'](whole);
    desk.services.v2.pages = [pageOf([remoteOf({ id: '2311', parties: [party] })], 1)];
    await desk.finish(
      (await desk.api['agreements.sync']({ connectionId: desk.connectionId })).jobId,
    );
    const key = keyOf(desk, '2311');
    await desk.api['signing.markReviewed']({ ...key, identityId: id });
    const { jobId } = await desk.api['signing.sign']({ ...order, identityId: id });
    await desk.finish(jobId);
    const [body] = desk.services.v2.signed.map((text): unknown => JSON.parse(text));
    expect(body).toEqual({
      signer: {
        firstName: 'Bo',
        lastName: 'Ek',
        personNumber: '189001019802',
        country: null,
        email: null,
        mobile: null,
        orgNo: '5569813599',
      },
      signedAt: desk.clock.now(),
    });
  });
});

describe('identities of signers', () => {
  it('are returned with the number masked, and never in full', async () => {
    const whole = { name: 'Bo', firstName: 'Bo', lastName: 'Ek', personNumber: '189001019802' };
    const added = await desk.api['identities.add'](whole);
    expect(added.personNumberMasked).toBe('18900101••••');
    expect(JSON.stringify(await desk.api['identities.list']({}))).not.toContain('9802');
  });

  it('have unique names, and their mobile numbers in the form that is sent', async () => {
    const bo = { name: 'Bo', firstName: 'Bo', lastName: 'Ek', country: 'SE', email: '' };
    const added = await desk.api['identities.add']({ ...bo, mobile: '070-123 45 67' });
    expect(added).toMatchObject({ mobile: '+46701234567', email: null });
    await expect(desk.api['identities.add'](bo)).rejects.toMatchObject({
      failure: { code: 'conflict' },
    });
    const wrong = { ...bo, name: 'Other', mobile: '12', email: 'x', country: 'UK' };
    const failed = await desk.api['identities.add'](wrong).catch((error: unknown) => error);
    for (const field of ['mobile', 'email', 'country']) {
      expect(failed).toHaveProperty(`failure.fields.${field}`);
    }
  });
});

import { beforeEach, describe, expect, it } from 'vitest';
import { AgreementId, type ConnectionId, type IdentityId } from '../../shared/contract/ids.ts';
import { ReviewOpened, SignResult } from '../../shared/contract/signing.ts';
import type { Failure } from '../../shared/errors.ts';
import { PDF_TEXT, pageOf, partyOf, remoteOf } from '../support/fake-service.ts';
import {
  addConnection,
  createWorld,
  type MemoryDesk,
  startMemoryDesk,
} from '../support/memory-desk.ts';

const lost: Failure = { code: 'offline', message: 'Reset', reason: 'connection-lost' };

let desk: MemoryDesk;
let connectionId: ConnectionId;
let identityId: IdentityId;

beforeEach(async () => {
  desk = startMemoryDesk();
  connectionId = (await addConnection(desk)).id;
  const identity = { name: 'Karin', firstName: 'Karin', lastName: 'Lind', country: 'SE' };
  identityId = (await desk.api['identities.add'](identity)).id;
});

const document = { id: 'doc-1', name: 'lease.pdf', title: null, mimeType: 'application/pdf' };
const documents = [{ ...document, category: 'agreement' as const, bytes: null }];

/** Agreements that wait for our company, known here and on the service, and reviewed. */
async function plant(...ids: string[]): Promise<void> {
  await plantUnread(...ids);
  for (const id of ids) await review(id);
  desk.services.v1.reads.length = 0;
}

async function review(id: string): Promise<number> {
  const key = { connectionId, id: AgreementId.parse(id) };
  const { jobId } = await desk.api['signing.review'](key);
  const { reviewId } = ReviewOpened.parse((await desk.finish(jobId)).result);
  return (await desk.api['signing.markReviewed']({ ...key, reviewId, identityId })).number;
}

async function plantUnread(...ids: string[]): Promise<void> {
  desk.services.v1.documents.set('doc-1', PDF_TEXT);
  const agreements = ids.map((id) =>
    remoteOf({ id, title: `Title ${id}`, parties: [partyOf({})], documents }),
  );
  for (const one of agreements) desk.services.v1.agreements.set(one.id, one);
  desk.services.v1.pages = [pageOf(agreements, 1)];
  const { jobId } = await desk.api['agreements.sync']({ connectionId });
  await desk.finish(jobId);
  desk.services.v1.reads.length = 0;
}

const item = (id: string) => ({ connectionId, id: AgreementId.parse(id), partyId: 'party-1' });

async function sign(...ids: string[]): Promise<SignResult> {
  const items = ids.map(item);
  const { jobId } = await desk.api['signing.sign']({ items, identityId, confirm: items.length });
  return SignResult.parse((await desk.finish(jobId)).result);
}

const ids = (list: readonly { readonly id: string }[]) => list.map(({ id }) => id);

describe('the signing queue', () => {
  it('offers what is our turn, and shows what comes later', async () => {
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

  it('no longer offers what was signed, before the copy here is read again', async () => {
    await plant('a');
    desk.clock.advance(1);
    await sign('a');
    // The fresh read before the signature still showed our turn.
    expect(await desk.api['signing.list']({})).toEqual([]);
  });
});

describe('signing', () => {
  it('goes through the outbox, one row and one request for each, one after the other', async () => {
    await plant('a', 'b');
    const { signed, failed, unknown } = await sign('a', 'b');
    expect(ids(signed)).toEqual(['a', 'b']);
    expect([...failed, ...unknown]).toEqual([]);
    expect(desk.services.v1.signed).toHaveLength(2);
    const rows = await desk.api['outbox.list']({});
    expect(rows.map(({ kind, state, attempts }) => [kind, state, attempts])).toEqual([
      ['sign', 'sent', 1],
      ['sign', 'sent', 1],
    ]);
  });

  it('needs the number of agreements to be confirmed', async () => {
    await plant('a', 'b');
    const order = { items: [item('a'), item('b')], identityId, confirm: 1 };
    await expect(desk.api['signing.sign'](order)).rejects.toMatchObject({
      failure: { code: 'invalid', reason: 'count-differs' },
    });
    const twice = { items: [item('a'), item('a')], identityId, confirm: 2 };
    await expect(desk.api['signing.sign'](twice)).rejects.toMatchObject({
      failure: { reason: 'count-differs' },
    });
    expect(desk.services.v1.signed).toEqual([]);
  });

  it('reads the agreement first, and signs only what is still offered (T2-61)', async () => {
    await plant('a', 'revoked', 'signed', 'later', 'gone', 'replaced');
    const change = (id: string, remote: Parameters<typeof remoteOf>[0]) =>
      desk.services.v1.agreements.set(id, remoteOf(remote));
    change('revoked', { id: 'revoked', state: 'revoked', parties: [partyOf({})] });
    change('signed', { id: 'signed', parties: [partyOf({ state: 'signed' })] });
    change('later', { id: 'later', parties: [partyOf({ state: 'waiting' })] });
    change('replaced', { id: 'replaced', parties: [partyOf({ id: 'someone-else' })] });
    desk.services.v1.agreements.delete('gone');
    const { signed, failed } = await sign('revoked', 'signed', 'later', 'gone', 'replaced', 'a');
    expect(ids(signed)).toEqual(['a']);
    expect(failed.map(({ id, failure }) => [id, failure.reason ?? failure.code])).toEqual([
      ['revoked', 'not-your-turn'],
      ['signed', 'not-your-turn'],
      ['later', 'not-your-turn'],
      ['gone', 'not-found'],
      ['replaced', 'not-your-turn'],
    ]);
    expect(desk.services.v1.signed).toHaveLength(1);
  });

  it('with a lost reply is never done twice, and a read decides (T1-60)', async () => {
    await plant('a');
    desk.services.v1.answers.push({ kind: 'unknown', failure: lost });
    const first = await sign('a');
    expect(ids(first.unknown)).toEqual(['a']);
    expect((await desk.api['signing.list']({}))[0]).toMatchObject({ state: 'doubtful' });
    const second = await sign('a');
    expect(second.failed[0]?.failure).toMatchObject({ reason: 'outcome-unknown' });
    const [row] = await desk.api['outbox.list']({});
    if (row === undefined) throw new Error('no row');
    expect(await desk.api['outbox.look']({ ref: row.ref })).toMatchObject({ state: 'unknown' });
    const done = remoteOf({ id: 'a', parties: [partyOf({ state: 'signed' })] });
    desk.services.v1.agreements.set('a', done);
    expect(await desk.api['outbox.look']({ ref: row.ref })).toMatchObject({ state: 'sent' });
    expect(desk.services.v1.signed).toHaveLength(1);
  });

  it('that never left is not tried again by the clock', async () => {
    await plant('a');
    const failure: Failure = { code: 'offline', message: 'Down', reason: 'host-unknown' };
    desk.services.v1.answers.push({ kind: 'not-sent', failure });
    expect((await sign('a')).failed[0]?.failure).toEqual(failure);
    desk.clock.advance(3_600_000);
    await desk.api['outbox.run']({});
    expect(desk.services.v1.signed).toHaveLength(1);
    expect((await sign('a')).signed).toHaveLength(1);
  });

  it('stops after what is on the wire, and tells what was done', async () => {
    await plant('a', 'b');
    const signOne = desk.services.v1.sign.bind(desk.services.v1);
    desk.services.v1.sign = async (request) => {
      const [job] = (await desk.api['jobs.list']({})).filter(
        ({ kind }) => kind === 'sign-agreements',
      );
      if (job !== undefined) await desk.api['jobs.cancel']({ jobId: job.id });
      return signOne(request);
    };
    const items = [item('a'), item('b')];
    const { jobId } = await desk.api['signing.sign']({ items, identityId, confirm: 2 });
    const job = await desk.finish(jobId);
    expect(job.state).toBe('cancelled');
    expect(ids(SignResult.parse(job.result).signed)).toEqual(['a']);
    expect(desk.services.v1.signed).toHaveLength(1);
  });

  it('is refused while another process sends', async () => {
    const world = createWorld();
    const other = world.locks.lock();
    desk = startMemoryDesk(world);
    connectionId = (await addConnection(desk)).id;
    const identity = { name: 'Karin', firstName: 'Karin', lastName: 'Lind' };
    identityId = (await desk.api['identities.add'](identity)).id;
    other.take();
    const order = { items: [item('a')], identityId, confirm: 1 };
    await expect(desk.api['signing.sign'](order)).rejects.toMatchObject({
      failure: { code: 'conflict', reason: 'desk-busy' },
    });
  });

  it('through API v2 needs a personal number, and names the party’s company', async () => {
    connectionId = (await addConnection(desk, 'v2')).id;
    const party = partyOf({ id: '5569813599', orgNo: '5569813599', apiSigning: 'company' });
    desk.services.v2.agreements.set('2311', remoteOf({ id: '2311', parties: [party] }));
    const order = { items: [{ ...item('2311'), partyId: party.id }], confirm: 1 };
    await expect(desk.api['signing.sign']({ ...order, identityId })).rejects.toMatchObject({
      failure: { code: 'invalid' },
    });
    const whole = { name: 'Bo', firstName: 'Bo', lastName: 'Ek', personNumber: '189001019802' };
    const { id } = await desk.api['identities.add'](whole);
    desk.services.v2.pages = [pageOf([remoteOf({ id: '2311', parties: [party] })], 1)];
    await desk.finish((await desk.api['agreements.sync']({ connectionId })).jobId);
    const key = { connectionId, id: AgreementId.parse('2311') };
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

describe('identities', () => {
  it('are told with the number masked, and never more of it', async () => {
    const whole = { name: 'Bo', firstName: 'Bo', lastName: 'Ek', personNumber: '189001019802' };
    const added = await desk.api['identities.add'](whole);
    expect(added.personNumberMasked).toBe('18900101••••');
    expect(JSON.stringify(await desk.api['identities.list']({}))).not.toContain('9802');
  });

  it('have their own names, and their mobiles in the one form that is sent', async () => {
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

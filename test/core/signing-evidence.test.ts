import { beforeEach, describe, expect, it } from 'vitest';
import { AgreementId, type ConnectionId, type IdentityId } from '../../shared/contract/ids.ts';
import { ReviewOpened, SignResult } from '../../shared/contract/signing.ts';
import { AppError, type Failure } from '../../shared/errors.ts';
import { PDF_TEXT, pageOf, partyOf, remoteOf } from '../support/fake-service.ts';
import { addConnection, type MemoryDesk, startMemoryDesk } from '../support/memory-desk.ts';

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

/** The facts of the log, oldest first. */
async function facts() {
  const { items } = await desk.api['evidence.list']({});
  return items.map(({ fact }) => fact).toReversed();
}

describe('a review', () => {
  it('is needed before anything can be signed (T1-83)', async () => {
    await plantUnread('a');
    expect((await sign('a')).failed[0]?.failure).toMatchObject({ reason: 'not-reviewed' });
    expect(desk.services.v1.signed).toEqual([]);
    expect(await facts()).toEqual([]);
  });

  it('records the hash of exactly the bytes that were shown', async () => {
    await plantUnread('a');
    const key = { connectionId, id: AgreementId.parse('a') };
    const { jobId } = await desk.api['signing.review'](key);
    const opened = ReviewOpened.parse((await desk.finish(jobId)).result);
    desk.services.v1.documents.set('doc-1', `${PDF_TEXT}changed`);
    await desk.api['signing.markReviewed']({ ...key, reviewId: opened.reviewId, identityId });
    expect(await facts()).toMatchObject([
      { kind: 'reviewed', how: 'here', documents: [{ sha256: opened.documents[0]?.sha256 }] },
    ]);
    expect((await sign('a')).failed[0]?.failure).toMatchObject({ reason: 'documents-changed' });
    expect(desk.services.v1.signed).toEqual([]);
  });

  it('is asked for again when the service names other documents than were read', async () => {
    await plant('a');
    const other = remoteOf({
      ...{ id: 'a', title: 'Title a', parties: [partyOf({})] },
      documents: [...documents, { ...document, id: 'doc-2', category: 'agreement', bytes: null }],
    });
    desk.services.v1.agreements.set('a', other);
    expect((await sign('a')).failed[0]?.failure).toMatchObject({ reason: 'documents-changed' });
    expect((await desk.api['signing.list']({}))[0]?.review).toMatchObject({ isCurrent: false });
    desk.services.v1.documents.set('doc-2', PDF_TEXT);
    await review('a');
    expect((await sign('a')).signed).toHaveLength(1);
  });

  it('is refused where the service names no documents to read', async () => {
    await plantUnread('a');
    const bare = remoteOf({ id: 'b', parties: [partyOf({})], documents: [] });
    desk.services.v1.agreements.set('b', bare);
    desk.services.v1.pages = [pageOf([bare], 2)];
    await desk.finish((await desk.api['agreements.sync']({ connectionId })).jobId);
    const key = { connectionId, id: AgreementId.parse('b') };
    const { jobId } = await desk.api['signing.review'](key);
    expect((await desk.finish(jobId)).failure).toMatchObject({ code: 'service' });
    await expect(desk.api['signing.markReviewed']({ ...key, identityId })).rejects.toMatchObject({
      failure: { reason: 'not-reviewed' },
    });
  });

  it('counts for one agreement only, and once', async () => {
    await plantUnread('a', 'b');
    const [a, b] = ['a', 'b'].map((id) => ({ connectionId, id: AgreementId.parse(id) }));
    if (a === undefined || b === undefined) throw new Error('two keys');
    const { jobId } = await desk.api['signing.review'](a);
    const { reviewId } = ReviewOpened.parse((await desk.finish(jobId)).result);
    const mark = (key: typeof a) =>
      desk.api['signing.markReviewed']({ ...key, reviewId, identityId });
    await expect(mark(b)).rejects.toMatchObject({ failure: { code: 'not-found' } });
    await mark(a);
    await expect(mark(a)).rejects.toMatchObject({ failure: { code: 'not-found' } });
  });

  it('cannot be a mere statement where the documents can be opened', async () => {
    await plantUnread('a');
    const key = { connectionId, id: AgreementId.parse('a') };
    await expect(desk.api['signing.markReviewed']({ ...key, identityId })).rejects.toMatchObject({
      failure: { reason: 'not-reviewed' },
    });
  });

  it('needs a second person’s approval where the office asks for one', async () => {
    await plant('a');
    await desk.api['settings.write']({ fourEyes: true });
    const key = { connectionId, id: AgreementId.parse('a') };
    expect((await sign('a')).failed[0]?.failure).toMatchObject({ reason: 'not-approved' });
    await expect(desk.api['signing.approve']({ ...key, identityId })).rejects.toMatchObject({
      failure: { reason: 'same-person' },
    });
    const erik = { name: 'Erik', firstName: 'Erik', lastName: 'Ek' };
    const { id } = await desk.api['identities.add'](erik);
    await desk.api['signing.approve']({ ...key, identityId: id });
    const items = [item('a')];
    const order = await desk.api['signing.sign']({ items, identityId: id, confirm: 1 });
    const [refused] = SignResult.parse((await desk.finish(order.jobId)).result).failed;
    expect(refused?.failure).toMatchObject({ reason: 'same-person' });
    expect((await sign('a')).signed).toHaveLength(1);
  });
});

describe('the evidence of a signature', () => {
  it('tells who is about to sign what before the request leaves, and how it ended (T1-83)', async () => {
    await plant('a');
    let written: unknown[] = [];
    const signOne = desk.services.v1.sign.bind(desk.services.v1);
    desk.services.v1.sign = async (request) => {
      written = await facts();
      return signOne(request);
    };
    await sign('a');
    expect(written.at(-1)).toMatchObject({
      ...{ kind: 'intended', act: 'sign', review: 1, approval: null },
      party: { id: 'party-1', name: 'Our company' },
      documents: [{ id: 'doc-1', name: 'lease.pdf' }],
    });
    expect((await facts()).at(-1)).toMatchObject({ kind: 'ended', intent: 2, outcome: 'done' });
    const { items } = await desk.api['evidence.list']({});
    expect(items[0]).toMatchObject({
      by: { user: 'maria', computer: 'desk', person: { name: 'Karin Lind' } },
    });
    expect(await desk.api['evidence.verify']({})).toMatchObject({ entries: 3, chain: 'ok' });
  });

  it('says that nothing was signed when the service refused, or nothing left', async () => {
    await plant('a', 'b');
    const refusal: Failure = { code: 'forbidden', message: 'Not allowed' };
    desk.services.v1.answers.push({ kind: 'refused', failure: refusal });
    desk.services.v1.answers.push({ kind: 'not-sent', failure: lost });
    await sign('a', 'b');
    const endings = (await facts()).filter(({ kind }) => kind === 'ended');
    expect(endings).toMatchObject([{ outcome: 'refused' }, { outcome: 'not-done' }]);
  });

  it('says that nobody knows after a lost answer, and is completed by the read (T1-82)', async () => {
    await plant('a');
    desk.services.v1.answers.push({ kind: 'unknown', failure: lost });
    await sign('a');
    expect((await facts()).at(-1)).toMatchObject({ kind: 'ended', outcome: 'unknown' });
    const done = remoteOf({ id: 'a', parties: [partyOf({ state: 'signed' })], documents });
    desk.services.v1.agreements.set('a', done);
    const [row] = await desk.api['outbox.list']({});
    if (row === undefined) throw new Error('no row');
    await desk.api['outbox.look']({ ref: row.ref });
    expect((await facts()).at(-1)).toMatchObject({ kind: 'ended', outcome: 'done' });
    expect(desk.services.v1.signed).toHaveLength(1);
  });

  it('says at once that nothing was done when the row could not be written', async () => {
    await plant('a');
    const insert = desk.stores.outbox.insert.bind(desk.stores.outbox);
    desk.stores.outbox.insert = () => {
      throw new AppError('storage', 'The disk is full', { reason: 'disk-full' });
    };
    expect((await sign('a')).failed).toHaveLength(1);
    desk.stores.outbox.insert = insert;
    expect((await facts()).at(-1)).toMatchObject({ kind: 'ended', outcome: 'not-done' });
    expect(desk.services.v1.signed).toEqual([]);
  });

  it('stays when the connection and its agreements are removed', async () => {
    await plant('a');
    await sign('a');
    const before = await facts();
    const removal = { agreements: 'delete', drafts: 'delete' } as const;
    await desk.api['connections.remove']({ id: connectionId, ...removal });
    expect(await facts()).toEqual(before);
    expect(await desk.api['evidence.verify']({})).toMatchObject({ chain: 'ok' });
  });

  it('holds no more of a personal number than its masked form', async () => {
    const whole = { name: 'Bo', firstName: 'Bo', lastName: 'Ek', personNumber: '189001019802' };
    identityId = (await desk.api['identities.add'](whole)).id;
    await plant('a');
    await sign('a');
    const { items } = await desk.api['evidence.list']({});
    expect(JSON.stringify(items)).toContain('18900101••••');
    expect(JSON.stringify(items)).not.toContain('9802');
  });
});

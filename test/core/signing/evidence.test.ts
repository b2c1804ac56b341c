import { beforeEach, describe, expect, it } from 'vitest';
import { eventOf } from '../../../electron/core/evidence/export.ts';
import { OpenedReview, SignResult } from '../../../shared/contract/signing.ts';
import { AppError, type Failure } from '../../../shared/errors.ts';
import { lost } from '../../support/fakes/fake-actions.ts';
import { PDF_TEXT, pageOf, partyOf, remoteOf } from '../../support/fakes/fake-service.ts';
import { addConnection, createWorld } from '../../support/fakes/memory-desk.ts';
import {
  itemOf,
  keyOf,
  lease,
  plant,
  plantUnread,
  review,
  sign,
  type SigningDesk,
  startSigningDesk,
} from '../../support/desks/signing-desk.ts';

let desk: SigningDesk;

beforeEach(async () => {
  desk = await startSigningDesk();
});

/** The facts of the log, oldest first. */
async function facts() {
  const { items } = await desk.api['evidence.list']({});
  return items.map(({ fact }) => fact).toReversed();
}

/** Makes the service offer these documents for our signature. */
function offer(id: string, documents: (typeof lease)[]): void {
  const remote = remoteOf({ id, title: `Title ${id}`, parties: [partyOf({})], documents });
  desk.services.v1.agreements.set(id, remote);
}

describe('a review before signing', () => {
  it('is required before an agreement can be signed (T1-83)', async () => {
    await plantUnread(desk, 'a');
    expect((await sign(desk, 'a')).failed[0]?.failure).toMatchObject({
      reason: 'not-reviewed',
      message: 'The agreement has not been reviewed',
    });
    expect(desk.services.v1.signed).toEqual([]);
    expect(await facts()).toEqual([]);
  });

  it('records the hash of exactly the bytes that were shown', async () => {
    await plantUnread(desk, 'a');
    const key = keyOf(desk, 'a');
    const { jobId } = await desk.api['signing.review'](key);
    const opened = OpenedReview.parse((await desk.finish(jobId)).result);
    desk.services.v1.documents.set('doc-1', `${PDF_TEXT}changed`);
    await desk.api['signing.markReviewed']({
      ...key,
      reviewId: opened.reviewId,
      identityId: desk.identityId,
    });
    expect(await facts()).toMatchObject([
      { kind: 'reviewed', how: 'here', documents: [{ sha256: opened.documents[0]?.sha256 }] },
    ]);
    expect((await sign(desk, 'a')).failed[0]?.failure).toMatchObject({
      reason: 'documents-changed',
    });
    expect(desk.services.v1.signed).toEqual([]);
  });

  it('records which documents the person read outside the program, whose bytes still may not change', async () => {
    await plantUnread(desk, 'a');
    desk.services.v1.documents.set('doc-2', PDF_TEXT);
    offer('a', [lease, { ...lease, id: 'doc-2', name: 'broken.pdf' }]);
    const key = keyOf(desk, 'a');
    const { jobId } = await desk.api['signing.review'](key);
    const { reviewId } = OpenedReview.parse((await desk.finish(jobId)).result);
    const mark = (elsewhere: string[]) =>
      desk.api['signing.markReviewed']({
        ...key,
        reviewId,
        identityId: desk.identityId,
        elsewhere,
      });
    await expect(mark(['doc-3'])).rejects.toMatchObject({ failure: { code: 'invalid' } });
    await mark(['doc-2']);
    const [fact] = await facts();
    expect(fact).toMatchObject({ kind: 'reviewed', how: 'elsewhere', elsewhere: ['doc-2'] });
    expect(fact === undefined ? '' : eventOf(fact)).toBe(
      'reviewed, partly stated as read outside Signing Desk',
    );
    desk.services.v1.documents.set('doc-2', `${PDF_TEXT}changed`);
    expect((await sign(desk, 'a')).failed[0]?.failure).toMatchObject({
      reason: 'documents-changed',
    });
    desk.services.v1.documents.set('doc-2', PDF_TEXT);
    offer('a', [lease]);
    expect((await sign(desk, 'a')).failed[0]?.failure).toMatchObject({
      reason: 'documents-changed',
    });
  });

  it('is required again when the service lists other documents than were read', async () => {
    await plant(desk, 'a');
    const other = remoteOf({
      id: 'a',
      title: 'Title a',
      parties: [partyOf({})],
      documents: [lease, { ...lease, id: 'doc-2' }],
    });
    desk.services.v1.agreements.set('a', other);
    expect((await sign(desk, 'a')).failed[0]?.failure).toMatchObject({
      reason: 'documents-changed',
    });
    expect((await desk.api['signing.list']({}))[0]?.review).toMatchObject({ isCurrent: false });
    desk.services.v1.documents.set('doc-2', PDF_TEXT);
    await review(desk, 'a');
    expect((await sign(desk, 'a')).signed).toHaveLength(1);
  });

  it('no longer counts once one of the read documents is gone (TE-E14)', async () => {
    await plantUnread(desk, 'a');
    desk.services.v1.documents.set('doc-2', PDF_TEXT);
    const annex = { ...lease, id: 'doc-2', name: 'annex.pdf' };
    offer('a', [lease, annex]);
    await desk.api['agreements.show']({ ...keyOf(desk, 'a'), refresh: true });
    await review(desk, 'a');
    offer('a', [lease]);
    expect((await sign(desk, 'a')).failed[0]?.failure).toMatchObject({
      reason: 'documents-changed',
    });
    expect((await desk.api['signing.list']({}))[0]?.review).toMatchObject({ isCurrent: false });
    expect(desk.services.v1.signed).toEqual([]);
  });

  it.each([
    ['has another size', false, { bytes: PDF_TEXT.length + 1 }],
    ['has another name', false, { name: 'other.pdf' }],
    ['has a size that the service does not report', true, { bytes: null }],
  ])('of a document that now %s still counts: %s', async (_, isCurrent, change) => {
    await plant(desk, 'a');
    offer('a', [{ ...lease, bytes: PDF_TEXT.length, ...change }]);
    await desk.api['agreements.show']({ ...keyOf(desk, 'a'), refresh: true });
    expect((await desk.api['signing.list']({}))[0]?.review).toMatchObject({ isCurrent });
  });

  it('is refused when the service lists a document without an id', async () => {
    await plantUnread(desk, 'a');
    offer('a', [{ ...lease, id: null }]);
    await desk.api['agreements.show']({ ...keyOf(desk, 'a'), refresh: true });
    const { jobId } = await desk.api['signing.review'](keyOf(desk, 'a'));
    expect((await desk.finish(jobId)).failure).toMatchObject({
      code: 'service',
      message: 'The service gave no ID for the attachment, so it cannot be downloaded',
    });
  });

  it('is refused when the service lists no documents to read', async () => {
    await plantUnread(desk, 'a');
    const bare = remoteOf({ id: 'b', parties: [partyOf({})], documents: [] });
    desk.services.v1.agreements.set('b', bare);
    desk.services.v1.pages = [pageOf([bare], 2)];
    await desk.finish(
      (await desk.api['agreements.sync']({ connectionId: desk.connectionId })).jobId,
    );
    const key = keyOf(desk, 'b');
    const { jobId } = await desk.api['signing.review'](key);
    expect((await desk.finish(jobId)).failure).toMatchObject({ code: 'service' });
    await expect(
      desk.api['signing.markReviewed']({ ...key, identityId: desk.identityId }),
    ).rejects.toMatchObject({
      failure: { reason: 'not-reviewed' },
    });
  });

  it('is refused, with the reason, when the API provides no documents before the agreement is concluded', async () => {
    desk.connectionId = (await addConnection(desk, 'v2')).id;
    const { jobId } = await desk.api['signing.review'](keyOf(desk, '2311'));
    expect((await desk.finish(jobId)).failure).toMatchObject({
      code: 'conflict',
      reason: 'not-readable',
      message: 'This API does not provide the documents before the agreement is concluded',
    });
  });

  it('is refused when a document is larger than can be shown', async () => {
    await plantUnread(desk, 'a');
    const piece = new Uint8Array(16 * 1024 * 1024);
    let given = 0;
    async function* chunks(): AsyncGenerator<Uint8Array> {
      for (; given < 9; given += 1) yield await Promise.resolve(piece);
    }
    desk.services.v1.downloadDocument = async () => ({ chunks: chunks(), bytes: null });
    const { jobId } = await desk.api['signing.review'](keyOf(desk, 'a'));
    expect((await desk.finish(jobId)).failure).toMatchObject({
      code: 'service',
      reason: 'too-large',
    });
    // Three chunks are shown; the fourth exceeds the limit.
    expect(given).toBe(3);
  });

  it('counts for one agreement only, and once', async () => {
    await plantUnread(desk, 'a', 'b');
    const [a, b] = ['a', 'b'].map((id) => keyOf(desk, id));
    if (a === undefined || b === undefined) throw new Error('two keys');
    const { jobId } = await desk.api['signing.review'](a);
    const { reviewId } = OpenedReview.parse((await desk.finish(jobId)).result);
    const mark = (key: typeof a) =>
      desk.api['signing.markReviewed']({ ...key, reviewId, identityId: desk.identityId });
    await expect(mark(b)).rejects.toMatchObject({ failure: { code: 'not-found' } });
    await mark(a);
    await expect(mark(a)).rejects.toMatchObject({ failure: { code: 'not-found' } });
  });

  it('cannot be replaced by a statement of having read the documents if the program can open them', async () => {
    await plantUnread(desk, 'a');
    const key = keyOf(desk, 'a');
    await expect(
      desk.api['signing.markReviewed']({ ...key, identityId: desk.identityId }),
    ).rejects.toMatchObject({
      failure: { reason: 'not-reviewed' },
    });
  });

  it('requires a second person’s approval when the rule of the office demands one', async () => {
    await plant(desk, 'a');
    await desk.api['settings.write']({ fourEyes: true });
    const key = keyOf(desk, 'a');
    expect((await sign(desk, 'a')).failed[0]?.failure).toMatchObject({ reason: 'not-approved' });
    await expect(
      desk.api['signing.approve']({ ...key, identityId: desk.identityId }),
    ).rejects.toMatchObject({
      failure: { reason: 'same-person' },
    });
    const erik = { name: 'Erik', firstName: 'Erik', lastName: 'Ek' };
    const { id } = await desk.api['identities.add'](erik);
    await desk.api['signing.approve']({ ...key, identityId: id });
    const items = [itemOf(desk, 'a')];
    const order = await desk.api['signing.sign']({ items, identityId: id, confirm: 1 });
    const [refused] = SignResult.parse((await desk.finish(order.jobId)).result).failed;
    expect(refused?.failure).toMatchObject({ reason: 'same-person' });
    expect((await sign(desk, 'a')).signed).toHaveLength(1);
  });

  it.each([
    ['personal number', { firstName: 'K', lastName: 'L', personNumber: '850709-9805' }],
    ['name, without a number', { firstName: 'karin ', lastName: 'Lind' }],
  ])('is not approved by the reviewer under another entry with the same %s', async (...given) => {
    const add = desk.api['identities.add'];
    const karin = { firstName: 'Karin', lastName: 'Lind', personNumber: '198507099805' };
    const { id: identityId } = await add({ name: 'Reviewer', ...karin });
    await plant({ ...desk, identityId }, 'a');
    await desk.api['settings.write']({ fourEyes: true });
    const { id: other } = await add({ name: 'Again', ...given[1] });
    await expect(
      desk.api['signing.approve']({ ...keyOf(desk, 'a'), identityId: other }),
    ).rejects.toMatchObject({ failure: { reason: 'same-person' } });
  });

  it('requires its own approval, even if an older review was approved (TE-E15)', async () => {
    await plant(desk, 'a');
    await desk.api['settings.write']({ fourEyes: true });
    const erik = { name: 'Erik', firstName: 'Erik', lastName: 'Ek' };
    const { id: identityId } = await desk.api['identities.add'](erik);
    const approve = () => desk.api['signing.approve']({ ...keyOf(desk, 'a'), identityId });
    await approve();
    desk.services.v1.documents.set('doc-1', `${PDF_TEXT}other terms`);
    await review(desk, 'a');
    expect((await sign(desk, 'a')).failed[0]?.failure).toMatchObject({ reason: 'not-approved' });
    expect(desk.services.v1.signed).toEqual([]);
    await approve();
    expect((await sign(desk, 'a')).signed).toHaveLength(1);
  });
});

describe('the evidence of a signature', () => {
  it('names the signer and the agreement before the request is sent, and then the outcome (T1-83)', async () => {
    await plant(desk, 'a');
    let written: unknown[] = [];
    const signOne = desk.services.v1.sign.bind(desk.services.v1);
    desk.services.v1.sign = async (request) => {
      written = await facts();
      return signOne(request);
    };
    await sign(desk, 'a');
    expect(written.at(-1)).toMatchObject({
      kind: 'intended',
      act: 'sign',
      review: 1,
      approval: null,
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

  it('contains the service’s time of its answer, when one was received', async () => {
    await plant(desk, 'a', 'b');
    const serverTime = desk.clock.now() + 7_000;
    desk.services.v1.answers.push({ kind: 'done', remoteId: 'a', serverTime });
    desk.services.v1.answers.push({ kind: 'unknown', failure: lost, serverTime });
    await sign(desk, 'a', 'b');
    const endings = (await facts()).filter(({ kind }) => kind === 'ended');
    expect(endings).toMatchObject([
      { outcome: 'done', serverAt: serverTime },
      { outcome: 'unknown', serverAt: null },
    ]);
  });

  it('states that no signature was given when the service refused or the request was not sent', async () => {
    await plant(desk, 'a', 'b');
    const refusal: Failure = { code: 'forbidden', message: 'Not allowed' };
    desk.services.v1.answers.push({ kind: 'refused', failure: refusal });
    desk.services.v1.answers.push({ kind: 'not-sent', failure: lost });
    await sign(desk, 'a', 'b');
    const endings = (await facts()).filter(({ kind }) => kind === 'ended');
    expect(endings).toMatchObject([{ outcome: 'refused' }, { outcome: 'not-done' }]);
  });

  it('still states that the service refused after the user withdrew the refused signature', async () => {
    await plant(desk, 'a');
    const failure: Failure = { code: 'invalid', message: 'Not your turn' };
    desk.services.v1.answers.push({ kind: 'refused', failure });
    await sign(desk, 'a');
    const [row] = await desk.api['outbox.list']({});
    if (row === undefined) throw new Error('no row');
    await desk.api['outbox.undo']({ ref: row.ref });
    expect(await desk.api['outbox.show']({ ref: row.ref })).toMatchObject({ state: 'abandoned' });
    const endings = (await facts()).filter(({ kind }) => kind === 'ended');
    expect(endings).toMatchObject([{ outcome: 'refused', failure: 'Not your turn' }]);
  });

  it('states an unknown outcome after a lost answer, and is completed by a later reading (T1-82)', async () => {
    await plant(desk, 'a');
    desk.services.v1.answers.push({ kind: 'unknown', failure: lost });
    await sign(desk, 'a');
    expect((await facts()).at(-1)).toMatchObject({ kind: 'ended', outcome: 'unknown' });
    const done = remoteOf({ id: 'a', parties: [partyOf({ state: 'signed' })], documents: [lease] });
    desk.services.v1.agreements.set('a', done);
    const [row] = await desk.api['outbox.list']({});
    if (row === undefined) throw new Error('no row');
    await desk.api['outbox.look']({ ref: row.ref });
    expect((await facts()).at(-1)).toMatchObject({ kind: 'ended', outcome: 'done' });
    expect(desk.services.v1.signed).toHaveLength(1);
  });

  it('is not completed by the signature of another party (TE-E16)', async () => {
    await plant(desk, 'a');
    desk.services.v1.answers.push({ kind: 'unknown', failure: lost });
    await sign(desk, 'a');
    const other = partyOf({ id: 'party-2', name: 'Bo Ek', kind: 'person', state: 'signed' });
    const parties = [partyOf({}), other];
    desk.services.v1.agreements.set('a', remoteOf({ id: 'a', parties, documents: [lease] }));
    const [row] = await desk.api['outbox.list']({});
    if (row === undefined) throw new Error('no row');
    expect(await desk.api['outbox.look']({ ref: row.ref })).toMatchObject({ state: 'unknown' });
    expect((await facts()).at(-1)).toMatchObject({ kind: 'ended', outcome: 'unknown' });
  });

  it('states immediately that no signature was given when the row could not be stored', async () => {
    await plant(desk, 'a');
    const insert = desk.stores.outbox.insert.bind(desk.stores.outbox);
    desk.stores.outbox.insert = () => {
      throw new AppError('storage', 'The disk is full', { reason: 'disk-full' });
    };
    expect((await sign(desk, 'a')).failed).toHaveLength(1);
    desk.stores.outbox.insert = insert;
    expect((await facts()).at(-1)).toMatchObject({ kind: 'ended', outcome: 'not-done' });
    expect(desk.services.v1.signed).toEqual([]);
  });

  it.each(['vault', 'externalState'] as const)(
    'states immediately that no signature was given when the %s cannot detect a copy of the data',
    async (where) => {
      const world = createWorld();
      desk = await startSigningDesk(world);
      await plant(desk, 'a');
      world[where].breakWith({ code: 'storage', message: 'Full' });
      expect((await sign(desk, 'a')).failed[0]?.failure).toMatchObject({ message: 'Full' });
      expect(await desk.api['outbox.list']({})).toEqual([]);
      expect((await facts()).at(-1)).toMatchObject({ kind: 'ended', outcome: 'not-done' });
      expect(desk.services.v1.signed).toEqual([]);
    },
  );

  it('is kept when the connection and its agreements are removed', async () => {
    await plant(desk, 'a');
    await sign(desk, 'a');
    const before = await facts();
    const removal = { agreements: 'delete', drafts: 'delete' } as const;
    await desk.api['connections.remove']({ id: desk.connectionId, ...removal });
    expect(await facts()).toEqual(before);
    expect(await desk.api['evidence.verify']({})).toMatchObject({ chain: 'ok' });
  });

  it('contains only the masked form of a personal number', async () => {
    const whole = { name: 'Bo', firstName: 'Bo', lastName: 'Ek', personNumber: '189001019802' };
    desk.identityId = (await desk.api['identities.add'](whole)).id;
    await plant(desk, 'a');
    await sign(desk, 'a');
    const { items } = await desk.api['evidence.list']({});
    expect(JSON.stringify(items)).toContain('18900101••••');
    expect(JSON.stringify(items)).not.toContain('9802');
  });
});

import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { CopiedAgreement } from '../../../shared/contract/draft-history.ts';
import type { Draft, DraftContent } from '../../../shared/contract/drafts.ts';
import { AppError } from '../../../shared/errors.ts';
import type { RemoteAgreement } from '../../../shared/model/agreement.ts';
import {
  AgreementId,
  type AgreementKey,
  type ApiName,
  OutboxRef,
} from '../../../shared/model/ids.ts';
import { PDF_TEXT, partyOf, remoteOf } from '../../support/fakes/fake-service.ts';
import { bytesOf, textOf } from '../../support/fakes/memory-ports.ts';
import {
  addConnection,
  addDraftV1,
  addDraftV2,
  bodyV1,
  bodyV2,
  createWorld,
  type MemoryDesk,
  startMemoryDesk,
} from '../../support/fakes/memory-desk.ts';
import { DAY } from '../../../shared/rules/time/units.ts';

let desk: MemoryDesk;

beforeEach(() => {
  desk = startMemoryDesk();
});

/** Copies an agreement; returns the new draft and the parts that could not be copied. */
async function copyOf(key: AgreementKey): Promise<Draft & Pick<CopiedAgreement, 'losses'>> {
  const { jobId } = await desk.api['drafts.fromAgreement']({ key });
  const { draft, losses } = CopiedAgreement.parse((await desk.finish(jobId)).result);
  return { ...(await desk.api['drafts.show']({ id: draft })), losses };
}

const rich: DraftContent = {
  api: 'v1',
  body: {
    ...bodyV1('Lease'),
    notifications: [],
    tags: { customer: '7' },
    accessRights: [],
  },
};

describe('a duplicate of a draft', () => {
  it('is the same draft under another id, with its files and three-state values (T1-52, T1-54)', async () => {
    const draft = await addDraftV1(desk);
    const { id, revision, connectionId, content } = draft;
    if (content.api !== 'v1') throw new Error('another API');
    content.body.notifications = [{ type: 'SIGNED_BY_ALL', attachPdf: null }];
    const saved = await desk.api['drafts.save']({ id, revision, connectionId, content });
    const copy = await desk.api['drafts.duplicate']({ id });
    expect(copy.id).not.toBe(id);
    expect(JSON.stringify(copy.content)).toBe(JSON.stringify(saved.content));
    expect(copy.files).toEqual(saved.files);
  });
});

describe('a draft exported to a file', () => {
  const file = '/exported/lease.signdraft';
  const bytesAt = (path: string) => desk.files.saved.get(path) ?? bytesOf('');

  it('is equal after import, and exports to the same bytes again (T1-52)', async () => {
    const { id } = await addDraftV1(desk);
    await desk.api['drafts.export']({ id, file });
    const bytes = desk.bytes.put(bytesAt(file));
    const copy = await desk.api['drafts.import']({ bytes, connectionId: null });
    const original = await desk.api['drafts.show']({ id });
    expect(copy.content).toEqual(original.content);
    expect(copy.files).toEqual(original.files);
    await desk.api['drafts.export']({ id: copy.id, file: '/exported/again.signdraft' });
    expect(textOf(bytesAt('/exported/again.signdraft'))).toBe(textOf(bytesAt(file)));
  });

  it('contains no connection and no secret', async () => {
    const { id: connectionId } = await addConnection(desk);
    const { id } = await desk.api['drafts.create']({ content: rich, connectionId });
    await desk.api['drafts.export']({ id, file });
    const text = textOf(bytesAt(file));
    expect(text).not.toContain(connectionId);
    expect(Object.keys(JSON.parse(text))).toEqual(['format', 'version', 'api', 'body', 'files']);
  });

  it.each([
    ['has twenty million characters', 'a'.repeat(20_000_000)],
    ['consists only of brackets', '['.repeat(100_000)],
    ['reverses the text direction', 'Lease\u202efdp.exe'],
    ['contains a control character', 'Lease\u001b[2J'],
    ['contains an invisible line break', 'Lease\u0085paid'],
  ])('is refused without adding anything when one of its texts %s (SR-L6)', async (_, title) => {
    const { id } = await addDraftV1(desk);
    await desk.api['drafts.export']({ id, file });
    const packed = JSON.parse(textOf(bytesAt(file))) as { body: { title: string } };
    packed.body.title = title;
    const bytes = desk.bytes.put(bytesOf(JSON.stringify(packed)));
    const before = await desk.api['drafts.list']({});
    await expect(desk.api['drafts.import']({ bytes, connectionId: null })).rejects.toMatchObject({
      failure: { code: 'invalid', reason: 'not-a-draft' },
    });
    expect(await desk.api['drafts.list']({})).toEqual(before);
  });

  it('is refused without adding anything when its documents were altered', async () => {
    const { id } = await addDraftV1(desk);
    await desk.api['drafts.export']({ id, file });
    const altered = textOf(bytesAt(file)).replace(
      /"sha256": "\w{64}"/,
      `"sha256": "${'0'.repeat(64)}"`,
    );
    const bytes = desk.bytes.put(bytesOf(altered));
    const before = await desk.api['drafts.list']({});
    await expect(desk.api['drafts.import']({ bytes, connectionId: null })).rejects.toMatchObject({
      failure: { code: 'invalid', reason: 'not-a-draft' },
    });
    expect(await desk.api['drafts.list']({})).toEqual(before);
  });
});

describe('a draft copied for the other API', () => {
  it('is a new draft without connection, and the result lists what is lost (TX-02)', async () => {
    const { id } = await desk.api['drafts.create']({ content: rich, connectionId: null });
    const { draft, losses } = await desk.api['drafts.convert']({ id, to: 'v2' });
    expect(draft).toMatchObject({ connectionId: null, content: { api: 'v2' } });
    expect(losses.map(({ code }) => code)).toEqual(
      expect.arrayContaining(['notifications', 'tags', 'expiry-rounded']),
    );
    expect(await desk.api['drafts.list']({})).toHaveLength(2);
  });
});

describe('the trash of drafts', () => {
  it('receives a deleted draft, and restores it', async () => {
    const { id } = await addDraftV1(desk);
    await desk.api['drafts.delete']({ id });
    expect(await desk.api['drafts.list']({})).toEqual([]);
    const [trashed] = await desk.api['drafts.trash']({});
    expect(trashed).toMatchObject({ id, title: 'Lease' });
    expect((trashed?.endsAt ?? 0) - (trashed?.trashedAt ?? 0)).toBe(30 * DAY);
    expect((await desk.api['drafts.restore']({ id })).id).toBe(id);
  });
});

describe('the address book', () => {
  it('suggests earlier recipients, with the personal number masked', async () => {
    const { id: connectionId } = await addConnection(desk);
    const draft = await addDraftV1(desk);
    if (draft.content.api !== 'v1') throw new Error('another API');
    const [party] = draft.content.body.parties;
    if (party === undefined) throw new Error('nobody');
    Object.assign(party, { country: 'SE', personNumber: '198507099805' });
    const { id, revision, content } = draft;
    await desk.api['drafts.save']({ id, revision, content, connectionId });
    await desk.api['drafts.send']({ id, connectionId, holdSeconds: 30, confirm: 1 });
    const [offer] = await desk.api['people.search']({ text: 'öberg' });
    expect(offer).toMatchObject({ title: 'Åsa Öberg', number: '19850709••••' });
    if (offer === undefined) throw new Error('nobody');
    expect(await desk.api['people.take']({ id: offer.id })).toMatchObject({
      personNumber: '198507099805',
    });
    await desk.api['people.remove']({ id: offer.id });
    expect(await desk.api['people.search']({ text: '' })).toEqual([]);
  });

  it('saves parties as a group with all their settings', async () => {
    const { parties } = bodyV2('Lease');
    const group = await desk.api['people.saveGroup']({
      name: 'Board',
      content: { api: 'v2', parties },
    });
    expect(await desk.api['people.groups']({})).toEqual([group]);
    const taken = await desk.api['people.takeGroup']({ id: group.id, api: 'v2' });
    expect(taken).toEqual({ content: { api: 'v2', parties }, people: [] });
  });
});

describe('an agreement copied to a new draft', () => {
  it('has the complete content if it was sent from this computer (T2-67)', async () => {
    const { id: connectionId } = await addConnection(desk);
    const draft = await addDraftV1(desk);
    await desk.api['drafts.send']({
      id: draft.id,
      connectionId,
      holdSeconds: 0,
      confirm: 1,
    });
    const [item] = await desk.api['outbox.run']({});
    if (!item?.remoteId) throw new Error('not sent');
    const key = { connectionId, id: item.remoteId };
    const { losses, ...copy } = await copyOf(key);
    expect(losses).toEqual([]);
    expect(copy.content).toEqual(draft.content);
    expect(copy.files).toEqual(draft.files);
    expect(copy.connectionId).toBe(connectionId);
  });

  it('takes the email addresses that the parties have now, and names a party that is not found', async () => {
    const { id: connectionId } = await addConnection(desk);
    const draft = await addDraftV1(desk);
    const order = { id: draft.id, connectionId, holdSeconds: 0, confirm: 1 };
    await desk.api['drafts.send'](order);
    const [item] = await desk.api['outbox.run']({});
    if (!item?.remoteId || draft.content.api !== 'v1') throw new Error('not sent');
    const key = { connectionId, id: item.remoteId };
    const [party] = draft.content.body.parties;
    const name = `${party?.firstName ?? ''} ${party?.lastName ?? ''}`;
    const emailsOf = async (known: string) => {
      const parties = [partyOf({ kind: 'person', name: known, email: 'new@example.com' })];
      const agreement = remoteOf({ id: key.id, parties });
      desk.stores.agreements.put(connectionId, 'v1', [agreement], desk.clock.now());
      const { content, losses } = await copyOf(key);
      const emails = content.body.parties;
      return { losses, emails: Array.isArray(emails) ? emails.map(({ email }) => email) : [] };
    };
    expect(await emailsOf(name)).toEqual({ emails: ['new@example.com'], losses: [] });
    expect(await emailsOf('Mal Lory')).toEqual({
      emails: [party?.email],
      losses: [{ code: 'addresses', about: name }],
    });
  });

  const asa = partyOf({ kind: 'person', name: 'ÅSA Eva Öberg', email: 'Asa@example.com' });
  const company = partyOf({ kind: 'company', name: 'Ek AB', orgNo: '5560360793' });
  const stranger = partyOf({ kind: 'person', name: 'Mal Lory', email: 'mal@example.com' });
  /** Adds an agreement to the service, and with `isHere` to this computer, for importing it. */
  async function importAbout(
    api: ApiName,
    about: Pick<RemoteAgreement, 'title' | 'parties'>,
    isHere: boolean,
  ) {
    const { id: connectionId } = await addConnection(desk, api);
    const sent = await (api === 'v1' ? addDraftV1(desk, 'Arrende') : addDraftV2(desk, 'Arrende'));
    const id = AgreementId.parse('7');
    desk.stores.drafts.keepSent(sent.id, OutboxRef.parse(randomUUID()), 1, id);
    const remote = remoteOf({ id, ...about });
    if (isHere) desk.stores.agreements.put(connectionId, api, [remote], desk.clock.now());
    desk.services[api].agreements.set(id, remote);
    desk.actions[api].rawText = JSON.stringify({ title: about.title, name: about.title });
    return { connectionId, id, sent: sent.content };
  }
  const places = [
    ['copied to this computer', true],
    ['only on the service', false],
  ] as const;

  it.each(
    places.flatMap(([place, isHere]) => [
      ['v1', place, 'the same title and parties', 'Arrende', [asa], isHere, true] as const,
      ['v1', place, 'another title', 'Lease', [asa], isHere, false] as const,
      ['v1', place, 'another party', 'Arrende', [stranger], isHere, false] as const,
      ['v1', place, 'an additional party', 'Arrende', [asa, stranger], isHere, false] as const,
      [
        'v1',
        place,
        'another email address',
        'Arrende',
        [{ ...asa, email: 'a@b.example' }],
        isHere,
        false,
      ] as const,
      ['v2', place, 'the same title and parties', 'Arrende', [asa, company], isHere, true] as const,
      ['v2', place, 'another title', 'Lease', [asa, company], isHere, false] as const,
      ['v2', place, 'another party', 'Arrende', [stranger, company], isHere, false] as const,
      [
        'v2',
        place,
        'another company',
        'Arrende',
        [asa, { ...company, orgNo: '2021006883' }],
        isHere,
        false,
      ] as const,
    ]),
  )(
    'of API %s that is %s, with %s: a matching import is copied whole, another is ignored (SR-P17)',
    async (api, _place, _what, title, parties, isHere, isIt) => {
      const { sent, ...key } = await importAbout(api, { title, parties: [...parties] }, isHere);
      const { losses, ...copy } = await copyOf(key);
      if (isIt) expect(copy.content).toEqual(sent);
      else expect(JSON.stringify(copy.content.body)).not.toContain('asa@example.com');
      expect(losses.length === 0).toBe(isIt);
    },
  );

  it('is refused for an agreement that this account may not read, even with an import about it (SR-P17)', async () => {
    const { sent: _sent, ...key } = await importAbout(
      'v1',
      { title: 'Arrende', parties: [asa] },
      false,
    );
    desk.services.v1.agreements.set(key.id, new AppError('forbidden', 'Not for this account'));
    const before = await desk.api['drafts.list']({});
    const { jobId } = await desk.api['drafts.fromAgreement']({ key });
    expect((await desk.finish(jobId)).failure).toMatchObject({ code: 'forbidden' });
    expect(await desk.api['drafts.list']({})).toEqual(before);
  });
});

describe('an agreement copied to a new draft from the service’s data', () => {
  const reply = {
    title: 'Lease',
    parties: [],
    notifications: [],
    accessRights: [],
    tags: {},
  };
  const document = { title: null, mimeType: 'application/pdf', bytes: null } as const;
  const documents = ['first.pdf', 'second.pdf', 'third.pdf'].map((name) => ({
    ...document,
    id: name,
    name,
    category: 'agreement' as const,
  }));

  async function plant(): Promise<AgreementKey> {
    const { id: connectionId } = await addConnection(desk);
    const { v1 } = desk.services;
    v1.agreements.set('theirs', remoteOf({ id: 'theirs', parties: [partyOf({})], documents }));
    v1.documents.set('first.pdf', PDF_TEXT);
    v1.documents.set('third.pdf', PDF_TEXT);
    desk.actions.v1.rawText = JSON.stringify({ data: reply });
    return { connectionId, id: AgreementId.parse('theirs') };
  }

  it('includes the documents that can be downloaded, and lists the others (T2-67)', async () => {
    const { content, files, losses } = await copyOf(await plant());
    expect(files.map(({ name }) => name)).toEqual(['first.pdf', 'third.pdf']);
    expect(content.body.attachments?.map(({ name }) => name)).toEqual(['first.pdf', 'third.pdf']);
    expect(losses).toContainEqual({ code: 'files', about: 'second.pdf' });
  });

  it('is not created when the copying is stopped', async () => {
    const key = await plant();
    const { v1 } = desk.services;
    const read = v1.downloadDocument.bind(v1);
    v1.downloadDocument = async (...asked) => {
      const [job] = await desk.api['jobs.list']({});
      if (job !== undefined) await desk.api['jobs.cancel']({ jobId: job.id });
      return read(...asked);
    };
    const { jobId } = await desk.api['drafts.fromAgreement']({ key });
    expect(await desk.finish(jobId)).toMatchObject({
      state: 'cancelled',
      result: null,
      done: 0,
      total: 3,
    });
    expect(await desk.api['drafts.list']({})).toEqual([]);
  });
});

it('deleted and sent drafts are removed when their retention time is over', async () => {
  const { id: connectionId } = await addConnection(desk);
  const [sent, deleted, kept] = [
    await addDraftV1(desk, 'Sent'),
    await addDraftV1(desk, 'Deleted'),
    await addDraftV1(desk, 'Kept'),
  ];
  await desk.api['drafts.send']({ id: sent.id, connectionId, holdSeconds: 0, confirm: 1 });
  const [item] = await desk.api['outbox.run']({});
  await desk.api['drafts.delete']({ id: deleted.id });
  const { drafts } = desk.stores;
  const startAfter = async (days: number): Promise<void> => {
    desk.clock.advance(days * DAY);
    const next = startMemoryDesk({ ...desk, locks: createWorld().locks });
    const { jobId } = await next.api['privacy.apply']({ kinds: ['trash', 'sent'] });
    await next.finish(jobId);
    await next.desk.stop();
  };
  await startAfter(29);
  expect(drafts.trashed()).toHaveLength(1);
  await startAfter(2);
  expect(drafts.trashed()).toEqual([]);
  if (item === undefined) throw new Error('not sent');
  expect(drafts.sentAs(item.ref)).not.toBeNull();
  await startAfter(370);
  expect(drafts.sentAs(item.ref)).toBeNull();
  expect(drafts.list().map(({ id }) => id)).toEqual([kept.id]);
});

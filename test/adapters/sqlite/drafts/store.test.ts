import { describe, expect, it } from 'vitest';
import { OutboxRef } from '../../../../shared/model/ids.ts';
import { content, draftFile, newConnection, newDraft } from '../samples.ts';
import { NOW, tempDatabase } from '../temp-database.ts';

const ref = OutboxRef.parse('8c9a3c0e-6c43-4b8e-9d0a-0d7b6a4f3d11');
const refused = (code: string, reason?: string) =>
  expect.objectContaining({
    failure: expect.objectContaining(reason === undefined ? { code } : { code, reason }),
  });

function withDraft() {
  const place = tempDatabase();
  const draft = newDraft();
  place.stores.drafts.insert(draft);
  return Object.assign(place, { drafts: place.stores.drafts, draft });
}

it('a draft is read back unchanged', () => {
  using place = withDraft();
  expect(place.drafts.get(place.draft.id)).toEqual(place.draft);
  expect(place.drafts.list()).toEqual([place.draft]);
});

it('a draft that cannot be added with all its files is not added', () => {
  using place = withDraft();
  const { drafts } = place;
  const draft = newDraft();
  const data = Buffer.from('%PDF-1.7');
  const file = draftFile(data);
  const give = () => {
    drafts.addFile(draft.id, file, data, null);
    // A draft cannot have the same file twice.
    drafts.addFile(draft.id, file, data, null);
  };
  expect(() => drafts.insert(draft, give)).toThrow();
  expect(drafts.list()).toEqual([place.draft]);
  expect(() => drafts.fileData(draft.id, file.id)).toThrowError(refused('not-found'));
});

it('saving a draft increases its revision, and a save over a newer revision is rejected as a conflict', () => {
  using place = withDraft();
  const connection = newConnection();
  place.stores.connections.save(connection);
  const saved = place.drafts.save(place.draft.id, 1, content('New'), connection.id, NOW + 1);
  expect(saved).toMatchObject({ revision: 2, connectionId: connection.id, updatedAt: NOW + 1 });
  expect(() => place.drafts.save(place.draft.id, 1, content('Older'), null, NOW + 2)).toThrowError(
    refused('conflict'),
  );
  expect(place.drafts.get(place.draft.id)).toEqual(saved);
});

it('a draft body distinguishes missing, empty and null values', () => {
  using place = withDraft();
  const { content: base } = newDraft();
  if (base.api !== 'v1') throw new TypeError('The sample is a v1 draft');
  const notified = { type: 'SIGNED' as const, attachPdf: null, recipients: [] };
  const body = { ...base.body, notifications: [notified], tags: {} };
  place.drafts.save(place.draft.id, 1, { api: 'v1', body }, null, NOW);
  const stored = place.drafts.get(place.draft.id).content;
  expect(JSON.stringify(stored.body)).toBe(JSON.stringify(body));
});

describe('a draft being sent', () => {
  it('cannot be changed, until it is returned to drafts', () => {
    using place = withDraft();
    const { drafts, draft } = place;
    const data = Buffer.from('%PDF-1.7');
    const file = draftFile(data);
    drafts.addFile(draft.id, file, data, null);
    drafts.setSending(draft.id, ref);
    const locked = refused('conflict', 'draft-locked');
    expect(() => drafts.save(draft.id, 1, content(), null, NOW)).toThrowError(locked);
    expect(() => {
      drafts.addFile(draft.id, draftFile(data), data, null);
    }).toThrowError(locked);
    expect(() => {
      drafts.removeFile(draft.id, file.id);
    }).toThrowError(locked);
    expect(drafts.get(draft.id)).toMatchObject({ sending: ref, files: [file] });
    expect(drafts.locked()).toEqual([{ id: draft.id, sending: ref }]);
    drafts.setSending(draft.id, null);
    expect(drafts.locked()).toEqual([]);
    expect(drafts.save(draft.id, 1, content(), null, NOW).revision).toBe(2);
  });
});

describe('draft files', () => {
  it('keep their order and their bytes, and are removed with the draft', () => {
    using place = withDraft();
    const { drafts, draft } = place;
    const [first, second] = [Buffer.from('%PDF-1'), Buffer.from([0, 255, 10, 13])];
    const files = [draftFile(first), { ...draftFile(second), pages: null, name: 'b.png' }] as const;
    drafts.addFile(draft.id, files[0], first, NOW - 5);
    drafts.addFile(draft.id, files[1], second, null);
    expect(drafts.get(draft.id).files).toEqual(files);
    expect(drafts.fileData(draft.id, files[0].id)).toMatchObject({
      name: 'lease.pdf',
      modifiedAt: NOW - 5,
    });
    expect(Buffer.from(drafts.fileData(draft.id, files[1].id).data).equals(second)).toBe(true);

    drafts.removeFile(draft.id, files[0].id);
    expect(drafts.get(draft.id).files).toEqual([files[1]]);
  });
});

it('a received version of a draft asks only for the files that the draft lacks, and keeps the others', () => {
  using place = withDraft();
  const { drafts, draft } = place;
  const data = Buffer.from('%PDF-1.7');
  const [kept, added] = [draftFile(data), draftFile(data)];
  drafts.addFile(draft.id, kept, data, null);
  const asked: string[] = [];
  const received = { id: draft.id, content: content(), connectionId: null, files: [kept, added] };
  const dataOf = ({ id }: { readonly id: string }) => {
    asked.push(id);
    return data;
  };
  expect(drafts.receive(received, dataOf, NOW + 1)).toBe(true);
  expect(asked).toEqual([added.id]);
  expect(drafts.get(draft.id).files).toEqual([kept, added]);
});

it('an unknown draft is reported as not found', () => {
  using place = withDraft();
  const { id } = newDraft();
  for (const use of [
    () => place.drafts.get(id),
    () => place.drafts.save(id, 1, content(), null, NOW),
    () => place.drafts.setSending(id, ref),
  ]) {
    expect(use).toThrowError(refused('not-found'));
  }
});

import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import type { DraftStore } from '../../../../electron/core/ports.ts';
import type { PrivacyStore } from '../../../../electron/core/privacy/ports.ts';
import type { DraftContent } from '../../../../shared/contract/drafts.ts';
import { type DraftId, type FileId, OutboxRef } from '../../../../shared/model/ids.ts';
import { createMemoryStores } from '../../../support/fakes/memory-stores.ts';
import { content, draftFile, newDraft } from '../samples.ts';
import { NOW } from '../temp-database.ts';

const PDF = Buffer.from('%PDF-1.7');

let drafts: DraftStore;
let privacy: PrivacyStore;

beforeEach(() => {
  ({ drafts, privacy } = createMemoryStores());
});

const newRef = () => OutboxRef.parse(randomUUID());
const notFound = expect.objectContaining({
  failure: expect.objectContaining({ code: 'not-found' }),
});

function insert(change: Parameters<typeof newDraft>[0] = {}): DraftId {
  const draft = newDraft(change);
  drafts.insert(draft);
  return draft.id;
}

function addFile(id: DraftId): FileId {
  const file = draftFile(PDF);
  drafts.addFile(id, file, PDF, NOW);
  return file.id;
}

/** Returns the content of a draft that names `files`. */
function naming(...files: readonly FileId[]): DraftContent {
  const named = content();
  if (named.api !== 'v1') throw new Error('not v1');
  const attachments = files.map((file) => ({ type: 'BASE64' as const, file }));
  return { api: 'v1', body: Object.assign(named.body, { attachments }) };
}

const save = (id: DraftId, what: DraftContent) =>
  drafts.save(id, drafts.get(id).revision, what, null, NOW);
const filesOf = (id: DraftId) => drafts.get(id).files.map((file) => file.id);

describe('several drafts', () => {
  it('are listed by last change, newest first', () => {
    const ids = [NOW, NOW + 2, NOW + 1].map((updatedAt) => insert({ updatedAt }));
    expect(drafts.list().map(({ id }) => id)).toEqual([ids[1], ids[2], ids[0]]);
  });

  it('are changed independently of each other', () => {
    const [one, two] = [insert(), insert()];
    const file = addFile(two);
    save(one, content('Changed'));
    drafts.setSending(one, newRef());
    expect(drafts.get(two)).toMatchObject({ content: content(), revision: 1, sending: null });
    expect(drafts.reach(two)).toEqual({ undo: 0, redo: 0 });
    expect(() => drafts.fileData(one, file)).toThrowError(notFound);
    expect(() => drafts.removeFile(two, draftFile(PDF).id)).toThrowError(notFound);
    expect(filesOf(two)).toEqual([file]);
  });
});

describe('the files of a draft', () => {
  it('are kept while a step names them, and are not affected by steps of another draft', () => {
    const [one, two] = [insert(), insert()];
    const [kept, other] = [addFile(one), addFile(two)];
    save(one, naming(kept));
    save(two, naming(other));
    save(one, naming());
    drafts.removeFile(one, kept);
    expect([filesOf(one), filesOf(two)]).toEqual([[], [other]]);
    drafts.step(one, drafts.get(one).revision, -1, NOW);
    expect([filesOf(one), filesOf(two)]).toEqual([[kept], [other]]);
    drafts.step(one, drafts.get(one).revision, 1, NOW);
    expect([filesOf(one), filesOf(two)]).toEqual([[], [other]]);
    expect(() => drafts.fileData(one, kept)).toThrowError(notFound);
    expect(() => drafts.removeFile(one, kept)).toThrowError(notFound);
  });

  it('are removed on saving if no step names them, and cannot be listed again', () => {
    const [one, two] = [insert(), insert()];
    const [file, other] = [addFile(one), addFile(two)];
    for (const [id, of] of [
      [one, file],
      [two, other],
    ] as const) {
      drafts.removeFile(id, of);
    }
    save(one, content('Changed'));
    save(one, naming(file));
    expect(filesOf(one)).toEqual([]);
    save(two, naming(other));
    expect(filesOf(two)).toEqual([other]);
  });

  it('are copied in their listed order, with their bytes', () => {
    const [one, two, copy] = [insert(), insert(), insert()];
    const files = [addFile(one), addFile(one), addFile(one)] as const;
    addFile(two);
    drafts.removeFile(one, files[1]);
    drafts.copyFiles(one, copy);
    expect(filesOf(copy)).toEqual([files[0], files[2]]);
    expect(Buffer.from(drafts.fileData(copy, files[2]).data).equals(PDF)).toBe(true);
    expect(filesOf(one)).toEqual([files[0], files[2]]);
  });
});

describe('the trash', () => {
  it('lists its latest entry first, and restores or destroys a single entry', () => {
    const [one, two, three] = [insert(), insert(), insert()];
    const trashed = () => drafts.trashed().map(({ draft }) => draft.id);
    drafts.trash(one, NOW);
    drafts.trash(two, NOW + 1);
    expect(trashed()).toEqual([two, one]);
    drafts.restore(one);
    expect([trashed(), drafts.get(one).id]).toEqual([[two], one]);
    expect(() => drafts.restore(three)).toThrowError(notFound);
    expect(() => drafts.destroy(three)).toThrowError(notFound);
    drafts.destroy(two);
    expect(trashed()).toEqual([]);
    expect(
      drafts
        .list()
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual([one, three].toSorted());
  });

  it('keeps its entries, like sent drafts, exactly until the given time', () => {
    const [trashed, sent] = [insert(), insert()];
    const ref = newRef();
    drafts.trash(trashed, NOW);
    drafts.keepSent(sent, ref, NOW);
    privacy.drop('trash', NOW, 9);
    privacy.drop('sent', NOW, 9);
    expect([drafts.trashed().length, drafts.sentAs(ref)?.id]).toEqual([1, sent]);
    privacy.drop('trash', NOW + 1, 9);
    privacy.drop('sent', NOW, 9);
    expect([drafts.trashed().length, drafts.sentAs(ref)?.id]).toEqual([0, sent]);
    privacy.drop('sent', NOW + 1, 9);
    expect(drafts.sentAs(ref)).toBeNull();
  });
});

describe('a sent draft', () => {
  it('keeps its sent files, but no steps or other files, and no other draft changes', () => {
    const [sent, other] = [insert(), insert()];
    const [kept, dropped, others] = [addFile(sent), addFile(sent), addFile(other)];
    for (const [id, first, then] of [
      [sent, naming(kept, dropped), naming(kept)],
      [other, naming(others), naming()],
    ] as const) {
      save(id, first);
      save(id, then);
    }
    drafts.removeFile(sent, dropped);
    drafts.removeFile(other, others);
    const ref = newRef();
    drafts.keepSent(sent, ref, NOW);
    expect(drafts.sentAs(ref)?.files.map(({ id }) => id)).toEqual([kept]);
    expect(drafts.sentAs(newRef())).toBeNull();
    expect(drafts.reach(other).undo).toBeGreaterThan(0);
    drafts.step(other, drafts.get(other).revision, -1, NOW);
    expect(filesOf(other)).toEqual([others]);
    expect(() => drafts.trash(sent, NOW)).toThrowError(notFound);
  });

  it('is listed with its groups, each once, in order', () => {
    const granting = (...names: readonly string[]): DraftContent => {
      const granted = content();
      if (granted.api !== 'v1') throw new Error('not v1');
      const accessRights = names.map((actorName) => ({
        type: 'GRANT_BY_NAME' as const,
        actorName,
        actorType: 'group' as const,
        action: 'read' as const,
      }));
      return { api: 'v1', body: Object.assign(granted.body, { accessRights }) };
    };
    for (const names of [['Sales', 'Board'], ['Board'], []]) {
      drafts.keepSent(insert({ content: granting(...names) }), newRef(), NOW);
    }
    insert({ content: granting('Not sent') });
    expect(drafts.groupNames()).toEqual(['Board', 'Sales']);
  });
});

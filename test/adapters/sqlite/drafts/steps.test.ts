import { describe, expect, it } from 'vitest';
import type { DraftContent } from '../../../../shared/contract/drafts.ts';
import type { DraftId } from '../../../../shared/model/ids.ts';
import { OutboxRef } from '../../../../shared/model/ids.ts';
import { openDatabase } from '../../../../electron/adapters/sqlite/open/open.ts';
import { createStores } from '../../../../electron/adapters/sqlite/stores.ts';
import { ended, nextMessage, startChild } from '../child.ts';
import { content, draftFile, newDraft } from '../samples.ts';
import { NOW, tempDatabase } from '../temp-database.ts';

const refused = (code: string) =>
  expect.objectContaining({ failure: expect.objectContaining({ code }) });

function withDraft() {
  const place = tempDatabase();
  const draft = newDraft({ content: content('Edit 0') });
  place.stores.drafts.insert(draft);
  const { drafts } = place.stores;
  const { id } = draft;
  return Object.assign(place, {
    drafts,
    id,
    text: () => JSON.stringify(drafts.get(id).content),
    write: (next: DraftContent, edit?: string) =>
      drafts.save(id, drafts.get(id).revision, next, null, NOW, edit),
    go: (by: 1 | -1) => drafts.step(id, drafts.get(id).revision, by, NOW),
  });
}

describe('undo in a draft', () => {
  it('restores each earlier text of twenty edits exactly, and redoes them', () => {
    using place = withDraft();
    const texts = [place.text()];
    for (let edit = 1; edit <= 20; edit += 1) {
      place.write(content(`Edit ${String(edit)}`));
      texts.push(place.text());
    }
    for (const text of texts.slice(0, -1).toReversed()) {
      place.go(-1);
      expect(place.text()).toBe(text);
    }
    expect(place.drafts.reach(place.id)).toEqual({ undo: 0, redo: 20 });
    for (const text of texts.slice(1)) {
      place.go(1);
      expect(place.text()).toBe(text);
    }
  });

  it('stops at the start of the draft, and changes nothing there', () => {
    using place = withDraft();
    const { revision } = place.drafts.get(place.id);
    expect(place.go(-1).revision).toBe(revision);
  });

  it('treats all typing in one field as one step', () => {
    using place = withDraft();
    place.write(content('L'), 'title 1');
    place.write(content('Le'), 'title 1');
    place.write(content('Lea'), 'title 2');
    expect(place.drafts.reach(place.id).undo).toBe(2);
    place.go(-1);
    expect(place.text()).toBe(JSON.stringify(content('Le')));
    place.go(-1);
    expect(place.text()).toBe(JSON.stringify(content('Edit 0')));
  });

  it('ignores text that the user typed and removed', () => {
    using place = withDraft();
    place.write(content('Edit 0!'), 'title 1');
    place.write(content('Edit 0'), 'title 1');
    expect(place.drafts.reach(place.id)).toEqual({ undo: 0, redo: 0 });
  });

  it('loses undone steps after a new edit', () => {
    using place = withDraft();
    place.write(content('One'));
    place.go(-1);
    place.write(content('Two'));
    expect(place.drafts.reach(place.id)).toEqual({ undo: 1, redo: 0 });
  });

  it('covers two hundred edits and no more', () => {
    using place = withDraft();
    for (let edit = 1; edit <= 230; edit += 1) place.write(content(`Edit ${String(edit)}`));
    expect(place.drafts.reach(place.id).undo).toBe(200);
    for (let back = 0; back < 230; back += 1) place.go(-1);
    expect(place.text()).toBe(JSON.stringify(content('Edit 30')));
  });

  it('is rejected if the draft has a newer revision', () => {
    using place = withDraft();
    place.write(content('One'));
    expect(() => place.drafts.step(place.id, 1, -1, NOW)).toThrowError(refused('conflict'));
  });

  it('restores a removed file, with its bytes', () => {
    using place = withDraft();
    const { drafts, id } = place;
    const data = Buffer.from('%PDF-1.7 lease');
    const file = draftFile(data);
    drafts.addFile(id, file, data, null);
    const with_ = content('With');
    if (with_.api === 'v1') with_.body.attachments.push({ type: 'BASE64', file: file.id });
    place.write(with_);
    place.write(content('Without'));
    drafts.removeFile(id, file.id);
    expect(drafts.get(id).files).toEqual([]);
    expect(place.go(-1).files).toEqual([file]);
    expect(Buffer.from(drafts.fileData(id, file.id).data).equals(data)).toBe(true);
  });
});

it('a draft keeps its last confirmed edit and all edits before, if its process is killed twice during writes', async () => {
  using place = withDraft();
  const key = Buffer.from(place.key).toString('hex');
  let acknowledged = 0;
  for (let round = 0; round < 2; round += 1) {
    const child = startChild('edit-draft.ts', place.file, key, place.id);
    child.on('message', (revision) => (acknowledged = Number(revision)));
    for (let edits = 0; edits < 12; edits += 1) await nextMessage(child);
    child.kill('SIGKILL');
    expect(await ended(child)).toBe('SIGKILL');
  }
  const database = openDatabase({ file: place.file, key: place.key, now: NOW });
  const { drafts } = createStores(database);
  const { revision, content: kept } = drafts.get(place.id);
  // At most one stored edit may be unreported because of the kill.
  expect(revision).toBeGreaterThanOrEqual(acknowledged);
  expect(revision).toBeLessThanOrEqual(acknowledged + 1);
  expect(kept).toEqual(content(`Edit ${String(revision - 1)}`));
  // On a busy computer, the child may have written more edits than undo covers.
  const steps = Math.min(revision - 1, 200);
  expect(drafts.reach(place.id).undo).toBe(steps);
  for (let back = 0; back < steps; back += 1) stepBack(drafts, place.id);
  expect(drafts.get(place.id).content).toEqual(content(`Edit ${String(revision - 1 - steps)}`));
  database.close();
});

function stepBack(drafts: ReturnType<typeof createStores>['drafts'], id: DraftId): void {
  drafts.step(id, drafts.get(id).revision, -1, NOW);
}

describe('the trash', () => {
  it('hides a draft and its steps until it is restored', () => {
    using place = withDraft();
    const { drafts, id } = place;
    place.write(content('One'));
    drafts.trash(id, NOW);
    expect(drafts.list()).toEqual([]);
    expect(() => drafts.get(id)).toThrowError(refused('not-found'));
    expect(drafts.trashed()).toMatchObject([{ draft: { id }, at: NOW }]);
    drafts.restore(id);
    expect(drafts.reach(id).undo).toBe(1);
  });

  it('removes only drafts that have been in it too long', () => {
    using place = withDraft();
    const { drafts } = place;
    const [old, recent] = [newDraft(), newDraft()];
    for (const draft of [old, recent]) drafts.insert(draft);
    drafts.trash(old.id, NOW - 10);
    drafts.trash(recent.id, NOW);
    place.stores.privacy.drop('trash', NOW - 5, 9);
    expect(drafts.trashed().map(({ draft }) => draft.id)).toEqual([recent.id]);
    expect(drafts.list().map(({ id }) => id)).toEqual([place.id]);
  });

  it('accepts no draft that is being sent, and destroys only drafts that are in it', () => {
    using place = withDraft();
    const { drafts, id } = place;
    drafts.setSending(id, OutboxRef.parse('8c9a3c0e-6c43-4b8e-9d0a-0d7b6a4f3d11'));
    expect(() => drafts.trash(id, NOW)).toThrowError(refused('conflict'));
    expect(() => drafts.destroy(id)).toThrowError(refused('not-found'));
  });
});

it('a sent draft is kept only for copying, until its time is over', () => {
  using place = withDraft();
  const { drafts, id } = place;
  const ref = OutboxRef.parse('8c9a3c0e-6c43-4b8e-9d0a-0d7b6a4f3d11');
  drafts.setSending(id, ref);
  drafts.keepSent(id, ref, NOW);
  expect(drafts.list()).toEqual([]);
  expect(drafts.sentAs(ref)).toMatchObject({ id, sending: null });
  place.stores.privacy.drop('sent', NOW + 1, 9);
  expect(drafts.sentAs(ref)).toBeNull();
});

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Draft } from '../../../../../shared/contract/drafts.ts';
import { DraftId } from '../../../../../shared/model/ids.ts';
import { AppError } from '../../../../../shared/errors.ts';

const REACH = { undo: 1, redo: 0 };
const id = DraftId.parse('0b5f6f0e-5b0d-4c51-9a51-6c1f5c1f7a01');

interface Changed {
  readonly id: string;
  readonly edited?: { readonly revision: number };
}

/** The core's side of the calls that an open draft uses. */
const core = vi.hoisted(() => {
  const listeners: ((changed: Changed) => void)[] = [];
  const meanwhile = (): void => undefined;
  const whileReading = meanwhile;
  const calls: string[] = [];
  const kept = new Map<string, unknown>();
  const reply = Promise.resolve();
  return { listeners, calls, stored: kept, isBroken: false, meanwhile, whileReading, reply };
});

function stored(): Draft {
  return structuredClone(core.stored.get(id) as Draft);
}

function storeTitle(title: string): void {
  const draft = stored();
  const content = { api: 'v1' as const, body: { title, attachments: [], parties: [] } };
  core.stored.set(id, { ...draft, content, revision: draft.revision + 1 });
}

/**
 * Returns the stored draft as the answer to an edit. As in the core, the event of the edit comes
 * before the answer.
 */
function announced() {
  const draft = stored();
  for (const notify of core.listeners) notify({ id, edited: { revision: draft.revision } });
  return { ...draft, reach: REACH };
}

/** Returns the same calls, which are also recorded by name. */
function noted<Calls extends object>(calls: Calls): Calls {
  return new Proxy(calls, {
    get(target, name) {
      core.calls.push(String(name));
      return Reflect.get(target, name) as unknown;
    },
  });
}

function titleOf({ content }: Draft): string {
  return content.api === 'v1' ? content.body.title : content.body.name;
}

vi.mock('../../../../../renderer/window/desk.ts', () => ({
  api: noted({
    'drafts.show': async () => stored(),
    'drafts.reach': async () => {
      core.whileReading();
      return REACH;
    },
    'drafts.undo': async () => {
      core.meanwhile();
      storeTitle('Before');
      return announced();
    },
    'drafts.check': async () => ({
      errors:
        titleOf(stored()) === ''
          ? [{ field: 'title', code: 'required', message: 'This is needed' }]
          : [],
      warnings: [],
      contacts: { people: 0, emails: 0, sms: 0 },
      recipients: [],
    }),
    'drafts.save': async (order: Pick<Draft, 'revision' | 'content'>) => {
      if (core.isBroken) throw new AppError('storage', 'The disk is full', { reason: 'disk-full' });
      const draft = stored();
      if (order.revision !== draft.revision) throw new AppError('conflict', 'Changed meanwhile');
      core.stored.set(id, { ...draft, content: order.content, revision: draft.revision + 1 });
      await core.reply;
      return announced();
    },
  }),
  failureOf: (error: AppError) => error.failure,
  on: (_name: string, listener: (changed: Changed) => void) => {
    core.listeners.push(listener);
    return () => core.listeners.splice(core.listeners.indexOf(listener), 1);
  },
}));

const { DraftEditor } =
  await import('../../../../../renderer/features/drafts/editor/state.svelte.ts');

async function openDraft(): Promise<InstanceType<typeof DraftEditor>> {
  const editor = new DraftEditor(id);
  await editor.load();
  return editor;
}

function type(editor: InstanceType<typeof DraftEditor>, title: string): void {
  if (editor.content?.api === 'v1') editor.content.body.title = title;
  editor.touch();
}

const shown = (editor: InstanceType<typeof DraftEditor>): string =>
  editor.content?.api === 'v1' ? editor.content.body.title : '';

beforeEach(() => {
  vi.useFakeTimers();
  core.listeners.length = 0;
  core.calls.length = 0;
  core.isBroken = false;
  core.meanwhile = () => undefined;
  core.whileReading = () => undefined;
  core.reply = Promise.resolve();
  core.stored.set(id, {
    id,
    connectionId: null,
    files: [],
    revision: 1,
    sending: null,
    createdAt: 0,
    updatedAt: 0,
    content: { api: 'v1', body: { title: '', attachments: [], parties: [] } },
  });
});

afterEach(() => {
  vi.useRealTimers();
});

describe('an open draft', () => {
  it('makes two calls for an edit: one stores it, and one checks it (HO-2)', async () => {
    const editor = await openDraft();
    core.calls.length = 0;
    type(editor, 'x');
    await vi.advanceTimersByTimeAsync(2000);
    expect(core.calls).toEqual(['drafts.save', 'drafts.check']);
    expect(editor.reach).toEqual(REACH);
  });

  it('has an error for a text that is not a value, also though the stored draft has none', async () => {
    const { problems } = await openDraft();
    const before = problems.errors;
    problems.setUnread('expireIn', true);
    expect(problems.errors).toBe(before + 1);
    expect(problems.in('dates')).toMatchObject([{ field: 'expireIn', level: 'error' }]);
    problems.setUnread('expireIn', false);
    expect(problems.errors).toBe(before);
  });

  it('is read again after another window stored it, even if this window stored before (HO-2)', async () => {
    const editor = await openDraft();
    type(editor, 'mine');
    await vi.advanceTimersByTimeAsync(2000);
    storeTitle('theirs');
    for (const notify of core.listeners) notify({ id, edited: { revision: stored().revision } });
    await vi.advanceTimersByTimeAsync(0);
    expect(shown(editor)).toBe('theirs');
  });

  it('is stored within a second of an edit, also while typing continues', async () => {
    const editor = await openDraft();
    for (let letters = 1; letters <= 10; letters += 1) {
      type(editor, 'x'.repeat(letters));
      await vi.advanceTimersByTimeAsync(100);
    }
    expect(titleOf(stored()).length).toBeGreaterThan(0);
    await vi.advanceTimersByTimeAsync(400);
    expect(titleOf(stored())).toBe('x'.repeat(10));
  });

  it('keeps typed text that cannot be stored, and stores it once storing works again', async () => {
    const editor = await openDraft();
    core.isBroken = true;
    type(editor, 'Lease');
    expect(await editor.save()).toBe(false);
    expect(editor.failure?.reason).toBe('disk-full');
    expect(shown(editor)).toBe('Lease');
    core.isBroken = false;
    expect(await editor.save()).toBe(true);
    expect(editor.failure).toBeNull();
    expect(titleOf(stored())).toBe('Lease');
  });

  it('shows a conflict for an edit of another window, and loses neither text', async () => {
    const editor = await openDraft();
    storeTitle('Theirs');
    type(editor, 'Mine');
    expect(await editor.save()).toBe(false);
    expect(editor.failure?.code).toBe('conflict');
    expect([shown(editor), titleOf(stored())]).toEqual(['Mine', 'Theirs']);
    await editor.keepMine();
    expect(titleOf(stored())).toBe('Mine');
  });

  it('can show the other version of a conflict instead', async () => {
    const editor = await openDraft();
    storeTitle('Theirs');
    type(editor, 'Mine');
    await editor.save();
    await editor.takeTheirs();
    expect(shown(editor)).toBe('Theirs');
    expect(editor.failure).toBeNull();
  });

  it('follows the edits of another window while nothing is typed in this window', async () => {
    const editor = await openDraft();
    storeTitle('Theirs');
    for (const notify of core.listeners) notify({ id });
    await editor.save();
    expect(shown(editor)).toBe('Theirs');
  });

  it('keeps unsaved text when another window stores the draft (TE-W04)', async () => {
    const editor = await openDraft();
    type(editor, 'Mine');
    storeTitle('Theirs');
    for (const notify of core.listeners) notify({ id });
    // The other window's text arrives before the edit in this window is due to be stored.
    await vi.advanceTimersByTimeAsync(100);
    expect([shown(editor), editor.unsaved]).toEqual(['Mine', true]);
    expect(await editor.save()).toBe(false);
    expect(editor.failure?.code).toBe('conflict');
    expect([shown(editor), titleOf(stored())]).toEqual(['Mine', 'Theirs']);
  });

  it('keeps unsaved text while the text of another window is loaded', async () => {
    const editor = await openDraft();
    storeTitle('Theirs');
    core.whileReading = () => type(editor, 'Mine');
    for (const notify of core.listeners) notify({ id });
    await vi.advanceTimersByTimeAsync(100);
    expect([shown(editor), editor.unsaved]).toEqual(['Mine', true]);
  });

  it('shows the result of an undo, and keeps text typed during it', async () => {
    const editor = await openDraft();
    type(editor, 'Lease');
    expect(await editor.go('undo')).toBe(true);
    expect(shown(editor)).toBe('Before');
    core.meanwhile = () => type(editor, 'Before x');
    expect(await editor.go('undo')).toBe(true);
    expect(shown(editor)).toBe('Before x');
    expect(await editor.save()).toBe(true);
    expect(titleOf(stored())).toBe('Before x');
  });

  it('stores the last edit when it is closed', async () => {
    const editor = await openDraft();
    type(editor, 'Lease');
    await editor.close();
    expect(titleOf(stored())).toBe('Lease');
    expect(core.listeners).toHaveLength(0);
  });

  it('sends every edit when the window closes, also while the reply to an earlier save is due', async () => {
    const editor = await openDraft();
    core.reply = new Promise(() => undefined);
    type(editor, 'Lea');
    void editor.save();
    await vi.advanceTimersByTimeAsync(0);
    type(editor, 'Lease');
    type(editor, 'Lease of land');
    editor.flush();
    expect(titleOf(stored())).toBe('Lease of land');
    expect(stored().revision).toBe(4);
  });

  it('keeps an edit that cannot be stored on closing, and stores it at the next visit', async () => {
    const editor = await openDraft();
    core.isBroken = true;
    type(editor, 'Lease');
    await editor.close();
    expect(titleOf(stored())).toBe('');
    core.isBroken = false;
    const again = await openDraft();
    expect(shown(again)).toBe('Lease');
    expect(await again.save()).toBe(true);
    expect(titleOf(stored())).toBe('Lease');
    expect(shown(await openDraft())).toBe('Lease');
  });

  it('shows the sent version during the sending, despite unsaved edits', async () => {
    const editor = await openDraft();
    core.isBroken = true;
    type(editor, 'Mine');
    await editor.close();
    core.isBroken = false;
    core.stored.set(id, { ...stored(), sending: 'outbox' });
    expect(shown(await openDraft())).toBe('');
    core.stored.set(id, { ...stored(), sending: null });
    const again = await openDraft();
    expect(shown(again)).toBe('Mine');
    expect(await again.save()).toBe(true);
  });

  it('does not overwrite a later version of another window with an unsaved edit', async () => {
    const editor = await openDraft();
    core.isBroken = true;
    type(editor, 'Mine');
    await editor.close();
    core.isBroken = false;
    storeTitle('Theirs');
    const again = await openDraft();
    expect(await again.save()).toBe(false);
    expect(again.failure?.code).toBe('conflict');
    expect([shown(again), titleOf(stored())]).toEqual(['Mine', 'Theirs']);
    await again.takeTheirs();
    await again.close();
  });

  it('shows problems of a new draft only at visited fields, or on request for all', async () => {
    const editor = await openDraft();
    expect(editor.problems.errors).toBe(1);
    expect(editor.problems.at('title')).toBeNull();
    editor.problems.visit('title');
    expect(editor.problems.at('title')?.code).toBe('required');
  });

  it('shows the problems of a field that the user left only after the check of its text', async () => {
    const editor = await openDraft();
    type(editor, 'Rent');
    const left = editor.leaveField('title');
    // The result of the check of the empty title is still stored.
    expect([editor.problems.errors, editor.problems.at('title')]).toEqual([1, null]);
    await left;
    expect(editor.problems.at('title')).toBeNull();
    type(editor, '');
    await editor.leaveField('title');
    expect(editor.problems.at('title')?.code).toBe('required');
  });
});

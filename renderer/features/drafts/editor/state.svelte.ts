import type {
  UndoDepth,
  Draft,
  DraftContent,
  DraftFile,
} from '../../../../shared/contract/drafts.ts';
import type { ConnectionId, DraftId, FileId, OutboxRef } from '../../../../shared/model/ids.ts';
import type { PdfForm } from '../../../../shared/contract/templates.ts';
import type { Failure } from '../../../../shared/errors.ts';
import { CoalescedTask } from '../../../../shared/coalesced.ts';
import { Serial } from '../../../../shared/serial.ts';
import { titleOf } from '../../../../shared/rules/drafts/check.ts';
import { api, failureOf, on } from '../../../window/desk.ts';
import { m } from '../../../ui/language.svelte.ts';
import { activity } from '../../../window/activity.svelte.ts';
import { released } from '../../../window/pressed.ts';
import { together } from '../../office/together.svelte.ts';
import { updateInPlace } from '../become.ts';
import { DraftEdits, type PendingEdit } from './edits.ts';
import { DraftProblems } from './problems.svelte.ts';
import { PartyMemory } from '../parties/memory.ts';

/** Delay of a save (ms): an edit is on disk within a second, also while the user types on. */
const DRAFT_SAVE_DELAY_MS = 400;
const MAX_EDIT_NAME_LENGTH = 200;

/**
 * Drafts that could not be stored when the user left them, with the revision they were based on.
 */
const unstoredDrafts = new Map<
  DraftId,
  { readonly content: DraftContent; readonly revision: number }
>();

/** An open draft: typed text is kept in memory, stored soon after, and never dropped. */
export class DraftEditor {
  readonly id: DraftId;
  readonly problems = new DraftProblems();
  readonly memory = new PartyMemory();
  content = $state<DraftContent | null>(null);
  connectionId = $state.raw<ConnectionId | null>(null);
  files = $state.raw<readonly DraftFile[]>([]);
  forms = $state.raw<ReadonlyMap<FileId, PdfForm>>(new Map());
  /** Send of the draft in the outbox, which makes the draft read-only; null if there is none. */
  sending = $state.raw<OutboxRef | null>(null);
  savedAt = $state<number | null>(null);
  saving = $state(false);
  unsaved = $state(false);
  reach = $state.raw<UndoDepth>({ undo: 0, redo: 0 });
  /** Number of saves; views of the stored draft reload when it changes. */
  version = $state(0);
  failure = $state.raw<Failure | null>(null);

  readonly #edits = new DraftEdits();
  #revision = 0;
  /** Number of changes in flight; each increases the revision by one. */
  #inFlight = 0;
  /** Edit whose save is in flight. */
  #sent: PendingEdit | null = null;
  /** Number of visits to fields so far; typing in each visit is a separate edit. */
  #visit = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Check of the draft. Typing does not wait for it, because reading PDFs is slow. */
  readonly #checks = new CoalescedTask(() => this.#check());
  /** Queue in which all changes of the draft run one after the other. */
  readonly #turns = new Serial();
  readonly #stop: () => void;

  constructor(id: DraftId) {
    this.id = id;
    this.#stop = on('drafts.changed', (changed) => {
      if (changed.id === id) void this.inTurn(() => this.#follow(changed.edited?.revision));
    });
  }

  /** Whether the draft is being sent, or another user is editing it. */
  get isLocked(): boolean {
    return this.sending !== null || together.elsewhere(this.id) !== null;
  }

  /** Whether the draft was sent or deleted while it was open. */
  get isGone(): boolean {
    return this.failure?.code === 'not-found';
  }

  async load(): Promise<void> {
    await this.inTurn(async () => {
      const draft = await api['drafts.show']({ id: this.id });
      this.#takeOver(draft, await this.#readReach());
      this.failure = null;
      this.#restore();
      // A reopened draft shows its missing values; a new one does not show errors yet.
      this.problems.insists = draft.revision > 1;
    });
    await this.#checks.run();
  }

  /** Records an edit; typing in one `field` is one edit until the field is left. */
  touch(field: string | null = null): void {
    const content = $state.snapshot(this.content);
    if (this.isLocked || content === null) return;
    this.#edits.add(content, field === null ? null : `${field} ${this.#visit}`);
    this.unsaved = true;
    // Further typing does not postpone the save, so that the first character is stored in time.
    this.#timer ??= setTimeout(() => void this.save(), DRAFT_SAVE_DELAY_MS);
  }

  /** Stores all edits; returns whether all are stored. */
  async save(): Promise<boolean> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.inTurn(() => this.#store());
    return !this.unsaved;
  }

  /**
   * Sends all edits without waiting for replies, which no longer arrive when the window closes.
   * Each save expects the revision that the changes before it lead to.
   */
  flush(): void {
    const content = $state.snapshot(this.content);
    if (content === null) return;
    if (this.unsaved) this.#edits.add(content, null);
    const waiting = this.#edits.except(this.#sent);
    // If only the connection changed, there is no edit, and the content is stored unchanged.
    const last = waiting.length === 0 && this.unsaved ? [{ edit: null, content }] : waiting;
    let revision = this.#revision + this.#inFlight;
    this.unsaved = false;
    for (const next of last) {
      this.#send(next, revision).catch((error: unknown) => {
        this.failure = failureOf(error);
        this.unsaved = true;
      });
      revision += 1;
    }
  }

  /** Stores all edits and validates again, because some problems appear only with time. */
  async check(): Promise<boolean> {
    const isStored = await this.save();
    await this.#checks.run();
    return isStored;
  }

  /** Ends the visit to a field: further typing is a new edit. */
  leave(): void {
    this.#visit += 1;
  }

  /** Stores the draft when the user leaves a field, and then shows the problems of the field. */
  async leaveField(field: string | undefined): Promise<void> {
    this.leave();
    await this.save();
    // A problem of the earlier text would be shown for a moment, and move the page.
    await this.#checks.ended();
    await released();
    if (field !== undefined) this.problems.visit(field);
  }

  /** Undoes or redoes the last edit; returns whether there was one. */
  async go(by: 'undo' | 'redo'): Promise<boolean> {
    this.leave();
    if (this.isLocked || !(await this.save()) || this.reach[by] === 0) return false;
    await this.inTurn(async () => {
      const order = { id: this.id, revision: this.#revision };
      const step = api[by === 'undo' ? 'drafts.undo' : 'drafts.redo'];
      const draft = await this.#changing(step(order));
      // Text typed during the call is the next edit; it is based on the content that this window
      // shows.
      if (this.unsaved) this.#stored(draft, draft.reach);
      else this.#takeOver(draft, draft.reach);
    });
    void this.#checks.run();
    return this.failure === null;
  }

  /** Resolves a conflict by overwriting the other window's version with this window's. */
  async keepMine(): Promise<void> {
    await this.inTurn(async () => {
      this.#revision = (await api['drafts.show']({ id: this.id })).revision;
      await this.#store();
    });
  }

  /**
   * Resolves a conflict by showing the other window's version; text typed in this window is
   * dropped.
   */
  async takeTheirs(): Promise<void> {
    this.unsaved = false;
    await this.load();
  }

  /**
   * Saves this window's version as a new draft, and shows the other window's version of this draft.
   */
  async keepAsOwn(): Promise<DraftId | null> {
    const content = $state.snapshot(this.content);
    if (content === null) return null;
    let copy: DraftId | null = null;
    await this.inTurn(async () => {
      const { id, revision } = await api['drafts.duplicate']({ id: this.id });
      copy = id;
      await api['drafts.save']({ id, revision, content, connectionId: this.connectionId });
    });
    if (copy !== null) await this.takeTheirs();
    return copy;
  }

  /** Runs `work` after all earlier calls to the core; a failure is stored and shown. */
  inTurn(work: () => Promise<void>): Promise<void> {
    return this.#turns.run(async () => {
      try {
        await work();
      } catch (error) {
        this.failure = failureOf(error);
      }
    });
  }

  /**
   * Stores the draft when the user leaves it. Content that cannot be stored is kept for the next
   * visit.
   */
  async close(): Promise<void> {
    this.#stop();
    const isStored = await this.save();
    void together.leave(this.id);
    if (isStored || this.isGone || this.content === null) return;
    unstoredDrafts.set(this.id, {
      content: $state.snapshot(this.content),
      revision: this.#revision,
    });
    const title = titleOf(this.content);
    activity.warn(() => m.draft_left({ title: title || m.drafts_untitled() }), null, 'drafts.save');
  }

  /**
   * Restores content that an earlier visit could not store. Saving it is a conflict if the draft
   * has changed after that visit.
   */
  #restore(): void {
    const mine = unstoredDrafts.get(this.id);
    // While the draft is being sent, the shown content is what is sent.
    if (mine === undefined || this.isLocked || this.content?.api !== mine.content.api) return;
    unstoredDrafts.delete(this.id);
    this.#revision = mine.revision;
    this.content = updateInPlace(this.content, mine.content);
    this.touch();
  }

  async #store(): Promise<void> {
    const content = $state.snapshot(this.content);
    if (!this.unsaved || content === null) return;
    this.#edits.add(content, null);
    this.unsaved = false;
    this.saving = true;
    try {
      // Save each edit separately, so that each can be undone. If only the connection changed,
      // there is no edit, and the content is stored unchanged.
      let next: PendingEdit | undefined = this.#edits.first() ?? { edit: null, content };
      for (; next !== undefined; next = this.#edits.first()) {
        await this.#save(next);
        this.#edits.done(next);
      }
      this.version += 1;
      this.failure = null;
      if (unstoredDrafts.size === 0) activity.resolve('drafts.save');
    } catch (error) {
      this.unsaved = true;
      throw error;
    } finally {
      this.saving = false;
    }
    void this.#checks.run();
  }

  async #save(next: PendingEdit): Promise<void> {
    this.#sent = next;
    try {
      const draft = await this.#changing(this.#send(next, this.#revision));
      this.#stored(draft, draft.reach);
    } finally {
      this.#sent = null;
    }
  }

  #send({ edit, content }: PendingEdit, revision: number): ReturnType<(typeof api)['drafts.save']> {
    const { id, connectionId } = this;
    // The end of a long name distinguishes the visits.
    const named = edit === null ? {} : { edit: edit.slice(-MAX_EDIT_NAME_LENGTH) };
    return api['drafts.save']({ id, revision, content, connectionId, ...named });
  }

  async #changing<Result>(change: Promise<Result>): Promise<Result> {
    this.#inFlight += 1;
    try {
      return await change;
    } finally {
      this.#inFlight -= 1;
    }
  }

  /**
   * Shows the draft after a change by another window or a send. Text typed in this window stays;
   * saving it may be a conflict.
   */
  async #follow(revision: number | undefined): Promise<void> {
    // The event reports an edit of this window.
    if (revision === this.#revision) return;
    const draft = await api['drafts.show']({ id: this.id });
    const reach = await this.#readReach();
    // Check only after both are read, because the user may type during the read.
    if (draft.revision !== this.#revision && this.unsaved) return;
    if (draft.revision === this.#revision) {
      this.#stored(draft, reach);
      this.version += 1;
    } else this.#takeOver(draft, reach);
    void this.#checks.run();
  }

  #readReach(): Promise<UndoDepth> {
    return api['drafts.reach']({ id: this.id });
  }

  #takeOver(draft: Draft, reach: UndoDepth): void {
    const { content } = draft;
    this.#edits.reset(content);
    // Update in place, so that the focused field keeps the focus.
    this.content =
      this.content?.api === content.api ? updateInPlace(this.content, content) : content;
    this.connectionId = draft.connectionId;
    this.version += 1;
    this.#stored(draft, reach);
  }

  #stored({ revision, files, sending, updatedAt }: Draft, reach: UndoDepth): void {
    this.#revision = revision;
    this.files = files;
    this.sending = sending;
    this.savedAt = updatedAt;
    this.reach = reach;
  }

  async #check(): Promise<void> {
    try {
      await this.#readProblems();
    } catch (error) {
      this.failure = failureOf(error);
    }
  }

  async #readProblems(): Promise<void> {
    const check = await api['drafts.check']({ id: this.id });
    await released();
    this.problems.check = check;
    const wanted = this.files.filter(({ fieldCount }) => fieldCount > 0);
    const forms = new Map<FileId, PdfForm>();
    for (const { id: file } of wanted) {
      forms.set(file, this.forms.get(file) ?? (await api['drafts.form']({ id: this.id, file })));
    }
    this.forms = forms;
  }
}

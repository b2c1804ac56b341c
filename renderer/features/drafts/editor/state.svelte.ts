import type {
  UndoDepth,
  Draft,
  DraftContent,
  DraftFile,
} from '../../../../shared/contract/drafts.ts';
import type { ConnectionId, DraftId, FileId, OutboxRef } from '../../../../shared/model/ids.ts';
import type { PdfForm } from '../../../../shared/contract/templates.ts';
import type { Failure } from '../../../../shared/errors.ts';
import { Coalesced } from '../../../../shared/coalesced.ts';
import { Serial } from '../../../../shared/serial.ts';
import { titleOf } from '../../../../shared/rules/drafts/check.ts';
import { api, failureOf, on } from '../../../window/desk.ts';
import { m } from '../../../ui/language.svelte.ts';
import { activity } from '../../../window/activity.svelte.ts';
import { together } from '../../office/together.svelte.ts';
import { become } from '../become.ts';
import { DraftEdits } from './edits.ts';
import { DraftProblems } from './problems.svelte.ts';
import { PartyMemory } from '../parties/memory.ts';

/** An edit is on disk within a second of being made, also while the person goes on typing. */
const SAVE_AFTER = 400;
/** Letters of an edit's name that are kept. */
const MAX_EDIT = 200;

/** Drafts that were left while they could not be stored, and what they were changed from. */
const left = new Map<DraftId, { readonly content: DraftContent; readonly revision: number }>();

/** One draft while it is open: what is typed is kept here, stored soon after, and never dropped. */
export class DraftEditor {
  readonly id: DraftId;
  readonly problems = new DraftProblems();
  readonly memory = new PartyMemory();
  content = $state<DraftContent | null>(null);
  connectionId = $state.raw<ConnectionId | null>(null);
  files = $state.raw<readonly DraftFile[]>([]);
  forms = $state.raw<ReadonlyMap<FileId, PdfForm>>(new Map());
  /** Set while a send of it is in the outbox: it is read only then. */
  sending = $state.raw<OutboxRef | null>(null);
  savedAt = $state<number | null>(null);
  saving = $state(false);
  /** Something was typed that is not stored yet. */
  unsaved = $state(false);
  /** How far one can go back and on. */
  reach = $state.raw<UndoDepth>({ undo: 0, redo: 0 });
  /** Grows with each save, so that what shows the stored draft can follow. */
  version = $state(0);
  /** Why it could not be read, or what was typed could not be stored. */
  failure = $state.raw<Failure | null>(null);

  readonly #edits = new DraftEdits();
  #revision = 0;
  /** Tells apart two visits to one field: what is typed in each is an edit of its own. */
  #visit = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Reading PDFs takes long: no letter waits for it. */
  readonly #checks = new Coalesced(() => this.#check());
  /** Everything that changes the draft does so one after the other. */
  readonly #turns = new Serial();
  readonly #stop: () => void;

  constructor(id: DraftId) {
    this.id = id;
    this.#stop = on('drafts.changed', (changed) => {
      if (changed.id === id) void this.inTurn(() => this.#follow(changed.edited?.revision));
    });
  }

  /** It is sent now, or somebody else writes it. */
  get isLocked(): boolean {
    return this.sending !== null || together.elsewhere(this.id) !== null;
  }

  /** It was sent or deleted while it was open here. */
  get isGone(): boolean {
    return this.failure?.code === 'not-found';
  }

  async load(): Promise<void> {
    await this.inTurn(async () => {
      const draft = await api['drafts.show']({ id: this.id });
      this.#takeOver(draft, await this.#readReach());
      this.failure = null;
      this.#restore();
      // A draft that is opened again shows what it still lacks; a new one does not reproach.
      this.problems.insists = draft.revision > 1;
    });
    await this.#checks.run();
  }

  /** Something was typed or chosen; typing in one `field` is one edit until it is left. */
  touch(field: string | null = null): void {
    const content = $state.snapshot(this.content);
    if (this.isLocked || content === null) return;
    this.#edits.add(content, field === null ? null : `${field} ${this.#visit}`);
    this.unsaved = true;
    // Not put off by further typing: the first letter waits no longer than the last.
    this.#timer ??= setTimeout(() => void this.save(), SAVE_AFTER);
  }

  /** Stores what is not stored yet; gives whether all of it is. */
  async save(): Promise<boolean> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.inTurn(() => this.#store());
    return !this.unsaved;
  }

  /** Stores all and looks for problems again, some of which come with time alone. */
  async check(): Promise<boolean> {
    const isStored = await this.save();
    await this.#checks.run();
    return isStored;
  }

  /** The person left a field: what is typed next is another edit. */
  leave(): void {
    this.#visit += 1;
  }

  /** Takes the last edit back, or does it again; gives whether there was one. */
  async go(by: 'undo' | 'redo'): Promise<boolean> {
    this.leave();
    if (this.isLocked || !(await this.save()) || this.reach[by] === 0) return false;
    await this.inTurn(async () => {
      const order = { id: this.id, revision: this.#revision };
      const draft = await api[by === 'undo' ? 'drafts.undo' : 'drafts.redo'](order);
      // What was typed meanwhile is the next edit, made to what is shown here.
      if (this.unsaved) this.#stored(draft, draft.reach);
      else this.#takeOver(draft, draft.reach);
    });
    void this.#checks.run();
    return this.failure === null;
  }

  /** After a conflict: stores what is shown here over what another window stored. */
  async keepMine(): Promise<void> {
    await this.inTurn(async () => {
      this.#revision = (await api['drafts.show']({ id: this.id })).revision;
      await this.#store();
    });
  }

  /** After a conflict: shows what another window stored; what was typed here is given up. */
  async takeTheirs(): Promise<void> {
    this.unsaved = false;
    await this.load();
  }

  /** What was typed here becomes a draft of its own, and this one is shown as it is elsewhere. */
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

  /** Does `work` when everything asked of the core before is done; a failure is kept and shown. */
  inTurn(work: () => Promise<void>): Promise<void> {
    return this.#turns.run(async () => {
      try {
        await work();
      } catch (error) {
        this.failure = failureOf(error);
      }
    });
  }

  /** The person goes elsewhere. What cannot be stored now waits for the next visit. */
  async close(): Promise<void> {
    this.#stop();
    const isStored = await this.save();
    void together.leave(this.id);
    if (isStored || this.isGone || this.content === null) return;
    left.set(this.id, { content: $state.snapshot(this.content), revision: this.#revision });
    const title = titleOf(this.content);
    activity.warn(() => m.draft_left({ title: title || m.drafts_untitled() }));
  }

  /** Shows what an earlier visit could not store; if it was changed since, storing it is a conflict. */
  #restore(): void {
    const mine = left.get(this.id);
    // While it is being sent, what is shown is what goes out.
    if (mine === undefined || this.isLocked || this.content?.api !== mine.content.api) return;
    left.delete(this.id);
    this.#revision = mine.revision;
    this.content = become(this.content, mine.content);
    this.touch();
  }

  async #store(): Promise<void> {
    const content = $state.snapshot(this.content);
    if (!this.unsaved || content === null) return;
    this.#edits.add(content, null);
    this.unsaved = false;
    this.saving = true;
    try {
      // One save for each edit, so that each can be taken back; where only the connection was
      // chosen there is none, and the content is stored as it is.
      if (this.#edits.isEmpty) await this.#save(content, null);
      for (let next = this.#edits.first(); next !== undefined; next = this.#edits.first()) {
        await this.#save(next.content, next.edit);
        this.#edits.done(next);
      }
      this.version += 1;
      this.failure = null;
    } catch (error) {
      this.unsaved = true;
      throw error;
    } finally {
      this.saving = false;
    }
    void this.#checks.run();
  }

  async #save(content: DraftContent, edit: string | null): Promise<void> {
    const { id, connectionId } = this;
    // The end of a long name tells the visits apart.
    const named = edit === null ? {} : { edit: edit.slice(-MAX_EDIT) };
    const order = { id, revision: this.#revision, content, connectionId, ...named };
    const draft = await api['drafts.save'](order);
    this.#stored(draft, draft.reach);
  }

  /** Another window, or a send, changed it. What is typed here stays, and its save may conflict. */
  async #follow(revision: number | undefined): Promise<void> {
    // The echo of an edit made here.
    if (revision === this.#revision) return;
    const draft = await api['drafts.show']({ id: this.id });
    const reach = await this.#readReach();
    // Not before both are read: somebody may type meanwhile.
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
    // In place: the field that has the focus keeps it.
    this.content = this.content?.api === content.api ? become(this.content, content) : content;
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
    this.problems.check = await api['drafts.check']({ id: this.id });
    const wanted = this.files.filter(({ fieldCount }) => fieldCount > 0);
    const forms = new Map<FileId, PdfForm>();
    for (const { id: file } of wanted) {
      forms.set(file, this.forms.get(file) ?? (await api['drafts.form']({ id: this.id, file })));
    }
    this.forms = forms;
  }
}

import type { EarlierSend } from '../../../../shared/contract/drafts.ts';
import type { ConnectionId } from '../../../../shared/model/ids.ts';
import type { Failure } from '../../../../shared/errors.ts';
import { api, failureOf } from '../../../window/desk.ts';
import { m } from '../../../ui/language.svelte.ts';
import { activity } from '../../../window/activity.svelte.ts';
import { rememberConnection } from '../last-connection.ts';
import type { DraftEditor } from '../editor/state.svelte.ts';
import { settings } from '../../../window/settings.svelte.ts';

/** A draft is one agreement; the core requires the number that the user confirmed. */
const CONFIRMED_COUNT = 1;

/** Default of the setting (s); the settings are read before a screen is shown. */
const DEFAULT_HOLD_SECONDS = 10;

/** Sending of a draft, from its final check until it is in the outbox. */
export class DraftSending {
  readonly editor: DraftEditor;
  asking = $state(false);
  /** Whether the user wants to send the draft although the same content was sent before. */
  isAgain = $state(false);
  /** Whether the user wants the draft to be sent at a chosen time instead of now. */
  isLater = $state(false);
  /** Chosen time (epoch ms); null until one is chosen. */
  sendAt = $state<number | null>(null);
  failure = $state.raw<Failure | null>(null);
  #opening: Promise<boolean> | null = null;

  constructor(editor: DraftEditor) {
    this.editor = editor;
  }

  get holdSeconds(): number {
    return settings.stored.value?.holdSeconds ?? DEFAULT_HOLD_SECONDS;
  }

  /** Earlier sends of the same content, from the last check. */
  get sentBefore(): readonly EarlierSend[] {
    return this.editor.problems.check?.sentBefore ?? [];
  }

  /**
   * Stores and validates the draft. Then opens the dialog, or announces the errors and returns
   * false. A second call keeps a dialog that is open or opening, with the choices in it.
   */
  async ask(): Promise<boolean> {
    if (this.asking) return true;
    this.#opening ??= this.#open().finally(() => {
      this.#opening = null;
    });
    return this.#opening;
  }

  async #open(): Promise<boolean> {
    const { editor } = this;
    this.failure = null;
    this.isAgain = false;
    this.isLater = false;
    this.sendAt = null;
    const isStored = await editor.check();
    if (!isStored || editor.isLocked) return false;
    editor.problems.insists = true;
    const { errors } = editor.problems;
    if (errors > 0) activity.notify(() => m.draft_problems_left({ count: errors }));
    this.asking = errors === 0;
    return this.asking;
  }

  /** Puts the draft into the outbox; it can be returned to drafts while it is held. */
  async send(connectionId: ConnectionId): Promise<boolean> {
    const { id } = this.editor;
    try {
      const holdSeconds = this.holdSeconds;
      const again = this.isAgain ? this.sentBefore.map(({ key }) => key) : [];
      const order = { id, connectionId, holdSeconds, confirm: CONFIRMED_COUNT, again };
      const { sendAt } = this;
      await api['drafts.send'](this.isLater && sendAt !== null ? { ...order, sendAt } : order);
      void rememberConnection(connectionId);
      return true;
    } catch (error) {
      this.failure = failureOf(error);
      return false;
    }
  }
}

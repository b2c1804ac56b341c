import { m } from '../ui/language.svelte.ts';
import { activity } from './activity.svelte.ts';

/** An action that can be undone or redone by key. */
export interface Undoable {
  /** Label of the button: “Restore Lease 4”. Null shows no button. */
  readonly label: (() => string) | null;
  /** Reason why there is nothing to undo now; null if there is something. */
  readonly reason: () => string | null;
  readonly run: () => void;
}

export type UndoWay = 'undo' | 'redo';

/** An item that is edited in steps, with the number of steps to undo and to redo. */
export interface UndoableSteps {
  readonly reach: Readonly<Record<UndoWay, number>>;
  /** Undoes or redoes the last step; returns whether there was one. */
  go(by: UndoWay): boolean | Promise<boolean>;
}

/** Handler of Ctrl+Z and Ctrl+Shift+Z on the current screen. A held send comes first. */
class Undo {
  back = $state.raw<Undoable | null>(null);
  again = $state.raw<Undoable | null>(null);

  /** Registers the actions until the returned function is called. */
  offer(back: Undoable, again: Undoable | null = null): () => void {
    this.back = back;
    this.again = again;
    return () => {
      if (this.back === back) this.clear();
    };
  }

  /** Undoes and redoes these steps by key, with messages, until the returned function is called. */
  offerSteps(steps: UndoableSteps): () => void {
    const way = (by: UndoWay): Undoable => ({
      label: null,
      reason: () => (steps.reach[by] > 0 ? null : nothingToUndoTexts[by]()),
      run: () => void runUndoStep(steps, by),
    });
    return this.offer(way('undo'), way('redo'));
  }

  clear(): void {
    this.back = null;
    this.again = null;
  }
}

const nothingToUndoTexts = { undo: m.draft_undo_none, redo: m.draft_redo_none };
const doneTexts = { undo: m.draft_undone, redo: m.draft_redone };

/** Undoes or redoes a step and announces it. */
export async function runUndoStep(steps: UndoableSteps, by: UndoWay): Promise<void> {
  const isGone = await steps.go(by);
  const count = steps.reach[by];
  activity.notify(isGone ? () => doneTexts[by]({ count }) : nothingToUndoTexts[by]);
}

export const undo = new Undo();

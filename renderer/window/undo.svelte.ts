import { m } from '../ui/language.svelte.ts';
import { activity } from './activity.svelte.ts';

/** Something that can be taken back, or done again, by key. */
export interface Undoable {
  /** What it would be, for the button: “Restore Lease 4”. Null shows no button. */
  readonly label: (() => string) | null;
  /** Why there is nothing now, in words. */
  readonly reason: () => string | null;
  readonly run: () => void;
}

export type UndoWay = 'undo' | 'redo';

/** What is edited step by step, with how many of them lie behind and ahead. */
export interface Undoing {
  readonly reach: Readonly<Record<UndoWay, number>>;
  /** Takes the last step back, or does it again; gives whether there was one. */
  go(by: UndoWay): boolean | Promise<boolean>;
}

/** What Ctrl+Z and Ctrl+Shift+Z do on the screen that is shown. A send that is held comes first. */
class Undo {
  back = $state.raw<Undoable | null>(null);
  again = $state.raw<Undoable | null>(null);

  /** Until the returned function is called. */
  offer(back: Undoable, again: Undoable | null = null): () => void {
    this.back = back;
    this.again = again;
    return () => {
      if (this.back === back) this.clear();
    };
  }

  /** Steps are taken by these keys, and said, until the returned function is called. */
  offerSteps(steps: Undoing): () => void {
    const way = (by: UndoWay): Undoable => ({
      label: null,
      reason: () => (steps.reach[by] > 0 ? null : nothing[by]()),
      run: () => void goStep(steps, by),
    });
    return this.offer(way('undo'), way('redo'));
  }

  clear(): void {
    this.back = null;
    this.again = null;
  }
}

const nothing = { undo: m.draft_undo_none, redo: m.draft_redo_none };
const done = { undo: m.draft_undone, redo: m.draft_redone };

/** Takes a step and says so. */
export async function goStep(steps: Undoing, by: UndoWay): Promise<void> {
  const isGone = await steps.go(by);
  const count = steps.reach[by];
  activity.say(isGone ? () => done[by]({ count }) : nothing[by]);
}

export const undo = new Undo();

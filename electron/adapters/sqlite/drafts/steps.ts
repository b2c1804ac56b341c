import * as z from 'zod';
import type { UndoDepth } from '../../../../shared/contract/drafts.ts';
import type { DraftId } from '../../../../shared/model/ids.ts';
import type { Database } from '../database/database.ts';

const MAX_STEPS = 200;

const sql = {
  now: 'SELECT step, content FROM draft WHERE id = @id',
  ends: `
    SELECT min(number) AS first, max(number) AS last FROM draft_step WHERE draft_id = @id
    HAVING count(*) > 0`,
  one: 'SELECT edit, content FROM draft_step WHERE draft_id = @id AND number = @number',
  add: `
    INSERT INTO draft_step (draft_id, number, edit, content)
    VALUES (@id, @number, @edit, @content)`,
  change: 'UPDATE draft_step SET content = @content WHERE draft_id = @id AND number = @number',
  dropAfter: 'DELETE FROM draft_step WHERE draft_id = @id AND number > @number',
  dropBefore: 'DELETE FROM draft_step WHERE draft_id = @id AND number < @number',
  goTo: 'UPDATE draft SET step = @number WHERE id = @id',
};

const CurrentStepRow = z.object({ step: z.number(), content: z.string() });
const StepRangeRow = z.object({ first: z.number(), last: z.number() });
const StepRow = z.object({ edit: z.string().nullable(), content: z.string() });

/** Content of a draft after each edit, as JSON text, so that undo restores it byte for byte. */
export interface DraftSteps {
  reach(id: DraftId): UndoDepth;
  /** Must be called before the draft's content is changed to `content`. */
  record(id: DraftId, content: string, edit: string | null): void;
  /** Undoes or redoes one step. Returns the content; null if there is no such step. */
  go(id: DraftId, by: 1 | -1): string | null;
}

export function createDraftSteps(database: Database): DraftSteps {
  const { now, ends, one, add, change, dropAfter, dropBefore, goTo } = prepare(database);
  const stepOf = (id: DraftId): number => now.first({ id })?.step ?? 0;
  const reach = (id: DraftId): UndoDepth => {
    const found = ends.first({ id });
    const at = stepOf(id);
    return found === undefined
      ? { undo: 0, redo: 0 }
      : { undo: at - found.first, redo: found.last - at };
  };

  /**
   * Extends a step by further typing in its field. If the text is as before the step, the step is
   * removed.
   */
  const lengthen = (id: DraftId, at: number, content: string): void => {
    if (one.first({ id, number: at - 1 })?.content !== content) {
      change({ id, number: at, content });
      return;
    }
    dropAfter({ id, number: at - 1 });
    goTo({ id, number: at - 1 });
  };

  return {
    reach,
    record(id, content, edit) {
      const before = now.first({ id });
      if (before === undefined || before.content === content) return;
      const at = before.step;
      if (ends.first({ id }) === undefined) {
        add({ id, number: at, edit: null, content: before.content });
      }
      const isSame = edit !== null && one.first({ id, number: at })?.edit === edit;
      if (isSame && reach(id).redo === 0) {
        lengthen(id, at, content);
        return;
      }
      dropAfter({ id, number: at });
      add({ id, number: at + 1, edit, content });
      goTo({ id, number: at + 1 });
      dropBefore({ id, number: at + 1 - MAX_STEPS });
    },
    go(id, by) {
      const number = stepOf(id) + by;
      const found = one.first({ id, number });
      if (found === undefined) return null;
      goTo({ id, number });
      return found.content;
    },
  };
}

const prepare = (database: Database) => ({
  now: database.query(sql.now, CurrentStepRow),
  ends: database.query(sql.ends, StepRangeRow),
  one: database.query(sql.one, StepRow),
  add: database.command(sql.add),
  change: database.command(sql.change),
  dropAfter: database.command(sql.dropAfter),
  dropBefore: database.command(sql.dropBefore),
  goTo: database.command(sql.goTo),
});

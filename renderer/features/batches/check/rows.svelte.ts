import type {
  BatchCheck,
  BatchRow,
  CellEdit,
  CellPosition,
  RowChoice,
  RowFilter,
  RowProblem,
} from '../../../../shared/contract/batches.ts';
import type { BatchId } from '../../../../shared/model/ids.ts';
import { Serial } from '../../../../shared/serial.ts';
import { api } from '../../../window/desk.ts';
import { m } from '../../../ui/language.svelte.ts';
import { activity } from '../../../window/activity.svelte.ts';
import { Loaded } from '../../../window/loaded.svelte.ts';
import { Steps } from '../../../window/steps.svelte.ts';
import type { UndoWay } from '../../../window/undo.svelte.ts';

const BATCH_ROWS_PER_READ = 1000;
const MAX_UNDO_STEPS = 100;

/** One step of the user: written cells (many after a paste), or excluded or included rows. */
type RowStep = { readonly edits: readonly CellEdit[] } | { readonly choices: readonly RowChoice[] };

export class BatchRows {
  filter = $state<RowFilter>('all');
  check = $state.raw<BatchCheck | null>(null);
  readonly list = new Loaded(() => this.#readAll());
  readonly rows: readonly BatchRow[] = $derived(this.list.value ?? []);
  readonly #steps = new Steps<RowStep>(MAX_UNDO_STEPS);
  readonly canUndo = $derived(this.#steps.reach.undo > 0);
  readonly id: BatchId;
  /** Queue of edits. The user does not wait for them, and an undo applies to the last one. */
  readonly #turns = new Serial();

  constructor(id: BatchId) {
    this.id = id;
  }

  async refresh(): Promise<void> {
    await this.list.refresh();
    await activity.attempt(async () => {
      this.check = await api['batches.check']({ id: this.id });
    });
  }

  /** Reads the check again after sends changed, and reports rows that are excluded since. */
  recheck(): Promise<void> {
    return this.#turns.run(async () => {
      const before = this.check;
      if (before === null) return;
      await activity.attempt(async () => {
        const check = await api['batches.check']({ id: this.id });
        const isSame = check.ready === before.ready && check.excluded === before.excluded;
        if (isSame && check.duplicates === before.duplicates) return;
        this.check = check;
        await this.list.refresh();
        const count = check.excluded - before.excluded;
        if (count > 0) activity.warn(() => m.batch_rows_left_out({ count }));
      });
    });
  }

  async show(filter: RowFilter): Promise<void> {
    this.filter = filter;
    await this.refresh();
  }

  edit(edits: readonly CellEdit[]): Promise<void> {
    return this.#turns.run(async () => {
      const before = await this.#write({ edits });
      if (before !== null) this.#steps.add(before);
    });
  }

  undo(): Promise<void> {
    return this.#turns.run(async () => {
      if (!(await this.#go('undo'))) activity.notify(m.batch_undo_nothing);
    });
  }

  redo(): Promise<void> {
    return this.#turns.run(async () => {
      await this.#go('redo');
    });
  }

  /** Clears the undo steps, because the rows were replaced. */
  forgetSteps(): void {
    this.#steps.clear();
  }

  async repairAlike(column: number, { code, detail }: RowProblem): Promise<void> {
    const order = { id: this.id, column, code, detail };
    await this.#many(() => api['batches.repairAlike'](order));
  }

  async replace(column: number | null, find: string, replace: string): Promise<void> {
    await this.#many(() => api['batches.replace']({ id: this.id, column, find, replace }));
  }

  exclude(rows: readonly number[], isExcluded: boolean): Promise<void> {
    return this.#turns.run(async () => {
      const before = await this.#write({ choices: rows.map((row) => ({ row, isExcluded })) });
      if (before !== null) this.#steps.add(before);
    });
  }

  /**
   * Searches the next error after all edits are written, because the last one may have corrected an
   * error.
   */
  nextError(after: CellPosition): Promise<CellPosition | null> {
    return this.#turns.run(async () => {
      let found: CellPosition | null = null;
      await activity.attempt(async () => {
        found = await api['batches.nextError']({ id: this.id, after });
        if (found === null) activity.notify(m.batch_no_errors);
      });
      return found;
    });
  }

  /**
   * Undoes or redoes a step. Returns whether there was one; a step that cannot be written can be
   * tried again.
   */
  async #go(by: UndoWay): Promise<boolean> {
    const step = this.#steps.next(by);
    if (step === undefined) return false;
    const before = await this.#write(step);
    if (before !== null) this.#steps.took(by, step, before);
    return true;
  }

  /** Writes a step and returns the step that reverses it; null if nothing was changed. */
  async #write(step: RowStep): Promise<RowStep | null> {
    let back: RowStep | null = null;
    await activity.attempt(async () => {
      back = 'edits' in step ? await this.#edit(step.edits) : await this.#choose(step.choices);
    });
    return back;
  }

  async #edit(edits: readonly CellEdit[]): Promise<RowStep | null> {
    if (edits.length === 0) return null;
    const changed = await api['batches.edit']({ id: this.id, edits: [...edits] });
    this.#show(changed);
    return { edits: changed.before };
  }

  /**
   * Excludes or includes rows. The reverse step has the earlier choices: an undo decides nothing
   * about a duplicate.
   */
  async #choose(choices: readonly RowChoice[]): Promise<RowStep> {
    const shown = new Map(this.rows.map((one) => [one.row, one.isExcluded]));
    // A row that is already as chosen needs no call, for example after another user's change.
    const open = choices.filter(({ row, isExcluded }) => shown.get(row) !== isExcluded);
    const before: RowChoice[] = [];
    for (const isExcluded of [true, false, null]) {
      const rows = open.filter((one) => one.isExcluded === isExcluded).map(({ row }) => row);
      if (rows.length === 0) continue;
      const changed = await api['batches.exclude']({ id: this.id, rows, isExcluded });
      this.#show(changed);
      before.push(...changed.before);
    }
    return { choices: before };
  }

  /** Updates changed rows; they stay visible even if they no longer match the filter. */
  #show({ rows, check }: { readonly rows: readonly BatchRow[]; readonly check: BatchCheck }): void {
    this.check = check;
    const fresh = new Map(rows.map((row) => [row.row, row]));
    this.list.value = this.rows.map((row) => fresh.get(row.row) ?? row);
  }

  async #many(
    work: () => Promise<{ readonly before: readonly CellEdit[]; readonly changed: number }>,
  ): Promise<void> {
    await activity.attempt(async () => {
      const { before, changed } = await work();
      if (before.length > 0) this.#steps.add({ edits: before });
      activity.notify(() => m.batch_repaired({ count: changed }));
      await this.refresh();
    });
  }

  async #readAll(): Promise<readonly BatchRow[]> {
    const rows: BatchRow[] = [];
    for (;;) {
      const order = {
        id: this.id,
        filter: this.filter,
        offset: rows.length,
        limit: BATCH_ROWS_PER_READ,
      };
      const found = await api['batches.rows'](order);
      rows.push(...found.rows);
      if (rows.length >= found.total || found.rows.length === 0) return rows;
    }
  }
}

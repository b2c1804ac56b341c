import type {
  BatchCheck,
  BatchRow,
  CellEdit,
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

/** Rows asked for at once. */
const WINDOW = 1000;
/** Steps that can be taken back. */
const STEPS = 100;

/** The rows of one batch on the screen, and what a person does to them. */
export class BatchRows {
  filter = $state<RowFilter>('all');
  check = $state.raw<BatchCheck | null>(null);
  readonly list = new Loaded(() => this.#readAll());
  readonly rows: readonly BatchRow[] = $derived(this.list.value ?? []);
  /** What the cells were before each edit; with a paste these may be many. */
  readonly #steps = new Steps<readonly CellEdit[]>(STEPS);
  readonly canUndo = $derived(this.#steps.reach.undo > 0);
  readonly id: BatchId;
  /** Nobody waits for one edit to be written before the next: what is taken back is the last. */
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

  async show(filter: RowFilter): Promise<void> {
    this.filter = filter;
    await this.refresh();
  }

  /** Changes cells. */
  edit(edits: readonly CellEdit[]): Promise<void> {
    return this.#turns.run(async () => {
      const before = await this.#write(edits);
      if (before !== null) this.#steps.add(before);
    });
  }

  undo(): Promise<void> {
    return this.#turns.run(async () => {
      if (!(await this.#go('undo'))) activity.say(m.batch_undo_nothing);
    });
  }

  redo(): Promise<void> {
    return this.#turns.run(async () => {
      await this.#go('redo');
    });
  }

  /** The rows are others now: no step leads back to those before. */
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

  async exclude(rows: readonly number[], isExcluded: boolean): Promise<void> {
    await activity.attempt(async () => {
      this.#show(await api['batches.exclude']({ id: this.id, rows: [...rows], isExcluded }));
    });
  }

  async nextError(
    after: number,
  ): Promise<{ readonly row: number; readonly column: number } | null> {
    let found: { readonly row: number; readonly column: number } | null = null;
    await activity.attempt(async () => {
      found = await api['batches.nextError']({ id: this.id, after });
      if (found === null) activity.say(m.batch_no_errors);
    });
    return found;
  }

  /** Whether there was a step; one that cannot be written stays. */
  async #go(by: UndoWay): Promise<boolean> {
    const step = this.#steps.next(by);
    if (step === undefined) return false;
    const before = await this.#write(step);
    if (before !== null) this.#steps.took(by, step, before);
    return true;
  }

  /** The cells as they were; null when nothing was changed. */
  async #write(edits: readonly CellEdit[]): Promise<readonly CellEdit[] | null> {
    if (edits.length === 0) return null;
    let before: readonly CellEdit[] | null = null;
    await activity.attempt(async () => {
      const changed = await api['batches.edit']({ id: this.id, edits: [...edits] });
      before = changed.before;
      this.#show(changed);
    });
    return before;
  }

  /** Takes changed rows over; they stay in view, also when they no longer fit the filter. */
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
      if (before.length > 0) this.#steps.add(before);
      activity.say(() => m.batch_repaired({ count: changed }));
      await this.refresh();
    });
  }

  async #readAll(): Promise<readonly BatchRow[]> {
    const rows: BatchRow[] = [];
    for (;;) {
      const order = { id: this.id, filter: this.filter, offset: rows.length, limit: WINDOW };
      const found = await api['batches.rows'](order);
      rows.push(...found.rows);
      if (rows.length >= found.total || found.rows.length === 0) return rows;
    }
  }
}

import type { BatchId } from '../../../shared/model/ids.ts';
import { api } from '../../window/desk.ts';
import { activity } from '../../window/activity.svelte.ts';

type RowPreviewResult = Awaited<ReturnType<(typeof api)['batches.preview']>>;

/** Preview of one row as it would be sent; of several requests, only the last one is shown. */
export class RowPreviewing {
  preview = $state.raw<RowPreviewResult | null>(null);
  readonly #id: BatchId;
  #turn = 0;

  constructor(id: BatchId) {
    this.#id = id;
  }

  async show(row: number): Promise<void> {
    const turn = ++this.#turn;
    await activity.attempt(async () => {
      const preview = await api['batches.preview']({ id: this.#id, row });
      if (turn === this.#turn) this.preview = preview;
    });
  }
}

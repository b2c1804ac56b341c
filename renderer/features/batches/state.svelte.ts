import type { ListedBatch } from '../../../shared/contract/batches.ts';
import type { BatchId } from '../../../shared/model/ids.ts';
import { api, transferBytes, on } from '../../window/desk.ts';
import { activity } from '../../window/activity.svelte.ts';
import { connections } from '../connections/state.svelte.ts';
import { Loaded } from '../../window/loaded.svelte.ts';
import { firstChoice } from './first-choice.ts';

/** Minimum time between two reads of the list while rows are being sent (ms). */
const MIN_LIST_READ_INTERVAL_MS = 250;

class Batches {
  readonly list = new Loaded(() => api['batches.list']({}));
  readonly items: readonly ListedBatch[] = $derived(this.list.value ?? []);
  reading = $state(false);

  #calm: ReturnType<typeof setTimeout> | null = null;

  constructor() {
    on('batches.changed', () => void this.list.refresh());
    // The list contains the progress of batches; it is reloaded only if it was loaded before.
    on('outbox.changed', () => {
      if (this.list.value === null) return;
      this.#calm ??= setTimeout(() => {
        this.#calm = null;
        void this.list.refresh();
      }, MIN_LIST_READ_INTERVAL_MS);
    });
  }

  /** Creates a batch from a spreadsheet; null if the file cannot be used, which is announced. */
  async start(file: File): Promise<BatchId | null> {
    this.reading = true;
    let id: BatchId | null = null;
    await activity.attempt(async () => {
      const templates = await api['templates.list']({});
      const bytes = await transferBytes(new Uint8Array(await file.arrayBuffer()));
      const name = file.name.replace(/\.[^.]+$/, '') || file.name;
      const batch = await api['batches.create']({
        name,
        fileName: file.name,
        bytes,
        choices: {},
        ...firstChoice(templates, connections.all, connections.current),
      });
      id = batch.id;
    }, 'spreadsheet');
    this.reading = false;
    return id;
  }

  remove(id: BatchId): Promise<boolean> {
    return activity.attempt(() => api['batches.remove']({ id }));
  }
}

export const batches = new Batches();

import type { BoardDays, BoardChart } from '../../../shared/contract/board.ts';
import { api, on } from '../../window/desk.ts';
import { m } from '../../ui/language.svelte.ts';
import { activity } from '../../window/activity.svelte.ts';
import { Loaded } from '../../window/loaded.svelte.ts';
import { connections } from '../connections/state.svelte.ts';

class BoardState {
  days = $state<BoardDays>(30);
  readonly read = new Loaded(() => api['board.read']({ ...connections.scope, days: this.days }));
  /** The plot to be saved; it is kept while the dialog closes. */
  saved = $state.raw<BoardChart | null>(null);
  asksSave = $state(false);
  #isOpen = false;

  constructor() {
    const renew = (): void => {
      if (this.#isOpen) void this.read.renew();
    };
    on('agreements.changed', renew);
    on('outbox.changed', renew);
    on('archive.changed', renew);
  }

  /** Reloads on every change until the returned function is called. */
  open(): () => void {
    this.#isOpen = true;
    return () => (this.#isOpen = false);
  }

  look(days: BoardDays): void {
    this.days = days;
    void this.read.refresh();
  }

  ask(plot: BoardChart): void {
    this.saved = plot;
    this.asksSave = true;
  }

  async save(form: 'csv' | 'svg', file: string): Promise<void> {
    const plot = this.saved;
    if (plot === null) return;
    await activity.attempt(async () => {
      const saved = await api['board.save']({ file, form, plots: [plot] });
      activity.notify(() => m.file_saved_as({ file: saved.file }));
    });
  }
}

export const board = new BoardState();

import {
  ReadingId,
  type RecoveryResult,
  type RescueReport,
  type UpgradeCopy,
} from '../../../shared/contract/backup.ts';
import type { EventData } from '../../../shared/contract/index.ts';
import type { Failure } from '../../../shared/errors.ts';
import { access } from '../../window/access.svelte.ts';
import { api, failureOf, on } from '../../window/desk.ts';
import { settings } from '../../window/settings.svelte.ts';
import { connections } from '../connections/state.svelte.ts';

type RescueStep = 'ask' | 'report' | 'done';

class DataRescue {
  isOpen = $state(false);
  step = $state<RescueStep>('ask');
  failure = $state.raw<Failure | null>(null);
  progress = $state.raw<EventData<'backup.reading'> | null>(null);
  copies = $state.raw<readonly UpgradeCopy[]>([]);
  /** Copy from which data is read; null for the data file itself. */
  copy = $state<string | null>(null);
  report = $state.raw<RescueReport | null>(null);
  isHere = $state(true);
  into = $state('');
  recovered = $state.raw<RecoveryResult | null>(null);
  /** Whether the window already shows this data, so that it must be reloaded after the rescue. */
  #wasOpen = false;

  constructor() {
    on('backup.reading', (now) => {
      if (now.reading === this.progress?.reading) this.progress = now;
    });
  }

  async begin(): Promise<void> {
    this.#forget();
    this.#wasOpen = access.state.value?.open ?? false;
    this.isOpen = true;
    try {
      this.copies = await api['backup.copies']({});
    } catch (error) {
      this.failure = failureOf(error);
    }
  }

  close(): void {
    this.stop();
    const isStale = this.#wasOpen && this.recovered?.setAside !== null && this.recovered !== null;
    this.#forget();
    this.isOpen = false;
    if (isStale) window.location.reload();
  }

  async examine(): Promise<void> {
    const { copy } = this;
    const report = await this.#reading((reading) => api['backup.examine']({ reading, copy }));
    if (report === null || !this.isOpen) return;
    this.report = report;
    this.step = 'report';
  }

  async recover(): Promise<void> {
    const { copy, isHere, into } = this;
    const folder = isHere ? null : into.trim();
    const recovered = await this.#reading((reading) =>
      api['backup.recover']({ reading, copy, folder }),
    );
    if (recovered === null) return;
    if (isHere) await Promise.all([settings.stored.refresh(), connections.list.refresh()]);
    this.recovered = recovered;
    this.step = 'done';
  }

  back(): void {
    this.failure = null;
    this.step = 'ask';
  }

  /** Cancels the running read; its partial results are removed. */
  stop(): void {
    const { progress } = this;
    if (progress !== null) void api['backup.stopReading']({ reading: progress.reading });
  }

  /** Runs a read. Returns null after a failure, which is shown, and after a cancellation. */
  async #reading<Result>(work: (reading: ReadingId) => Promise<Result>): Promise<Result | null> {
    if (this.progress !== null) return null;
    const reading = ReadingId.parse(crypto.randomUUID());
    this.failure = null;
    this.progress = { reading, step: 'salvaging', done: 0, total: null };
    try {
      return await work(reading);
    } catch (error) {
      const failure = failureOf(error);
      this.failure = failure.code === 'cancelled' ? null : failure;
      return null;
    } finally {
      this.progress = null;
    }
  }

  #forget(): void {
    this.step = 'ask';
    this.failure = null;
    this.copies = [];
    this.copy = null;
    this.report = null;
    this.isHere = true;
    this.into = '';
    this.recovered = null;
  }
}

export const rescuing = new DataRescue();

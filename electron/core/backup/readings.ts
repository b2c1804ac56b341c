import type { ReadingId } from '../../../shared/contract/backup.ts';
import type { Emit, EventData } from '../../../shared/contract/index.ts';
import { AppError } from '../../../shared/errors.ts';

type Progress = Omit<EventData<'backup.reading'>, 'reading'>;

export interface BackupReadContext {
  readonly signal: AbortSignal;
  readonly report: (progress: Progress) => void;
}

/**
 * Backup reads in progress. They are not jobs: jobs belong to open data, but a backup can be read
 * without any.
 */
export class BackupReadings {
  readonly #emit: Emit;
  readonly #stops = new Map<ReadingId, AbortController>();
  readonly #ends = new Set<Promise<unknown>>();

  constructor(emit: Emit) {
    this.#emit = emit;
  }

  /** Runs one read. Throws 'cancelled' if the read was stopped. */
  async run<Result>(
    reading: ReadingId,
    work: (turn: BackupReadContext) => Promise<Result>,
  ): Promise<Result> {
    const control = new AbortController();
    const { signal } = control;
    this.#stops.set(reading, control);
    const report = (progress: Progress): void => {
      if (!signal.aborted) this.#emit('backup.reading', { reading, ...progress });
    };
    const working = work({ signal, report });
    this.#ends.add(working);
    try {
      return await working;
    } catch (error) {
      if (signal.aborted) throw new AppError('cancelled', 'Stopped by you', { cause: error });
      throw error;
    } finally {
      this.#stops.delete(reading);
      this.#ends.delete(working);
    }
  }

  stop(reading: ReadingId): void {
    this.#stops.get(reading)?.abort();
  }

  /** Stops all reads; resolves after each read has removed its files. */
  async stopAll(): Promise<void> {
    for (const control of this.#stops.values()) control.abort();
    await Promise.allSettled(this.#ends);
  }
}

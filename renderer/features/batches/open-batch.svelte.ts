import type {
  Batch,
  BatchMapping,
  BatchProgress,
  BatchSchedule,
  ColumnMatch,
} from '../../../shared/contract/batches.ts';
import type { BatchId, ConnectionId, TemplateId } from '../../../shared/model/ids.ts';
import type { SheetChoices } from '../../../shared/contract/sheets.ts';
import { defaultSettings } from '../../../shared/contract/settings.ts';
import { AppError } from '../../../shared/errors.ts';
import { mappingFrom } from '../../../shared/rules/batches/mapping-file.ts';
import { api, failureOf, on } from '../../window/desk.ts';
import { m } from '../../ui/language.svelte.ts';
import { saveBytes } from '../../window/save-bytes.ts';
import { activity, type Cause } from '../../window/activity.svelte.ts';
import { correctionName } from './words.ts';
import { BatchRows } from './check/rows.svelte.ts';
import { jobs } from '../../window/jobs.svelte.ts';
import { Loaded } from '../../window/loaded.svelte.ts';
import { settings } from '../../window/settings.svelte.ts';

export class OpenBatch {
  readonly id: BatchId;
  readonly loaded: Loaded<Batch>;
  readonly templates = new Loaded(() => api['templates.list']({}));
  readonly progress: Loaded<BatchProgress>;
  readonly rows: BatchRows;
  arming = $state(false);
  readonly #stops: readonly (() => void)[];

  constructor(id: BatchId) {
    this.id = id;
    this.loaded = new Loaded(() => api['batches.show']({ id }));
    this.progress = new Loaded(() => api['batches.progress']({ id }));
    this.rows = new BatchRows(id);
    this.#stops = [
      on('batches.changed', (changed) => {
        if (changed.id === id) void this.refresh();
      }),
      on('outbox.changed', () => void this.#afterSends()),
    ];
  }

  // These are getters instead of `$derived`: work in flight reads them after the user left the
  // screen.
  get batch(): Batch | null {
    return this.loaded.value;
  }

  get isWhole(): boolean {
    return (this.batch?.mapping ?? null) !== null;
  }

  close(): void {
    for (const stop of this.#stops) stop();
  }

  async refresh(): Promise<void> {
    await this.loaded.refresh();
    await this.#refreshProgress();
  }

  /** Number of rows changed by hand; null if unknown. */
  async byHand(): Promise<number | null> {
    let rows: number | null = null;
    await activity.attempt(async () => {
      ({ rows } = await api['batches.byHand']({ id: this.id }));
    });
    return rows;
  }

  /**
   * Reads the file again with other choices; the user's changes of rows are lost. `lost` is the
   * number of these rows. Returns whether the file could be read so.
   */
  reread(choices: SheetChoices, lost: number): Promise<boolean> {
    return this.#change(async () => {
      const read = await api['batches.reread']({ id: this.id, choices });
      this.rows.forgetSteps();
      if (lost === 0) activity.notify(m.batch_file_read_again);
      else activity.warn(() => m.batch_file_edits_lost({ count: lost }));
      return read;
    }, 'spreadsheet');
  }

  setTemplate(templateId: TemplateId): Promise<boolean> {
    return this.#change(() => api['batches.setTemplate']({ id: this.id, templateId }));
  }

  setConnection(connectionId: ConnectionId): Promise<boolean> {
    return this.#change(() => api['batches.setConnection']({ id: this.id, connectionId }));
  }

  setMatches(matches: readonly ColumnMatch[]): Promise<boolean> {
    return this.#change(() => api['batches.setMatches']({ id: this.id, matches: [...matches] }));
  }

  setMapping(mapping: BatchMapping): Promise<boolean> {
    return this.#change(() => api['batches.setMapping']({ id: this.id, mapping }));
  }

  setSchedule(schedule: BatchSchedule): Promise<boolean> {
    const policy = this.batch?.policy ?? 'ask';
    return this.#change(() => api['batches.setSchedule']({ id: this.id, schedule, policy }));
  }

  /** Imports a saved mapping, from this or another computer. */
  async importMapping(file: File): Promise<void> {
    const api = this.batch?.mapping?.api ?? 'v1';
    await activity.attempt(async () => {
      const read: unknown = JSON.parse(await file.text());
      const mapping = mappingFrom(read, api);
      if (mapping === null) {
        throw new AppError('invalid', 'No mapping', { reason: 'mapping-form' });
      }
      await this.setMapping(mapping);
    });
  }

  async exportMapping(): Promise<void> {
    await activity.attempt(async () =>
      saveBytes(await api['batches.exportMapping']({ id: this.id })),
    );
  }

  async saveSample(): Promise<void> {
    const templateId = this.batch?.templateId ?? null;
    if (templateId === null) return;
    await activity.attempt(async () => saveBytes(await api['batches.sample']({ templateId })));
  }

  async saveReport(as: 'csv' | 'xlsx', only: 'all' | 'errors'): Promise<void> {
    const order = { id: this.id, as, only };
    await activity.attempt(async () => saveBytes(await api['batches.report'](order)));
  }

  /** Sends the batch. Returns whether all its rows are in the outbox now. */
  async send(confirm: number): Promise<boolean> {
    const revision = this.batch?.revision ?? 0;
    this.arming = true;
    try {
      const holdSeconds = settings.stored.value?.holdSeconds ?? defaultSettings.holdSeconds;
      const order = { id: this.id, confirm, revision, holdSeconds };
      const { jobId } = await api['batches.send'](order);
      const job = await jobs.outcome(jobId);
      if (job.failure !== null) activity.fail(job.failure);
      await this.refresh();
      return job.state === 'done';
    } catch (error) {
      activity.fail(failureOf(error));
      await this.rows.recheck();
      return false;
    } finally {
      this.arming = false;
    }
  }

  pause = (): Promise<void> => this.#run(() => api['batches.pause']({ id: this.id }));
  resume = (): Promise<void> => this.#run(() => api['batches.resume']({ id: this.id }));
  sendNow = (): Promise<void> => this.#run(() => api['batches.sendNow']({ id: this.id }));
  stop = (): Promise<void> => this.#run(() => api['batches.stop']({ id: this.id }));

  /**
   * Cancels the rows that were not sent. Returns the batch in which they can be edited; null if all
   * were sent.
   */
  async undo(): Promise<BatchId | null> {
    let id: BatchId | null = null;
    await activity.attempt(async () => {
      id = (await api['batches.undo']({ id: this.id })).id;
      activity.notify(m.batch_undone);
    });
    await this.progress.refresh();
    return id;
  }

  /** Creates a new batch of the rows that the service refused; null if it cannot be created. */
  async refusedRows(): Promise<BatchId | null> {
    let id: BatchId | null = null;
    await activity.attempt(async () => {
      const names = (await api['batches.list']({})).map((one) => one.name);
      const name = correctionName(this.batch?.name ?? '', names);
      id = (await api['batches.refusedRows']({ id: this.id, name })).id;
    });
    return id;
  }

  async #run(work: () => Promise<BatchProgress>): Promise<void> {
    await activity.attempt(work);
    await this.progress.refresh();
  }

  /** A send may change which rows of an open batch were sent before. */
  async #afterSends(): Promise<void> {
    if (this.batch?.stage === 'open') await this.rows.recheck();
    else await this.#refreshProgress();
  }

  async #refreshProgress(): Promise<void> {
    if (this.batch?.stage === 'armed') await this.progress.refresh();
  }

  #change(work: () => Promise<Batch>, cause: Cause | null = null): Promise<boolean> {
    return activity.attempt(async () => {
      this.loaded.value = await work();
    }, cause);
  }
}

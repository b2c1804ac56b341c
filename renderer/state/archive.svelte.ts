import { SvelteSet } from 'svelte/reactivity';
import { type ArchiveItem, ArchiveResult, ArchiveVerdict } from '../../shared/contract/archive.ts';
import type { AgreementKey, JobId } from '../../shared/contract/ids.ts';
import { api, on } from '../desk.ts';
import { sentenceFor } from '../failure-text.ts';
import { activity } from './activity.svelte.ts';
import { connections } from './connections.svelte.ts';
import { host } from './host.svelte.ts';
import { jobs } from './jobs.svelte.ts';
import { Loaded } from './loaded.svelte.ts';
import { settings } from './settings.svelte.ts';

/** The service deletes these for good soon; as long as the core counts. */
const ENDANGERED_MS = 14 * 86_400_000;

export const keyOf = (item: AgreementKey): string => `${item.connectionId}/${item.id}`;

/** Which signed agreements lie in the folder, and bringing in the rest. */
class Archive {
  readonly list = new Loaded(() => api['archive.list'](connections.scope));
  readonly names = new Loaded(() =>
    api['archive.preview']({ pattern: settings.stored.value?.archivePattern ?? '' }),
  );
  show = $state<ArchiveItem['state']>('not-archived');
  active = $state<string | null>(null);
  running = $state(false);
  result = $state.raw<ArchiveResult | null>(null);
  verdict = $state.raw<ArchiveVerdict | null>(null);
  /** Instead of the agreements. */
  showsRules = $state(false);
  /** Of this screen; those that failed stay marked. */
  readonly marked = new SvelteSet<string>();
  #jobId = $state<JobId | null>(null);
  readonly job = $derived(jobs.running.find(({ id }) => id === this.#jobId) ?? null);

  readonly counts = $derived(this.list.value?.counts ?? null);
  readonly items: readonly ArchiveItem[] = $derived(
    (this.list.value?.items ?? []).filter((item) => item.state === this.show),
  );
  readonly current = $derived(this.items.find((item) => keyOf(item) === this.active) ?? null);
  /** A folder as it is being typed; a run may begin before the field is left. */
  typed = $state<string | null>(null);
  /** Where the PDFs go: the folder chosen, or the one the person is sure to find. */
  readonly folder: string | null = $derived(
    this.typed?.trim() ||
      (settings.stored.value?.archiveFolder ?? host.value?.documentsFolder ?? null),
  );

  constructor() {
    const reload = (): void => void this.list.refresh();
    on('agreements.changed', reload);
    on('settings.changed', () => void this.names.refresh());
  }

  mark(key: string): void {
    if (!this.marked.delete(key)) this.marked.add(key);
  }

  /** The marked ones of those shown, or all when none is. */
  readonly chosen: readonly ArchiveItem[] = $derived(
    this.items.filter((item) => this.marked.has(keyOf(item))),
  );

  /** Saves what is not in the folder yet: all, or these only. A second run downloads nothing. */
  async run(only?: readonly ArchiveItem[]): Promise<void> {
    this.result = null;
    await this.#inFolder(async (folder) => {
      const keys = only?.map(({ connectionId, id }) => ({ connectionId, id }));
      const { jobId } = await api['archive.run']({
        folder,
        ...(keys === undefined ? connections.scope : { only: keys }),
      });
      const job = await this.#follow(jobId);
      if (job.result === null) return;
      this.result = ArchiveResult.parse(job.result);
      this.marked.clear();
      for (const item of this.result.failed) this.marked.add(keyOf(item));
    });
    await this.list.refresh();
  }

  /** Those not archived that the service deletes within days. */
  async runEndangered(): Promise<void> {
    const until = Date.now() + ENDANGERED_MS;
    const items = this.list.value?.items ?? [];
    await this.run(
      items.filter(
        ({ state, deletesAt }) =>
          state === 'not-archived' && deletesAt !== null && deletesAt <= until,
      ),
    );
  }

  /** Reads every file again. */
  async verify(): Promise<void> {
    this.verdict = null;
    await this.#inFolder(async (folder) => {
      const { jobId } = await api['archive.verify']({ folder });
      const job = await this.#follow(jobId);
      if (job.result !== null) this.verdict = ArchiveVerdict.parse(job.result);
    });
  }

  async stop(): Promise<void> {
    if (this.#jobId !== null) await jobs.stop(this.#jobId);
  }

  async #inFolder(work: (folder: string) => Promise<void>): Promise<void> {
    const { folder } = this;
    if (folder === null) return;
    this.running = true;
    await this.keepFolder();
    await activity.attempt(() => work(folder));
    this.running = false;
    this.#jobId = null;
  }

  async #follow(jobId: JobId) {
    this.#jobId = jobId;
    const job = await jobs.outcome(jobId);
    if (job.failure !== null) activity.say(sentenceFor(job.failure));
    return job;
  }

  /** Stores what was typed; an empty field goes back to the usual folder. */
  async keepFolder(): Promise<void> {
    if (this.typed === null) return;
    await settings.write({ archiveFolder: this.typed.trim() || null });
    this.typed = null;
  }

  async openFolder(path: string): Promise<void> {
    await activity.attempt(() => api['host.openPath']({ path }));
  }
}

export const archive = new Archive();

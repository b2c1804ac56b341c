import { type ArchiveItem, ArchiveResult } from '../../shared/contract/archive.ts';
import { api, on } from '../desk.ts';
import { sentenceFor } from '../failure-text.ts';
import { activity } from './activity.svelte.ts';
import { connections } from './connections.svelte.ts';
import { host } from './host.svelte.ts';
import { jobs } from './jobs.svelte.ts';
import { Loaded } from './loaded.svelte.ts';
import { settings } from './settings.svelte.ts';

export const keyOf = (item: ArchiveItem): string => `${item.connectionId}/${item.id}`;

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

  /** Saves every signed agreement that is not in the folder yet. A second run downloads nothing. */
  async run(): Promise<void> {
    const { folder } = this;
    if (folder === null) return;
    this.running = true;
    this.result = null;
    await this.keepFolder();
    await activity.attempt(async () => {
      const { jobId } = await api['archive.run']({ folder, ...connections.scope });
      const job = await jobs.outcome(jobId);
      if (job.result !== null) this.result = ArchiveResult.parse(job.result);
      if (job.failure !== null) activity.say(sentenceFor(job.failure));
    });
    this.running = false;
    await this.list.refresh();
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

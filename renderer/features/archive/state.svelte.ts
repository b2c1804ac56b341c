import { SvelteSet } from 'svelte/reactivity';
import {
  type ArchiveItem,
  ArchiveResult,
  ArchiveVerification,
  BagResult,
} from '../../../shared/contract/archive.ts';
import type { AgreementKey, JobId } from '../../../shared/model/ids.ts';
import { api, on } from '../../window/desk.ts';
import { activity, type Words } from '../../window/activity.svelte.ts';
import { connections } from '../connections/state.svelte.ts';
import { host } from '../../window/host.svelte.ts';
import { jobs } from '../../window/jobs.svelte.ts';
import { Loaded } from '../../window/loaded.svelte.ts';
import { m } from '../../ui/language.svelte.ts';
import { go, router } from '../../window/router.svelte.ts';
import { settings } from '../../window/settings.svelte.ts';
import { bagText, runText, verdictText } from './words.ts';
import { DAY } from '../../../shared/rules/time/units.ts';
import { relativeTo } from '../../../shared/rules/files/relative-to.ts';

/**
 * Time before its permanent deletion by the service (ms) from which an agreement counts as
 * endangered; the core uses the same value.
 */
export const DELETION_WARNING_MS = 14 * DAY;

/** Whether the file is missing or changed, so that it can be downloaded again. */
export const isLost = ({ finding }: ArchiveItem): boolean =>
  finding === 'missing' || finding === 'changed';

/**
 * Whether the item's file is in the folder; the name of another folder may start with the same
 * text.
 */
const isIn = (folder: string, { file }: ArchiveItem): boolean =>
  file !== null && relativeTo(folder, file) !== null;

export const keyOf = (item: AgreementKey): string => `${item.connectionId}/${item.id}`;

interface ArchiveFilter {
  /** Words of the title or a party, in upper or lower case. */
  readonly words: string;
  /** `key`, or `key=value`. */
  readonly tag: string;
  /** Range of the closing time (epoch ms): `from` is included, `to` is excluded. */
  readonly from: number | undefined;
  readonly to: number | undefined;
}

function matchesArchiveFilter(item: ArchiveItem, { words, from, to }: ArchiveFilter): boolean {
  const { title, parties, closedAt } = item;
  if ((from !== undefined || to !== undefined) && closedAt === null) return false;
  if (closedAt !== null && (closedAt < (from ?? -Infinity) || closedAt >= (to ?? Infinity))) {
    return false;
  }
  const text = [title, ...(parties ?? [])].join(' ').toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

class Archive {
  /** Filters the shown list, not what is archived. */
  filter = $state<ArchiveFilter>({ words: '', tag: '', from: undefined, to: undefined });
  readonly list = new Loaded(() => {
    const tag = this.filter.tag.trim();
    return api['archive.list']({ ...connections.scope, ...(tag !== '' && { tag }) });
  });
  readonly names = new Loaded(() =>
    api['archive.preview']({ pattern: settings.stored.value?.archivePattern ?? '' }),
  );
  show = $state<ArchiveItem['state']>('not-archived');
  active = $state<string | null>(null);
  running = $state(false);
  result = $state.raw<ArchiveResult | null>(null);
  verdict = $state.raw<ArchiveVerification | null>(null);
  bag = $state.raw<BagResult | null>(null);
  showsRules = $state(false);
  /** Selection of this screen; agreements that failed in a completed run stay selected. */
  readonly marked = new SvelteSet<string>();
  #jobId = $state<JobId | null>(null);
  #isShown = false;
  readonly job = $derived(jobs.running.find(({ id }) => id === this.#jobId) ?? null);

  readonly counts = $derived(this.list.value?.counts ?? null);
  readonly items: readonly ArchiveItem[] = $derived(
    (this.list.value?.items ?? []).filter(
      (item) => item.state === this.show && matchesArchiveFilter(item, this.filter),
    ),
  );
  readonly isNarrowed = $derived(
    this.items.length <
      (this.counts === null
        ? 0
        : {
            'not-archived': this.counts.notArchived,
            archived: this.counts.archived,
            'deleted-on-service': this.counts.deleted,
          }[this.show]),
  );
  readonly current = $derived(this.items.find((item) => keyOf(item) === this.active) ?? null);
  /** Folder path that is being typed; a run may start before the user leaves the field. */
  typed = $state<string | null>(null);
  /** Folder for the PDFs: the chosen one, otherwise the user's documents folder. */
  readonly folder: string | null = $derived(
    this.typed?.trim() ||
      (settings.stored.value?.archiveFolder ?? host.value?.documentsFolder ?? null),
  );

  /** Whether the user chose the folder, or it contains saved files. */
  readonly isOurs = $derived.by(() => {
    const { folder } = this;
    if (folder === null) return false;
    if (settings.stored.value?.archiveFolder === folder) return true;
    return (this.list.value?.items ?? []).some((item) => isIn(folder, item));
  });

  constructor() {
    const reload = (): void => {
      if (this.#isShown) void this.list.renew();
    };
    on('agreements.changed', reload);
    on('archive.changed', reload);
    on('settings.changed', () => void this.names.refresh());
  }

  /**
   * Shows the list, which is long, and reloads it on changes until the returned function is called.
   */
  open(): () => void {
    this.#isShown = true;
    void this.names.refresh();
    return () => (this.#isShown = false);
  }

  mark(key: string): void {
    if (!this.marked.delete(key)) this.marked.add(key);
  }

  markAll(): void {
    for (const item of this.items) this.marked.add(keyOf(item));
  }

  /** Lost files of the folder that can be downloaded again. */
  readonly lost: readonly ArchiveItem[] = $derived.by(() => {
    const { folder } = this;
    if (folder === null) return [];
    const items = this.list.value?.items ?? [];
    return items.filter((item) => isLost(item) && isIn(folder, item));
  });

  /** Reason why nothing can be downloaded now; null if it can. */
  readonly busyReason: string | null = $derived.by(() => {
    if (this.running) return m.archive_why_running();
    return this.folder === null ? m.archive_why_no_folder() : null;
  });

  readonly chosen: readonly ArchiveItem[] = $derived(
    this.items.filter((item) => this.marked.has(keyOf(item))),
  );

  /**
   * Saves the agreements that are not in the folder yet, or only those of `only`. A second run
   * downloads nothing.
   */
  async run(only?: readonly ArchiveItem[]): Promise<void> {
    await this.#inFolder(async (folder) => {
      const keys = only?.map(({ connectionId, id }) => ({ connectionId, id }));
      const { jobId } = await api['archive.run']({
        folder,
        ...(keys === undefined ? connections.scope : { only: keys }),
      });
      const job = await this.#follow(jobId);
      if (job.result === null) return;
      const result = ArchiveResult.parse(job.result);
      this.result = result;
      this.marked.clear();
      // After a cancelled run, nothing is selected: it did not try all agreements.
      if (job.state === 'done') for (const item of result.failed) this.marked.add(keyOf(item));
      notifyIfElsewhere(() => runText(result), result.failed.length === 0);
    });
    await this.list.refresh();
  }

  /** Saves the agreements that the service deletes soon. */
  async runEndangered(): Promise<void> {
    const until = Date.now() + DELETION_WARNING_MS;
    const items = this.list.value?.items ?? [];
    await this.run(
      items.filter(
        ({ state, deletesAt }) =>
          state === 'not-archived' && deletesAt !== null && deletesAt <= until,
      ),
    );
  }

  async verify(): Promise<void> {
    await this.#inFolder(async (folder) => {
      const { jobId } = await api['archive.verify']({ folder });
      const job = await this.#follow(jobId);
      if (job.result === null) return;
      const verdict = ArchiveVerification.parse(job.result);
      this.verdict = verdict;
      notifyIfElsewhere(() => verdictText(verdict), isWhole(verdict));
    });
    await this.list.refresh();
  }

  /** Copies the archive into a new folder as a bag (BagIt) for a long-term archive. */
  async makeBag(to: string): Promise<void> {
    await this.#inFolder(async (folder) => {
      const { jobId } = await api['archive.bag']({ folder, to });
      const job = await this.#follow(jobId);
      if (job.result === null) return;
      const bag = BagResult.parse(job.result);
      this.bag = bag;
      notifyIfElsewhere(() => bagText(bag), bag.leftOut.length === 0);
    });
  }

  async stop(): Promise<void> {
    if (this.#jobId !== null) await jobs.stop(this.#jobId);
  }

  async #inFolder(work: (folder: string) => Promise<void>): Promise<void> {
    const { folder } = this;
    if (folder === null) return;
    this.running = true;
    // Results of earlier work are outdated.
    this.result = this.verdict = this.bag = null;
    await this.keepFolder();
    await activity.attempt(() => work(folder));
    this.running = false;
    this.#jobId = null;
  }

  async #follow(jobId: JobId) {
    this.#jobId = jobId;
    const job = await jobs.outcome(jobId);
    if (job.failure !== null) activity.fail(job.failure);
    return job;
  }

  /** Stores the typed folder; an empty field restores the default folder. */
  async keepFolder(): Promise<void> {
    const { typed } = this;
    if (typed === null) return;
    const isStored = await settings.write({ archiveFolder: typed.trim() || null });
    if (isStored && this.typed === typed) this.typed = null;
  }

  /** Passes the drag of the file to the host, which continues it outside the window. */
  dragOut(key: string): void {
    const file = this.items.find((item) => keyOf(item) === key)?.file ?? null;
    if (file !== null) void activity.attempt(() => api['host.dragFile']({ path: file }));
  }

  async openFolder(path: string): Promise<void> {
    await activity.attempt(() => api['host.openPath']({ path }));
  }
}

const isWhole = ({ ok, files, unknown, lists }: ArchiveVerification): boolean =>
  ok === files && unknown.length + lists.length === 0;

/** Announces the result, except on the archive's screen, which shows it in detail. */
function notifyIfElsewhere(words: Words, isWhole: boolean): void {
  if (router.screen === 'archive') return;
  const show = { label: m.activity_show, run: () => go('archive') };
  if (isWhole) activity.notify(words, show);
  else activity.warn(words, show);
}

export const archive = new Archive();

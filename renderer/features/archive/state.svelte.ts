import { SvelteSet } from 'svelte/reactivity';
import {
  type ArchiveItem,
  ArchiveResult,
  ArchiveVerification,
  BagResult,
} from '../../../shared/contract/archive.ts';
import type { Api } from '../../../shared/contract/index.ts';
import type { Job } from '../../../shared/contract/jobs.ts';
import type { Failure } from '../../../shared/errors.ts';
import type { JobId } from '../../../shared/model/ids.ts';
import { api, failureOf, on } from '../../window/desk.ts';
import { activity, type Words } from '../../window/activity.svelte.ts';
import { connections } from '../connections/state.svelte.ts';
import { host } from '../../window/host.svelte.ts';
import { jobs } from '../../window/jobs.svelte.ts';
import { Loaded } from '../../window/loaded.svelte.ts';
import { m } from '../../ui/language.svelte.ts';
import { go, router } from '../../window/router.svelte.ts';
import { settings } from '../../window/settings.svelte.ts';
import {
  type ArchiveFilter,
  type ArchiveShow,
  emptyFilter,
  groupByFolder,
  isEndangered,
  isFetchable,
  isIn,
  isSelectable,
  isShown,
  keyOf,
  matchesArchiveFilter,
  mergeResults,
} from './items.ts';
import { bagText, runText, verdictText } from './words.ts';

type RunOrder = Parameters<Api['archive.run']>[0];

interface FolderFailure {
  readonly folder: string;
  readonly failure: Failure;
  /** Run that failed; absent for other work. */
  readonly order?: RunOrder;
}

/** Reasons of failed exports that are about the new folder, not about the archive. */
const TARGET_REASONS: ReadonlySet<string> = new Set(['folder-not-empty', 'bag-inside']);

type ArchiveCause = 'archive.bag' | 'archive.run' | 'archive.verify';

class Archive {
  /** Filters the shown list, not what is archived. */
  filter = $state<ArchiveFilter>(emptyFilter);
  readonly list = new Loaded(() => {
    const { folder } = this;
    return api['archive.list']({ ...connections.scope, ...(folder !== null && { folder }) });
  });
  /** Agreements with the tag of the filter; null if the filter has none. */
  readonly tagged = new Loaded(async () => {
    const tag = this.filter.tag.trim();
    if (tag === '') return null;
    const { items } = await api['archive.list']({ ...connections.scope, tag });
    return new Set(items.map(keyOf));
  });
  readonly names = new Loaded(() =>
    api['archive.preview']({ pattern: settings.stored.value?.archivePattern ?? '' }),
  );
  show = $state<ArchiveShow>('all');
  active = $state<string | null>(null);
  running = $state(false);
  result = $state.raw<ArchiveResult | null>(null);
  /** Results of the last verification: one for each folder. */
  verdicts = $state.raw<readonly ArchiveVerification[]>([]);
  bag = $state.raw<BagResult | null>(null);
  /** Failures of the last work, with their folders; the activity bar announced them. */
  failures = $state.raw<readonly FolderFailure[]>([]);
  /** Selection of this screen; agreements that failed in a completed run stay selected. */
  readonly marked = new SvelteSet<string>();
  #jobId = $state<JobId | null>(null);
  /** The running work, or the last one. */
  #cause: ArchiveCause = 'archive.run';
  #isShown = false;
  readonly job = $derived(jobs.running.find(({ id }) => id === this.#jobId) ?? null);

  readonly counts = $derived(this.list.value?.counts ?? null);
  /** Items that the chosen chip shows. */
  readonly #shown: readonly ArchiveItem[] = $derived(
    (this.list.value?.items ?? []).filter((item) => isShown(item, this.show, Date.now())),
  );
  readonly items: readonly ArchiveItem[] = $derived(
    this.#shown.filter(
      (item) =>
        matchesArchiveFilter(item, this.filter) && (this.tagged.value?.has(keyOf(item)) ?? true),
    ),
  );
  readonly isNarrowed = $derived(this.items.length < this.#shown.length);
  readonly current = $derived(this.items.find((item) => keyOf(item) === this.active) ?? null);
  /** Folder for the PDFs: the chosen one, otherwise the user's documents folder. */
  readonly folder: string | null = $derived(
    settings.stored.value?.archiveFolder ?? host.value?.documentsFolder ?? null,
  );

  /** Archived agreements whose PDFs are only in other folders. */
  readonly elsewhere: readonly ArchiveItem[] = $derived(
    (this.list.value?.items ?? []).filter(({ isElsewhere }) => isElsewhere),
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
      if (this.#isShown) void this.renew();
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

  async refresh(): Promise<void> {
    await Promise.all([this.list.refresh(), this.tagged.refresh()]);
  }

  async renew(): Promise<void> {
    await Promise.all([this.list.renew(), this.tagged.renew()]);
  }

  mark(key: string): void {
    const item = this.items.find((one) => keyOf(one) === key);
    if (item === undefined || !isSelectable(item)) return;
    if (!this.marked.delete(key)) this.marked.add(key);
  }

  markAll(): void {
    for (const item of this.items.filter(isSelectable)) this.marked.add(keyOf(item));
  }

  /** Shows every changed and missing file, without other filters. */
  showProblems(): void {
    this.show = 'problems';
    this.filter = emptyFilter;
    void this.tagged.refresh();
  }

  /** Changed and missing files that the service or an intact copy can still deliver. */
  readonly fetchable: readonly ArchiveItem[] = $derived(
    (this.list.value?.items ?? []).filter(isFetchable),
  );

  /** Reason why nothing can be downloaded now; null if it can. */
  readonly busyReason: string | null = $derived.by(() => {
    if (this.running) return m.archive_why_running();
    return this.folder === null ? m.archive_why_no_folder() : null;
  });

  readonly chosen: readonly ArchiveItem[] = $derived(
    this.items.filter((item) => this.marked.has(keyOf(item)) && isSelectable(item)),
  );

  /** Saves each agreement that is not archived, and downloads each lost file again. */
  async runAll(): Promise<void> {
    const isWaiting = (this.counts?.notArchived ?? 0) > 0;
    await this.#run((folder) => {
      const lost = groupByFolder(this.fetchable, folder);
      if (!isWaiting) return ordersOf(lost);
      // The run over the whole folder also downloads the folder's own lost files.
      const elsewhere = new Map([...lost].filter(([place]) => place !== folder));
      return [{ folder, ...connections.scope }, ...ordersOf(elsewhere)];
    });
  }

  /** Saves these agreements; a file that was archived is saved in its own folder. */
  async run(only: readonly ArchiveItem[]): Promise<void> {
    await this.#run((folder) => ordersOf(groupByFolder(only, folder)));
  }

  /** Saves in the present folder each agreement whose PDF is only in other folders. */
  async saveHere(): Promise<void> {
    const only = this.elsewhere.map(({ connectionId, id }) => ({ connectionId, id }));
    if (only.length > 0) await this.#run((folder) => [{ folder, only }]);
  }

  async #run(plan: (folder: string) => readonly RunOrder[]): Promise<void> {
    await this.#work('archive.run', async (folder) => {
      const results: ArchiveResult[] = [];
      let isComplete = true;
      for (const order of plan(folder)) {
        const job = await this.#complete(order.folder, () => api['archive.run'](order));
        isComplete &&= job?.state === 'done';
        if (job === null) continue;
        if (job.failure !== null) this.#report(job.failure, order.folder, order);
        if (job.result !== null) results.push(ArchiveResult.parse(job.result));
        if (job.state === 'cancelled') break;
      }
      const [first, ...others] = results;
      if (first === undefined) return;
      const result = mergeResults(first, others);
      this.result = result;
      this.marked.clear();
      // After a cancelled run, nothing is selected: it did not try all agreements.
      if (isComplete) for (const item of result.failed) this.marked.add(keyOf(item));
      this.#announce(() => runText(result), result.failed.length === 0);
    });
    await this.refresh();
  }

  /** Runs that were refused because their folder had an archive and is now empty. */
  readonly refused: readonly RunOrder[] = $derived(
    this.failures.flatMap(({ failure, order }) =>
      failure.reason === 'archive-gone' && order !== undefined ? [order] : [],
    ),
  );

  /** Repeats the refused runs; the user confirmed that the folders are filled again. */
  async runAnew(): Promise<void> {
    const orders = this.refused.map((order) => ({ ...order, anew: true }));
    await this.#run(() => orders);
  }

  /** Saves the agreements that the service deletes soon. */
  async runEndangered(): Promise<void> {
    const items = this.list.value?.items ?? [];
    await this.run(items.filter((item) => isEndangered(item, Date.now())));
  }

  /** Verifies the chosen folder, and each other folder with files of the list. */
  async verify(): Promise<void> {
    await this.#work('archive.verify', async (folder) => {
      const archived = (this.list.value?.items ?? []).filter(({ file }) => file !== null);
      const others = [...groupByFolder(archived, folder).keys()].filter((one) => one !== folder);
      // Comes last: its intact files replace records of files that are lost in other folders.
      const folders = new Set([...others, folder]);
      const verdicts: ArchiveVerification[] = [];
      for (const one of folders) {
        const job = await this.#complete(one, () => api['archive.verify']({ folder: one }));
        if (job === null) continue;
        const verdict = job.result === null ? [] : [ArchiveVerification.parse(job.result)];
        if (one === folder) verdicts.unshift(...verdict);
        else verdicts.push(...verdict);
        // The chosen folder may be new: then all files are in other folders.
        const isNew =
          one === folder && folders.size > 1 && !archived.some((item) => isIn(one, item));
        if (job.failure !== null && !isNew) this.#report(job.failure, one);
        if (job.state === 'cancelled') break;
      }
      if (verdicts.length === 0) return;
      this.verdicts = verdicts;
      this.#announce(() => verdicts.map(verdictText).join(' '), verdicts.every(isWhole));
    });
    await this.refresh();
  }

  /** Copies the archive into a new folder as a bag (BagIt) for a long-term archive. */
  async makeBag(to: string): Promise<void> {
    await this.#work('archive.bag', async (folder) => {
      const job = await this.#complete(to, () => api['archive.bag']({ folder, to }));
      if (job === null) return;
      if (job.failure !== null) {
        const isAboutTarget = TARGET_REASONS.has(job.failure.reason ?? '');
        this.#report(job.failure, isAboutTarget ? to : folder);
      }
      if (job.result === null) return;
      const bag = BagResult.parse(job.result);
      this.bag = bag;
      this.#announce(() => bagText(bag), bag.leftOut.length === 0);
    });
  }

  async stop(): Promise<void> {
    if (this.#jobId !== null) await jobs.stop(this.#jobId);
  }

  async #work(cause: ArchiveCause, work: (folder: string) => Promise<void>): Promise<void> {
    const { folder } = this;
    if (folder === null) return;
    this.running = true;
    // Results of earlier work are outdated.
    this.result = this.bag = null;
    this.verdicts = [];
    this.failures = [];
    this.#cause = cause;
    const isEnded = await activity.attempt(() => work(folder));
    const { result, bag, verdicts, failures } = this;
    const isStopped = result === null && bag === null && verdicts.length + failures.length === 0;
    if (isEnded && isStopped) activity.notify(m.marked_stopped);
    this.running = false;
    this.#jobId = null;
  }

  /**
   * Waits for the end of a job. Returns null if it could not be started, which is reported: the
   * results for the other folders are still shown.
   */
  async #complete(folder: string, start: () => Promise<{ jobId: JobId }>): Promise<Job | null> {
    try {
      const { jobId } = await start();
      this.#jobId = jobId;
      return await jobs.outcome(jobId);
    } catch (error) {
      this.#report(failureOf(error), folder);
      return null;
    }
  }

  #report(failure: Failure, folder: string, order?: RunOrder): void {
    activity.fail(failure, this.#cause);
    const failed = { folder, failure, ...(order !== undefined && { order }) };
    this.failures = [...this.failures, failed];
  }

  /** Announces the result. The archive's own screen shows it in detail, so the bar does not. */
  #announce(words: Words, isComplete: boolean): void {
    if (isComplete && this.failures.length === 0) activity.resolve(this.#cause);
    if (router.screen === 'archive') return activity.announce(words, isComplete);
    const show = { label: m.activity_show, run: () => go('archive') };
    if (isComplete) activity.notify(words, show);
    else activity.warn(words, show, this.#cause);
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

const ordersOf = (groups: ReturnType<typeof groupByFolder>): readonly RunOrder[] =>
  [...groups].map(([folder, only]) => ({ folder, only: [...only] }));

/** Whether a verification found no difference. */
export const isWhole = ({ ok, files, unknown, lists }: ArchiveVerification): boolean =>
  ok === files && unknown.length + lists.length === 0;

export const archive = new Archive();

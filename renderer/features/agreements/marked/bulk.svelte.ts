import type { ActionsResult } from '../../../../shared/contract/actions.ts';
import { SavedCopies } from '../../../../shared/contract/agreements.ts';
import { ArchiveResult } from '../../../../shared/contract/archive.ts';
import type { AgreementKey, ConnectionId, JobId } from '../../../../shared/model/ids.ts';
import type { Job } from '../../../../shared/contract/jobs.ts';
import { trimCharacters } from '../../../../shared/rules/text/trim-signs.ts';
import { refusalText } from '../../actions/words.ts';
import { api } from '../../../window/desk.ts';
import { columnTitle, cellText } from '../column-words.ts';
import { copyText } from '../../../ui/clipboard.ts';
import { sentenceFor } from '../../../ui/failure-words.ts';
import { formatBytes, formatCount } from '../../../ui/format.ts';
import { m } from '../../../ui/language.svelte.ts';
import { activity, type Cause, type Words } from '../../../window/activity.svelte.ts';
import { layout } from '../layout.svelte.ts';
import { marks, withListData } from '../marks.svelte.ts';
import { agreements, keyOf } from '../state.svelte.ts';
import { archive } from '../../archive/state.svelte.ts';
import { connections } from '../../connections/state.svelte.ts';
import { jobs } from '../../../window/jobs.svelte.ts';

/**
 * Maximum number of copied rows: users look through the rows that they paste, though a clipboard
 * could hold more.
 */
const MAX_COPIED_ROWS = 10_000;

/** Maximum number of failures listed one by one. */
const MAX_LISTED_FAILURES = 200;

/** An agreement for which the action failed, and the reason. */
interface FailedAgreement extends AgreementKey {
  readonly title: string;
  readonly why: string;
}

export interface BulkOutcome {
  readonly sum: string;
  readonly folder: string | null;
  readonly failed: readonly FailedAgreement[];
  /** Number of further failures that are not listed. */
  readonly more: number;
}

class BulkActions {
  outcome = $state.raw<BulkOutcome | null>(null);
  busy = $state(false);
  asksFolder = $state(false);

  /** Saves the signed agreements in the archive; those that failed stay selected. */
  archive(folder: string): Promise<void> {
    return this.#save('archive.run', async (only) => {
      const job = await this.#ended(api['archive.run']({ folder, only: [...only] }));
      const parsed = ArchiveResult.safeParse(job.result);
      if (!parsed.success) return this.#sayEnd(job, 'archive.run');
      const { saved, present, failed, bytes, listed } = parsed.data;
      const counts = { saved, present, failed: failed.length, size: formatBytes(bytes) };
      const isEnded = job.state === 'done';
      this.#report(
        'archive.run',
        () => m.archive_done(counts),
        job,
        only.length - listed,
        parsed.data,
      );
      // The list of failures lacks agreements that were not tried: if the job was cut short, keep
      // the whole selection.
      if (isEnded && failed.length > 0) await marks.keep(new Set(failed.map(keyOf)));
    });
  }

  /** Saves the signed PDFs in a folder the user chose; agreements that failed stay selected. */
  download(folder: string): Promise<void> {
    // Files in the archive folder count as archived, so run the archive itself.
    if (isArchive(folder)) return this.archive(folder);
    return this.#save('agreements.saveCopies', async (only) => {
      const job = await this.#ended(api['agreements.saveCopies']({ folder, keys: [...only] }));
      const parsed = SavedCopies.safeParse(job.result);
      if (!parsed.success) return this.#sayEnd(job, 'agreements.saveCopies');
      const { saved, failed, bytes, left, withoutPdf } = parsed.data;
      const counts = { count: saved, failed: failed.length, size: formatBytes(bytes) };
      this.#report(
        'agreements.saveCopies',
        () => m.copies_done(counts),
        job,
        withoutPdf,
        parsed.data,
      );
      const undone = [...failed, ...left].map(keyOf);
      if (undone.length > 0) await marks.keep(new Set(undone));
    });
  }

  /** Reports each agreement that was not processed; these stay selected, the others do not. */
  acted({ done, failed, unknown }: ActionsResult): void {
    marks.drop(done);
    const undone = [
      ...unknown.map((one) => ({ ...one, why: m.marked_unknown() })),
      ...failed.map((one) => ({ ...one, why: refusalText(one.failure) })),
    ];
    const counts = { done: done.length, failed: failed.length, unknown: unknown.length };
    this.outcome =
      undone.length === 0
        ? null
        : { sum: m.marked_acted(counts), folder: null, ...withListedFailures(undone) };
  }

  /** Copies the selected rows, or the active row, to the clipboard as a table. */
  async copyTable(): Promise<void> {
    await activity.attempt(async () => {
      const { row } = agreements.cursor;
      const single = row === null ? [] : [row];
      const rows = marks.isEmpty
        ? await withListData(single)
        : await marks.resolveShown(MAX_COPIED_ROWS);
      const nameOf = (connection: ConnectionId): string => connections.find(connection)?.name ?? '';
      const { columns } = layout.now;
      const lines = [
        columns.map(columnTitle),
        ...rows.map((one) => columns.map((column) => cellText(one, column, nameOf))),
      ];
      copyText(lines.map((cells) => cells.map(toClipboardCell).join('\t')).join('\n'));
      const count = formatCount(rows.length);
      const isPart = marks.count > rows.length && !marks.isEmpty;
      activity.notify(() =>
        isPart ? m.marked_copied_first({ count }) : m.marked_copied({ count: rows.length }),
      );
    });
  }

  async #save(cause: Cause, work: (only: readonly AgreementKey[]) => Promise<void>): Promise<void> {
    this.busy = true;
    this.outcome = null;
    await activity.attempt(async () => work(await marks.keys()), cause);
    this.busy = false;
    await agreements.refresh();
  }

  async #ended(started: Promise<{ jobId: JobId }>): Promise<Job> {
    return jobs.outcome((await started).jobId);
  }

  #sayEnd({ failure }: Job, cause: Cause): void {
    if (failure === null) activity.notify(m.result_nothing);
    else activity.fail(failure, cause);
  }

  #report(
    cause: Cause,
    counts: Words,
    { state, failure }: Job,
    withoutPdf: number,
    { folder, failed }: Pick<ArchiveResult, 'folder' | 'failed'>,
  ): void {
    const sum = (): string =>
      [
        state === 'cancelled' ? m.marked_stopped() : '',
        failure === null ? '' : sentenceFor(failure),
        counts(),
        withoutPdf > 0 ? m.marked_not_signed({ count: withoutPdf }) : '',
      ]
        .filter((part) => part !== '')
        .join(' ');
    const explained = failed.map((one) => ({ ...one, why: sentenceFor(one.failure) }));
    this.outcome = { sum: sum(), folder, ...withListedFailures(explained) };
    if (failure === null && failed.length === 0) activity.notify(sum);
    else activity.warn(sum, null, cause);
  }
}

const withListedFailures = (
  failed: readonly FailedAgreement[],
): Pick<BulkOutcome, 'failed' | 'more'> => ({
  failed: failed.slice(0, MAX_LISTED_FAILURES),
  more: Math.max(0, failed.length - MAX_LISTED_FAILURES),
});

/** Whether `folder` is the archive's folder, with or without a separator at the end. */
export function isArchive(folder: string): boolean {
  const plain = (path: string): string => trimCharacters(path.trim(), { last: /[\\/]/ });
  return archive.folder !== null && plain(folder) === plain(archive.folder);
}

/** One cell of a table on the clipboard, without the characters that end cells and lines. */
const toClipboardCell = (text: string): string => text.replaceAll(/[\t\r\n]+/g, ' ');

export const bulk = new BulkActions();

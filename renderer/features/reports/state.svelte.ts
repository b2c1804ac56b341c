import {
  type ReportForm,
  type ReportOrder,
  ReportResult,
} from '../../../shared/contract/reports.ts';
import type { JobId } from '../../../shared/model/ids.ts';
import type { Failure } from '../../../shared/errors.ts';
import { api, failureOf } from '../../window/desk.ts';
import { m } from '../../ui/language.svelte.ts';
import { errorSentenceOf } from '../../window/refusal.ts';
import { activity } from '../../window/activity.svelte.ts';
import { jobs } from '../../window/jobs.svelte.ts';

export type ReportContent = Pick<ReportOrder, 'rows' | 'columns' | 'words'>;

interface ReportRequest {
  readonly file: string;
  readonly form: ReportForm;
  readonly delimiter: ReportOrder['delimiter'];
  readonly content: ReportContent;
}

class Reports {
  asked = $state(false);
  failure = $state.raw<Failure | null>(null);
  written = $state.raw<ReportResult | null>(null);

  /** Path of the last report that failed: the next dialog proposes it again. */
  failedFile: string | null = null;

  /** Starts a report. Returns null if it runs, otherwise the reason why it was refused. */
  write({ file, form, delimiter, content }: ReportRequest): Promise<string | null> {
    this.failure = null;
    this.written = null;
    const { rows, columns, words } = content;
    const order = { file, form, delimiter, rows, columns, words };
    return errorSentenceOf(async () => {
      const { jobId } = await api['reports.write'](order);
      this.failedFile = null;
      void this.#finish(jobId, file);
    });
  }

  async #finish(jobId: JobId, file: string): Promise<void> {
    try {
      const job = await jobs.outcome(jobId);
      if (job.failure !== null) {
        this.failure = job.failure;
        this.failedFile = file;
      }
      const parsed = ReportResult.safeParse(job.result);
      if (!parsed.success) {
        if (job.state === 'cancelled') activity.notify(m.report_stopped);
        return;
      }
      this.written = parsed.data;
      activity.notify(() => m.report_done({ count: parsed.data.rows, file: parsed.data.file }));
    } catch (error) {
      this.failure = failureOf(error);
    }
  }
}

export const reports = new Reports();

import {
  type ReportForm,
  type ReportOrder,
  ReportResult,
} from '../../../shared/contract/reports.ts';
import type { Failure } from '../../../shared/errors.ts';
import { columnTitle, reportWords } from '../agreements/column-words.ts';
import { api, failureOf } from '../../window/desk.ts';
import { formatCount } from '../../ui/format.ts';
import { m } from '../../ui/language.svelte.ts';
import { activity } from '../../window/activity.svelte.ts';
import { layout } from '../agreements/layout.svelte.ts';
import { marks } from '../agreements/marks.svelte.ts';
import { agreements } from '../agreements/state.svelte.ts';
import { jobs } from '../../window/jobs.svelte.ts';

interface Wanted {
  readonly file: string;
  readonly form: ReportForm;
  readonly delimiter: ReportOrder['delimiter'];
  /** The marked ones in place of all that match. */
  readonly marked: boolean;
}

/** Writes what is on the screen as a file for spreadsheet programs. */
class Reports {
  /** The dialog is open. */
  asked = $state(false);
  failure = $state.raw<Failure | null>(null);
  /** Where the last one lies, and how many rows it has. */
  written = $state.raw<ReportResult | null>(null);

  async write({ file, form, delimiter, marked }: Wanted): Promise<void> {
    this.failure = null;
    this.written = null;
    try {
      const rows = marked
        ? marks.forReport()
        : { kind: 'view' as const, view: agreements.view, except: [] };
      const columns = layout.now.columns.map((column) => ({
        column,
        heading: columnTitle(column),
      }));
      const order = { file, form, delimiter, rows, columns, words: reportWords() };
      const { jobId } = await api['reports.write'](order);
      const job = await jobs.outcome(jobId);
      if (job.failure !== null) this.failure = job.failure;
      const told = ReportResult.safeParse(job.result);
      if (!told.success) {
        if (job.state === 'cancelled') activity.say(m.report_stopped());
        return;
      }
      this.written = told.data;
      activity.say(m.report_done({ count: formatCount(told.data.rows), file: told.data.file }));
    } catch (error) {
      this.failure = failureOf(error);
    }
  }
}

export const reports = new Reports();

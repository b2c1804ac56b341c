import type { ListColumn } from '../../../../shared/contract/agreement-views.ts';
import type { Agreement } from '../../../../shared/contract/agreements.ts';
import { api } from '../../../window/desk.ts';
import { formatCount } from '../../../ui/format.ts';
import { m } from '../../../ui/language.svelte.ts';
import { activity } from '../../../window/activity.svelte.ts';
import { layout } from '../layout.svelte.ts';
import { agreements } from '../state.svelte.ts';
import { marks } from '../marks.svelte.ts';

/** Maximum number of printed rows (some hundred pages); a report is better for more. */
const MAX_PRINTED_ROWS = 5000;
const PRINT_PAGE_SIZE = 500;

export interface PrintedPage {
  readonly rows: readonly Agreement[];
  readonly columns: readonly ListColumn[];
  /** Time of the printout (epoch ms); its data may be older, because it comes from the copies. */
  readonly at: number;
  readonly marked: boolean;
}

/** The printed list: the selected agreements, or all that match. */
class ListPrinting {
  page = $state.raw<PrintedPage | null>(null);

  async start(): Promise<void> {
    const isMarked = !marks.isEmpty;
    if (!isMarked && !(await agreements.counted())) return;
    const count = isMarked ? marks.count : agreements.total;
    if (count === 0) return activity.notify(m.print_nothing);
    if (count > MAX_PRINTED_ROWS) {
      return activity.notify(() => m.print_most({ count: formatCount(MAX_PRINTED_ROWS) }));
    }
    await activity.attempt(async () => {
      const rows = isMarked ? await marks.resolveShown(MAX_PRINTED_ROWS) : await readAll();
      const { columns } = layout.now;
      this.page = { rows, columns, at: Date.now(), marked: isMarked };
    });
  }
}

async function readAll(): Promise<readonly Agreement[]> {
  const { view } = agreements;
  const rows: Agreement[] = [];
  for (;;) {
    const asked = { ...view, from: rows.length, limit: PRINT_PAGE_SIZE };
    const { items } = await api['agreements.window'](asked);
    rows.push(...items);
    if (items.length < PRINT_PAGE_SIZE || rows.length >= MAX_PRINTED_ROWS) return rows;
  }
}

export const listPrinting = new ListPrinting();

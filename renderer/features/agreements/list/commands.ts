import { m } from '../../../ui/language.svelte.ts';
import { marks } from '../marks.svelte.ts';
import { agreements } from '../state.svelte.ts';
import { bulk } from '../marked/bulk.svelte.ts';
import { connections } from '../../connections/state.svelte.ts';
import { listPrinting } from './printing.svelte.ts';
import type { Printable } from '../../../ui/print/printing.svelte.ts';
import { reports } from '../../reports/state.svelte.ts';
import { savedViews } from '../saved-views.svelte.ts';
import type { Command } from '../../../window/shortcuts.svelte.ts';
import { sync } from '../../sync/state.svelte.ts';
import { reasonWithoutSigned } from '../marked/actions.ts';

const reasonWithoutRows = (): string | null => (agreements.total === 0 ? m.print_nothing() : null);

export const listPrintable: Printable = {
  reason: reasonWithoutRows,
  print: () => void listPrinting.start(),
};

export const listCommands: readonly Command[] = [
  {
    id: 'list.report',
    group: 'list',
    title: m.report_open,
    keys: [],
    reason: reasonWithoutRows,
    run: () => (reports.asked = true),
  },
  {
    id: 'list.read-selection',
    group: 'list',
    title: m.select_open,
    keys: [],
    reason: () => (connections.all.length === 0 ? m.select_no_connection() : null),
    run: () => (sync.asksSelection = true),
  },
  {
    id: 'list.mark-all',
    group: 'list',
    title: m.marked_all,
    keys: [],
    reason: reasonWithoutRows,
    run: () => void marks.markAll(),
  },
  {
    id: 'list.copy',
    group: 'list',
    title: m.marked_copy,
    keys: [],
    reason: () =>
      marks.isEmpty && agreements.cursor.row === null ? m.agreements_pick_title() : null,
    run: () => void bulk.copyTable(),
  },
  {
    id: 'list.download',
    group: 'list',
    title: m.marked_download,
    keys: ['$mod+Shift+s'],
    reason: () => (marks.isEmpty ? m.marked_none() : reasonWithoutSigned()),
    run: () => (bulk.asksFolder = true),
  },
  {
    id: 'list.save-view',
    group: 'list',
    title: m.views_save,
    keys: [],
    reason: () => (savedViews.isFull ? m.views_full() : null),
    run: () => (savedViews.asksName = true),
  },
];

import type { ReportContent } from '../reports/state.svelte.ts';
import { columnTitle, reportWords } from './column-words.ts';
import { layout } from './layout.svelte.ts';
import { marks } from './marks.svelte.ts';
import { agreements } from './state.svelte.ts';

export function reportContent(isMarked: boolean): ReportContent {
  const rows = isMarked
    ? marks.forReport()
    : { kind: 'view' as const, view: agreements.view, except: [] };
  const columns = layout.now.columns.map((column) => ({ column, heading: columnTitle(column) }));
  return { rows, columns, words: reportWords() };
}

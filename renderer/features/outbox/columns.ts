import { m } from '../../ui/language.svelte.ts';
import { BADGE_SIZE, contentWidth, MAX_MEASURED_LINES } from '../../ui/grid/content-width.ts';
import type { GridColumn } from '../../ui/grid/entry.ts';
import { batchLook } from './batch-words.ts';
import type { OutboxLine } from './lines.ts';
import { kindName, lookOf, nextEventText, type OutboxKind } from './words.ts';

type OutboxColumn = 'state' | 'kind' | 'item' | 'people' | 'attempts' | 'next';

/** Widths of the list (CSS px) from which a further column fits next to the title. */
const MIN_WIDTH_FOR = { next: 430, people: 620, attempts: 800 } as const;

/** Width of the icon of a kind with its gap (CSS px). */
const KIND_SIZE = { beside: 22 } as const;

/** The columns that fit; the details of an item have the data of all of them. */
export function shownColumns(room: number): readonly OutboxColumn[] {
  return [
    'state',
    'kind',
    'item',
    ...(room >= MIN_WIDTH_FOR.people ? (['people'] as const) : []),
    ...(room >= MIN_WIDTH_FOR.attempts ? (['attempts'] as const) : []),
    ...(room >= MIN_WIDTH_FOR.next ? (['next'] as const) : []),
  ];
}

const titles: Readonly<Record<OutboxColumn, () => string>> = {
  state: m.outbox_column_state,
  kind: m.outbox_column_kind,
  item: m.outbox_column_what,
  people: m.outbox_column_people,
  attempts: m.outbox_column_attempts,
  next: m.outbox_column_next,
};

/**
 * Columns of the list: status, kind and next step are as wide as their texts. `width` measures the
 * texts.
 */
export function gridColumns(
  lines: readonly OutboxLine[],
  shown: readonly OutboxColumn[],
  now: number,
  width = contentWidth,
): readonly GridColumn[] {
  const measured = lines.slice(0, MAX_MEASURED_LINES);
  const textsOf = (column: OutboxColumn): readonly string[] => [
    titles[column](),
    ...new Set(measured.map((line) => textOf(line, column, now))),
  ];
  const widths: Readonly<Record<OutboxColumn, () => string>> = {
    state: () => width(textsOf('state'), BADGE_SIZE),
    kind: () => width(textsOf('kind'), KIND_SIZE),
    item: () => 'minmax(min(12.5rem, 40%), 2fr)',
    people: () => 'minmax(min(5.5rem, 20%), 1fr)',
    attempts: () => width([titles.attempts()]),
    next: () => width(textsOf('next')),
  };
  return shown.map((column) => ({ id: column, title: titles[column](), width: widths[column]() }));
}

function textOf(line: OutboxLine, column: OutboxColumn, now: number): string {
  if (column === 'kind') return kindName(kindOf(line));
  if (column === 'state') return lineLook(line).word();
  if (column === 'next' && line.kind === 'item') return nextEventText(line.item, now);
  return '';
}

export const kindOf = (line: OutboxLine): OutboxKind =>
  line.kind === 'batch' ? 'batch' : line.item.kind;

/** The column from which a batch's line has one text that spans the rest of the line. */
export const batchTextColumn = (shown: readonly OutboxColumn[]): OutboxColumn | undefined =>
  shown[shown.indexOf('item') + 1];

/** Badge of a line. */
export const lineLook = (line: OutboxLine) =>
  line.kind === 'batch' ? batchLook(line.batch) : lookOf(line.item);

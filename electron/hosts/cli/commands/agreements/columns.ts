import { ListColumn } from '../../../../../shared/contract/agreement-views.ts';
import type { Agreement } from '../../../../../shared/contract/agreements.ts';
import type { ReportCell } from '../../../../../shared/contract/reports.ts';
import { cellOf } from '../../../../../shared/rules/agreements/columns.ts';
import { englishWords } from '../../../../../shared/rules/agreements/english-words.ts';
import { choiceOption } from '../../input/options.ts';
import { iso, shown } from '../../input/times.ts';

interface Column {
  readonly option: string;
  readonly heading: string;
  /** In JSON, where that is more than the text of a cell. */
  readonly json?: (row: Agreement) => unknown;
}

/** The command line speaks English, whatever the system speaks. */
const listed: Readonly<Record<ListColumn, Column>> = {
  connection: { option: 'connection', heading: 'Connection' },
  id: { option: 'id', heading: 'ID' },
  title: { option: 'title', heading: 'Title' },
  parties: { option: 'parties', heading: 'Parties', json: ({ parties }) => parties },
  state: { option: 'state', heading: 'State', json: ({ state }) => state },
  nativeState: { option: 'service-state', heading: 'State on the service' },
  sent: { option: 'sent', heading: 'Sent' },
  updated: { option: 'updated', heading: 'Updated' },
  closed: { option: 'closed', heading: 'Closed' },
  expires: { option: 'expires', heading: 'Expires' },
  deletes: { option: 'deletes', heading: 'Deleted on' },
  archived: { option: 'archived', heading: 'Archived' },
  daysWaiting: { option: 'days-waiting', heading: 'Days waiting' },
  sentBy: { option: 'sent-by', heading: 'Sent by' },
  partyStates: {
    option: 'party-states',
    heading: 'What parties did',
    json: ({ more }) => more?.people?.map(({ name, state }) => ({ name, state })),
  },
  addresses: {
    option: 'addresses',
    heading: 'Addresses',
    json: ({ more }) => more?.people?.map(({ email, mobile }) => email ?? mobile),
  },
  tags: { option: 'tags', heading: 'Tags', json: ({ more }) => more?.tags },
  template: { option: 'template', heading: 'Template' },
  batch: { option: 'batch', heading: 'Batch' },
  batchRow: { option: 'batch-row', heading: 'Row of the batch' },
};

const byOption = new Map<string, ListColumn>(
  ListColumn.options.map((column) => [listed[column].option, column]),
);

export const headingOf = (column: ListColumn): string => listed[column].heading;

/** Chooses columns and their order; the value is what `chosenColumns` takes. */
export const columnsOption = (about: string) =>
  choiceOption('--columns <column...>', about, [...byOption.keys()]);

/** The columns that options name, each once, in their order. */
export function chosenColumns(options: readonly string[]): readonly ListColumn[] {
  return [...new Set(options)].flatMap((option) => byOption.get(option) ?? []);
}

interface Context {
  readonly nameOf: (connectionId: Agreement['connectionId']) => string;
  readonly now: number;
}

/** What a column says of an agreement, in JSON; null where that is not known. */
export const valueOf = (row: Agreement, column: ListColumn, context: Context): unknown =>
  listed[column].json?.(row) ??
  plainOf(cellOf(row, column, { ...context, words: englishWords }), iso);

/** The same in a table; `-` where it is not known. */
export const textOf = (row: Agreement, column: ListColumn, context: Context): string =>
  String(plainOf(cellOf(row, column, { ...context, words: englishWords }), shown) ?? '-');

function plainOf(cell: ReportCell, time: (at: number) => string | null): string | number | null {
  if (cell === null || typeof cell === 'string') return cell;
  return 'at' in cell ? time(cell.at) : cell.number;
}

import { ListColumn } from '../../../../../shared/contract/agreement-views.ts';
import type { Agreement } from '../../../../../shared/contract/agreements.ts';
import type { ReportWords } from '../../../../../shared/contract/reports.ts';
import {
  addressesText,
  daysWaiting,
  partyStatesText,
  tagsText,
} from '../../../../../shared/rules/agreements/columns.ts';
import { choiceOption } from '../../input/options.ts';
import { iso, shown } from '../../input/times.ts';

/** The command line speaks English, whatever the system speaks. */
const named = {
  connection: ['connection', 'Connection'],
  id: ['id', 'ID'],
  title: ['title', 'Title'],
  parties: ['parties', 'Parties'],
  state: ['state', 'State'],
  nativeState: ['service-state', 'State on the service'],
  sent: ['sent', 'Sent'],
  updated: ['updated', 'Updated'],
  closed: ['closed', 'Closed'],
  expires: ['expires', 'Expires'],
  deletes: ['deletes', 'Deleted on'],
  archived: ['archived', 'Archived'],
  daysWaiting: ['days-waiting', 'Days waiting'],
  sentBy: ['sent-by', 'Sent by'],
  partyStates: ['party-states', 'What parties did'],
  addresses: ['addresses', 'Addresses'],
  tags: ['tags', 'Tags'],
  template: ['template', 'Template'],
  batch: ['batch', 'Batch'],
  batchRow: ['batch-row', 'Row of the batch'],
} as const satisfies Record<ListColumn, readonly [option: string, heading: string]>;

const byOption = new Map<string, ListColumn>(
  ListColumn.options.map((column) => [named[column][0], column]),
);

export const headingOf = (column: ListColumn): string => named[column][1];

/** Chooses columns and their order; the value is what `chosenColumns` takes. */
export const columnsOption = (about: string) =>
  choiceOption('--columns <column...>', about, [...byOption.keys()]);

/** The columns that options name, each once, in their order. */
export function chosenColumns(options: readonly string[]): readonly ListColumn[] {
  return [...new Set(options)].flatMap((option) => byOption.get(option) ?? []);
}

export const reportWords: ReportWords = {
  title: 'Agreements',
  rejectedOrExpired: 'rejected or expired',
  unsigned: 'not signed',
  states: {
    draft: 'draft',
    waiting: 'waiting',
    'part-signed': 'part-signed',
    signed: 'signed',
    rejected: 'rejected',
    revoked: 'revoked',
    expired: 'expired',
    unknown: 'unknown',
  },
  partyStates: {
    draft: 'draft',
    waiting: 'waiting',
    turn: 'to sign',
    signed: 'signed',
    rejected: 'rejected',
    unknown: 'unknown',
  },
};

interface Context {
  readonly nameOf: (connectionId: Agreement['connectionId']) => string;
  readonly now: number;
}

/** What a column says of an agreement, in JSON; null where that is not known. */
export function valueOf(row: Agreement, column: ListColumn, { nameOf, now }: Context): unknown {
  switch (column) {
    case 'connection':
      return nameOf(row.connectionId);
    case 'daysWaiting':
      return daysWaiting(row, now);
    case 'tags':
    case 'sentBy':
    case 'template':
    case 'batch':
    case 'batchRow':
      return row.more?.[column] ?? null;
    case 'addresses':
      return row.more?.people?.map(({ email, mobile }) => email ?? mobile) ?? null;
    case 'partyStates':
      return row.more?.people?.map(({ name, state }) => ({ name, state })) ?? null;
    case 'title':
    case 'parties':
    case 'state':
    case 'id':
    case 'nativeState':
      return row[column];
    default:
      return iso(instantOf(row, column));
  }
}

/** The same in a table; `-` where it is not known. */
export function textOf(row: Agreement, column: ListColumn, context: Context): string {
  switch (column) {
    case 'state':
      return row.state === 'unknown' ? row.nativeState : row.state;
    case 'parties':
      return row.parties?.join(', ') ?? '-';
    case 'tags':
      return tagsText(row.more?.tags ?? null) || '-';
    case 'addresses':
      return addressesText(row.more?.people ?? null) || '-';
    case 'partyStates':
      return partyStatesText(row.more?.people ?? null, row, reportWords) || '-';
    case 'sent':
    case 'updated':
    case 'closed':
    case 'expires':
    case 'deletes':
    case 'archived':
      return shown(instantOf(row, column));
    default:
      return String(valueOf(row, column, context) ?? '-');
  }
}

type TimeColumn = 'sent' | 'updated' | 'closed' | 'expires' | 'deletes' | 'archived';

const instantOf = (row: Agreement, column: TimeColumn): number | null => row[`${column}At`];

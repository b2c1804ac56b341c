import type {
  AgreementGroup,
  AgreementGrouping,
} from '../../../shared/contract/agreement-query.ts';
import type { ListColumn } from '../../../shared/contract/agreement-views.ts';
import type { Agreement } from '../../../shared/contract/agreements.ts';
import type { ReportCell, ReportWords } from '../../../shared/contract/reports.ts';
import { AgreementState } from '../../../shared/model/agreement.ts';
import type { ConnectionId } from '../../../shared/model/ids.ts';
import { cellOf, columnKind, type ColumnKind } from '../../../shared/rules/agreements/columns.ts';
import { badgeOf, stateWord } from '../../ui/agreement-words.ts';
import { formatDateTime, formatMonth, formatNames } from '../../ui/format.ts';
import { m } from '../../ui/language.svelte.ts';

interface ColumnWidth {
  /** CSS width of the column if the list has enough space. */
  readonly width: string;
  /** Minimum readable width (rem). */
  readonly least: number;
  /** Width (rem) below which the column does not shrink in a list with few columns; 0 for none. */
  readonly kept: number;
}

const columnWidthsByKind: Readonly<Record<ColumnKind, ColumnWidth>> = {
  title: { width: '2fr', least: 10, kept: 16 },
  // "Waiting for" and a name of usual length.
  state: { width: '1.9fr', least: 10, kept: 11 },
  text: { width: '9rem', least: 7, kept: 0 },
  long: { width: '1fr', least: 7, kept: 4 },
  number: { width: '5rem', least: 5, kept: 0 },
  date: { width: '5.75rem', least: 5, kept: 0 },
};

export const columnWidth = (column: ListColumn): ColumnWidth =>
  columnWidthsByKind[columnKind(column)];

const columnTitles: Readonly<Record<ListColumn, () => string>> = {
  title: m.agreements_column_title,
  parties: m.agreements_column_parties,
  state: m.agreements_column_state,
  updated: m.agreements_column_updated,
  expires: m.agreements_column_expires,
  closed: m.agreements_column_closed,
  deletes: m.agreements_column_deletes,
  connection: m.agreements_column_connection,
  archived: m.agreements_column_archived,
  id: m.agreements_column_id,
  nativeState: m.agreements_column_native,
  sent: m.agreements_column_sent,
  daysWaiting: m.agreements_column_waiting,
  sentBy: m.agreements_column_sent_by,
  partyStates: m.agreements_column_party_states,
  addresses: m.agreements_column_addresses,
  tags: m.agreements_column_tags,
  template: m.agreements_column_template,
  batch: m.agreements_column_batch,
  batchRow: m.agreements_column_batch_row,
};

export const columnTitle = (column: ListColumn): string => columnTitles[column]();

export const titleText = ({ title }: Agreement): string => title || m.agreements_untitled();

export const partiesText = ({ parties }: Agreement): string =>
  parties === null ? m.agreements_parties_unread() : formatNames(parties);

/** Note about a missing or changed archived file; null if there is none. */
export function damageText({ archiveDamage = null }: Agreement): string | null {
  if (archiveDamage === null) return null;
  return archiveDamage === 'missing'
    ? m.agreements_archive_missing()
    : m.agreements_archive_changed();
}

type ConnectionNameOf = (connection: ConnectionId) => string;

export function cellIn(
  row: Agreement,
  column: ListColumn,
  nameOf: ConnectionNameOf,
  now: number,
): ReportCell {
  switch (column) {
    case 'title':
      return titleText(row);
    case 'parties':
      return partiesText(row);
    case 'state':
      return badgeOf(row).word;
    default:
      return cellOf(row, column, {
        nameOf,
        now,
        get words() {
          return reportWords();
        },
      });
  }
}

/** Text of a cell on its own, for paper and the clipboard. */
export function cellText(row: Agreement, column: ListColumn, nameOf: ConnectionNameOf): string {
  const cell = cellIn(row, column, nameOf, Date.now());
  if (cell === null || typeof cell === 'string') return cell ?? '';
  return 'at' in cell ? formatDateTime(cell.at) : String(cell.number);
}

export function groupTitle(
  grouping: AgreementGrouping,
  { key }: AgreementGroup,
  connectionName: (id: string) => string,
): string {
  if (key === null) return m.agreements_group_undated();
  if (grouping === 'connection') return connectionName(key);
  if (grouping === 'month') return formatMonth(key);
  const state = AgreementState.safeParse(key);
  return state.success ? stateWord(state.data, m.agreements_group_other()) : key;
}

export function reportWords(): ReportWords {
  const wordOf = (state: AgreementState): string => stateWord(state);
  return {
    unsigned: m.party_unsigned(),
    partyStates: {
      draft: m.party_draft(),
      waiting: m.party_waiting(),
      turn: m.party_turn(),
      signed: m.party_signed(),
      rejected: m.party_rejected(),
      unknown: m.party_unknown({ native: '' }),
    },
    title: m.screen_agreements(),
    rejectedOrExpired: m.state_rejected_or_expired(),
    states: {
      draft: wordOf('draft'),
      waiting: wordOf('waiting'),
      'part-signed': wordOf('part-signed'),
      signed: wordOf('signed'),
      rejected: wordOf('rejected'),
      revoked: wordOf('revoked'),
      expired: wordOf('expired'),
      unknown: m.agreements_group_other(),
    },
  };
}

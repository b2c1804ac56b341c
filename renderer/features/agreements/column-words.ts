import type {
  AgreementGroup,
  AgreementGrouping,
} from '../../../shared/contract/agreement-query.ts';
import type { ListColumn } from '../../../shared/contract/agreement-views.ts';
import type { Agreement } from '../../../shared/contract/agreements.ts';
import type { ReportWords } from '../../../shared/contract/reports.ts';
import { AgreementState } from '../../../shared/model/agreement.ts';
import {
  addressesText,
  daysWaiting,
  partyStatesText,
  type PartyWords,
  tagsText,
} from '../../../shared/rules/agreements/columns.ts';
import { badgeOf, stateWord } from '../../ui/agreement-words.ts';
import { formatCount, formatDateTime, formatMonth, formatNames } from '../../ui/format.ts';
import { m } from '../../ui/language.svelte.ts';

const titles = {
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
} as const satisfies Record<ListColumn, () => string>;

export const columnTitle = (column: ListColumn): string => titles[column]();

/** The point in time a column tells; null where it tells none, undefined where it tells no time. */
export function instantOf(row: Agreement, column: ListColumn): number | null | undefined {
  switch (column) {
    case 'sent':
      return row.sentAt;
    case 'updated':
      return row.updatedAt;
    case 'expires':
      return row.expiresAt;
    case 'closed':
      return row.closedAt;
    case 'deletes':
      return row.deletesAt;
    case 'archived':
      return row.archivedAt;
    default:
      return undefined;
  }
}

/** What a column says that is a text or a number; empty where it is not known. */
export function plainText(row: Agreement, column: ListColumn, now: number): string {
  const { more } = row;
  switch (column) {
    case 'daysWaiting': {
      const days = daysWaiting(row, now);
      return days === null ? '' : formatCount(days);
    }
    case 'sentBy':
      return more?.sentBy ?? '';
    case 'partyStates':
      return partyStatesText(more?.people ?? null, row, partyWords());
    case 'addresses':
      return addressesText(more?.people ?? null);
    case 'tags':
      return tagsText(more?.tags ?? null);
    case 'template':
      return more?.template ?? '';
    case 'batch':
      return more?.batch ?? '';
    case 'batchRow':
      return more?.batchRow === undefined || more.batchRow === null ? '' : String(more.batchRow);
    default:
      return '';
  }
}

/** What a column says of an agreement where it stands alone: on paper and on the clipboard. */
export function cellText(
  row: Agreement,
  column: ListColumn,
  connectionName: (row: Agreement) => string,
): string {
  const instant = instantOf(row, column);
  if (instant !== undefined) return instant === null ? '' : formatDateTime(instant);
  switch (column) {
    case 'parties':
      return row.parties === null ? m.agreements_parties_unread() : formatNames(row.parties);
    case 'state':
      return badgeOf(row).word;
    case 'connection':
      return connectionName(row);
    case 'id':
      return row.id;
    case 'nativeState':
      return row.nativeState;
    case 'title':
      return row.title || m.agreements_untitled();
    default:
      return plainText(row, column, Date.now());
  }
}

/** What a group of the list is called. */
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

/** What parties are said to have done. */
function partyWords(): PartyWords {
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
  };
}

/** The words of a report, in the language of the window. */
export function reportWords(): ReportWords {
  const wordOf = (state: AgreementState): string => stateWord(state);
  const { unsigned, partyStates } = partyWords();
  return {
    unsigned,
    partyStates,
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

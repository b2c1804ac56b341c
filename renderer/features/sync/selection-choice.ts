import type { AgreementFilter } from '../../../shared/contract/agreement-query.ts';
import type {
  SelectedStateV1,
  SelectedStatusV2,
  Selection,
} from '../../../shared/contract/agreement-selection.ts';
import type { ApiName } from '../../../shared/model/ids.ts';
import type { AgreementState } from '../../../shared/model/agreement.ts';

/** Values of the dialog. Times are epoch milliseconds, `to` excluded. */
export interface SelectionChoice {
  /** The filter that is used; v1 accepts one per request: a state or dates. */
  by: 'state' | 'dates';
  state: SelectedStateV1;
  status: SelectedStatusV2;
  templateId: string;
  from: number | undefined;
  to: number | undefined;
}

/** The program's states that the API can name. */
const selectedStates: Partial<Record<AgreementState, SelectedStateV1>> = {
  waiting: 'READY_TO_SIGN',
  'part-signed': 'SIGNED',
  signed: 'SIGNED_BY_ALL',
  rejected: 'REJECTED',
  revoked: 'REVOKED',
};

/** Returns values that correspond to the list's filter, as far as the API can express it. */
export function choiceFor(filter: AgreementFilter): SelectionChoice {
  const states = filter.states ?? [];
  const status = statusFor(states);
  const hasClosed = filter.closedFrom !== undefined || filter.closedTo !== undefined;
  const isByClosed = status === 'CLOSED' && hasClosed;
  const from = isByClosed ? filter.closedFrom : filter.updatedFrom;
  const to = isByClosed ? filter.closedTo : filter.updatedTo;
  const isDated = from !== undefined || to !== undefined;
  return {
    by: isDated && states.length === 0 ? 'dates' : 'state',
    state: stateFor(states),
    status: isDated && states.length === 0 ? 'MODIFIED' : status,
    templateId: filter.templateId ?? '',
    from,
    to,
  };
}

/** Returns the selection; null while required values are missing. */
export function selectionOf(api: ApiName, choice: SelectionChoice): Selection | null {
  const { from, to } = choice;
  const dates = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
  if (api === 'v2') {
    const templateId = choice.templateId.trim();
    return { status: choice.status, ...(templateId !== '' && { templateId }), ...dates };
  }
  if (choice.by === 'state') return { state: choice.state };
  if (from !== undefined) return { active: { from, ...(to !== undefined && { to }) } };
  return to === undefined ? null : { active: { to } };
}

function stateFor(states: readonly AgreementState[]): SelectedStateV1 {
  const [first, second] = states;
  const word = first === undefined || second !== undefined ? undefined : selectedStates[first];
  const isEnded = states.every((state) => state === 'rejected' || state === 'revoked');
  return word ?? (isEnded && states.length > 0 ? 'CANCELLED' : 'AWAITING');
}

function statusFor(states: readonly AgreementState[]): SelectedStatusV2 {
  if (states.length === 0) return 'ALL';
  if (states.every((state) => state === 'signed')) return 'CLOSED';
  if (states.every((state) => state === 'rejected' || state === 'expired')) return 'REJECTED';
  return states.every((state) => state === 'waiting' || state === 'part-signed')
    ? 'NOT_SIGNED'
    : 'ALL';
}

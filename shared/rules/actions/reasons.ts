import type { ActionName, ActionReason } from '../../contract/actions.ts';
import type { Agreement } from '../../contract/agreements.ts';
import type { ApiName } from '../../model/ids.ts';
import { type AgreementState, closedStates } from '../../model/agreement.ts';
import { isOurs, type KnownAccess, canDeleteAgreement } from '../agreements/access.ts';

/** Actions that each API lacks (API v1 and API v2, "Endpoints"). */
const unsupportedActions: Readonly<
  Record<ApiName, Readonly<Partial<Record<ActionName, ActionReason>>>>
> = {
  v1: {
    reject: 'v1-cannot-reject',
    share: 'v1-cannot-share',
    fieldValues: 'v1-has-no-template-fields',
    rawXml: 'v1-has-no-xml',
    uploads: 'v1-has-no-uploads',
  },
  v2: {
    change: 'v2-cannot-change',
    correctEmail: 'v2-cannot-change',
    replaceRecipients: 'v2-cannot-change',
    silence: 'v2-cannot-change',
    remind: 'v2-cannot-remind',
    signingLink: 'v2-has-no-signing-links',
    saveDocuments: 'v2-has-no-attachments',
  },
};

const statesDeletedByV2: readonly AgreementState[] = ['rejected', 'expired', 'unknown'];

/** Actions that only make sense while someone can still sign. */
const openOnlyActions: ReadonlySet<ActionName> = new Set([
  'revoke',
  'remind',
  'reject',
  'correctEmail',
  'signingLink',
]);

/** Actions that only the owner may do (API v1, "Endpoints"). */
const ownerOnlyActions: ReadonlySet<ActionName> = new Set([
  'revoke',
  'change',
  'correctEmail',
  'replaceRecipients',
  'silence',
  'remind',
]);

/**
 * Reason why an action is not available for an agreement; null if it is available, but the service
 * may still reject it. Without an agreement, reports only that the API lacks the action.
 */
export function actionRejectionReason(
  action: ActionName,
  agreement: (Pick<Agreement, 'state' | 'gone'> & KnownAccess) | null,
  api: ApiName,
): ActionReason | null {
  const reason = unsupportedActions[api][action];
  if (reason !== undefined) return reason;
  if (agreement === null || action === 'uploads') return null;
  const { state, gone } = agreement;
  if (gone !== null) return gone;
  if (ownerOnlyActions.has(action) && isOurs(agreement) === false) return 'not-owner';
  if (action === 'remove' && !canDeleteAgreement(agreement)) return 'no-delete-right';
  if (openOnlyActions.has(action)) {
    if (state === 'draft') return 'not-sent';
    if (closedStates.includes(state)) return 'not-open';
  }
  // API v2, "Delete Agreement": only rejected agreements, which include expired ones.
  if (action === 'remove' && api === 'v2' && !statesDeletedByV2.includes(state)) {
    return 'only-rejected';
  }
  return null;
}

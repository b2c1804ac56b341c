import type { AgreementDetails } from '../../../shared/contract/agreements.ts';
import type { Stores } from '../ports.ts';

/** API v2 tells when an agreement was revoked in the answer to the revoke only; it is kept here. */
export function withRevokedAt(
  details: AgreementDetails,
  actions: Stores['actions'],
): AgreementDetails {
  const { connectionId, id: agreementId, state, timeline } = details;
  if (state !== 'revoked' || timeline.some(({ what }) => what === 'revoked')) return details;
  const at = actions
    .list({ connectionId, agreementId }, 0)
    .flatMap(({ kind, revokedAt }) =>
      kind === 'revoke' && revokedAt !== null ? [revokedAt] : [],
    )[0];
  if (at === undefined) return details;
  const entry = { at, what: 'revoked', party: null } as const;
  return { ...details, timeline: [...timeline, entry].toSorted((a, b) => a.at - b.at) };
}

import type { Party } from '../../model/agreement.ts';
import { isSameOrganisation } from '../identifiers/organisation-number.ts';

/** v2's name for a company party, where v1 has a signing configuration. */
const COMPANY_SIGNING = 'company';

/**
 * Value of `apiSigning` for a company of API v2. This program signs only for the user's own
 * company.
 * @param theirs organisation number of the party
 * @param ours organisation number of the user's own company; null offers every company
 */
export function companySigning(
  theirs: string | null | undefined,
  ours: string | null,
): string | null {
  return ours === null || isSameOrganisation(theirs, ours) ? COMPANY_SIGNING : null;
}

/** Parties of an agreement of API v2 after the number of the user's own company was changed. */
export const withOwnCompany = (parties: readonly Party[], ours: string | null): Party[] =>
  parties.map((party) =>
    party.kind === 'person' ? party : { ...party, apiSigning: companySigning(party.orgNo, ours) },
  );

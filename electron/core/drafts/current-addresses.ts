import type { AgreementDetails } from '../../../shared/contract/agreements.ts';
import type { Loss } from '../../../shared/contract/draft-history.ts';
import type { DraftContent } from '../../../shared/contract/drafts.ts';
import { partyNames } from '../../../shared/rules/drafts/check.ts';
import { tidiedName } from '../../../shared/rules/text/tidied-name.ts';

type KnownParty = NonNullable<AgreementDetails['parties']>[number];

/**
 * Gives the parties of sent content the email addresses that they have in the agreement now,
 * because an address that was corrected after the send must not return. A party that is not found,
 * and whose address no party has now, is listed as a loss. Only for API v1: API v2 does not return
 * the addresses of an agreement.
 */
export function withCurrentAddresses(
  content: DraftContent,
  known: readonly KnownParty[] | null,
): { readonly content: DraftContent; readonly losses: readonly Loss[] } {
  if (content.api === 'v2' || known === null) return { content, losses: [] };
  const names = partyNames(content);
  const addresses = new Set(known.map(({ email }) => folded(email)));
  const losses: Loss[] = [];
  const parties = content.body.parties.map((party, at) => {
    const before = folded(party.email);
    const name = names[at] ?? '';
    if (before === '' || name === '') return party;
    const found = findParty(known, name, at);
    const email = found?.email?.trim() ?? '';
    if (email !== '' && folded(email) !== before) return { ...party, email };
    if (found === undefined && !addresses.has(before)) {
      losses.push({ code: 'addresses', about: name });
    }
    return party;
  });
  return { content: { api: 'v1', body: { ...content.body, parties } }, losses };
}

/** The only party with this name; of several, the one at the same position. */
function findParty(known: readonly KnownParty[], name: string, at: number): KnownParty | undefined {
  const isNamed = (one: KnownParty | undefined): boolean =>
    one !== undefined && folded(tidiedName(one.name)) === folded(tidiedName(name));
  const [first, ...others] = known.filter(isNamed);
  if (others.length === 0) return first;
  return isNamed(known[at]) ? known[at] : undefined;
}

const folded = (text: string | null | undefined): string => text?.trim().toLowerCase() ?? '';

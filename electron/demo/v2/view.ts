import { companyName } from '../state/account.ts';
import type { Zone } from '../server/behaviour.ts';
import { toWallStamp } from '../server/stamps.ts';
import type { LegacyAgreement, LegacyParty } from '../state/record-v2.ts';

/**
 * Kind of response, which determines its optional fields: create adds IDs, fetch and list add
 * signing details.
 */
type LegacyViewKind = 'create' | 'fetch' | 'revoke';

/** Returns an agreement as in a response of v2, with local times of `zone`. */
export function viewLegacy(agreement: LegacyAgreement, view: LegacyViewKind, zone: Zone) {
  const when: TimestampWriter = (key, at) => (at === null ? {} : { [key]: toWallStamp(at, zone) });
  const of = (kind: LegacyParty['kind']) =>
    agreement.parties
      .filter((party) => party.kind === kind)
      .map((party) => viewParty(party, view, when));
  return {
    referenceNumber: agreement.referenceNumber,
    name: agreement.name,
    status: agreement.status,
    postedOn: toWallStamp(agreement.postedOn, zone),
    expireOn: toWallStamp(agreement.expireOn, zone),
    lastModifiedOn: toWallStamp(agreement.lastModifiedOn, zone),
    ...when('closedOn', agreement.closedOn),
    ...when('rejectedOn', agreement.rejectedOn),
    ...(view === 'revoke' ? when('revokedOn', agreement.revokedOn) : {}),
    parties: { companies: of('COMPANY'), privates: of('PRIVATE') },
  };
}

type TimestampWriter = (key: string, at: number | null) => Record<string, string>;

function viewParty(party: LegacyParty, view: LegacyViewKind, when: TimestampWriter) {
  const isCompany = party.kind === 'COMPANY';
  const orgNo = party.orgNo ?? '';
  return {
    ...(view === 'create' ? { id: party.id } : {}),
    ...(isCompany ? { orgNo, name: companyName(orgNo) } : {}),
    ...(party.personNo === null ? {} : { personNo: party.personNo }),
    ...(isCompany ? {} : { name: `${party.firstName} ${party.lastName}` }),
    status: party.status,
    ...when('signedOn', party.signedOn),
    ...when('rejectedOn', party.rejectedOn),
    ...(party.evidence === null ? {} : { signatureMetadata: party.evidence }),
  };
}

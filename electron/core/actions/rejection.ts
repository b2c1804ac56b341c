import type { Party, RemoteAgreement } from '../../../shared/model/agreement.ts';
import { maskPersonNumber } from '../../../shared/rules/text/mask.ts';
import type { ActionBasis } from './runner.ts';
import type { ActionsV2, Rejection } from '../services/ports.ts';
import { personEvidence } from '../evidence/about.ts';
import type { Intent } from '../evidence/intents.ts';
import type { IdentityStore, Sha256 } from '../ports.ts';

export interface PreparedRejection extends ActionBasis {
  readonly body: Uint8Array;
  readonly remote: RemoteAgreement;
  /** Null if the agreement does not show which of its parties is meant. */
  readonly party: Party | null;
}

interface RejectionPorts {
  readonly stores: { readonly identities: IdentityStore };
  readonly sha256: Sha256;
}

/**
 * Returns the party of a rejection. A company is found by its number. For several persons, API v2
 * returns the personal numbers only in a separate request; only their masked form is kept.
 */
export async function partyOf(
  actions: ActionsV2,
  rejection: Rejection,
  { id, parties }: Pick<RemoteAgreement, 'parties'> & { readonly id: Intent['key']['id'] },
  signal: AbortSignal,
): Promise<Party | null> {
  const all = parties ?? [];
  if (rejection.partyType === 'COMPANY') {
    return all.find(({ orgNo }) => orgNo !== null && digitsOf(orgNo) === rejection.orgNo) ?? null;
  }
  const persons = all.filter(({ kind }) => kind === 'person');
  if (persons.length < 2) return persons[0] ?? null;
  const extras = await actions.extras(id, signal);
  const mask = maskWithoutSeparators(maskPersonNumber(rejection.personNo));
  const meant = extras.parties.filter(
    ({ personNumber }) => personNumber !== null && maskWithoutSeparators(personNumber) === mask,
  );
  const [only] = meant;
  if (only === undefined || meant.length > 1) return null;
  return persons.find((one) => one.id === only.id) ?? null;
}

/** Returns the evidence entry that is written before a rejection is sent. */
export function rejectionIntent(
  { stores, sha256 }: RejectionPorts,
  subject: Pick<Intent, 'key' | 'title'>,
  rejection: Rejection,
  { body, remote, party }: PreparedRejection,
): Omit<Intent, 'ref'> {
  const { personNo } = rejection;
  const personNumberMasked = maskPersonNumber(personNo);
  const identity = stores.identities.list().find(({ personNumber }) => {
    return personNumber !== null && digitsOf(personNumber) === personNo;
  });
  return {
    ...subject,
    person: identity === undefined ? null : personEvidence(identity),
    fact: {
      kind: 'intended',
      act: 'reject',
      documents: [],
      review: null,
      approval: null,
      party: {
        id: party?.id ?? '',
        name: party?.name ?? personNumberMasked,
        orgNo: party?.orgNo ?? (rejection.partyType === 'COMPANY' ? rejection.orgNo : null),
      },
      parties: (remote.parties ?? []).map(({ name, nativeState }) => ({
        name,
        state: nativeState,
      })),
      requestSha256: sha256(body),
      personNumberMasked,
      signedAt: null,
    },
  };
}

/** Returns the last ten characters, which all notations of a Swedish personal number share. */
const maskWithoutSeparators = (masked: string): string =>
  masked.replaceAll(/[-+ ]/gu, '').slice(-10);
const digitsOf = (text: string): string => text.replaceAll(/\D/gu, '');

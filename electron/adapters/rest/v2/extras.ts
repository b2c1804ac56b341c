import { maskPersonNumber } from '../../../../shared/rules/text/mask.ts';
import type { PartyExtras, RemoteExtras } from '../../../../shared/model/remote-extras.ts';
import { partyIdV2 } from './read.ts';
import type { EvidenceReplyV2, ExtrasReplyV2 } from './table.ts';

const MASK = '••••';

type PartyReply = NonNullable<NonNullable<ExtrasReplyV2['parties']>['privates']>[number];

export function readExtrasV2({ parties }: ExtrasReplyV2): RemoteExtras {
  const companies = parties?.companies ?? [];
  const privates = parties?.privates ?? [];
  return {
    sharedWith: null,
    owner: null,
    accessRights: null,
    returnLinks: null,
    notifications: null,
    documents: null,
    parties: [
      ...companies.map((party) => readParty(party, partyIdV2.company(party))),
      ...privates.map((party, index) => readParty(party, partyIdV2.person(index))),
    ],
    etag: null,
  };
}

function readParty({ personNo, signatureMetadata }: PartyReply, id: string): PartyExtras {
  return {
    id,
    personNumber: typeof personNo === 'string' ? maskPersonNumber(personNo) : null,
    notifications: null,
    methods: null,
    identifications: null,
    signedWith: null,
    evidence: readEvidence(signatureMetadata),
  };
}

function readEvidence(reply: EvidenceReplyV2 | null | undefined): PartyExtras['evidence'] {
  if (reply === null || reply === undefined) return null;
  const { clientIpAddress, signature, ocsp, certNotValidBefore, certNotValidAfter } = reply;
  return {
    clientIpAddress: isPresent(clientIpAddress) ? MASK : null,
    certNotValidBefore: certNotValidBefore ?? null,
    certNotValidAfter: certNotValidAfter ?? null,
    hasSignature: isPresent(signature),
    hasOcsp: isPresent(ocsp),
  };
}

function isPresent(text: string | null | undefined): boolean {
  return typeof text === 'string' && text !== '';
}

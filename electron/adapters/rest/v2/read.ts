import type {
  AgreementState,
  Party,
  PartyState,
  RemoteAgreement,
  TimelineEntry,
} from '../../../../shared/model/agreement.ts';
import { companySigning } from '../../../../shared/rules/agreements/own-company.ts';
import { parseV2Time } from '../../../../shared/rules/time/wire-time.ts';
import { toMaskedJson } from '../both/mask.ts';
import { shortenName, newestTime, timelineOf, toState } from '../both/reading.ts';
import type { AgreementReplyV2, PartyReplyV2 } from './table.ts';

/**
 * IDs of parties. API v2 has no ID of a party that may be shown: a person has only the personal
 * number.
 */
export const partyIdV2 = {
  company: ({ orgNo, id }: Pick<PartyReplyV2, 'orgNo' | 'id'>) => orgNo ?? id ?? '',
  person: (index: number) => `private-${String(index + 1)}`,
} as const;

/** States by API v2, "States and transitions". */
const stateByStatusV2: ReadonlyMap<string, AgreementState> = new Map([
  ['POSTED', 'waiting'],
  ['SIGNED_BY_ALL', 'signed'],
  ['REJECTED', 'rejected'],
  ['REVOKED', 'revoked'],
]);

/** States of parties. The API documents only the first, and mentions the other two as outcomes. */
const partyStateByStatusV2: ReadonlyMap<string, PartyState> = new Map([
  ['NOT_SIGNED', 'turn'],
  ['SIGNED', 'signed'],
  ['REJECTED', 'rejected'],
]);

/**
 * Converts a v2 agreement; its wall times are read as Swedish time.
 * @param ours organisation number of the user's own company, whose party is the only one that this
 * program can sign for; null offers every company
 */
export function readAgreementV2(reply: AgreementReplyV2, ours: string | null): RemoteAgreement {
  const isOpen = reply.status === 'POSTED';
  const parties = readParties(reply, isOpen, ours);
  const timeline = timelineOfV2(reply, parties);
  const isBegun = isOpen && parties?.some(({ state }) => state === 'signed') === true;
  const isExpired = reply.status === 'REJECTED' && isRejectedByNobody(parties);
  const state = isExpired ? 'expired' : toState(stateByStatusV2, reply.status);
  return {
    id: reply.referenceNumber,
    title: shortenName(reply.name ?? ''),
    state: isBegun ? 'part-signed' : state,
    nativeState: reply.status,
    createdAt: null,
    sentAt: at(reply.postedOn),
    updatedAt: at(reply.lastModifiedOn) ?? newestTime(timeline),
    closedAt: at(reply.closedOn),
    expiresAt: at(reply.expireOn),
    deletesAt: null,
    parties,
    documents: null,
    tags: null,
    timeline,
    etag: null,
    native: toMaskedJson(reply),
  };
}

/**
 * Whether an agreement expired. The service sets an agreement that was not signed in time to
 * REJECTED. It counts as expired if every party's state is known and none is rejected (API v2,
 * "States and transitions").
 */
function isRejectedByNobody(parties: readonly Party[] | null): boolean {
  if (parties === null || parties.length === 0) return false;
  return parties.every(({ state }) => state !== 'rejected' && state !== 'unknown');
}

function readParties(
  { parties }: AgreementReplyV2,
  isOpen: boolean,
  ours: string | null,
): Party[] | null {
  if (parties === null || parties === undefined) return null;
  const companies = (parties.companies ?? []).map((reply) => ({
    ...readParty(reply, isOpen, { id: partyIdV2.company(reply), kind: 'company' }),
    orgNo: reply.orgNo ?? null,
    apiSigning: companySigning(reply.orgNo, ours),
  }));
  const privates = (parties.privates ?? []).map((reply, index) =>
    readParty(reply, isOpen, { id: partyIdV2.person(index), kind: 'person' }),
  );
  return [...companies, ...privates];
}

function readParty(
  reply: PartyReplyV2,
  isOpen: boolean,
  { id, kind }: Pick<Party, 'id' | 'kind'>,
): Party {
  const isRejected = typeof reply.rejectedOn === 'string' && reply.rejectedOn !== '';
  const state = isRejected ? 'rejected' : (partyStateByStatusV2.get(reply.status) ?? 'unknown');
  return {
    id,
    kind,
    name: shortenName(reply.name ?? ''),
    state: state === 'turn' && !isOpen ? 'waiting' : state,
    nativeState: reply.status,
    methods: [],
    order: 1,
    email: null,
    mobile: null,
    country: null,
    orgNo: null,
    signedAt: at(reply.signedOn),
    rejectedReason: null,
    apiSigning: null,
    allowedPersons: null,
  };
}

function timelineOfV2(reply: AgreementReplyV2, parties: readonly Party[] | null): TimelineEntry[] {
  const rejecting = parties?.find(({ state }) => state === 'rejected')?.name ?? null;
  return timelineOf([
    { at: at(reply.postedOn), what: 'sent', party: null },
    ...(parties ?? []).map(({ signedAt, name }) => ({
      at: signedAt,
      what: 'signed' as const,
      party: name,
    })),
    { at: at(reply.closedOn), what: 'closed', party: null },
    {
      at: at(reply.rejectedOn),
      what: isRejectedByNobody(parties) ? 'expired' : 'rejected',
      party: rejecting,
    },
    { at: at(reply.revokedOn), what: 'revoked', party: null },
  ]);
}

function at(text: string | null | undefined): number | null {
  return typeof text === 'string' ? parseV2Time(text) : null;
}

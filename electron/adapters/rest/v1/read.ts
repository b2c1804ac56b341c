import type {
  AgreementAccess,
  AgreementDocument,
  AgreementState,
  Party,
  PartyState,
  RemoteAgreement,
  TimelineEntry,
} from '../../../../shared/model/agreement.ts';
import { parseV1Time } from '../../../../shared/rules/time/wire-time.ts';
import { toMaskedJson } from '../both/mask.ts';
import { shortenName, newestTime, timelineOf, toState } from '../both/reading.ts';
import { ownerName } from './extras.ts';
import type { AgreementReplyV1, AttachmentReplyV1, PartyReplyV1 } from './table.ts';

/**
 * States by API v1, "States and transitions". `SIGNED` in the API means that other parties must
 * still sign.
 */
const stateByNativeName: ReadonlyMap<string, AgreementState> = new Map([
  ['DRAFT', 'draft'],
  ['READY_TO_SEND', 'draft'],
  ['READY_TO_SIGN', 'waiting'],
  ['SIGNED', 'part-signed'],
  ['SIGNED_BY_ALL', 'signed'],
  ['REJECTED', 'rejected'],
  ['REVOKED', 'revoked'],
  ['EXPIRED', 'expired'],
]);

const partyStateByNativeName: ReadonlyMap<string, PartyState> = new Map([
  ['DRAFT', 'draft'],
  ['WAITING_TO_SIGN', 'waiting'],
  ['READY_TO_SIGN', 'turn'],
  ['SIGNED', 'signed'],
  ['REJECTED', 'rejected'],
]);

const partyKindByNativeName: ReadonlyMap<string, Party['kind']> = new Map([
  ['COMPANY', 'company'],
  ['MY_COMPANY', 'my-company'],
]);

/** Converts a v1 agreement. A timestamp in an unknown format counts as missing. */
export function readAgreementV1(reply: AgreementReplyV1, etag: string | null): RemoteAgreement {
  const parties = reply.parties?.map(readParty) ?? null;
  const timeline = timelineOfV1(reply, parties);
  return {
    id: reply.id,
    title: shortenName(reply.title ?? ''),
    state: toState(stateByNativeName, reply.state),
    nativeState: reply.state,
    createdAt: optionalTimeOf(reply.createdOn),
    sentAt: optionalTimeOf(reply.postedOn),
    // `lastActivityOn` is not a default field of the reply; it is only present if requested by
    // name.
    updatedAt: optionalTimeOf(reply.lastActivityOn) ?? newestTime(timeline),
    closedAt: optionalTimeOf(reply.closedOn),
    expiresAt: optionalTimeOf(reply.expireOn),
    deletesAt: optionalTimeOf(reply.deleteOn),
    parties,
    documents: reply.attachments?.map(readDocument) ?? null,
    tags: reply.tags ? tagsOf(reply.tags) : null,
    timeline,
    access: accessOf(reply),
    etag,
    native: toMaskedJson(reply),
  };
}

function tagsOf(tags: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(tags).map(([key, value]) => [key, shortenName(value)]));
}

function accessOf({ sharedWith, owner, accessRights }: AgreementReplyV1): AgreementAccess {
  const ownerId = owner?.id ?? null;
  return {
    sharedWith: sharedWith ?? null,
    owner: owner && ownerId !== null ? { id: ownerId, name: ownerName(owner) } : null,
    rights:
      accessRights?.map(({ action, actorType, actorId }) => ({
        action,
        actorType: actorType ?? null,
        actorId: actorId ?? null,
      })) ?? null,
  };
}

function readParty(reply: PartyReplyV1): Party {
  const methods = reply.signingConfigurations ?? [];
  return {
    id: reply.id,
    kind: partyKindByNativeName.get(reply.type) ?? 'person',
    name: shortenName(nameOf(reply)),
    state: partyStateByNativeName.get(reply.state) ?? 'unknown',
    nativeState: reply.state,
    methods: methods.map(({ type }) => type),
    order: reply.signingOrder ?? 1,
    email: typeof reply.email === 'string' ? shortenName(reply.email) : null,
    mobile: reply.mobile ?? null,
    country: reply.country ?? null,
    orgNo: reply.companyNumber ?? null,
    signedAt: null,
    rejectedReason: reply.rejectionResult?.reason ?? null,
    apiSigning: methods.find(({ type }) => type === 'API')?.id ?? null,
    allowedPersons: null,
  };
}

function nameOf({ name, firstName, lastName }: PartyReplyV1): string {
  return name ?? [firstName, lastName].filter((part) => typeof part === 'string').join(' ');
}

function readDocument(reply: AttachmentReplyV1): AgreementDocument {
  return {
    id: reply.id ?? null,
    name: shortenName(reply.name ?? ''),
    title: typeof reply.title === 'string' ? shortenName(reply.title) : null,
    category: reply.category === 'REF_DOC' ? 'reference' : 'agreement',
    mimeType: reply.mimeType ?? null,
    bytes: reply.fileSize ?? null,
  };
}

function timelineOfV1(reply: AgreementReplyV1, parties: readonly Party[] | null): TimelineEntry[] {
  const rejecting = parties?.find(({ state }) => state === 'rejected')?.name ?? null;
  return timelineOf([
    { at: optionalTimeOf(reply.createdOn), what: 'created', party: null },
    { at: optionalTimeOf(reply.importedOn), what: 'imported', party: null },
    { at: optionalTimeOf(reply.postedOn), what: 'sent', party: null },
    { at: optionalTimeOf(reply.lastSignedOn), what: 'signed', party: null },
    { at: optionalTimeOf(reply.closedOn), what: 'closed', party: null },
    { at: optionalTimeOf(reply.rejectedOn), what: 'rejected', party: rejecting },
    { at: optionalTimeOf(reply.revokedOn), what: 'revoked', party: null },
    { at: optionalTimeOf(reply.expiredOn), what: 'expired', party: null },
  ]);
}

function optionalTimeOf(text: string | null | undefined): number | null {
  return typeof text === 'string' ? parseV1Time(text) : null;
}

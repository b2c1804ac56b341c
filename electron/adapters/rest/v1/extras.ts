import { maskPersonNumber } from '../../../../shared/rules/text/mask.ts';
import { parseV1Time } from '../../../../shared/rules/time/wire-time.ts';
import type {
  PartyExtras,
  PartyNotification,
  RemoteExtras,
} from '../../../../shared/model/remote-extras.ts';
import type {
  ExtrasReplyV1,
  MethodReplyV1,
  NotificationReplyV1,
  OwnerReplyV1,
  PartyExtrasReplyV1,
} from './extras-reply.ts';

type Maybe<Value> = Value | null | undefined;

export function readExtrasV1(reply: ExtrasReplyV1, etag: string | null): RemoteExtras {
  return {
    sharedWith: reply.sharedWith ?? null,
    owner: ownerOf(reply.owner),
    accessRights:
      reply.accessRights?.map(({ type, actorType, actorId, actorName, description, action }) => ({
        type,
        actorType: actorType ?? null,
        actorId: actorId ?? null,
        actorName: actorName ?? null,
        description: description ?? null,
        action,
      })) ?? null,
    returnLinks: reply.links?.map(({ type, href }) => ({ type, href })) ?? null,
    notifications: reply.notifications?.map(readNotification) ?? null,
    documents:
      reply.attachments?.map(({ id, name, fields }) => ({
        id: id ?? null,
        name: name ?? '',
        fields: (fields ?? []).map((one) => ({ name: one.name, value: one.value ?? null })),
      })) ?? null,
    parties: (reply.parties ?? []).map(readParty),
    etag,
  };
}

export function readNotification(reply: NotificationReplyV1): PartyNotification {
  const placeholders = Object.entries(reply.placeholders ?? {});
  return {
    id: reply.id ?? null,
    type: reply.type,
    templateId: reply.templateId ?? null,
    locale: reply.locale ?? null,
    timeZone: reply.timeZone ?? null,
    placeholders: Object.fromEntries(placeholders.map(([name, text]) => [name, text ?? ''])),
    attachPdf: reply.attachPdf ?? null,
    sendsAt: typeof reply.sendOn === 'string' ? parseV1Time(reply.sendOn) : null,
    recipients: reply.recipients?.map(({ medium, address }) => ({ medium, address })) ?? null,
  };
}

function readParty(reply: PartyExtrasReplyV1): PartyExtras {
  return {
    id: reply.id,
    personNumber: maskNumber(reply.personNumber),
    notifications: reply.notifications?.map(readNotification) ?? null,
    methods: reply.signingConfigurations?.map(readMethod) ?? null,
    identifications:
      reply.identificationConfigurations?.map(({ type, country, identifier }) => ({
        type,
        country: country ?? null,
        identifier: maskNumber(identifier),
      })) ?? null,
    signedWith: reply.signingResult?.signingConfiguration?.type ?? null,
    evidence: null,
  };
}

function readMethod({ id, type, country, provider, identifier, tbs }: MethodReplyV1) {
  return {
    id: id ?? null,
    type,
    country: country ?? null,
    provider: provider ?? null,
    identifier: maskNumber(identifier),
    sender: tbs?.sender ?? null,
    description: tbs?.description ?? null,
  };
}

function ownerOf(owner: Maybe<OwnerReplyV1>): RemoteExtras['owner'] {
  if (owner === null || owner === undefined) return null;
  return { name: ownerName(owner), email: owner.email ?? null };
}

export function ownerName({ name, firstName, lastName }: OwnerReplyV1): string {
  return name ?? [firstName, lastName].filter((part) => typeof part === 'string').join(' ');
}

function maskNumber(number: Maybe<string>): string | null {
  return typeof number === 'string' ? maskPersonNumber(number) : null;
}

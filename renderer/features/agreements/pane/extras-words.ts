import type { Party } from '../../../../shared/model/agreement.ts';
import type {
  AccessRight,
  PartyExtras,
  RemoteExtras,
} from '../../../../shared/model/remote-extras.ts';
import {
  notificationName,
  notificationText,
  recipientsText,
} from '../../../ui/notification-words.ts';
import { methodName } from '../../../ui/agreement-words.ts';
import { m } from '../../../ui/language.svelte.ts';
import { joinFacts } from '../../../ui/join-facts.ts';

interface Fact {
  readonly name: string;
  readonly value: string;
}

interface FactGroup {
  readonly title: string;
  readonly rows: readonly Fact[];
}

/** The service's names of rights; unknown ones are shown as the service names them. */
const rightNames: Readonly<Record<string, () => string>> = {
  read: m.extras_right_read,
  update: m.extras_right_update,
  delete: m.extras_right_delete,
};
const actorNames: Readonly<Record<string, () => string>> = {
  user: m.extras_actor_user,
  group: m.extras_actor_group,
  account: m.extras_actor_account,
};
const sharingTexts: Readonly<Record<string, () => string>> = {
  ALL: m.extras_shared_all,
  NONE: m.extras_shared_none,
  CUSTOM: m.extras_shared_custom,
};
const linkNames: Readonly<Record<string, () => string>> = {
  WEBFLOW_SIGNING_SUCCEEDED: m.extras_link_succeeded,
  WEBFLOW_SIGNING_REJECTED: m.extras_link_rejected,
  WEBFLOW_SIGNING_FAILED: m.extras_link_failed,
};

const wordOrText = (words: Readonly<Record<string, () => string>>, text: string): string =>
  words[text]?.() ?? text;

/** Other data of the agreement than state and parties, in groups; empty groups are omitted. */
export function extrasFacts(extras: RemoteExtras, parties: readonly Party[]): readonly FactGroup[] {
  return [
    { title: m.extras_access(), rows: accessFacts(extras) },
    ...parties.map((party) => ({
      title: party.name,
      rows: partyFacts(extras.parties.find(({ id }) => id === party.id)),
    })),
    {
      title: m.extras_notifications(),
      rows: (extras.notifications ?? []).map((notification) => ({
        name: notificationName(notification.type),
        value: joinFacts([recipientsText(notification.recipients), notificationText(notification)]),
      })),
    },
    {
      title: m.extras_links(),
      rows: (extras.returnLinks ?? []).map(({ type, href }) => ({
        name: wordOrText(linkNames, type),
        value: href,
      })),
    },
    ...(extras.documents ?? []).map(({ name, fields }) => ({
      title: m.extras_fields({ name }),
      rows: fields.map((field) => ({ name: field.name, value: field.value ?? '' })),
    })),
  ].filter(({ rows }) => rows.length > 0);
}

function accessFacts({ owner, sharedWith, accessRights }: RemoteExtras): readonly Fact[] {
  return [
    ...(owner === null
      ? []
      : [{ name: m.extras_owner(), value: joinFacts([owner.name, owner.email]) }]),
    ...(sharedWith === null
      ? []
      : [{ name: m.extras_shared(), value: wordOrText(sharingTexts, sharedWith) }]),
    ...(accessRights ?? []).map((right) => ({
      name: wordOrText(rightNames, right.action),
      value: actorOf(right),
    })),
  ];
}

const actorOf = ({ actorType, actorName, actorId, description }: AccessRight): string =>
  joinFacts([
    actorType === null ? null : wordOrText(actorNames, actorType),
    actorName ?? actorId,
    description,
  ]);

function partyFacts(party: PartyExtras | undefined): readonly Fact[] {
  if (party === undefined) return [];
  const { evidence } = party;
  return [
    ...optionalFact(m.extras_number(), party.personNumber),
    ...(party.methods ?? []).map((method) => ({
      name: m.extras_method(),
      value: joinFacts([
        ...[methodName(method.type), method.country, method.provider, method.identifier],
        ...[method.sender, method.description],
      ]),
    })),
    ...(party.identifications ?? []).map(({ type, country, identifier }) => ({
      name: m.extras_identification(),
      value: joinFacts([methodName(type), country, identifier]),
    })),
    ...optionalFact(
      m.extras_signed_with(),
      party.signedWith === null ? null : methodName(party.signedWith),
    ),
    ...(evidence === null
      ? []
      : [
          ...optionalFact(m.extras_ip(), evidence.clientIpAddress),
          ...optionalFact(
            m.extras_certificate(),
            joinFacts([evidence.certNotValidBefore, evidence.certNotValidAfter]),
          ),
          { name: m.extras_proof(), value: proofText(evidence) },
        ]),
  ];
}

const optionalFact = (name: string, value: string | null): readonly Fact[] =>
  value === null || value === '' ? [] : [{ name, value }];

const proofText = ({ hasSignature, hasOcsp }: NonNullable<PartyExtras['evidence']>): string =>
  joinFacts([
    hasSignature ? m.extras_proof_signature() : null,
    hasOcsp ? m.extras_proof_ocsp() : null,
  ]) || m.extras_proof_none();

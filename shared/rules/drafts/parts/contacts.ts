import type {
  ContactCounts,
  DraftBodyV1,
  DraftBodyV2,
  DraftCheck,
  DraftContent,
} from '../../../contract/drafts.ts';
import type { PartyV1 } from '../../../model/agreement-v1.ts';
import { textOrNullIfEmpty } from './findings.ts';

type Recipient = DraftCheck['recipients'][number];
type NotificationV1 = NonNullable<PartyV1['notifications']>[number];

/** Recipient of a notification and the person it reaches: two messages may reach one person. */
export interface Contact {
  readonly person: string;
  readonly recipient: Recipient;
  /** Notification block of the message (v1); null for the service's standard messages. */
  readonly block: NotificationV1 | null;
}

/** Recipients of the invitation to sign, as the API texts describe them. */
interface Invitations {
  /** The parties in the order of the body; in v2, persons are first. */
  readonly parties: readonly {
    /** Whether the party is notified as soon as the service accepts the agreement. */
    readonly isFirst: boolean;
    readonly contacts: readonly Contact[];
  }[];
  /**
   * Recipients that are not parties: the owner of the account (v1) and the additional recipients
   * (v2). Only the service knows the owner's name and address, which are empty here.
   */
  readonly others: readonly Contact[];
}

export function invitationsOf(content: DraftContent): Invitations {
  return content.api === 'v1' ? invitationsV1(content.body) : invitationsV2(content.body);
}

/**
 * People notified as soon as the service accepts an agreement: the parties of the first signing
 * order, and the recipients that are not parties.
 */
export function contactsOf(content: DraftContent): readonly Contact[] {
  const { parties, others } = invitationsOf(content);
  return [...parties.flatMap(({ isFirst, contacts }) => (isFirst ? contacts : [])), ...others];
}

/**
 * Names of the notified people, each once; an address for a person without a name, and '' for the
 * owner of the account.
 */
export function notifiedPeople(contacts: readonly Contact[]): readonly string[] {
  const names = new Map<string, string>();
  for (const { person, recipient } of contacts) {
    const { name, address } = recipient;
    if (!names.has(person)) names.set(person, person === address ? address : name || address);
  }
  return [...names.values()];
}

/**
 * Keys of the notified people, each once. The same name with the same addresses has the same key in
 * every agreement, and so has the owner of the account.
 */
export function notifiedPersonKeys(contacts: readonly Contact[]): readonly string[] {
  const people = new Map<string, string[]>();
  for (const { person, recipient } of contacts) {
    const texts = people.get(person) ?? [recipient.name];
    people.set(person, [...texts, recipient.address]);
  }
  return [...people.values()].map(([name = '', ...addresses]) =>
    [name, ...new Set(addresses.toSorted())].join('\n').toLowerCase(),
  );
}

/** Invitations of API v1, by the blocks of type `READY_TO_SIGN`. */
function invitationsV1(body: DraftBodyV1): Invitations {
  const isFirst = inFirstOrder(body.parties);
  return {
    parties: body.parties.map((party, index) => ({
      isFirst: isFirst(party),
      contacts: contactsOfPartyV1(party, index),
    })),
    others: contactsFromBlocks(body.notifications, 'owner', '', ''),
  };
}

/** People notified when it is the turn of a party of v1; empty if no person is notified. */
function contactsOfPartyV1(party: PartyV1, index: number): readonly Contact[] {
  return contactsFromBlocks(
    party.notifications,
    `party ${index}`,
    nameV1(party),
    textOrNullIfEmpty(party.email),
  );
}

/**
 * Invitations of API v2, which are emails. No one is notified if `notificationMessages` exists
 * without `posted`.
 */
function invitationsV2(body: DraftBodyV2): Invitations {
  const parties = [...body.parties.privates, ...body.parties.companies];
  const isFirst = inFirstOrder(parties);
  const messages = body.notificationMessages;
  const posted = messages?.find(({ type }) => type === 'posted');
  const isSilent = messages !== undefined && posted === undefined;
  const contacts = (one: NamedAddress, person: string): readonly Contact[] => {
    const address = textOrNullIfEmpty(one.email);
    if (isSilent || address === null) return [];
    return [{ person, recipient: email(fullName(one) || address, address), block: null }];
  };
  const others = posted?.additionalRecipients ?? [];
  return {
    parties: parties.map((party, index) => ({
      isFirst: isFirst(party),
      contacts: contacts(party, `party ${index}`),
    })),
    others: others.flatMap((one, index) => contacts(one, `other ${index}`)),
  };
}

interface NamedAddress {
  readonly firstName?: string | undefined;
  readonly lastName?: string | undefined;
  readonly email?: string | undefined;
}

/** Returns whether a party is in the first signing order (both APIs, "signingOrder"). */
function inFirstOrder(
  parties: readonly { readonly signingOrder?: number | undefined }[],
): (party: { readonly signingOrder?: number | undefined }) => boolean {
  const first = Math.min(...parties.map(({ signingOrder = 1 }) => signingOrder));
  return ({ signingOrder = 1 }) => signingOrder === first;
}

export function countContacts(contacts: readonly Contact[]): ContactCounts {
  const by = (medium: Recipient['medium']) =>
    contacts.filter(({ recipient }) => recipient.medium === medium).length;
  return {
    people: notifiedPeople(contacts).length,
    emails: by('email'),
    sms: by('sms'),
  };
}

/** Name of the party as in the draft; the service adds the account's data to `MY_COMPANY`. */
export function nameV1(party: PartyV1): string {
  return textOrNullIfEmpty(party.name) ?? fullName(party);
}

export function fullName(one: Omit<NamedAddress, 'email'>): string {
  const parts = [one.firstName, one.lastName].map((part = '') => part.trim());
  return parts.filter((part) => part !== '').join(' ');
}

/**
 * People notified by the blocks of a party or the owner (API v1, "Rules for the `notifications`
 * array"). If the blocks are absent, the usual address is notified; if the list is empty, no one.
 */
function contactsFromBlocks(
  blocks: readonly NotificationV1[] | undefined,
  person: string,
  name: string,
  usual: string | null,
): readonly Contact[] {
  const usually = (block: NotificationV1 | null): readonly Contact[] =>
    usual === null ? [] : [{ person, recipient: email(name, usual), block }];
  if (blocks === undefined) return usually(null);
  return blocks
    .filter(({ type }) => type === 'READY_TO_SIGN')
    .flatMap((block) => {
      const { recipients = [] } = block;
      if (recipients.length === 0) return usually(block);
      return recipients.flatMap(({ medium, address }): Contact[] => {
        if (medium === 'WEBHOOK') return [];
        const isOther = usual !== null && medium === 'EMAIL' && address !== usual;
        const recipient = { name, medium: medium === 'SMS' ? 'sms' : 'email', address } as const;
        return [{ person: isOther ? address : person, recipient, block }];
      });
    });
}

function email(name: string, address: string): Recipient {
  return { name, medium: 'email', address };
}

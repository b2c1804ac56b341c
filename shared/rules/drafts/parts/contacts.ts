import type {
  ContactCounts,
  DraftBodyV1,
  DraftBodyV2,
  DraftCheck,
} from '../../../contract/drafts.ts';
import type { PartyV1 } from '../../../model/agreement-v1.ts';
import { textOrNullIfEmpty } from './findings.ts';

type Recipient = DraftCheck['recipients'][number];
type NotificationV1 = NonNullable<PartyV1['notifications']>[number];

/** Recipient of a notification and the person it reaches: two messages may reach one person. */
interface Contact {
  readonly person: string;
  readonly recipient: Recipient;
}

/**
 * People notified as soon as API v1 accepts an agreement: the parties of the first signing order
 * and the owner, by the blocks of type `READY_TO_SIGN`. Only the service knows the owner's address,
 * so the owner has an empty name and address in the result.
 */
export function contactsV1(body: DraftBodyV1): readonly Contact[] {
  const first = Math.min(...body.parties.map(({ signingOrder = 1 }) => signingOrder));
  const parties = body.parties.flatMap((party, index) =>
    (party.signingOrder ?? 1) === first ? contactsOfPartyV1(party, index) : [],
  );
  return [...parties, ...contactsFromBlocks(body.notifications, 'owner', '', '')];
}

/** Whether a recipient is the owner, whose name and address only the service knows. */
export function isOwner({ name, address }: Recipient): boolean {
  return name === '' && address === '';
}

/** People notified when it is the turn of a party of v1; empty if no person is notified. */
export function contactsOfPartyV1(party: PartyV1, index: number): readonly Contact[] {
  return contactsFromBlocks(
    party.notifications,
    `party ${index}`,
    nameV1(party),
    textOrNullIfEmpty(party.email),
  );
}

/**
 * People notified by email as soon as API v2 accepts an agreement: the parties of the first order
 * and the additional recipients. No one is notified if `notificationMessages` exists without
 * `posted`.
 */
export function contactsV2(body: DraftBodyV2): readonly Contact[] {
  const messages = body.notificationMessages;
  const posted = messages?.find(({ type }) => type === 'posted');
  if (messages !== undefined && posted === undefined) return [];
  const parties = [...body.parties.privates, ...body.parties.companies];
  const first = Math.min(...parties.map(({ signingOrder = 1 }) => signingOrder));
  const waiting = parties.filter(({ signingOrder = 1 }) => signingOrder === first);
  const others = posted?.additionalRecipients ?? [];
  return [...waiting, ...others].flatMap((one, index) => {
    const address = textOrNullIfEmpty(one.email);
    if (address === null) return [];
    return [{ person: `person ${index}`, recipient: email(fullName(one) || address, address) }];
  });
}

export function countContacts(contacts: readonly Contact[]): ContactCounts {
  const by = (medium: Recipient['medium']) =>
    contacts.filter(({ recipient }) => recipient.medium === medium).length;
  return {
    people: new Set(contacts.map(({ person }) => person)).size,
    emails: by('email'),
    sms: by('sms'),
  };
}

/** Name of the party as in the draft; the service adds the account's data to `MY_COMPANY`. */
export function nameV1(party: PartyV1): string {
  return textOrNullIfEmpty(party.name) ?? fullName(party);
}

export function fullName(one: {
  readonly firstName?: string | undefined;
  readonly lastName?: string | undefined;
}): string {
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
  const usually = usual === null ? [] : [{ person, recipient: email(name, usual) }];
  if (blocks === undefined) return usually;
  return blocks
    .filter(({ type }) => type === 'READY_TO_SIGN')
    .flatMap(({ recipients = [] }) => {
      if (recipients.length === 0) return usually;
      return recipients.flatMap(({ medium, address }): Contact[] => {
        if (medium === 'WEBHOOK') return [];
        const isOther = usual !== null && medium === 'EMAIL' && address !== usual;
        const recipient = { name, medium: medium === 'SMS' ? 'sms' : 'email', address } as const;
        return [{ person: isOther ? address : person, recipient }];
      });
    });
}

function email(name: string, address: string): Recipient {
  return { name, medium: 'email', address };
}

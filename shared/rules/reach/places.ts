import type { DraftBodyV1, DraftBodyV2 } from '../../contract/drafts.ts';
import type { CreateBodyV1 } from '../../model/agreement-v1.ts';
import type { CreateBodyV2 } from '../../model/agreement-v2.ts';
import { isAllowed, isAllowedHost } from '../identifiers/allowed.ts';

/** Path of each single value in a body; `[]` means each item of a list, `*` any key. */
type LeafPathOf<Value, Path extends string = ''> = Value extends
  | string
  | number
  | boolean
  | null
  | undefined
  ? Path
  : Value extends readonly (infer Item)[]
    ? LeafPathOf<Item, `${Path}[]`>
    : string extends keyof Value
      ? `${Path}.*`
      : {
          [Key in keyof Value & string]-?: LeafPathOf<
            NonNullable<Value[Key]>,
            Path extends '' ? Key : `${Path}.${Key}`
          >;
        }[keyof Value & string];

/**
 * Way in which the service contacts someone through a value. `code`: a number for one-time codes,
 * except for an eID, whose identifier is a personal number. `medium`: depends on the property
 * `medium` next to the value. `host`: a webhook URL.
 */
type RecipientKind = 'contact' | 'code' | 'medium' | 'host' | 'nobody';

/**
 * Kinds of all values in API v1, "Agreement (request body of create)". All paths are listed, so
 * that no new path is missed.
 * @internal
 */
export const valueKindsV1 = {
  title: 'nobody',
  expireOn: 'nobody',
  deleteOn: 'nobody',
  'configurations[].type': 'nobody',
  'configurations[].locale': 'nobody',
  'configurations[].timeZone': 'nobody',
  'configurations[].sendExpiryReminderOn': 'nobody',
  'configurations[].enabled': 'nobody',
  'configurations[].visible': 'nobody',
  'configurations[].x': 'nobody',
  'configurations[].y': 'nobody',
  'configurations[].rotation': 'nobody',
  'configurations[].companyName': 'nobody',
  'configurations[].companyShortName': 'nobody',
  'attachments[].type': 'nobody',
  'attachments[].name': 'nobody',
  'attachments[].title': 'nobody',
  'attachments[].data': 'nobody',
  'attachments[].file': 'nobody',
  'attachments[].merge': 'nobody',
  'attachments[].token': 'nobody',
  'attachments[].lastModifiedOn': 'nobody',
  'attachments[].fields[].name': 'nobody',
  'attachments[].fields[].value': 'nobody',
  'attachments[].category': 'nobody',
  'parties[].type': 'nobody',
  'parties[].firstName': 'nobody',
  'parties[].lastName': 'nobody',
  'parties[].name': 'nobody',
  'parties[].email': 'contact',
  'parties[].mobile': 'contact',
  'parties[].country': 'nobody',
  'parties[].personNumber': 'nobody',
  'parties[].companyNumber': 'nobody',
  'parties[].signingOrder': 'nobody',
  'parties[].configurations[].type': 'nobody',
  'parties[].configurations[].locale': 'nobody',
  'parties[].configurations[].timeZone': 'nobody',
  'parties[].configurations[].sendExpiryReminderOn': 'nobody',
  'parties[].signingConfigurations[].type': 'nobody',
  'parties[].signingConfigurations[].country': 'nobody',
  'parties[].signingConfigurations[].provider': 'nobody',
  'parties[].signingConfigurations[].identifier': 'code',
  'parties[].signingConfigurations[].actionType': 'nobody',
  'parties[].signingConfigurations[].tbs.sender': 'nobody',
  'parties[].signingConfigurations[].tbs.description': 'nobody',
  'parties[].identificationConfigurations[].type': 'nobody',
  'parties[].identificationConfigurations[].country': 'nobody',
  'parties[].identificationConfigurations[].identifier': 'code',
  'parties[].notifications[].type': 'nobody',
  'parties[].notifications[].templateId': 'nobody',
  'parties[].notifications[].locale': 'nobody',
  'parties[].notifications[].timeZone': 'nobody',
  'parties[].notifications[].placeholders.*': 'nobody',
  'parties[].notifications[].attachPdf': 'nobody',
  'parties[].notifications[].recipients[].medium': 'nobody',
  'parties[].notifications[].recipients[].address': 'medium',
  'notifications[].type': 'nobody',
  'notifications[].templateId': 'nobody',
  'notifications[].locale': 'nobody',
  'notifications[].timeZone': 'nobody',
  'notifications[].placeholders.*': 'nobody',
  'notifications[].attachPdf': 'nobody',
  'notifications[].recipients[].medium': 'nobody',
  'notifications[].recipients[].address': 'medium',
  // Members of the account see the agreement in their list; the service does not notify them.
  'accessRights[].type': 'nobody',
  'accessRights[].actorType': 'nobody',
  'accessRights[].actorId': 'nobody',
  'accessRights[].actorName': 'nobody',
  'accessRights[].description': 'nobody',
  'accessRights[].action': 'nobody',
  'links[].type': 'nobody',
  // Page that a party's browser opens after signing; the service does not call it.
  'links[].href': 'nobody',
  'tags.*': 'nobody',
} as const satisfies Record<LeafPathOf<CreateBodyV1> | LeafPathOf<DraftBodyV1>, RecipientKind>;

/** Kinds of all values in API v2, "Agreement request (create)". @internal */
export const valueKindsV2 = {
  name: 'nobody',
  type: 'nobody',
  expireIn: 'nobody',
  drawSignature: 'nobody',
  hideUnsigned: 'nobody',
  signatureMessage: 'nobody',
  'additionalTBS.senderInfo': 'nobody',
  'additionalTBS.description': 'nobody',
  'notificationMessages[].type': 'nobody',
  'notificationMessages[].additionalText': 'nobody',
  'notificationMessages[].additionalRecipients[].firstName': 'nobody',
  'notificationMessages[].additionalRecipients[].lastName': 'nobody',
  'notificationMessages[].additionalRecipients[].email': 'contact',
  allowEmailSigning: 'nobody',
  'reminders[].date': 'nobody',
  'reminders[].emails[]': 'contact',
  'reminders[].message': 'nobody',
  'parties.privates[].personNo': 'nobody',
  'parties.privates[].firstName': 'nobody',
  'parties.privates[].lastName': 'nobody',
  'parties.privates[].email': 'contact',
  'parties.privates[].mobile': 'contact',
  'parties.privates[].signMethods[]': 'nobody',
  'parties.privates[].signingOrder': 'nobody',
  'parties.privates[].signMetadata[].attachmentIndex': 'nobody',
  'parties.privates[].signMetadata[].signatureFields[]': 'nobody',
  'parties.companies[].orgNo': 'nobody',
  'parties.companies[].firstName': 'nobody',
  'parties.companies[].lastName': 'nobody',
  'parties.companies[].email': 'contact',
  'parties.companies[].mobile': 'contact',
  'parties.companies[].signMethods[]': 'nobody',
  'parties.companies[].signingOrder': 'nobody',
  'parties.companies[].signMetadata[].attachmentIndex': 'nobody',
  'parties.companies[].signMetadata[].signatureFields[]': 'nobody',
  'parties.companies[].allowedPersons[].personNo': 'nobody',
  'parties.companies[].allowedPersons[].firstName': 'nobody',
  'parties.companies[].allowedPersons[].lastName': 'nobody',
  'parties.companies[].allowedPersons[].email': 'contact',
  text: 'nobody',
  'dynamicPdf.templateId': 'nobody',
  'dynamicPdf.fields[].name': 'nobody',
  'dynamicPdf.fields[].value': 'nobody',
  'attachments[].name': 'nobody',
  'attachments[].data': 'nobody',
  'attachments[].file': 'nobody',
  'attachments[].token': 'nobody',
  'attachments[].fields[].name': 'nobody',
  'attachments[].fields[].value': 'nobody',
  'webhook.events[]': 'nobody',
  'webhook.url': 'host',
} as const satisfies Record<LeafPathOf<CreateBodyV2> | LeafPathOf<DraftBodyV2>, RecipientKind>;

/** Person or webhook that the service contacts; `at` is the path in the body. */
export interface ContactedRecipient {
  readonly at: string;
  readonly address: string;
  readonly isHost: boolean;
}

/** Everyone in a create body who is contacted, now or later; also values at unknown paths. */
export function recipientAddressesIn(
  api: 'v1' | 'v2',
  body: object,
): readonly ContactedRecipient[] {
  const places: Readonly<Record<string, RecipientKind>> =
    api === 'v1' ? valueKindsV1 : valueKindsV2;
  const reached: ContactedRecipient[] = [];
  const walk = (value: unknown, at: string, place: string, beside: object): void => {
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) {
        walk(item, `${at}.${index}`, `${place}[]`, beside);
      }
    } else if (typeof value === 'object' && value !== null) {
      const isOpen = places[`${place}.*`] !== undefined;
      for (const [key, inside] of Object.entries(value)) {
        const prefix = place === '' ? '' : `${place}.`;
        const path = at === '' ? key : `${at}.${key}`;
        walk(inside, path, `${prefix}${isOpen ? '*' : key}`, value);
      }
    } else if (typeof value === 'string' && value.trim() !== '') {
      const by = contactKindOf(places[place] ?? 'contact', beside);
      if (by !== null) reached.push({ at, address: value, isHost: by === 'host' });
    }
  };
  walk(body, '', '', {});
  return reached;
}

/** Determines by the values next to it how a value is used; null if no one is contacted. */
function contactKindOf(by: RecipientKind, beside: object): 'contact' | 'host' | null {
  switch (by) {
    case 'nobody':
      return null;
    case 'code':
      return 'type' in beside && beside.type === 'EID' ? null : 'contact';
    case 'medium':
      return 'medium' in beside && beside.medium === 'WEBHOOK' ? 'host' : 'contact';
    case 'contact':
    case 'host':
      return by;
  }
}

/** Recipients that are not allowed; null instead of a list allows everyone. */
export function unallowedAddressesIn(
  reached: readonly ContactedRecipient[],
  allowed: readonly string[] | null,
): readonly ContactedRecipient[] {
  if (allowed === null) return [];
  return reached.filter(({ address, isHost }) =>
    isHost ? !isAllowedHost(address, allowed) : !isAllowed(address, allowed),
  );
}

import { createHash } from 'node:crypto';
import { owners } from '../state/account.ts';
import { toCompactStamp } from '../server/stamps.ts';
import { defaultResponseShape, type ResourceType, type Shape } from './query.ts';
import type {
  AccessRight,
  Agreement,
  Attachment,
  Notification,
  Party,
  SigningConfiguration,
} from '../state/record-v1.ts';

type Json = Readonly<Record<string, unknown>>;

const DEFAULT_LIST_FIELDS = [
  'id',
  'title',
  'state',
  'createdOn',
  'closedOn',
  'rejectedOn',
  'revokedOn',
  'expiredOn',
  'expireOn',
  'deleteOn',
  'lastSignedOn',
  'sharedWith',
];

export function viewAgreement(agreement: Agreement, shape: Shape): Json {
  return viewResource(agreement, shape, DEFAULT_LIST_FIELDS);
}

/** Returns an agreement as an item of a list, which also has `postedOn`. */
export function viewListItem(agreement: Agreement, shape: Shape): Json {
  return viewResource(agreement, shape, [...DEFAULT_LIST_FIELDS, 'postedOn']);
}

export function viewNotification(
  notification: Notification,
  shape: Shape = defaultResponseShape,
): Json {
  const { id, type, templateId, locale, timeZone, placeholders, attachPdf } = notification;
  const sendOn = stampOrNull(notification.sendOn);
  const recipients = notification.recipients;
  return pickFields('notification', shape, {
    id,
    type,
    templateId,
    locale,
    timeZone,
    placeholders,
    attachPdf,
    sendOn,
    recipients,
  });
}

function viewResource(agreement: Agreement, shape: Shape, usual: readonly string[]): Json {
  const all: Record<string, unknown> = {
    id: agreement.id,
    title: agreement.title,
    state: agreement.state,
    sharedWith: sharedWith(agreement.accessRights),
  };
  for (const key of [
    'createdOn',
    'lastActivityOn',
    'postedOn',
    'closedOn',
    'rejectedOn',
    'revokedOn',
    'expiredOn',
    'expireOn',
    'deleteOn',
    'lastSignedOn',
    'importedOn',
  ] as const) {
    all[key] = stampOrNull(agreement[key]);
  }
  const parts = viewParts(agreement, shape);
  const chosen = shape.fields.get('agreement');
  if (chosen !== undefined) return withoutNulls({ ...all, ...parts }, (key) => chosen.has(key));
  return withoutNulls(
    { ...all, ...parts },
    (key) => usual.includes(key) || Object.hasOwn(parts, key),
  );
}

function viewParts(agreement: Agreement, shape: Shape): Json {
  const parts: Readonly<Record<string, () => unknown>> = {
    attachments: () => agreement.attachments.map((one) => viewAttachment(one, shape)),
    parties: () => agreement.parties.map((one) => viewParty(agreement, one, shape)),
    notifications: () => agreement.notifications.map((one) => viewNotification(one, shape)),
    accessRights: () =>
      agreement.accessRights.map((one) => pickFields('accessRight', shape, { ...one })),
    links: () => agreement.links.map((one) => pickFields('link', shape, { ...one })),
    tags: () => agreement.tags,
    owner: () => viewOwner(agreement.ownerId, shape),
  };
  const wanted = Object.entries(parts).filter(([key]) => shape.includes.has(key));
  return Object.fromEntries(wanted.map(([key, make]) => [key, make()]));
}

function viewAttachment(attachment: Attachment, shape: Shape): Json {
  const { id, name, title, mimeType, fileSize, category } = attachment;
  const fields = attachment.fields.map((field) => pickFields('field', shape, { ...field }));
  return pickFields('attachment', shape, {
    id,
    name,
    title,
    mimeType,
    fileSize,
    category,
    lastModifiedOn: stampOrNull(attachment.lastModifiedOn),
    fields: shape.includes.has('attachments.fields') ? fields : null,
  });
}

function viewParty(agreement: Agreement, party: Party, shape: Shape): Json {
  const { id, type, firstName, lastName, name, email, mobile, country, state } = party;
  const has = (part: string) => shape.includes.has(`parties.${part}`);
  const methods = party.signingConfigurations.map((one) => viewMethod(one, shape));
  const used = party.signingConfigurations.find((one) => one.id === party.signedWith);
  const notifications = party.notifications.map((one) => viewNotification(one, shape));
  const gates = party.identificationConfigurations.map((one) =>
    pickFields('identificationConfiguration', shape, { ...one }),
  );
  const link = { type: 'WEBFLOW_SIGNING', href: signingLink(agreement, party) };
  const { personNumber, companyNumber, signingOrder, configurations } = party;
  return pickFields('party', shape, {
    id,
    type,
    firstName,
    lastName,
    name,
    email,
    mobile,
    country,
    state,
    personNumber,
    companyNumber,
    signingOrder,
    configurations,
    signingConfigurations: has('signingConfigurations') ? methods : null,
    identificationConfigurations: has('identificationConfigurations') ? gates : null,
    notifications: has('notifications') ? notifications : null,
    links: has('links') ? [pickFields('link', shape, link)] : null,
    signingResult:
      has('signingResult') && used !== undefined
        ? { signingConfiguration: viewMethod(used, shape) }
        : null,
    rejectionResult:
      has('rejectionResult') && party.rejectionReason !== null
        ? { reason: party.rejectionReason }
        : null,
  });
}

function viewMethod(method: SigningConfiguration, shape: Shape): Json {
  const hasTbs = shape.includes.has('parties.signingConfigurations.tbs');
  const tbs = hasTbs && method.tbs !== null ? withoutNulls(method.tbs, () => true) : null;
  return pickFields('signingConfiguration', shape, { ...method, tbs });
}

function viewOwner(ownerId: string, shape: Shape): Json {
  const owner = owners.find(({ id }) => id === ownerId);
  const links = [{ type: 'SELF', href: `/v1/users/${ownerId}` }];
  return pickFields('owner', shape, {
    ...owner,
    links: shape.includes.has('owner.links') ? links : null,
  });
}

function sharedWith(rights: readonly AccessRight[]): 'ALL' | 'NONE' | 'CUSTOM' {
  if (rights.some(({ actorType }) => actorType === 'account')) return 'ALL';
  return rights.length === 0 ? 'NONE' : 'CUSTOM';
}

/**
 * Returns a party's signing link. Every party has its own, which cannot be guessed from another
 * party's.
 */
function signingLink(agreement: Agreement, party: Party): string {
  const secret = createHash('sha256').update(`${agreement.id}/${party.id}`).digest('base64url');
  return `https://sign.example.com/${secret.slice(0, 32)}`;
}

function pickFields(type: ResourceType, shape: Shape, all: Json): Json {
  const chosen = shape.fields.get(type);
  return withoutNulls(all, (key) => chosen === undefined || chosen.has(key));
}

function withoutNulls(all: Json, isWanted: (key: string) => boolean): Json {
  return Object.fromEntries(
    Object.entries(all).filter(([key, value]) => value !== null && isWanted(key)),
  );
}

function stampOrNull(at: number | null): string | null {
  return at === null ? null : toCompactStamp(at);
}

import { salesGroup } from '../state/account.ts';
import type { Place } from '../server/body.ts';
import { lengthOf } from '../server/formats.ts';
import { readReminder, timeZoneRule, urlRule, type Draft } from './draft.ts';
import type { AccessRight, Configuration } from '../state/record-v1.ts';

const MAX_SHORT_NAME_LENGTH = 11;
const MAX_TAG_COUNT = 100;
const MAX_TAG_KEY_LENGTH = 128;
const MAX_TAG_VALUE_LENGTH = 256;
const TAG_CHARACTERS = /^[\p{L}\p{Nd}\s+\-=._:/]*$/u;

type FieldReader = (place: Place, draft: Draft) => string | number | boolean | null;

const readText: FieldReader = (place) => place.text();
const readFlag: FieldReader = (place) => place.flag();
const readNumber: FieldReader = (place) => place.number();
const regionalReaders = {
  locale: readText,
  timeZone: (place: Place) => place.text(timeZoneRule),
} satisfies Record<string, FieldReader>;
const notificationReaders = {
  ...regionalReaders,
  sendExpiryReminderOn: (place: Place, draft: Draft) =>
    readReminder(place, draft) === null ? null : place.text(),
} satisfies Record<string, FieldReader>;

/** Fields of each type of agreement configuration (API v1, "Configuration"). */
const agreementConfigurationReaders: Readonly<
  Record<string, Readonly<Record<string, FieldReader>>>
> = {
  DEFAULT: regionalReaders,
  NOTIFICATION: notificationReaders,
  CONTAINER: regionalReaders,
  REVIEW_DETAILS: { enabled: readFlag, visible: readFlag },
  WATERMARK: { x: readNumber, y: readNumber, rotation: readNumber },
  OWNER_DETAILS: {
    companyName: readText,
    companyShortName: (place) => place.text({ max: MAX_SHORT_NAME_LENGTH }),
  },
  PDF_SEALING: { enabled: readFlag },
  REJECTION: { enabled: readFlag },
};
const partyConfigurationReaders: typeof agreementConfigurationReaders = {
  NOTIFICATION: notificationReaders,
};

export function readConfigurations(place: Place, draft: Draft): Configuration[] {
  return place.items().map((item) => readConfiguration(item, agreementConfigurationReaders, draft));
}

export function readPartyConfigurations(place: Place, draft: Draft): Configuration[] {
  return place.items().map((item) => readConfiguration(item, partyConfigurationReaders, draft));
}

function readConfiguration(
  item: Place,
  types: typeof agreementConfigurationReaders,
  draft: Draft,
): Configuration {
  const every = Object.values(agreementConfigurationReaders).flatMap((fields) =>
    Object.keys(fields),
  );
  item.object(['type', ...every]);
  const type = item.get('type').needText();
  const fields = types[type];
  if (fields === undefined) {
    if (type !== '')
      item.get('type').refuse('choice', `Must be one of ${Object.keys(types).join(', ')}.`);
    return { type };
  }
  const read: Record<string, string | number | boolean> = { type };
  for (const key of item.keys().filter((one) => one !== 'type')) {
    const value = fields[key]?.(item.get(key), draft);
    if (value === undefined) item.get(key).forbid(`Not a field of ${type}.`);
    else if (value !== null) read[key] = value;
  }
  return read;
}

export function readLinks(place: Place): { type: string; href: string }[] {
  return place.items().map((item) => {
    item.object(['type', 'href']);
    const type = item
      .get('type')
      .needChoice([
        'WEBFLOW_SIGNING_SUCCEEDED',
        'WEBFLOW_SIGNING_REJECTED',
        'WEBFLOW_SIGNING_FAILED',
      ]);
    return { type, href: item.get('href').needText(urlRule) };
  });
}

export function readAccessRights(place: Place, draft: Draft): AccessRight[] {
  const known = [...draft.store.groups.values(), salesGroup].map(({ id, name }) => ({ id, name }));
  return place.items().map((item) => {
    item.object(['type', 'actorType', 'actorId', 'actorName', 'description', 'action']);
    const type = item.get('type').needChoice(['GRANT_BY_ID', 'GRANT_BY_NAME']);
    const actorType = item.get('actorType').needChoice(['user', 'group', 'account']);
    if (type === 'GRANT_BY_NAME' && actorType !== 'group') {
      item.get('actorType').refuse('not-applicable', 'Only groups can be named.');
    }
    const actorId = type === 'GRANT_BY_ID' ? item.get('actorId').needText() : null;
    const actorName =
      type === 'GRANT_BY_NAME'
        ? item.get('actorName').needText()
        : (known.find(({ id }) => id === actorId)?.name ?? null);
    const named = known.find(({ name }) => name === actorName)?.id ?? draft.store.uuid();
    if (type === 'GRANT_BY_NAME' && actorName !== null) known.push({ id: named, name: actorName });
    return {
      id: draft.store.uuid(),
      type,
      actorType,
      actorId: actorId ?? named,
      actorName,
      description: item.get('description').text(),
      action: item.get('action').needChoice(['read', 'update', 'delete']),
    };
  });
}

/** Reads tags: pairs of name and value (API v1, "Tags"). */
export function readTags(place: Place): Record<string, string> {
  const keys = place.keys();
  if (place.isPresent) place.object(keys);
  if (keys.length > MAX_TAG_COUNT)
    place.refuse('length', `At most ${String(MAX_TAG_COUNT)} tags are allowed.`);
  const tags: [string, string][] = keys.map((key) => {
    const value = place.get(key).text({ max: MAX_TAG_VALUE_LENGTH, allowEmpty: true }) ?? '';
    checkTagText(place.get(key), key);
    checkTagText(place.get(key), value);
    if (key === '' || lengthOf(key) > MAX_TAG_KEY_LENGTH) {
      place
        .get(key)
        .refuse('length', `A tag key has 1 to ${String(MAX_TAG_KEY_LENGTH)} characters.`);
    }
    if (/^egr:/i.test(key))
      place.get(key).refuse('not-applicable', "The prefix 'egr:' is reserved.");
    return [key, value];
  });
  return Object.fromEntries(tags);
}

function checkTagText(place: Place, text: string): void {
  if (!TAG_CHARACTERS.test(text)) place.refuse('format', 'Has a character tags cannot hold.');
  if (text !== text.trim()) place.refuse('format', 'Leading or trailing space is not allowed.');
}

import type { DraftBodyV1, DraftBodyV2, DraftFile } from '../../../contract/drafts.ts';
import type { Loss } from '../../../contract/draft-history.ts';
import type { PartyV1, SigningConfigurationV1 } from '../../../model/agreement-v1.ts';
import type { PrivatePartyV2, SigningMethodV2 } from '../../../model/agreement-v2.ts';
import { dayOf } from '../../time/days.ts';
import { nameV1 } from '../parts/contacts.ts';
import { isPdf } from '../parts/documents.ts';
import { textOrNullIfEmpty } from '../parts/findings.ts';
import { toSpacedMobile } from '../../identifiers/phone.ts';
import { signatureOf } from '../../forms/signature-text.ts';
import { parseV1Time } from '../../time/wire-time.ts';
import { DAY } from '../../time/units.ts';

/** Maximum of `expireIn` in days (API v2, "Agreement request (create)"). */
const MAX_DAYS = 99;
/**
 * Country of personal numbers and mobile numbers in API v2, a Swedish service, unless specified.
 */
const DEFAULT_COUNTRY_V2 = 'SE';

type RecordLoss = (code: Loss['code'], about?: string) => void;
type Contact = Omit<PrivatePartyV2, 'personNo'>;
type AttachmentV2 = NonNullable<DraftBodyV2['attachments']>[number];

/** Converts a draft to API v2, and lists what is lost. */
export function toBodyV2(
  body: DraftBodyV1,
  files: readonly DraftFile[],
  now: number,
): { readonly body: DraftBodyV2; readonly losses: readonly Loss[] } {
  const losses: Loss[] = [];
  const lose: RecordLoss = (code, about = '') => {
    losses.push({ code, about });
  };
  const attachments = body.attachments.flatMap((one) => toAttachment(one, files, lose));
  const draws = drawnPlaces(body, attachments);
  const parties: DraftBodyV2['parties'] = { privates: [], companies: [] };
  for (const [index, party] of body.parties.entries()) {
    const contact = { ...toContact(party, lose), ...placesOf(draws, index) };
    if (party.type === 'PRIVATE') {
      parties.privates.push({ ...contact, ...personNoOf(party, lose) });
    } else {
      const orgNo = textOrNullIfEmpty(party.companyNumber);
      lose(party.type === 'MY_COMPANY' ? 'own-company' : 'company-contact', nameV1(party));
      parties.companies.push({ ...contact, ...(orgNo !== null && { orgNo }) });
    }
  }
  const isDrawn = body.parties.some(({ signingConfigurations: all }) =>
    all.some(({ type }) => type === 'DRAW'),
  );
  recordRemainingLosses(body, lose);
  return {
    body: {
      name: body.title,
      type: 'ATTACHED',
      ...daysOf(body.expireOn, now, lose),
      ...(isDrawn && { drawSignature: true }),
      ...textOf(body, lose),
      parties,
      attachments: attachments.map(({ to }) => to),
    },
    losses,
  };
}

interface ConvertedAttachment {
  readonly to: AttachmentV2;
  /** Fields with the drawn signature of a party, by party index. */
  readonly drawn: readonly { readonly party: number; readonly name: string }[];
}

function toAttachment(
  one: DraftBodyV1['attachments'][number],
  files: readonly DraftFile[],
  lose: RecordLoss,
): readonly ConvertedAttachment[] {
  const name = one.name ?? one.title ?? '';
  const file = files.find(({ id }) => id === one.file);
  if (one.type === 'TOKEN') {
    lose('uploaded-files', one.title ?? '');
    return [];
  }
  if (one.category === 'REF_DOC' || (file !== undefined && !isPdf(file))) {
    lose('reference-documents', name);
    return [];
  }
  const drawn = (one.fields ?? []).flatMap((field) => {
    const party = signatureOf(field.value);
    return party === null ? [] : [{ party, name: field.name }];
  });
  const fields = (one.fields ?? []).filter(({ value }) => signatureOf(value) === null);
  const to = {
    name,
    ...(one.file !== undefined && { file: one.file }),
    ...(fields.length > 0 && { fields }),
  };
  return [{ to, drawn }];
}

type SignaturePlacesByFile = ReadonlyMap<number, NonNullable<Contact['signMetadata']>>;

function drawnPlaces(
  { parties }: DraftBodyV1,
  attachments: readonly ConvertedAttachment[],
): SignaturePlacesByFile {
  return new Map(
    parties.map((_, index) => [
      index,
      attachments.flatMap(({ drawn }, attachmentIndex) => {
        const names = drawn.filter(({ party }) => party === index).map(({ name }) => name);
        return names.length === 0 ? [] : [{ attachmentIndex, signatureFields: names }];
      }),
    ]),
  );
}

function placesOf(places: SignaturePlacesByFile, index: number): Pick<Contact, 'signMetadata'> {
  const own = places.get(index) ?? [];
  return own.length === 0 ? {} : { signMetadata: own };
}

function toContact(party: PartyV1, lose: RecordLoss): Contact {
  const { firstName, lastName, email, signingOrder } = party;
  const method = methodOf(party, lose);
  const own = party.signingConfigurations.find(({ type }) => type === 'SMS_OTP')?.identifier;
  const number =
    textOrNullIfEmpty(method === 'SMS_OTP' ? own : undefined) ?? textOrNullIfEmpty(party.mobile);
  const mobile = number === null ? null : (toSpacedMobile(number, DEFAULT_COUNTRY_V2) ?? number);
  if ((party.identificationConfigurations ?? []).length > 0) lose('identification', nameV1(party));
  return {
    ...(firstName !== undefined && { firstName }),
    ...(lastName !== undefined && { lastName }),
    ...(email !== undefined && { email }),
    ...(mobile !== null && { mobile }),
    signMethods: [method],
    ...(signingOrder !== undefined && { signingOrder }),
  };
}

/** Method of a party: API v2 supports one. The first supported method is kept, others are lost. */
function methodOf(party: PartyV1, lose: RecordLoss): SigningMethodV2 {
  const known = party.signingConfigurations.filter(isSupportedMethod);
  for (const one of party.signingConfigurations) {
    if (one !== known[0]) lose('method', nameV1(party));
  }
  return known[0]?.type === 'SMS_OTP' ? 'SMS_OTP' : 'EID';
}

const isSupportedMethod = ({ type, country }: SigningConfigurationV1): boolean =>
  type === 'SMS_OTP' || (type === 'EID' && (country ?? DEFAULT_COUNTRY_V2) === DEFAULT_COUNTRY_V2);

function personNoOf(party: PartyV1, lose: RecordLoss): Pick<PrivatePartyV2, 'personNo'> {
  const personNo = textOrNullIfEmpty(party.personNumber);
  if (personNo !== null && party.country === DEFAULT_COUNTRY_V2) return { personNo };
  if (
    personNo !== null ||
    (textOrNullIfEmpty(party.country) ?? DEFAULT_COUNTRY_V2) !== DEFAULT_COUNTRY_V2
  )
    lose('country', nameV1(party));
  return {};
}

function daysOf(
  expireOn: string | undefined,
  now: number,
  lose: RecordLoss,
): Pick<DraftBodyV2, 'expireIn'> {
  const at = parseV1Time(expireOn ?? '');
  lose('expiry-rounded');
  if (at === null) return {};
  const days = (Date.parse(dayOf(at)) - Date.parse(dayOf(now))) / DAY;
  return { expireIn: Math.max(0, Math.min(MAX_DAYS, days)) };
}

/** Text for the Swedish eID app: v2 has one text for all parties. */
function textOf({ parties }: DraftBodyV1, lose: RecordLoss): Pick<DraftBodyV2, 'additionalTBS'> {
  const texts = parties.flatMap((party) =>
    party.signingConfigurations.flatMap(({ tbs }) => (tbs === undefined ? [] : [{ party, tbs }])),
  );
  const [first, ...others] = texts;
  if (first === undefined) return {};
  const { sender, description } = first.tbs;
  for (const { party, tbs } of others) {
    const isSame = tbs.sender === sender && tbs.description === description;
    if (!isSame) lose('identity-text', nameV1(party));
  }
  return {
    additionalTBS: {
      ...(sender !== undefined && { senderInfo: sender }),
      ...(description !== undefined && { description }),
    },
  };
}

function recordRemainingLosses(body: DraftBodyV1, lose: RecordLoss): void {
  const { configurations = [], accessRights = [], links = [], tags = {} } = body;
  if (textOrNullIfEmpty(body.deleteOn) !== null) lose('deletion-date');
  const isChosen = [body, ...body.parties].some(({ notifications }) => notifications !== undefined);
  if (isChosen) lose('notifications');
  const own = body.parties.flatMap((party) => party.configurations ?? []);
  if (configurations.length + own.length > 0) lose('configurations');
  if (accessRights.length > 0) lose('access-rights');
  if (links.length > 0) lose('return-links');
  if (Object.keys(tags).length > 0) lose('tags');
}

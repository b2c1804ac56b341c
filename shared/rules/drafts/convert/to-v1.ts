import type { DraftBodyV1, DraftBodyV2 } from '../../../contract/drafts.ts';
import type { Loss } from '../../../contract/draft-history.ts';
import type { PartyV1, SigningConfigurationV1 } from '../../../model/agreement-v1.ts';
import type { CompanyPartyV2, PrivatePartyV2 } from '../../../model/agreement-v2.ts';
import { dayOf } from '../../time/days.ts';
import { fullName } from '../parts/contacts.ts';
import { textOrNullIfEmpty } from '../parts/findings.ts';
import { validatePersonNumberV1 } from '../../identifiers/identity.ts';
import { toE164 } from '../../identifiers/phone.ts';
import { parseV2Time, formatV1Time } from '../../time/wire-time.ts';
import { DAY } from '../../time/units.ts';

/** API v2, "Agreement request (create)": default of `expireIn`. */
const DEFAULT_EXPIRE_DAYS = 60;
const DEFAULT_COUNTRY_V1 = 'SE';

type RecordLoss = (code: Loss['code'], about?: string) => void;
type PartyV2 = Omit<PrivatePartyV2, 'personNo'>;

/** Converts a draft to API v1, and lists what is lost. */
export function toBodyV1(
  body: DraftBodyV2,
  now: number,
): { readonly body: DraftBodyV1; readonly losses: readonly Loss[] } {
  const losses: Loss[] = [];
  const lose: RecordLoss = (code, about = '') => {
    losses.push({ code, about });
  };
  lose('expiry-rounded');
  if (body.type === 'FREE_TEXT') lose('free-text');
  if (body.type === 'DYNAMIC_PDF') lose('template');
  const attachments = (body.attachments ?? []).flatMap((one) => toAttachment(one, lose));
  const { privates, companies } = body.parties;
  const parties = [
    ...privates.map((one) => toPerson(one, body, now, lose)),
    ...companies.map((one) => toCompany(one, body, lose)),
  ];
  recordRemainingLosses(body, lose);
  const expireOn = endOfDay(now + (body.expireIn ?? DEFAULT_EXPIRE_DAYS) * DAY);
  return { body: { title: body.name, expireOn, attachments, parties }, losses };
}

function toAttachment(
  { name, file, fields }: NonNullable<DraftBodyV2['attachments']>[number],
  lose: RecordLoss,
): DraftBodyV1['attachments'] {
  if (file === undefined) {
    lose('uploaded-files', name);
    return [];
  }
  return [
    {
      type: 'BASE64',
      category: 'AGREEMENT',
      file,
      ...(name !== undefined && { name, title: name.replace(/\.[^.]+$/, '') }),
      ...(fields !== undefined && { fields }),
    },
  ];
}

function toPerson(
  party: PrivatePartyV2,
  body: DraftBodyV2,
  now: number,
  lose: RecordLoss,
): PartyV1 {
  const { firstName, lastName } = party;
  const number = textOrNullIfEmpty(party.personNo);
  const judged =
    number === null ? null : validatePersonNumberV1(number, DEFAULT_COUNTRY_V1, dayOf(now));
  // Ten digits may belong to two people; omitting the number is better than a wrong number.
  const known = judged !== null && judged.verdict !== 'wrong' ? judged.value : null;
  if (number !== null && known === null) lose('personal-numbers', fullName(party));
  return {
    type: 'PRIVATE',
    ...(firstName !== undefined && { firstName }),
    ...(lastName !== undefined && { lastName }),
    ...contactOf(party, body, lose),
    country: DEFAULT_COUNTRY_V1,
    ...(known !== null && { personNumber: known }),
  };
}

function toCompany(party: CompanyPartyV2, body: DraftBodyV2, lose: RecordLoss): PartyV1 {
  lose('company-contact', fullName(party) || (party.orgNo ?? ''));
  if (party.allowedPersons !== undefined) lose('allowed-persons', party.orgNo ?? fullName(party));
  return {
    type: 'COMPANY',
    ...(party.orgNo !== undefined && { companyNumber: party.orgNo }),
    ...contactOf(party, body, lose),
    country: DEFAULT_COUNTRY_V1,
  };
}

function contactOf(
  party: PartyV2,
  body: DraftBodyV2,
  lose: RecordLoss,
): Pick<PartyV1, 'email' | 'mobile' | 'signingOrder' | 'signingConfigurations'> {
  const { email, signingOrder } = party;
  const number = textOrNullIfEmpty(party.mobile);
  const mobile = number === null ? null : (toE164(number, DEFAULT_COUNTRY_V1) ?? number);
  if (party.signMetadata !== undefined) lose('drawn-signature', fullName(party));
  return {
    ...(email !== undefined && { email }),
    ...(mobile !== null && { mobile }),
    ...(signingOrder !== undefined && { signingOrder }),
    signingConfigurations: [methodOf(party, mobile, body, lose)],
  };
}

function methodOf(
  party: PartyV2,
  mobile: string | null,
  { additionalTBS }: DraftBodyV2,
  lose: RecordLoss,
): SigningConfigurationV1 {
  const method = party.signMethods?.[0] ?? 'EID';
  if (method === 'SMS_OTP') return { type: method, identifier: mobile ?? '' };
  if (method !== 'EID') lose('method', fullName(party));
  const { senderInfo: sender, description } = additionalTBS ?? {};
  const tbs = {
    ...(sender !== undefined && { sender }),
    ...(description !== undefined && { description }),
  };
  return { type: 'EID', country: DEFAULT_COUNTRY_V1, ...(Object.keys(tbs).length > 0 && { tbs }) };
}

function recordRemainingLosses(body: DraftBodyV2, lose: RecordLoss): void {
  if ((body.reminders ?? []).length > 0) lose('reminders');
  if (body.webhook !== undefined) lose('webhook');
  if (body.notificationMessages !== undefined) lose('notifications');
  const isSpecial =
    body.hideUnsigned === true || body.allowEmailSigning === true || body.drawSignature === true;
  if (isSpecial || textOrNullIfEmpty(body.signatureMessage) !== null) lose('viewing');
}

/** The last minute of the Swedish day of `time`. */
function endOfDay(time: number): string {
  return formatV1Time(parseV2Time(`${dayOf(time)} 23:59:00`) ?? time);
}

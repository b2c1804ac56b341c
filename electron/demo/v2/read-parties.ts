import type { Place } from '../server/body.ts';
import { isEmail, isOrgNo, isPersonNo, isSpacedMobile } from '../server/formats.ts';
import type { Store } from '../state/store.ts';
import type { LegacyParty } from '../state/record-v2.ts';

const COMMON_PARTY_FIELDS = [
  'firstName',
  'lastName',
  'email',
  'mobile',
  'signMethods',
  'signingOrder',
  'signMetadata',
];
const MAX_LEGACY_SIGNING_ORDER = 10_000;

export const emailRule = { form: isEmail, called: 'an email address' } as const;
// API v2, "orgNo": only the documented format is allowed; X is a digit.
export const orgNoRule = { form: isOrgNo, called: 'XXXXXXXXXX or XXXXXX-XXXX' } as const;
export const personNoRule = {
  form: isPersonNo,
  // API v2, "personNo": a date and four digits X.
  called: 'YYYYMMDDXXXX, YYYYMMDD-XXXX, YYMMDDXXXX or YYMMDD-XXXX',
} as const;
// API v2, "mobile": CC is the country's prefix, and X a digit.
const mobileRule = { form: isSpacedMobile, called: '+CC XXXXXXXXXX' } as const;

interface PartyContext {
  readonly store: Store;
  readonly attachmentCount: number;
  readonly drawSignature: boolean;
}

/** Reads the two groups of parties, which together must have at least one party. */
export function readLegacyParties(place: Place, context: PartyContext): LegacyParty[] {
  if (!place.need()) return [];
  place.object(['privates', 'companies']);
  const privates = place
    .get('privates')
    .items()
    .map((item) => readPrivateParty(item, context));
  const companies = place
    .get('companies')
    .items()
    .map((item) => readCompanyParty(item, context));
  const parties = [...privates, ...companies];
  if (parties.length === 0) place.refuse('required', 'At least one party is required.');
  return parties;
}

function readPrivateParty(item: Place, context: PartyContext): LegacyParty {
  item.object(['personNo', ...COMMON_PARTY_FIELDS]);
  return {
    kind: 'PRIVATE',
    personNo: withoutDashes(item.get('personNo').needText(personNoRule)),
    orgNo: null,
    allowedPersons: [],
    ...readCommonFields(item, context),
  };
}

function readCompanyParty(item: Place, context: PartyContext): LegacyParty {
  item.object(['orgNo', 'allowedPersons', ...COMMON_PARTY_FIELDS]);
  return {
    kind: 'COMPANY',
    personNo: null,
    orgNo: withoutDashes(item.get('orgNo').needText(orgNoRule)),
    allowedPersons: item.get('allowedPersons').items().map(readAllowedPerson),
    ...readCommonFields(item, context),
  };
}

function readAllowedPerson(item: Place): string {
  item.object(['personNo', 'firstName', 'lastName', 'email']);
  item.get('firstName').text();
  item.get('lastName').text();
  item.get('email').text(emailRule);
  return withoutDashes(item.get('personNo').needText(personNoRule));
}

function readCommonFields(item: Place, context: PartyContext) {
  const signMethod = readSignMethod(item.get('signMethods'));
  const mobile = item.get('mobile');
  return {
    id: context.store.uuid(),
    firstName: item.get('firstName').needText(),
    lastName: item.get('lastName').needText(),
    email: item.get('email').needText(emailRule),
    mobile: signMethod === 'SMS_OTP' ? mobile.needText(mobileRule) : mobile.text(mobileRule),
    signMethod,
    signingOrder: item.get('signingOrder').whole(1, MAX_LEGACY_SIGNING_ORDER) ?? 1,
    signatureFields: item
      .get('signMetadata')
      .items()
      .map((one) => readSignatureFields(one, context)),
    status: 'NOT_SIGNED',
    signedOn: null,
    rejectedOn: null,
    evidence: null,
  } as const;
}

function readSignMethod(place: Place): LegacyParty['signMethod'] {
  if (!place.isPresent) return 'EID';
  const items = place.items();
  const methods: LegacyParty['signMethod'][] = items.map((item) =>
    item.needChoice(['EID', 'SMS_OTP', 'EMAIL_OTP', 'EMAIL']),
  );
  if (items.length !== 1) place.refuse('range', 'Must hold exactly one method.');
  return methods[0] ?? 'EID';
}

function readSignatureFields(item: Place, context: PartyContext) {
  item.object(['attachmentIndex', 'signatureFields']);
  if (!context.drawSignature) item.forbid('Only with drawSignature true.');
  const index = item.get('attachmentIndex');
  index.need();
  const attachment = index.whole(0, Number.MAX_SAFE_INTEGER) ?? 0;
  if (attachment >= context.attachmentCount) {
    index.refuse('range', 'There is no attachment with this index.');
  }
  const names = item
    .get('signatureFields')
    .needItems()
    .map((name) => name.needText());
  return { attachment, names };
}

function withoutDashes(text: string): string {
  return text.replaceAll('-', '');
}

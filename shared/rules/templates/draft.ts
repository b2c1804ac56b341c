import type { DraftContent } from '../../contract/drafts.ts';
import type { FileId } from '../../model/ids.ts';
import type { Template, TemplateAnswers } from '../../contract/templates.ts';
import type { PartyV1 } from '../../model/agreement-v1.ts';
import type { CompanyPartyV2, PrivatePartyV2 } from '../../model/agreement-v2.ts';
import type { TemplateBody } from '../../model/template.ts';
import { addDays, dayOf, instantsOf } from '../time/days.ts';
import { datumOf, type FilledTemplate, toFieldsV1 } from './values.ts';
import { formatV1Time } from '../time/wire-time.ts';

export interface DraftParts {
  readonly template: Template;
  readonly answers: TemplateAnswers;
  readonly filled: FilledTemplate;
  /** Template's PDF as a file of the draft; null for a template of the service. */
  readonly file: FileId | null;
  readonly now: number;
}

/** Content of a new draft. Its values are not written into the PDF before it is sent. */
export function draftFromTemplate(parts: DraftParts): DraftContent {
  const { body } = parts.filled;
  return body.api === 'v1' ? draftV1(body, parts) : draftV2(body, parts);
}

function draftV1(body: TemplateBody & { api: 'v1' }, parts: DraftParts): DraftContent {
  const { answers, filled, file, now } = parts;
  const { merge } = parts.template.content;
  const fields = toFieldsV1(filled);
  const attachment = {
    type: 'BASE64' as const,
    category: 'AGREEMENT' as const,
    ...(file === null ? {} : { file }),
    ...(merge === 'here' ? { merge } : {}),
    ...(fields.length === 0 ? {} : { fields }),
  };
  return {
    api: 'v1',
    body: {
      ...body.rest,
      title: filled.title,
      ...(body.expireDays === null ? {} : { expireOn: endOfDay(now, body.expireDays) }),
      ...(body.deleteDays === null ? {} : { deleteOn: endOfDay(now, body.deleteDays) }),
      attachments: [attachment],
      parties: body.roles.map(({ id, party }) => partyV1(party, answers, id)),
    },
  };
}

function partyV1(party: PartyV1, answers: TemplateAnswers, role: string): PartyV1 {
  const datum = (name: Parameters<typeof datumOf>[2]) => datumOf(answers, role, name);
  const mobile = datum('mobile') || (party.mobile ?? '');
  return {
    ...party,
    ...withoutEmptyTexts({
      firstName: datum('first-name'),
      lastName: datum('last-name'),
      name: datum('company-name'),
      email: datum('email'),
      mobile,
      country: datum('country'),
      personNumber: datum('person-number'),
      companyNumber: datum('company-number'),
    }),
    signingConfigurations: party.signingConfigurations.map((method) => {
      const isByPhone = method.type === 'SMS_OTP' || method.type === 'QES';
      return isByPhone && !method.identifier ? { ...method, identifier: mobile } : method;
    }),
  };
}

function draftV2(body: TemplateBody & { api: 'v2' }, parts: DraftParts): DraftContent {
  const { answers, filled, file, template } = parts;
  const drawn = [...filled.signatures].length > 0;
  const party = (role: (typeof body.roles)[number], place: number) => ({
    ...role.party,
    ...contactV2(answers, role.id),
    ...(role.kind === 'private'
      ? withoutEmptyTexts({ personNo: datumOf(answers, role.id, 'person-number') })
      : withoutEmptyTexts({ orgNo: datumOf(answers, role.id, 'company-number') })),
    ...signMetadata(filled, place),
  });
  const of = (kind: 'private' | 'company') =>
    body.roles.flatMap((role, place) => (role.kind === kind ? [party(role, place)] : []));
  const privates: PrivatePartyV2[] = of('private');
  const companies: CompanyPartyV2[] = of('company');
  return {
    api: 'v2',
    body: {
      ...body.rest,
      name: filled.title,
      ...(body.expireDays === null ? {} : { expireIn: body.expireDays }),
      ...(drawn ? { drawSignature: true } : {}),
      parties: { privates, companies },
      ...documentV2(template, filled, file),
    },
  };
}

/**
 * Document of a draft of v2. The service fills only its own templates; this program writes the
 * values into an attached file before sending.
 */
function documentV2({ source }: Template, filled: FilledTemplate, file: FileId | null) {
  if (source.kind === 'service') {
    const fields = Object.entries(filled.values).map(([name, value]) => ({ name, value }));
    return {
      type: 'DYNAMIC_PDF' as const,
      dynamicPdf: { templateId: source.templateId, fields },
    };
  }
  const fields = Object.entries(filled.values).map(([name, value]) => ({
    name,
    value: String(value),
  }));
  const attachment = {
    ...(file === null ? {} : { file }),
    ...(fields.length === 0 ? {} : { fields }),
  };
  return { type: 'ATTACHED' as const, attachments: [attachment] };
}

function contactV2(answers: TemplateAnswers, role: string) {
  const datum = (name: Parameters<typeof datumOf>[2]) => datumOf(answers, role, name);
  return withoutEmptyTexts({
    firstName: datum('first-name'),
    lastName: datum('last-name'),
    email: datum('email'),
    mobile: datum('mobile'),
  });
}

/** Fields for the drawn signature of the party `place` (API v2, "signMetadata"). */
function signMetadata({ signatures }: FilledTemplate, place: number) {
  const signatureFields = [...signatures].flatMap(([name, party]) => (party === place ? name : []));
  return signatureFields.length === 0
    ? {}
    : { signMetadata: [{ attachmentIndex: 0, signatureFields }] };
}

/** Returns the texts that are not empty: for the others, a party keeps the template's values. */
function withoutEmptyTexts<Key extends string>(
  texts: Readonly<Record<Key, string>>,
): Partial<Record<Key, string>> {
  const known: Partial<Record<Key, string>> = {};
  for (const key in texts) if (texts[key] !== '') known[key] = texts[key];
  return known;
}

/** Last minute in Sweden of the day that is `days` days from now, in v1's format. */
function endOfDay(now: number, days: number): string {
  const [at] = instantsOf(`${addDays(dayOf(now), days)} 23:59`);
  return formatV1Time(at ?? now);
}

import { BatchMapping, type CellCondition } from '../../contract/batches.ts';
import type { Template } from '../../contract/templates.ts';
import type { PartyV1 } from '../../model/agreement-v1.ts';
import type {
  Condition,
  FieldSource,
  PartyDatum,
  RoleV2,
  TemplateBody,
  TemplateContent,
} from '../../model/template.ts';
import { signatureText } from '../forms/signature-text.ts';
import { conditionsOf } from '../templates/conditions.ts';
import { templateFields } from '../templates/fields.ts';
import { replaceNames, replaceNamesInBody } from '../templates/names.ts';
import { partyColumn } from './party-columns.ts';

type Role = TemplateBody['roles'][number];

const METHODS_SENT_BY_PHONE = ['SMS_OTP', 'QES'];
const METHODS_NEEDING_NUMBER = ['EID'];

/**
 * Converts a template to a mapping with one placeholder for each value of a row. Placeholders of
 * the second and later parties end in the party's number: `E-mail 2`.
 */
export function mappingOf(template: Pick<Template, 'source' | 'content'>): BatchMapping {
  const body = replaceNamesInBody(template.content.body, (name) => nameText(name, template));
  const fields = new Map(templateFields(template).map((field) => [field.name, field.type]));
  const texts = template.content.mapping.flatMap(({ field, source }) => {
    const text = textOf(source, fields.get(field) === 'checkbox', template);
    return text === null ? [] : [[field, text] as const];
  });
  const onlyIf = conditionsIn(template.content);
  return {
    api: body.api,
    body: body.api === 'v1' ? bodyV1(body, template) : bodyV2(body, template),
    fields: Object.fromEntries(texts),
    ...(onlyIf === null ? {} : { onlyIf }),
  };
}

/** Conditions of the template; null if every question and field is unconditional. */
function conditionsIn(content: TemplateContent): NonNullable<BatchMapping['onlyIf']> | null {
  const { questions, mapping } = content;
  const cells = (conditions: readonly Condition[]): CellCondition[] =>
    conditions.flatMap(({ question, answer }) => {
      const found = questions.find(({ id }) => id === question);
      if (found === undefined) return [];
      const about = { column: plainName(found.label), is: answer };
      return [found.kind === 'choice' ? { ...about, among: found.options } : about];
    });
  const fields = mapping.flatMap((mapped) => {
    const found = cells(conditionsOf(content, mapped));
    return found.length === 0 ? [] : [[mapped.field, found] as const];
  });
  const asked = questions.flatMap(({ label, onlyIf }) => {
    const found = onlyIf === undefined ? [] : cells([onlyIf]);
    return found.length === 0 ? [] : [[plainName(label), found] as const];
  });
  if (fields.length + asked.length === 0) return null;
  return { fields: Object.fromEntries(fields), columns: Object.fromEntries(asked) };
}

function textOf(
  source: FieldSource,
  isCheckbox: boolean,
  { content }: Pick<Template, 'content'>,
): string | null {
  const { roles } = content.body;
  const yesNo = isCheckbox ? '|yes-no' : '';
  switch (source.from) {
    case 'party': {
      const place = roles.findIndex(({ id }) => id === source.role);
      return place < 0 ? null : datumText(place, source.datum);
    }
    case 'question': {
      const found = content.questions.find(({ id }) => id === source.question);
      if (found === undefined) return null;
      const use = found.kind === 'day' && !isCheckbox ? '|day' : yesNo;
      return `{${plainName(found.label)}${use}}`;
    }
    case 'fixed':
      return replaceNames(source.value, (name) => nameText(name, { content }));
    case 'date':
      return `{=today${source.addDays < 0 ? '' : '+'}${source.addDays}:${source.format}}`;
    case 'counter':
      return '{=number}';
    case 'signature': {
      const place = roles.findIndex(({ id }) => id === source.role);
      return place < 0 || content.body.api === 'v2' ? null : signatureText(place);
    }
    case 'empty':
      return null;
  }
}

/**
 * Text with the placeholders for `datum`. A full name has two columns, because lists are sorted by
 * surname.
 */
function datumText(place: number, datum: PartyDatum): string {
  if (datum !== 'full-name') return placeholder(place, datum);
  return `${placeholder(place, 'first-name')} ${placeholder(place, 'last-name')}`;
}

const placeholder = (place: number, datum: PartyDatum): string => `{${partyColumn(place, datum)}}`;

/** Removes braces and bars from a label, because they have a meaning in a mapping. */
function plainName(label: string): string {
  return label.replaceAll(/[{}|]/g, ' ').replaceAll(/\s+/g, ' ').trim();
}

function bodyV1(
  body: TemplateBody & { api: 'v1' },
  template: Pick<Template, 'content'>,
): BatchMapping['body'] {
  return toPlainBody({
    ...body.rest,
    title: body.title,
    ...(body.expireDays === null ? {} : { expireOn: `{=today+${body.expireDays}:v1}` }),
    ...(body.deleteDays === null ? {} : { deleteOn: `{=today+${body.deleteDays}:v1}` }),
    parties: body.roles.map(({ party, id }, place) =>
      partyV1(party, place, usedPartyData(template, id)),
    ),
  });
}

function partyV1(party: PartyV1, place: number, used: ReadonlySet<PartyDatum>): object {
  const methods = party.signingConfigurations;
  const needs = (types: readonly string[]) => methods.some(({ type }) => types.includes(type));
  const ask = (key: keyof PartyV1, datum: PartyDatum, isAsked: boolean) =>
    isAsked && !party[key] ? { [key]: placeholder(place, datum) } : {};
  const isPerson = party.type === 'PRIVATE';
  const isOwn = party.type === 'MY_COMPANY';
  return {
    ...party,
    ...ask('firstName', 'first-name', isPerson || used.has('first-name') || used.has('full-name')),
    ...ask('lastName', 'last-name', isPerson || used.has('last-name') || used.has('full-name')),
    ...ask('name', 'company-name', party.type === 'COMPANY'),
    ...ask('email', 'email', !isOwn),
    ...ask('mobile', 'mobile', needs(METHODS_SENT_BY_PHONE) || used.has('mobile')),
    ...ask(
      'country',
      'country',
      !isOwn && (needs(METHODS_NEEDING_NUMBER) || used.has('person-number')),
    ),
    ...ask(
      'personNumber',
      'person-number',
      needs(METHODS_NEEDING_NUMBER) || used.has('person-number'),
    ),
    ...ask(
      'companyNumber',
      'company-number',
      party.type === 'COMPANY' && used.has('company-number'),
    ),
    signingConfigurations: methods.map((method) =>
      METHODS_SENT_BY_PHONE.includes(method.type) && !method.identifier
        ? { ...method, identifier: placeholder(place, 'mobile') }
        : method,
    ),
  };
}

function bodyV2(
  body: TemplateBody & { api: 'v2' },
  template: Pick<Template, 'source' | 'content'>,
): BatchMapping['body'] {
  const of = (kind: 'private' | 'company') =>
    body.roles.flatMap((role, place) =>
      role.kind === kind ? [partyV2(role, place, template)] : [],
    );
  const { source } = template;
  return toPlainBody({
    ...body.rest,
    name: body.title,
    ...(body.expireDays === null ? {} : { expireIn: body.expireDays }),
    ...(hasDrawnFields(template) ? { drawSignature: true } : {}),
    parties: { privates: of('private'), companies: of('company') },
    ...(source.kind === 'service'
      ? { type: 'DYNAMIC_PDF', dynamicPdf: { templateId: source.templateId, fields: [] } }
      : { type: 'ATTACHED' }),
  });
}

function partyV2(role: RoleV2, place: number, template: Pick<Template, 'content'>): object {
  const used = usedPartyData(template, role.id);
  const { party } = role;
  const needsMobile = party.signMethods?.includes('SMS_OTP') === true || used.has('mobile');
  const drawn = template.content.mapping.flatMap(({ field, source }) =>
    source.from === 'signature' && source.role === role.id ? [field] : [],
  );
  return {
    ...party,
    firstName: party.firstName || placeholder(place, 'first-name'),
    lastName: party.lastName || placeholder(place, 'last-name'),
    email: party.email || placeholder(place, 'email'),
    ...(needsMobile && !party.mobile ? { mobile: placeholder(place, 'mobile') } : {}),
    ...(role.kind === 'private'
      ? { personNo: role.party.personNo || placeholder(place, 'person-number') }
      : { orgNo: role.party.orgNo || placeholder(place, 'company-number') }),
    ...(drawn.length === 0
      ? {}
      : { signMetadata: [{ attachmentIndex: 0, signatureFields: drawn }] }),
  };
}

function hasDrawnFields({ content }: Pick<Template, 'content'>): boolean {
  return content.mapping.some(({ source }) => source.from === 'signature');
}

/** Converts names of roles and questions in a text to their columns. */
function nameText(name: string, { content }: Pick<Template, 'content'>): string {
  if (name === 'number') return '{=number}';
  if (name === 'today') return '{=today}';
  const place = content.body.roles.findIndex((role) => role.name === name);
  if (place < 0) return `{${plainName(name)}}`;
  const role: Role | undefined = content.body.roles[place];
  const isCompany = role !== undefined && 'type' in role.party && role.party.type === 'COMPANY';
  return isCompany ? placeholder(place, 'company-name') : datumText(place, 'full-name');
}

/** Data of a role that its template writes into fields. */
function usedPartyData(
  { content }: Pick<Template, 'content'>,
  role: string,
): ReadonlySet<PartyDatum> {
  return new Set(
    content.mapping.flatMap(({ source }) =>
      source.from === 'party' && source.role === role ? [source.datum] : [],
    ),
  );
}

/** Returns the body as JSON has it: without the keys whose value is undefined. */
function toPlainBody(body: object): BatchMapping['body'] {
  return BatchMapping.shape.body.parse(JSON.parse(JSON.stringify(body)));
}

import * as z from 'zod';
import type { DraftBodyV1, DraftBodyV2 } from '../../../contract/drafts.ts';
import type { Loss } from '../../../contract/draft-history.ts';
import {
  AccessRightV1,
  IdentificationConfigurationV1,
  LinkV1,
  NotificationV1,
  PartyConfigurationV1,
  PartyV1,
  SigningConfigurationV1,
} from '../../../model/agreement-v1.ts';
import { nameV1 } from '../parts/contacts.ts';
import { parseV1Time } from '../../time/wire-time.ts';

/** Keys of tags that belong to the service, or to one send of this program. */
const OWN_TAG_PATTERN = /^\s*(egr:|desk\.)/i;

/** Schema of a list whose elements are parsed one by one: invalid elements are skipped. */
const tolerantListOf = <Item>(item: z.ZodType<Item>) =>
  z
    .array(z.unknown())
    .optional()
    .transform((all) =>
      all?.flatMap((one) => {
        const parsed = item.safeParse(withoutNulls(one));
        return parsed.success ? [parsed.data] : [];
      }),
    );

const PartyReply = PartyV1.omit({
  signingConfigurations: true,
  identificationConfigurations: true,
  notifications: true,
  configurations: true,
}).extend({
  signingConfigurations: tolerantListOf(SigningConfigurationV1),
  identificationConfigurations: tolerantListOf(IdentificationConfigurationV1),
  notifications: tolerantListOf(NotificationV1),
  configurations: tolerantListOf(PartyConfigurationV1),
});

const ReplyV1 = z.object({
  title: z.string().default(''),
  expireOn: z.string().optional(),
  deleteOn: z.string().optional(),
  parties: tolerantListOf(PartyReply),
  notifications: tolerantListOf(NotificationV1),
  accessRights: tolerantListOf(AccessRightV1),
  links: tolerantListOf(LinkV1),
  tags: z.record(z.string(), z.string()).optional(),
});

interface Copy<Body> {
  readonly body: Body;
  readonly losses: readonly Loss[];
}

/**
 * Makes a new body from v1's data of an agreement. Its IDs, states, times, results and signing
 * links are dropped; no response contains its configurations (API v1, "Agreement (response)"). The
 * caller adds the files.
 */
export function bodyFromReplyV1(data: unknown, now: number): Copy<DraftBodyV1> {
  const reply = ReplyV1.parse(withoutNulls(data));
  const { notifications, accessRights, links } = reply;
  const tags = Object.entries(reply.tags ?? {}).filter(([key]) => !OWN_TAG_PATTERN.test(key));
  const parties = (reply.parties ?? []).map(ownParty);
  const losses: Loss[] = [{ code: 'configurations', about: '' }];
  for (const party of parties.filter(({ signingConfigurations: all }) => all.length === 0)) {
    losses.push({ code: 'method', about: nameV1(party) });
  }
  const body: DraftBodyV1 = {
    title: reply.title,
    ...(isFutureStamp(reply.expireOn, now) && { expireOn: reply.expireOn }),
    ...(isFutureStamp(reply.deleteOn, now) && { deleteOn: reply.deleteOn }),
    attachments: [],
    parties,
    ...(notifications !== undefined && { notifications }),
    ...(accessRights !== undefined && { accessRights: accessRights.map(ownRight) }),
    ...(links !== undefined && { links }),
    ...(tags.length > 0 && { tags: Object.fromEntries(tags) }),
  };
  return { body, losses };
}

/**
 * Converts a party of a response. Removes the data of the account's own company, which a request
 * must not contain.
 */
function ownParty(reply: z.output<typeof PartyReply>): PartyV1 {
  const {
    signingConfigurations = [],
    identificationConfigurations,
    notifications,
    ...rest
  } = reply;
  const { configurations, ...about } = rest;
  const party: PartyV1 = {
    ...about,
    ...(configurations !== undefined && { configurations }),
    signingConfigurations,
    ...(identificationConfigurations !== undefined && { identificationConfigurations }),
    ...(notifications !== undefined && { notifications }),
  };
  if (party.type !== 'MY_COMPANY') return party;
  const { name: _name, companyNumber: _number, country: _country, ...own } = party;
  return own;
}

/** Removes the actor's name that responses have, unless the access right is granted by name. */
function ownRight(right: z.infer<typeof AccessRightV1>): z.infer<typeof AccessRightV1> {
  if (right.type === 'GRANT_BY_NAME') return right;
  const { actorName: _name, ...byId } = right;
  return byId;
}

/** Whether a time is in the future; the service would reject a time in the past. */
function isFutureStamp(stamp: string | undefined, now: number): boolean {
  const at = parseV1Time(stamp ?? '');
  return at !== null && at > now;
}

const PersonReply = z.object({ personNo: z.string().optional(), name: z.string().optional() });
const CompanyReply = z.object({ orgNo: z.string().optional(), name: z.string().optional() });
const ReplyV2 = z.object({
  name: z.string().default(''),
  parties: z
    .object({ privates: tolerantListOf(PersonReply), companies: tolerantListOf(CompanyReply) })
    .optional(),
});

/** Values that the service filled into its own template, read in a separate request. */
interface TemplateValues {
  readonly templateId: string | null;
  readonly fields: readonly { readonly name: string; readonly value: string | boolean | null }[];
}

/**
 * Makes a new body from v2's data of an agreement. v2 returns no addresses, messages, files,
 * signing methods or signing order. The template's values are passed separately.
 */
export function bodyFromReplyV2(data: unknown, values: TemplateValues | null): Copy<DraftBodyV2> {
  const reply = ReplyV2.parse(withoutNulls(data));
  const privates = (reply.parties?.privates ?? []).map(({ personNo, name = '' }) => ({
    ...(personNo !== undefined && { personNo }),
    ...namesOf(name),
  }));
  const companies = (reply.parties?.companies ?? []).map(({ orgNo }) => ({
    ...(orgNo !== undefined && { orgNo }),
  }));
  const codes: Loss['code'][] = ['addresses', 'method', 'signing-order', 'messages', 'reminders'];
  if (companies.length > 0) codes.push('company-contact', 'allowed-persons');
  codes.push(values === null ? 'files' : 'viewing');
  const fields = (values?.fields ?? []).map(({ name, value }) => ({ name, value: value ?? '' }));
  const body: DraftBodyV2 = {
    name: reply.name,
    type: values === null ? 'ATTACHED' : 'DYNAMIC_PDF',
    parties: { privates, companies },
    ...(values === null
      ? { attachments: [] }
      : { dynamicPdf: { templateId: values.templateId ?? '', fields } }),
  };
  return { body, losses: codes.map((code) => ({ code, about: '' })) };
}

/** Splits a name that the service joined; the last word is assumed to be the surname. */
function namesOf(name: string): { readonly firstName?: string; readonly lastName?: string } {
  const words = name.trim().split(/\s+/);
  const lastName = words.pop();
  if (lastName === undefined || lastName === '') return {};
  return words.length === 0 ? { lastName } : { firstName: words.join(' '), lastName };
}

/** Removes null for missing values; only in `attachPdf`, null has a meaning and is kept. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, inner]) => inner !== null || key === 'attachPdf')
      .map(([key, inner]) => [key, withoutNulls(inner)]),
  );
}

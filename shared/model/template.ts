import * as z from 'zod';
import { CreateBodyV1, PartyV1 } from './agreement-v1.ts';
import { CompanyPartyV2, CreateBodyV2, PrivatePartyV2 } from './agreement-v2.ts';
import { DayFormat } from './day-format.ts';
import { PdfPlace } from './pdf-place.ts';
import { FoundPlace, MAX_PLACED, PlacedField } from './placed-field.ts';

/*
 * What a template says beside its PDF: who takes part, where each field gets its value from, what
 * is asked, and what a draft starts with. Nothing in it is a person.
 */

/** What is known of a party and can be written into a field. */
export const PartyDatum = z.enum([
  'full-name',
  'first-name',
  'last-name',
  'person-number',
  'company-name',
  'company-number',
  'email',
  'mobile',
  'country',
]);
export type PartyDatum = z.infer<typeof PartyDatum>;

/** Letters of a name that is typed; a field of a form may have fewer. */
const MAX_NAME = 200;

/** Names a role, a question: short, made by the desk, never shown. */
const Key = z.string().min(1).max(64);

/** How many days before or after the day of the draft a field may hold. */
export const DAYS_APART = { least: -3650, most: 36_500 } as const;

/** Where a field's value comes from. A field without an entry was not decided about yet. */
export const FieldSource = z.discriminatedUnion('from', [
  z.object({ from: z.literal('party'), role: Key, datum: PartyDatum }),
  z.object({ from: z.literal('question'), question: Key }),
  /** For a checkbox `true` or `false`. */
  z.object({ from: z.literal('fixed'), value: z.string().max(10_000) }),
  /** The day the draft is made, and so many days later. */
  z.object({
    from: z.literal('date'),
    addDays: z.number().int().min(DAYS_APART.least).max(DAYS_APART.most),
    format: DayFormat,
  }),
  z.object({ from: z.literal('counter') }),
  /** The party's drawn signature, which the service places here. */
  z.object({ from: z.literal('signature'), role: Key }),
  z.object({ from: z.literal('empty') }),
]);
export type FieldSource = z.infer<typeof FieldSource>;

/**
 * The answer on which something depends: `true` or `false` of a yes-no question, an option of a
 * choice. A question that is itself not asked meets none.
 */
const Condition = z.object({ question: Key, answer: z.string().max(200) });
export type Condition = z.infer<typeof Condition>;

/** With `onlyIf` the field stays blank in any other case. */
const FieldMapping = z.object({
  field: z.string(),
  source: FieldSource,
  onlyIf: Condition.optional(),
});
type FieldMapping = z.infer<typeof FieldMapping>;

/** What a person is asked when a draft is made; with `onlyIf`, about a question before it, not always. */
export const Question = z.object({
  id: Key,
  label: z.string().max(200),
  help: z.string().max(1000),
  kind: z.enum(['text', 'lines', 'yes-no', 'choice', 'day']),
  options: z.array(z.string()),
  required: z.boolean(),
  onlyIf: Condition.optional(),
});
export type Question = z.infer<typeof Question>;

/** Part in an agreement ("Tenant"); `party` is what its draft party starts with. */
const RoleV1 = z.object({ id: Key, name: z.string().max(100), party: PartyV1 });
const RoleV2 = z.discriminatedUnion('kind', [
  z.object({
    id: Key,
    name: z.string().max(100),
    kind: z.literal('private'),
    party: PrivatePartyV2,
  }),
  z.object({
    id: Key,
    name: z.string().max(100),
    kind: z.literal('company'),
    party: CompanyPartyV2,
  }),
]);
export type RoleV1 = z.infer<typeof RoleV1>;
export type RoleV2 = z.infer<typeof RoleV2>;

/** Whole days after the draft is made; null leaves the service's own default. */
const Days = z.number().int().min(1).max(3650).nullable();

/**
 * What a draft starts with. Any text may hold `{Role}`, `{Question}`, `{number}` and `{today}`.
 * `rest` is the create body of the API without what stands beside it here.
 */
export const TemplateBody = z.discriminatedUnion('api', [
  z.object({
    api: z.literal('v1'),
    title: z.string(),
    expireDays: Days,
    deleteDays: Days,
    roles: z.array(RoleV1),
    rest: CreateBodyV1.pick({
      configurations: true,
      notifications: true,
      accessRights: true,
      links: true,
      tags: true,
    }),
  }),
  z.object({
    api: z.literal('v2'),
    title: z.string(),
    expireDays: Days,
    roles: z.array(RoleV2),
    rest: CreateBodyV2.pick({
      drawSignature: true,
      hideUnsigned: true,
      signatureMessage: true,
      additionalTBS: true,
      notificationMessages: true,
      allowEmailSigning: true,
      webhook: true,
    }),
  }),
]);
export type TemplateBody = z.infer<typeof TemplateBody>;

/** Numbers of a template's own: never given twice, also when a draft is thrown away. */
const CounterStyle = z.object({
  prefix: z.string().max(40),
  /** Digits, filled up with zeros; 0 for as many as the number has. */
  width: z.number().int().min(0).max(12),
});
type CounterStyle = z.infer<typeof CounterStyle>;

/** What is to fill a field once it is one; `undecided` takes back what was decided about it. */
export const ChosenSource = z.union([FieldSource, z.literal('undecided')]);
export type ChosenSource = z.infer<typeof ChosenSource>;

/** A field while it is drawn: its name may be missing still, or be that of another one. */
export const DrawnField = PlacedField.extend({
  /** Stays while all else changes. */
  id: Key,
  name: z.string().max(MAX_NAME),
  places: z.array(PdfPlace).min(1).max(MAX_PLACED),
  /** As they are typed: a line may be empty for a while. */
  options: z.array(z.string().max(200)).max(500),
  /** The name by which the form has it now. */
  was: z.string().optional(),
  /** Null leaves it as it is. */
  source: ChosenSource.nullable(),
});
export type DrawnField = z.infer<typeof DrawnField>;

/** What was drawn on a PDF and is no form of it yet, and what was found there and waits for a yes or no. */
export const Drawing = z.object({
  fields: z.array(DrawnField).max(MAX_PLACED),
  found: z.array(FoundPlace.extend({ id: Key })).max(MAX_PLACED),
});
export type Drawing = z.infer<typeof Drawing>;

export const TemplateContent = z.object({
  body: TemplateBody,
  mapping: z.array(FieldMapping),
  questions: z.array(Question),
  counter: CounterStyle,
  /** Who writes the values into the PDF: the service (v1 `fields`), or the desk before sending. */
  merge: z.enum(['service', 'here']),
  /** Absent where all that was drawn is a form of the PDF. */
  drawing: Drawing.optional(),
});
export type TemplateContent = z.infer<typeof TemplateContent>;

import * as z from 'zod';
import { CreateBodyV1, PartyV1 } from './agreement-v1.ts';
import { CompanyPartyV2, CreateBodyV2, PrivatePartyV2 } from './agreement-v2.ts';
import { DayFormat } from './day-format.ts';
import { PdfPlace } from './pdf-place.ts';
import { FoundPlace, MAX_PLACED_FIELDS, PlacedField } from './placed-field.ts';

/*
 * Data of a template other than its PDF: the roles, the source of each field's value, the
 * questions, and the initial draft. The data never contains a person.
 */

/** Data of a party that can be written into a field. */
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

/** Maximum number of characters of a typed name; a field of a form allows fewer. */
const MAX_NAME = 200;

/** ID of a role or question: short, generated, never shown. */
const TemplateKey = z.string().min(1).max(64);

/** Range of days before or after the day of the draft, for a date field. */
export const DAYS_APART = { least: -3650, most: 36_500 } as const;

/** Source of a field's value. A field without an entry is undecided. */
export const FieldSource = z.discriminatedUnion('from', [
  z.object({ from: z.literal('party'), role: TemplateKey, datum: PartyDatum }),
  z.object({ from: z.literal('question'), question: TemplateKey }),
  /** Fixed value; for a checkbox `true` or `false`. */
  z.object({ from: z.literal('fixed'), value: z.string().max(10_000) }),
  /** Day on which the draft is made, plus `addDays`. */
  z.object({
    from: z.literal('date'),
    addDays: z.number().int().min(DAYS_APART.least).max(DAYS_APART.most),
    format: DayFormat,
  }),
  z.object({ from: z.literal('counter') }),
  /** The party's drawn signature, which the service inserts into the field. */
  z.object({ from: z.literal('signature'), role: TemplateKey }),
  z.object({ from: z.literal('empty') }),
]);
export type FieldSource = z.infer<typeof FieldSource>;

/**
 * Condition that a question has a certain answer: `true` or `false` of a yes-no question, or an
 * option of a choice. Never met if the question itself is not asked.
 */
const Condition = z.object({ question: TemplateKey, answer: z.string().max(200) });
export type Condition = z.infer<typeof Condition>;

/** Source of a field's value. With `onlyIf`, the field is blank unless the condition is met. */
const FieldMapping = z.object({
  field: z.string(),
  source: FieldSource,
  onlyIf: Condition.optional(),
});
type FieldMapping = z.infer<typeof FieldMapping>;

/** A question to answer for each new draft; `onlyIf` refers to an earlier question. */
export const Question = z.object({
  id: TemplateKey,
  label: z.string().max(200),
  help: z.string().max(1000),
  kind: z.enum(['text', 'lines', 'yes-no', 'choice', 'day']),
  options: z.array(z.string()),
  required: z.boolean(),
  onlyIf: Condition.optional(),
});
export type Question = z.infer<typeof Question>;

/** Role in an agreement ("Tenant"); `party` is the initial party of the draft. */
const RoleV1 = z.object({ id: TemplateKey, name: z.string().max(100), party: PartyV1 });
const RoleV2 = z.discriminatedUnion('kind', [
  z.object({
    id: TemplateKey,
    name: z.string().max(100),
    kind: z.literal('private'),
    party: PrivatePartyV2,
  }),
  z.object({
    id: TemplateKey,
    name: z.string().max(100),
    kind: z.literal('company'),
    party: CompanyPartyV2,
  }),
]);
export type RoleV1 = z.infer<typeof RoleV1>;
export type RoleV2 = z.infer<typeof RoleV2>;

/** Number of whole days after the draft is made; null for the service's default. */
const TemplateDays = z.number().int().min(1).max(3650).nullable();

/**
 * Initial draft. Any text may contain `{Role}`, `{Question}`, `{number}` and `{today}`. `rest` is
 * the create body of the API without the properties that this schema has.
 */
export const TemplateBody = z.discriminatedUnion('api', [
  z.object({
    api: z.literal('v1'),
    title: z.string(),
    expireDays: TemplateDays,
    deleteDays: TemplateDays,
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
    expireDays: TemplateDays,
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

/** Style of the template's own numbers, which are never used twice, even if a draft is deleted. */
const CounterStyle = z.object({
  prefix: z.string().max(40),
  /** Minimum number of digits, padded with zeros; 0: no padding. */
  width: z.number().int().min(0).max(12),
});
type CounterStyle = z.infer<typeof CounterStyle>;

/**
 * Source of a field's value, set when the field is placed; `undecided` removes the current source.
 */
export const ChosenSource = z.union([FieldSource, z.literal('undecided')]);
export type ChosenSource = z.infer<typeof ChosenSource>;

/** A field while the user draws it: its name may be empty or a duplicate. */
export const DrawnField = PlacedField.extend({
  /** ID of the drawn field, which never changes. */
  id: TemplateKey,
  name: z.string().max(MAX_NAME),
  places: z.array(PdfPlace).min(1).max(MAX_PLACED_FIELDS),
  /** Entries of a choice as typed: an entry may be empty while the user types. */
  options: z.array(z.string().max(200)).max(500),
  /** Current name of the field in the form; absent for a new field. */
  was: z.string().optional(),
  /** New source of the field's value; null leaves the source unchanged. */
  source: ChosenSource.nullable(),
});
export type DrawnField = z.infer<typeof DrawnField>;

/**
 * Drawn fields that are not yet in the PDF's form, and found positions that the user has not
 * accepted or rejected.
 */
export const Drawing = z.object({
  fields: z.array(DrawnField).max(MAX_PLACED_FIELDS),
  found: z.array(FoundPlace.extend({ id: TemplateKey })).max(MAX_PLACED_FIELDS),
});
export type Drawing = z.infer<typeof Drawing>;

export const TemplateContent = z.object({
  body: TemplateBody,
  mapping: z.array(FieldMapping),
  questions: z.array(Question),
  counter: CounterStyle,
  /**
   * Where values are written into the PDF: by the service (v1 `fields`), or by this computer before
   * sending.
   */
  merge: z.enum(['service', 'here']),
  /** Unfinished drawing; absent if all drawn fields are in the PDF's form. */
  drawing: Drawing.optional(),
});
export type TemplateContent = z.infer<typeof TemplateContent>;

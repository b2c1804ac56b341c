import * as z from 'zod';
import { SavedView } from '../../contract/agreement-views.ts';
import { Batch } from '../../contract/batches.ts';
import { hasUniqueFileIds, DraftContent, DraftFile } from '../../contract/drafts.ts';
import { ReminderFilter, ReminderRule } from '../../contract/reminders.ts';
import { SheetRow } from '../../contract/sheets.ts';
import { Template } from '../../contract/templates.ts';
import { MemberChoices, Person, PersonId } from '../../contract/people.ts';
import { BatchId, DraftId, OutboxRef, TemplateId } from '../../model/ids.ts';
import { validateZone } from '../time/zones.ts';

/**
 * Formats of shared data between the computers of an office. A computer drops unknown properties,
 * so an addition here needs a new version of the office's schema, which keeps older computers out.
 */

/** An address-book entry without its personal number. */
export const SharedPerson = Person.omit({ personNumber: true });

/** Fields with personal numbers, for users who may see them. */
export const SharedNumber = Person.omit({ kind: true }).partial();
export type SharedNumber = z.infer<typeof SharedNumber>;

/** ID of the account's own company, which is a member of a group without an entry. */
export const OWN_COMPANY_ID = 'own';

export const SharedGroup = z.object({
  name: z.string(),
  members: z.array(
    z.object({
      member: z.union([PersonId, z.literal(OWN_COMPANY_ID)]),
      choices: MemberChoices.nullable(),
    }),
  ),
});
export type SharedGroup = z.infer<typeof SharedGroup>;

export const GroupMembers = z.array(z.string());

/**
 * View shared by an office. Connection IDs differ between computers, so `service` is the service of
 * the view's connection; null for all connections.
 */
export const SharedView = SavedView.omit({ id: true }).extend({
  filter: SavedView.shape.filter.omit({ connectionId: true }),
  service: z.string().nullable(),
});

/** Rule shared by an office; `services` are the services of its connections, null for all. */
export const SharedReminderRule = ReminderRule.pick({
  name: true,
  isOn: true,
  createdAt: true,
}).extend({
  whom: ReminderFilter.omit({ connectionIds: true }).extend({
    services: z.array(z.string()).min(1).nullable(),
  }),
  when: ReminderRule.pick({
    firstAfterDays: true,
    everyDays: true,
    most: true,
    country: true,
  }).extend({
    // One rule with an invalid time zone would stop the processing of all rules.
    hours: ReminderRule.shape.hours.refine(({ zone }) => validateZone(zone).verdict !== 'wrong'),
  }),
});

/** Template shared by an office; its PDF is a separate file, named by the hash in `source`. */
export const SharedTemplate = Template.pick({ name: true, source: true, content: true });
export type SharedTemplate = z.infer<typeof SharedTemplate>;

/**
 * Draft shared by several computers; its files are separate. `sendingAt` is the computer that is
 * sending the draft; while it is set, the draft cannot be edited.
 */
export const SharedDraft = z.object({
  content: DraftContent,
  service: z.string().nullable(),
  files: z.array(DraftFile).refine(hasUniqueFileIds),
  /** ID of the draft that is equal on every computer, if it differs from this computer's ID. */
  origin: DraftId.optional(),
  sendingAt: z.uuid().nullable(),
});
export type SharedDraft = z.infer<typeof SharedDraft>;

/** Stored instead of the known state of an office's item after a person in it was erased. */
export const ERASED_WORD = 'erased';

/** Rest of a draft after a person in it was erased: the remaining data names no one. */
export const ErasedDraft = SharedDraft.pick({ service: true, sendingAt: true }).extend({
  erased: z.literal(true),
});

/**
 * Draft file in base64. `service` names the draft's service, so that the other computer can choose
 * its own connection to it; null if the draft has none.
 */
export const HandoverDraft = z.object({
  service: z.string().nullable(),
  /** ID of the draft that is equal on every computer; absent in earlier versions. */
  origin: DraftId.nullable().default(null),
  draft: z.base64(),
});
export type HandoverDraft = z.infer<typeof HandoverDraft>;

/** Batch with its spreadsheet and template, in base64; `cells` include the user's edits. */
export const HandoverBatch = z.object({
  service: z.string().nullable(),
  /** ID of the batch that is equal on every computer; absent in earlier versions. */
  origin: BatchId.nullable().default(null),
  batch: Batch.pick({
    name: true,
    fileName: true,
    sheet: true,
    choices: true,
    mapping: true,
    matches: true,
    schedule: true,
    policy: true,
  }),
  data: z.base64(),
  rows: z.array(
    SheetRow.extend({ original: z.array(z.string()).nullable(), choice: z.boolean().nullable() }),
  ),
  template: SharedTemplate.extend({ id: TemplateId, pdf: z.base64().nullable() }).nullable(),
});
export type HandoverBatch = z.infer<typeof HandoverBatch>;

/** Send with an unknown outcome, by the reference of its claim in the office. */
export const HandoverUnknownSend = z.object({ ref: OutboxRef });

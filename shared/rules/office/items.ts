import * as z from 'zod';
import { SavedView } from '../../contract/agreement-views.ts';
import { Batch } from '../../contract/batches.ts';
import { areSingle, DraftContent, DraftFile } from '../../contract/drafts.ts';
import { ReminderFilter, ReminderRule } from '../../contract/reminders.ts';
import { SheetRow } from '../../contract/sheets.ts';
import { Template } from '../../contract/templates.ts';
import { MemberChoices, Person, PersonId } from '../../contract/people.ts';
import { BatchId, DraftId, OutboxRef, TemplateId } from '../../model/ids.ts';
import { validateZone } from '../time/zones.ts';

/**
 * How desks of an office write what they share. A desk drops what it does not know of it: what is added
 * here needs another version of the office's schema, so that older desks are kept out.
 */

/** Everything of an entry of the address book but what holds a personal number. */
export const SharedPerson = Person.omit({ personNumber: true });

/** The fields of it that hold personal numbers, for seats that may see them. */
export const SharedNumber = Person.omit({ kind: true }).partial();
export type SharedNumber = z.infer<typeof SharedNumber>;

/** Our own company, which is a member of a group without an entry. */
export const OWN_COMPANY = 'own';

export const SharedGroup = z.object({
  name: z.string(),
  members: z.array(
    z.object({
      member: z.union([PersonId, z.literal(OWN_COMPANY)]),
      choices: MemberChoices.nullable(),
    }),
  ),
});
export type SharedGroup = z.infer<typeof SharedGroup>;

export const GroupMembers = z.array(z.string());

/** A connection is another one at each desk: `service` is what it reaches; null: all of them. */
export const SharedView = SavedView.omit({ id: true }).extend({
  filter: SavedView.shape.filter.omit({ connectionId: true }),
  service: z.string().nullable(),
});

/** As with a view: `services` are those that its connections reach; null: all of them. */
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
    // One rule with a zone that is none would end the look at all rules.
    hours: ReminderRule.shape.hours.refine(({ zone }) => validateZone(zone).verdict !== 'wrong'),
  }),
});

/** Its PDF lies beside it, under the hash in its source. */
export const SharedTemplate = Template.pick({ name: true, source: true, content: true });
export type SharedTemplate = z.infer<typeof SharedTemplate>;

/**
 * A draft that several desks work on; its files lie beside it. `sendingAt`: the desk that is sending it;
 * nobody writes it meanwhile.
 */
export const SharedDraft = z.object({
  content: DraftContent,
  service: z.string().nullable(),
  files: z.array(DraftFile).refine(areSingle),
  /** The draft that it is at every desk, where that has another id. */
  origin: DraftId.optional(),
  sendingAt: z.uuid().nullable(),
});
export type SharedDraft = z.infer<typeof SharedDraft>;

/** Stands where a desk knew what the office has, until that was erased with a person whom it named. */
export const ERASED = 'erased';

/** The same of a draft: nobody is named by what is kept. */
export const ErasedDraft = SharedDraft.pick({ service: true, sendingAt: true }).extend({
  erased: z.literal(true),
});

/** The file of a draft, in base64, and what it is sent through where another desk has that too. */
export const HandedDraft = z.object({
  service: z.string().nullable(),
  /** The draft that it is at every desk; earlier versions named none. */
  origin: DraftId.nullable().default(null),
  draft: z.base64(),
});
export type HandedDraft = z.infer<typeof HandedDraft>;

/** A batch with its sheet and its template, in base64; `cells` are as a person left them. */
export const HandedBatch = z.object({
  service: z.string().nullable(),
  /** The batch whose rows these are at every desk; earlier versions named none. */
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
export type HandedBatch = z.infer<typeof HandedBatch>;

/** A send of unknown outcome, as the office has its claim. */
export const HandedQuestion = z.object({ ref: OutboxRef });

import * as z from 'zod';
import { Failure } from '../errors.ts';
import { AgreementState } from '../model/agreement.ts';
import { AgreementFilter } from './agreement-query.ts';
import { call } from './call.ts';
import { AgreementKey, ConnectionId, Instant, EmptyObject, TemplateId } from '../model/ids.ts';
import { JobStarted } from './jobs.ts';

export const ReminderRuleId = z.uuid().brand('ReminderRuleId');
export type ReminderRuleId = z.infer<typeof ReminderRuleId>;

/** Filter of open agreements of API v1; all named conditions must hold. */
export const ReminderFilter = z.object({
  connectionIds: z.array(ConnectionId).min(1).optional(),
  states: z
    .array(AgreementState.extract(['waiting', 'part-signed']))
    .min(1)
    .optional(),
  /** `key` or `key=value`, exactly as on the service. */
  tag: AgreementFilter.shape.tag,
  /** Sent here in a batch from this template. */
  templateId: TemplateId.optional(),
  /**
   * Only agreements sent by this computer: another computer with the same rule reminds of its own.
   */
  ownOnly: z.boolean(),
});
export type ReminderFilter = z.infer<typeof ReminderFilter>;

const Time = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/);

/** From one time up to, not including, a later one of the same day. */
export const OfficeHours = z.object({
  /** IANA name of the office's time zone, which also defines the days. */
  zone: z.string().min(1).max(64),
  from: Time,
  to: Time,
});
export type OfficeHours = z.infer<typeof OfficeHours>;

const reminderDays = z.number().int().min(1).max(365);

export const ReminderRule = z.object({
  id: ReminderRuleId,
  name: z.string().trim().min(1).max(80),
  isOn: z.boolean(),
  filter: ReminderFilter,
  /** Calendar days since it became a party's turn, and since the last reminder. */
  firstAfterDays: reminderDays,
  everyDays: reminderDays,
  /** Maximum days with a reminder for one party of one agreement. */
  most: z.number().int().min(1).max(30),
  hours: OfficeHours,
  /** Country whose holidays apply if a party's own country is not known; ISO 3166-1 alpha-2. */
  country: z.string().regex(/^[A-Z]{2}$/),
  createdAt: Instant,
});
export type ReminderRule = z.infer<typeof ReminderRule>;

export const ReminderRuleDraft = ReminderRule.omit({ id: true, createdAt: true });
export type ReminderRuleDraft = z.infer<typeof ReminderRuleDraft>;

export const ReminderRun = z.object({
  at: Instant,
  reminded: z.number().int(),
  failed: z.number().int(),
  /** Sent, but its arrival is not known; not sent again for that reason. */
  unknown: z.number().int(),
  failure: Failure.nullable(),
});
export type ReminderRun = z.infer<typeof ReminderRun>;

export const ReminderReason = z.enum([
  /** Too few days since it became its turn. */
  'too-early',
  /** Too few days since the last reminder. */
  'lately',
  'hours',
  'weekend',
  'holiday',
  /** The maximum of the rule is reached. */
  'enough',
  'switched-off',
  /** The user reported that messages to this address bounce; until the address changes. */
  'bounced',
  /** It failed three times. */
  'refused',
  /** The service itself reminds within the rule's days. */
  'service-reminds',
  /** A past reminder is in the future: this computer's clock was set back. */
  'clock',
  'not-turn',
  /** Our own company signs on its own screen. */
  'ours',
  'no-address',
  'expired',
  /** The service returned neither a sending nor a creation time. */
  'unknown-start',
]);
export type ReminderReason = z.infer<typeof ReminderReason>;

const ReminderSubject = AgreementKey.extend({
  title: z.string(),
  partyId: z.string(),
  party: z.string(),
  ruleId: ReminderRuleId,
});

export const PlannedReminder = ReminderSubject.extend({
  at: Instant,
  /** When it became its turn, and the last reminder; null before the first. */
  since: Instant,
  lastAt: Instant.nullable(),
  /** Number of this reminder, from 1. */
  count: z.number().int(),
});
export type PlannedReminder = z.infer<typeof PlannedReminder>;

/** A party that a rule would remind without `because`. */
export const HeldReminder = ReminderSubject.extend({
  because: ReminderReason,
  /** When it may be reminded, if known; null if only the user can change that. */
  nextAt: Instant.nullable(),
});
export type HeldReminder = z.infer<typeof HeldReminder>;

export const ReminderPreview = z.object({
  /** In the office's calendar. */
  day: z.iso.date(),
  planned: z.array(PlannedReminder),
  /** At most 500 of the parties not reminded; `heldCount` counts all. */
  held: z.array(HeldReminder),
  heldCount: z.number().int(),
  /** Open agreements that the conditions exclude, or that another rule handles. */
  outside: z.number().int(),
  /** Open agreements of connections whose API cannot resend an invitation. */
  unable: z.array(z.object({ connectionId: ConnectionId, agreements: z.number().int() })),
});
export type ReminderPreview = z.infer<typeof ReminderPreview>;

export const ReminderRuleView = z.object({
  rule: ReminderRule,
  last: ReminderRun.nullable(),
  /** Too many consecutive failures, or restored data: waits for the user. */
  isPaused: z.boolean(),
  /** Number of parties that can be reminded now, and time of the next one. */
  dueNow: z.number().int(),
  nextAt: Instant.nullable(),
});
export type ReminderRuleView = z.infer<typeof ReminderRuleView>;

/** Why the user excludes an agreement, or one party of it, from rules. */
export const ReminderHoldReason = z.enum(['switched-off', 'bounced']);
export type ReminderHoldReason = z.infer<typeof ReminderHoldReason>;

export const ReminderHold = AgreementKey.extend({
  /** Null for the whole agreement. */
  partyId: z.string().min(1).nullable(),
  because: ReminderHoldReason,
});
export type ReminderHold = z.infer<typeof ReminderHold>;

export const reminderCalls = {
  'reminders.rules': call(z.object({}), z.array(ReminderRuleView)),
  'reminders.saveRule': call(
    ReminderRuleDraft.extend({ id: ReminderRuleId.optional() }),
    ReminderRule,
  ),
  /** The reminders it sent stay in the action journal. */
  'reminders.removeRule': call(z.object({ id: ReminderRuleId }), EmptyObject),
  /** Turning on a paused rule is the user's permission to continue. */
  'reminders.switchRule': call(z.object({ id: ReminderRuleId, isOn: z.boolean() }), ReminderRule),
  /**
   * Lists the parties that would be reminded on a day (default: tomorrow), and the others with the
   * reason; sends nothing. `rule` is treated as if it were saved. With `rule` or `ruleId`, only the
   * result of that rule.
   */
  'reminders.preview': call(
    z.object({
      day: z.iso.date().optional(),
      ruleId: ReminderRuleId.optional(),
      rule: ReminderRuleDraft.optional(),
    }),
    ReminderPreview,
  ),
  /** A job; its result is an `ActionsResult`. Sends only the reminders that are due. */
  'reminders.run': call(z.object({}), JobStarted),
  'reminders.holds': call(z.object({ key: AgreementKey }), z.array(ReminderHold)),
  /** `bounced` needs a party, and ends when its address changes. */
  'reminders.hold': call(ReminderHold, EmptyObject),
  'reminders.release': call(ReminderHold.omit({ because: true }), EmptyObject),
} as const;

export const reminderEvents = { 'reminders.changed': z.object({}) } as const;

import * as z from 'zod';
import { Failure } from '../errors.ts';
import { AgreementState } from '../model/agreement.ts';
import { AgreementFilter } from './agreement-query.ts';
import { call } from './call.ts';
import { AgreementKey, ConnectionId, Instant, EmptyObject, TemplateId } from '../model/ids.ts';
import { JobStarted } from './jobs.ts';
import { NamedRuleFailure, RuleFailure } from './rule-failures.ts';

export const ReminderRuleId = z.uuid().brand('ReminderRuleId');
export type ReminderRuleId = z.infer<typeof ReminderRuleId>;

/** Filter of open agreements of API v1; an agreement must meet all named conditions. */
export const ReminderFilter = z.object({
  connectionIds: z.array(ConnectionId).min(1).optional(),
  states: z
    .array(AgreementState.extract(['waiting', 'part-signed']))
    .min(1)
    .optional(),
  /** Tag as `key` or `key=value`, exactly as on the service. */
  tag: AgreementFilter.shape.tag,
  /** Template of the batch in which this computer sent the agreement. */
  templateId: TemplateId.optional(),
  /**
   * Whether only agreements sent by this computer are included: another computer with the same rule
   * reminds of its own.
   */
  ownOnly: z.boolean(),
});
export type ReminderFilter = z.infer<typeof ReminderFilter>;

const ReminderTimeOfDay = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/);

/**
 * Times of one day between which reminders are sent: from `from` up to, not including, the later
 * `to`.
 */
export const OfficeHours = z.object({
  /** IANA name of the office's time zone, which also defines the days. */
  zone: z.string().min(1).max(64),
  from: ReminderTimeOfDay,
  to: ReminderTimeOfDay,
});
export type OfficeHours = z.infer<typeof OfficeHours>;

const reminderDays = z.number().int().min(1).max(365);

export const ReminderRule = z.object({
  id: ReminderRuleId,
  name: z.string().trim().min(1).max(80),
  isOn: z.boolean(),
  filter: ReminderFilter,
  /**
   * Number of calendar days after it became a party's turn (`firstAfterDays`), and after the last
   * reminder (`everyDays`).
   */
  firstAfterDays: reminderDays,
  everyDays: reminderDays,
  /** Maximum number of days with a reminder for one party of one agreement. */
  most: z.number().int().min(1).max(30),
  hours: OfficeHours,
  /** Country (ISO 3166-1 alpha-2) whose holidays apply if a party's own country is not known. */
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
  /**
   * Number of reminders that were sent without a known result; for that reason they are not sent
   * again.
   */
  unknown: z.number().int(),
  failure: Failure.nullable(),
  /** The first agreements with failed reminders; absent if none failed. */
  failures: z.array(RuleFailure).optional(),
});
export type ReminderRun = z.infer<typeof ReminderRun>;

export const ReminderReason = z.enum([
  /** Too few days have passed since it became the party's turn. */
  'too-early',
  /** Too few days have passed since the last reminder. */
  'lately',
  'hours',
  'weekend',
  'holiday',
  /** The rule's maximum number of reminders is reached. */
  'enough',
  'switched-off',
  /** The user reported that messages to this address bounce; valid until the address changes. */
  'bounced',
  /** Reminding the party failed three times. */
  'refused',
  /** The service itself reminds within the rule's days. */
  'service-reminds',
  /** The time of an earlier reminder is in the future: this computer's clock was set back. */
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
  /**
   * Time at which it became the party's turn, and time of the last reminder, which is null before
   * the first.
   */
  since: Instant,
  lastAt: Instant.nullable(),
  /** Number of this reminder for the party, from 1. */
  count: z.number().int(),
});
export type PlannedReminder = z.infer<typeof PlannedReminder>;

/** A party that a rule would remind if the reason `because` did not exist. */
export const HeldReminder = ReminderSubject.extend({
  because: ReminderReason,
  /** Time from which the party may be reminded, if known; null if only the user can change that. */
  nextAt: Instant.nullable(),
});
export type HeldReminder = z.infer<typeof HeldReminder>;

export const ReminderPreview = z.object({
  /** Day of the preview, in the calendar of the office's time zone. */
  day: z.iso.date(),
  planned: z.array(PlannedReminder),
  /** At most 500 of the parties that are not reminded; `heldCount` includes all. */
  held: z.array(HeldReminder),
  heldCount: z.number().int(),
  /** Number of open agreements that the conditions exclude, or that another rule handles. */
  outside: z.number().int(),
  /** Numbers of open agreements of connections whose API cannot resend an invitation. */
  unable: z.array(z.object({ connectionId: ConnectionId, agreements: z.number().int() })),
});
export type ReminderPreview = z.infer<typeof ReminderPreview>;

export const ReminderRuleView = z.object({
  rule: ReminderRule,
  last: ReminderRun.nullable(),
  /** The first agreements for which a reminder of the last run failed. */
  failures: z.array(NamedRuleFailure),
  /**
   * Whether the rule is paused after too many consecutive failures or because the data was
   * restored, and waits for the user.
   */
  isPaused: z.boolean(),
  /** Number of parties that can be reminded now (`dueNow`), and time of the next reminder. */
  dueNow: z.number().int(),
  nextAt: Instant.nullable(),
});
export type ReminderRuleView = z.infer<typeof ReminderRuleView>;

/** Why the user excludes an agreement, or a party of an agreement, from rules. */
export const ReminderHoldReason = z.enum(['switched-off', 'bounced']);
export type ReminderHoldReason = z.infer<typeof ReminderHoldReason>;

export const ReminderHold = AgreementKey.extend({
  /** ID of the excluded party; null for the whole agreement. */
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
  /** Removes a rule. The reminders that the rule sent stay in the action journal. */
  'reminders.removeRule': call(z.object({ id: ReminderRuleId }), EmptyObject),
  /** Turns a rule on or off. Turning on a paused rule is the user's permission to continue. */
  'reminders.switchRule': call(z.object({ id: ReminderRuleId, isOn: z.boolean() }), ReminderRule),
  /**
   * Lists the parties that would be reminded on a day (default: tomorrow), and the other parties
   * with the reason; sends nothing. `rule` is treated as if it were saved. With `rule` or `ruleId`,
   * lists only the result of that rule.
   */
  'reminders.preview': call(
    z.object({
      day: z.iso.date().optional(),
      ruleId: ReminderRuleId.optional(),
      rule: ReminderRuleDraft.optional(),
    }),
    ReminderPreview,
  ),
  /** Sends only the reminders that are due. Runs as a job whose result is an `ActionsResult`. */
  'reminders.run': call(z.object({}), JobStarted),
  'reminders.holds': call(z.object({ key: AgreementKey }), z.array(ReminderHold)),
  /**
   * Excludes an agreement, or one party of it, from rules. `bounced` requires a party, and ends
   * when the party's address changes.
   */
  'reminders.hold': call(ReminderHold, EmptyObject),
  'reminders.release': call(ReminderHold.omit({ because: true }), EmptyObject),
} as const;

export const reminderEvents = { 'reminders.changed': z.object({}) } as const;

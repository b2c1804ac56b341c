import * as z from 'zod';
import { Failure } from '../errors.ts';
import { AgreementState } from '../model/agreement.ts';
import { AgreementFilter } from './agreement-query.ts';
import { call } from './call.ts';
import { AgreementKey, ConnectionId, Instant, Nothing, TemplateId } from '../model/ids.ts';
import { JobStarted } from './jobs.ts';

export const ReminderRuleId = z.uuid().brand('ReminderRuleId');
export type ReminderRuleId = z.infer<typeof ReminderRuleId>;

/** Which open agreements of API v1; everything named must hold. */
export const ReminderFilter = z.object({
  connectionIds: z.array(ConnectionId).min(1).optional(),
  states: z
    .array(AgreementState.extract(['waiting', 'part-signed']))
    .min(1)
    .optional(),
  /** `key`, or `key=value`; exactly as the service has them. */
  tag: AgreementFilter.shape.tag,
  /** Sent here in a batch from this template. */
  templateId: TemplateId.optional(),
  /** Only what this desk sent: another desk with the same rule reminds of what it sent itself. */
  ownOnly: z.boolean(),
});
export type ReminderFilter = z.infer<typeof ReminderFilter>;

const Time = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/);

/** From one time up to, not including, a later one of the same day. */
export const OfficeHours = z.object({
  /** IANA name of the office's time zone, in which days are counted too. */
  zone: z.string().min(1).max(64),
  from: Time,
  to: Time,
});
export type OfficeHours = z.infer<typeof OfficeHours>;

const days = z.number().int().min(1).max(365);

export const ReminderRule = z.object({
  id: ReminderRuleId,
  name: z.string().trim().min(1).max(80),
  isOn: z.boolean(),
  filter: ReminderFilter,
  /** Days since it was a party's turn, then since the last reminder; counted by the calendar. */
  firstAfterDays: days,
  everyDays: days,
  /** Days on which one party is reminded of one agreement. */
  most: z.number().int().min(1).max(30),
  hours: OfficeHours,
  /** Whose holidays count where a party's own country is not known; ISO 3166-1 alpha-2. */
  country: z.string().regex(/^[A-Z]{2}$/),
  createdAt: Instant,
});
export type ReminderRule = z.infer<typeof ReminderRule>;

/** A rule as a person writes it. */
export const ReminderRuleDraft = ReminderRule.omit({ id: true, createdAt: true });
export type ReminderRuleDraft = z.infer<typeof ReminderRuleDraft>;

/** How a rule's last run went. */
export const ReminderRun = z.object({
  at: Instant,
  reminded: z.number().int(),
  failed: z.number().int(),
  /** Sent, and nobody knows whether it arrived; not sent again for it. */
  unknown: z.number().int(),
  failure: Failure.nullable(),
});
export type ReminderRun = z.infer<typeof ReminderRun>;

/** Why a party is not reminded now. */
export const ReminderReason = z.enum([
  /** Not so many days since it was its turn. */
  'too-early',
  /** Not so many days since the last reminder. */
  'lately',
  'hours',
  'weekend',
  'holiday',
  /** As often as the rule allows. */
  'enough',
  'switched-off',
  /** A person said that messages to this address come back; until the address is another one. */
  'bounced',
  /** It failed three times. */
  'refused',
  /** The service itself reminds within the rule's days. */
  'service-reminds',
  /** A reminder stands in the future: the clock of this computer was put back. */
  'clock',
  'not-turn',
  /** Our own company signs on its own screen. */
  'ours',
  'no-address',
  'expired',
  /** The service gave neither when it was sent nor when it was created. */
  'unknown-start',
]);
export type ReminderReason = z.infer<typeof ReminderReason>;

const ReminderSubject = AgreementKey.extend({
  title: z.string(),
  partyId: z.string(),
  party: z.string(),
  ruleId: ReminderRuleId,
});

/** A party that is going to be reminded, and why. */
export const PlannedReminder = ReminderSubject.extend({
  at: Instant,
  /** Since when it is its turn, and when it was reminded last; null for the first time. */
  since: Instant,
  lastAt: Instant.nullable(),
  /** Which one this is, from 1. */
  count: z.number().int(),
});
export type PlannedReminder = z.infer<typeof PlannedReminder>;

/** A party that a rule would remind if nothing spoke against it. */
export const HeldReminder = ReminderSubject.extend({
  because: ReminderReason,
  /** When it may be reminded, as far as is known; null where only a person changes that. */
  nextAt: Instant.nullable(),
});
export type HeldReminder = z.infer<typeof HeldReminder>;

export const ReminderPreview = z.object({
  /** By the office's calendar. */
  day: z.iso.date(),
  planned: z.array(PlannedReminder),
  /** Of the others at most 500; `heldCount` counts all. */
  held: z.array(HeldReminder),
  heldCount: z.number().int(),
  /** Open agreements that the conditions leave out, or for which another rule decides. */
  outside: z.number().int(),
  /** Open agreements of connections whose API cannot send an invitation again. */
  unable: z.array(z.object({ connectionId: ConnectionId, agreements: z.number().int() })),
});
export type ReminderPreview = z.infer<typeof ReminderPreview>;

export const ReminderRuleShown = z.object({
  rule: ReminderRule,
  last: ReminderRun.nullable(),
  /** Failed so often in a row, or for data that was restored: waits for a person. */
  isPaused: z.boolean(),
  /** Parties that could be reminded now, and when the next one can be. */
  dueNow: z.number().int(),
  nextAt: Instant.nullable(),
});
export type ReminderRuleShown = z.infer<typeof ReminderRuleShown>;

/** Why a person keeps rules from an agreement, or from one party of it. */
export const ReminderHoldReason = z.enum(['switched-off', 'bounced']);
export type ReminderHoldReason = z.infer<typeof ReminderHoldReason>;

export const ReminderHold = AgreementKey.extend({
  /** Null for the whole agreement. */
  partyId: z.string().min(1).nullable(),
  because: ReminderHoldReason,
});
export type ReminderHold = z.infer<typeof ReminderHold>;

export const reminderCalls = {
  'reminders.rules': call(z.object({}), z.array(ReminderRuleShown)),
  'reminders.saveRule': call(
    ReminderRuleDraft.extend({ id: ReminderRuleId.optional() }),
    ReminderRule,
  ),
  /** What it sent stays in the book of actions. */
  'reminders.removeRule': call(z.object({ id: ReminderRuleId }), Nothing),
  /** Switching a paused one on is the person's word that it may go on. */
  'reminders.switchRule': call(z.object({ id: ReminderRuleId, isOn: z.boolean() }), ReminderRule),
  /**
   * Who would be reminded on a day, tomorrow where none is named, and who not and why; nothing is
   * sent. With `rule`, as if it were saved; then and with `ruleId` only what that rule does.
   */
  'reminders.preview': call(
    z.object({
      day: z.iso.date().optional(),
      ruleId: ReminderRuleId.optional(),
      rule: ReminderRuleDraft.optional(),
    }),
    ReminderPreview,
  ),
  /** A job; its result is an `ActionsResult`. Reminds those whose time has come, and nobody else. */
  'reminders.run': call(z.object({}), JobStarted),
  'reminders.holds': call(z.object({ key: AgreementKey }), z.array(ReminderHold)),
  /** `bounced` needs a party, and ends when its address changes. */
  'reminders.hold': call(ReminderHold, Nothing),
  'reminders.release': call(ReminderHold.omit({ because: true }), Nothing),
} as const;

export const reminderEvents = { 'reminders.changed': z.object({}) } as const;

import type {
  HeldReminder,
  PlannedReminder,
  ReminderPreview,
  ReminderRuleId,
} from '../../../shared/contract/reminders.ts';
import { reminderDecision } from '../../../shared/rules/reminders/judge.ts';
import { addDays, type Day, dayOf, instantsOf } from '../../../shared/rules/time/days.ts';
import { findRuleFor } from '../../../shared/rules/reminders/match.ts';
import {
  type Candidate,
  type CandidatePorts,
  candidatesOf,
  readReminderHistory,
  openAgreements,
  type RankedRules,
} from './candidates.ts';
import { isPaused } from './runs.ts';

/**
 * Maximum number of parties without a reminder that are listed: a longer list would not be
 * readable.
 */
const MAX_HELD_REMINDERS = 500;

interface ReminderPreviewRequest {
  /** Day in the office's calendar; null for tomorrow. */
  readonly day: Day | null;
  readonly only: ReminderRuleId | null;
}

/** Predicts which parties are reminded on a day if nothing else changes, and why others are not. */
export async function previewReminders(
  ports: CandidatePorts,
  rules: RankedRules,
  order: ReminderPreviewRequest,
): Promise<ReminderPreview> {
  const now = ports.clock.now();
  const zone = rules.find(({ id }) => id === order.only)?.hours.zone ?? rules[0]?.hours.zone;
  const day = order.day ?? addDays(dayOf(now, zone), 1);
  const planned: PlannedReminder[] = [];
  const held: HeldReminder[] = [];
  let heldCount = 0;
  let outside = 0;
  const known = readReminderHistory(ports);
  for await (const some of openAgreements(ports)) {
    const decided = some.filter((agreement) => {
      const rule = findRuleFor(rules, agreement);
      return rule !== null && (order.only ?? rule.id) === rule.id;
    });
    outside += some.length - decided.length;
    for (const one of decided.flatMap((agreement) =>
      candidatesOf(ports, rules, agreement, known),
    )) {
      const found = simulateReminders(one, day, now);
      if ('at' in found) {
        planned.push(found);
      } else if (found.because !== 'not-turn') {
        heldCount += 1;
        if (held.length < MAX_HELD_REMINDERS) held.push(found);
      }
    }
  }
  planned.sort((one, other) => one.at - other.at || (one.title < other.title ? -1 : 1));
  return { day, planned, held, heldCount, outside, unable: [...ports.stores.reminders.openOfV2()] };
}

/** Simulates a party's successive reminders, each sent as soon as the rule allows. */
function simulateReminders(one: Candidate, day: Day, now: number): PlannedReminder | HeldReminder {
  const { rule } = one.stored;
  const { connectionId, id, title } = one.agreement;
  const { party } = one;
  const about = { connectionId, id, title, partyId: party.id, party: party.name, ruleId: rule.id };
  let { subject } = one;
  let at = now;
  for (let steps = 0; steps <= 2 * rule.most; steps += 1) {
    const judged = reminderDecision(subject, rule, at);
    const on = dayOf(at, rule.hours.zone);
    if (judged.isDue && on === day && !isPaused(one.stored)) {
      const lastAt = Math.max(Number.NEGATIVE_INFINITY, ...subject.past);
      const before = Number.isFinite(lastAt) ? lastAt : null;
      const since = subject.since ?? at;
      return { ...about, at, since, lastAt: before, count: judged.count };
    }
    if (!judged.isDue && judged.nextAt === null) {
      return { ...about, because: judged.because, nextAt: null };
    }
    if (!judged.isDue && dayOf(judged.nextAt ?? at, rule.hours.zone) > day) {
      return {
        ...about,
        because: reasonOn(subject, one, day, judged.because),
        nextAt: judged.nextAt,
      };
    }
    if (judged.isDue) subject = { ...subject, past: [...subject.past, at] };
    else at = judged.nextAt ?? at;
  }
  return { ...about, because: 'lately', nextAt: null };
}

/** Returns the reason why there is no reminder on that day, as of the start of the office hours. */
function reasonOn(
  subject: Candidate['subject'],
  { stored: { rule } }: Candidate,
  day: Day,
  otherwise: HeldReminder['because'],
): HeldReminder['because'] {
  const { zone, from } = rule.hours;
  const [opening] = instantsOf(`${day} ${from}`, zone);
  if (opening === undefined) return otherwise;
  const judged = reminderDecision(subject, rule, opening);
  return judged.isDue ? otherwise : judged.because;
}

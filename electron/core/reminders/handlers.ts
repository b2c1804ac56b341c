import type { HandlersOf } from '../../../shared/contract/index.ts';
import {
  type ReminderHold,
  type ReminderRuleDraft,
  ReminderRuleId,
} from '../../../shared/contract/reminders.ts';
import type { AgreementKey } from '../../../shared/model/ids.ts';
import { AppError } from '../../../shared/errors.ts';
import { sortBySpecificity } from '../../../shared/rules/reminders/match.ts';
import { hasHolidays } from '../../../shared/rules/time/holidays.ts';
import { validateZone } from '../../../shared/rules/time/zones.ts';
import { requireAction } from '../services/capabilities.ts';
import type { JobQueue } from '../job-queue.ts';
import type { Chance, Stores } from '../ports.ts';
import { namedFailures } from '../rules/failed-items.ts';
import { RuleBook } from '../rules/rule-book.ts';
import { allConnectionsToServiceOf } from '../services/same-service.ts';
import { addressHash, activeHoldOf, WHOLE_AGREEMENT_ID } from './candidates.ts';
import type { StoredReminderRule } from './ports.ts';
import { previewReminders } from './preview.ts';
import { isPaused } from './runs.ts';
import { isDoubted, type ReminderPorts, type ReminderWork } from './work.ts';

type Handlers = HandlersOf<'reminders'>;
type Ports = ReminderPorts & {
  readonly reminderWork: ReminderWork;
  readonly jobs: JobQueue;
  readonly chance: Chance;
};

export function createReminderHandlers(ports: Ports): Handlers {
  const { stores, clock, chance, emit, jobs, reminderWork, toFailure } = ports;
  const { reminders } = stores;
  const { rules } = reminders;
  const changed = () => emit('reminders.changed', {});
  const book = new RuleBook({
    rules,
    transaction: stores.transaction,
    parseId: (id) => ReminderRuleId.parse(id),
    clock,
    chance,
    announce: changed,
    forgive(stored) {
      const { rule, last } = stored;
      if (last !== null) rules.noteRun(rule.id, { ...last, failure: null }, 0);
      rules.restart(rule.id, isPaused(stored) && isDoubted(stored) ? clock.now() : null);
    },
  });
  return {
    'reminders.rules': async () => {
      const { byRule } = await reminderWork.look();
      return rules.list().map((stored) => {
        const { due = 0, nextAt = null } = byRule.get(stored.rule.id) ?? {};
        return { ...ruleRun(ports.stores, stored), dueNow: due, nextAt };
      });
    },
    'reminders.saveRule': async ({ id, ...said }) => {
      requireSendable(said);
      return book.save({ ...said, ...book.originOf(id) });
    },
    'reminders.switchRule': async ({ id, isOn }) => book.switch(id, isOn),
    'reminders.removeRule': async ({ id }) => book.remove(id),
    'reminders.preview': async ({ day = null, ruleId, rule: said }) => {
      // If the office cannot be reached, only the local data is used.
      await ports.reminded.refresh().catch((error: unknown) => void toFailure(error, 'reminders'));
      if (ruleId !== undefined) rules.get(ruleId);
      if (said === undefined) {
        const order = { day, only: ruleId ?? null };
        return previewReminders(ports, reminderWork.rules(), order);
      }
      requireSendable(said);
      const rule = { ...said, isOn: true, ...book.originOf(ruleId) };
      const stored = { rule, last: null, failures: 0, countsFrom: null };
      const others = reminderWork.rules().filter(({ id }) => id !== rule.id);
      const all = sortBySpecificity([...others, { ...rule, stored }]);
      return previewReminders(ports, all, { day, only: rule.id });
    },
    'reminders.run': async () => ({
      jobId: jobs.start('remind-by-rule', (signal, report) => reminderWork.run(signal, report)),
    }),
    'reminders.holds': async ({ key }) => {
      const held = keysAtSameService(stores, key).flatMap((one) => reminders.notes(one));
      const parties = held.length === 0 ? [] : (stores.agreements.details(key).parties ?? []);
      const byParty = new Map(
        held.flatMap((note) => {
          const party = parties.find(({ id }) => id === note.partyId);
          const hold = party === undefined ? note.hold : activeHoldOf(ports, note, party);
          return hold === null ? [] : [[note.partyId, hold] as const];
        }),
      );
      return [...byParty].map(([partyId, because]) => {
        return { ...key, partyId: partyId === WHOLE_AGREEMENT_ID ? null : partyId, because };
      });
    },
    'reminders.hold': async (hold) => {
      holdBackReminders(ports, hold);
      changed();
      return {};
    },
    'reminders.release': async ({ connectionId, id, partyId }) => {
      const key = { connectionId, id };
      for (const one of keysAtSameService(stores, key)) {
        reminders.setHold(one, partyId ?? WHOLE_AGREEMENT_ID, null, null);
      }
      // Releasing a hold also allows a new attempt.
      if (partyId !== null) reminders.setTried(key, partyId, null);
      changed();
      return {};
    },
  };
}

/** Returns the keys of an agreement through each connection to its service. */
const keysAtSameService = (
  stores: Pick<Stores, 'connections'>,
  { connectionId, id }: AgreementKey,
) =>
  allConnectionsToServiceOf(stores, connectionId).map((one): AgreementKey => ({
    connectionId: one,
    id,
  }));

/** Throws 'invalid' with the fields of a rule whose values prevent reminders at the right time. */
function requireSendable({ hours, country }: Pick<ReminderRuleDraft, 'hours' | 'country'>): void {
  const fields: Record<string, string> = {};
  if (validateZone(hours.zone).verdict === 'wrong')
    fields['hours.zone'] = 'The time zone is not known. Enter one such as Europe/Stockholm';
  if (hours.from >= hours.to) {
    fields['hours.to'] = 'The closing time must be later than the opening time';
  }
  if (!hasHolidays(country)) fields['country'] = 'The holidays of this country are not known';
  const problems = Object.values(fields);
  if (problems.length > 0) throw new AppError('invalid', problems.join('. '), { fields });
}

/**
 * Holds back reminders. Throws 'invalid' if the API does not support reminders, or if a bounce is
 * reported without a party.
 */
function holdBackReminders(
  ports: Ports,
  { connectionId, id, partyId, because }: ReminderHold,
): void {
  const { stores } = ports;
  requireAction(stores, connectionId, 'remind');
  const party = stores.agreements
    .details({ connectionId, id })
    .parties?.find((one) => one.id === partyId);
  if (partyId !== null && party === undefined) {
    throw new AppError('not-found', 'The agreement has no such party');
  }
  if (because === 'bounced' && party === undefined) {
    throw new AppError('invalid', 'Name the party whose messages were returned');
  }
  const hash = because === 'bounced' && party !== undefined ? addressHash(ports, party) : null;
  stores.reminders.setHold({ connectionId, id }, partyId ?? WHOLE_AGREEMENT_ID, because, hash);
}

/** Returns a rule with the result of its last run, and the titles of agreements that failed. */
function ruleRun(stores: Pick<Stores, 'agreements'>, stored: StoredReminderRule) {
  const { rule, last } = stored;
  const failures = namedFailures(stores, last?.failures);
  return { rule, last, failures, isPaused: isPaused(stored) };
}

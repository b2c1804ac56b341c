import type { Party } from '../../../shared/model/agreement.ts';
import type { AgreementKey, ConnectionId } from '../../../shared/model/ids.ts';
import { actionRejectionReason } from '../../../shared/rules/actions/reasons.ts';
import {
  reminderDecision,
  type ReminderDecision,
  type Remindable,
  turnStartedAt,
} from '../../../shared/rules/reminders/judge.ts';
import { allConnectionsToServiceOf, servicesByConnection } from '../services/same-service.ts';
import { findRuleFor } from '../../../shared/rules/reminders/match.ts';
import type { Clock, Encoding, Scheduler, Sha256, Stores } from '../ports.ts';
import type { OpenAgreement, PastReminder, ReminderNote, StoredReminderRule } from './ports.ts';
import { DAY } from '../../../shared/rules/time/units.ts';

export interface CandidatePorts {
  readonly stores: Pick<Stores, 'reminders' | 'ownUsers' | 'connections' | 'settings'>;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly encoding: Encoding;
  readonly sha256: Sha256;
}

/** A party of an open agreement, with the reminder rule that applies to it and the known facts. */
export interface Candidate {
  readonly agreement: OpenAgreement;
  readonly party: Party;
  readonly stored: StoredReminderRule;
  readonly subject: Remindable;
  /**
   * Whether the service has reported its own reminder times; before that, its usual time is
   * assumed.
   */
  readonly isAsked: boolean;
}

/** Number of agreements per step; the window is served between steps. */
const AGREEMENTS_PER_STEP = 500;
/** ID used instead of a party's for the whole agreement. */
export const WHOLE_AGREEMENT_ID = '';

/**
 * Rules in the order in which they are evaluated, the narrowest first, each with its last result.
 */
export type RankedRules = readonly (StoredReminderRule['rule'] & {
  readonly stored: StoredReminderRule;
})[];

/** Past reminders and notes, by agreement and party. */
interface ReminderHistory {
  /**
   * Reminders through any connection: a party is reminded of an agreement, not of one local copy.
   */
  readonly past: ReadonlyMap<string, readonly number[]>;
  readonly notes: ReadonlyMap<string, ReminderNote>;
  /**
   * Time before which another copy of the data may have sent reminders that are unknown; null if
   * there is no other copy.
   */
  readonly restoredAt: number | null;
}

export async function* candidates(
  ports: CandidatePorts,
  rules: RankedRules,
): AsyncGenerator<readonly Candidate[]> {
  if (rules.length === 0) return;
  const known = readReminderHistory(ports);
  for await (const some of openAgreements(ports)) {
    yield some.flatMap((agreement) => candidatesOf(ports, rules, agreement, known));
  }
}

export const readReminderHistory = ({ stores }: Pick<CandidatePorts, 'stores'>): ReminderHistory =>
  toReminderHistory(stores, stores.reminders.reminded(), stores.reminders.notes());

/** Returns the past reminders and notes of one agreement. */
export function reminderHistoryOf(
  { stores }: Pick<CandidatePorts, 'stores'>,
  key: AgreementKey,
): ReminderHistory {
  const { reminders } = stores;
  const copies = allConnectionsToServiceOf(stores, key.connectionId).map((connectionId) => {
    return { connectionId, id: key.id };
  });
  const past = copies.flatMap((one) => reminders.reminded(one));
  return toReminderHistory(
    stores,
    past,
    copies.flatMap((one) => reminders.notes(one)),
  );
}

/**
 * Yields every agreement whose parties can be reminded. Reads only the local copies and makes no
 * request.
 */
export async function* openAgreements({
  stores,
  scheduler,
}: CandidatePorts): AsyncGenerator<readonly OpenAgreement[]> {
  const users = new Map<ConnectionId, string | null>();
  for (let after = 0; ;) {
    const some = stores.reminders.open(after, AGREEMENTS_PER_STEP);
    const last = some.at(-1);
    if (last === undefined) return;
    yield some.filter(({ connectionId, access, state }) => {
      if (!users.has(connectionId)) users.set(connectionId, stores.ownUsers.find(connectionId));
      const about = { state, gone: null, access, ourUser: users.get(connectionId) };
      return actionRejectionReason('remind', about, 'v1') === null;
    });
    after = last.number;
    await scheduler.yield();
  }
}

/** Returns the candidates of one agreement with its current facts. */
export function candidatesOf(
  ports: Pick<CandidatePorts, 'encoding' | 'sha256'>,
  rules: RankedRules,
  agreement: OpenAgreement,
  known: ReminderHistory,
): readonly Candidate[] {
  const rule = findRuleFor(rules, agreement);
  const { parties } = agreement;
  if (rule === null || parties === null) return [];
  const { connectionId, id } = agreement;
  return parties.map((party) => ({
    agreement,
    party,
    stored: rule.stored,
    subject: subjectOf(ports, agreement, party, known, rule.stored.countsFrom),
    isAsked:
      (known.notes.get(partyKeyText(connectionId, id, party.id))?.serviceTimes ?? null) !== null,
  }));
}

function toReminderHistory(
  stores: CandidatePorts['stores'],
  past: readonly PastReminder[],
  notes: readonly ReminderNote[],
): ReminderHistory {
  const all = servicesByConnection(stores);
  // A reminder is recorded under the agreement's key through every connection, because a caller
  // knows only one of the keys.
  const namesOf = ({ connectionId, agreementId, partyId }: Omit<PastReminder, 'at'>) =>
    [...all].flatMap(([id, service]) =>
      service === all.get(connectionId) ? [partyKeyText(id, agreementId, partyId)] : [],
    );
  const reminded = new Map<string, number[]>();
  for (const one of past) {
    for (const name of namesOf(one)) {
      const times = reminded.get(name);
      if (times === undefined) reminded.set(name, [one.at]);
      else times.push(one.at);
    }
  }
  const noted = new Map(
    notes.map((one) => [partyKeyText(one.connectionId, one.agreementId, one.partyId), one]),
  );
  // A hold by the user applies through every connection; failed attempts are counted per
  // connection.
  for (const one of notes) {
    const { hold, addressHash: hash } = one;
    if (hold === null) continue;
    for (const name of namesOf(one)) {
      const own = noted.get(name);
      if (own === undefined)
        noted.set(name, { ...one, triedAt: null, tries: 0, serviceTimes: null });
      else if (own.hold === null) noted.set(name, { ...own, hold, addressHash: hash });
    }
  }
  const { restoredAt, lastRestoredAt } = stores.settings.read();
  return { past: reminded, notes: noted, restoredAt: lastRestoredAt ?? restoredAt };
}

/**
 * Decides whether the party is due. The service's own reminder times are considered only after the
 * service has reported them, never as a guess.
 */
export function decideReminder(
  { subject, stored, isAsked }: Candidate,
  now: number,
): ReminderDecision {
  const known = isAsked ? subject : { ...subject, service: [] };
  return reminderDecision(known, stored.rule, now);
}

function subjectOf(
  ports: Pick<CandidatePorts, 'encoding' | 'sha256'>,
  agreement: OpenAgreement,
  party: Party,
  { past, notes, restoredAt }: ReminderHistory,
  countsFrom: number | null,
): Remindable {
  const { connectionId, id, expiresAt, parties } = agreement;
  const name = partyKeyText(connectionId, id, party.id);
  const note = notes.get(name);
  const whole = notes.get(partyKeyText(connectionId, id, WHOLE_AGREEMENT_ID));
  const since = turnStartedAt(agreement, parties ?? [], party);
  const isDoubted = restoredAt !== null && (since === null || since <= restoredAt);
  const { triedAt = null, tries = 0, serviceTimes = null } = note ?? {};
  return {
    party,
    since,
    expiresAt,
    past: past.get(name) ?? [],
    service: serviceTimes ?? usualServiceTimes(expiresAt),
    tries: triedAt === null ? null : { at: triedAt, times: tries },
    hold: whole?.hold ?? activeHoldOf(ports, note, party),
    // This time applies to every rule, including later ones and those from the office.
    countsFrom: isDoubted ? Math.max(restoredAt, countsFrom ?? 0) : countsFrom,
  };
}

/**
 * Returns the usual time of the service's own reminder: one day before expiry, unless the service
 * reports another (API v1, "Notification").
 */
export const usualServiceTimes = (expiresAt: number | null): readonly number[] =>
  expiresAt === null ? [] : [expiresAt - DAY];

/**
 * Returns the hold, if it still applies. A hold for a bounced message applies to the address, not
 * to the person: a new address is tried.
 */
export function activeHoldOf(
  ports: Pick<CandidatePorts, 'encoding' | 'sha256'>,
  note: Pick<ReminderNote, 'hold' | 'addressHash'> | undefined,
  party: Pick<Party, 'email' | 'mobile'>,
): Remindable['hold'] {
  if (note === undefined || note.hold === null) return null;
  if (note.hold !== 'bounced') return note.hold;
  return note.addressHash === addressHash(ports, party) ? 'bounced' : null;
}

/** Returns a hash of a party's addresses, to recognize them without storing them. */
export function addressHash(
  { encoding, sha256 }: Pick<CandidatePorts, 'encoding' | 'sha256'>,
  { email, mobile }: Pick<Party, 'email' | 'mobile'>,
): string {
  return sha256(encoding.utf8(JSON.stringify([email?.toLowerCase() ?? null, mobile])));
}

const partyKeyText = (
  connectionId: ConnectionId,
  id: AgreementKey['id'],
  partyId: string,
): string => `${connectionId} ${id} ${partyId}`;

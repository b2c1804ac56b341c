import type { Party } from '../../../shared/model/agreement.ts';
import type { AgreementKey, ConnectionId } from '../../../shared/model/ids.ts';
import { reasonAgainst } from '../../../shared/rules/actions/reasons.ts';
import {
  reminderDecision,
  type Judgement,
  type Remindable,
  turnSince,
} from '../../../shared/rules/reminders/judge.ts';
import { everReaching, everyService } from '../services/same-service.ts';
import { ruleFor } from '../../../shared/rules/reminders/match.ts';
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

/** A party of an open agreement, the rule that decides for it, and all that is known of both. */
export interface Candidate {
  readonly agreement: OpenAgreement;
  readonly party: Party;
  readonly stored: StoredReminderRule;
  readonly subject: Remindable;
  /** Whether the service told when it reminds by itself; until then its usual time is foretold. */
  readonly isAsked: boolean;
}

/** Read in so many steps, between which the window is answered. */
const CHUNK = 500;
/** The agreement itself, among its parties. */
export const WHOLE = '';

/** Rules as they are asked, narrowest first, with what became of each. */
export type RankedRules = readonly (StoredReminderRule['rule'] & {
  readonly stored: StoredReminderRule;
})[];

/** What the book of actions and the notes say, by agreement and party. */
interface Known {
  /** Through whichever connection: a party is reminded of an agreement, not of its copy here. */
  readonly past: ReadonlyMap<string, readonly number[]>;
  readonly notes: ReadonlyMap<string, ReminderNote>;
  /** Whom another copy of this data reminded before is not known; null where there is none. */
  readonly restoredAt: number | null;
}

/** Every party of every open agreement that one of the rules decides for. */
export async function* candidates(
  ports: CandidatePorts,
  rules: RankedRules,
): AsyncGenerator<readonly Candidate[]> {
  if (rules.length === 0) return;
  const known = knownNow(ports);
  for await (const some of openAgreements(ports)) {
    yield some.flatMap((agreement) => candidatesOf(ports, rules, agreement, known));
  }
}

/** What is known now of all that was reminded. */
export const knownNow = ({ stores }: Pick<CandidatePorts, 'stores'>): Known =>
  knownOf(stores, stores.reminders.reminded(), stores.reminders.notes());

/** The same of one agreement. */
export function knownOfOne({ stores }: Pick<CandidatePorts, 'stores'>, key: AgreementKey): Known {
  const { reminders } = stores;
  const copies = everReaching(stores, key.connectionId).map((connectionId) => {
    return { connectionId, id: key.id };
  });
  const past = copies.flatMap((one) => reminders.reminded(one));
  return knownOf(
    stores,
    past,
    copies.flatMap((one) => reminders.notes(one)),
  );
}

/** Every agreement of which a party can be reminded, from the copies here: no request is made. */
export async function* openAgreements({
  stores,
  scheduler,
}: CandidatePorts): AsyncGenerator<readonly OpenAgreement[]> {
  const users = new Map<ConnectionId, string | null>();
  for (let after = 0; ;) {
    const some = stores.reminders.open(after, CHUNK);
    const last = some.at(-1);
    if (last === undefined) return;
    yield some.filter(({ connectionId, access, state }) => {
      if (!users.has(connectionId)) users.set(connectionId, stores.ownUsers.find(connectionId));
      const about = { state, gone: null, access, ourUser: users.get(connectionId) };
      return reasonAgainst('remind', about, 'v1') === null;
    });
    after = last.number;
    await scheduler.yield();
  }
}

/** The same for one agreement, as it is known now. */
export function candidatesOf(
  ports: Pick<CandidatePorts, 'encoding' | 'sha256'>,
  rules: RankedRules,
  agreement: OpenAgreement,
  known: Known,
): readonly Candidate[] {
  const rule = ruleFor(rules, agreement);
  const { parties } = agreement;
  if (rule === null || parties === null) return [];
  const { connectionId, id } = agreement;
  return parties.map((party) => ({
    agreement,
    party,
    stored: rule.stored,
    subject: subjectOf(ports, agreement, party, known, rule.stored.countsFrom),
    isAsked: (known.notes.get(nameOf(connectionId, id, party.id))?.serviceTimes ?? null) !== null,
  }));
}

function knownOf(
  stores: CandidatePorts['stores'],
  past: readonly PastReminder[],
  notes: readonly ReminderNote[],
): Known {
  const all = everyService(stores);
  // Under the name of each copy: whoever asks has only that.
  const namesOf = ({ connectionId, agreementId, partyId }: Omit<PastReminder, 'at'>) =>
    [...all].flatMap(([id, service]) =>
      service === all.get(connectionId) ? [nameOf(id, agreementId, partyId)] : [],
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
    notes.map((one) => [nameOf(one.connectionId, one.agreementId, one.partyId), one]),
  );
  // What a person held back is held back in every copy; how often it failed is told of each.
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

/** What the service's own reminders forbid is found out by asking it, and not by a guess. */
export function judgeCandidate({ subject, stored, isAsked }: Candidate, now: number): Judgement {
  const known = isAsked ? subject : { ...subject, service: [] };
  return reminderDecision(known, stored.rule, now);
}

function subjectOf(
  ports: Pick<CandidatePorts, 'encoding' | 'sha256'>,
  agreement: OpenAgreement,
  party: Party,
  { past, notes, restoredAt }: Known,
  countsFrom: number | null,
): Remindable {
  const { connectionId, id, expiresAt, parties } = agreement;
  const name = nameOf(connectionId, id, party.id);
  const note = notes.get(name);
  const whole = notes.get(nameOf(connectionId, id, WHOLE));
  const since = turnSince(agreement, parties ?? [], party);
  const isDoubted = restoredAt !== null && (since === null || since <= restoredAt);
  const { triedAt = null, tries = 0, serviceTimes = null } = note ?? {};
  return {
    party,
    since,
    expiresAt,
    past: past.get(name) ?? [],
    service: serviceTimes ?? usualServiceTimes(expiresAt),
    tries: triedAt === null ? null : { at: triedAt, times: tries },
    hold: whole?.hold ?? holdOf(ports, note, party),
    // By whichever rule, also one that was written since, or came from the office.
    countsFrom: isDoubted ? Math.max(restoredAt, countsFrom ?? 0) : countsFrom,
  };
}

/** A day before it expires, where nothing else is said (API v1, "Notification"). */
export const usualServiceTimes = (expiresAt: number | null): readonly number[] =>
  expiresAt === null ? [] : [expiresAt - DAY];

/** Messages came back from an address, not from a person: another address is tried. */
export function holdOf(
  ports: Pick<CandidatePorts, 'encoding' | 'sha256'>,
  note: Pick<ReminderNote, 'hold' | 'addressHash'> | undefined,
  party: Pick<Party, 'email' | 'mobile'>,
): Remindable['hold'] {
  if (note === undefined || note.hold === null) return null;
  if (note.hold !== 'bounced') return note.hold;
  return note.addressHash === addressHash(ports, party) ? 'bounced' : null;
}

/** Where a party is written to, so that it can be recognised and not read. */
export function addressHash(
  { encoding, sha256 }: Pick<CandidatePorts, 'encoding' | 'sha256'>,
  { email, mobile }: Pick<Party, 'email' | 'mobile'>,
): string {
  return sha256(encoding.utf8(JSON.stringify([email?.toLowerCase() ?? null, mobile])));
}

const nameOf = (connectionId: ConnectionId, id: AgreementKey['id'], partyId: string): string =>
  `${connectionId} ${id} ${partyId}`;

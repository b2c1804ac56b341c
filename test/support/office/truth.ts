import { daysBetween, isHolidayIn, isWeekendDay, wallOf } from './calendar.ts';
import type { Life } from './lives.ts';
import { type RuleName, terms } from './rules.ts';
import { HOUR } from '../../../shared/rules/time/units.ts';

/*
 * The expected state: the agreements as the service has them, and the reminders requested from it.
 * Whether a reminder is allowed is calculated from the promises of rules (guide, "Remind by rule"),
 * not with the program's code.
 */

const MAX_TRIES = 3;
const ZONES: Readonly<Record<string, string>> = {
  SE: 'Europe/Stockholm',
  NO: 'Europe/Oslo',
  DK: 'Europe/Copenhagen',
  FI: 'Europe/Helsinki',
  DE: 'Europe/Berlin',
  GB: 'Europe/London',
  PL: 'Europe/Warsaw',
  FR: 'Europe/Paris',
  ES: 'Europe/Madrid',
};

export type Ending = 'signed' | 'rejected' | 'revoked' | 'expired';

export interface TrueParty {
  readonly id: string;
  readonly name: string;
  readonly isOurs: boolean;
  readonly country: string | null;
  readonly mobile: string | null;
  readonly order: number;
  email: string;
  state: 'waiting' | 'turn' | 'signed' | 'rejected';
  /** Reason of the rejection. */
  reason: string | null;
  /** Time of the service's own reminder. */
  readonly serviceTimes: readonly number[];
}

export interface TrueAgreement {
  readonly id: string;
  readonly life: Life;
  readonly rule: RuleName;
  readonly sentAt: number;
  readonly expiresAt: number | null;
  readonly parties: readonly TrueParty[];
  lastSignedAt: number | null;
  ended: { readonly as: Ending; readonly at: number } | null;
}

/** One reminder request, as the service received it. */
export interface Request {
  readonly agreement: TrueAgreement;
  readonly party: TrueParty;
  /** True time of the request; `deskAt` is the time of the computer's clock. */
  readonly at: number;
  readonly deskAt: number;
  /** Whether a user requested it. */
  readonly isByHand: boolean;
  readonly end: 'done' | 'unknown' | 'refused';
  /** Reason that forbade the rule's reminder; null if it was allowed. */
  readonly wrong: string | null;
}

/** Decisions of users about their sends. */
interface Said {
  readonly held: Set<string>;
  /** Addresses with bounced messages, by party. */
  readonly bounced: Map<string, string>;
}

export class Truth {
  readonly agreements = new Map<string, TrueAgreement>();
  readonly requests: Request[] = [];
  readonly #said = new Map<number, Said>();

  of(desk: number): Said {
    const said = this.#said.get(desk) ?? { held: new Set(), bounced: new Map() };
    this.#said.set(desk, said);
    return said;
  }

  note(request: Omit<Request, 'wrong'>): Request {
    const { agreement, party, deskAt, isByHand } = request;
    const wrong = isByHand
      ? this.#withinTheHour(party, deskAt)
      : this.whyNot(agreement, party, deskAt);
    const noted = { ...request, wrong };
    this.requests.push(noted);
    return noted;
  }

  /** Ends the agreements whose time is over. */
  pass(now: number): void {
    for (const one of this.agreements.values()) {
      if (one.ended !== null || one.expiresAt === null || one.expiresAt > now) continue;
      one.ended = { as: 'expired', at: one.expiresAt };
    }
  }

  /**
   * Parties that rules reminded twice within their interval, or more often than allowed, from any
   * computer.
   */
  tooOften(): readonly string[] {
    return [...this.agreements.values()].flatMap(({ rule, life, parties }) => {
      const { everyDays, most, hours } = terms[rule];
      return parties.flatMap((party) => {
        const past = this.#past(party).toSorted((a, b) => a.at - b.at);
        const days = past.map(({ deskAt }) => wallOf(deskAt, hours.zone).day);
        const isWrong = past.some(
          ({ isByHand }, at) =>
            at > 0 && !isByHand && daysBetween(days[at - 1] ?? '', days[at] ?? '') < everyDays,
        );
        const isMore = new Set(days).size > most && past.at(-1)?.isByHand === false;
        return isWrong || isMore ? [`${life.title}: ${days.join(', ')}`] : [];
      });
    });
  }

  /** Parties that the rules of a computer must remind now. */
  dueAt(desk: number, at: number): readonly string[] {
    return [...this.agreements.values()]
      .filter(({ life }) => life.desk === desk)
      .flatMap((agreement) =>
        agreement.parties
          .filter((party) => this.whyNot(agreement, party, at) === null)
          .map((party) => `${agreement.rule}: ${agreement.life.title}, ${party.email}`),
      );
  }

  /** Open agreements of a computer that have a party whose address bounced. */
  bounced(desk: number): readonly TrueAgreement[] {
    const { bounced } = this.of(desk);
    return [...this.agreements.values()].filter(
      ({ ended, parties }) =>
        ended === null &&
        parties.some(({ id, email, state }) => state !== 'signed' && bounced.get(id) === email),
    );
  }

  /**
   * Reason why an automatic reminder is forbidden at this time of the computer's clock; null if it
   * is allowed.
   */
  whyNot(agreement: TrueAgreement, party: TrueParty, at: number): string | null {
    const { life, rule, expiresAt, ended } = agreement;
    const { held, bounced } = this.of(life.desk);
    if (ended !== null) return 'it has ended';
    if (expiresAt !== null && expiresAt <= at) return 'it has expired';
    if (party.state !== 'turn' || party.isOurs) return 'it is not its turn';
    if (held.has(agreement.id)) return 'a person left it out';
    if (bounced.get(party.id) === party.email) return 'messages come back';
    return (
      this.#withinTheHour(party, at) ??
      this.#tooSoon(agreement, party, at) ??
      closed(party, rule, at)
    );
  }

  #withinTheHour(party: TrueParty, at: number): string | null {
    const isLate = this.#past(party).every((past) => at - past.deskAt >= HOUR);
    return isLate ? null : 'it was reminded within the hour';
  }

  /** Reminders of a party that may have arrived. */
  #past(party: TrueParty): readonly Request[] {
    return this.requests.filter((one) => one.party === party && one.end !== 'refused');
  }

  #tooSoon(agreement: TrueAgreement, party: TrueParty, at: number): string | null {
    const { firstAfterDays, everyDays, most, hours } = terms[agreement.rule];
    const dayOf = (instant: number) => wallOf(instant, hours.zone).day;
    const today = dayOf(at);
    const since = (instant: number) => daysBetween(dayOf(instant), today);
    if (since(turnOf(agreement, party)) < firstAfterDays) return 'its turn came lately';
    const past = this.#past(party);
    if (past.some(({ deskAt }) => since(deskAt) < everyDays)) return 'it was reminded lately';
    if (new Set(past.map(({ deskAt }) => dayOf(deskAt))).size >= most) return 'that is enough';
    if (party.serviceTimes.some((time) => Math.abs(since(time)) < everyDays)) {
      return 'the service reminds it';
    }
    const lastAt = Math.max(0, ...past.map((one) => one.at));
    const tries = this.requests.filter(
      (one) => one.party === party && one.end === 'refused' && one.at > lastAt,
    );
    if (tries.some(({ deskAt }) => since(deskAt) < 1)) return 'it was tried today';
    return tries.length >= MAX_TRIES ? 'it was refused too often' : null;
  }
}

/**
 * Latest start of a party's turn. API v1 returns the time of the last signature, but not its
 * signer, so the turn began then or before.
 */
function turnOf({ sentAt, parties, lastSignedAt }: TrueAgreement, party: TrueParty): number {
  const isFirst = parties.every(({ order }) => order >= party.order);
  return isFirst ? sentAt : Math.max(sentAt, lastSignedAt ?? sentAt);
}

function closed(party: TrueParty, rule: RuleName, at: number): string | null {
  const { hours, country } = terms[rule];
  const here = wallOf(at, hours.zone);
  const own = ownCountry(party, country);
  const there = wallOf(at, ZONES[own] ?? hours.zone);
  for (const { day } of [here, there]) {
    if (isWeekendDay(day)) return 'it is a weekend';
    if (isHolidayIn(own, day)) return `it is a holiday in ${own}`;
  }
  return here.time >= hours.from && here.time < hours.to ? null : 'the office is closed';
}

function ownCountry({ country, mobile }: TrueParty, otherwise: string): string {
  if (country !== null && country in ZONES) return country;
  return mobile?.startsWith('+47') === true ? 'NO' : otherwise;
}

import type { createSeeded } from '../seeded.ts';
import { DAY, HOUR, MINUTE } from '../../../shared/rules/time/units.ts';

/*
 * Life of an office's agreements in a month, generated from a seed: who sends each, who signs it
 * and when, and the actions of the users.
 */

export type Chance = ReturnType<typeof createSeeded>;

export const DESKS = 3;

export interface PartyPlan {
  /**
   * Country of the party; null if the service does not know it, although the mobile number may show
   * it.
   */
  readonly country: string | null;
  readonly mobile: string | null;
  readonly email: string;
  readonly order: number;
}

/** Action of another person; `after` is its delay after the send (ms). */
export interface ActPlan {
  readonly after: number;
  readonly what: 'sign-one' | 'reject' | 'revoke';
}

/**
 * Action of the computer's user; it is done at the first check at least `after` milliseconds after
 * the send.
 */
export interface DeedPlan {
  readonly after: number;
  readonly what: 'hold' | 'release' | 'bounced' | 'correct' | 'correct-and-tell' | 'by-hand';
}

export interface Life {
  readonly index: number;
  readonly title: string;
  readonly desk: number;
  /** Origin of the agreement: a draft, a row of a batch, or another program's request. */
  readonly from: 'draft' | 'batch' | 'elsewhere';
  readonly kind: 'lease' | 'sale' | null;
  /** Time of the sending after the start of the month (ms). */
  readonly sentAfter: number;
  readonly expiresAfterDays: number | null;
  /** Number of days after the sending at which the service itself reminds; null for its default. */
  readonly serviceRemindsAfterDays: number | null;
  readonly parties: readonly PartyPlan[];
  /** Whether our company signs too, with a delay. */
  readonly isOursToo: boolean;
  readonly acts: readonly ActPlan[];
  readonly deeds: readonly DeedPlan[];
}

const COUNTRIES = ['SE', 'SE', 'NO', 'DK', 'FI', 'DE', 'GB', 'PL', 'FR', 'ES', 'US'] as const;
const BATCH_EVERY = 6;
const ELSEWHERE_EVERY = 5;

export function livesOf(count: number, days: number, chance: Chance): readonly Life[] {
  return Array.from({ length: count }, (_, index) => lifeOf(index, days, chance));
}

function lifeOf(index: number, days: number, chance: Chance): Life {
  const desk = index % DESKS;
  const from = originOf(Math.floor(index / DESKS));
  const some = chance.whole(1, 100);
  const parties = partiesOf(index, from === 'batch' ? 1 : some > 70 ? 2 : 1, chance);
  const expiresAfterDays = from === 'batch' ? 30 : chance.pick([null, null, 6, 9, 14]);
  const sentAfter =
    from === 'batch' ? DAY + 11 * HOUR : chance.whole(0, (days - 6) * 24) * HOUR + 7 * 60_000;
  return {
    index,
    title: `Agreement ${String(index).padStart(3, '0')}`,
    desk,
    from,
    kind: chance.pick([null, 'lease', 'sale']),
    sentAfter,
    expiresAfterDays,
    serviceRemindsAfterDays:
      expiresAfterDays !== null && from !== 'batch' && index % 4 === 0
        ? expiresAfterDays - 4
        : null,
    parties,
    isOursToo: from === 'draft' && index % 13 === 0,
    acts: actsOf(parties.length, chance),
    deeds: deedsOf(index, chance),
  };
}

function originOf(number: number): Life['from'] {
  if (number % BATCH_EVERY === 0) return 'batch';
  return number % ELSEWHERE_EVERY === 0 ? 'elsewhere' : 'draft';
}

function partiesOf(index: number, count: number, chance: Chance): readonly PartyPlan[] {
  const isInOrder = chance.whole(0, 2) > 0;
  return Array.from({ length: count }, (_, at) => {
    const country = chance.pick(COUNTRIES);
    const isUntold = chance.whole(0, 9) === 0;
    return {
      country: isUntold ? null : country,
      mobile: isUntold && country === 'NO' ? '+4741234567' : null,
      email: `p${String(index)}-${String(at)}@example.com`,
      order: isInOrder ? at + 1 : 1,
    };
  });
}

function actsOf(parties: number, chance: Chance): readonly ActPlan[] {
  const fate = chance.whole(1, 100);
  const first = chance.whole(3, 14 * 24) * HOUR + 13 * MINUTE;
  const next = first + chance.whole(20, 7 * 24) * HOUR;
  if (fate <= 8) return [{ after: first, what: 'reject' }];
  if (fate <= 14) return [{ after: first, what: 'revoke' }];
  if (fate <= 45) return [];
  const signed = { after: first, what: 'sign-one' } as const;
  if (parties === 1) return [signed];
  const second = chance.pick<ActPlan['what'] | null>(['sign-one', 'reject', null]);
  return second === null ? [signed] : [signed, { after: next, what: second }];
}

function deedsOf(index: number, chance: Chance): readonly DeedPlan[] {
  const at = chance.whole(2 * 24, 6 * 24) * HOUR;
  const later = at + chance.whole(24, 4 * 24) * HOUR;
  if (index % 11 === 3) {
    const ending = chance.pick<DeedPlan['what'] | null>(['correct', 'correct-and-tell', null]);
    return [
      { after: at, what: 'bounced' },
      ...(ending === null ? [] : [{ after: later, what: ending }]),
    ];
  }
  if (index % 17 === 5) {
    return [
      { after: at, what: 'hold' },
      ...(index % 2 === 0 ? [{ after: later, what: 'release' } as const] : []),
    ];
  }
  return index % 9 === 4 ? [{ after: at, what: 'by-hand' }] : [];
}

import { beforeEach, describe, expect, it } from 'vitest';
import { OutboxGates } from '../../../electron/core/outbox/gates.ts';
import type { GateKind } from '../../../shared/contract/outbox.ts';
import type { ConnectionId } from '../../../shared/model/ids.ts';
import {
  addConnection,
  createWorld,
  startMemoryDesk,
  type World,
} from '../../support/fakes/memory-desk.ts';
import { DAY, MINUTE } from '../../../shared/rules/time/units.ts';

const KINDS: readonly GateKind[] = [
  'auth',
  'clock',
  'disk',
  'keychain',
  'user',
  'breaker',
  'offline',
  'rate',
];

let world: World;
let gates: OutboxGates;
let id: ConnectionId;
let told: number;

beforeEach(async () => {
  world = createWorld();
  id = (await addConnection(startMemoryDesk(world))).id;
  told = 0;
  const { stores, clock } = world;
  gates = new OutboxGates({
    stores,
    clock,
    emit: (name, data) => {
      expect([name, data]).toEqual(['outbox.gatesChanged', { connectionId: id }]);
      told += 1;
    },
  });
});

const kinds = () => gates.closed(id).map(({ kind }) => kind);
const now = () => world.clock.now();
/** Reports a service clock that is `ahead` of the local one. */
const hear = (ahead: number) => gates.noteServerTime(id, now() + ahead);

describe('a gate of a connection', () => {
  it('stays closed until its time, and its closing is reported', () => {
    gates.close(id, 'rate', now() + 1_000, null);
    expect(told).toBe(1);
    world.clock.advance(999);
    expect(kinds()).toEqual(['rate']);
    world.clock.advance(1);
    expect(kinds()).toEqual([]);
  });

  it('without a time stays closed until it is opened, which is reported once', () => {
    gates.close(id, 'user', null, null);
    world.clock.advance(365 * DAY);
    expect(kinds()).toEqual(['user']);
    gates.open(id, 'disk', 'user');
    expect([kinds(), told]).toEqual([[], 2]);
    gates.open(id, 'user');
    expect(told).toBe(2);
  });

  it.each(KINDS)('of kind %s opens when a person resumes the connection', (kind) => {
    gates.close(id, kind, null, null);
    gates.resume(id);
    expect(kinds()).toEqual([]);
  });
});

describe('the clock of the service', () => {
  const skewed = (ahead: number) => {
    hear(ahead);
    return kinds();
  };

  it('is unknown before an answer shows it', () => {
    expect(gates.skew(id)).toBeNull();
    expect(gates.serverTime(id)).toBe(now());
    gates.noteServerTime(id, null);
    expect(gates.skew(id)).toBeNull();
    hear(-3_000);
    expect(gates.skew(id)).toBe(-3_000);
    world.clock.advance(MINUTE);
    expect(gates.serverTime(id)).toBe(now() - 3_000);
  });

  it('is converted to local time; while it is unknown, the local clock is used', () => {
    expect(gates.timeHere(id, 9_000.4)).toBe(9_000);
    hear(-3_000);
    expect(gates.timeHere(id, 9_000.4)).toBe(12_000);
  });

  it.each([5 * MINUTE + 1, -5 * MINUTE - 1])(
    'blocks sends while its difference from the local clock is %i ms',
    (ahead) => {
      expect(skewed(ahead)).toEqual(['clock']);
      expect(skewed(0)).toEqual([]);
    },
  );

  it.each([5 * MINUTE, -5 * MINUTE])(
    'allows sends while its difference from the local clock is %i ms',
    (ahead) => {
      expect(skewed(ahead)).toEqual([]);
    },
  );

  it('is reported with its difference in minutes and its direction', () => {
    hear(7.4 * MINUTE);
    const [{ reason: behind } = {}] = gates.closed(id);
    const message = "The clock of this computer is 7 minutes behind the service's";
    expect(behind).toEqual({ code: 'conflict', message });
    hear(-6 * MINUTE);
    const [{ reason: ahead } = {}] = gates.closed(id);
    expect(ahead?.message).toBe("The clock of this computer is 6 minutes ahead of the service's");
  });

  it('allows sends up to five minutes beyond the difference that a person accepted', () => {
    hear(60 * MINUTE);
    gates.resume(id);
    expect(skewed(60 * MINUTE)).toEqual([]);
    expect(skewed(65 * MINUTE)).toEqual([]);
    expect(skewed(65 * MINUTE + 1)).toEqual(['clock']);
    gates.resume(id);
    expect(skewed(55 * MINUTE)).toEqual(['clock']);
  });

  it('has a lower limit of ten minutes before the last answer, or a day before an old one', () => {
    const dayBefore = now() - DAY - 10 * MINUTE;
    expect(gates.floor(id)).toBe(dayBefore);
    hear(0);
    expect(gates.floor(id)).toBe(now() - 10 * MINUTE);
    world.clock.advance(2 * DAY);
    expect(gates.floor(id)).toBe(now() - DAY - 10 * MINUTE);
  });

  it('has a lower limit of a day before the earlier of the two clocks', () => {
    hear(-60 * MINUTE);
    world.clock.advance(2 * DAY);
    expect(gates.floor(id)).toBe(now() - 60 * MINUTE - DAY - 10 * MINUTE);
  });
});

describe('the circuit breaker', () => {
  const outcomes = (...last: readonly string[]) => {
    const { outbox } = world.stores;
    outbox.lastOutcomes = (_, limit) => last.slice(0, limit);
  };
  const unknown = (count: number) => Array.from({ length: count }, () => 'unknown');

  it('blocks sends for ten minutes at five unknown outcomes, and reports why', () => {
    outcomes(...unknown(4), 'sent');
    gates.updateBreaker(id);
    expect(kinds()).toEqual([]);
    outcomes(...unknown(5));
    gates.updateBreaker(id);
    expect(gates.closed(id)).toMatchObject([
      {
        kind: 'breaker',
        until: now() + 10 * MINUTE,
        reason: {
          code: 'conflict',
          reason: 'outcome-unknown',
          message: 'Too many answers were lost. Sending waits until their outcomes are checked',
        },
      },
    ]);
  });

  it('blocks sends at more than five rows with unknown outcome, whatever their age', () => {
    const { outbox } = world.stores;
    outbox.countUnknown = () => 5;
    gates.updateBreaker(id);
    expect(kinds()).toEqual([]);
    outbox.countUnknown = () => 6;
    gates.updateBreaker(id);
    expect(kinds()).toEqual(['breaker']);
  });

  it('lets sends through as soon as the rows are settled', () => {
    outcomes(...unknown(5));
    gates.updateBreaker(id);
    const until = gates.closed(id)[0]?.until;
    world.clock.advance(MINUTE);
    gates.updateBreaker(id);
    expect(gates.closed(id)[0]?.until).toBe(until);
    outcomes('settled');
    gates.updateBreaker(id);
    expect(kinds()).toEqual([]);
  });
});

describe('a date that no clock can show', () => {
  const TEN_YEARS_MS = 3_650 * DAY;

  it.each([
    ['ahead', TEN_YEARS_MS],
    ['behind', -TEN_YEARS_MS],
  ])(
    'and is years %s is not accepted from one answer; the earlier time stays (DL-R4)',
    (_side, off) => {
      expect(gates.timeOf(id)).toBe(now());
      hear(off);
      expect(gates.timeOf(id, now() + off)).toBeNull();
      expect(gates.timeOf(id)).toBeNull();
      hear(MINUTE);
      hear(off);
      expect(kinds()).toEqual(['clock']);
      expect(gates.timeOf(id, now() + off)).toBe(now() + MINUTE);
      expect(gates.timeOf(id)).toBe(now() + MINUTE);
      expect(gates.timeOf(id, now() + DAY)).toBe(now() + DAY);
    },
  );

  it('is accepted once two answers show it, since the local clock may be wrong by years (DL-R4)', () => {
    hear(-TEN_YEARS_MS);
    // The floor is early enough for an agreement sent now, whichever of the two clocks is right.
    expect(gates.floor(id)).toBeLessThan(now() - TEN_YEARS_MS);
    hear(-TEN_YEARS_MS + MINUTE);
    expect(gates.timeOf(id, now() - TEN_YEARS_MS)).toBe(now() - TEN_YEARS_MS);
    expect(gates.skew(id)).toBe(-TEN_YEARS_MS + MINUTE);
    hear(TEN_YEARS_MS);
    expect(gates.skew(id)).toBe(-TEN_YEARS_MS + MINUTE);
    expect(gates.floor(id)).toBeLessThan(now() - TEN_YEARS_MS);
  });
});

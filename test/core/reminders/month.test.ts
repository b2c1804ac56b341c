// tier: all
import { beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '../../../shared/errors.ts';
import type { Party } from '../../../shared/model/agreement.ts';
import {
  addDays,
  dayNumber,
  numberOfDay,
  STOCKHOLM,
  wallTime,
} from '../../../shared/rules/time/days.ts';
import { isHoliday, isWeekend } from '../../../shared/rules/time/holidays.ts';
import { createLocks } from '../../support/fakes/memory-ports.ts';
import {
  addConnection,
  createWorld,
  type MemoryDesk,
  startMemoryDesk,
  type World,
} from '../../support/fakes/memory-desk.ts';
import { remoteOf } from '../../support/fakes/fake-service.ts';
import { at, personOf, Remindables, ruleOf } from '../../support/desks/reminding.ts';
import { DAY } from '../../../shared/rules/time/units.ts';

/*
 * An office's month, with its time moved by hand: 400 agreements on one service, three computers
 * that share it, Easter, the night of the spring clock change, a wrong clock, a day without a
 * network, killed programs, and addresses with bounced messages.
 */

const FIRST = '2027-03-15';
const DAYS = 30;
const AGREEMENTS = 400;
const DESKS = 3;
const RULE = ruleOf({ firstAfterDays: 3, everyDays: 2, most: 4 });
const COUNTRIES = ['SE', 'NO', 'GB', 'DE', 'PL'];
/** Times at which the computers check for due reminders, also at night and on holidays. */
const LOOKS = ['03:00', '08:59', '09:30', '12:00', '15:59', '16:00', '22:00'];
/** Days on which all clocks are two days slow. The constant below has the day without a network. */
const WRONG_CLOCK = ['2027-04-05', '2027-04-06'];
const NO_NETWORK = ['2027-04-08'];
const KILLED = ['2027-03-22', '2027-03-30', '2027-04-12'];

/** Events of an agreement, by morning. */
interface Life {
  readonly id: string;
  readonly country: string;
  readonly sent: string;
  readonly signed: string | null;
  readonly off: string | null;
  readonly bounced: string | null;
  /** Day on which the address is corrected, until when messages bounce. */
  readonly corrected: string | null;
}

const dayAfter = (count: number): string => addDays(FIRST, count);
/** Events of every agreement, the same in every run. */
const lives: readonly Life[] = Array.from({ length: AGREEMENTS }, (_, index) => {
  const chosen = (of: number) => (index * 7919 + of * 104_729) % 1000;
  const from = (chosen(1) % 25) - 8;
  const isBounced = index % 11 === 0;
  return {
    id: `a${String(index).padStart(3, '0')}`,
    country: COUNTRIES[index % COUNTRIES.length] ?? 'SE',
    sent: dayAfter(from),
    signed: index % 3 === 0 ? dayAfter(from + 2 + (chosen(2) % 14)) : null,
    off: index % 17 === 0 ? dayAfter(from + 4) : null,
    bounced: isBounced ? dayAfter(from + 4) : null,
    corrected: isBounced && index % 2 === 0 ? dayAfter(from + 9) : null,
  };
});

interface Seat {
  readonly world: World;
  desk: MemoryDesk;
  readonly office: Remindables;
}

/** One reminder request, by true time. */
interface Sent {
  readonly id: string;
  readonly at: number;
}

const sent: Sent[] = [];
/** Difference between the computers' clocks and the true time (ms; negative if they are slow). */
let skew = 0;
let seats: readonly Seat[] = [];

const trueNow = () => (seats[0]?.world.clock.now() ?? 0) - skew;

async function createSeats(): Promise<readonly Seat[]> {
  const shared = createWorld();
  const made: Seat[] = [];
  for (let index = 0; index < DESKS; index += 1) {
    const { clock, services, actions, opened } = shared;
    const world = { ...createWorld(), clock, services, actions, opened };
    const desk = startMemoryDesk(world);
    const office = new Remindables(world, (await addConnection(desk)).id);
    await desk.api['reminders.saveRule']({
      ...RULE,
      filter: { ownOnly: false, tag: `seat=${String(index)}` },
    });
    made.push({ world, desk, office });
  }
  shared.actions.v1.commit = (request) => {
    sent.push({ id: request.split(' ')[1] ?? '', at: trueNow() });
  };
  return made;
}

/** Sets the state of an agreement on the service, as on the morning of a day. */
function tell(office: Remindables, life: Life, index: number, day: string): void {
  if (day < life.sent) return;
  const isSigned = life.signed !== null && day >= life.signed;
  const isCorrected = life.corrected !== null && day >= life.corrected;
  const party: Partial<Party> = {
    id: `p-${life.id}`,
    country: life.country,
    email: isCorrected ? `right-${life.id}@example.com` : `${life.id}@example.com`,
    state: isSigned ? 'signed' : 'turn',
  };
  office.tell(
    remoteOf({
      id: life.id,
      title: `Lease ${life.id}`,
      state: isSigned ? 'signed' : 'waiting',
      sentAt: at(`${life.sent} 01:00`),
      tags: { seat: String(index % DESKS) },
      parties: [personOf(party)],
    }),
  );
}

/** Lets users hold agreements on the morning of a day, each on the computer that sent it. */
async function holdSome(day: string): Promise<void> {
  for (const [index, life] of lives.entries()) {
    const seat = seats[index % DESKS];
    if (seat === undefined) continue;
    const key = seat.office.key(life.id);
    // Actions from before the month apply from its first day on.
    const isNow = (said: string | null) => said === day || (day === FIRST && (said ?? day) < day);
    if (isNow(life.off)) {
      await seat.desk.api['reminders.hold']({ ...key, partyId: null, because: 'switched-off' });
    }
    if (isNow(life.bounced)) {
      const partyId = `p-${life.id}`;
      await seat.desk.api['reminders.hold']({ ...key, partyId, because: 'bounced' });
    }
  }
}

async function look(seat: Seat, isKilled: boolean): Promise<void> {
  const { world, office } = seat;
  office.list();
  const [page] = world.services.v1.pages;
  if (page !== undefined) world.services.v1.pages = [{ ...page, serverTime: trueNow() }];
  const left = world.actions.v1.sent.length;
  if (isKilled) world.actions.v1.endings.push(new Promise(() => {}));
  const { jobId } = await seat.desk.api['reminders.run']({});
  if (!isKilled) {
    await seat.desk.finish(jobId);
    return;
  }
  while (world.actions.v1.sent.length === left) await new Promise(setImmediate);
  // The process has ended; the next process finds its data, and its locks are released.
  seat.desk = startMemoryDesk({ ...world, locks: createLocks() });
}

/** Signatures reported in each computer's summaries, by delivery day. */
const digests: { readonly seat: number; readonly day: string; readonly ids: readonly string[] }[] =
  [];

async function takeDigests(day: string): Promise<void> {
  for (const [seat, { desk }] of seats.entries()) {
    const taken = await desk.api['digest.take']({});
    if (taken === null) continue;
    const ids = taken.entries.filter(({ kind }) => kind === 'signed').map(({ id }) => String(id));
    expect(ids).toHaveLength(taken.counts.signed);
    digests.push({ seat, day, ids });
  }
}

async function playDay(day: string): Promise<void> {
  const office = seats[0]?.office;
  if (office === undefined) throw new Error('There is no desk');
  const { clock, services } = seats[0]?.world ?? createWorld();
  skew = WRONG_CLOCK.includes(day) ? -2 * DAY : 0;
  for (const [index, time] of LOOKS.entries()) {
    clock.leap(at(`${day} ${time}`) + skew - clock.now());
    if (index === 0) {
      for (const [number, life] of lives.entries()) tell(office, life, number, day);
      for (const seat of seats) seat.office.copy();
      await holdSome(day);
    }
    services.v1.beforePage = () => {
      if (NO_NETWORK.includes(day)) throw new AppError('offline', 'No network');
    };
    for (const seat of seats) {
      await look(seat, KILLED.includes(day) && time === '09:30' && seat === seats[0]);
    }
    await takeDigests(day);
  }
}

/** Days on which a party is reminded, calculated day by day with a calendar. */
function expectedDays(life: Life): readonly number[] {
  const days: number[] = [];
  for (let count = 0; count < DAYS; count += 1) {
    const day = dayAfter(count);
    const number = numberOfDay(day);
    const isHeld =
      (life.off !== null && day >= life.off) ||
      (life.bounced !== null &&
        day >= life.bounced &&
        (life.corrected === null || day < life.corrected));
    const isOpen = day >= life.sent && (life.signed === null || day < life.signed);
    const isWorking = !isWeekend(number) && !isHoliday(number, life.country);
    const last = days.at(-1);
    const earliest =
      last === undefined ? numberOfDay(life.sent) + RULE.firstAfterDays : last + RULE.everyDays;
    if (WRONG_CLOCK.includes(day) || NO_NETWORK.includes(day)) continue;
    if (!isOpen || isHeld || !isWorking || number < earliest) continue;
    if (days.length < RULE.most) days.push(number);
  }
  return days;
}

beforeAll(async () => {
  seats = await createSeats();
  for (let count = 0; count < DAYS; count += 1) await playDay(dayAfter(count));
}, 600_000);

describe('a month of reminder rules in an office', () => {
  it('reminds each party only on the days on which it is due', () => {
    const wrong = lives.flatMap((life) => {
      const found = sent.filter(({ id }) => id === life.id);
      const days = found.map((one) => dayNumber(one.at, STOCKHOLM));
      const expected = expectedDays(life);
      return JSON.stringify(days) === JSON.stringify(expected) ? [] : [{ life, days, expected }];
    });
    expect(wrong).toEqual([]);
    expect(sent.length).toBeGreaterThan(AGREEMENTS);
  });

  it('sends no reminder at night, on weekends, on party holidays or after the signature', () => {
    const country = new Map(lives.map((life) => [life.id, life]));
    for (const one of sent) {
      const life = country.get(one.id);
      const wall = wallTime(one.at, STOCKHOLM);
      const day = dayNumber(one.at, STOCKHOLM);
      expect(wall.slice(11, 16) >= '09:00' && wall.slice(11, 16) < '16:00').toBe(true);
      expect(isWeekend(day) || isHoliday(day, life?.country ?? '')).toBe(false);
      expect(life?.signed !== null && wall.slice(0, 10) >= (life?.signed ?? '')).toBe(false);
    }
  });

  it('marks reminders in flight at a kill as unknown, and all others as done', () => {
    const states = seats.flatMap(({ world }) => world.stores.actions.list({}, 0));
    const unknown = states.filter(({ state }) => state === 'unknown');
    expect(unknown).toHaveLength(KILLED.length);
    expect(states.filter(({ state }) => state === 'done')).toHaveLength(
      sent.length - KILLED.length,
    );
    expect(states.every(({ rule }) => rule === RULE.name)).toBe(true);
  });

  it('is summarised each working day on every computer, with each new signature once', () => {
    const last = dayAfter(DAYS - 1);
    const signed = lives.filter(
      ({ sent: from, signed: day }) => day !== null && day > FIRST && day <= last && day > from,
    );
    for (const [seat] of seats.entries()) {
      // Other computers report waiting summaries: for a missed day, and then for today.
      const given = digests.filter((one) => one.seat === seat && one.ids.length > 0);
      const days = given.map(({ day }) => day);
      expect(days).toEqual([...new Set(days)]);
      expect(days.filter((day) => isWeekend(numberOfDay(day)))).toEqual([]);
      const wrong = signed.flatMap(({ id, signed: day }) => {
        const found = given.filter(({ ids }) => ids.includes(id)).map((one) => one.day);
        const expected = days.find((one) => one >= (day ?? ''));
        const isRight = found.length === (expected === undefined ? 0 : 1) && found[0] === expected;
        return isRight ? [] : [{ id, day, found, expected }];
      });
      expect(wrong).toEqual([]);
      // With a clock wrong by days, the working days differ.
      const working = Array.from({ length: DAYS }, (_, count) => dayAfter(count)).filter(
        (day) => !isWeekend(numberOfDay(day)) && !WRONG_CLOCK.includes(day) && day > FIRST,
      );
      expect(working.filter((day) => signed.some((life) => life.signed === day))).toEqual(
        days.filter((day) => working.includes(day) && signed.some((life) => life.signed === day)),
      );
    }
    expect(signed.length).toBeGreaterThan(50);
  });
});

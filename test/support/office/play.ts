import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { vi } from 'vitest';
import type { Digest } from '../../../shared/contract/digest.ts';
import { createHomeHere, type HomeHere } from '../desks/desk-here.ts';
import { createSeeded } from '../seeded.ts';
import { wallOf } from './calendar.ts';
import { openOfficeDesk, type OfficeDesk } from './desk.ts';
import { ExpectedDigests } from './digests.ts';
import { DESKS, type DeedPlan, type Life, livesOf } from './lives.ts';
import { type AtDesk, doDeed, furnish, sendBatch, sendDraft, sendElsewhere } from './people.ts';
import { type Asking, SharedService } from './service.ts';
import type { Request, TrueAgreement, Truth } from './truth.ts';
import { DAY, MINUTE } from '../../../shared/rules/time/units.ts';

/*
 * Plays a month of an office with one service and three computers with their own data. Each has
 * another kind of process: a window that stays open, a command of the system's scheduler, and a
 * program that is opened in the morning, sleeps for days, and is killed. The test moves the time
 * from one step to the next.
 */

export interface MonthPlan {
  readonly seed: number;
  /** First day, as `yyyy-MM-dd`; the month starts at its midnight in UTC. */
  readonly first: string;
  readonly days: number;
  readonly agreements: number;
}

export interface PlayedMonth {
  readonly truth: Truth;
  /** Wrong and missing reminders, as text. */
  readonly wrongReminders: readonly string[];
  /** Faults of the daily summaries. */
  readonly wrongDigests: readonly string[];
  /** Number of reminder requests in the service's log. */
  readonly logged: number;
  readonly looks: number;
  readonly kills: number;
  /** Number of times that two processes worked on one data folder together. */
  readonly shares: number;
  readonly digests: readonly number[];
}

type Kind = 'window' | 'scheduler' | 'program';
const KINDS: readonly Kind[] = ['window', 'scheduler', 'program'];
/** Minutes after midnight UTC at which computers may check: some at night, some at full hours. */
const LOOKS = [90, 415, 455, 481, 545, 615, 755, 850, 905, 1080, 1350];
const LOOKS_A_DAY = 4;
const LEAST_BETWEEN = 61;
/** Delay after which a window runs its rules: it waits a quarter of an hour after reading. */
const LOOKS_AGAIN = 16 * MINUTE;
/** Number of consecutive checks without work after which a window is finished. */
const QUIET = 20;
/**
 * Number of consecutive checks without work after which a party that is due counts as forgotten.
 */
const MAX_OWED = 400;
const CHILD = path.resolve(import.meta.dirname, 'child.ts');

interface Seat {
  readonly number: number;
  readonly kind: Kind;
  readonly home: HomeHere;
  readonly seed: number;
  readonly digests: ExpectedDigests;
  readonly waiting: Waiting[];
  /** Number of consecutive checks in which a party is due. */
  owed: number;
  open: OfficeDesk | null;
  at: Pick<AtDesk, 'connectionId' | 'templateId'> | null;
}

/** Action of the user, done at the first check after the time `after`. */
interface Waiting {
  readonly after: number;
  readonly life: Life;
  readonly what: 'send' | 'batch' | DeedPlan['what'];
}

interface Step {
  readonly at: number;
  readonly run: () => Promise<void>;
}

/** Circumstances of a check of a computer. */
interface Look {
  readonly isOffline: boolean;
}

export async function playMonth(plan: MonthPlan): Promise<PlayedMonth> {
  const month = new Month(plan);
  try {
    return await month.play();
  } finally {
    await month.end();
  }
}

class Month {
  readonly #plan: MonthPlan;
  readonly #chance: ReturnType<typeof createSeeded>;
  readonly #begin: number;
  readonly #steps: Step[] = [];
  readonly #wrongReminders: string[] = [];
  readonly #wrongDigests: string[] = [];
  #seats: Seat[] = [];
  #service: SharedService | null = null;
  #now: number;
  #looks = 0;
  #kills = 0;
  #shares = 0;
  #asked = 0;

  constructor(plan: MonthPlan) {
    this.#plan = plan;
    this.#chance = createSeeded(plan.seed);
    this.#begin = Date.parse(`${plan.first}T00:00Z`);
    this.#now = this.#begin;
  }

  async play(): Promise<PlayedMonth> {
    this.#service = await SharedService.start(() => this.#now);
    const { truth } = this.#service;
    for (let number = 0; number < DESKS; number += 1) await this.#seat(number);
    this.#planLives();
    for (const seat of this.#seats) this.#planLooks(seat);
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      this.#now = Math.max(this.#now, next.at);
      truth.pass(this.#now);
      await next.run();
      this.#shared.logged();
    }
    return {
      truth,
      wrongReminders: this.#wrongReminders,
      wrongDigests: this.#wrongDigests,
      logged: this.#shared.logged(),
      looks: this.#looks,
      kills: this.#kills,
      shares: this.#shares,
      digests: this.#seats.map(({ digests }) => digests.given),
    };
  }

  async end(): Promise<void> {
    for (const { open } of this.#seats) await open?.close();
    await this.#service?.demo.close();
    for (const { home } of this.#seats) await home.remove();
  }

  get #shared(): SharedService {
    if (this.#service === null) throw new Error('The month has not begun');
    return this.#service;
  }

  #next(): Step | undefined {
    let first = 0;
    for (const [at, step] of this.#steps.entries()) {
      if (step.at < (this.#steps[first]?.at ?? 0)) first = at;
    }
    return this.#steps.splice(first, 1)[0];
  }

  async #seat(number: number): Promise<void> {
    const kind = KINDS[number % KINDS.length] ?? 'program';
    const home = await createHomeHere();
    const digests = new ExpectedDigests(this.#shared.truth, number);
    const seed = this.#plan.seed * 10 + number;
    const seat: Seat = {
      number,
      kind,
      home,
      seed,
      digests,
      waiting: [],
      owed: 0,
      open: null,
      at: null,
    };
    this.#seats.push(seat);
    const desk = await this.#open(seat);
    const { connectionId, templateId } = await furnish(desk, number, this.#shared);
    seat.at = { connectionId, templateId };
  }

  async #open(seat: Seat): Promise<OfficeDesk> {
    const place = { folder: seat.home.folder, seed: seat.seed };
    seat.open ??= await openOfficeDesk(place, () => this.#clockOf(seat), seat.kind === 'window');
    return seat.open;
  }

  /**
   * Time of the computer's clock: the scheduler's is slow, the program's is fast, and on two days
   * it is two days behind.
   */
  #clockOf({ kind }: Seat): number {
    if (kind === 'window') return this.#now;
    if (kind === 'scheduler') return this.#now - 3 * MINUTE;
    const day = Math.floor((this.#now - this.#begin) / DAY);
    return this.#now + (day === 6 || day === 7 ? -2 * DAY : 2 * MINUTE);
  }

  #isClockWrong(seat: Seat): boolean {
    return Math.abs(this.#clockOf(seat) - this.#now) > DAY;
  }

  #planLives(): void {
    for (const life of livesOf(this.#plan.agreements, this.#plan.days, this.#chance)) {
      const after = this.#begin + life.sentAfter;
      const seat = this.#seats[life.desk];
      if (life.from === 'elsewhere') {
        const run = async () => {
          await sendElsewhere(this.#shared, life, this.#now);
          this.#planActs(life);
        };
        this.#steps.push({ at: after, run });
      } else {
        seat?.waiting.push({ after, life, what: life.from === 'batch' ? 'batch' : 'send' });
      }
    }
  }

  #planActs(life: Life): void {
    const { truth } = this.#shared;
    const agreement = [...truth.agreements.values()].find((one) => one.life === life);
    if (agreement === undefined) return;
    for (const { after, what } of life.acts) {
      const run = () => this.#shared.act(agreement, what);
      this.#steps.push({ at: agreement.sentAt + after, run });
    }
    for (const { after, what } of life.deeds) {
      this.#seats[life.desk]?.waiting.push({ after: agreement.sentAt + after, life, what });
    }
  }

  #planLooks(seat: Seat): void {
    const { days } = this.#plan;
    for (let day = 0; day < days; day += 1) {
      // The program sleeps through the middle of a week, and later over a weekend.
      if (seat.kind === 'program' && ((day >= 9 && day <= 12) || (day >= 18 && day <= 20)))
        continue;
      if (seat.kind === 'window' && day >= 15 && day <= 16) continue;
      let before = Number.NEGATIVE_INFINITY;
      const chosen = LOOKS.toSorted(() => this.#chance.whole(0, 2) - 1)
        .slice(0, LOOKS_A_DAY)
        .toSorted((a, b) => a - b);
      for (const minute of chosen) {
        if (minute - before < LEAST_BETWEEN) continue;
        before = minute;
        const look: Look = {
          isOffline: this.#chance.whole(1, 40) === 1,
        };
        const at = this.#begin + day * DAY + (minute + seat.number) * MINUTE;
        this.#steps.push({ at, run: () => this.#look(seat, look) });
      }
      if (seat.kind === 'program') {
        const at = this.#begin + day * DAY + 1380 * MINUTE;
        this.#steps.push({ at, run: () => this.#goHome(seat, day) });
      }
    }
  }

  /** Closes the program on some evenings, and leaves it open on others. */
  async #goHome(seat: Seat, day: number): Promise<void> {
    if (day % 3 === 0) return;
    await seat.open?.close();
    seat.open = null;
  }

  async #look(seat: Seat, look: Look): Promise<void> {
    this.#looks += 1;
    const { digests } = seat;
    this.#shared.isDown = look.isOffline;
    this.#ask(seat, null);
    if (seat.kind === 'program' && this.#isTrouble(seat, look)) await this.#kill(seat);
    if (!look.isOffline && !this.#isClockWrong(seat)) await this.#people(seat);
    const given = await this.#remind(seat, look);
    if (!look.isOffline) digests.readAt = this.#now;
    this.#wrongDigests.push(...digests.judge(this.#clockOf(seat), given));
    this.#shared.isDown = false;
    if (!look.isOffline && seat.kind !== 'window') this.#requireNobodyForgotten(seat);
    if (seat.kind !== 'window') return;
    const at = this.#now + LOOKS_AGAIN;
    this.#steps.push({ at, run: () => this.#lookAgain(seat, look) });
  }

  /** Runs the rules of a window after it has read changes. */
  async #lookAgain(seat: Seat, look: Look): Promise<void> {
    this.#ask(seat, null);
    const desk = await this.#open(seat);
    const isTwice = this.#isTrouble(seat, look);
    // Another process works on the same data in parallel.
    const other = isTwice ? this.#run(seat, () => null) : null;
    if (other !== null) await Promise.race([this.#shared.waitForReading(), other.ended]);
    desk.clock.tick();
    await this.#rest(desk, other === null);
    await other?.ended;
    if (isTwice) this.#shares += 1;
    if (isTwice) await desk.finish(await desk.api['reminders.run']({}));
    // A rule that cannot reach the service pauses for an hour.
    if (!look.isOffline) this.#requireNobodyForgotten(seat);
    this.#shared.asking = null;
  }

  /** Whether to disturb the process, which happens every third time that a party is due. */
  #isTrouble(seat: Seat, { isOffline }: Look): boolean {
    if (isOffline || this.#isClockWrong(seat)) return false;
    if (this.#shared.truth.dueAt(seat.number, this.#clockOf(seat)).length === 0) return false;
    seat.owed += 1;
    return seat.owed % 3 === 1;
  }

  #requireNobodyForgotten(seat: Seat): void {
    const now = this.#clockOf(seat);
    // If the clock is this wrong, no reminder is sent.
    if (this.#isClockWrong(seat)) return;
    const wall = wallOf(now, 'Europe/Stockholm');
    for (const one of this.#shared.truth.dueAt(seat.number, now)) {
      this.#wrongReminders.push(
        `forgotten at desk ${seat.number}, ${wall.day} ${wall.time}: ${one}`,
      );
    }
  }

  #ask(seat: Seat, mishap: Asking['mishap'] | null, isByHand = false): void {
    const wall = (at: number) => Object.values(wallOf(at, 'Europe/Stockholm')).join(' ');
    this.#shared.asking = {
      desk: seat.number,
      deskAt: this.#clockOf(seat),
      isByHand,
      mishap: mishap ?? (() => this.#usualMishap()),
      heard: ({ wrong, agreement, party, deskAt }: Request) => {
        if (wrong === null) return;
        const { life, rule } = agreement;
        this.#wrongReminders.push(
          `wrongly at ${wall(deskAt)}: ${rule}: ${life.title}, ${party.email}: ${wrong}`,
        );
      },
    };
  }

  /** Fault of an automatic reminder: of every twenty, one loses its answer and one is rejected. */
  #usualMishap(): 'lost' | 'refused' | null {
    this.#asked += 1;
    if (this.#asked % 20 === 7) return 'lost';
    return this.#asked % 20 === 15 ? 'refused' : null;
  }

  async #people(seat: Seat): Promise<void> {
    const due = seat.waiting.filter(({ after }) => after <= this.#now);
    if (due.length === 0 || seat.at === null) return;
    const desk = await this.#open(seat);
    const at: AtDesk = {
      desk,
      number: seat.number,
      connectionId: seat.at.connectionId,
      templateId: seat.at.templateId,
    };
    for (const one of due) seat.waiting.splice(seat.waiting.indexOf(one), 1);
    const rows = due.filter(({ what }) => what === 'batch').map(({ life }) => life);
    if (rows.length > 0) await sendBatch(at, this.#shared, rows);
    for (const { life, what } of due) if (what === 'send') await this.#send(seat, at, life);
    for (const life of rows) this.#planActs(life);
    const deeds = due.flatMap(({ life, what }) =>
      what === 'send' || what === 'batch' ? [] : { life, what },
    );
    if (deeds.length > 0) await desk.finish(await desk.api['agreements.sync']({ full: false }));
    this.#ask(seat, null, true);
    for (const { life, what } of deeds) {
      const agreement = this.#agreementOf(life);
      if (agreement === undefined) continue;
      await doDeed(at, this.#shared.truth, agreement, what);
    }
    this.#ask(seat, null);
    if (seat.kind === 'scheduler') await this.#shut(seat);
  }

  async #shut(seat: Seat): Promise<void> {
    await seat.open?.close();
    seat.open = null;
  }

  async #send(seat: Seat, at: AtDesk, life: Life): Promise<void> {
    const isRefused = life.index % 50 === 7;
    await sendDraft(at, this.#shared, life, isRefused);
    if (isRefused) seat.digests.refused.push(this.#clockOf(seat));
    else this.#planActs(life);
  }

  #agreementOf(life: Life): TrueAgreement | undefined {
    return [...this.#shared.truth.agreements.values()].find((one) => one.life === life);
  }

  async #remind(seat: Seat, look: Look): Promise<Digest | null> {
    if (seat.kind === 'scheduler') {
      await this.#shut(seat);
      return this.#runDue(seat);
    }
    const desk = await this.#open(seat);
    if (seat.kind === 'window') {
      desk.clock.tick();
      await this.#rest(desk, false);
    } else {
      await desk
        .finish(await desk.api['agreements.sync']({ full: false }))
        .catch((error: unknown) => {
          if (!look.isOffline) throw error;
        });
      await desk.finish(await desk.api['reminders.run']({}));
    }
    return desk.api['digest.take']({});
  }

  /** Runs `run-due` as a scheduler starts it, with the system clock. */
  async #runDue(seat: Seat): Promise<Digest | null> {
    vi.useFakeTimers({ toFake: ['Date'], now: this.#clockOf(seat) });
    try {
      const { document, stderr } = await seat.home.json(['run-due']);
      const { value } = document as { readonly value?: { readonly digest?: Digest } };
      if (value === undefined) throw new Error(`run-due: ${JSON.stringify(document)} ${stderr}`);
      return value.digest ?? null;
    } finally {
      vi.useRealTimers();
    }
  }

  /** Waits until a window has no work; with `isDone`, until no party is due either. */
  async #rest({ api }: OfficeDesk, isDone: boolean): Promise<void> {
    let quiet = 0;
    for (let owed = 0; quiet < QUIET && owed < MAX_OWED;) {
      await setImmediate();
      const [jobs, readings] = [await api['jobs.list']({}), await api['agreements.syncStatus']({})];
      const isBusy =
        jobs.some(({ state }) => state === 'running') || readings.some(({ running }) => running);
      const rules = isDone && !isBusy ? await api['reminders.rules']({}) : [];
      const isOwed = rules.some(({ dueNow, isPaused }) => dueNow > 0 && !isPaused);
      quiet = isBusy || isOwed ? 0 : quiet + 1;
      if (isOwed) owed += 1;
    }
  }

  /** Kills the program during its first reminder, and starts it again. */
  async #kill(seat: Seat): Promise<void> {
    await this.#shut(seat);
    let isHit = false;
    const { ended, kill } = this.#run(seat, () => {
      if (isHit) return null;
      isHit = true;
      this.#kills += 1;
      setTimeout(kill, 0);
      return this.#kills % 2 === 0 ? 'killed' : 'killed-unheard';
    });
    await ended;
    this.#ask(seat, null);
  }

  /** Starts a separate process that reads and reminds on the same data. */
  #run(seat: Seat, mishap: Asking['mishap']) {
    this.#ask(seat, mishap);
    const { folder } = seat.home;
    const order = { folder, seed: seat.seed + 5, now: this.#clockOf(seat) };
    const child = spawn(process.execPath, [CHILD], {
      env: {
        PATH: process.env['PATH'] ?? '',
        TZ: 'Europe/Stockholm',
        OFFICE_ORDER: JSON.stringify(order),
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => void (said += chunk.toString()));
    const ended = once(child, 'close').then(([code]) => {
      if (code !== 0 && !child.killed) throw new Error(`The process ended: ${said}`);
    });
    return { ended, kill: () => void child.kill('SIGKILL') };
  }
}

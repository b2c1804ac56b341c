// tier: all
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { OfficeServer } from '../../../electron/adapters/office/server.ts';
import type { StoredItem } from '../../../electron/core/outbox/ports.ts';
import type { WriteResult } from '../../../electron/core/ports.ts';
import type { Failure } from '../../../shared/errors.ts';
import { AgreementId, OutboxRef } from '../../../shared/model/ids.ts';
import { createSeeded } from '../../support/seeded.ts';
import { postgresPrograms } from '../../support/postgres.ts';
import { done } from '../../support/fakes/fake-service.ts';
import {
  type OfficeDatabase,
  startOffice,
  type TestDesk,
} from '../../adapters/office/office-database.ts';
import { runLength } from '../../support/run-length.ts';
import { type OfficeDesk, officeDesk } from './desks.ts';
import { type Fate, Killed, type Process, Turns } from './turns.ts';
import { HOUR } from '../../../shared/rules/time/units.ts';

const { rows: ROWS, steps: STEPS } = runLength({
  whole: { rows: 120, steps: 600 },
  all: { rows: 30, steps: 160 },
});
const SEEDS = [1, 2, 3];
const SAME = { steps: 25, seed: 4 };
const WAIT = { timeout: 600_000 };
const lost: Failure = { code: 'offline', message: 'Lost', reason: 'connection-lost' };
const no: Failure = { code: 'invalid', message: 'No' };
const KILLS = ['before-claim', 'after-claim', 'before-sent', 'after-sent'] as const;
const SQL_BLOCKED = `
  SELECT count(*)::integer AS blocked FROM pg_stat_activity
  WHERE cardinality(pg_blocking_pids(pid)) > 0`;

/** The contents that the service has created, and the refused contents. */
interface Service {
  readonly made: Map<string, OutboxRef[]>;
  readonly refused: Set<string>;
}

describe.skipIf(postgresPrograms === null)('three computers with the same rows', () => {
  let place: OfficeDatabase;
  let seats: TestDesk[];

  beforeAll(async () => {
    place = await startOffice();
    seats = [await place.addDesk(), await place.addDesk(), await place.addDesk()];
  }, WAIT.timeout);
  beforeEach(() => place.empty());
  afterAll(() => place?.remove());

  it.each(SEEDS)(
    'send each row once, although computers are killed, cut off or answered late (seed %i)',
    WAIT,
    async (seed) => {
      const office = await Office.open(place, seats, seed);
      for (let step = 0; step < STEPS; step += 1) await office.step();
      await office.settle();
      expect(office.twice()).toEqual([]);
      expect(office.neither()).toEqual([]);
      expect(await office.open()).toEqual([]);
    },
  );

  it('repeat the same steps with the same seed', WAIT, async () => {
    const traces: (readonly string[])[] = [];
    for (let run = 0; run < 2; run += 1) {
      await place.empty();
      const office = await Office.open(place, seats, SAME.seed);
      for (let step = 0; step < SAME.steps; step += 1) await office.step();
      traces.push(office.trace);
    }
    const [first, second] = traces;
    expect(first?.length).toBeGreaterThan(SAME.steps);
    expect(second).toEqual(first);
  });
});

/** The work of a desk in a step. */
type Work = () => Promise<void>;

/** An office whose events are random but the same for the same seed. */
class Office {
  readonly #place: OfficeDatabase;
  readonly #seats: readonly TestDesk[];
  readonly #chance: ReturnType<typeof createSeeded>;
  readonly #turns: Turns;
  readonly #service: Service = { made: new Map(), refused: new Set() };
  readonly #desks: OfficeDesk[] = [];
  readonly #processes: Process[] = [];
  /** Point where each desk's process ends in this attempt; null if it does not end. */
  readonly #ends: (string | null)[] = [];
  /** Whether processes and the server may be killed at statements; off while settling. */
  #isRough = true;
  /** Connections to the office's server, one per desk. */
  #servers: readonly OfficeServer[];

  private constructor(place: OfficeDatabase, seats: readonly TestDesk[], seed: number) {
    this.#place = place;
    this.#seats = seats;
    this.#chance = createSeeded(seed);
    this.#servers = seats.map((seat) => place.open(seat));
    this.#turns = new Turns({
      chance: this.#chance,
      blocked: async () => Blocked.parse((await place.postgres.run(SQL_BLOCKED)).rows[0]).blocked,
      fateOf: () => this.#fate(),
      killServer: async () => {
        await place.postgres.kill();
        await place.postgres.start();
        // New pools, since the connections that the old ones still have depend on timing.
        this.#servers = seats.map((seat) => place.open(seat));
      },
    });
  }

  static async open(
    place: OfficeDatabase,
    seats: readonly TestDesk[],
    seed: number,
  ): Promise<Office> {
    const office = new Office(place, seats, seed);
    for (const at of seats.keys()) {
      const desk = await office.#start(at);
      for (let row = 0; row < ROWS; row += 1) desk.insert({ fingerprint: `row ${String(row)}` });
    }
    return office;
  }

  get trace(): readonly string[] {
    return this.#turns.trace;
  }

  /** Each desk sends a row or decides about some, all in the same step, in random order. */
  async step(): Promise<void> {
    const works: Work[] = [];
    for (const [at, desk] of this.#desks.entries()) {
      if (this.#chance.whole(0, 99) < 5) desk.isCut = !desk.isCut;
      // A gate closed by a lost answer opens after minutes; a claim is retried after one minute.
      desk.world.clock.advance(this.#chance.pick([1_000, 50_000, 900_000]));
      const work = this.#chance.whole(0, 9) < 2 ? () => this.#decide(desk) : this.#send(desk, at);
      works.push(() => this.#alive(at, work));
    }
    await this.#turns.run(works);
  }

  /** Restores all connections, lets people decide, and sends everything that can be sent. */
  async settle(): Promise<void> {
    this.#isRough = false;
    for (const desk of this.#desks) desk.isCut = false;
    for (let round = 0; round < 2 * ROWS; round += 1) {
      if (this.#desks.every((desk) => rowsOf(desk).every(isOver))) return;
      await this.#turns.run([() => this.#settleOnce()]);
    }
  }

  async #settleOnce(): Promise<void> {
    for (const desk of this.#desks) {
      desk.world.clock.advance(HOUR);
      await desk.work.office.reconcile(desk.joined);
      for (const item of rowsOf(desk)) await this.#decideOver(desk, item);
      for (const { ref } of rowsOf(desk).filter(mayGo)) await this.#attempt(desk, ref, 'made');
    }
  }

  twice(): readonly string[] {
    return [...this.#service.made].flatMap(([row, refs]) => (refs.length > 1 ? [row] : []));
  }

  /** Contents neither created nor refused. */
  neither(): readonly string[] {
    const all = Array.from({ length: ROWS }, (_, row) => `row ${String(row)}`);
    const { made, refused } = this.#service;
    return all.filter((row) => !made.has(row) && !refused.has(row));
  }

  async open(): Promise<readonly unknown[]> {
    const open = await this.#place.claimsOf(this.#first(), this.#place.open(this.#first())).open();
    return open.map(({ id, state }) => [id, state]);
  }

  #fate(): Fate {
    if (!this.#isRough) return 'goes on';
    const what = this.#chance.whole(0, 999);
    if (what < 2) return 'server killed';
    if (what < 12) return 'killed';
    return what < 22 ? 'killed after it' : 'goes on';
  }

  /** Draws all random events before any desk continues. */
  #send(desk: OfficeDesk, at: number): Work {
    const [item] = rowsOf(desk).filter(mayGo);
    if (item === undefined) return async () => undefined;
    const fate = this.#chance.pick(['made', 'made', 'made-lost', 'lost', 'refused', 'not-sent']);
    const end = this.#chance.whole(0, 9) === 0 ? this.#chance.pick([...KILLS]) : null;
    return async () => {
      this.#ends[at] = end;
      try {
        await this.#attempt(desk, item.ref, fate);
      } finally {
        // A kill point that this attempt did not reach must not apply to another attempt.
        this.#ends[at] = null;
      }
    };
  }

  /** Runs work in the desk's process; if the process ends in it, starts one with the same data. */
  async #alive(at: number, work: Work): Promise<void> {
    const process = this.#processes[at];
    try {
      await Promise.race([work(), process?.end]);
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
      process?.kill();
      this.#ends[at] = null;
      const desk = await this.#start(at);
      if (!desk.isCut) {
        await this.#alive(at, async () => void (await desk.work.office.reconcile(desk.joined)));
      }
    }
  }

  async #attempt(desk: OfficeDesk, ref: OutboxRef, fate: string): Promise<void> {
    desk.world.services.v1.answers = [answerOf(fate)];
    desk.beforeRequest = () => this.#reached(desk, ref, fate);
    await desk.work.worker.attempt(ref);
    await desk.work.office.reported();
  }

  /** Counts a request that reached the service, with or without an answer. */
  #reached(desk: OfficeDesk, ref: OutboxRef, fate: string): void {
    const row = desk.world.stores.outbox.get(ref).fingerprint ?? '';
    const { made, refused } = this.#service;
    if (fate.startsWith('made')) made.set(row, [...(made.get(row) ?? []), ref]);
    if (fate === 'refused') refused.add(row);
  }

  /** Starts a process of a desk with the data of the desk's last process. */
  async #start(at: number): Promise<OfficeDesk> {
    const [seat, earlier] = [this.#seats[at], this.#desks[at]];
    if (seat === undefined) throw new RangeError('There is no such desk');
    const atKillPoint = (point: string): void => {
      if (this.#ends[at] === point) throw new Killed(point);
    };
    const process = this.#turns.process(at);
    const server = this.#turns.through(process, () => this.#serverOf(at));
    const world = earlier === undefined ? {} : { world: earlier.world };
    const desk = await officeDesk(this.#place, seat, { ...world, atKillPoint, server });
    desk.isCut = earlier?.isCut ?? false;
    [this.#desks[at], this.#processes[at]] = [desk, process];
    return desk;
  }

  async #decide(desk: OfficeDesk): Promise<void> {
    if (desk.isCut) return;
    await desk.work.office.reconcile(desk.joined);
    const waiting = rowsOf(desk).filter((item) => !mayGo(item));
    for (const item of waiting.slice(0, 5)) await this.#decideOver(desk, item);
  }

  /** Decides as people and scans of the service would, and always correctly. */
  async #decideOver({ work, world }: OfficeDesk, item: StoredItem): Promise<void> {
    const { ref, state, fingerprint, verify, nextAt } = item;
    const person = { cause: 'person' };
    const isMade = this.#service.made.get(fingerprint ?? '')?.includes(ref) ?? false;
    if (state === 'unknown' && !isMade) {
      world.stores.outbox.move(ref, ['unknown'], absent, world.clock.now());
    }
    if ((state === 'unknown' || state === 'human') && isMade) {
      work.transitions.apply(ref, confirmed, person);
    }
    if (state === 'absent' || (state === 'human' && !isMade)) {
      work.transitions.apply(ref, { kind: 'resend' }, person);
    }
    if (state === 'rejected' && verify) {
      world.stores.outbox.move(ref, ['rejected'], unverified, world.clock.now());
      work.office.changed(ref);
    }
    if (state === 'queued' && nextAt === null) {
      const held = await work.office.holders(ref);
      if (held.some((one) => one.state === 'done')) work.transitions.takeBack(item, 'person');
      else if (held.length === 0) work.transitions.postpone(ref, world.clock.now(), person);
    }
    await work.office.reported();
  }

  #serverOf(at: number): OfficeServer {
    const server = this.#servers[at];
    if (server === undefined) throw new RangeError('There is no such desk');
    return server;
  }

  #first(): TestDesk {
    const [first] = this.#seats;
    if (first === undefined) throw new RangeError('There is no desk');
    return first;
  }
}

const Blocked = z.object({ blocked: z.number() });
const confirmed = { kind: 'confirm', remoteId: AgreementId.parse('7') } as const;
const absent = { to: 'absent', cause: 'scan' } as const;
const unverified = { to: 'rejected', cause: 'scan', verify: false } as const;
/** Whether the row is settled; a row whose content another desk has sent may remain unsettled. */
const isOver = ({ state, verify }: StoredItem): boolean =>
  ['sent', 'cancelled'].includes(state) || (state === 'rejected' && !verify);
const mayGo = ({ state, nextAt }: StoredItem): boolean => state === 'queued' && nextAt !== null;
const rowsOf = ({ world }: OfficeDesk): readonly StoredItem[] => world.stores.outbox.list(0);

function answerOf(fate: string): WriteResult {
  switch (fate) {
    case 'made':
      return done('7');
    case 'refused':
      return { kind: 'refused', failure: no, serverTime: null };
    case 'not-sent':
      return { kind: 'not-sent', failure: lost };
    default:
      return { kind: 'unknown', failure: lost, serverTime: null };
  }
}

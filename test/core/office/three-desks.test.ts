import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
import { type OfficeDesk, officeDesk } from './desks.ts';

const ROWS = 40;
const STEPS = 400;
const SEEDS = [1, 2, 3];
const lost: Failure = { code: 'offline', message: 'Lost', reason: 'connection-lost' };
const no: Failure = { code: 'invalid', message: 'No' };
const KILLS = ['before-claim', 'after-claim', 'before-sent', 'after-sent'] as const;

class Killed extends Error {}

/** What the service has made, by what it says; and what it has refused. */
interface Service {
  readonly made: Map<string, OutboxRef[]>;
  readonly refused: Set<string>;
}

describe.skipIf(postgresPrograms === null)('three desks with the same rows', () => {
  let place: OfficeDatabase;
  let seats: TestDesk[];

  beforeAll(async () => {
    place = await startOffice();
    seats = [await place.addDesk(), await place.addDesk(), await place.addDesk()];
  }, 600_000);
  afterAll(() => place?.remove());

  it.each(SEEDS)(
    'send each once, whoever is killed, cut off or answered late (seed %i)',
    { timeout: 600_000 },
    async (seed) => {
      await place.empty();
      const office = await Office.open(place, seats, seed);
      for (let step = 0; step < STEPS; step += 1) await office.step();
      await office.settle();
      expect(office.twice()).toEqual([]);
      expect(office.neither()).toEqual([]);
      expect(await office.open()).toEqual([]);
    },
  );
});

/** Everything that happens in an office, by chance that is the same in every run. */
class Office {
  readonly #place: OfficeDatabase;
  readonly #seats: readonly TestDesk[];
  readonly #chance: ReturnType<typeof createSeeded>;
  readonly #service: Service = { made: new Map(), refused: new Set() };
  readonly #desks: OfficeDesk[] = [];
  /** Where each desk's process ends next; null: nowhere. */
  readonly #ends: (string | null)[] = [];

  private constructor(place: OfficeDatabase, seats: readonly TestDesk[], seed: number) {
    this.#place = place;
    this.#seats = seats;
    this.#chance = createSeeded(seed);
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

  async step(): Promise<void> {
    const what = this.#chance.whole(0, 99);
    if (what < 1) {
      await this.#place.postgres.kill();
      await this.#place.postgres.start();
    } else if (what < 5) {
      const desk = this.#anyDesk();
      desk.isCut = !desk.isCut;
    } else if (what < 20) {
      await this.#decide(this.#anyDesk());
    } else {
      // All at once: whoever comes first is decided by nothing here.
      await Promise.all(this.#desks.map((desk, at) => this.#send(desk, at)));
    }
  }

  /** Roads are open, people decide, and everything that can be sent is. */
  async settle(): Promise<void> {
    for (const desk of this.#desks) desk.isCut = false;
    for (let round = 0; round < 2 * ROWS; round += 1) {
      for (const desk of this.#desks) {
        desk.world.clock.advance(3_600_000);
        await desk.work.office.reconcile();
        for (const item of rowsOf(desk)) await this.#decideOver(desk, item);
        for (const { ref } of rowsOf(desk).filter(mayGo)) {
          desk.world.services.v1.answers = [done('7')];
          await this.#attempt(desk, ref, 'made');
        }
      }
    }
  }

  twice(): readonly string[] {
    return [...this.#service.made].flatMap(([row, refs]) => (refs.length > 1 ? [row] : []));
  }

  /** Neither made nor refused. */
  neither(): readonly string[] {
    const all = Array.from({ length: ROWS }, (_, row) => `row ${String(row)}`);
    const { made, refused } = this.#service;
    return all.filter((row) => !made.has(row) && !refused.has(row));
  }

  async open(): Promise<readonly unknown[]> {
    return (await this.#first().joined.claims.open()).map(({ id, state }) => [id, state]);
  }

  async #send(desk: OfficeDesk, at: number): Promise<void> {
    const [item] = rowsOf(desk).filter(mayGo);
    if (item === undefined) {
      desk.world.clock.advance(60_000);
      return;
    }
    const fate = this.#chance.pick(['made', 'made', 'made-lost', 'lost', 'refused', 'not-sent']);
    this.#ends[at] = this.#chance.whole(0, 9) === 0 ? this.#chance.pick([...KILLS]) : null;
    desk.world.services.v1.answers = [answerOf(fate)];
    try {
      await this.#attempt(desk, item.ref, fate);
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
      await this.#start(at);
    }
  }

  /** Counts what reached the service, whatever became of the answer. */
  async #attempt(desk: OfficeDesk, ref: OutboxRef, fate: string): Promise<void> {
    const { created } = desk.world.services.v1;
    const before = created.length;
    const row = desk.world.stores.outbox.get(ref).fingerprint ?? '';
    try {
      await desk.work.worker.attempt(ref);
      await desk.work.office.told();
    } finally {
      if (created.length > before) {
        const { made, refused } = this.#service;
        if (fate.startsWith('made')) made.set(row, [...(made.get(row) ?? []), ref]);
        if (fate === 'refused') refused.add(row);
      }
    }
  }

  /** The process of a desk begins, over the data that its last one left. */
  async #start(at: number): Promise<OfficeDesk> {
    const [seat, earlier] = [this.#seats[at], this.#desks[at]];
    if (seat === undefined) throw new RangeError('There is no such desk');
    const atKillPoint = (point: string): void => {
      if (this.#ends[at] !== point) return;
      this.#ends[at] = null;
      throw new Killed(point);
    };
    const world = earlier === undefined ? {} : { world: earlier.world };
    const desk = await officeDesk(this.#place, seat, { ...world, atKillPoint });
    desk.isCut = earlier?.isCut ?? false;
    this.#desks[at] = desk;
    if (earlier !== undefined && !desk.isCut) await desk.work.office.reconcile();
    return desk;
  }

  async #decide(desk: OfficeDesk): Promise<void> {
    if (desk.isCut) return;
    await desk.work.office.reconcile();
    const waiting = rowsOf(desk).filter((item) => !mayGo(item));
    for (const item of waiting.slice(0, 5)) await this.#decideOver(desk, item);
  }

  /** As people and scans of the service would: both are right. */
  async #decideOver({ work, world }: OfficeDesk, item: StoredItem): Promise<void> {
    const { ref, state, fingerprint, verify, nextAt } = item;
    const person = { cause: 'person' };
    if (state === 'unknown') {
      const isMade = this.#service.made.get(fingerprint ?? '')?.includes(ref) ?? false;
      if (isMade) work.transitions.apply(ref, confirmed, person);
      else world.stores.outbox.move(ref, ['unknown'], absent, world.clock.now());
    }
    if (state === 'absent') work.transitions.apply(ref, { kind: 'resend' }, person);
    if (state === 'rejected' && verify) {
      world.stores.outbox.move(ref, ['rejected'], unverified, world.clock.now());
      work.office.changed(ref);
    }
    if (state === 'queued' && nextAt === null) {
      const held = await work.office.holders(ref);
      if (held.some((one) => one.state === 'done')) work.transitions.takeBack(item, 'person');
      else if (held.length === 0) work.transitions.postpone(ref, world.clock.now(), person);
    }
    await work.office.told();
  }

  #anyDesk(): OfficeDesk {
    return this.#desks[this.#chance.whole(0, this.#desks.length - 1)] ?? this.#first();
  }

  #first(): OfficeDesk {
    const [first] = this.#desks;
    if (first === undefined) throw new RangeError('There is no desk');
    return first;
  }
}

const confirmed = { kind: 'confirm', remoteId: AgreementId.parse('7') } as const;
const absent = { to: 'absent', cause: 'scan' } as const;
const unverified = { to: 'rejected', cause: 'scan', verify: false } as const;
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

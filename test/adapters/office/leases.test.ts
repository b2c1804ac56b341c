// tier: all
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { requireLease } from '../../../electron/adapters/office/lease.ts';
import type { Transactions } from '../../../electron/adapters/office/server.ts';
import type { TaskLeases } from '../../../electron/core/office/ports.ts';
import type { Lease } from '../../../electron/core/turn-ports.ts';
import { AppError } from '../../../shared/errors.ts';
import { postgresPrograms } from '../../support/postgres.ts';
import { runLength } from '../../support/run-length.ts';
import { inOrders, type Orders } from './interleaved.ts';
import {
  keyNamed,
  nameOf,
  type OfficeDatabase,
  operation,
  startOffice,
  type TestDesk,
} from './office-database.ts';

type Task = Parameters<TaskLeases['take']>[0];
type TakenLease = Awaited<ReturnType<TaskLeases['take']>>;

const WAIT = { timeout: 600_000 };
/** Tried orders of two computers: all of them in the nightly run. */
const ORDERS = runLength<Orders>({ whole: 'all', all: { seed: 31, count: 8 } });
const LENGTH = 600_000;
const task: Task = { kind: 'archive', key: keyNamed('folder'), title: 'Archive of Leases' };

describe.skipIf(postgresPrograms === null)('leases of an office', () => {
  let place: OfficeDatabase;
  let one: TestDesk;
  let other: TestDesk;
  let first: TaskLeases;
  let second: TaskLeases;

  beforeAll(async () => {
    place = await startOffice();
    [one, other] = [await place.addDesk(), await place.addDesk()];
    [first, second] = [place.leasesOf(one), place.leasesOf(other)];
  }, WAIT.timeout);
  beforeEach(() => place.empty());
  afterAll(() => place?.remove());

  const take = async (through: TaskLeases): Promise<Lease> => {
    const taken = await through.take(task, LENGTH);
    if (!taken.ok) throw new Error(`${taken.held.seat} has it`);
    return taken.lease;
  };
  const isAccepted = async ({ desk }: TestDesk, lease: Lease): Promise<boolean> => {
    try {
      await place
        .serverOf({ desk, seat: one.seat })
        .transaction((within) => requireLease(within, lease, desk));
      return true;
    } catch (error) {
      if (error instanceof AppError && error.failure.reason === 'lease-lost') return false;
      throw error;
    }
  };

  it('are granted to the first computer, whose name the second computer receives', async () => {
    expect((await take(first)).number).toBe(1);
    const refused = await second.take(task, LENGTH);
    expect(refused).toMatchObject({
      ok: false,
      held: {
        desk: one.desk,
        kind: 'archive',
        number: 1,
        seat: nameOf(one.seat),
        title: task.title,
      },
    });
    expect(await second.list()).toMatchObject([
      {
        id: Buffer.from(task.key).toString('hex'),
        kind: task.kind,
        desk: one.desk,
        title: task.title,
        since: expect.any(Number),
      },
    ]);
  });

  it('are free once they are returned or expired, and their number increases with each holder', async () => {
    await first.giveBack(await take(first));
    const lease = await take(second);
    expect(lease.number).toBe(2);
    await place.expire();
    expect(await first.list()).toEqual([]);
    expect((await take(first)).number).toBe(3);
    expect(await second.renew(lease, LENGTH)).toBe(false);
    expect(await isAccepted(other, lease)).toBe(false);
  });

  it('are granted again with their earlier number to their own computer after a restart', async () => {
    const lease = await take(first);
    expect(await take(first)).toEqual(lease);
    await place.expire();
    expect((await take(first)).number).toBe(2);
    expect(await isAccepted(one, lease)).toBe(false);
  });

  it('that expired while their computer slept are granted to it again, if still free', async () => {
    const lease = await take(first);
    await place.expire();
    expect(await first.renew(lease, LENGTH)).toBe(true);
    expect(await second.take(task, LENGTH)).toMatchObject({ ok: false });
  });

  it('that were returned are not renewed', async () => {
    const lease = await take(first);
    await first.giveBack(lease);
    expect(await first.renew(lease, LENGTH)).toBe(false);
  });

  it('get a number above the number seen at the target, as after a server restore', async () => {
    await first.giveBack(await take(first));
    const taken = await second.take(task, LENGTH, 40);
    expect(taken).toMatchObject({ ok: true, lease: { number: 41 } });
    await place.expire();
    expect(await first.take(task, LENGTH, 40)).toMatchObject({ ok: true, lease: { number: 42 } });
  });

  it('never get a lower number, nor the same number for two computers, after any write', async () => {
    await take(first);
    for (const change of ['number = 0', 'number = number - 1', `desk = '${other.desk}'`]) {
      const write = place.postgres.run(`UPDATE signing_desk.lease SET ${change}`, 'office');
      await expect(write).rejects.toThrow('a lease goes to another desk with a higher number only');
    }
    expect(await second.list()).toMatchObject([{ desk: one.desk, number: 1 }]);
  });

  it('reveal nothing about the task to the server', async () => {
    await take(first);
    const rows = await place.postgres.run('SELECT * FROM signing_desk.lease', 'office');
    const texts = JSON.stringify(rows.rows) + Buffer.from(rows.rows[0]?.sealed).toString('latin1');
    expect(texts).not.toMatch(/Leases|Person/u);
  });

  it('make claims of the computer that lost its lease fail completely', async () => {
    const lease = await take(first);
    const claims = place.claimsOf(one);
    expect(await claims.claim([operation(['a'])], lease)).toMatchObject([{ ok: true }]);
    await place.expire();
    await take(second);
    await expect(claims.claim([operation(['b'])], lease)).rejects.toMatchObject({
      failure: { code: 'conflict', reason: 'lease-lost' },
    });
    expect(await place.claimsOf(other).claim([operation(['b'])])).toMatchObject([{ ok: true }]);
  });

  describe('in any order of two computers', () => {
    /** Returns the lease that its computer believes to hold, or null. */
    type Move = (leases: TaskLeases, server: Transactions, had: Lease) => Promise<Lease | null>;
    const taking: Move = async (leases) => leaseOf(await leases.take(task, LENGTH));
    const renewing: Move = async (leases, _server, had) =>
      (await leases.renew(had, LENGTH)) ? had : null;
    const returning: Move = async (leases, _server, had) => {
      await leases.giveBack(had);
      return null;
    };
    /** The lease expires while its computer continues. */
    const sleeping: Move = async (_leases, server, had) => {
      await place.expire({ server, desk: one });
      return had;
    };
    const claiming: Move = async (_leases, server, had) => {
      try {
        await place.claimsOf(one, server).claim([operation(['a'])], had);
        return had;
      } catch (error) {
        if (error instanceof AppError && error.failure.reason === 'lease-lost') return null;
        throw error;
      }
    };
    const bothConnect = () => [() => place.connect(one), () => place.connect(other)] as const;
    const leaseOf = (taken: TakenLease): Lease | null => (taken.ok ? taken.lease : null);

    const holders = { taking, renewing, returning, sleeping, claiming };
    const others = { taking, renewing, returning };
    const pairs = Object.entries(holders).flatMap(([held, ours]) =>
      Object.entries(others).map(([name, theirs]) => ({
        held,
        name,
        both: [ours, theirs] as const,
      })),
    );

    it.each(pairs)(
      'one computer has the lease after $held by its holder and $name by another computer',
      WAIT,
      async ({ both: [ours, theirs] }) => {
        let had: Lease = { task: task.key, number: 0 };
        const through = (move: Move, desk: TestDesk) => (server: Transactions) =>
          move(place.leasesOf(desk, server), server, had);
        const runs = await inOrders<Lease | null>(
          bothConnect(),
          ORDERS,
          {
            before: async () => {
              await place.empty();
              had = await take(first);
            },
            both: [through(ours, one), through(theirs, other)],
          },
          async ({ results, turns }) => {
            const accepted: boolean[] = [];
            for (const [at, result] of results.entries()) {
              if (result.status === 'rejected') {
                throw new Error(`Failed in the order ${turns.join('')}`, { cause: result.reason });
              }
              const desk = at === 0 ? one : other;
              if (result.value !== null) accepted.push(await isAccepted(desk, result.value));
            }
            expect(accepted.filter(Boolean).length, turns.join('')).toBeLessThanOrEqual(1);
            // The next holder gets a higher number than any earlier holder.
            await place.expire();
            const highest = Math.max(had.number, ...results.map(numberOf));
            expect((await take(second)).number).toBeGreaterThan(highest);
          },
        );
        expect(runs).toBeGreaterThan(1);
      },
    );

    const numberOf = (result: PromiseSettledResult<Lease | null>): number =>
      result.status === 'fulfilled' ? (result.value?.number ?? 0) : 0;

    it('claims under a lease are visible to the next holder, or rejected', WAIT, async () => {
      let had: Lease = { task: task.key, number: 0 };
      const look = async (server: Transactions): Promise<'seen' | 'unseen'> => {
        await taking(place.leasesOf(other, server), server, had);
        const holders = await place.claimsOf(other, server).holders([keyNamed('a')]);
        return holders.length > 0 ? 'seen' : 'unseen';
      };
      const claim = async (server: Transactions): Promise<'claimed' | 'refused'> =>
        (await claiming(place.leasesOf(one, server), server, had)) === null ? 'refused' : 'claimed';
      const outcomes = new Set<string>();
      await inOrders<string>(
        bothConnect(),
        ORDERS,
        {
          before: async () => {
            await place.empty();
            had = await take(first);
            await place.expire();
          },
          both: [claim, look],
        },
        ({ results }) => {
          const values = results.map((result) =>
            result.status === 'fulfilled' ? result.value : String(result.reason),
          );
          outcomes.add(values.join(', '));
        },
      );
      expect([...outcomes].toSorted()).toEqual(['claimed, seen', 'refused, unseen']);
    });

    it('an expired lease is granted to only one of the requesting computers', WAIT, async () => {
      const third = await place.addDesk();
      await inOrders<TakenLease>(
        bothConnect(),
        ORDERS,
        {
          before: async () => {
            await place.empty();
            await take(place.leasesOf(third));
            await place.expire();
          },
          both: [
            (server) => place.leasesOf(one, server).take(task, LENGTH),
            (server) => place.leasesOf(other, server).take(task, LENGTH),
          ],
        },
        ({ results }) => {
          const won = results.map((one) => one.status === 'fulfilled' && one.value.ok);
          expect(won.filter(Boolean)).toHaveLength(1);
        },
      );
    });
  });
});

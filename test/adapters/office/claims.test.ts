// tier: quick, 25 s, because nothing may be sent twice by two desks
import {
  NO_ADOPTION_DELAYS,
  DELAYS_FOR_ABANDONED_SEND,
} from '../../../electron/core/office/adopt.ts';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ClaimResult, OfficeClaims, Operation } from '../../../electron/core/office/ports.ts';
import type { Transactions } from '../../../electron/adapters/office/server.ts';
import { postgresPrograms } from '../../support/postgres.ts';
import { runLength } from '../../support/run-length.ts';
import { inOrders, type Orders } from './interleaved.ts';
import {
  keyNamed,
  type OfficeDatabase,
  operation,
  startOffice,
  type TestDesk,
} from './office-database.ts';
import { HOUR, MINUTE } from '../../../shared/rules/time/units.ts';

const WAIT = { timeout: 600_000 };
/** Tried orders of two concurrent claims: all thousands of them in the nightly run. */
const ORDERS = runLength<Orders>({ whole: 'all', all: { seed: 23, count: 30 } });

describe.skipIf(postgresPrograms === null)('claims of an office', () => {
  let place: OfficeDatabase;
  let one: TestDesk;
  let other: TestDesk;
  let first: OfficeClaims;
  let second: OfficeClaims;

  beforeAll(async () => {
    place = await startOffice();
    [one, other] = [await place.addDesk(), await place.addDesk()];
    [first, second] = [place.claimsOf(one), place.claimsOf(other)];
  }, WAIT.timeout);
  beforeEach(() => place.empty());
  afterAll(() => place?.remove());

  const ok = (claimed: readonly ClaimResult[]) => claimed.map((reply) => reply.ok);

  it('are granted to the first computer, whose name the second computer receives', async () => {
    const [ours, theirs] = [operation(['draft 1']), operation(['draft 1'])];
    expect(await first.claim([ours])).toEqual([{ id: ours.id, ok: true }]);
    const [refused] = await second.claim([theirs]);
    expect(refused).toMatchObject({
      id: theirs.id,
      ok: false,
      held: [{ id: ours.id, ...one, state: 'claimed', generation: 1, settledAt: null }],
    });
  });

  it('are granted for all keys of an operation, or for none', async () => {
    await first.claim([operation(['b'])]);
    expect(ok(await second.claim([operation(['a', 'b', 'c'])]))).toEqual([false]);
    expect(ok(await second.claim([operation(['a']), operation(['c'])]))).toEqual([true, true]);
  });

  it('of identical rows in one batch are granted to the first of these rows', async () => {
    const rows = [operation(['a']), operation(['b']), operation(['a'])];
    expect(ok(await first.claim(rows))).toEqual([true, true, false]);
  });

  it('let a computer with restored data claim its released claims under its old identity', async () => {
    const ours = operation(['a']);
    await first.claim([ours]);
    await first.settle([{ id: ours.id, state: 'released' }]);
    expect(ok(await second.claim([ours]))).toEqual([true]);
    // If the data was copied, the other computer may still run.
    expect(ok(await first.claim([ours]))).toEqual([false]);
    expect(await second.holders([keyNamed('a')])).toMatchObject([
      { id: ours.id, desk: other.desk },
    ]);
  });

  it('let a computer with restored data follow an abandoned claim after a user saw it', async () => {
    const again = { desk: randomUUID(), seat: one.seat };
    await place.postgres.run(
      `INSERT INTO signing_desk.desk (id, seat, version) VALUES ('${again.desk}', '${one.seat}', '')`,
      'office',
    );
    const later = place.claimsOf(again);
    const ours = operation(['a']);
    await first.claim([ours]);
    await first.settle([{ id: ours.id, state: 'given-up' }]);
    const [refused] = await later.claim([ours]);
    expect(refused).toMatchObject({ ok: false, held: [{ id: ours.id, state: 'given-up' }] });
    const seen = operation(['a'], { id: ours.id, seen: [{ id: ours.id, generation: 1 }] });
    expect(ok(await second.claim([seen]))).toEqual([false]);
    expect(ok(await later.claim([seen]))).toEqual([true]);
    await later.settle([{ id: ours.id, state: 'done' }]);
    expect(ok(await later.claim([seen]))).toEqual([false]);
  });

  it('are settled by another computer after the wait that their state requires (DL-A2)', async () => {
    const ours = operation(['a']);
    await first.claim([ours]);
    const from = { id: ours.id, desk: one.desk };
    const silence = { claimed: MINUTE, unknown: 0 };
    expect(await second.takeOver(from, silence)).toBe(false);
    await first.settle([{ id: ours.id, state: 'unknown' }]);
    expect(await second.takeOver(from, { claimed: 0, unknown: MINUTE })).toBe(false);
    await place.rest('15 minutes');
    expect(await second.takeOver(from, { claimed: 0, unknown: HOUR })).toBe(false);
    expect(await second.takeOver(from, silence)).toBe(true);
  });

  it('are rejected for a program that was open while a newer version upgraded the office (DL-A3)', async () => {
    const server = place.serverOf(other);
    // Programs before the version check did not report their version.
    for (const said of ['', '9']) {
      const older: Transactions = {
        ...server,
        transaction: (work) =>
          server.transaction(async (within) => {
            await within.command(`SET LOCAL signing_desk.schema = '${said}'`);
            return work(within);
          }),
      };
      const one = operation(['a']);
      await expect(place.claimsOf(other, older).claim([one])).rejects.toMatchObject({
        failure: { code: 'newer-data' },
      });
    }
    expect(await second.open()).toEqual([]);
    expect(ok(await second.claim([operation(['a'])]))).toEqual([true]);
  });

  it('can be made under a new key for a send claimed under an old key (DL-A3)', async () => {
    const ours = operation(['old']);
    const newer = { ...ours, keys: operation(['new']).keys };
    expect(ok(await first.claim([ours]))).toEqual([true]);
    expect(ok(await first.claim([newer]))).toEqual([true]);
    expect(ok(await second.claim([operation(['new']), operation(['old'])]))).toEqual([
      false,
      false,
    ]);
    const [late, theirs] = [operation(['early']), operation(['late'])];
    expect(ok(await first.claim([late]))).toEqual([true]);
    expect(ok(await second.claim([theirs]))).toEqual([true]);
    const [refused] = await first.claim([{ ...late, keys: theirs.keys }]);
    expect(refused).toMatchObject({ ok: false, held: [{ id: theirs.id, ...other }] });
    // The first computer keeps its claim.
    expect(ok(await second.claim([operation(['early'])]))).toEqual([false]);
  });

  it('that were released are free for other computers', async () => {
    const ours = operation(['a']);
    await first.claim([ours]);
    await first.settle([{ id: ours.id, state: 'released' }]);
    expect(ok(await second.claim([operation(['a'])]))).toEqual([true]);
    // The first computer tries its claim again, and finds the claim of the other.
    expect(ok(await first.claim([ours]))).toEqual([false]);
  });

  it('that were released can be claimed again by their own send, if still free', async () => {
    const ours = operation(['a', 'b']);
    for (let attempt = 0; attempt < 3; attempt += 1) {
      expect(ok(await first.claim([ours]))).toEqual([true]);
      expect(ok(await first.claim([ours]))).toEqual([true]);
      await first.settle([{ id: ours.id, state: 'released' }]);
    }
  });

  it('that are done are followed by another claim only if a user saw them', async () => {
    const ours = operation(['a']);
    await first.claim([ours]);
    await first.settle([{ id: ours.id, state: 'done' }]);
    expect(ok(await second.claim([operation(['a'])]))).toEqual([false]);
    const seen = [{ id: ours.id, generation: 1 }];
    const again = operation(['a'], { seen });
    expect(ok(await second.claim([again]))).toEqual([true]);
    await second.settle([{ id: again.id, state: 'done' }]);
    // A user who saw the first one has not seen the second.
    expect(ok(await first.claim([operation(['a'], { seen })]))).toEqual([false]);
    const both = [...seen, { id: again.id, generation: 2 }];
    expect(ok(await first.claim([operation(['a'], { seen: both })]))).toEqual([true]);
  });

  it('are not followed if the user saw a different send with the same number (DL-T2)', async () => {
    const ours = operation(['a']);
    await first.claim([ours]);
    await first.settle([{ id: ours.id, state: 'done' }]);
    const seen = [{ id: operation([]).id, generation: 1 }];
    expect(ok(await second.claim([operation(['a'], { seen })]))).toEqual([false]);
  });

  it('of unknown outcome are never followed by another claim', async () => {
    const ours = operation(['a']);
    await first.claim([ours]);
    await first.settle([{ id: ours.id, state: 'unknown' }]);
    const seen = [{ id: ours.id, generation: 1 }];
    expect(ok(await second.claim([operation(['a'], { seen })]))).toEqual([false]);
  });

  it('of a done operation are not granted a second time', async () => {
    const ours = operation(['a']);
    await first.claim([ours]);
    await first.settle([{ id: ours.id, state: 'done' }]);
    expect(await first.claim([ours])).toMatchObject([{ ok: false, held: [{ state: 'done' }] }]);
  });

  it('are settled by their own computer, but any computer can settle a send found on the service', async () => {
    const ours = operation(['a']);
    await first.claim([ours]);
    await second.settle([{ id: ours.id, state: 'released' }]);
    expect(await second.open()).toMatchObject([{ id: ours.id, state: 'claimed' }]);
    await second.settle([{ id: ours.id, state: 'done' }]);
    expect(await second.open()).toEqual([]);
    await first.settle([{ id: ours.id, state: 'released' }]);
    expect(ok(await first.claim([operation(['a'])]))).toEqual([false]);
  });

  it('that are not settled are listed on their own computer', async () => {
    const [ours, theirs, over] = [operation(['a']), operation(['b']), operation(['c'])];
    await first.claim([ours, over]);
    await second.claim([theirs]);
    await first.settle([{ id: over.id, state: 'done' }]);
    expect(await first.unsettled()).toEqual([ours.id]);
  });

  it('of a lost computer are taken over by exactly one computer, with the data of the send to look for', async () => {
    const about = { title: 'Lease 18', service: 'https://service.example', scan: { mark: 'tag' } };
    const ours = operation(['a'], { about });
    await first.claim([ours]);
    const [open] = await second.open();
    expect(open).toMatchObject({ id: ours.id, ...one, state: 'claimed', about });
    if (open === undefined) return;
    await place.rest('15 minutes');
    expect(await second.takeOver(open, NO_ADOPTION_DELAYS)).toBe(true);
    expect(await second.takeOver(open, NO_ADOPTION_DELAYS)).toBe(false);
    // The returned computer sends nothing more.
    expect(ok(await first.claim([ours]))).toEqual([false]);
    await first.settle([{ id: ours.id, state: 'released' }]);
    expect(await first.open()).toMatchObject([{ id: ours.id, desk: other.desk, state: 'unknown' }]);
  });

  it('of ten thousand rows are all granted or all rejected', WAIT, async () => {
    const rows = Array.from({ length: 10_000 }, (_, at) => operation([`row ${at}`]));
    expect(ok(await first.claim(rows)).every(Boolean)).toBe(true);
    const theirs = rows.map(({ keys }) => operation([], { keys }));
    expect(ok(await second.claim(theirs)).some(Boolean)).toBe(false);
  });

  describe('in any order of two computers', () => {
    type Work = (claims: OfficeClaims) => Promise<unknown>;
    /** Returns the sorted results of the two claims after both have ended. */
    const wins = (results: readonly unknown[]) =>
      (results as readonly (readonly ClaimResult[])[]).map((claimed) => ok(claimed));

    async function inOrdersOf(
      works: readonly [Work, Work],
      check: (results: readonly unknown[]) => Promise<void> | void,
      before: () => Promise<unknown> = async () => undefined,
      desks: readonly [TestDesk, TestDesk] = [one, other],
    ): Promise<void> {
      const through = (work: Work, desk: TestDesk) => (server: Transactions) =>
        work(place.claimsOf(desk, server));
      const runs = await inOrders(
        [() => place.connect(desks[0]), () => place.connect(desks[1])],
        ORDERS,
        {
          before: async () => {
            await place.empty();
            await before();
          },
          both: [through(works[0], desks[0]), through(works[1], desks[1])],
        },
        ({ results, turns }) =>
          check(
            results.map((result) => {
              if (result.status === 'fulfilled') return result.value;
              throw new Error(`Failed in the order ${turns.join('')}`, { cause: result.reason });
            }),
          ),
      );
      expect(runs).toBeGreaterThan(1);
    }
    /** Claims the operation, and leaves it unchanged for a long time. */
    const leave = async (desk: OfficeClaims, claimed: Operation): Promise<void> => {
      await desk.claim([claimed]);
      await place.rest('15 minutes');
    };
    const claims =
      (claimed: Operation): Work =>
      (through) =>
        through.claim([claimed]);

    it('only one computer gets the key', WAIT, async () => {
      await inOrdersOf([claims(operation(['a'])), claims(operation(['a']))], (results) =>
        expect(wins(results).flat().filter(Boolean)).toHaveLength(1),
      );
    });

    it(
      'only one computer gets all keys requested in different orders, and the other gets none',
      WAIT,
      async () => {
        const [ours, theirs] = [operation(['a', 'b']), operation(['b', 'a', 'c'])];
        await inOrdersOf([claims(ours), claims(theirs)], async (results) => {
          const [we, they] = wins(results).flat();
          expect(we).not.toBe(they);
          expect(ok(await first.claim([operation(['c'])]))).toEqual([we]);
        });
      },
    );

    it('two attempts of one computer both get the keys that they share', WAIT, async () => {
      const [a, b, c] = [operation(['a']), operation(['b']), operation(['c'])];
      await inOrdersOf(
        [(through) => through.claim([a, b]), (through) => through.claim([c, b])],
        async (results) => {
          expect(wins(results)).toEqual([
            [true, true],
            [true, true],
          ]);
          expect(ok(await second.claim([operation(['b'])]))).toEqual([false]);
        },
        async () => undefined,
        [one, one],
      );
    });

    it('only one computer repeats a send that both computers saw as done', WAIT, async () => {
      const done = operation(['a']);
      const seen = [{ id: done.id, generation: 1 }];
      await inOrdersOf(
        [claims(operation(['a'], { seen })), claims(operation(['a'], { seen }))],
        (results) => expect(wins(results).flat().filter(Boolean)).toHaveLength(1),
        async () => {
          await first.claim([done]);
          await first.settle([{ id: done.id, state: 'done' }]);
        },
      );
    });

    it('only one computer gets a released key', WAIT, async () => {
      const ours = operation(['a']);
      await inOrdersOf(
        [
          (through) => through.settle([{ id: ours.id, state: 'released' }]),
          claims(operation(['a'])),
        ],
        async ([, claimed]) => {
          const [isTheirs] = ok(claimed as readonly ClaimResult[]);
          expect(ok(await first.claim([ours]))).toEqual([!isTheirs]);
        },
        () => first.claim([ours]),
      );
    });

    it('an operation is either sent by its computer or taken over, never both', WAIT, async () => {
      const ours = operation(['a']);
      const from = { id: ours.id, desk: one.desk };
      await inOrdersOf(
        [claims(ours), (through) => through.takeOver(from, DELAYS_FOR_ABANDONED_SEND)],
        async ([, isTaken]) => {
          // The first computer checks before each attempt: after a takeover it is rejected.
          expect(ok(await first.claim([ours]))).toEqual([isTaken === false]);
        },
        () => leave(first, ours),
      );
    });

    it('only one computer takes over the operation of a third computer', WAIT, async () => {
      const left = operation(['a']);
      const third = await place.addDesk();
      const take: Work = (through) =>
        through.takeOver({ id: left.id, desk: third.desk }, DELAYS_FOR_ABANDONED_SEND);
      await inOrdersOf(
        [take, take],
        (results) => expect(results.filter(Boolean)).toHaveLength(1),
        () => leave(place.claimsOf(third), left),
      );
    });

    it(
      'an operation found on the service is done, despite a release or takeover',
      WAIT,
      async () => {
        const ours = operation(['a']);
        const isDone: Work = (through) => through.settle([{ id: ours.id, state: 'done' }]);
        for (const work of [
          (through) => through.takeOver({ id: ours.id, desk: one.desk }, DELAYS_FOR_ABANDONED_SEND),
          (through) => through.settle([{ id: ours.id, state: 'released' }]),
          claims(operation(['a'])),
        ] satisfies Work[]) {
          await inOrdersOf(
            [isDone, work],
            async () =>
              expect(await first.claim([ours])).toMatchObject([{ held: [{ state: 'done' }] }]),
            () => leave(first, ours),
          );
        }
      },
    );
  });
});

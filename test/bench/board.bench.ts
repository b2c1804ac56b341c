import type { BenchRow } from '../../build/bench.ts';
import { createBoardStore } from '../../electron/adapters/sqlite/board/store.ts';
import type { OptionalRowPart } from '../../shared/contract/agreement-query.ts';
import { AgreementSlice } from '../../shared/contract/agreement-query.ts';
import {
  ageBuckets,
  upcomingIntervals,
  monthIntervals,
} from '../../shared/rules/board/stretches.ts';
import { benchStore, timed } from './bench-store.ts';
import { manyAgreements, NOW } from './many-agreements.ts';
import { median } from './median.ts';
import { DAY } from '../../shared/rules/time/units.ts';

const COUNT = 100_000;
const ROUNDS = 15;
/** Number of rows in a page of the list, as the window requests it. */
const PAGE = 200;
const MAX_BOARD_MS = 200;
const MAX_PAGE_RATIO = 3;

export const name = `columns and board: ${COUNT.toLocaleString('en')} agreements`;

/** Measures a page with columns that need a further read, and all numbers of the board. */
export async function run(): Promise<readonly BenchRow[]> {
  using place = benchStore('encrypted');
  place.agreements.beginBulk();
  place.fill(manyAgreements(COUNT));
  place.agreements.endBulk();
  place.build();
  const board = createBoardStore(place.database);
  const middle = (work: () => unknown): number =>
    median(Array.from({ length: ROUNDS }, () => timed(work)));
  const page = (more: OptionalRowPart[]) => (from: number) =>
    place.agreements.window(AgreementSlice.parse({ from, limit: PAGE, more }), NOW);
  const pageTime = (more: OptionalRowPart[], from: number): number =>
    middle(() => page(more)(from));
  const asked = {
    connectionId: null,
    now: NOW,
    ages: ageBuckets(NOW),
    months: monthIntervals(NOW),
    ahead: upcomingIntervals(NOW, 30),
    since: NOW - 30 * DAY,
    mostTemplates: 10,
  };
  const { waiting, signing } = board.board(asked);
  const counted = waiting.counts.reduce((sum, count) => sum + count, 0);
  if (counted === 0 || signing.months.length < 12) throw new Error('The board is empty');
  const [usual, wide] = [
    pageTime(['awaited'], 50_000),
    pageTime(['awaited', 'sending', 'remote'], 50_000),
  ];
  return [
    {
      what: `a page of ${PAGE} with every column / the usual ones`,
      ours: wide,
      base: usual,
      goal: MAX_PAGE_RATIO,
    },
    { what: 'the same / 16 ms', ours: wide, base: 16, goal: 1 },
    {
      what: 'all numbers of the board',
      ours: middle(() => board.board(asked)),
      base: MAX_BOARD_MS,
      goal: 1,
    },
  ];
}

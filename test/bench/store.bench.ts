import type { BenchRow } from '../../build/bench.ts';
import {
  AgreementQuery,
  AgreementSlice,
  MAX_COUNTED_MATCHES,
} from '../../shared/contract/agreement-query.ts';
import {
  type BenchStore,
  benchStore,
  BRANCH,
  OFFICE,
  OLD,
  PAGE,
  quantile,
  timed,
} from './bench-store.ts';
import { manyAgreements, NOW } from './many-agreements.ts';
import { median } from './median.ts';
import { IS_MILLION } from './million.ts';
import { createPlainSearch, type PlainSearch } from './plain-search.ts';
import { DAY } from '../../shared/rules/time/units.ts';

const COUNT = IS_MILLION ? 1_000_000 : 100_000;
const ROUNDS = 9;
/** Maximum times (ms); a frame of the window takes 16. */
const [HALF_MS, MAX_MS] = IS_MILLION ? [5, 25] : [1, 3];
const FRAME_MS = 16;
const WRITTEN = 5000;

export const name = `store: ${COUNT.toLocaleString('en')} agreements in the encrypted file`;

const common = ['lease', 'storgatan', 'astrid', 'bjorn', 'hyresavtal', 'example'];
const prefixes = ['lea', 'ber', 'sto', 'kun', 'str', 'mal'];

/** Filters that users choose, one at a time and combined. */
const questions: readonly object[] = [
  {},
  ...['waiting', 'signed', 'rejected', 'expired'].map((state) => ({ states: [state] })),
  ...[OFFICE, BRANCH, OLD].map((connectionId) => ({ connectionId })),
  ...[OFFICE, OLD].map((connectionId) => ({ connectionId, states: ['signed'] })),
  ...['attention', 'expiring', 'my-turn', 'not-archived'].map((counter) => ({ counter })),
  ...common.flatMap((search) => [{ search }, { search, states: ['signed'] }]),
  ...prefixes.flatMap((search) => [{ search }, { search, states: ['waiting'] }]),
  { search: 'astrid bergstrom' },
  { search: 'lease kungsgatan', connectionId: OLD },
  { search: 'k-77', states: ['signed', 'rejected'] },
  { search: 'nothing at all' },
  { search: '(50000)' },
  { tag: 'case=K-77' },
  { tag: 'office=Malmö', states: ['rejected'] },
  { archived: false, states: ['signed'], connectionId: BRANCH },
  { gone: false, states: ['expired'] },
  { closedFrom: NOW - 30 * DAY },
  { closedFrom: NOW - 400 * DAY, closedTo: NOW - 370 * DAY, states: ['signed'] },
  { expiresFrom: NOW, expiresTo: NOW + 3 * DAY, states: ['waiting'] },
  { updatedFrom: NOW - 90 * DAY, updatedTo: NOW - 60 * DAY, search: 'ber' },
  { sort: 'title' },
  { sort: 'title', states: ['rejected'] },
  { sort: 'title', search: 'astrid bergstrom' },
  { sort: 'closed', connectionId: OLD },
  { sort: 'expires', states: ['waiting', 'part-signed'] },
];

export async function run(): Promise<readonly BenchRow[]> {
  using store = benchStore('encrypted');
  store.agreements.beginBulk();
  const pages = store.fill(manyAgreements(COUNT));
  store.agreements.endBulk();
  const steps = store.build();
  const later = store.fill(manyAgreements(WRITTEN, 2));
  const completed = store.build();
  return [
    ...blocking({ pages, steps, later, completed }),
    ...asked(store),
    ...againstPlain(store, createPlainSearch(store.database)),
    ...depth(store),
    ...(await encryption()),
  ];
}

/** Makes an unimportant change, after which the store drops its cached answers. */
function change({ database }: BenchStore): void {
  database.command(`INSERT INTO setting VALUES ('bench', '1')
    ON CONFLICT DO UPDATE SET value = value + 1`)();
}

const first = ({ agreements }: BenchStore, question: object) =>
  agreements.window(
    AgreementSlice.parse({ from: 0, limit: 50, countUpTo: MAX_COUNTED_MATCHES, ...question }),
    NOW,
  );

/** Pieces of work that block the main loop, with the time of each (ms). */
interface Stretches {
  readonly pages: readonly number[];
  readonly steps: readonly number[];
  readonly later: readonly number[];
  readonly completed: readonly number[];
}

function blocking({ pages, steps, later, completed }: Stretches): BenchRow[] {
  const row = (what: string, times: readonly number[]): BenchRow => {
    return { what: `${what}, 99 of 100`, ours: quantile(times, 0.99), base: FRAME_MS, goal: 1 };
  };
  return [
    row(`storing ${String(PAGE)} agreements of a first load / a frame`, pages),
    row('a step of building the search index / a frame', steps),
    row(`storing ${String(PAGE)} agreements of any age among them / a frame`, later),
    row('a step of putting those into the index / a frame', completed),
  ];
}

/** Times of the window's first requests and of the totals, without cached answers. */
function asked(store: BenchStore): BenchRow[] {
  const times: number[] = [];
  const counts: number[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const question of questions) {
      change(store);
      const time = timed(() => first(store, question));
      change(store);
      const count = timed(() => store.agreements.count(AgreementQuery.parse(question), NOW));
      if (round === 0) continue;
      times.push(time);
      counts.push(count);
    }
  }
  const what = `first rows of ${String(questions.length)} searches and filters`;
  return [
    {
      what: `${what}, half of them / ${String(HALF_MS)} ms`,
      ours: median(times),
      base: HALF_MS,
      goal: 1,
    },
    {
      what: `${what}, 99 of 100 / ${String(MAX_MS)} ms`,
      ours: quantile(times, 0.99),
      base: MAX_MS,
      goal: 1,
    },
    {
      what: 'their exact totals, which a thread counts behind the rows, 99 of 100 / a frame',
      ours: quantile(counts, 0.99),
      base: FRAME_MS,
      goal: 1,
    },
  ];
}

function againstPlain(store: BenchStore, plain: PlainSearch): BenchRow[] {
  const compared = (
    what: string,
    words: readonly string[],
    match: (word: string) => string,
    times: number,
  ): BenchRow => {
    const ours: number[] = [];
    const base: number[] = [];
    for (let round = 0; round <= ROUNDS; round += 1) {
      for (const word of words) {
        change(store);
        const mine = timed(() => first(store, { search: word, states: ['signed'] }));
        const theirs = timed(() => plain.page(match(word), 'signed'));
        if (round === 0) continue;
        ours.push(mine);
        base.push(theirs);
      }
    }
    return { what, ours: median(ours), base: median(base), goal: 1 / times };
  };
  return [
    compared(
      'common words in a state / joined, sorted and counted',
      common,
      (word) => `"${word}"*`,
      30,
    ),
    compared('three letters in a state / the same', prefixes, (word) => `"${word}"*`, 100),
  ];
}

/**
 * Compares reading any part of the list, and the first read of its middle, with reading its start.
 */
function depth(store: BenchStore): BenchRow[] {
  const at = (from: number) => () =>
    store.agreements.window(AgreementSlice.parse({ from, limit: 100 }), NOW);
  const middle = Math.floor(COUNT / 2);
  const first: number[] = [];
  const times = { start: [] as number[], middle: [] as number[], end: [] as number[] };
  for (let round = 0; round < ROUNDS; round += 1) {
    change(store);
    first.push(timed(at(middle)));
    at(0)();
    for (let again = 0; again < 5; again += 1) {
      times.start.push(timed(at(100)));
      times.middle.push(timed(at(middle)));
      times.end.push(timed(at(COUNT - 300)));
    }
  }
  const base = median(times.start);
  return [
    { what: '100 rows in the middle / at the start', ours: median(times.middle), base, goal: 1.5 },
    { what: '100 rows at the end / at the start', ours: median(times.end), base, goal: 1.5 },
    {
      what: 'the first jump to the middle after a change / a frame',
      ours: median(first),
      base: FRAME_MS,
      goal: 1,
    },
  ];
}

async function encryption(): Promise<BenchRow[]> {
  using encrypted = benchStore('encrypted');
  using plain = benchStore('plain');
  const sum = (times: readonly number[]) => times.reduce((all, time) => all + time, 0);
  const writing = { encrypted: [] as number[], plain: [] as number[] };
  for (let round = 1; round <= 5; round += 1) {
    for (const [kind, store] of [
      ['encrypted', encrypted],
      ['plain', plain],
    ] as const) {
      const written = store.fill(manyAgreements(WRITTEN, round));
      writing[kind].push(sum(written) + sum(store.build()));
    }
  }
  const search = { encrypted: [] as number[], plain: [] as number[] };
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const word of [...common, ...prefixes]) {
      for (const [kind, store] of [
        ['encrypted', encrypted],
        ['plain', plain],
      ] as const) {
        change(store);
        search[kind].push(timed(() => first(store, { search: word })));
      }
    }
  }
  const opening = { encrypted: [] as number[], plain: [] as number[] };
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [kind, store] of [
      ['encrypted', encrypted],
      ['plain', plain],
    ] as const) {
      let opened: { close(): void } | undefined;
      opening[kind].push(timed(() => (opened = store.reopen())));
      opened?.close();
    }
  }
  const extra = median(opening.encrypted) - median(opening.plain);
  return [
    {
      what: `writing and indexing ${String(WRITTEN)} agreements / the same without encryption`,
      ours: median(writing.encrypted),
      base: median(writing.plain),
      goal: 1 / 0.7,
    },
    {
      what: 'searching / the same without encryption',
      ours: median(search.encrypted),
      base: median(search.plain),
      goal: 1.2,
    },
    {
      what: 'opening, beyond what it takes without encryption / 5 ms',
      ours: Math.max(0, extra),
      base: 5,
      goal: 1,
    },
  ];
}

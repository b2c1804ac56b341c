import type { Board, FailedKind, BoardChart } from '../../contract/board.ts';
import { DAY } from '../time/units.ts';

export const plotNames = ['waiting', 'signing', 'templates', 'expiring', 'failed'] as const;
export type PlotName = (typeof plotNames)[number];

/** Kinds of agreements that a plot excludes and counts. */
export type ExcludedCounts = 'unsent' | 'untimed' | 'templates' | 'unexpiring' | 'past';

/** Texts of the plots in one language, and its formats of numbers and days. */
export interface BoardWords {
  readonly title: Readonly<Record<PlotName, string>>;
  /** Explanation of the items that each plot counts. */
  readonly lead: Readonly<Record<PlotName, string>>;
  /** Explanation of the groups of each plot. */
  readonly group: Readonly<Record<PlotName, string>>;
  readonly agreements: string;
  readonly number: string;
  readonly median: string;
  readonly ninety: string;
  readonly noTemplate: string;
  readonly failed: Readonly<Record<FailedKind, string>>;
  readonly leftOut: (what: ExcludedCounts, count: number) => string;
  readonly age: (from: number, to: number | null) => string;
  readonly month: (name: string) => string;
  /** Unit of times in a table of numbers. */
  readonly inDays: string;
  /** Formats a period: from the day of `from` to the day before `to` (epoch ms). */
  readonly days: (from: number, to: number) => string;
  readonly count: (count: number) => string;
  /** Formats a duration in the most readable unit. */
  readonly duration: (milliseconds: number) => string;
}

/** Plots of the board; plots of times have bars for the median and the 90th percentile. */
export function boardPlots(
  board: Board,
  words: BoardWords,
): Readonly<Record<PlotName, BoardChart>> {
  const { waiting, signing, expiring, failed } = board;
  const { month, noTemplate, age, days } = words;
  const plot = plotOf(words);
  const timed = (
    name: PlotName,
    more: readonly string[],
    groups: BoardChart['groups'],
  ): BoardChart => plot(name, more, [words.median, words.ninety], groups, words.inDays);
  const counted = (label: string, count: number) => ({
    label,
    values: [{ value: count, text: words.count(count) }],
  });
  const untimed = exclusionNotes(words, 'untimed', signing.unknown);
  return {
    waiting: plot(
      'waiting',
      exclusionNotes(words, 'unsent', waiting.unknown),
      [words.agreements],
      waiting.bars.map(({ from, to, count }) => counted(age(from, to), count)),
    ),
    signing: timed(
      'signing',
      untimed,
      signing.months.map((one) => durationPlotOf(words, month(one.month), one)),
    ),
    templates: timed(
      'templates',
      [...untimed, ...exclusionNotes(words, 'templates', signing.moreTemplates)],
      signing.templates.map((one) => durationPlotOf(words, one.template ?? noTemplate, one)),
    ),
    expiring: plot(
      'expiring',
      [
        ...exclusionNotes(words, 'unexpiring', expiring.unknown),
        ...exclusionNotes(words, 'past', expiring.past),
      ],
      [words.agreements],
      expiring.bars.map(({ from, to, count }) => counted(days(from, to), count)),
    ),
    failed: plot(
      'failed',
      [],
      [words.number],
      failed.bars.map(({ kind, count }) => counted(words.failed[kind], count)),
    ),
  };
}

const plotOf =
  ({ title, lead, group }: BoardWords) =>
  (
    name: PlotName,
    more: readonly string[],
    series: string[],
    groups: BoardChart['groups'],
    unit: string | null = null,
  ): BoardChart => ({
    title: title[name],
    notes: [lead[name], ...more],
    group: group[name],
    series,
    unit,
    groups,
  });

const exclusionNotes = (
  { leftOut }: BoardWords,
  what: ExcludedCounts,
  count: number,
): readonly string[] => (count === 0 ? [] : [leftOut(what, count)]);

interface DurationStats {
  readonly count: number;
  readonly median: number;
  readonly ninety: number;
}

function durationPlotOf({ duration, count }: BoardWords, label: string, took: DurationStats) {
  // All bars of a plot are in days. Many agreements are signed within an hour, so the numbers need
  // four decimals.
  const values = [took.median, took.ninety].map((time) => ({
    value: Math.round((time / DAY) * 10_000) / 10_000,
    text: duration(time),
  }));
  return { label: `${label} (${count(took.count)})`, values };
}

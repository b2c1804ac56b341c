import type { BoardChart } from '../../contract/board.ts';

/** Units of the drawing: CSS pixels at its own size. */
const WIDTH = 480;
const LABELS = 172;
const VALUES = 72;
const GAP = 8;
const BAR = { one: 16, two: 13 } as const;
const ROW_GAP = 8;
const TOP_MARGIN = 4;
/** Maximum characters of a label next to the bars; the table and the title have the whole text. */
const MAX_LETTERS = 25;

export interface DrawnBar {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Index of the series: 0, or 1 for the one that is drawn with a pattern. */
  readonly series: number;
  readonly text: string;
}

/** A group of a drawn plot: its label on the left, and a bar for each series. */
interface DrawnGroup {
  readonly label: string;
  readonly whole: string;
  /** Vertical middle of the row. */
  readonly y: number;
  readonly bars: readonly DrawnBar[];
}

export interface Drawing {
  readonly width: number;
  readonly height: number;
  /** Position where labels end and bars start. */
  readonly labelEnd: number;
  readonly axis: number;
  readonly groups: readonly DrawnGroup[];
}

/** Layout of a plot. Bars start at 0, so that their lengths can be compared. */
export function drawPlot({ groups, series }: BoardChart): Drawing {
  const most = Math.max(0, ...groups.flatMap(({ values }) => values.map(({ value }) => value)));
  const height = series.length > 1 ? BAR.two : BAR.one;
  const row = height * series.length + ROW_GAP;
  const room = WIDTH - LABELS - VALUES;
  return {
    width: WIDTH,
    height: TOP_MARGIN + groups.length * row,
    labelEnd: LABELS - GAP,
    axis: LABELS,
    groups: groups.map(({ label, values }, at) => {
      const top = TOP_MARGIN + at * row;
      return {
        label: shortenLabel(label),
        whole: label,
        y: top + (row - ROW_GAP) / 2,
        bars: values.map(({ value, text }, of) => ({
          x: LABELS,
          y: top + of * height,
          width: most === 0 ? 0 : Math.round((Math.max(0, value) / most) * room * 10) / 10,
          height: height - (series.length > 1 ? 1 : 0),
          series: of,
          text,
        })),
      };
    }),
  };
}

function shortenLabel(label: string): string {
  const letters = [...label.slice(0, MAX_LETTERS * 4)];
  return letters.length <= MAX_LETTERS ? label : `${letters.slice(0, MAX_LETTERS - 1).join('')}…`;
}

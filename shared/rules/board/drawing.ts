import type { BoardChart } from '../../contract/board.ts';

/** Units of the drawing: CSS pixels at its own size. */
const DRAWING_WIDTH = 480;
const LABELS_WIDTH = 172;
const VALUES_WIDTH = 72;
const LABEL_GAP = 8;
const BAR_HEIGHT = { one: 16, two: 13 } as const;
const ROW_GAP = 8;
const TOP_MARGIN = 4;
/** Maximum characters of a label next to the bars; the table and the title have the whole text. */
const MAX_PLOT_LABEL_CHARACTERS = 25;

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
  const height = series.length > 1 ? BAR_HEIGHT.two : BAR_HEIGHT.one;
  const row = height * series.length + ROW_GAP;
  const room = DRAWING_WIDTH - LABELS_WIDTH - VALUES_WIDTH;
  return {
    width: DRAWING_WIDTH,
    height: TOP_MARGIN + groups.length * row,
    labelEnd: LABELS_WIDTH - LABEL_GAP,
    axis: LABELS_WIDTH,
    groups: groups.map(({ label, values }, at) => {
      const top = TOP_MARGIN + at * row;
      return {
        label: shortenLabel(label),
        whole: label,
        y: top + (row - ROW_GAP) / 2,
        bars: values.map(({ value, text }, of) => ({
          x: LABELS_WIDTH,
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
  const letters = [...label.slice(0, MAX_PLOT_LABEL_CHARACTERS * 4)];
  return letters.length <= MAX_PLOT_LABEL_CHARACTERS
    ? label
    : `${letters.slice(0, MAX_PLOT_LABEL_CHARACTERS - 1).join('')}…`;
}

import type { BoardChart } from '../../contract/board.ts';

/** Units of the drawing: CSS pixels at its own size. */
const DRAWING_WIDTH = 480;
const LABELS_WIDTH = 172;
const VALUES_WIDTH = 72;
const LABEL_GAP = 8;
const BAR_HEIGHT = { one: 16, two: 13 } as const;
const ROW_GAP = 8;
const TOP_MARGIN = 4;
/**
 * Maximum characters of a line of a label next to the bars, and maximum lines; the table and the
 * title have the whole text.
 */
const MAX_LABEL_LINE_CHARACTERS = 23;
const MAX_LABEL_LINES = 3;
const LABEL_LINE_HEIGHT = 14;

export interface DrawnBar {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Index of the series: 0, or 1 for the one that is drawn with a pattern. */
  readonly series: number;
  readonly text: string;
}

/** A line of a group's label; `y` is its vertical middle. */
interface DrawnLabelLine {
  readonly text: string;
  readonly y: number;
}

/** A group of a drawn plot: its label on the left, and a bar for each series. */
interface DrawnGroup {
  readonly lines: readonly DrawnLabelLine[];
  readonly whole: string;
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
  const scale = most === 0 ? 0 : (DRAWING_WIDTH - LABELS_WIDTH - VALUES_WIDTH) / most;
  const barHeight = series.length > 1 ? BAR_HEIGHT.two : BAR_HEIGHT.one;
  const drawn: DrawnGroup[] = [];
  let top = TOP_MARGIN;
  for (const { label, values } of groups) {
    const texts = labelLines(label);
    const height = Math.max(barHeight * series.length, LABEL_LINE_HEIGHT * texts.length);
    const middle = top + height / 2;
    const firstBar = middle - (barHeight * series.length) / 2;
    drawn.push({
      lines: texts.map((text, at) => ({
        text,
        y: middle + (at - (texts.length - 1) / 2) * LABEL_LINE_HEIGHT,
      })),
      whole: label,
      bars: values.map(({ value, text }, of) => ({
        x: LABELS_WIDTH,
        y: firstBar + of * barHeight,
        width: Math.round(Math.max(0, value) * scale * 10) / 10,
        height: barHeight - (series.length > 1 ? 1 : 0),
        series: of,
        text,
      })),
    });
    top += height + ROW_GAP;
  }
  return {
    width: DRAWING_WIDTH,
    height: top,
    labelEnd: LABELS_WIDTH - LABEL_GAP,
    axis: LABELS_WIDTH,
    groups: drawn,
  };
}

/** Breaks a label at spaces, and shortens the last line if the label is still too long. */
function labelLines(label: string): readonly string[] {
  let left = [...label.slice(0, MAX_LABEL_LINE_CHARACTERS * MAX_LABEL_LINES * 4)];
  const lines: string[] = [];
  while (left.length > MAX_LABEL_LINE_CHARACTERS && lines.length < MAX_LABEL_LINES - 1) {
    const space = left.slice(0, MAX_LABEL_LINE_CHARACTERS + 1).lastIndexOf(' ');
    if (space <= 0) break;
    lines.push(left.slice(0, space).join(''));
    left = left.slice(space + 1);
  }
  const last =
    left.length <= MAX_LABEL_LINE_CHARACTERS
      ? left.join('')
      : `${left.slice(0, MAX_LABEL_LINE_CHARACTERS - 1).join('')}…`;
  return [...lines, last];
}

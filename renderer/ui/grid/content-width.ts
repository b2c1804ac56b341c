/** Number of lines whose texts are measured: a list may have ten thousand. */
export const MAX_MEASURED_LINES = 200;

/** Returns the widths of texts (CSS px). */
type MeasureTexts = (texts: readonly string[]) => readonly number[];

let context: CanvasRenderingContext2D | null = null;

/** Measures texts in the window's own font. */
const measureInWindow: MeasureTexts = (texts) => {
  context ??= document.createElement('canvas').getContext('2d');
  if (context === null) return [];
  const measuring = context;
  measuring.font = getComputedStyle(document.body).font;
  return texts.map((text) => measuring.measureText(text).width);
};

interface ContentSize {
  /** Width of icons and gaps beside the text (CSS px). */
  readonly beside?: number;
  /** Size of the text's font, compared with the window's. */
  readonly scale?: number;
  readonly measure?: MeasureTexts;
}

/** Width of a column that is as wide as its longest text. */
export function contentWidth(
  texts: readonly string[],
  { beside = 0, scale = 1, measure = measureInWindow }: ContentSize = {},
): string {
  const longest = Math.max(0, ...measure(texts));
  return `minmax(0, ${String(Math.ceil(longest * scale) + beside)}px)`;
}

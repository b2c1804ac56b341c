import Papa from 'papaparse';
import { SheetDelimiter } from '../../../../shared/contract/sheets.ts';
import { kindOfHeader } from '../../../../shared/rules/batches/synonyms.ts';

/** Column separator of a text file, guessed from its first rows. */
export interface GuessedDelimiter {
  readonly sign: SheetDelimiter;
  /** Another possible separator if the rows do not decide; the user is warned. */
  readonly other: SheetDelimiter | null;
}

/** A separator, with the properties of the first rows that it would produce. */
interface Candidate {
  readonly sign: SheetDelimiter;
  /** Share of the rows below a title that have the usual number of cells: 0 to 1. */
  readonly agreement: number;
  /** Number of rows above the first row that the separator splits. */
  readonly above: number;
  readonly width: number;
}

const SAMPLE_ROWS = 50;
const SAMPLE_LENGTH = 200_000;
/** Maximum number of rows with titles and notes above a header; more are rare. */
const MAX_TITLE_ROWS = 5;
/** Share of the best agreement from which another candidate may be meant instead. */
const MIN_ALTERNATIVE_SHARE = 0.9;
/**
 * A comma without a space after it. In text, a comma is followed by a space; in a table rarely, and
 * never throughout.
 */
const COMMA_IN_TEXT = /,(?! )/;

/** Rates each separator by the rows it produces. `text` must have `\n` as line ends. */
export function guessDelimiter(text: string): GuessedDelimiter {
  const sample = sampleOf(text);
  const found = SheetDelimiter.options
    .flatMap((sign) => candidateOf(sign, sample))
    .toSorted(compareCandidates);
  const [best, next] = found;
  const none = SheetDelimiter.options.find((sign) => !sample.includes(sign)) ?? ';';
  if (best === undefined) return { sign: none, other: null };
  if (isOneColumnList(best, sample)) return { sign: none, other: best.sign };
  const isUnclear =
    next !== undefined &&
    next.above <= best.above &&
    next.agreement >= best.agreement * MIN_ALTERNATIVE_SHARE;
  return { sign: best.sign, other: isUnclear ? next.sign : null };
}

/** Returns whole lines from the start of the file. */
function sampleOf(text: string): string {
  if (text.length <= SAMPLE_LENGTH) return text;
  const head = text.slice(0, SAMPLE_LENGTH);
  const end = head.lastIndexOf('\n');
  return end < 0 ? head : head.slice(0, end);
}

function candidateOf(sign: SheetDelimiter, sample: string): readonly Candidate[] {
  if (!sample.includes(sign)) return [];
  const { data } = Papa.parse<string[]>(sample, {
    delimiter: sign,
    newline: '\n',
    preview: SAMPLE_ROWS,
    skipEmptyLines: true,
  });
  const widths = data.map((cells) => cells.length);
  const above = widths.findIndex((width) => width > 1);
  if (above < 0) return [];
  const below = widths.slice(Math.min(above, MAX_TITLE_ROWS));
  const width = mostFrequentWidth(below.filter((one) => one > 1));
  const agreement = below.filter((one) => one === width).length / below.length;
  return [{ sign, agreement, above, width }];
}

function mostFrequentWidth(widths: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const width of widths) counts.set(width, (counts.get(width) ?? 0) + 1);
  const [first] = [...counts].toSorted(([, one], [, other]) => other - one);
  return first?.[0] ?? 1;
}

/**
 * Sorts the better candidate first: by agreement in tenths, then by fewer rows above the first
 * split row, then by more cells.
 */
function compareCandidates(one: Candidate, other: Candidate): number {
  return (
    Math.round(other.agreement * 10) - Math.round(one.agreement * 10) ||
    one.above - other.above ||
    other.width - one.width
  );
}

/**
 * Whether a file is a list of one column whose texts contain the separator. Its heading is not
 * split. Either the heading is the name of a column, or the commas below it are those of plain text
 * (`Namn`, `Öberg, Åsa`).
 */
function isOneColumnList({ sign, agreement, above }: Candidate, sample: string): boolean {
  if (above === 0) return false;
  if (agreement <= 0.5) return true;
  const heading = sample.split('\n', above).find((line) => line.trim() !== '') ?? '';
  return kindOfHeader(heading) !== null || (sign === ',' && !COMMA_IN_TEXT.test(sample));
}

import Papa from 'papaparse';
import { SheetDelimiter } from '../../../../shared/contract/sheets.ts';
import { kindOfHeader } from '../../../../shared/rules/batches/synonyms.ts';

/** What parts the columns of a text file, as far as its first rows say. */
export interface GuessedDelimiter {
  readonly sign: SheetDelimiter;
  /** What else it may be, when the rows do not decide; a person is warned. */
  readonly other: SheetDelimiter | null;
}

/** One sign, by what it would make of the first rows. */
interface Candidate {
  readonly sign: SheetDelimiter;
  /** Of the rows below a title, how many have the usual number of cells: 0 to 1. */
  readonly agreement: number;
  /** Rows above the first that is parted. */
  readonly above: number;
  readonly width: number;
}

const SAMPLE_ROWS = 50;
const SAMPLE_LENGTH = 200_000;
/** Titles and notes above a header seldom take more. */
const MAX_ABOVE = 5;
/** Of the best one's agreement; what comes as near as this may be meant as well. */
const AS_GOOD = 0.9;
/** In text a comma has a space behind it; in a table it seldom has, and never throughout. */
const COMMA_IN_TEXT = /,(?! )/;

/** Judges each sign by the rows it makes. `text` has `\n` for its line ends. */
export function guessDelimiter(text: string): GuessedDelimiter {
  const sample = sampleOf(text);
  const found = SheetDelimiter.options
    .flatMap((sign) => candidateOf(sign, sample))
    .toSorted(compare);
  const [best, next] = found;
  const none = SheetDelimiter.options.find((sign) => !sample.includes(sign)) ?? ';';
  if (best === undefined) return { sign: none, other: null };
  if (isList(best, sample)) return { sign: none, other: best.sign };
  const isUnclear =
    next !== undefined && next.above <= best.above && next.agreement >= best.agreement * AS_GOOD;
  return { sign: best.sign, other: isUnclear ? next.sign : null };
}

/** Whole lines from the beginning of the file. */
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
  const below = widths.slice(Math.min(above, MAX_ABOVE));
  const width = usual(below.filter((one) => one > 1));
  const agreement = below.filter((one) => one === width).length / below.length;
  return [{ sign, agreement, above, width }];
}

function usual(widths: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const width of widths) counts.set(width, (counts.get(width) ?? 0) + 1);
  const [first] = [...counts].toSorted(([, one], [, other]) => other - one);
  return first?.[0] ?? 1;
}

/** Rows that agree count most, in tenths; then a header that is parted too; then more cells. */
function compare(one: Candidate, other: Candidate): number {
  return (
    Math.round(other.agreement * 10) - Math.round(one.agreement * 10) ||
    one.above - other.above ||
    other.width - one.width
  );
}

/**
 * A list of one column whose texts hold the sign: its heading is not parted, and is the name of a
 * column, or the commas below are those of plain text (`Namn`, `Öberg, Åsa`).
 */
function isList({ sign, agreement, above }: Candidate, sample: string): boolean {
  if (above === 0) return false;
  if (agreement <= 0.5) return true;
  const heading = sample.split('\n', above).find((line) => line.trim() !== '') ?? '';
  return kindOfHeader(heading) !== null || (sign === ',' && !COMMA_IN_TEXT.test(sample));
}

/**
 * Prevents a CSV text from becoming a formula in programs with any separator: a program
 * may split a comma-separated file at semicolons within texts. An apostrophe before the
 * first character of a formula makes it text in every program.
 */

/** First characters of a formula, and their wide and small forms for Asian versions. */
const FORMULA_SIGNS = new Set('=+-@＝＋－＠﹦﹢﹣﹫');
/** All possible separators of cells or rows. */
const CELL_SEPARATORS = new Set(';,\t|\r\n\v\f\u0085\u2028\u2029；，｜');
/** Characters that a program may skip before a cell: spaces, quotes, invisible ones. */
const SKIPPED_BEFORE_FORMULA = /[\s"\p{Cc}\p{Cf}]/u;
/** Apostrophes and control characters that some programs remove before a formula. */
const LEADING_CHARACTERS_PATTERN = /^'*[\t\r\n]/;

/** Returns the text with an apostrophe before every character that could start a formula. */
export function guardCsv(text: string): string {
  return (isRiskyStart(text) ? "'" : '') + guardCellsInside(text);
}

/** Reverses `guardCsv`, but keeps apostrophes after separators within the text. */
export function unguardCsv(cell: string): string {
  const rest = cell.slice(1);
  return cell.startsWith("'") && isRiskyStart(rest) ? rest : cell;
}

/**
 * Whether a text may be read as a formula. Apostrophes before it are skipped, so that a guarded
 * text differs from a text that starts with an apostrophe.
 */
function isRiskyStart(text: string): boolean {
  if (LEADING_CHARACTERS_PATTERN.test(text)) return true;
  for (const letter of text) {
    if (FORMULA_SIGNS.has(letter)) return true;
    if (letter !== "'" && !SKIPPED_BEFORE_FORMULA.test(letter)) return false;
  }
  return false;
}

function guardCellsInside(text: string): string {
  let guarded = '';
  let copied = 0;
  let at = 0;
  let isStart = false;
  for (const letter of text) {
    if (CELL_SEPARATORS.has(letter)) isStart = true;
    else if (isStart && FORMULA_SIGNS.has(letter)) {
      guarded += `${text.slice(copied, at)}'`;
      copied = at;
      isStart = false;
    } else if (!SKIPPED_BEFORE_FORMULA.test(letter)) isStart = false;
    at += letter.length;
  }
  return guarded + text.slice(copied);
}

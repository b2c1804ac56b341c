/**
 * Keeps a text of a CSV file from becoming a formula, whichever separator the program that reads it
 * goes by: a file with commas, opened where the list separator is a semicolon, falls apart at the
 * semicolons within its texts. An apostrophe before the sign makes it text to every program.
 */

/** What a spreadsheet program begins a formula with; the wide and small forms in Asian versions. */
const SIGNS = new Set('=+-@＝＋－＠﹦﹢﹣﹫');
/** Every separator of cells or of rows that a program may go by. */
const SEPARATORS = new Set(';,\t|\r\n\v\f\u0085\u2028\u2029；，｜');
/** What a program may skip before it looks at a cell: spaces, quotes, what cannot be seen. */
const SKIPPED = /[\s"\p{Cc}\p{Cf}]/u;
/** Programs take some of these before a formula off. */
const LEADING = /^'*[\t\r\n]/;

/** The text with an apostrophe before every sign that could begin a formula. */
export function guardCsv(text: string): string {
  return (isRiskyStart(text) ? "'" : '') + guardedInside(text);
}

/** The text as it was before `guardCsv`, but for apostrophes behind separators within it. */
export function unguardCsv(cell: string): string {
  const rest = cell.slice(1);
  return cell.startsWith("'") && isRiskyStart(rest) ? rest : cell;
}

/** Apostrophes count as skipped here, so that a guarded text is told from one that begins so. */
function isRiskyStart(text: string): boolean {
  if (LEADING.test(text)) return true;
  for (const letter of text) {
    if (SIGNS.has(letter)) return true;
    if (letter !== "'" && !SKIPPED.test(letter)) return false;
  }
  return false;
}

function guardedInside(text: string): string {
  let guarded = '';
  let copied = 0;
  let at = 0;
  let isStart = false;
  for (const letter of text) {
    if (SEPARATORS.has(letter)) isStart = true;
    else if (isStart && SIGNS.has(letter)) {
      guarded += `${text.slice(copied, at)}'`;
      copied = at;
      isStart = false;
    } else if (!SKIPPED.test(letter)) isStart = false;
    at += letter.length;
  }
  return guarded + text.slice(copied);
}

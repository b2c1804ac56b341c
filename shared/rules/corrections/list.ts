import type { CorrectionProblem } from '../../contract/corrections.ts';
import { validateEmail } from '../identifiers/email.ts';
import { type Bounce, isDeliveryStatus } from './bounce-kinds.ts';
import { readBounces } from './bounces.ts';
import { EXCESS_COMBINING_MARKS } from '../text/long-marks.ts';

export interface ListedCorrection {
  /** Number of the line in the list, from 1. */
  readonly line: number;
  /** Old address, or the name of a person or company. */
  readonly from: string;
  /** New address; null for a bounce without a new address. */
  readonly to: string | null;
}

export interface CorrectionList {
  readonly corrections: readonly ListedCorrection[];
  readonly refused: readonly { readonly line: number; readonly problem: CorrectionProblem }[];
}

/** Text with an @, delimited by spaces, quotes, brackets or separators. */
const LISTED_ADDRESS_PATTERN = /[^\s<>"(),;:[\]]{1,64}@[^\s<>"(),;:[\]@]{1,255}/gu;
/** Quotes around an address, and a final full stop; the quote within O'Brien is kept. */
const SURROUNDING_MARKS = /^'{1,8}|[.']{1,8}$/gu;
/** Status of RFC 3463, or SMTP reply code before the address: the line is a mail server's. */
const DELIVERY_STATUS_PATTERN = /\b[45]\.\d{1,3}\.\d{1,3}\b|^[45]\d\d[ -][^;\t,]*@/u;
/** Maximum length of a line; a mail server's text about one message is shorter. */
const MAX_LIST_LINE_LENGTH = 4096;
const SEPARATORS = ['\t', ';', ','] as const;
const LETTER_PATTERN = /\p{L}/u;

/**
 * Reads a list that a user typed, pasted or exported: `old; new`, separated by a tab, a semicolon
 * or a comma; and bounce information of mail servers and mail services. Skips blank lines, lines
 * that start with `#`, and a header.
 */
export function readCorrections(text: string): CorrectionList {
  const bounces = readBounces(text);
  if (typeof bounces === 'string')
    return { corrections: [], refused: [{ line: 1, problem: bounces }] };
  if (bounces !== null) return correctionListOf(bounces);
  const corrections: ListedCorrection[] = [];
  const refused: { line: number; problem: CorrectionProblem }[] = [];
  const seen = new Map<string, string | null>();
  let isFirst = true;
  for (const [at, raw] of text.split(/\r\n|\r|\n/u).entries()) {
    const line = raw.slice(0, MAX_LIST_LINE_LENGTH).trim();
    if (line === '' || line.startsWith('#')) continue;
    const read = readLine(line);
    const isHeading = isFirst && read === 'no-address';
    isFirst = false;
    if (isHeading) continue;
    const problem = typeof read === 'string' ? read : problemOf(read, seen);
    // Mail servers retry and report each attempt, so a repeated address is no problem.
    if (problem === 'repeated') continue;
    if (problem !== null) refused.push({ line: at + 1, problem });
    else if (typeof read !== 'string') {
      seen.set(folded(read.from), read.to);
      corrections.push({ line: at + 1, from: read.from, to: read.to });
    }
  }
  return { corrections, refused };
}

/** List with one correction per address: mail servers retry and report each attempt. */
function correctionListOf(bounces: readonly Bounce[]): CorrectionList {
  const first = new Map<string, ListedCorrection>();
  for (const { line, address } of bounces) {
    if (!first.has(folded(address))) first.set(folded(address), { line, from: address, to: null });
  }
  if (first.size === 0)
    return { corrections: [], refused: [{ line: 1, problem: 'none-came-back' }] };
  return { corrections: [...first.values()], refused: [] };
}

type AddressPair = Pick<ListedCorrection, 'from' | 'to'>;

function readLine(line: string): AddressPair | CorrectionProblem {
  const addresses = distinctAddresses(
    [...line.matchAll(LISTED_ADDRESS_PATTERN)].map(([found]) =>
      found.replaceAll(SURROUNDING_MARKS, ''),
    ),
  );
  const [first, second] = addresses;
  if (first === undefined) return 'no-address';
  if (DELIVERY_STATUS_PATTERN.test(line)) {
    return addresses.length === 1 ? { from: first, to: null } : 'several-addresses';
  }
  if (addresses.length > 2) return 'several-addresses';
  if (second !== undefined) return validateCorrection({ from: first, to: second });
  const cells = cellsOf(line);
  const holding = cells.filter((cell) => cell.includes('@')).length;
  // A line with the same address twice changes nothing.
  if (holding > 1) return 'same-address';
  const before = cells.slice(
    0,
    cells.findIndex((cell) => cell.includes('@')),
  );
  if (holding === 1 && isWrongAddress(cells)) return 'address-wrong';
  // First and last name may be separate cells; a row number or personal number is not a name.
  const name = before.filter((cell) => LETTER_PATTERN.test(cell)).join(' ');
  return name === '' ? { from: first, to: null } : validateCorrection({ from: name, to: first });
}

/**
 * Whether the new address is wrong: an old address is followed by one word that is not a status,
 * such as `old@x.example;bad`.
 */
function isWrongAddress([from = '', to = '', ...more]: readonly string[]): boolean {
  return (
    from.includes('@') &&
    more.every((cell) => cell === '') &&
    /^[^\s@]+$/u.test(to) &&
    !isDeliveryStatus(to)
  );
}

/**
 * Splits a line into cells as a spreadsheet does: at tabs, otherwise at semicolons, otherwise at
 * commas. Quoted cells are not split.
 */
function cellsOf(line: string): readonly string[] {
  const open = line.replaceAll(/"[^"]*"/gu, '');
  const sign = SEPARATORS.find((one) => open.includes(one));
  const cells = [''];
  let isQuoted = false;
  for (const letter of line) {
    if (letter === '"') isQuoted = !isQuoted;
    else if (letter === sign && !isQuoted) cells.push('');
    else cells[cells.length - 1] += letter;
  }
  return cells.map((cell) => cell.trim());
}

function validateCorrection({
  from,
  to,
}: {
  from: string;
  to: string;
}): AddressPair | CorrectionProblem {
  const verdict = validateEmail(to);
  return verdict.verdict === 'wrong' ? 'address-wrong' : { from, to: verdict.value };
}

/**
 * Problem of a line, null if it has none. Two lines with different new addresses for one person
 * cannot both be meant; 'repeated': the line equals an earlier line.
 */
function problemOf(
  { from, to }: AddressPair,
  seen: ReadonlyMap<string, string | null>,
): CorrectionProblem | 'repeated' | null {
  if (to !== null && folded(from) === folded(to)) return 'same-address';
  const before = seen.get(folded(from));
  if (before === undefined) return null;
  return before === to ? 'repeated' : 'said-before';
}

function distinctAddresses(addresses: readonly string[]): readonly string[] {
  const byFold = new Map<string, string>();
  for (const one of addresses) if (!byFold.has(folded(one))) byFold.set(folded(one), one);
  return [...byFold.values()];
}

/** Form for comparing names and addresses: ignores case and Unicode composition. */
export function folded(text: string): string {
  return text
    .replaceAll(EXCESS_COMBINING_MARKS, '')
    .normalize('NFKC')
    .trim()
    .replaceAll(/\s+/gu, ' ')
    .toLowerCase();
}

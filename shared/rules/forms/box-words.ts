import { parseBoolean } from './boolean-words.ts';
import { withoutExcessMarks } from '../text/long-marks.ts';

/** Pairs of a word for yes and a word for no in forms of one language. */
const YES_NO_PAIRS: readonly (readonly [yes: string, no: string])[] = [
  ['true', 'false'],
  ['yes', 'no'],
  ['y', 'n'],
  ['j', 'n'],
  ['ja', 'nej'],
  ['ja', 'nei'],
  ['ja', 'nein'],
  ['ja', 'nee'],
  ['sant', 'falskt'],
  ['si', 'no'],
  ['sí', 'no'],
  ['sì', 'no'],
  ['oui', 'non'],
  ['tak', 'nie'],
  ['kyllä', 'ei'],
  ['1', '0'],
  ['on', 'off'],
];
/** Marks in a box, which are not answers to the question next to it. */
const BOX_MARKS: ReadonlySet<string> = new Set(['x', '✓', '1', 'on', '0', '-', 'off']);
/**
 * Words for no in forms of other languages. A box with such a name is never ticked by a word for
 * yes.
 */
const FOREIGN_NO_WORDS: ReadonlySet<string> = new Set([
  ...['não', 'nao', 'ne', 'nem', 'nu', 'nē', 'nö', 'nä', 'niet', 'not', 'nicht', 'ikke', 'inte'],
  ...[
    'нет',
    'не',
    'ні',
    'όχι',
    'hayır',
    'hayir',
    'ez',
    'tidak',
    'không',
    'いいえ',
    '否',
    '不',
    '아니요',
  ],
]);
/** The first word of a name, followed by something other than a letter. */
const FIRST_WORD_PATTERN = /^(\p{L}[\p{L}\p{M}]+)[^\p{L}\p{M}]/u;
/** Maximum length of an option; a user would not write a longer one. */
const MAX_OPTION_LENGTH = 2000;

/** Effect of a word on one box; 'unclear' if it may tick or clear the box, null without effect. */
export type BoxEffect = 'tick' | 'clear' | 'unclear' | null;

/**
 * Effect of a word on the box whose on-state has this name, ignoring case. A box named "Nej" is
 * ticked by that answer and cleared by "Ja"; a box named "0" is numbered, so 0 and 1 mean nothing
 * for it. A box named "Nein1" or "Não" may mean no: words for yes and no are unclear for it. `true`
 * and `false` are the program's own values, and always mean the state of the box.
 */
export function boxEffect(name: string, word: string): BoxEffect {
  const own = foldOption(name);
  const said = foldOption(word);
  const byTruth = effectOf(parseBoolean(said));
  if (!meansNo(name)) {
    if (said === own && own !== '') return 'tick';
    return booleanAnswerIn(own) === false && byTruth !== null && !isMarkOrState(said)
      ? 'unclear'
      : byTruth;
  }
  if (said === 'true' || said === 'false') return byTruth;
  const isOpposite = YES_NO_PAIRS.some(([yes, no]) => yes === said && no === own);
  if (BOX_MARKS.has(own)) return said === own || isOpposite ? 'unclear' : byTruth;
  if (said === own) return 'tick';
  if (isOpposite) return 'clear';
  return byTruth === null || BOX_MARKS.has(said) ? byTruth : 'unclear';
}

/** Whether the name of a box is a word for no. */
function meansNo(name: string): boolean {
  const own = foldOption(name);
  return own !== '' && parseBoolean(own) === false;
}

/**
 * Answer in the first word of a name, as in "Nein1" and "No_2", where equal boxes are numbered, or
 * in another language, as in "Não"; null if it is not an answer.
 */
function booleanAnswerIn(own: string): boolean | null {
  const [, first = own] = FIRST_WORD_PATTERN.exec(own) ?? [];
  return FOREIGN_NO_WORDS.has(first) ? false : parseBoolean(first);
}

/** Whether a word does not depend on the box: a mark, or the state itself (`true`, `false`). */
const isMarkOrState = (said: string): boolean =>
  BOX_MARKS.has(said) || said === 'true' || said === 'false';

/** Whether the names of two boxes are opposite answers: "Ja" and "Nej". */
function isContradiction(one: string, other: string): boolean {
  const [a, b] = [foldOption(one), foldOption(other)];
  if (a === '' || b === '' || booleanAnswerIn(a) === null || booleanAnswerIn(b) === null)
    return false;
  return booleanAnswerIn(a) !== booleanAnswerIn(b);
}

/**
 * Index of the option that an answer means: the answer may be in another case. It may also be
 * another word for yes or no, if exactly one option means yes and exactly one means no. Null if
 * not certain.
 */
export function indexOfAnswer(options: readonly string[], word: string): number | null {
  if (word.length > MAX_OPTION_LENGTH) return null;
  const said = foldOption(word);
  const folded = options.map(foldOption);
  const same = indexesOfAnswer(folded, (one) => one === said);
  if (same.length > 0) return same.length === 1 ? (same[0] ?? null) : null;
  const truth = BOX_MARKS.has(said) ? null : parseBoolean(said);
  if (truth === null || said === '') return null;
  const [yes, no] = [true, false].map((wanted) =>
    indexesOfAnswer(folded, (one) => one !== '' && parseBoolean(one) === wanted),
  );
  if (yes?.length !== 1 || no?.length !== 1) return null;
  const [place = -1] = truth ? yes : no;
  const areAnswers = [...yes, ...no].every((at) => isAnswerWord(folded[at] ?? '', options.length));
  return areAnswers ? place : null;
}

/** Form for comparing options: composed, trimmed and in lower case. */
export function foldOption(text: string): string {
  return withoutExcessMarks(text).normalize('NFC').trim().toLowerCase();
}

/**
 * Whether an option can mean yes or no. A single letter can only if there are two options: among
 * N, E, S and W, it is a direction.
 */
function isAnswerWord(option: string, among: number): boolean {
  return !BOX_MARKS.has(option) && (option.length > 1 || among === 2);
}

function indexesOfAnswer(
  options: readonly string[],
  isWanted: (option: string) => boolean,
): readonly number[] {
  return [...options.keys()].filter((at) => isWanted(options[at] ?? ''));
}

function effectOf(truth: boolean | null): BoxEffect {
  if (truth === null) return null;
  return truth ? 'tick' : 'clear';
}

/** Box that is filled from a user's text, and the source of the text. */
export interface FilledBox {
  readonly field: string;
  /** Name of the box's on-state in the form. */
  readonly name: string;
  readonly source: string;
  readonly isTicked: boolean;
}

export interface Contradiction {
  readonly boxes: readonly [FilledBox, FilledBox];
  /** English message for the command line. */
  readonly message: string;
}

/**
 * Finds pairs of boxes, filled from one source, whose names contradict each other and that are both
 * ticked or both empty. One answer cannot be both "Ja" and "Nej".
 */
export function contradictions(boxes: readonly FilledBox[]): readonly Contradiction[] {
  const bySource = Map.groupBy(boxes, ({ source }) => source);
  return [...bySource.values()].flatMap((some) =>
    some.flatMap((one, at) =>
      some
        .slice(at + 1)
        .filter((other) => isContradiction(one.name, other.name) && one.isTicked === other.isTicked)
        .map((other) => ({ boxes: [one, other], message: contradictionMessage(one, other) })),
    ),
  );
}

function contradictionMessage(one: FilledBox, other: FilledBox): string {
  const what = one.isTicked ? 'tick' : 'clear';
  const named = `which mean "${one.name}" and "${other.name}". Enter one of these words`;
  return `One answer would ${what} both "${one.field}" and "${other.field}", ${named}`;
}

import { parseBoolean } from './boolean-words.ts';
import { withoutLongMarks } from '../text/long-marks.ts';

/** Pairs of a word for yes and the word for no that a form of the same language sets beside it. */
const PAIRS: readonly (readonly [yes: string, no: string])[] = [
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
/** Marks put into a box, and not answers to the question beside it. */
const MARKS: ReadonlySet<string> = new Set(['x', '✓', '1', 'on', '0', '-', 'off']);
/**
 * How forms in other languages than those of the service say no. What says no in a cell is known for
 * certain; a box that is called so is only not ticked by a word for yes.
 */
const OTHER_NO: ReadonlySet<string> = new Set([
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
/** The first word of a name, and that something other than a letter follows it. */
const FIRST_WORD = /^(\p{L}[\p{L}\p{M}]+)[^\p{L}\p{M}]/u;
/** Longer texts are no option that anyone chooses by its name. */
const MAX_OPTION = 2000;

/** What a word does to one box; 'unclear' where it could mean both, null where it says neither. */
export type BoxEffect = 'tick' | 'clear' | 'unclear' | null;

/**
 * What a word does to the box whose on-state has this name, whatever the case of either. A box that
 * is called "Nej" is ticked by that answer and cleared by "Ja"; a box called "0" has a number for a
 * name, so that 0 and 1 say nothing about it. A box called "Nein1" or "Não" may mean no: words for yes
 * and no are unclear there. `true` and `false` are how this program itself writes
 * what a box holds, and always mean it.
 */
export function boxEffect(name: string, word: string): BoxEffect {
  const own = foldOption(name);
  const said = foldOption(word);
  const byTruth = effectOf(parseBoolean(said));
  if (!standsForNo(name)) {
    if (said === own && own !== '') return 'tick';
    return answerIn(own) === false && byTruth !== null && !isPlain(said) ? 'unclear' : byTruth;
  }
  if (said === 'true' || said === 'false') return byTruth;
  const isOpposite = PAIRS.some(([yes, no]) => yes === said && no === own);
  if (MARKS.has(own)) return said === own || isOpposite ? 'unclear' : byTruth;
  if (said === own) return 'tick';
  if (isOpposite) return 'clear';
  return byTruth === null || MARKS.has(said) ? byTruth : 'unclear';
}

/** Whether a box is called by a word for no. */
function standsForNo(name: string): boolean {
  const own = foldOption(name);
  return own !== '' && parseBoolean(own) === false;
}

/**
 * What a name answers by its first word, as "Nein1" and "No_2" do where makers number equal boxes, or
 * in another language, as "Não" does; null where that is no answer.
 */
function answerIn(own: string): boolean | null {
  const [, first = own] = FIRST_WORD.exec(own) ?? [];
  return OTHER_NO.has(first) ? false : parseBoolean(first);
}

/** A mark is put into any box, and `true` and `false` say what the box holds. */
const isPlain = (said: string): boolean => MARKS.has(said) || said === 'true' || said === 'false';

/** Whether two boxes give opposite answers by their names: "Ja" and "Nej". */
function isContradiction(one: string, other: string): boolean {
  const [a, b] = [foldOption(one), foldOption(other)];
  if (a === '' || b === '' || answerIn(a) === null || answerIn(b) === null) return false;
  return answerIn(a) !== answerIn(b);
}

/**
 * The place of the option that an answer stands for where it is written in another way than the
 * option: in another case, or as another word for yes or no, where exactly one option means yes and
 * exactly one means no. Null where that is not certain.
 */
export function placeOfAnswer(options: readonly string[], word: string): number | null {
  if (word.length > MAX_OPTION) return null;
  const said = foldOption(word);
  const folded = options.map(foldOption);
  const same = placesOf(folded, (one) => one === said);
  if (same.length > 0) return same.length === 1 ? (same[0] ?? null) : null;
  const truth = MARKS.has(said) ? null : parseBoolean(said);
  if (truth === null || said === '') return null;
  const [yes, no] = [true, false].map((wanted) =>
    placesOf(folded, (one) => one !== '' && parseBoolean(one) === wanted),
  );
  if (yes?.length !== 1 || no?.length !== 1) return null;
  const [place = -1] = truth ? yes : no;
  const areAnswers = [...yes, ...no].every((at) => isAnswerWord(folded[at] ?? '', options.length));
  return areAnswers ? place : null;
}

/** For comparing options: composed, trimmed and in lower case. */
export function foldOption(text: string): string {
  return withoutLongMarks(text).normalize('NFC').trim().toLowerCase();
}

/** One letter is an answer only beside one other: N, E, S and W are directions. */
function isAnswerWord(option: string, among: number): boolean {
  return !MARKS.has(option) && (option.length > 1 || among === 2);
}

function placesOf(
  options: readonly string[],
  isWanted: (option: string) => boolean,
): readonly number[] {
  return [...options.keys()].filter((at) => isWanted(options[at] ?? ''));
}

function effectOf(truth: boolean | null): BoxEffect {
  if (truth === null) return null;
  return truth ? 'tick' : 'clear';
}

/** A box that a text of someone's filled in, and where the text came from. */
export interface FilledBox {
  readonly field: string;
  /** Its name in the form. */
  readonly name: string;
  readonly source: string;
  readonly isTicked: boolean;
}

export interface Contradiction {
  readonly boxes: readonly [FilledBox, FilledBox];
  /** English, for the command line. */
  readonly message: string;
}

/**
 * Of boxes that are filled from one source: pairs that contradict each other by their names and are
 * both ticked, or both left empty. One answer cannot be both "Ja" and "Nej".
 */
export function contradictions(boxes: readonly FilledBox[]): readonly Contradiction[] {
  const bySource = Map.groupBy(boxes, ({ source }) => source);
  return [...bySource.values()].flatMap((some) =>
    some.flatMap((one, at) =>
      some
        .slice(at + 1)
        .filter((other) => isContradiction(one.name, other.name) && one.isTicked === other.isTicked)
        .map((other) => ({ boxes: [one, other], message: sentenceOf(one, other) })),
    ),
  );
}

function sentenceOf(one: FilledBox, other: FilledBox): string {
  const what = one.isTicked ? 'tick' : 'clear';
  const named = `which mean "${one.name}" and "${other.name}". Enter one of these words`;
  return `One answer would ${what} both "${one.field}" and "${other.field}", ${named}`;
}

import type { PdfField } from '../../model/pdf-form.ts';
import { boxEffect, placeOfAnswer } from './box-words.ts';
import { asDrawn } from './drawn-format.ts';
import { truthWords } from './boolean-words.ts';
import { LONG_MARKS } from '../text/long-marks.ts';

/** What a person writes to empty a field on purpose; nothing at all leaves it as the PDF has it. */
export const BLANK_WORD = '<empty>';

/**
 * A field of this name in a template of the service takes the reference by which the program finds
 * again what it sent (API v2, "dynamicPdf"). It goes out although nobody writes anything into it.
 */
export const MARK_FIELD = 'desk_ref';

/** Options of a list that a message names; a longer one is cut. */
const MAX_LISTED = 20;
/** Two carriage returns stand before a line feed when a spreadsheet's own line end was escaped. */
const LINE_END = /\r{1,2}\n|\r/g;
/** How several options of one list are written, the first that fits all of them. */
const SEPARATORS = ['\n', ';', ','];

/** As far as a value is concerned; a service's own template knows no more of its fields. */
export type ValueField = Pick<
  PdfField,
  | 'type'
  | 'options'
  | 'exports'
  | 'maxLength'
  | 'editable'
  | 'multiple'
  | 'day'
  | 'number'
  | 'format'
  | 'password'
  | 'alphabet'
>;

export interface ValueProblem {
  readonly code: 'too-long' | 'not-offered' | 'signature-field' | 'password-field';
  /** English, for the command line; names what is offered. */
  readonly message: string;
  /** What the field takes instead, where that is a list. */
  readonly offered: readonly string[];
}

export interface FittedValue {
  /** Null: the field stays as the PDF has it, and is neither sent nor filled. Empty: it is emptied. */
  readonly value: string | boolean | null;
  readonly problem: ValueProblem | null;
}

/**
 * What a text does to a field, for a draft, a row of a batch, the command line, the PDF filled here
 * and the fields that the service fills. `field` is undefined where nobody knows the form. A value
 * that fits comes out of it again as it went in, but for the empty one.
 *
 * A checkbox takes any word for yes or no, and its own name for yes; a word that could mean both for
 * a box that is called "Nej" or "0" is refused. Boxes of one name with several on-states are a list
 * of these, as radio buttons are. A list takes what it shows or the export value behind that, in any
 * case, and a word for yes or no where one option of each kind answers so. It gives the export value,
 * which is what the PDF holds (PDF 1.7, 12.7.4.4); an editable one takes any text, and one with
 * several answers takes them on lines of their own or behind semicolons or commas. A field that was
 * drawn for a day or a number writes it as it was drawn for, and one with a simple script for that as
 * the script does. A password field takes no text.
 */
export function fitValue(field: ValueField | undefined, given: string | boolean): FittedValue {
  const text =
    typeof given === 'string'
      ? withPlainLineEnds(given).replaceAll(LONG_MARKS, '').normalize('NFC')
      : given;
  if (text === '') return { value: null, problem: null };
  if (typeof text === 'string' && isBlankWord(text)) return blanked(field);
  if (field === undefined) return { value: text, problem: null };
  switch (field.type) {
    case 'checkbox':
      return fitBox(field, text);
    case 'radio':
    case 'choice':
      return fitChoice(field, String(text));
    case 'text':
      return fitText(field, String(text));
    case 'signature':
    case 'button':
      return refused('signature-field', 'This field cannot contain text');
  }
}

/** How a value is kept where an empty text would mean that the field stays as it is. */
export function writtenValue<Value extends string | boolean>(value: Value): Value | string {
  return value === '' ? BLANK_WORD : value;
}

export function isBlankWord(text: string): boolean {
  return text.trim().toLowerCase() === BLANK_WORD;
}

/** One line feed between two lines, whatever the sheet or the form writes there. */
export function withPlainLineEnds(text: string): string {
  return text.includes('\r') ? text.replaceAll(LINE_END, '\n') : text;
}

/** The places in `options` that a text names; null when it names one that is not there. */
export function chosenOptions(
  { options = [], exports, multiple = false, editable = false }: ValueField,
  text: string,
): readonly number[] | null {
  const placeOf = (one: string) => {
    const shown = options.indexOf(one);
    return shown >= 0 ? shown : (exports?.indexOf(one) ?? -1);
  };
  for (const whole of [text, text.trim()]) {
    const place = placeOf(whole);
    if (place >= 0) return [place];
  }
  const likePlace = (one: string) => {
    // A text of one's own stays as it is written.
    if (editable) return null;
    return placeOfAnswer(options, one) ?? placeOfAnswer(exports ?? [], one);
  };
  const like = likePlace(text);
  if (like !== null) return [like];
  if (!multiple) return null;
  for (const separator of SEPARATORS) {
    const parts = text.split(separator).map((part) => part.trim());
    const places = parts
      .filter((part) => part !== '')
      .map((part) => (placeOf(part) >= 0 ? placeOf(part) : (likePlace(part) ?? -1)));
    if (places.length > 0 && places.every((place) => place >= 0)) return [...new Set(places)];
  }
  return null;
}

/** What a field takes instead of a word that it refused; empty where any text will do. */
export function offeredBy({
  type,
  options = [],
}: Pick<ValueField, 'type' | 'options'>): readonly string[] {
  if (type !== 'checkbox') return options;
  const isPlain = ['no', '0'].every((word) => boxEffect(options[0] ?? '', word) === 'clear');
  return isPlain ? ['yes', 'no'] : ['true', 'false'];
}

function blanked(field: ValueField | undefined): FittedValue {
  switch (field?.type) {
    case 'checkbox':
      return { value: false, problem: null };
    case 'signature':
    case 'button':
      return refused('signature-field', 'This field cannot contain text');
    default:
      return { value: '', problem: null };
  }
}

function fitBox(field: ValueField, given: string | boolean): FittedValue {
  if (typeof given === 'boolean') return { value: given, problem: null };
  const [name = ''] = field.options ?? [];
  const text = given.trim();
  if (text === '') return { value: null, problem: null };
  switch (boxEffect(name, text)) {
    case 'tick':
      return { value: true, problem: null };
    case 'clear':
      return { value: false, problem: null };
    case 'unclear': {
      const about = `"${text}" could mean both for this box, which is called "${name}"`;
      const message = `${about}: "true" ticks it, and "false" leaves it empty`;
      return refused('not-offered', message, offeredBy(field));
    }
    case null: {
      const yes = truthWords.yes.join(', ');
      const no = truthWords.no.filter((word) => word !== '').join(', ');
      const message = `A checkbox needs a word for yes (${yes}) or for no (${no})`;
      return refused('not-offered', message, [...(name === '' ? [] : [name]), ...offeredBy(field)]);
    }
  }
}

function fitChoice(field: ValueField, text: string): FittedValue {
  const { options = [], exports = options, editable = false } = field;
  const chosen = chosenOptions(field, text);
  if (chosen !== null) {
    const values = chosen.map((place) => exports[place] ?? '');
    const isListable = values.every((value) => !value.includes(','));
    return { value: values.join(isListable ? ', ' : '\n'), problem: null };
  }
  if (editable) return { value: text, problem: null };
  const listed = options.slice(0, MAX_LISTED).map((one) => `"${one}"`);
  const rest = options.length > listed.length ? ` and ${options.length - listed.length} more` : '';
  return refused('not-offered', `The field offers ${listed.join(', ')}${rest}`, options);
}

function fitText(field: ValueField, given: string): FittedValue {
  const { maxLength, alphabet, password } = field;
  if (password === true) {
    const message =
      'Everyone could read a password in the PDF, so the field is not filled. Leave it empty';
    return refused('password-field', message);
  }
  const text = asDrawn(field, given);
  const other = alphabet === undefined ? undefined : otherLetter(text, alphabet);
  if (other !== undefined) {
    const message = `The field has its own font (bar code, OCR or symbols), which does not have "${other}"`;
    return refused('not-offered', message);
  }
  if (maxLength === undefined || text.length <= maxLength) return { value: text, problem: null };
  return refused('too-long', `The field accepts at most ${maxLength} characters`);
}

const otherLetter = (text: string, alphabet: string): string | undefined =>
  [...text].find((letter) => letter !== '\n' && !alphabet.includes(letter));

function refused(
  code: ValueProblem['code'],
  message: string,
  offered: readonly string[] = [],
): FittedValue {
  return { value: null, problem: { code, message, offered: offered.slice(0, MAX_LISTED) } };
}

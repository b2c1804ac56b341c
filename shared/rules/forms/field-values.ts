import type { PdfField } from '../../model/pdf-form.ts';
import { boxEffect, indexOfAnswer } from './box-words.ts';
import { toDrawnText } from './drawn-format.ts';
import { booleanWords } from './boolean-words.ts';
import { EXCESS_COMBINING_MARKS } from '../text/long-marks.ts';

/** Text that empties a field on purpose; an empty text keeps the PDF's value. */
export const BLANK_WORD = '<empty>';

/**
 * A field with this name in a template of the service receives the reference that identifies the
 * sent agreement (API v2, "dynamicPdf"). It is sent even if the user leaves it empty.
 */
export const REFERENCE_FIELD = 'desk_ref';

/** Maximum number of options in a message; a longer list is cut. */
const MAX_LISTED_OPTIONS = 20;
/** Line break. If a spreadsheet's own was escaped, two carriage returns precede the line feed. */
const LINE_BREAK_PATTERN = /\r{1,2}\n|\r/g;
/** Separators between several options of one list; the first that fits all of them is used. */
const OPTION_SEPARATORS = ['\n', ';', ','];

/** Properties of a field that matter for its value; a service's template returns no others. */
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
  /** English message for the command line; names the accepted values. */
  readonly message: string;
  /** Accepted values; empty if the field has no list of them. */
  readonly offered: readonly string[];
}

export interface FittedValue {
  /**
   * Value to write. Null: the field keeps the PDF's value, and is neither sent nor filled. Empty:
   * the field is emptied.
   */
  readonly value: string | boolean | null;
  readonly problem: ValueProblem | null;
}

/**
 * Converts a text to the value of a field: for drafts, rows of a batch, the command line, PDFs that
 * this program fills, and fields that the service fills. `field` is undefined if the form is not
 * known. A valid value is returned unchanged when it is fitted again, except the empty one.
 *
 * A checkbox accepts any word for yes or no, and its own name for yes; an ambiguous word for a box
 * named "Nej" or "0" is rejected. Boxes with one name and several on-states are a list of these,
 * like radio buttons. A list accepts its shown words or their export values, in any case, and a
 * word for yes or no if exactly one option of each kind has that meaning. The result is the export
 * value, which the PDF stores (PDF 1.7, 12.7.4.4). An editable list accepts any text. A list with
 * several answers accepts them separated by line breaks, semicolons or commas. A field drawn for a
 * day or a number, or with a simple script for one, formats it. A password field accepts no text.
 */
export function fitValue(field: ValueField | undefined, given: string | boolean): FittedValue {
  const text =
    typeof given === 'string'
      ? withPlainLineEnds(given).replaceAll(EXCESS_COMBINING_MARKS, '').normalize('NFC')
      : given;
  if (text === '') return { value: null, problem: null };
  if (typeof text === 'string' && isBlankWord(text)) return blankValueFor(field);
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
      return rejectedValue('signature-field', 'This field cannot contain text');
  }
}

/** Stored form of a value: '' becomes `BLANK_WORD`, because '' would mean an unchanged field. */
export function toStoredValue<Value extends string | boolean>(value: Value): Value | string {
  return value === '' ? BLANK_WORD : value;
}

export function isBlankWord(text: string): boolean {
  return text.trim().toLowerCase() === BLANK_WORD;
}

/** Converts every line break of the spreadsheet or form to one line feed. */
export function withPlainLineEnds(text: string): string {
  return text.includes('\r') ? text.replaceAll(LINE_BREAK_PATTERN, '\n') : text;
}

/** Indexes of the options that a text names; null if it names an option that does not exist. */
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
    // Free text is kept as written.
    if (editable) return null;
    return indexOfAnswer(options, one) ?? indexOfAnswer(exports ?? [], one);
  };
  const like = likePlace(text);
  if (like !== null) return [like];
  if (!multiple) return null;
  for (const separator of OPTION_SEPARATORS) {
    const parts = text.split(separator).map((part) => part.trim());
    const places = parts
      .filter((part) => part !== '')
      .map((part) => (placeOf(part) >= 0 ? placeOf(part) : (likePlace(part) ?? -1)));
    if (places.length > 0 && places.every((place) => place >= 0)) return [...new Set(places)];
  }
  return null;
}

/** Accepted values of a field that rejected a word; empty if any text is accepted. */
export function offeredOptionsOf({
  type,
  options = [],
}: Pick<ValueField, 'type' | 'options'>): readonly string[] {
  if (type !== 'checkbox') return options;
  const isPlain = ['no', '0'].every((word) => boxEffect(options[0] ?? '', word) === 'clear');
  return isPlain ? ['yes', 'no'] : ['true', 'false'];
}

function blankValueFor(field: ValueField | undefined): FittedValue {
  switch (field?.type) {
    case 'checkbox':
      return { value: false, problem: null };
    case 'signature':
    case 'button':
      return rejectedValue('signature-field', 'This field cannot contain text');
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
      return rejectedValue('not-offered', message, offeredOptionsOf(field));
    }
    case null: {
      const yes = booleanWords.yes.join(', ');
      const no = booleanWords.no.filter((word) => word !== '').join(', ');
      const message = `A checkbox needs a word for yes (${yes}) or for no (${no})`;
      return rejectedValue('not-offered', message, [
        ...(name === '' ? [] : [name]),
        ...offeredOptionsOf(field),
      ]);
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
  const listed = options.slice(0, MAX_LISTED_OPTIONS).map((one) => `"${one}"`);
  const rest = options.length > listed.length ? ` and ${options.length - listed.length} more` : '';
  return rejectedValue('not-offered', `The field offers ${listed.join(', ')}${rest}`, options);
}

function fitText(field: ValueField, given: string): FittedValue {
  const { maxLength, alphabet, password } = field;
  if (password === true) {
    const message =
      'Everyone could read a password in the PDF, so the field is not filled. Leave it empty';
    return rejectedValue('password-field', message);
  }
  const text = toDrawnText(field, given);
  const other = alphabet === undefined ? undefined : firstForeignCharacter(text, alphabet);
  if (other !== undefined) {
    const message = `The field has its own font (bar code, OCR or symbols), which does not have "${other}"`;
    return rejectedValue('not-offered', message);
  }
  if (maxLength === undefined || text.length <= maxLength) return { value: text, problem: null };
  return rejectedValue('too-long', `The field accepts at most ${maxLength} characters`);
}

const firstForeignCharacter = (text: string, alphabet: string): string | undefined =>
  [...text].find((letter) => letter !== '\n' && !alphabet.includes(letter));

function rejectedValue(
  code: ValueProblem['code'],
  message: string,
  offered: readonly string[] = [],
): FittedValue {
  return { value: null, problem: { code, message, offered: offered.slice(0, MAX_LISTED_OPTIONS) } };
}

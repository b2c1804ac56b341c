/** Unicode scripts, with a free font for each. */
const SCRIPTS: readonly (readonly [name: string, pattern: RegExp, font: string])[] = [
  ['Latin', /\p{Script=Latin}/u, 'Noto Sans'],
  ['Greek', /\p{Script=Greek}/u, 'Noto Sans'],
  ['Cyrillic', /\p{Script=Cyrillic}/u, 'Noto Sans'],
  ['Han', /\p{Script=Han}/u, 'Noto Sans CJK'],
  ['Hiragana', /\p{Script=Hiragana}/u, 'Noto Sans CJK'],
  ['Katakana', /\p{Script=Katakana}/u, 'Noto Sans CJK'],
  ['Hangul', /\p{Script=Hangul}/u, 'Noto Sans CJK'],
  ['Bopomofo', /\p{Script=Bopomofo}/u, 'Noto Sans CJK'],
  ['Hebrew', /\p{Script=Hebrew}/u, 'Noto Sans Hebrew'],
  ['Arabic', /\p{Script=Arabic}/u, 'Noto Sans Arabic'],
  ['Syriac', /\p{Script=Syriac}/u, 'Noto Sans Syriac'],
  ['Thaana', /\p{Script=Thaana}/u, 'Noto Sans Thaana'],
  ['Nko', /\p{Script=Nko}/u, 'Noto Sans NKo'],
  ['Mongolian', /\p{Script=Mongolian}/u, 'Noto Sans Mongolian'],
  ['Devanagari', /\p{Script=Devanagari}/u, 'Noto Sans Devanagari'],
  ['Bengali', /\p{Script=Bengali}/u, 'Noto Sans Bengali'],
  ['Gurmukhi', /\p{Script=Gurmukhi}/u, 'Noto Sans Gurmukhi'],
  ['Gujarati', /\p{Script=Gujarati}/u, 'Noto Sans Gujarati'],
  ['Oriya', /\p{Script=Oriya}/u, 'Noto Sans Oriya'],
  ['Tamil', /\p{Script=Tamil}/u, 'Noto Sans Tamil'],
  ['Telugu', /\p{Script=Telugu}/u, 'Noto Sans Telugu'],
  ['Kannada', /\p{Script=Kannada}/u, 'Noto Sans Kannada'],
  ['Malayalam', /\p{Script=Malayalam}/u, 'Noto Sans Malayalam'],
  ['Sinhala', /\p{Script=Sinhala}/u, 'Noto Sans Sinhala'],
  ['Thai', /\p{Script=Thai}/u, 'Noto Sans Thai'],
  ['Lao', /\p{Script=Lao}/u, 'Noto Sans Lao'],
  ['Tibetan', /\p{Script=Tibetan}/u, 'Noto Serif Tibetan'],
  ['Myanmar', /\p{Script=Myanmar}/u, 'Noto Sans Myanmar'],
  ['Khmer', /\p{Script=Khmer}/u, 'Noto Sans Khmer'],
  ['Georgian', /\p{Script=Georgian}/u, 'Noto Sans Georgian'],
  ['Armenian', /\p{Script=Armenian}/u, 'Noto Sans Armenian'],
  ['Ethiopic', /\p{Script=Ethiopic}/u, 'Noto Sans Ethiopic'],
  ['Cherokee', /\p{Script=Cherokee}/u, 'Noto Sans Cherokee'],
];

/**
 * Scripts whose characters change with their neighbours: a font without rules for them draws them
 * wrongly.
 */
const JOINING_SCRIPTS = new Set([
  ...['Arabic', 'Syriac', 'Nko', 'Mongolian', 'Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati'],
  ...['Oriya', 'Tamil', 'Telugu', 'Kannada', 'Malayalam', 'Sinhala', 'Tibetan', 'Myanmar', 'Khmer'],
]);

/** Character that is shown as a picture, by default or because the emoji selector follows. */
const EMOJI = /\p{Emoji_Presentation}|\p{Emoji}\uFE0F/u;
const SYMBOL = /\p{Extended_Pictographic}|\p{S}|\p{P}/u;
/** Character that takes no space and needs no glyph: a joiner, a selector, or a direction mark. */
const INVISIBLE_CHARACTER = /\p{Default_Ignorable_Code_Point}/u;
const CONTROL = /\p{Cc}|\p{Cn}|\p{Co}|\p{Cs}/u;

/** Returns the name of a character's script; null for characters that several scripts share. */
export function scriptOf(text: string): string | null {
  return SCRIPTS.find(([, pattern]) => pattern.test(text))?.[0] ?? null;
}

export function isShapeChangingScript(script: string | null): boolean {
  return script !== null && JOINING_SCRIPTS.has(script);
}

export const isEmoji = (text: string): boolean => EMOJI.test(text);
export const isUnseen = (letter: string): boolean => INVISIBLE_CHARACTER.test(letter);

/**
 * Returns the name of a free font with the character; null if none is known, or if the character is
 * not displayed.
 */
export function fontNameFor(letter: string): string | null {
  if (CONTROL.test(letter)) return null;
  const script = SCRIPTS.find(([, pattern]) => pattern.test(letter));
  if (script !== undefined) return script[2];
  if (isEmoji(letter) || /\p{Extended_Pictographic}/u.test(letter)) return 'Noto Color Emoji';
  return SYMBOL.test(letter) ? 'Noto Sans Symbols 2' : null;
}

/*
 * A pseudo-language for tests, which is not shipped: every English text, 40 % longer, with accented
 * letters and in brackets. A displayed text without brackets is missing from the catalogue. A text
 * that is cut off in this language would be cut off in Finnish.
 */

const ACCENTED = new Map(
  [...'áƀćđéƒğĥíĵķłɱńóṕɋŕśţúṽŵẋýžÁɃĆĐÉƑĞĤÍĴĶŁṀŃÓṔɊŔŚŢÚṼŴẊÝŽ'].map((accented, at) => [
    'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'[at] ?? '',
    accented,
  ]),
);
/** Share of its length by which a text becomes longer; German and Finnish seldom need more. */
const LONGER = 0.4;
const FILL = 'łóńğéŕ ';
/** Parts of a text that stay unchanged: placeholders, and names that users type or read. */
const AS_IT_IS = /(\{\w+\}|<\w+>)/;

/** A text in this language; placeholders keep their names. */
export function pseudoText(text: string): string {
  const parts = text.split(AS_IT_IS);
  const own = parts.filter((_, at) => at % 2 === 0).join('');
  const fill = FILL.repeat(own.length)
    .slice(0, Math.ceil(own.length * LONGER))
    .trimEnd();
  const accented = parts.map((part, at) => (at % 2 === 0 ? accent(part) : part)).join('');
  return `«${accented}${fill === '' ? '' : ` ${fill}`}»`;
}

const accent = (text: string): string =>
  [...text].map((letter) => ACCENTED.get(letter) ?? letter).join('');

interface Variants {
  readonly match: Readonly<Record<string, string>>;
}
export type Catalogue = Readonly<Record<string, string | readonly Variants[]>>;

/** A catalogue in this language, with the placeholders and plural forms of its source. */
export function pseudoCatalogue(catalogue: Catalogue): Catalogue {
  return Object.fromEntries(
    Object.entries(catalogue).map(([key, text]) => [
      key,
      typeof text === 'string' ? textOf(key, text) : text.map((one) => variantsOf(key, one)),
    ]),
  );
}

const variantsOf = (key: string, variants: Variants): Variants => {
  const match = Object.entries(variants.match).map(([form, text]) => [form, textOf(key, text)]);
  return Object.assign({}, variants, { match: Object.fromEntries(match) });
};

/** Text of a key; the value of a key that starts with `$` is not a text. */
const textOf = (key: string, text: string): string =>
  key.startsWith('$') ? text : pseudoText(text);

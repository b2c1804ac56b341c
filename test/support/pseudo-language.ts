/*
 * A pseudo-language for tests, not shipped: every English text, 40 % longer, with accented letters
 * and in brackets. Displayed text without brackets is missing from the catalogue; text that is cut
 * here would be cut in Finnish.
 */

const ACCENTED = new Map(
  [...'áƀćđéƒğĥíĵķłɱńóṕɋŕśţúṽŵẋýžÁɃĆĐÉƑĞĤÍĴĶŁṀŃÓṔɊŔŚŢÚṼŴẊÝŽ'].map((accented, at) => [
    'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'[at] ?? '',
    accented,
  ]),
);
/** Added share of the length; German and Finnish seldom need more. */
const LONGER = 0.4;
const FILL = 'łóńğéŕ ';
/** Text that is filled in at display, or typed or read unchanged. */
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

/** A key that begins with `$` is not a text. */
const textOf = (key: string, text: string): string =>
  key.startsWith('$') ? text : pseudoText(text);

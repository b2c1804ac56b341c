/** Letters that Unicode does not take apart, though people type them without the stroke. */
const undivided: readonly (readonly [string, string])[] = [
  ['ø', 'o'],
  ['ł', 'l'],
  ['đ', 'd'],
  ['ð', 'd'],
  ['þ', 'th'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['ß', 'ss'],
  ['ı', 'i'],
];

/** The last letters of the Swedish alphabet as the three ASCII characters after `z`. */
const afterZ: readonly (readonly [string, string])[] = [
  ['å', '{'],
  ['ä', '|'],
  ['æ', '|'],
  ['ö', '}'],
  ['ø', '}'],
];

const replaceAll = (text: string, pairs: readonly (readonly [string, string])[]) =>
  pairs.reduce((changed, [from, to]) => changed.replaceAll(from, to), text);

/** Lower case without accents, so that `oberg` finds `Öberg` and `lodz` finds `Łódź`. */
export function foldText(text: string): string {
  const plain = text.toLowerCase().normalize('NFD').replaceAll(/\p{M}/gu, '');
  return replaceAll(plain, undivided);
}

/** Sorts by code point as a Swedish list does: without case and accents, å, ä and ö after z. */
export function titleKey(title: string): string {
  return foldText(replaceAll(title.toLowerCase().normalize('NFC'), afterZ));
}

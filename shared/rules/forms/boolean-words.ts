/** Words for yes and no, in the languages of the service's customers. */
const YES_WORDS = [
  'true',
  'yes',
  'y',
  'x',
  '1',
  'on',
  'ja',
  'j',
  'sant',
  'si',
  'sí',
  'sì',
  'oui',
  'tak',
  'kyllä',
  '✓',
];
const NO_WORDS = [
  'false',
  'no',
  'n',
  '0',
  'off',
  'nej',
  'nei',
  'nein',
  'nee',
  'falskt',
  'ei',
  'non',
  'nie',
  '',
  '-',
];

const valuesByWord: ReadonlyMap<string, boolean> = new Map([
  ...YES_WORDS.map((word) => [word, true] as const),
  ...NO_WORDS.map((word) => [word, false] as const),
]);

/** Value for a checkbox from a cell or an answer; null for a word that means neither yes nor no. */
export function parseBoolean(text: string): boolean | null {
  return valuesByWord.get(text.trim().toLowerCase()) ?? null;
}

/** All words for yes and no, to show the user how cells are read. */
export const booleanWords: { readonly yes: readonly string[]; readonly no: readonly string[] } = {
  yes: YES_WORDS,
  no: NO_WORDS,
};

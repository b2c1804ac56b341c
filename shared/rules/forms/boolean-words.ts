/** Words for yes and no, in the languages of the service's customers. */
const YES = [
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
const NO = [
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

const words: ReadonlyMap<string, boolean> = new Map([
  ...YES.map((word) => [word, true] as const),
  ...NO.map((word) => [word, false] as const),
]);

/** Value for a checkbox from a cell or an answer; null for a word that means neither yes nor no. */
export function parseBoolean(text: string): boolean | null {
  return words.get(text.trim().toLowerCase()) ?? null;
}

/** All words for yes and no, to show the user how cells are read. */
export const booleanWords: { readonly yes: readonly string[]; readonly no: readonly string[] } = {
  yes: YES,
  no: NO,
};

/** Folds each character separately, so that positions match the text: a finds å and A. */
export function foldCharacters(text: string): string {
  return [...text]
    .map((letter) => {
      const [base = letter] = letter.normalize('NFD').toLowerCase();
      return base.length === letter.length ? base : letter;
    })
    .join('');
}

/** Folded words of a search; empty if it has none. */
export const foldedWords = (query: string): readonly string[] =>
  foldCharacters(query)
    .split(/\s+/)
    .filter((word) => word !== '');

/** Whether the text contains every word, in any case and with or without accents. */
export function hasWords(text: string, words: readonly string[]): boolean {
  const folded = foldCharacters(text);
  return words.every((word) => folded.includes(word));
}

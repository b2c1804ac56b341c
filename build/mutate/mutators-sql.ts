const SQL_PATTERN = /\b(?:SELECT|INSERT|UPDATE|DELETE|WHERE|ORDER BY)\b/;

const SQL_REPLACEMENTS: readonly (readonly [RegExp, string])[] = [
  [/(?<= )AND(?= )/g, 'OR'],
  [/(?<= )OR(?= (?!IGNORE|REPLACE|ABORT))/g, 'AND'],
  [/(?<= )=(?= )/g, '<>'],
  [/(?<= )<>(?= )/g, '='],
  [/(?<= )<(?= )/g, '<='],
  [/(?<= )<=(?= )/g, '<'],
  [/(?<= )>(?= )/g, '>='],
  [/(?<= )>=(?= )/g, '>'],
  [/\bIS NULL\b/g, 'IS NOT NULL'],
  [/\bIS NOT NULL\b/g, 'IS NULL'],
  [/\bNOT EXISTS\b/g, 'EXISTS'],
  [/(?<= )DESC\b/g, 'ASC'],
  [/(?<= )\+(?= )/g, '-'],
];

/**
 * Returns the changes inside an SQL statement that begins at `start`; an empty list for any other
 * text.
 */
export function sqlChanges(
  text: string,
  start: number,
): { readonly start: number; readonly end: number; readonly replacement: string }[] {
  if (!SQL_PATTERN.test(text)) return [];
  return SQL_REPLACEMENTS.flatMap(([word, replacement]) =>
    [...text.matchAll(word)].map((match) => ({
      start: start + match.index,
      end: start + match.index + match[0].length,
      replacement,
    })),
  );
}

/** Words that a text needs although the check objects to them: by key, the words and the reason. */
export const ALLOWED: Readonly<Record<string, readonly [words: string, reason: string]>> = {};

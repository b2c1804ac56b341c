/** Words that a text needs although the check objects to them: by key, the words and the reason. */
export const ALLOWED: Readonly<Record<string, readonly [words: string, reason: string]>> = {
  archive_rules_closed: ['desk', 'the name of the command'],
  notice_none: ['None', 'one of three choices, after the name of the group'],
};

/** Words that a text needs although the check objects to them: by key, the words and the reason. */
export const ALLOWED: Readonly<Record<string, readonly [words: string, reason: string]>> = {
  archive_rule_last_elsewhere: ['seat', 'the name of a placeholder'],
  archive_rules_closed: ['desk', 'the name of the command'],
  connection_secret_hint: ['credential', 'the credential store of the operating system'],
};

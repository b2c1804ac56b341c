/** Words that a text needs although the check objects to them: by key, the words and the reason. */
export const ALLOWED: Readonly<Record<string, readonly [words: string, reason: string]>> = {
  archive_rule_last_elsewhere: ['seat', 'the name of a placeholder'],
  archive_rules_closed: ['desk', 'the name of the command'],
  connection_secret_hint: ['credential', 'the credential store of the operating system'],
  draft_sent_elsewhere: ['id', 'the name of a placeholder, which nobody reads'],
  evidence_note_missing: ['credential', 'the credential store of the operating system'],
  failure_vault: ['credential', 'the credential store of the operating system'],
  fields_template: ['id', 'the name of a placeholder, which nobody reads'],
  filter_token_template: ['id', 'the name of a placeholder, which nobody reads'],
  notice_none: ['None', 'one of three choices, after the name of the group'],
  notification_template: ['id', 'the name of a placeholder, which nobody reads'],
  outbox_gate_keychain: ['credential', 'the store of the computer has this name in every text'],
};

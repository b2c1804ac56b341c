import { SheetEncoding } from '../../../../shared/contract/sheets.ts';
import type { ErrorReason } from '../../../../shared/errors.ts';

const BACKUP =
  'backup look FILE shows what a backup holds; backup restore FILE --into FOLDER saves it.';
const ANEW = 'backup set-aside moves the data away as it is, and the program begins anew.';
const DAMAGED = `backup recover says what can be read of it, and saves that. ${BACKUP} ${ANEW}`;
const LOST_KEY = `Put back a copy of the key, if there is one. Else ${BACKUP} ${ANEW}`;
const KEYFILE =
  'For unattended runs: signing-desk vault create-keyfile PATH, then SIGNING_DESK_VAULT=keyfile:PATH.';

/** What a person at a terminal can do next, where the message does not say it itself. */
export const nextSteps: Readonly<Partial<Record<ErrorReason, string>>> = {
  'vault-no-session': `No credential store runs here. ${KEYFILE}`,
  'vault-locked': `Nothing is lost: unlock the credential store, and try again. ${KEYFILE}`,
  'vault-dismissed': 'Try again, and unlock the credential store when it asks.',
  'vault-entry-missing': `The key of this data is gone: name the store or key file it was made with. ${LOST_KEY}`,
  'vault-wrong-key': LOST_KEY,
  'vault-changed': `Name the store or key file that the data was made with; under a passphrase it opens in the window. Nobody can find a forgotten one: ${BACKUP} ${ANEW}`,
  'data-wrong-key': `${LOST_KEY} If the file itself is damaged: backup recover.`,
  'keyfile-mode': 'Nobody else may be able to read it: chmod 600 PATH.',
  'credential-refused': 'Check the credential; connections replace-secret NAME stores a new one.',
  'connection-refused': 'Check the address, and whether the service is up.',
  'host-unknown': 'Check the address, and whether this computer is online.',
  'outcome-unknown': 'Run: signing-desk sync; then outbox show REF, and settle it if need be.',
  'name-taken': 'Choose another name, or remove the other one first.',
  'replaced-sent': 'outbox settle REF --as resend sends this one too; outbox cancel takes it back.',
  'replaced-unproved':
    'Look for it on the website of the service. outbox settle REF --as resend sends this one; outbox cancel takes it back.',
  'time-missed': 'outbox settle REF --as resend sends it now; outbox cancel takes it back.',
  'sent-before': 'Look at it with drafts check; --again sends it once more.',
  stranger: 'connections allow NAME says whom the connection reaches.',
  'recipients-unknown':
    'Do it on the website of the service; or connections allow NAME says whom the connection reaches.',
  'not-set-up': 'signing-desk backup phrase makes one; backup setup --to FOLDER reads it.',
  'no-office': 'office join FILE joins one with an invitation; office create makes one.',
  'office-refused':
    'Check the password of the database. A member who was removed needs a new invitation: office join FILE.',
  'phrase-wrong': 'Twelve words of the list, in their order; backup check FILE tries them.',
  'phrase-other': 'Another backup may open with it: backup check FILE tries one.',
  'key-wrong': 'Take the key file whose public key backup plan showed when it was made.',
  'backup-damaged': 'Try the one before it: backup list, and backup check FILE for each.',
  'folder-has-data': 'Name an empty folder with --into, and use it with --data.',
  'not-confirmed':
    'backup confirm shows the addresses; backup confirm NAME lets the data go to one.',
  'data-restored':
    'backup status shows the folder of the backups and the keys that open them; backup on lets them go on.',
  'desk-at-rest':
    'backup status says how many sends wait; backup wake --confirm COUNT ends the rest.',
  'data-damaged': DAMAGED,
  'data-foreign': DAMAGED,
  'unsettled-elsewhere':
    'office allow AGREEMENT shows who began it, and lets it be done once more.',
  'connection-paused': 'The window resumes it, in the outbox: everything goes that waits there.',
  'service-clock-differs': 'Set the clock; what waits then goes by itself.',
  'sheet-text': `--encoding NAME reads it in another way: ${SheetEncoding.options.join(', ')}.`,
  'desk-busy': 'Try again once the other window or command is done.',
};

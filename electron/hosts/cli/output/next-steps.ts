import type { ErrorReason } from '../../../../shared/errors.ts';
import { SHEET_ENCODINGS } from '../../../../shared/model/sheet-encodings.ts';

const RESTORE_BACKUP_STEP =
  'backup inspect FILE lists the contents of a backup; backup restore FILE --into FOLDER restores it.';
const START_ANEW_STEP =
  'backup set-aside moves the data away unchanged, and the program starts empty.';
const DAMAGED_DATA_STEP = `backup recover lists the readable data, and saves it. ${RESTORE_BACKUP_STEP} ${START_ANEW_STEP}`;
const LOST_KEY_STEP = `If you have a copy of the key, restore it. Otherwise: ${RESTORE_BACKUP_STEP} ${START_ANEW_STEP}`;
const KEYFILE_STEP =
  'For unattended runs: signing-desk vault create-keyfile PATH, then SIGNING_DESK_VAULT=keyfile:PATH.';

/** Next steps at a terminal, for reasons whose messages do not contain one. */
export const nextSteps: Readonly<Partial<Record<ErrorReason, string>>> = {
  'vault-no-session': `No credential store is running here. ${KEYFILE_STEP}`,
  'vault-locked': `Your data is safe: unlock the credential store, and try again. ${KEYFILE_STEP}`,
  'vault-dismissed': 'Try again, and unlock the credential store when it asks.',
  'vault-entry-missing': `The key of this data is missing: name the store or key file that the data was created with. ${LOST_KEY_STEP}`,
  'vault-wrong-key': LOST_KEY_STEP,
  'vault-changed': `Name the store or key file that the data was created with. Data with a passphrase opens in the window. A forgotten passphrase cannot be recovered: ${RESTORE_BACKUP_STEP} ${START_ANEW_STEP}`,
  'data-wrong-key': `${LOST_KEY_STEP} If the file itself is damaged: backup recover.`,
  'keyfile-mode': 'Only you may be able to read the key file: chmod 600 PATH.',
  'credential-refused': 'Check the API key; connections replace-secret NAME stores a new one.',
  'connection-refused': 'Check the address, and whether the service is running.',
  'host-unknown': 'Check the address, and whether this computer is online.',
  'outcome-unknown':
    'Run signing-desk sync, then outbox show REF. If it is still unknown: outbox settle REF --as DECISION.',
  'name-taken': 'Choose another name, or remove the other one first.',
  'replaced-sent':
    'outbox settle REF --as resend sends this one too; outbox cancel REF returns it to the drafts.',
  'replaced-unproved':
    'Look for it on the website of the service. outbox settle REF --as resend sends this one; outbox cancel REF returns it to the drafts.',
  'time-missed':
    'outbox settle REF --as resend sends it now; outbox cancel REF returns it to the drafts.',
  'sent-before': 'Check it with drafts check; --again sends it once more.',
  stranger: 'connections allow NAME sets which recipients the connection may reach.',
  'recipients-unknown':
    'Do it on the website of the service, or set the allowed recipients: connections allow NAME.',
  'not-set-up':
    'signing-desk backup phrase creates a recovery phrase; backup setup --to FOLDER reads it.',
  'no-office': 'office join FILE joins an office with an invitation; office create creates one.',
  'office-refused':
    'Check the password of the database. A member who was removed needs a new invitation: office join FILE.',
  'phrase-wrong': 'Type the twelve words in their order; backup check FILE tests them.',
  'phrase-other': 'The phrase may open another backup: backup check FILE tests one.',
  'key-wrong': 'Use the key file whose public key backup plan showed when the backup was made.',
  'backup-damaged': 'Try an earlier backup: backup list, and backup check FILE for each.',
  'folder-has-data': 'Name an empty folder with --into, and use it with --data.',
  'not-confirmed': 'backup confirm lists the addresses; backup confirm NAME allows one of them.',
  'data-restored':
    'backup status shows the folder of the backups and the keys that open them; backup on turns backups on again.',
  'desk-at-rest':
    'backup status shows how many sends wait; backup reactivate --confirm COUNT reactivates this computer.',
  'data-damaged': DAMAGED_DATA_STEP,
  'data-foreign': DAMAGED_DATA_STEP,
  'unsettled-elsewhere':
    'office allow AGREEMENT shows who started it, and allows you to do it again.',
  'connection-paused': 'Resume it in the outbox of the window, which then sends all waiting sends.',
  'service-clock-differs': 'Set the clock; waiting sends are then sent automatically.',
  'sheet-text': `--encoding NAME reads it with another encoding: ${SHEET_ENCODINGS.join(', ')}.`,
  'desk-busy': 'Try again when the other window or command has finished.',
};

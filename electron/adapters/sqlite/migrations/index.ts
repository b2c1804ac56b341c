import type { Migration } from '../database/migrate.ts';
import { start } from './0001-start.ts';
import { actions } from './0002-actions.ts';
import { outboxFiles } from './0003-outbox-files.ts';
import { fillSearch, search } from './0004-search.ts';
import { sync } from './0005-sync.ts';
import { drafts } from './0006-drafts.ts';
import { templates } from './0007-templates.ts';
import { outbox } from './0008-outbox.ts';
import { batches } from './0009-batches.ts';
import { evidence } from './0010-evidence.ts';
import { archive } from './0011-archive.ts';
import { archiveChecks } from './0012-archive-checks.ts';
import { leanCopies } from './0013-lean-copies.ts';
import { witness } from './0014-witness.ts';
import { replacedRows } from './0015-replaced-rows.ts';
import { reminders } from './0016-reminders.ts';
import { addressBook, fillAddressBook } from './0017-address-book.ts';
import { digest } from './0018-digest.ts';
import { allowed } from './0019-allowed.ts';
import { columns } from './0020-columns.ts';
import { intake } from './0021-intake.ts';
import { backup } from './0022-backup.ts';
import { sentElsewhere } from './0023-sent-elsewhere.ts';
import { office } from './0024-office.ts';
import { sharedItems } from './0025-shared-items.ts';
import { officeReminders } from './0026-office-reminders.ts';
import { officeDrafts } from './0027-office-drafts.ts';
import { officeAsked } from './0028-office-asked.ts';
import { forgottenPeople } from './0029-forgotten-people.ts';
import { putBack } from './0030-put-back.ts';
import { onceNames } from './0031-once-names.ts';
import { metDesks } from './0032-met-desks.ts';
import { draftOrigins } from './0033-draft-origins.ts';
import { chosenTimes } from './0034-chosen-times.ts';
import { forgottenForGood } from './0035-forgotten-for-good.ts';
import { toldOffice } from './0036-told-office.ts';
import { seenClaims } from './0037-seen-claims.ts';
import { removedForGood } from './0038-removed-for-good.ts';
import { archiveLists } from './0039-archive-lists.ts';
import { answeredProblems } from './0040-answered-problems.ts';
import { unsavedForms } from './0041-unsaved-forms.ts';

/**
 * In order. A shipped migration is never edited; a change is a new file and a new row here, with its
 * hash in `hashes.txt` and a data file of its version (see `test/fixtures/old-data`).
 */
export const migrations: readonly Migration[] = [
  { version: 1, name: 'start', sql: start },
  { version: 2, name: 'actions', sql: actions },
  { version: 3, name: 'outbox-files', sql: outboxFiles },
  { version: 4, name: 'search', sql: search, fill: fillSearch },
  { version: 5, name: 'sync', sql: sync },
  { version: 6, name: 'drafts', sql: drafts },
  { version: 7, name: 'templates', sql: templates },
  { version: 8, name: 'outbox', sql: outbox },
  { version: 9, name: 'batches', sql: batches },
  { version: 10, name: 'evidence', sql: evidence },
  { version: 11, name: 'archive', sql: archive },
  { version: 12, name: 'archive-checks', sql: archiveChecks },
  { version: 13, name: 'lean-copies', sql: leanCopies },
  { version: 14, name: 'witness', sql: witness },
  { version: 15, name: 'replaced-rows', sql: replacedRows },
  { version: 16, name: 'reminders', sql: reminders },
  { version: 17, name: 'address-book', sql: addressBook, fill: fillAddressBook },
  { version: 18, name: 'digest', sql: digest },
  { version: 19, name: 'allowed', sql: allowed },
  { version: 20, name: 'columns', sql: columns },
  { version: 21, name: 'intake', sql: intake },
  { version: 22, name: 'backup', sql: backup },
  { version: 23, name: 'sent-elsewhere', sql: sentElsewhere },
  { version: 24, name: 'office', sql: office },
  { version: 25, name: 'shared-items', sql: sharedItems },
  { version: 26, name: 'office-reminders', sql: officeReminders },
  { version: 27, name: 'office-drafts', sql: officeDrafts },
  { version: 28, name: 'office-asked', sql: officeAsked },
  { version: 29, name: 'forgotten-people', sql: forgottenPeople },
  { version: 30, name: 'put-back', sql: putBack },
  { version: 31, name: 'once-names', sql: onceNames },
  { version: 32, name: 'met-desks', sql: metDesks },
  { version: 33, name: 'draft-origins', sql: draftOrigins },
  { version: 34, name: 'chosen-times', sql: chosenTimes },
  { version: 35, name: 'forgotten-for-good', sql: forgottenForGood },
  { version: 36, name: 'told-office', sql: toldOffice },
  { version: 37, name: 'seen-claims', sql: seenClaims },
  { version: 38, name: 'removed-for-good', sql: removedForGood },
  { version: 39, name: 'archive-lists', sql: archiveLists },
  { version: 40, name: 'answered-problems', sql: answeredProblems },
  { version: 41, name: 'unsaved-forms', sql: unsavedForms },
];

import type { BackupFrequency } from '../../../shared/contract/backup.ts';
import type { Statement } from '../evidence/ports.ts';
import type { StoredBackup } from './ports.ts';

const PHRASE_WORD_COUNT = 12;
const weekdayNames = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

/**
 * Returns a page on which the user writes the recovery phrase by hand: no file of the program ever
 * contains the phrase.
 */
export function backupPage({ desk, plan, setUpAt }: StoredBackup, now: number): Statement {
  const opens =
    plan.administrator === null
      ? 'the recovery phrase only'
      : `the recovery phrase, or the key file of ${plan.administrator}`;
  return {
    title: 'Recovery phrase of Signing Desk',
    lead: [
      `Printed ${utc(now)}. Write the twelve words below by hand, in their order. Keep this page away from the computer. Anyone who has the words and a backup can read everything in it.`,
      'Lost words cannot be recovered, neither by the office nor by the program. To replace a lost phrase, set up backups again. Older backups still need the old phrase.',
    ],
    parts: [
      {
        heading: 'The twelve words',
        rows: Array.from(
          { length: PHRASE_WORD_COUNT },
          (_, at) => [String(at + 1), '_'.repeat(32)] as const,
        ),
      },
      {
        heading: 'The backups',
        rows: [
          ['Names begin with', `signing-desk-${desk}`],
          ['Folder', plan.folder],
          ['Made', whenText(plan.when)],
          ['Kept', String(plan.keep)],
          ['Opened by', opens],
          ['Set up', utc(setUpAt)],
        ],
      },
      {
        heading: 'What a backup contains',
        rows: [
          ['Included', INCLUDED_ITEMS.join('; ')],
          ['Not included', excludedItems(plan.withCredentials).join('; ')],
        ],
      },
      {
        heading: 'To restore a backup',
        rows: [
          ['1', 'Install Signing Desk on a computer.'],
          ['2', 'signing-desk backup check FILE checks that the backup is complete.'],
          ['3', 'signing-desk backup restore FILE --into FOLDER restores it.'],
          ['4', 'Decide about sends with an unknown outcome, and turn paused rules on again.'],
          ['Without Signing Desk', 'tar and age open the file. A README in it explains how.'],
        ],
      },
    ],
  };
}

const INCLUDED_ITEMS = [
  'connections and settings',
  'drafts with their files, including those in the trash',
  'templates, the address book, people who sign',
  'batches with their results, the outbox and its journal',
  'the copies of the agreements',
  'the evidence',
  'the archive’s records of which PDF was saved where',
];

function excludedItems(withCredentials: boolean): readonly string[] {
  return [
    ...(withCredentials ? [] : ['API keys: enter them again after a restore']),
    'the signed PDFs: they are in the folders of the archive',
    'the demo profile and the log of the program',
  ];
}

function whenText(when: BackupFrequency): string {
  switch (when.kind) {
    case 'by-hand':
      return 'by hand';
    case 'daily':
      return `every day at ${when.at}`;
    case 'weekly':
      return `every ${weekdayNames[when.day - 1]} at ${when.at}`;
  }
}

const utc = (at: number): string =>
  `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;

import type { BackupWhen } from '../../../shared/contract/backup.ts';
import type { Statement } from '../evidence/ports.ts';
import type { StoredBackup } from './ports.ts';

const WORDS = 12;
const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

/** A page to write the phrase on by hand: no file of ours ever holds it. */
export function backupPage({ desk, plan, setUpAt }: StoredBackup, now: number): Statement {
  const opens =
    plan.administrator === null
      ? 'the recovery phrase alone'
      : `the recovery phrase, or the key file of ${plan.administrator}`;
  return {
    title: 'Recovery phrase of Signing Desk',
    lead: [
      `Printed ${utc(now)}. Write the twelve words below by hand, in their order, and keep this page where the computer is not. Whoever has the words and a backup has all that is in it.`,
      'Nobody can make the words anew: not the office, and not the program. A lost phrase is replaced by setting backups up again; older backups still need the old one.',
    ],
    parts: [
      {
        heading: 'The twelve words',
        rows: Array.from({ length: WORDS }, (_, at) => [String(at + 1), '_'.repeat(32)] as const),
      },
      {
        heading: 'The backups',
        rows: [
          ['Names begin with', `signing-desk-${desk}`],
          ['Folder', plan.folder],
          ['Made', whenText(plan.when)],
          ['Kept', String(plan.keep)],
          ['Opens with', opens],
          ['Set up', utc(setUpAt)],
        ],
      },
      {
        heading: 'What a backup holds',
        rows: [
          ['In it', IN_IT.join('; ')],
          ['Not in it', notInIt(plan.withCredentials).join('; ')],
        ],
      },
      {
        heading: 'To restore one',
        rows: [
          ['1', 'Install Signing Desk on a computer.'],
          ['2', 'signing-desk backup check FILE tells whether it is whole.'],
          ['3', 'signing-desk backup restore FILE --into FOLDER takes it back.'],
          ['4', 'Look through what asks: sends of unknown outcome, and rules that wait.'],
          ['Without it', 'tar and age open the file; a README in it says how.'],
        ],
      },
    ],
  };
}

const IN_IT = [
  'connections and settings',
  'drafts with their files, also those in the trash',
  'templates, the address book, persons who sign',
  'batches with their results, the outbox and its journal',
  'the copy of the agreements',
  'the evidence',
  'the archive’s book: which PDF was saved where',
];

function notInIt(withCredentials: boolean): readonly string[] {
  return [
    ...(withCredentials ? [] : ['tokens and access keys: they are typed again']),
    'the signed PDFs: they lie in the archive’s own folders',
    'the demo profile and the log of the program',
  ];
}

function whenText(when: BackupWhen): string {
  switch (when.kind) {
    case 'by-hand':
      return 'by hand';
    case 'daily':
      return `every day at ${when.at}`;
    case 'weekly':
      return `every ${days[when.day - 1]} at ${when.at}`;
  }
}

const utc = (at: number): string =>
  `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;

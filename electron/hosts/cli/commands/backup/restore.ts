import path from 'node:path';
import type { Command } from 'commander';
import type { BackupContents } from '../../../../../shared/contract/backup.ts';
import { AppError } from '../../../../../shared/errors.ts';
import { type Answer, answer } from '../../output/answer.ts';
import { exits } from '../../output/exit-codes.ts';
import { count, plain, table } from '../../output/text.ts';
import { toShownTime } from '../../input/times.ts';
import { type AddCommands, example } from '../../session/group.ts';
import type { Session } from '../../session/session.ts';
import { followReading } from './reading.ts';
import { type OpeningOptions, readOpeningSecret } from './secret.ts';
import { manifestText, locationsText } from './words.ts';

const OPENING_PROGRESS_TITLE = 'Opening the backup, MiB';

async function checkBackup(
  session: Session,
  file: string,
  options: OpeningOptions,
): Promise<Answer> {
  const secret = await readOpeningSecret(session, options);
  const checked = await followReading(session, OPENING_PROGRESS_TITLE, (reading) =>
    session.api['backup.check']({ reading, file: path.resolve(file), secret }),
  );
  const text = `The backup opens and is complete.\n${manifestText(checked.manifest)}\n${locationsText(checked.reaches)}`;
  return answer(checked, text);
}

interface InspectOptions extends OpeningOptions {
  readonly draft?: string;
  readonly files?: string;
  readonly evidence?: string;
}

/**
 * `backup inspect`: shows the contents of a backup, restored into a temporary copy that is removed
 * afterwards.
 */
async function readBackupContents(
  session: Session,
  file: string,
  options: InspectOptions,
): Promise<Answer> {
  const { draft, files, evidence } = options;
  if ((draft === undefined) !== (files === undefined)) {
    throw new AppError('invalid', 'Add both --draft and --files to save the files of a draft');
  }
  const secret = await readOpeningSecret(session, options);
  const seen = await followReading(session, OPENING_PROGRESS_TITLE, (reading) =>
    session.api['backup.look']({ reading, file: path.resolve(file), secret }),
  );
  try {
    const written = [
      ...(draft === undefined || files === undefined
        ? []
        : await saveFiles(session, seen, draft, path.resolve(files))),
      ...(evidence === undefined ? [] : [await saveEvidence(session, seen, evidence)]),
    ];
    return backupContentsAnswer(seen, written);
  } finally {
    await session.api['backup.endLook']({ id: seen.id });
  }
}

function backupContentsAnswer(
  { manifest, reaches, drafts }: BackupContents,
  written: readonly string[],
): Answer {
  const rows = drafts.map(({ id, title, changedAt, files }) => [
    ...[id, toShownTime(changedAt), title],
    files.map(({ name }) => name).join(', '),
  ]);
  const text = [
    manifestText(manifest),
    locationsText(reaches),
    table(['DRAFT', 'CHANGED', 'TITLE', 'FILES'], rows, 'The backup has no drafts.'),
    ...written.map((file) => `Wrote ${plain(file)}`),
  ].join('\n');
  return answer({ manifest, reaches, drafts, written }, text);
}

async function saveFiles(
  { api }: Session,
  { id, drafts }: BackupContents,
  draft: string,
  folder: string,
): Promise<string[]> {
  const found = drafts.find((one) => one.id === draft);
  if (found === undefined) throw new AppError('not-found', `The backup has no draft ${draft}`);
  const written: string[] = [];
  for (const file of found.files) {
    const what = { id, draftId: found.id, fileId: file.id, folder };
    const saved = await api['backup.saveFile'](what);
    written.push(saved.file);
  }
  return written;
}

async function saveEvidence({ api }: Session, { id }: BackupContents, to: string): Promise<string> {
  const { file } = await api['backup.saveEvidence']({ id, to: path.resolve(to) });
  return file;
}

interface RestoreOptions extends OpeningOptions {
  readonly into: string;
}

/**
 * `backup restore`: restores a backup. Work that waits in the restored data needs a confirmation
 * before it continues.
 */
async function restoreFromBackup(
  session: Session,
  file: string,
  { into, ...options }: RestoreOptions,
): Promise<Answer> {
  const secret = await readOpeningSecret(session, options);
  const restored = await followReading(session, OPENING_PROGRESS_TITLE, (reading) =>
    session.api['backup.restore']({
      reading,
      file: path.resolve(file),
      secret,
      folder: path.resolve(into),
    }),
  );
  const { folder, manifest, doubtful, pausedRules, withCredentials } = restored;
  const { missingEvidence, reaches } = restored;
  const waiting = reaches.filter(({ kind }) => kind === 'connection' || kind === 'office');
  const lines = [
    `Restored the data of ${toShownTime(manifest.madeAt)} into ${plain(folder)}.`,
    `${count(doubtful, 'send')} with an unknown outcome: outbox run checks the service for them.`,
    `${count(pausedRules, 'rule')} paused: archive schedule list, reminders rules list, backup status.`,
    missingEvidence === 0
      ? 'The restore is recorded in the evidence.'
      : `The restore is recorded in the evidence, without ${count(missingEvidence, 'later entry', 'later entries')}.`,
    locationsText(reaches),
    ...(waiting.length === 0
      ? []
      : [
          'No data is sent to a connection or the office before you confirm it: backup confirm NAME.',
        ]),
    ...(withCredentials ? [] : ['Enter the API keys again: connections replace-secret NAME.']),
    `To use the restored data, add --data ${plain(folder)}`,
  ];
  const needsPerson = waiting.length > 0 || doubtful > 0 || pausedRules > 0 || missingEvidence > 0;
  return answer(restored, lines.join('\n'), needsPerson ? exits.personDecides : exits.done);
}

export function addBackupKeyOptions(command: Command): Command {
  return command
    .option('--phrase-env <variable>', 'read the phrase from this environment variable instead')
    .option('--identity <file>', "use an administrator's age key file instead of the phrase");
}

const BACKUP_FILE_HELP = 'backup file, as `backup list` shows it';

/** Adds `backup check`, `inspect` and `restoreFromBackup`, which need no data of this computer. */
export const restoreCommands: AddCommands = (group, run) => {
  const checking = addBackupKeyOptions(
    group
      .command('check')
      .argument('<file>', BACKUP_FILE_HELP)
      .description('open a backup, and check that it is complete'),
  ).action((file: string, options: OpeningOptions) =>
    run.withDesk('closed', (session) => checkBackup(session, file, options)),
  );
  example(
    checking,
    'backup check /srv/backups/signing-desk-1f2e3d4c-2026-11-22T02-30-00Z.signingdesk',
  );
  const looking = addBackupKeyOptions(
    group
      .command('inspect')
      .argument('<file>', BACKUP_FILE_HELP)
      .description('list the contents of a backup, and save files from it, without a restore')
      .option('--draft <id>', 'save the files of this draft; the list of contents shows its ID')
      .option(
        '--files <folder>',
        'folder for the files of the draft; existing files are never overwritten',
      )
      .option('--evidence <file.json>', 'save the evidence in this new file'),
  ).action((file: string, options: InspectOptions) =>
    run.withDesk('closed', (session) => readBackupContents(session, file, options)),
  );
  example(looking, 'backup inspect old.signingdesk --evidence evidence.json');
  const restoring = addBackupKeyOptions(
    group
      .command('restore')
      .argument('<file>', BACKUP_FILE_HELP)
      .description('restore a backup into an empty folder; pending sends then need a decision')
      .requiredOption('--into <folder>', 'empty folder that becomes the data folder'),
  ).action((file: string, options: RestoreOptions) =>
    run.withDesk('closed', (session) => restoreFromBackup(session, file, options)),
  );
  example(restoring, 'backup restore old.signingdesk --into ~/restored-desk');
};

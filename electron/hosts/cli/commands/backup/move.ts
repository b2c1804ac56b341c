import path from 'node:path';
import { MovedDeskBackup } from '../../../../../shared/contract/backup.ts';
import { AppError } from '../../../../../shared/errors.ts';
import { wholeNumberOption } from '../../input/options.ts';
import { type Answer, answer } from '../../output/answer.ts';
import { exits } from '../../output/exit-codes.ts';
import { count, plain } from '../../output/text.ts';
import { type AddCommands, example } from '../../session/group.ts';
import { exitOfJob, followJob } from '../../session/jobs.ts';
import type { Session } from '../../session/session.ts';
import { addBackupKeyOptions } from './restore.ts';
import { type OpeningOptions, readOpeningSecret } from './secret.ts';
import { backupContentsText, deactivationText } from './words.ts';

const MAX_WAITING_SENDS = 1e8;

interface MoveOptions extends OpeningOptions {
  readonly to?: string;
  readonly credentials?: true;
}

/**
 * `backup move`: moves the data to another computer. Asks for the words, because the other computer
 * will ask for them too.
 */
async function moveToComputer(session: Session, { to, credentials, ...options }: MoveOptions) {
  const { plan } = await session.api['backup.read']({});
  if (plan === null) {
    throw new AppError('not-found', 'Backups are not set up yet', { reason: 'not-set-up' });
  }
  const withCredentials = credentials === true;
  for (const sentence of backupContentsText({ withCredentials })) session.report.note(sentence);
  const folder = to === undefined ? plan.folder : path.resolve(to);
  const secret = await readOpeningSecret(session, options);
  const { jobId } = await session.api['backup.move']({ folder, withCredentials, secret });
  const job = await followJob(session, jobId, 'Moving');
  const moved = MovedDeskBackup.parse(job.result);
  const lines = [
    `Wrote and verified ${plain(moved.file)}, ${count(moved.bytes, 'byte')}.`,
    'This computer is deactivated. It sends nothing and runs no rules before `backup reactivate`.',
    'On the other computer: signing-desk backup restore FILE --into FOLDER',
    ...(withCredentials
      ? []
      : ['There, enter the API keys again: connections replace-secret NAME']),
  ];
  return answer(moved, lines.join('\n'), exitOfJob(job, exits.done));
}

/**
 * `backup reactivate`: reactivates this computer. Requires the number of waiting sends, so that the
 * user has seen it.
 */
async function reactivate(
  { api }: Session,
  { confirm }: { readonly confirm?: number },
): Promise<Answer> {
  const { rest } = await api['backup.read']({});
  if (rest === null) throw new AppError('conflict', 'This computer is already active');
  const { waiting } = rest;
  if (confirm === undefined) {
    const message = `Nothing was changed: ${count(waiting, 'send')} will have an unknown outcome. Add --confirm ${String(waiting)}`;
    throw new AppError('invalid', message, { reason: 'count-differs' });
  }
  const state = await api['backup.wake']({ confirm });
  const lines = [
    'This computer is active again.',
    `${count(waiting, 'send')} with an unknown outcome: outbox run checks the service for them.`,
    'Rules are paused: archive schedule list, reminders rules list, folders list, backup status.',
  ];
  return answer(state, lines.join('\n'), waiting > 0 ? exits.personDecides : exits.done);
}

/** Returns the output of a scheduler's run on a deactivated computer; null on an active one. */
export async function deactivatedAnswer({ api }: Session): Promise<Answer | null> {
  const { rest } = await api['backup.read']({});
  return (
    rest && answer({ ran: [], rest }, `This computer is deactivated: ${deactivationText(rest)}.`)
  );
}

export const moveCommands: AddCommands = (group, run) => {
  const moving = addBackupKeyOptions(
    group
      .command('move')
      .description(
        'move to another computer: make and verify a backup, and deactivate this computer',
      )
      .option('--to <folder>', 'existing folder for the backup file (default: the backup folder)')
      .option('--credentials', 'include API keys (tokens and access keys)'),
  ).action((options: MoveOptions) =>
    run.withDesk('data', (session) => moveToComputer(session, options)),
  );
  example(moving, 'backup move --to /media/stick --credentials');
  const reactivating = group
    .command('reactivate')
    .description('reactivate a computer whose data was moved; its rules stay paused')
    .addOption(
      wholeNumberOption(
        '--confirm <count>',
        'enter the number of waiting sends, which `backup status` shows',
        0,
        MAX_WAITING_SENDS,
      ),
    )
    .action((options: { readonly confirm?: number }) =>
      run.withDesk('data', (session) => reactivate(session, options)),
    );
  example(reactivating, 'backup reactivate --confirm 2');
};

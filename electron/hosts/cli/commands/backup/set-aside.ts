import { AppError } from '../../../../../shared/errors.ts';
import { type Answer, answer } from '../../output/answer.ts';
import { exits } from '../../output/exit-codes.ts';
import { nextSteps } from '../../output/next-steps.ts';
import { plain } from '../../output/text.ts';
import { type AddCommands, example } from '../../session/group.ts';
import { problemOf } from '../../session/profile.ts';
import type { Session } from '../../session/session.ts';

/**
 * `backup set-aside`: moves data aside that does not open, so that the folder starts empty. Without
 * `--confirm`, only shows why the data does not open and the other options. Never moves data that
 * can still be opened.
 */
async function setAside({ api }: Session, confirm: boolean): Promise<Answer> {
  const access = await api['access.read']({});
  if (access.open)
    throw new AppError('conflict', 'Nothing was moved, because the data opens without an error');
  if (!access.hasData) throw new AppError('not-found', 'There is no data in this folder');
  const { failure } = problemOf(access);
  // The failure states how the user can open the data: unlock, wait, or install a program.
  if (!access.canSetAside) throw AppError.from(failure);
  if (!confirm) {
    const { message, reason } = failure;
    const lines = [
      `The data does not open: ${message}.`,
      ...(reason === undefined ? [] : [nextSteps[reason] ?? '']),
      'Nothing was moved. With --confirm, the data file, its copies and its key files move into a subfolder, unchanged. The program then starts empty.',
    ];
    return answer({ folder: null, problem: failure }, lines.join('\n'), exits.personDecides);
  }
  const { folder } = await api['access.setAside']({});
  const { dataFolder } = await api['host.describe']({});
  const lines = [
    `The data is unchanged in ${plain(folder)}. The program starts empty.`,
    `To restore a backup: signing-desk backup restore FILE --into ${plain(dataFolder)}`,
    'Agreements of the old outbox may have been sent: check the service before you send them again.',
    'If you find the key or the passphrase, move these files back into the data folder.',
  ];
  return answer({ folder, problem: failure }, lines.join('\n'));
}

/** Adds `backup set-aside`, for data that cannot be opened. */
export const setAsideCommands: AddCommands = (group, run) => {
  const setting = group
    .command('set-aside')
    .description('move data that cannot be opened to a subfolder, and start empty')
    .option('--confirm', 'move the data; without this option, show why the data cannot be opened')
    .action(({ confirm }: { readonly confirm?: true }) =>
      run.withDesk('nothing', (session) => setAside(session, confirm === true)),
    );
  example(setting, 'backup set-aside --confirm');
};

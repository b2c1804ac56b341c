import { AppError } from '../../../../../shared/errors.ts';
import { type Answer, answer } from '../../output/answer.ts';
import { exits } from '../../output/exit-codes.ts';
import { nextSteps } from '../../output/next-steps.ts';
import { plain } from '../../output/text.ts';
import { type AddCommands, example } from '../../session/group.ts';
import { problemOf } from '../../session/profile.ts';
import type { Session } from '../../session/session.ts';

/**
 * `backup set-aside`: without `--confirm` why the data does not open and what else could be done, with
 * it the folder begins anew. Data that somebody can open yet is never moved.
 */
async function setAside({ api }: Session, confirm: boolean): Promise<Answer> {
  const access = await api['access.read']({});
  if (access.open) throw new AppError('conflict', 'The data opens: there is nothing to set aside');
  if (!access.hasData) throw new AppError('not-found', 'There is no data in this folder');
  const { failure } = problemOf(access);
  // Whoever unlocks, waits or installs something gets past it: that is what the failure says.
  if (!access.canSetAside) throw AppError.from(failure);
  if (!confirm) {
    const { message, reason } = failure;
    const lines = [
      `The data does not open: ${message}.`,
      ...(reason === undefined ? [] : [nextSteps[reason] ?? '']),
      'Nothing was moved. With --confirm the data file, its copies and what belongs to its key go into a folder within the data folder, as they are, and the program begins anew.',
    ];
    return answer({ folder: null, problem: failure }, lines.join('\n'), exits.personDecides);
  }
  const { folder } = await api['access.setAside']({});
  const { dataFolder } = await api['host.describe']({});
  const lines = [
    `The data is in ${plain(folder)}, as it was. The program begins anew.`,
    `To take a backup back: signing-desk backup restore FILE --into ${plain(dataFolder)}`,
    'What waited in the outbox may have been sent: look on the service before you send it again.',
    'If the key or the passphrase turns up, move those files back into the data folder.',
  ];
  return answer({ folder, problem: failure }, lines.join('\n'));
}

/** `backup set-aside`, for data that nobody can open. */
export const setAsideCommands: AddCommands = (group, run) => {
  const setting = group
    .command('set-aside')
    .description('move data that nobody can open out of the way, as it is, and begin anew')
    .option('--confirm', 'do it; otherwise say why the data does not open, and what else helps')
    .action(({ confirm }: { readonly confirm?: true }) =>
      run.withDesk('nothing', (session) => setAside(session, confirm === true)),
    );
  example(setting, 'backup set-aside --confirm');
};

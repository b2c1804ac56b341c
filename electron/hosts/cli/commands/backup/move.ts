import path from 'node:path';
import { DeskMoved } from '../../../../../shared/contract/backup.ts';
import { AppError } from '../../../../../shared/errors.ts';
import { wholeOption } from '../../input/options.ts';
import { type Answer, answer } from '../../output/answer.ts';
import { exits } from '../../output/exit-codes.ts';
import { count, plain } from '../../output/text.ts';
import { type AddCommands, example } from '../../session/group.ts';
import { exitOfJob, followJob } from '../../session/jobs.ts';
import type { Session } from '../../session/session.ts';
import { opening } from './restore.ts';
import { type OpeningOptions, openingSecret } from './secret.ts';
import { contentsOf, restText } from './words.ts';

const MOST_SENDS = 1e8;

interface MoveOptions extends OpeningOptions {
  readonly to?: string;
  readonly credentials?: true;
}

/** `backup move`: the words are asked for, since the other computer asks for them, too. */
async function move(session: Session, { to, credentials, ...options }: MoveOptions) {
  const { plan } = await session.api['backup.read']({});
  if (plan === null) {
    throw new AppError('not-found', 'Backups are not set up yet', { reason: 'not-set-up' });
  }
  const withCredentials = credentials === true;
  for (const sentence of contentsOf({ withCredentials })) session.report.note(sentence);
  const folder = to === undefined ? plan.folder : path.resolve(to);
  const secret = await openingSecret(session, options);
  const { jobId } = await session.api['backup.move']({ folder, withCredentials, secret });
  const job = await followJob(session, jobId, 'Moving');
  const moved = DeskMoved.parse(job.result);
  const lines = [
    `Wrote ${plain(moved.file)}, ${count(moved.bytes, 'byte')}, and opened it.`,
    'This desk rests: nothing leaves it, and no rule acts, before "backup wake".',
    'On the other computer: signing-desk backup restore FILE --into FOLDER',
    ...(withCredentials
      ? []
      : ['There, type the credentials again: connections replace-secret NAME']),
  ];
  return answer(moved, lines.join('\n'), exitOfJob(job, exits.done));
}

/** `backup wake`: whoever ends the rest has seen how much waits. */
async function wake({ api }: Session, { confirm }: { readonly confirm?: number }): Promise<Answer> {
  const { rest } = await api['backup.read']({});
  if (rest === null) throw new AppError('conflict', 'This desk is not at rest');
  const { waiting } = rest;
  if (confirm === undefined) {
    const message = `${count(waiting, 'send')} of unknown outcome will wait for you: --confirm ${String(waiting)}`;
    throw new AppError('invalid', message, { reason: 'count-differs' });
  }
  const state = await api['backup.wake']({ confirm });
  const lines = [
    'This desk goes on.',
    `${count(waiting, 'send')} of unknown outcome: outbox run looks for what was sent since.`,
    'Rules are paused: archive schedule list, reminders rules list, intake list, backup status.',
  ];
  return answer(state, lines.join('\n'), waiting > 0 ? exits.personDecides : exits.done);
}

/** What a scheduler's run says of a desk at rest; null for one that works. */
export async function resting({ api }: Session): Promise<Answer | null> {
  const { rest } = await api['backup.read']({});
  return rest && answer({ ran: [], rest }, `At rest: ${restText(rest)}.`);
}

/** `backup move` and `wake`. */
export const moveCommands: AddCommands = (group, run) => {
  const moving = opening(
    group
      .command('move')
      .description('move to another computer: write a backup, open it, and rest from then on')
      .option(
        '--to <folder>',
        "where it goes, instead of the backups' own folder; it must be there",
      )
      .option('--credentials', 'take tokens and access keys along, too'),
  ).action((options: MoveOptions) => run.withDesk('data', (session) => move(session, options)));
  example(moving, 'backup move --to /media/stick --credentials');
  const waking = group
    .command('wake')
    .description(
      'let a desk that moved go on after all; what waits asks, and no rule acts by itself',
    )
    .addOption(wholeOption('--confirm <count>', 'how many sends wait', 0, MOST_SENDS))
    .action((options: { readonly confirm?: number }) =>
      run.withDesk('data', (session) => wake(session, options)),
    );
  example(waking, 'backup wake --confirm 2');
};

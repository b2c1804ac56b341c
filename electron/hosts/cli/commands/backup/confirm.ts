import type { Reach } from '../../../../../shared/contract/backup.ts';
import { AppError } from '../../../../../shared/errors.ts';
import { type Answer, answer } from '../../output/answer.ts';
import { exits } from '../../output/exit-codes.ts';
import { plain } from '../../output/text.ts';
import { type AddCommands, example } from '../../session/group.ts';
import type { Session } from '../../session/session.ts';
import { reachesText } from './words.ts';

/** `backup confirm`: one server at a time, by its name; without one it lists those that wait. */
async function confirm({ api }: Session, name: string | undefined): Promise<Answer> {
  const waiting = await api['backup.unconfirmed']({});
  if (name === undefined) return left(waiting, []);
  const found = waiting.filter((one) => nameOf(one) === name || one.id === name);
  const [one] = found;
  if (one === undefined || found.length > 1) {
    const code = one === undefined ? 'not-found' : 'invalid';
    throw new AppError(code, `Name one that waits: ${waiting.map(nameOf).join(', ') || 'none'}`);
  }
  const rest = await api['backup.confirm']({ id: one.id });
  return left(rest, [`${plain(one.where)} is confirmed: this data goes there.`]);
}

const nameOf = ({ kind, name }: Reach): string => (kind === 'connection' ? name : kind);

function left(waiting: readonly Reach[], said: readonly string[]): Answer {
  const text =
    waiting.length === 0
      ? 'Nothing waits to be confirmed.'
      : `Nothing goes there before you confirm it.\n${reachesText(waiting)}`;
  const exit = waiting.length === 0 ? exits.done : exits.personDecides;
  return answer({ waiting }, [...said, text].join('\n'), exit);
}

/** `backup confirm`. */
export const confirmCommands: AddCommands = (group, run) => {
  const confirming = group
    .command('confirm [name]')
    .description(
      'let restored data go to a connection, with "office" to its office, or with "evidence" into its folder',
    )
    .action((name: string | undefined) =>
      run.withDesk('data', (session) => confirm(session, name)),
    );
  example(confirming, 'backup confirm "Head office"');
};

import type { RestoredLocation } from '../../../../../shared/contract/backup.ts';
import { AppError } from '../../../../../shared/errors.ts';
import { type Answer, answer } from '../../output/answer.ts';
import { exits } from '../../output/exit-codes.ts';
import { plain } from '../../output/text.ts';
import { type AddCommands, example } from '../../session/group.ts';
import type { Session } from '../../session/session.ts';
import { locationsText } from './words.ts';

/**
 * `backup confirm`: confirms one server by its name; without a name, lists the servers that are not
 * confirmed yet.
 */
async function confirmServer({ api }: Session, name: string | undefined): Promise<Answer> {
  const waiting = await api['backup.unconfirmed']({});
  if (name === undefined) return remainingAddresses(waiting, []);
  const found = waiting.filter((one) => locationNameOf(one) === name || one.id === name);
  const [one] = found;
  if (one === undefined || found.length > 1) {
    const code = one === undefined ? 'not-found' : 'invalid';
    const names = waiting.map(locationNameOf).join(', ') || 'none';
    throw new AppError(code, `Nothing was confirmed. Names that need confirmation: ${names}`);
  }
  const rest = await api['backup.confirm']({ id: one.id });
  return remainingAddresses(rest, [
    `${plain(one.where)} is confirmed. This data may be sent there.`,
  ]);
}

const locationNameOf = ({ kind, name }: RestoredLocation): string =>
  kind === 'connection' ? name : kind;

function remainingAddresses(waiting: readonly RestoredLocation[], said: readonly string[]): Answer {
  const text =
    waiting.length === 0
      ? 'All addresses are confirmed.'
      : `No data is sent to these addresses before you confirm them.\n${locationsText(waiting)}`;
  const exit = waiting.length === 0 ? exits.done : exits.personDecides;
  return answer({ waiting }, [...said, text].join('\n'), exit);
}

export const confirmCommands: AddCommands = (group, run) => {
  const confirming = group
    .command('confirm')
    .argument(
      '[name]',
      'name of a connection, `office`, or `evidence`; without a name, list the addresses to confirm',
    )
    .description('allow restored data to be sent to a connection, the office or a folder')
    .action((name: string | undefined) =>
      run.withDesk('data', (session) => confirmServer(session, name)),
    );
  example(confirming, 'backup confirm "Head office"');
};

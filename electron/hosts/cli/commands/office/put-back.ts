import type { Command } from 'commander';
import type { OfficePutBack } from '../../../../../shared/contract/office/office.ts';
import { wholeOption } from '../../input/options.ts';
import { iso, shown } from '../../input/times.ts';
import { type Answer, answer } from '../../output/answer.ts';
import { exits } from '../../output/exit-codes.ts';
import { count, plain, table } from '../../output/text.ts';
import { example, type Runner } from '../../session/group.ts';
import type { Session } from '../../session/session.ts';

/** As many computers as an office may have. */
const MOST = 10_000;

export const shownPutBack = ({ awaited, ...found }: OfficePutBack) => ({
  id: found.id,
  noticedAt: iso(found.noticedAt),
  asOf: iso(found.asOf),
  isDone: awaited.length === 0,
  awaited: awaited.map(({ seenAt, ...one }) => ({ ...one, seenAt: iso(seenAt) })),
});

export function putBackText({ noticedAt, asOf, awaited }: OfficePutBack): string {
  const what = `The office's database was put back to its state of ${shown(asOf)}; noticed ${shown(noticedAt)}.`;
  if (awaited.length === 0) return `${what} Its computers have reported what they sent since.`;
  const rows = awaited.map(({ seat, seenAt, isThis }) => [
    seat === '' ? '(unknown, joined later)' : plain(seat),
    isThis ? 'this computer' : `seen ${shown(seenAt)}`,
  ]);
  return `${what} Nothing is sent before these computers have reported what they sent since:
${table(['SEAT', 'COMPUTER'], rows, '')}`;
}

/** `office put-back`: what happened, and who is waited for; with `--confirm` nobody is any more. */
async function putBack(
  { api }: Session,
  { confirm }: { readonly confirm?: number },
): Promise<Answer> {
  const found = await api['office.putBack']({});
  if (found === null) return answer({ putBack: null }, 'The office was never put back.');
  const { id, awaited } = found;
  if (awaited.length === 0) return answer({ putBack: shownPutBack(found) }, putBackText(found));
  if (confirm !== awaited.length) {
    const next = `With --confirm ${String(awaited.length)} they are not waited for: what they sent since may be sent a second time.`;
    const text = `${putBackText(found)}\n${next}`;
    return answer({ putBack: shownPutBack(found) }, text, exits.inPart);
  }
  await api['office.excuse']({ id, desks: awaited.map(({ desk }) => desk) });
  const text = `${count(awaited.length, 'computer')} not waited for any more.`;
  return answer({ excused: awaited.map(({ desk }) => desk) }, text);
}

/** `office put-back` */
export function putBackCommands(group: Command, run: Runner): void {
  const command = group
    .command('put-back')
    .description('what happened when the database was restored from an older dump')
    .addOption(
      wholeOption(
        '--confirm <number>',
        'do not wait for so many computers that are listed',
        1,
        MOST,
      ),
    )
    .action((options: { readonly confirm?: number }) =>
      run.withDesk('data', (session) => putBack(session, options)),
    );
  example(command, 'office put-back --confirm 1');
}

import type { Command } from 'commander';
import type { OfficeRestore } from '../../../../../shared/contract/office/office.ts';
import { wholeNumberOption } from '../../input/options.ts';
import { toIsoText, toShownTime } from '../../input/times.ts';
import { type Answer, answer } from '../../output/answer.ts';
import { exits } from '../../output/exit-codes.ts';
import { count, plain, table } from '../../output/text.ts';
import { example, addExitSixHelp, type Runner } from '../../session/group.ts';
import type { Session } from '../../session/session.ts';

/** Maximum number of computers in an office. */
const MAX_COMPUTERS = 10_000;

export const officeRestoreForOutput = ({ awaited, ...found }: OfficeRestore) => ({
  id: found.id,
  noticedAt: toIsoText(found.noticedAt),
  asOf: toIsoText(found.asOf),
  isDone: awaited.length === 0,
  awaited: awaited.map(({ seenAt, ...one }) => ({ ...one, seenAt: toIsoText(seenAt) })),
});

export function officeRestoreText({ noticedAt, asOf, awaited }: OfficeRestore): string {
  const what = `The database of the office was restored from a copy of ${toShownTime(asOf)}; noticed ${toShownTime(noticedAt)}.`;
  if (awaited.length === 0) return `${what} All computers have reported their later sends.`;
  const rows = awaited.map(({ seat, seenAt, isThis }) => [
    seat === '' ? '(unknown, joined later)' : plain(seat),
    isThis ? 'this computer' : `seen ${toShownTime(seenAt)}`,
  ]);
  return `${what} Sends wait until these computers have reported their later sends:
${table(['SEAT', 'COMPUTER'], rows, '')}`;
}

/**
 * `office restored`: shows what happened, and which computers the office waits for; `--confirm`
 * ends the waiting.
 */
async function confirmOfficeRestore(
  { api }: Session,
  { confirm }: { readonly confirm?: number },
): Promise<Answer> {
  const found = await api['office.putBack']({});
  if (found === null) {
    return answer({ putBack: null }, 'The database was never restored from an older copy.');
  }
  const { id, awaited } = found;
  if (awaited.length === 0)
    return answer({ putBack: officeRestoreForOutput(found) }, officeRestoreText(found));
  if (confirm !== awaited.length) {
    const next = `With --confirm ${String(awaited.length)}, sends no longer wait for them. Their later sends may then be sent a second time.`;
    const text = `${officeRestoreText(found)}\n${next}`;
    return answer({ putBack: officeRestoreForOutput(found) }, text, exits.inPart);
  }
  await api['office.excuse']({ id, desks: awaited.map(({ desk }) => desk) });
  const text = `Sends no longer wait for ${count(awaited.length, 'computer')}.`;
  return answer({ excused: awaited.map(({ desk }) => desk) }, text);
}

export function addRestoredCommands(group: Command, run: Runner): void {
  const command = group
    .command('restored')
    .description(
      'after a restore of the office database: list the computers that must report before anything is sent',
    )
    .addOption(
      wholeNumberOption(
        '--confirm <number>',
        'enter the number of listed computers; sends then no longer wait for these computers',
        1,
        MAX_COMPUTERS,
      ),
    )
    .action((options: { readonly confirm?: number }) =>
      run.withDesk('data', (session) => confirmOfficeRestore(session, options)),
    );
  addExitSixHelp(command, 'sends wait for the listed computers; --confirm is missing or wrong');
  example(command, 'office restored --confirm 1');
}

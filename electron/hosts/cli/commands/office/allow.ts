import type { Command } from 'commander';
import type { ActionRow } from '../../../../../shared/contract/actions.ts';
import type { OfficeClaimHolder } from '../../../../../shared/contract/office/office.ts';
import { AGREEMENT_ID_HELP, wholeNumberOption } from '../../input/options.ts';
import { toIsoText, toShownTime } from '../../input/times.ts';
import { type Answer, answer } from '../../output/answer.ts';
import { exits } from '../../output/exit-codes.ts';
import { table } from '../../output/text.ts';
import { example, addExitSixHelp, type Runner } from '../../session/group.ts';
import { agreementNamed } from '../../session/names.ts';
import type { Session } from '../../session/session.ts';

const MAX_REFUSED_ACTIONS = 1000;
const ELSEWHERE_REASONS: readonly unknown[] = ['claimed-elsewhere', 'unsettled-elsewhere'];

interface HeldAction {
  readonly act: ActionRow;
  readonly holder: OfficeClaimHolder;
}

/** `office allow`: allows an action once more, after the user has seen the earlier one. */
async function allowAction(
  session: Session,
  named: string,
  { confirm }: { readonly confirm?: number },
): Promise<Answer> {
  const { api } = session;
  const { connectionId, id: agreementId } = await agreementNamed(session, named);
  const kept = newestRefusedActions(await api['actions.list']({ connectionId, agreementId }));
  const held: HeldAction[] = [];
  for (const act of kept) {
    const holders = await api['office.actHolders']({ actionId: act.actionId });
    held.push(...holders.map((holder) => ({ act, holder })));
  }
  if (held.length === 0) {
    return answer({ allowed: 0, items: [] }, 'The office blocks no action on this agreement.');
  }
  const items = held.map(({ act, holder: { seat, state, startedAt } }) => ({
    act: act.kind,
    seat,
    state,
    startedAt: toIsoText(startedAt),
  }));
  const rows = held.map(({ act, holder }) => [
    ...[act.kind, holder.seat, holder.state, toShownTime(holder.startedAt)],
  ]);
  const list = table(['ACT', 'SEAT', 'STATE', 'SINCE'], rows, '');
  if (confirm !== held.length) {
    const said = `Nothing was changed. With --confirm ${held.length}, the action can be done again; your decision is recorded.`;
    return answer({ allowed: 0, items }, `${list}\n${said}`, exits.inPart);
  }
  for (const act of kept) {
    const seen = held.filter((one) => one.act === act).flatMap(({ holder }) => holder.claims);
    if (seen.length > 0) await api['office.allowAct']({ actionId: act.actionId, seen });
  }
  return answer({ allowed: held.length, items }, 'Recorded. Run the blocked command again.');
}

/** Returns the newest row of each kind, party and notification. */
function newestRefusedActions(rows: readonly ActionRow[]): readonly ActionRow[] {
  const newest = new Map<string, ActionRow>();
  for (const row of rows) {
    const target = JSON.stringify([row.kind, row.partyId, row.notificationId]);
    if (!newest.has(target)) newest.set(target, row);
  }
  return [...newest.values()].filter(
    ({ state, failure }) => state === 'refused' && ELSEWHERE_REASONS.includes(failure?.reason),
  );
}

export function allowCommand(group: Command, run: Runner): void {
  const command = group
    .command('allow')
    .argument('<agreement>', AGREEMENT_ID_HELP)
    .description(
      'allow an action that the office blocked because it may already have been done; check this first',
    )
    .addOption(
      wholeNumberOption(
        '--confirm <count>',
        'enter the number of listed actions',
        1,
        MAX_REFUSED_ACTIONS,
      ),
    )
    .action((named: string, options: { readonly confirm?: number }) =>
      run.withDesk('data', (session) => allowAction(session, named, options)),
    );
  addExitSixHelp(command, '--confirm is missing or wrong, so nothing was allowed');
  example(command, 'office allow Office:004711000001 --confirm 1');
}

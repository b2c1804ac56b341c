import type { Command } from 'commander';
import { OfficeApproval } from '../../../../../shared/contract/office/approvals.ts';
import { AGREEMENT_ID_HELP } from '../../input/options.ts';
import { toIsoText, toShownTime } from '../../input/times.ts';
import { type Answer, answer } from '../../output/answer.ts';
import { table, UNREADABLE } from '../../output/text.ts';
import { example, type Runner } from '../../session/group.ts';
import { agreementNamed } from '../../session/names.ts';
import type { Session } from '../../session/session.ts';
import { identityNamed } from '../identities.ts';

/**
 * `office ask`: requests another user's approval of an agreement that was reviewed on this
 * computer.
 */
async function requestApproval(
  session: Session,
  named: string,
  { note = '' }: { readonly note?: string },
): Promise<Answer> {
  const key = await agreementNamed(session, named);
  await session.api['office.askApproval']({ ...key, note });
  return answer({ asked: key.id }, 'Another computer of the office can approve it now.');
}

/** `office approvals`: lists requests of other users, and the outcome of this user's requests. */
async function listApprovals({ api }: Session): Promise<Answer> {
  const items = await api['office.approvals']({});
  const rows = items.map((one) => [
    ...[one.id, one.isOwn ? 'you' : one.asker, toShownTime(one.askedAt), one.title ?? UNREADABLE],
    approvalStateText(one),
    one.decision?.reason ?? one.note,
  ]);
  const heading = ['ID', 'ASKED BY', 'SINCE', 'AGREEMENT', '', ''];
  const shownItems = items.map(({ askedAt, decision, ...one }) => ({
    ...one,
    askedAt: toIsoText(askedAt),
    decision: decision && { ...decision, at: toIsoText(decision.at) },
  }));
  return answer({ items: shownItems }, table(heading, rows, 'There are no requests for approval.'));
}

function approvalStateText({ decision, isOwn, isReviewed, agreement }: OfficeApproval): string {
  if (decision !== null) {
    const { isApproved, person, seat } = decision;
    return `${isApproved ? 'approved' : 'declined'} by ${person} (${seat})`;
  }
  if (isOwn) return 'waiting';
  if (agreement === null) return 'not available here';
  return isReviewed ? 'reviewed here' : 'to be reviewed';
}

interface DecideOptions {
  readonly as: string;
  readonly reason?: string;
}

async function decideApproval(
  session: Session,
  id: string,
  isApproved: boolean,
  { as: identity, reason = '' }: DecideOptions,
): Promise<Answer> {
  const { id: identityId } = await identityNamed(session, identity);
  const order = { id: OfficeApproval.shape.id.parse(id), identityId, isApproved, reason };
  await session.api['office.decide'](order);
  return answer({ isApproved }, isApproved ? 'Approved.' : 'Declined.');
}

const APPROVAL_REQUEST_HELP = 'ID of the request, as `office approvals` shows it';

export function approvalCommands(group: Command, run: Runner): void {
  const asking = group
    .command('ask')
    .argument('<agreement>', AGREEMENT_ID_HELP)
    .description('ask another computer to approve an agreement that you reviewed here')
    .option('--note <text>', 'note for the person who approves')
    .action((id: string, options: { readonly note?: string }) =>
      run.withDesk('data', (session) => requestApproval(session, id, options)),
    );
  example(asking, 'office ask Office:004711000001 --note "Before Friday"');
  const listing = group
    .command('approvals')
    .description('list the requests for approval of the other users, and your own requests')
    .action(() => run.withDesk('data', listApprovals));
  example(listing, 'office approvals');
  const approving = group
    .command('approve')
    .argument('<id>', APPROVAL_REQUEST_HELP)
    .description('approve a request, after you reviewed the agreement with `signing review`')
    .requiredOption('--as <identity>', 'name of the person who approves (see `identities list`)')
    .action((id: string, options: DecideOptions) =>
      run.withDesk('data', (session) => decideApproval(session, id, true, options)),
    );
  example(approving, 'office approve 5f0c… --as erik');
  const declining = group
    .command('decline')
    .argument('<id>', APPROVAL_REQUEST_HELP)
    .description('decline a request for approval')
    .requiredOption('--as <identity>', 'name of the person who declines (see `identities list`)')
    .option('--reason <text>', 'reason, which the other users see')
    .action((id: string, options: DecideOptions) =>
      run.withDesk('data', (session) => decideApproval(session, id, false, options)),
    );
  example(declining, 'office decline 5f0c… --as erik --reason "The wrong annex"');
}

import type { Command } from 'commander';
import type { PartyNotification } from '../../../../../shared/model/remote-extras.ts';
import { type Answer, answer } from '../../output/answer.ts';
import { notificationsOf, partyNamed } from './parties.ts';
import { AGREEMENT_ID_HELP, PARTY_HELP } from '../../input/options.ts';
import { example, type Runner } from '../../session/group.ts';
import { agreementNamed } from '../../session/names.ts';
import type { Session } from '../../session/session.ts';
import { pairs, table } from '../../output/text.ts';
import { toIsoText, toShownTime } from '../../input/times.ts';

/** `agreements notifications`: lists the notifications of one party, or those of the owner. */
async function showNotifications(
  session: Session,
  id: string,
  { party }: { readonly party?: string },
): Promise<Answer> {
  const key = await agreementNamed(session, id);
  const partyId = party === undefined ? null : await partyNamed(session, key, party);
  const extras = await session.api['actions.extras']({ key });
  const found = partyId === null ? (extras.notifications ?? []) : notificationsOf(extras, partyId);
  const items = found.map(({ sendsAt, ...one }) => ({ ...one, sendsAt: toIsoText(sendsAt) }));
  const rows = found.map((one) => [
    one.type,
    one.id ?? '-',
    toShownTime(one.sendsAt),
    recipientsOf(one),
  ]);
  const heading = ['TYPE', 'ID', 'SENT ON', 'RECIPIENTS'];
  return answer({ items }, table(heading, rows, 'There are no notifications.'));
}

function recipientsOf({ recipients }: PartyNotification): string {
  if (recipients === null) return 'unknown';
  return recipients.map(({ address }) => address).join(', ') || 'none';
}

/** `agreements access`: lists the owner, and each person with whom the agreement was shared. */
async function showAccess(session: Session, id: string): Promise<Answer> {
  const key = await agreementNamed(session, id);
  const { owner, sharedWith, accessRights } = await session.api['actions.extras']({ key });
  const rights = (accessRights ?? []).map(({ action, actorType, actorName, actorId }) => {
    const whom = [actorType, actorName ?? actorId].filter((part) => part !== null).join(' ');
    return [`May ${action}`, whom] as const;
  });
  const who = owner === null ? 'unknown' : [owner.name, owner.email ?? ''].join(' ').trim();
  const rows = [['Owner', who] as const, ['Shared with', sharedWith ?? 'unknown'] as const];
  return answer({ owner, sharedWith, rights: accessRights }, pairs([...rows, ...rights]));
}

/** Adds the `agreements` commands for data that the local copy does not contain. */
export function addExtrasCommands(group: Command, run: Runner): void {
  const notifications = group
    .command('notifications')
    .argument('<id>', AGREEMENT_ID_HELP)
    .description('v1: list the notifications of the owner, or of a party')
    .option('--party <party>', PARTY_HELP)
    .action((id: string, options: { readonly party?: string }) =>
      run.withDesk('data', (session) => showNotifications(session, id, options)),
    );
  example(notifications, 'agreements notifications 004711000001 --party "Bo Ek"');
  const access = group
    .command('access')
    .argument('<id>', AGREEMENT_ID_HELP)
    .description('v1: show the owner of an agreement, and who it is shared with')
    .action((id: string) => run.withDesk('data', (session) => showAccess(session, id)));
  example(access, 'agreements access 004711000001');
}

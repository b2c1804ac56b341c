import { type Command, Option } from 'commander';
import {
  type OfficeActivity,
  OfficeActivityKind,
  type OfficeClaimHolder,
} from '../../../../../shared/contract/office/office.ts';
import { OutboxRef } from '../../../../../shared/model/ids.ts';
import { wholeNumberOption } from '../../input/options.ts';
import { toIsoText, toShownTime } from '../../input/times.ts';
import { type Answer, answer } from '../../output/answer.ts';
import { exits } from '../../output/exit-codes.ts';
import { table, UNREADABLE } from '../../output/text.ts';
import { example, addExitSixHelp, type Runner } from '../../session/group.ts';
import type { Session } from '../../session/session.ts';
import { userNamed } from './seat-named.ts';

const MAX_SEEN = 1000;
const DEFAULT_ACTIVITIES_SHOWN = 50;
const MAX_ACTIVITIES = 10_000;

interface ActivityOptions {
  readonly user?: string;
  readonly kind?: OfficeActivityKind;
  readonly limit: number;
}

/** `office activity`: lists actions of all computers, newest first. */
async function listActivity({ api }: Session, options: ActivityOptions): Promise<Answer> {
  const { kind = null, limit, user } = options;
  const seat = user === undefined ? null : (await userNamed({ api }, user)).id;
  const items: OfficeActivity[] = [];
  for (let hasMore = true; hasMore && items.length < limit;) {
    const before = items.at(-1)?.id ?? null;
    const page = await api['office.activity']({ before, seat, kind });
    items.push(...page.items);
    hasMore = page.hasMore;
  }
  const acts = items.slice(0, limit);
  const rows = acts.map((one) => [
    toShownTime(one.startedAt),
    one.seat,
    one.kind,
    one.state,
    one.title ?? UNREADABLE,
  ]);
  const text = table(['BEGAN', 'SEAT', 'KIND', 'STATE', 'TITLE'], rows, 'No activity yet.');
  const shownItems = acts.map(({ startedAt, settledAt, ...one }) => ({
    ...one,
    startedAt: toIsoText(startedAt),
    settledAt: toIsoText(settledAt),
  }));
  return answer({ items: shownItems }, text);
}

/** `office pending`: lists operations that no computer has settled. */
async function listOpen({ api }: Session): Promise<Answer> {
  const items = await api['office.open']({});
  const rows = items.map((one) => [
    one.id,
    one.isOwn ? `${one.seat} (this computer)` : one.seat,
    one.kind,
    one.state,
    toShownTime(one.startedAt),
    one.title ?? UNREADABLE,
  ]);
  const heading = ['ID', 'SEAT', 'KIND', 'STATE', 'SINCE', 'TITLE'];
  const shownItems = items.map(({ startedAt, ...one }) => ({
    ...one,
    startedAt: toIsoText(startedAt),
  }));
  return answer({ items: shownItems }, table(heading, rows, 'All outcomes are known.'));
}

/**
 * `office settle`: lets this computer find out the outcome of an operation. It finds the outcome of
 * a send by scans, of an action by reading the agreement.
 */
async function adoptOperation({ api }: Session, id: string): Promise<Answer> {
  const { ref, actionId } = await api['office.adopt']({ id });
  if (ref !== null) {
    return answer({ ref }, `The send is in this outbox now: signing-desk outbox show ${ref}`);
  }
  const acts = await api['actions.list']({});
  const state = acts.find((one) => one.actionId === actionId)?.state ?? 'unknown';
  const text =
    state === 'done'
      ? 'The action was done: the service shows it.'
      : 'The service does not show that the action was done. You can do it again here.';
  return answer({ actionId, state }, text, state === 'done' ? exits.done : exits.personDecides);
}

/**
 * `office claims`: lists users whose claims cover the agreement that a row of this outbox would
 * send.
 */
async function listHolders({ api }: Session, ref: string): Promise<Answer> {
  const items = await api['office.holders']({ ref: OutboxRef.parse(ref) });
  return answer({ items: items.map(holderForOutput) }, holdersText(items));
}

const holderForOutput = ({ id, seat, state, startedAt }: OfficeClaimHolder) => ({
  id,
  seat,
  state,
  startedAt: toIsoText(startedAt),
});

function holdersText(items: readonly OfficeClaimHolder[]): string {
  const rows = items.map(({ seat, state, startedAt }) => [seat, state, toShownTime(startedAt)]);
  return table(['SEAT', 'STATE', 'SINCE'], rows, 'No other computer has claimed this send.');
}

/** `office send`: sends a row despite another user's send, which the user has seen. */
async function sendDespiteClaim(
  { api }: Session,
  reference: string,
  { confirm }: { readonly confirm?: number },
): Promise<Answer> {
  const ref = OutboxRef.parse(reference);
  const holders = await api['office.holders']({ ref });
  if (confirm !== holders.length) {
    const said = `Nothing was sent. With --confirm ${String(holders.length)}, it is sent despite these claims.`;
    const value = { sent: false, items: holders.map(holderForOutput) };
    return answer(value, `${holdersText(holders)}\n${said}`, exits.inPart);
  }
  const seen = holders.flatMap(({ claims }) => claims);
  await api['office.follow']({ ref, seen });
  return answer({ sent: true }, 'It is sent with the next run of the outbox.');
}

/**
 * `office send-unchecked`: sends without the office, which cannot be reached, because the user
 * allows it.
 */
async function sendUnchecked({ api }: Session, reference: string): Promise<Answer> {
  await api['office.goWithout']({ ref: OutboxRef.parse(reference) });
  const text = 'It is sent with the next run of the outbox, and reported to the office later.';
  return answer({ sent: true }, text);
}

const OFFICE_SEND_REFERENCE_HELP = 'reference of the send, as `outbox list` shows it';

export function addActivityCommands(group: Command, run: Runner): void {
  const acting = group
    .command('activity')
    .description('list the actions of all computers of the office, newest first')
    .option('--user <name>', 'only actions of this user (see `office status`)')
    .addOption(
      new Option('--kind <kind>', 'only actions of this kind').choices(OfficeActivityKind.options),
    )
    .addOption(
      wholeNumberOption('--limit <count>', 'maximum number of actions', 1, MAX_ACTIVITIES).default(
        DEFAULT_ACTIVITIES_SHOWN,
      ),
    )
    .action((options: ActivityOptions) =>
      run.withDesk('data', (session) => listActivity(session, options)),
    );
  example(acting, 'office activity --kind sign');
  const listing = group
    .command('pending')
    .description('list sends and actions of the office whose outcome is not known yet')
    .action(() => run.withDesk('data', listOpen));
  example(listing, 'office pending');
  const settling = group
    .command('settle')
    .argument('<id>', 'ID of the send or action, as `office pending` shows it')
    .description('find out the outcome of a send or an action that another computer started')
    .action((id: string) => run.withDesk('data', (session) => adoptOperation(session, id)));
  example(settling, 'office settle 5f0c…');
  const holding = group
    .command('claims')
    .argument('<ref>', OFFICE_SEND_REFERENCE_HELP)
    .description('show which computers have already claimed a send')
    .action((ref: string) => run.withDesk('data', (session) => listHolders(session, ref)));
  example(holding, 'office claims 5f0c…');
  const sending = group
    .command('send')
    .argument('<ref>', OFFICE_SEND_REFERENCE_HELP)
    .description(
      'send an agreement although other computers claimed the send; check `office claims` first',
    )
    .addOption(
      wholeNumberOption(
        '--confirm <count>',
        'confirm with the number of claims that `office claims` lists',
        0,
        MAX_SEEN,
      ),
    )
    .action((ref: string, options: { readonly confirm?: number }) =>
      run.withDesk('data', (session) => sendDespiteClaim(session, ref, options)),
    );
  addExitSixHelp(sending, '--confirm is missing or wrong, so nothing was sent');
  example(sending, 'office send 5f0c… --confirm 1');
  const unchecked = group
    .command('send-unchecked')
    .argument('<ref>', OFFICE_SEND_REFERENCE_HELP)
    .description(
      'send an agreement while the office is unreachable, if the office allows unchecked sends',
    )
    .action((ref: string) => run.withDesk('data', (session) => sendUnchecked(session, ref)));
  example(unchecked, 'office send-unchecked 5f0c…');
}

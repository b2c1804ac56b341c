import { type Command, Option } from 'commander';
import {
  type OfficeAct,
  OfficeActKind,
  type OfficeHolder,
} from '../../../../../shared/contract/office/office.ts';
import { OutboxRef } from '../../../../../shared/model/ids.ts';
import { wholeOption } from '../../input/options.ts';
import { iso, shown } from '../../input/times.ts';
import { type Answer, answer } from '../../output/answer.ts';
import { exits } from '../../output/exit-codes.ts';
import { table, UNREADABLE } from '../../output/text.ts';
import { example, type Runner } from '../../session/group.ts';
import type { Session } from '../../session/session.ts';
import { seatNamed } from './seat-named.ts';

const MOST_SEEN = 1000;
const USUAL_ACTS = 50;
const MOST_ACTS = 10_000;

interface ActivityOptions {
  readonly seat?: string;
  readonly kind?: OfficeActKind;
  readonly limit: number;
}

/** `office activity`: what the desks did, newest first. */
async function listActivity({ api }: Session, options: ActivityOptions): Promise<Answer> {
  const { kind = null, limit } = options;
  const seat = options.seat === undefined ? null : (await seatNamed({ api }, options.seat)).id;
  const items: OfficeAct[] = [];
  for (let hasMore = true; hasMore && items.length < limit;) {
    const before = items.at(-1)?.id ?? null;
    const page = await api['office.activity']({ before, seat, kind });
    items.push(...page.items);
    hasMore = page.hasMore;
  }
  const acts = items.slice(0, limit);
  const rows = acts.map((one) => [
    shown(one.startedAt),
    one.seat,
    one.kind,
    one.state,
    one.title ?? UNREADABLE,
  ]);
  const text = table(['BEGAN', 'SEAT', 'KIND', 'STATE', 'TITLE'], rows, 'Nothing yet.');
  const shownItems = acts.map(({ startedAt, settledAt, ...one }) => ({
    ...one,
    startedAt: iso(startedAt),
    settledAt: iso(settledAt),
  }));
  return answer({ items: shownItems }, text);
}

/** `office open`: what no desk has settled. */
async function listOpen({ api }: Session): Promise<Answer> {
  const items = await api['office.open']({});
  const rows = items.map((one) => [
    one.id,
    one.isOwn ? `${one.seat} (this desk)` : one.seat,
    one.kind,
    one.state,
    shown(one.startedAt),
    one.title ?? UNREADABLE,
  ]);
  const heading = ['ID', 'SEAT', 'KIND', 'STATE', 'SINCE', 'TITLE'];
  const shownItems = items.map(({ startedAt, ...one }) => ({ ...one, startedAt: iso(startedAt) }));
  return answer({ items: shownItems }, table(heading, rows, 'Every send is settled.'));
}

/** `office settle`: scans of this desk find out what became of a send, a reading what became of an act. */
async function adopt({ api }: Session, id: string): Promise<Answer> {
  const { ref, actionId } = await api['office.adopt']({ id });
  if (ref !== null) {
    return answer({ ref }, `It is in this outbox now: signing-desk outbox show ${ref}`);
  }
  const acts = await api['actions.list']({});
  const state = acts.find((one) => one.actionId === actionId)?.state ?? 'unknown';
  const text =
    state === 'done'
      ? 'It was done: the service shows it.'
      : 'It is this desk’s now. The service does not show that it was done; the same can be done again.';
  return answer({ actionId, state }, text, state === 'done' ? exits.done : exits.personDecides);
}

/** `office holders`: who has what a row of this outbox would send. */
async function listHolders({ api }: Session, ref: string): Promise<Answer> {
  const items = await api['office.holders']({ ref: OutboxRef.parse(ref) });
  return answer({ items: items.map(withTime) }, holdersText(items));
}

const withTime = ({ id, seat, state, startedAt }: OfficeHolder) => ({
  id,
  seat,
  state,
  startedAt: iso(startedAt),
});

function holdersText(items: readonly OfficeHolder[]): string {
  const rows = items.map(({ seat, state, startedAt }) => [seat, state, shown(startedAt)]);
  return table(['SEAT', 'STATE', 'SINCE'], rows, 'No other desk has it.');
}

/** `office send`: a person has seen who did it, and sends it as well. */
async function sendAsWell(
  { api }: Session,
  reference: string,
  { confirm }: { readonly confirm?: number },
): Promise<Answer> {
  const ref = OutboxRef.parse(reference);
  const holders = await api['office.holders']({ ref });
  if (confirm !== holders.length) {
    const said = `With --confirm ${String(holders.length)} it goes out although these have it.`;
    const value = { sent: false, items: holders.map(withTime) };
    return answer(value, `${holdersText(holders)}\n${said}`, exits.inPart);
  }
  const seen = holders.flatMap(({ claims }) => claims);
  await api['office.follow']({ ref, seen });
  return answer({ sent: true }, 'It goes out with the next run of the outbox.');
}

/** `office go-without`: the office cannot be asked, and a person lets it go out. */
async function goWithout({ api }: Session, reference: string): Promise<Answer> {
  await api['office.goWithout']({ ref: OutboxRef.parse(reference) });
  return answer({ sent: true }, 'It goes out with the next run; the office hears of it later.');
}

export function openCommands(group: Command, run: Runner): void {
  const acting = group
    .command('activity')
    .description('list what the desks sent, signed, reminded and removed, newest first')
    .option('--seat <name>', 'of this seat alone')
    .addOption(new Option('--kind <kind>', 'of this kind alone').choices(OfficeActKind.options))
    .addOption(wholeOption('--limit <count>', 'how many', 1, MOST_ACTS).default(USUAL_ACTS))
    .action((options: ActivityOptions) =>
      run.withDesk('data', (session) => listActivity(session, options)),
    );
  example(acting, 'office activity --kind sign');
  const listing = group
    .command('open')
    .description('list sends and acts that no desk has settled')
    .action(() => run.withDesk('data', listOpen));
  example(listing, 'office open');
  const settling = group
    .command('settle')
    .argument('<id>', 'of the list of open ones')
    .description('make this desk find out what became of what another one began')
    .action((id: string) => run.withDesk('data', (session) => adopt(session, id)));
  example(settling, 'office settle 5f0c…');
  const holding = group
    .command('holders')
    .argument('<ref>', 'a row of this outbox')
    .description('say which seats have what it would send')
    .action((ref: string) => run.withDesk('data', (session) => listHolders(session, ref)));
  example(holding, 'office holders 5f0c…');
  const sending = group
    .command('send')
    .argument('<ref>', 'a row that waits since another desk has it')
    .description('send it as well, after looking at who has it')
    .addOption(wholeOption('--confirm <count>', 'how many seats were seen', 0, MOST_SEEN))
    .action((ref: string, options: { readonly confirm?: number }) =>
      run.withDesk('data', (session) => sendAsWell(session, ref, options)),
    );
  example(sending, 'office send 5f0c… --confirm 1');
  const going = group
    .command('go-without')
    .argument('<ref>', 'a row that waits since the office cannot be asked')
    .description('let it go out without asking, where the office allows that')
    .action((ref: string) => run.withDesk('data', (session) => goWithout(session, ref)));
  example(going, 'office go-without 5f0c…');
}

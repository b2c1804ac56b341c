import type { Command } from 'commander';
import {
  HandedWhat,
  HandoverKind,
  OfficeHandover,
} from '../../../../../shared/contract/office/handovers.ts';
import { AppError } from '../../../../../shared/errors.ts';
import { iso, shown } from '../../input/times.ts';
import { type Answer, answer } from '../../output/answer.ts';
import { plain, table, UNREADABLE } from '../../output/text.ts';
import { example, type Runner } from '../../session/group.ts';
import type { Session } from '../../session/session.ts';
import { seatNamed } from './seat-named.ts';

interface GiveOptions {
  readonly note?: string;
  readonly kind?: string;
}

const given: Readonly<Record<HandoverKind, string>> = {
  draft: 'Here it is in the trash.',
  batch: 'Here it is no more.',
  question: 'Until then it can still be settled here.',
};

/** `office hand-over`: a draft, a batch or a question to another seat. */
async function give(
  { api }: Session,
  id: string,
  named: string,
  { note = '', kind = 'draft' }: GiveOptions,
): Promise<Answer> {
  const what = whatOf(kind, id);
  const seat = await seatNamed({ api }, named);
  await api['office.handOver']({ what, seat: seat.id, note });
  const text = `${plain(seat.name)} can take it now. ${given[what.kind]}`;
  return answer({ seat: seat.id }, text);
}

function whatOf(kind: string, id: string): HandedWhat {
  const what = HandedWhat.safeParse({ kind, id });
  if (what.success) return what.data;
  const field = HandoverKind.safeParse(kind).success ? 'id' : '--kind';
  throw new AppError('invalid', `There is no such ${field === 'id' ? kind : 'kind'}`, {
    fields: { [field]: field === 'id' ? 'not an id' : HandoverKind.options.join(', ') },
  });
}

/** `office handovers`: what waits for this seat, and what it gave. */
async function list({ api }: Session): Promise<Answer> {
  const items = await api['office.handovers']({});
  const rows = items.map(({ id, kind, title, note, from, to, givenAt, isOwn }) => [
    id,
    kind,
    isOwn ? `to ${to}` : `from ${from}`,
    shown(givenAt),
    title ?? UNREADABLE,
    note,
  ]);
  const text = table(['ID', 'WHAT', '', 'SINCE', 'TITLE', 'NOTE'], rows, 'Nothing waits.');
  return answer(
    { items: items.map(({ givenAt, ...one }) => ({ ...one, givenAt: iso(givenAt) })) },
    text,
  );
}

const shownBy: Readonly<Record<HandoverKind, string>> = {
  draft: 'drafts show',
  batch: 'batch show',
  question: 'outbox show',
};

/** `office take`: what was given becomes this desk's. */
async function take({ api }: Session, id: string): Promise<Answer> {
  const what = await api['office.take']({ id: OfficeHandover.shape.id.parse(id) });
  return answer(what, `It is here now: signing-desk ${shownBy[what.kind]} ${what.id}`);
}

export function handoverCommands(group: Command, run: Runner): void {
  const giving = group
    .command('hand-over')
    .argument('<what>', 'its id')
    .argument('<seat>', 'its name or id')
    .description('give a draft, a batch or a send of unknown outcome to another seat')
    .option('--kind <kind>', `what it is: ${HandoverKind.options.join(', ')}`, 'draft')
    .option('--note <text>', 'what is to be done with it')
    .action((id: string, seat: string, options: GiveOptions) =>
      run.withDesk('data', (session) => give(session, id, seat, options)),
    );
  example(giving, 'office hand-over 5f0c… "Bo Lund" --note "The rent is missing"');
  const listing = group
    .command('handovers')
    .description('list what waits for this seat, and what it gave')
    .action(() => run.withDesk('data', list));
  example(listing, 'office handovers');
  const taking = group
    .command('take')
    .argument('<id>', 'of the list')
    .description('make it this desk’s; or take back what nobody has taken')
    .action((id: string) => run.withDesk('data', (session) => take(session, id)));
  example(taking, 'office take 5f0c…');
}

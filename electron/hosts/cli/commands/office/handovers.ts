import type { Command } from 'commander';
import {
  HandoverItem,
  HandoverKind,
  OfficeHandover,
} from '../../../../../shared/contract/office/handovers.ts';
import { AppError } from '../../../../../shared/errors.ts';
import { toIsoText, toShownTime } from '../../input/times.ts';
import { type Answer, answer } from '../../output/answer.ts';
import { plain, table, UNREADABLE } from '../../output/text.ts';
import { example, type Runner } from '../../session/group.ts';
import type { Session } from '../../session/session.ts';
import { userNamed } from './seat-named.ts';

interface HandoverOptions {
  readonly note?: string;
  readonly kind?: string;
}

const handedOverTexts: Readonly<Record<HandoverKind, string>> = {
  draft: 'On this computer it is in the trash.',
  batch: 'On this computer it is removed.',
  question: 'Until then you can still decide about it here.',
};

/** `office hand-over`: gives a draft, a batch or a decision to another user. */
async function handOverItem(
  { api }: Session,
  id: string,
  named: string,
  { note = '', kind = 'draft' }: HandoverOptions,
): Promise<Answer> {
  const what = handoverItemOf(kind, id);
  const seat = await userNamed({ api }, named);
  await api['office.handOver']({ what, seat: seat.id, note });
  const text = `${plain(seat.name)} can accept it now. ${handedOverTexts[what.kind]}`;
  return answer({ seat: seat.id }, text);
}

function handoverItemOf(kind: string, id: string): HandoverItem {
  const what = HandoverItem.safeParse({ kind, id });
  if (what.success) return what.data;
  const field = HandoverKind.safeParse(kind).success ? 'id' : '--kind';
  const wrong = field === 'id' ? 'ID' : 'kind';
  throw new AppError('invalid', `Nothing was handed over: check the ${wrong}`, {
    fields: { [field]: field === 'id' ? 'not an ID' : HandoverKind.options.join(', ') },
  });
}

/** `office handovers`: lists items that wait for this user, and items that this user gave. */
async function listHandovers({ api }: Session): Promise<Answer> {
  const items = await api['office.handovers']({});
  const rows = items.map(({ id, kind, title, note, from, to, givenAt, isOwn }) => [
    id,
    kind,
    isOwn ? `to ${to}` : `from ${from}`,
    toShownTime(givenAt),
    title ?? UNREADABLE,
    note,
  ]);
  const text = table(['ID', 'WHAT', '', 'SINCE', 'TITLE', 'NOTE'], rows, 'There are no handovers.');
  return answer(
    { items: items.map(({ givenAt, ...one }) => ({ ...one, givenAt: toIsoText(givenAt) })) },
    text,
  );
}

const showCommandOfKind: Readonly<Record<HandoverKind, string>> = {
  draft: 'drafts show',
  batch: 'batch show',
  question: 'outbox show',
};

/** `office accept`: moves the given item to this computer. */
async function acceptHandover({ api }: Session, id: string): Promise<Answer> {
  const what = await api['office.take']({ id: OfficeHandover.shape.id.parse(id) });
  return answer(
    what,
    `It is on this computer now: signing-desk ${showCommandOfKind[what.kind]} ${what.id}`,
  );
}

export function handoverCommands(group: Command, run: Runner): void {
  const giving = group
    .command('hand-over')
    .argument('<id>', 'ID of the draft or batch, or reference of the send')
    .argument('<user>', 'name or ID of the user, as `office status` shows it')
    .description('hand over a draft, a batch or a send with an unknown outcome to a user')
    .option('--kind <kind>', `kind of item: ${HandoverKind.options.join(', ')} (a send)`, 'draft')
    .option('--note <text>', 'note for the user')
    .action((id: string, seat: string, options: HandoverOptions) =>
      run.withDesk('data', (session) => handOverItem(session, id, seat, options)),
    );
  example(giving, 'office hand-over 5f0c… "Bo Lund" --note "The rent is missing"');
  const listing = group
    .command('handovers')
    .description('list the handovers that you can accept, and the handovers that you made')
    .action(() => run.withDesk('data', listHandovers));
  example(listing, 'office handovers');
  const accepting = group
    .command('accept')
    .argument('<id>', 'ID of the handover, as `office handovers` shows it')
    .description('accept a handover, or withdraw a handover of yours that is not accepted yet')
    .action((id: string) => run.withDesk('data', (session) => acceptHandover(session, id)));
  example(accepting, 'office accept 5f0c…');
}

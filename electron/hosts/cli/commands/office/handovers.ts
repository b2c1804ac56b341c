import type { Command } from 'commander';
import { OfficeHandover } from '../../../../../shared/contract/office-handovers.ts';
import { DraftId } from '../../../../../shared/model/ids.ts';
import { iso, shown } from '../../input/times.ts';
import { type Answer, answer } from '../../output/answer.ts';
import { plain, table } from '../../output/text.ts';
import { example, type Runner } from '../../session/group.ts';
import type { Session } from '../../session/session.ts';
import { seatNamed } from './seat-named.ts';

/** `office hand-over`: a draft to another seat. */
async function give(
  { api }: Session,
  draft: string,
  named: string,
  { note = '' }: { readonly note?: string },
): Promise<Answer> {
  const seat = await seatNamed({ api }, named);
  await api['office.handOver']({ draft: DraftId.parse(draft), seat: seat.id, note });
  const text = `${plain(seat.name)} can take it now. Here it is in the trash.`;
  return answer({ seat: seat.id }, text);
}

/** `office handovers`: what waits for this seat, and what it gave. */
async function list({ api }: Session): Promise<Answer> {
  const items = await api['office.handovers']({});
  const rows = items.map(({ id, title, note, from, to, givenAt, isOwn }) => [
    id,
    isOwn ? `to ${to}` : `from ${from}`,
    shown(givenAt),
    title,
    note,
  ]);
  const text = table(['ID', '', 'SINCE', 'DRAFT', 'NOTE'], rows, 'Nothing waits.');
  return answer(
    { items: items.map(({ givenAt, ...one }) => ({ ...one, givenAt: iso(givenAt) })) },
    text,
  );
}

/** `office take`: what was given becomes a draft of this desk. */
async function take({ api }: Session, id: string): Promise<Answer> {
  const { draft } = await api['office.take']({ id: OfficeHandover.shape.id.parse(id) });
  return answer({ draft }, `It is a draft here now: signing-desk drafts show ${draft}`);
}

export function handoverCommands(group: Command, run: Runner): void {
  const giving = group
    .command('hand-over')
    .argument('<draft>', 'its id')
    .argument('<seat>', 'its name or id')
    .description('give a draft with its files to another seat')
    .option('--note <text>', 'what is to be done with it')
    .action((draft: string, seat: string, options: { readonly note?: string }) =>
      run.withDesk('data', (session) => give(session, draft, seat, options)),
    );
  example(giving, 'office hand-over 5f0c… "Bo Lund" --note "The rent is missing"');
  const listing = group
    .command('handovers')
    .description('list drafts that wait for this seat, and those that it gave')
    .action(() => run.withDesk('data', list));
  example(listing, 'office handovers');
  const taking = group
    .command('take')
    .argument('<id>', 'of the list')
    .description('make it a draft of this desk; or take back what nobody has taken')
    .action((id: string) => run.withDesk('data', (session) => take(session, id)));
  example(taking, 'office take 5f0c…');
}

import type { Command } from 'commander';
import { DraftId } from '../../../../../shared/model/ids.ts';
import type { OfficeBatch } from '../../../../../shared/contract/office/batches.ts';
import type { OfficeDraft } from '../../../../../shared/contract/office/drafts.ts';
import { iso, shown } from '../../input/times.ts';
import { type Answer, answer } from '../../output/answer.ts';
import { table, UNREADABLE } from '../../output/text.ts';
import { example, type Runner } from '../../session/group.ts';
import type { Session } from '../../session/session.ts';

/** `office together` and `office alone`: whether other desks work on a draft, too. */
async function setTogether({ api }: Session, id: string, isTogether: boolean): Promise<Answer> {
  const draft = DraftId.parse(id);
  await api['office.together']({ draft, isTogether });
  const text = isTogether
    ? 'Desks that share drafts have it now; one at a time writes it.'
    : 'It is this desk’s alone. Elsewhere it goes into the trash.';
  return answer({ draft, isTogether }, text);
}

/** `office free-draft`: the desk that was to send it does so no more. */
async function freeDraft({ api }: Session, id: string): Promise<Answer> {
  const draft = DraftId.parse(id);
  await api['office.freeDraft']({ draft });
  return answer({ draft, isFree: true }, 'It can be written and sent again.');
}

/** `office drafts`: those that several desks work on, and who writes now. */
async function listDrafts({ api }: Session): Promise<Answer> {
  const [items, drafts] = await Promise.all([api['office.drafts']({}), api['drafts.list']({})]);
  const rows = items.map((one) => [
    one.draft,
    drafts.find(({ id }) => id === one.draft)?.title ?? '',
    stateOf(one),
  ]);
  return answer({ items }, table(['ID', 'TITLE', 'NOW'], rows, 'None.'));
}

function stateOf({ editor, isOwn, isSending, keptBeside }: OfficeDraft): string {
  if (keptBeside !== null) return `this desk’s version; ${keptBeside} wrote at the same time`;
  if (editor === null) return 'nobody writes';
  return `${editor}${isOwn ? ' (this seat)' : ''} ${isSending ? 'sends it' : 'writes'}`;
}

function howFar({ title, sent, rows, waiting, gate }: OfficeBatch): string[] {
  if (title === null) return ['', ''];
  return [`${String(sent)} of ${String(rows)} sent`, waiting === 0 ? 'over' : gate];
}

/** `office batches`: how far those in the outboxes of the desks are. */
async function listBatches({ api }: Session): Promise<Answer> {
  const items = await api['office.batches']({});
  const rows = items.map((one) => [
    one.isThisDesk ? `${one.seat} (this desk)` : one.seat,
    ...howFar(one),
    one.needsPerson === 0 ? '' : `${String(one.needsPerson)} need a person`,
    shown(one.at),
    one.title ?? UNREADABLE,
  ]);
  const heading = ['AT', 'HOW FAR', 'STATE', '', 'HEARD', 'BATCH'];
  const shownItems = items.map(({ at, ...one }) => ({ ...one, at: iso(at) }));
  return answer({ items: shownItems }, table(heading, rows, 'No desk has one.'));
}

export function togetherCommands(group: Command, run: Runner): void {
  const together = group
    .command('together')
    .argument('<draft>', 'its id')
    .description('let other desks work on a draft, too')
    .action((id: string) => run.withDesk('data', (session) => setTogether(session, id, true)));
  example(together, 'office together 5f0c…');
  const alone = group
    .command('alone')
    .argument('<draft>', 'its id')
    .description('work on a draft alone again')
    .action((id: string) => run.withDesk('data', (session) => setTogether(session, id, false)));
  example(alone, 'office alone 5f0c…');
  const freeing = group
    .command('free-draft')
    .argument('<draft>', 'its id')
    .description('let a draft be written again that a lost or silent desk was to send')
    .action((id: string) => run.withDesk('data', (session) => freeDraft(session, id)));
  example(freeing, 'office free-draft 5f0c…');
  const drafts = group
    .command('drafts')
    .description('list drafts that several desks work on, and who writes now')
    .action(() => run.withDesk('data', listDrafts));
  example(drafts, 'office drafts');
  const batches = group
    .command('batches')
    .description('show how far batches are at each desk')
    .action(() => run.withDesk('data', listBatches));
  example(batches, 'office batches');
}

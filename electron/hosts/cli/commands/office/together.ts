import type { Command } from 'commander';
import { DraftId } from '../../../../../shared/model/ids.ts';
import type { OfficeBatch } from '../../../../../shared/contract/office/batches.ts';
import type { OfficeDraft } from '../../../../../shared/contract/office/drafts.ts';
import { DRAFT_ID_HELP } from '../../input/options.ts';
import { toIsoText, toShownTime } from '../../input/times.ts';
import { type Answer, answer } from '../../output/answer.ts';
import { table, UNREADABLE } from '../../output/text.ts';
import { example, type Runner } from '../../session/group.ts';
import type { Session } from '../../session/session.ts';

/**
 * `office share-draft` and `office unshare-draft`: set whether other computers work on a draft too.
 */
async function setDraftSharing({ api }: Session, id: string, isTogether: boolean): Promise<Answer> {
  const draft = DraftId.parse(id);
  await api['office.together']({ draft, isTogether });
  const text = isTogether
    ? 'Computers that share drafts have this draft now. One computer at a time can edit it.'
    : 'Only this computer has the draft now. On other computers it moves to the trash.';
  return answer({ draft, isTogether }, text);
}

/** `office unlock-draft`: unlocks a draft that a computer was to send and no longer will. */
async function freeDraft({ api }: Session, id: string): Promise<Answer> {
  const draft = DraftId.parse(id);
  await api['office.freeDraft']({ draft });
  return answer({ draft, isFree: true }, 'The draft can be edited and sent again.');
}

/** `office drafts`: lists shared drafts, and who is writing each of them now. */
async function listSharedDrafts({ api }: Session): Promise<Answer> {
  const [items, drafts] = await Promise.all([api['office.drafts']({}), api['drafts.list']({})]);
  const rows = items.map((one) => [
    one.draft,
    drafts.find(({ id }) => id === one.draft)?.title ?? '',
    sharedDraftStateText(one),
  ]);
  return answer({ items }, table(['ID', 'TITLE', 'NOW'], rows, 'There are no shared drafts.'));
}

function sharedDraftStateText({ editor, isOwn, isSending, keptBeside }: OfficeDraft): string {
  if (keptBeside !== null) return `version of this computer; ${keptBeside} edited it, too`;
  if (editor === null) return 'not being edited';
  return `${editor}${isOwn ? ' (you)' : ''} ${isSending ? 'is sending it' : 'is editing it'}`;
}

function batchProgressCells({ title, sent, rows, waiting, gate }: OfficeBatch): string[] {
  if (title === null) return ['', ''];
  return [`${String(sent)} of ${String(rows)} sent`, waiting === 0 ? 'finished' : gate];
}

function openRowsText({ needsPerson, givenUp }: OfficeBatch): string {
  const decisions = needsPerson === 0 ? [] : [`${String(needsPerson)} need a decision`];
  return [...decisions, ...(givenUp === 0 ? [] : [`${String(givenUp)} given up`])].join(', ');
}

/** `office batches`: shows the progress of the batches in the outboxes of all computers. */
async function listBatches({ api }: Session): Promise<Answer> {
  const items = await api['office.batches']({});
  const rows = items.map((one) => [
    one.isThisDesk ? `${one.seat} (this computer)` : one.seat,
    ...batchProgressCells(one),
    openRowsText(one),
    toShownTime(one.at),
    one.title ?? UNREADABLE,
  ]);
  const heading = ['AT', 'HOW FAR', 'STATE', '', 'HEARD', 'BATCH'];
  const shownItems = items.map(({ at, ...one }) => ({ ...one, at: toIsoText(at) }));
  return answer({ items: shownItems }, table(heading, rows, 'There are no batches.'));
}

export function addSharedDraftCommands(group: Command, run: Runner): void {
  const together = group
    .command('share-draft')
    .argument('<draft>', DRAFT_ID_HELP)
    .description('share a draft, so that other computers can edit it')
    .action((id: string) => run.withDesk('data', (session) => setDraftSharing(session, id, true)));
  example(together, 'office share-draft 5f0c…');
  const alone = group
    .command('unshare-draft')
    .argument('<draft>', DRAFT_ID_HELP)
    .description('stop sharing a draft')
    .action((id: string) => run.withDesk('data', (session) => setDraftSharing(session, id, false)));
  example(alone, 'office unshare-draft 5f0c…');
  const freeing = group
    .command('unlock-draft')
    .argument('<draft>', DRAFT_ID_HELP)
    .description('unlock a draft that a lost or unreachable computer was sending')
    .action((id: string) => run.withDesk('data', (session) => freeDraft(session, id)));
  example(freeing, 'office unlock-draft 5f0c…');
  const drafts = group
    .command('drafts')
    .description('list the shared drafts, and who is editing them')
    .action(() => run.withDesk('data', listSharedDrafts));
  example(drafts, 'office drafts');
  const batches = group
    .command('batches')
    .description('show the progress of batches on each computer')
    .action(() => run.withDesk('data', listBatches));
  example(batches, 'office batches');
}

import { Option } from 'commander';
import type {
  Draft,
  DraftCheck,
  Problem,
  SendCheck,
  EarlierSend,
} from '../../../../../shared/contract/drafts.ts';
import { ApiName, type DraftId } from '../../../../../shared/model/ids.ts';
import { titleOf } from '../../../../../shared/rules/drafts/check.ts';
import type { OutboxItem } from '../../../../../shared/contract/outbox.ts';
import { type Answer, answer } from '../../output/answer.ts';
import { addDraftWatch } from '../intake/watch.ts';
import { addDraftCopies } from './copies.ts';
import { attachmentNameOf, draftContent, parseDraftId, withFile } from './file.ts';
import { type Exit, exitOf, exits } from '../../output/exit-codes.ts';
import { readBytes, readJson } from '../../input/local-files.ts';
import { connectionNamed, connectionNames } from '../../session/names.ts';
import {
  readSendHold,
  SINGLE_SEND_ADVICE,
  LATER_SEND_ADVICE,
  drainOutbox,
} from '../outbox/sending.ts';
import { whyText } from '../../output/service-words.ts';
import type { Session } from '../../session/session.ts';
import { count, pairs, table } from '../../output/text.ts';
import { parseFrom, toIsoText, toShownTime } from '../../input/times.ts';
import { type AddCommands, example, addFieldHelp } from '../../session/group.ts';
import { choiceOption, confirmOption, DRAFT_ID_HELP, waitOption } from '../../input/options.ts';

interface AddOptions {
  readonly api: ApiName;
  readonly from: string;
  readonly attach?: readonly string[];
  readonly asPdf?: boolean;
}

/** `drafts add`: adds a draft. Reads all files before it stores anything. */
async function addDraft(session: Session, options: AddOptions): Promise<Answer> {
  const { api } = session;
  const content = draftContent(options.api, await readJson(options.from));
  const files = await Promise.all(
    (options.attach ?? []).map(async (file) => ({ file, data: await readBytes(file) })),
  );
  const { id } = await api['drafts.create']({ content, connectionId: null });
  try {
    const { asPdf = false } = options;
    for (const { file, data } of files) {
      await attachFileToDraft(session, id, { name: attachmentNameOf(file), data, asPdf });
    }
  } catch (error) {
    // The draft lacks a requested document, so it is removed.
    await api['drafts.delete']({ id });
    await api['drafts.destroy']({ id });
    throw error;
  }
  return answer({ id }, `Added draft ${id}.`);
}

async function attachFileToDraft(
  session: Session,
  id: DraftId,
  {
    name,
    data,
    asPdf,
  }: { readonly name: string; readonly data: Uint8Array; readonly asPdf: boolean },
): Promise<void> {
  const { api } = session;
  const file = await api['drafts.attach']({ id, name, bytes: session.giveBytes(data), asPdf });
  const { content, revision, connectionId } = await api['drafts.show']({ id });
  await api['drafts.save']({ id, revision, connectionId, content: withFile(content, file, name) });
}

async function listDrafts(session: Session): Promise<Answer> {
  const drafts = await session.api['drafts.list']({});
  const nameOf = await connectionNames(session);
  const items = drafts.map(({ connectionId, updatedAt, ...rest }) => ({
    ...rest,
    connection: connectionId === null ? null : nameOf(connectionId),
    updatedAt: toIsoText(updatedAt),
  }));
  const rows = drafts.map((one) => [
    one.id,
    one.api,
    one.sending === null ? count(one.problems, 'problem') : 'in the outbox',
    toShownTime(one.updatedAt),
    one.title,
  ]);
  const text = table(['ID', 'API', 'STATE', 'SAVED', 'TITLE'], rows, 'There are no drafts.');
  return answer({ items }, text);
}

/** `drafts show`: shows the whole body, with the API's own field names. */
async function showDraft(session: Session, text: string): Promise<Answer> {
  const draft = await session.api['drafts.show']({ id: parseDraftId(text) });
  const { connectionId, content, ...rest } = draft;
  const nameOf = await connectionNames(session);
  const value = {
    ...rest,
    connection: connectionId === null ? null : nameOf(connectionId),
    ...content,
    createdAt: toIsoText(draft.createdAt),
    updatedAt: toIsoText(draft.updatedAt),
  };
  return answer(value, draftText(draft));
}

async function deleteDraft({ api }: Session, text: string): Promise<Answer> {
  await api['drafts.delete']({ id: parseDraftId(text) });
  return answer({}, 'The draft is in the trash.');
}

/**
 * `drafts check`: checks a draft. Problems are the result of the check, so they are its value and
 * not an error.
 */
async function checkDraft(
  session: Session,
  text: string,
  { connection }: { readonly connection?: string } = {},
): Promise<Answer> {
  const id = parseDraftId(text);
  const through =
    connection === undefined
      ? {}
      : { connectionId: (await connectionNamed(session, connection)).id };
  const check = await session.api['drafts.check']({ id, ...through });
  const { errors, warnings, contacts } = check;
  const sentBefore = check.sentBefore.map(({ ref, remoteId, title, people, at, isSent }) => ({
    ref,
    agreement: remoteId,
    title,
    people: namedPeople(people),
    isSent,
    at: toIsoText(at),
  }));
  const exit = errors.length === 0 ? exits.done : exits.invalid;
  return answer({ errors, warnings, contacts, sentBefore }, checkText(check), exit);
}

interface SendOptions {
  readonly connection: string;
  readonly confirm: number;
  readonly queue?: boolean;
  readonly at?: number;
  readonly again?: boolean;
}

/**
 * Delay of sending, longer than a command runs, so that the draft is not sent while the command
 * ends.
 */
const QUEUE_HOLD_SECONDS = 30;

/**
 * `drafts send`: sends a draft and reports its outcome. With `--queue`, the draft waits in the
 * outbox for `outbox run` or for the user at the window. With `--at`, the draft waits for that time
 * first.
 */
async function sendDraft(
  session: Session,
  text: string,
  { connection, confirm, queue = false, at, again = false }: SendOptions,
): Promise<Answer> {
  const { api, report } = session;
  const { id: connectionId } = await connectionNamed(session, connection);
  const waits = queue || at !== undefined;
  const hold = waits ? QUEUE_HOLD_SECONDS : 0;
  const id = parseDraftId(text);
  const { sentBefore } = await api['drafts.check']({ id, connectionId });
  for (const one of sentBefore) report.note(sentBeforeText(one));
  const seen = again ? sentBefore.map(({ key }) => key) : [];
  const input = { id, connectionId, confirm, holdSeconds: hold, again: seen };
  const { ref } = await api['drafts.send'](at === undefined ? input : { ...input, sendAt: at });
  const isStopped = !waits && (await drainOutbox(session));
  const item = await api['outbox.show']({ ref });
  const { state, remoteId, reason } = item;
  if (reason !== null) report.note(whyText(state, reason));
  if (at !== undefined) report.note(`Not sent before ${toShownTime(at)}: ${LATER_SEND_ADVICE}.`);
  else if (state === 'queued') report.note(`Not sent yet: ${SINGLE_SEND_ADVICE}.`);
  const value = {
    ref,
    state,
    ...(remoteId !== null && { remoteId }),
    ...(at !== undefined && { sendAt: toIsoText(at) }),
  };
  const said = `${ref} ${state}${remoteId === null ? '' : ` as ${remoteId}`}`;
  if (isStopped) return answer(value, said, exits.stopped);
  return answer(value, said, waits ? exits.done : await exitOfItem(session, item));
}

/** Returns the exit code for the state of an outbox row. */
async function exitOfItem(session: Session, item: OutboxItem): Promise<Exit> {
  const { state, reason, connectionId } = item;
  switch (state) {
    case 'sent':
      return exits.done;
    case 'unknown':
    case 'sending':
    case 'absent':
    case 'human':
    case 'duplicate':
      return exits.personDecides;
    case 'queued':
      return reason === null ? (await readSendHold(session, connectionId)).exit : exitOf(reason);
    case 'rejected':
      return exits.invalid;
    case 'abandoned':
    case 'cancelled':
      return exits.conflict;
  }
}

function draftText(draft: Draft): string {
  return pairs([
    ['Title', titleOf(draft.content)],
    ['ID', draft.id],
    ['API', draft.content.api],
    ['Saved', toShownTime(draft.updatedAt)],
    ...draft.files.map(({ name, bytes }) => ['File', `${name} (${bytes} bytes)`] as const),
  ]);
}

/** The notified people without the owner of the account, whose name only the service knows. */
const namedPeople = (people: readonly string[]): readonly string[] =>
  people.filter((name) => name !== '');

function sentBeforeText({ ref, remoteId, at, title, people, isSent }: EarlierSend): string {
  const state = isSent ? '' : ' (it is not known whether it arrived)';
  const elsewhere = ref === null ? `, from elsewhere, as ${remoteId ?? ''}` : '';
  return `The same agreement was sent on ${toShownTime(at)}: "${title}" to ${namedPeople(people).join(', ')}${elsewhere}${state}`;
}

function checkText({
  errors,
  warnings,
  contacts,
  recipients,
  later,
  sentBefore,
}: SendCheck): string {
  const said = (kind: string) => (one: Problem) => [kind, `${one.field}: ${one.message}`] as const;
  const { people, emails, sms } = contacts;
  return pairs([
    ...errors.map(said('Error')),
    ...warnings.map(said('Warning')),
    ...recipients.map((one) => ['Notifies', recipientText(one)] as const),
    ...later.map(({ address }) => ['Notifies later', address] as const),
    ...sentBefore.map((one) => ['Sent before', sentBeforeText(one)] as const),
    [
      'In total',
      [count(people, 'person', 'people'), count(emails, 'email'), count(sms, 'text message')].join(
        ', ',
      ),
    ],
  ]);
}

/**
 * Returns the text of a recipient. Only the service knows the owner's name and address, so they are
 * empty in the check.
 */
function recipientText({ name, medium, address }: DraftCheck['recipients'][number]): string {
  return address === '' ? `the owner of the account (${medium})` : `${name} (${medium} ${address})`;
}

export const draftCommands: AddCommands = (group, run) => {
  const add = group
    .command('add')
    .description('add a draft from a JSON file, with its attachments')
    .addOption(
      choiceOption('--api <api>', 'API of the JSON file', ApiName.options).makeOptionMandatory(),
    )
    .requiredOption(
      '--from <file.json>',
      'JSON file of an agreement, in the form that the API requires, without attachment data',
    )
    .option('--attach <file...>', 'files to attach, in this order')
    .option(
      '--as-pdf',
      'convert Word, OpenDocument, RTF, JPEG and PNG files to PDF (always for v2)',
    )
    .action((options: AddOptions) => run.withDesk('data', (session) => addDraft(session, options)));
  addFieldHelp(add);
  example(add, 'drafts add --api v1 --from lease.json --attach lease.pdf');
  const list = group
    .command('list')
    .description('list the drafts')
    .action(() => run.withDesk('data', listDrafts));
  example(list, 'drafts list --json');
  for (const [name, about, work] of [
    ['show', 'show all details of a draft', showDraft],
    ['delete', 'move a draft to the trash', deleteDraft],
  ] as const) {
    const command = group
      .command(name)
      .argument('<id>', DRAFT_ID_HELP)
      .description(about)
      .action((id: string) => run.withDesk('data', (session) => work(session, id)));
    example(command, `drafts ${name} 0b1f8a52-6c1e-4a53-9a7e-2f1f9f0c8d11`);
  }
  const check = group
    .command('check')
    .argument('<id>', DRAFT_ID_HELP)
    .description('list the errors of a draft, and the people it will notify')
    .option(
      '--connection <name>',
      'also list recipients that this connection is not allowed to contact',
    )
    .action((id: string, options: { readonly connection?: string }) =>
      run.withDesk('data', (session) => checkDraft(session, id, options)),
    );
  example(check, 'drafts check 0b1f8a52-6c1e-4a53-9a7e-2f1f9f0c8d11 --connection Trial');
  addDraftCopies(group, run);
  addDraftWatch(group, run);
  const send = group
    .command('send')
    .argument('<id>', DRAFT_ID_HELP)
    .description('send a draft once, and show the result')
    .requiredOption('--connection <name>', 'connection to send with (see `connections list`)')
    .addOption(confirmOption())
    .option('--queue', `only put the draft in the outbox: ${SINGLE_SEND_ADVICE}`)
    .addOption(
      new Option('--at <time>', `send the draft at this time: ${LATER_SEND_ADVICE}`)
        .argParser(parseFrom)
        .conflicts('queue'),
    )
    .addOption(waitOption())
    .option('--again', 'send the draft even if the same agreement was sent before')
    .action((id: string, options: SendOptions) =>
      run.withDesk('data', (session) => sendDraft(session, id, options)),
    );
  const named = '0b1f8a52-6c1e-4a53-9a7e-2f1f9f0c8d11 --connection Office';
  example(send, `drafts send ${named} --confirm 1`);
};

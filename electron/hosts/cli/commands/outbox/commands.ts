import { InvalidArgumentError } from 'commander';
import { AgreementId, OutboxRef } from '../../../../../shared/model/ids.ts';
import type { OutboxItem, ManualDecision } from '../../../../../shared/contract/outbox.ts';
import { AppError } from '../../../../../shared/errors.ts';
import { type Answer, answer, failedItem } from '../../output/answer.ts';
import { type Exit, exits } from '../../output/exit-codes.ts';
import { connectionNames } from '../../session/names.ts';
import { readUnsettledItems } from './items.ts';
import { readSendHold, SINGLE_SEND_ADVICE, isDoubtful, drainOutbox } from './sending.ts';
import { whyText } from '../../output/service-words.ts';
import type { Session } from '../../session/session.ts';
import { count, table } from '../../output/text.ts';
import { toIsoText, toShownTime } from '../../input/times.ts';
import { type AddCommands, example } from '../../session/group.ts';

async function listOutbox(session: Session): Promise<Answer> {
  return itemsAnswer(session, await readUnsettledItems(session));
}

/**
 * `outbox run`: sends until nothing can continue without a later time or a decision, or until
 * Ctrl+C. Rows that an earlier run left wait for the user's consent, and this command counts as
 * consent. Two kinds of rows still wait. Replacements of a send that turned out to be done wait,
 * since the agreement would be sent twice. Rows whose chosen time was missed wait, since a
 * scheduler may have started this command.
 */
async function runOutbox(session: Session): Promise<Answer> {
  const { api } = session;
  let isStopped = await drainOutbox(session);
  const paused = new Set(
    (await api['outbox.gates']({})).flatMap((one) => (one.kind === 'user' ? one.connectionId : [])),
  );
  const left = (await api['outbox.list']({})).filter(
    (item) =>
      item.kind === 'create' &&
      isWaitingForUser(item) &&
      !needsUserDecision(item) &&
      !paused.has(item.connectionId),
  );
  if (left.length > 0 && !isStopped) {
    for (const { ref } of left) await api['outbox.sendNow']({ ref });
    isStopped = await drainOutbox(session);
  }
  const items = await readUnsettledItems(session);
  const found = await itemsAnswer(session, items);
  if (isStopped) return { ...found, exit: exits.stopped };
  if (items.some((item) => isDoubtful(item) || needsUserDecision(item))) {
    return { ...found, exit: exits.personDecides };
  }
  return { ...found, exit: await exitOfQueued(session, items) };
}

/** Whether a row waits for the user, not for a time. */
const isWaitingForUser = ({ state, nextAt }: OutboxItem): boolean =>
  state === 'queued' && nextAt === null;

/**
 * Whether the user must decide about this row alone: the send that it was to replace was done after
 * all, or its time passed.
 */
const needsUserDecision = (item: OutboxItem): boolean =>
  isWaitingForUser(item) &&
  ['replaced-sent', 'replaced-unproved', 'time-missed'].includes(item.reason?.reason ?? '');

/**
 * Returns the exit code for queued rows. Waiting for a chosen time is not a problem; a connection that
 * holds rows back is.
 */
async function exitOfQueued(session: Session, items: readonly OutboxItem[]): Promise<Exit> {
  const queued = items.filter(({ state, isScheduled }) => state === 'queued' && !isScheduled);
  for (const connectionId of new Set(queued.map((one) => one.connectionId))) {
    const { exit, isHeld } = await readSendHold(session, connectionId);
    if (isHeld) return exit;
  }
  // The service refused these rows, and the program looks for their agreements. They are sent
  // later, or the user settles them sooner.
  return queued.some(({ verify }) => verify) ? exits.personDecides : exits.done;
}

async function showOutbox(session: Session, ref: string): Promise<Answer> {
  const found = await session.api['outbox.history']({ ref: parseOutboxRef(ref) });
  const nameOf = await connectionNames(session);
  const { item, attempts, passes, candidates } = found;
  const history = { attempts, passes, candidates };
  const value = { ...shownItem(item, nameOf(item.connectionId)), history };
  const known = [
    `Attempts: ${String(attempts.length)}. Checks of the service: ${String(passes.length)}.`,
    ...candidates.map(({ id, title, isMarked }) => {
      return `On the service, this ${isMarked ? 'is' : 'may be'} ${id}, ${title}.`;
    }),
  ];
  return answer(value, [outboxText([item]), ...known].join('\n'));
}

/** `outbox cancel`: cancels rows that were not sent; their drafts can be edited again. */
async function cancelOutbox(session: Session, refs: readonly string[]): Promise<Answer> {
  const cancelled: object[] = [];
  for (const ref of refs.map(parseOutboxRef)) {
    cancelled.push({ ref, ...(await session.api['outbox.undo']({ ref })) });
  }
  const text = `Returned ${count(cancelled.length, 'agreement')} to the drafts.`;
  return answer({ cancelled }, text);
}

/** Parses `sent:ID`, `keep:ID`, `resend` or `abandon`. */
function parseDecision(text: string): ManualDecision {
  if (text === 'abandon' || text === 'resend') return { as: text };
  const [word, ...rest] = text.split(':');
  const id = AgreementId.safeParse(rest.join(':'));
  if (id.success && word === 'sent') return { as: 'sent', remoteId: id.data };
  if (id.success && word === 'keep') return { as: 'keep', remoteId: id.data };
  throw new InvalidArgumentError('Write sent:ID, keep:ID, resend or abandon.');
}

/**
 * `outbox settle`: records the user's decision about an unknown outcome, or about a row that waits
 * for the user.
 */
async function settleOutbox(
  session: Session,
  ref: string,
  { as: decision }: { readonly as: ManualDecision },
): Promise<Answer> {
  const settled = await settledItem(session, parseOutboxRef(ref), decision);
  if (settled.state === 'queued') session.report.note(`Not sent yet: ${SINGLE_SEND_ADVICE}.`);
  return itemAnswer(session, settled);
}

/**
 * Settles a row. If the row was never sent and waits for the user, sending it does not send it
 * again.
 */
async function settledItem(
  { api }: Session,
  ref: OutboxRef,
  decision: ManualDecision,
): Promise<OutboxItem> {
  const isSend = decision.as === 'resend' && isWaitingForUser(await api['outbox.show']({ ref }));
  return isSend ? api['outbox.sendNow']({ ref }) : api['outbox.settle']({ ref, decision });
}

async function itemAnswer(session: Session, item: OutboxItem): Promise<Answer> {
  const nameOf = await connectionNames(session);
  return answer(shownItem(item, nameOf(item.connectionId)), outboxText([item]));
}

async function itemsAnswer(session: Session, items: readonly OutboxItem[]): Promise<Answer> {
  const nameOf = await connectionNames(session);
  const values = items.map((item) => shownItem(item, nameOf(item.connectionId)));
  return answer({ items: values }, outboxText(items));
}

function shownItem(item: OutboxItem, connection: string): object {
  const { ref, kind, state, title, remoteId, attempts, nextAt, chosenAt, doubt, reason } = item;
  const knownAt = doubt?.knownAt ?? null;
  return {
    ref,
    kind,
    state,
    title,
    connection,
    attempts,
    ...(remoteId !== null && { remoteId }),
    ...(nextAt !== null && { nextAt: toIsoText(nextAt) }),
    ...(chosenAt !== null && { chosenAt: toIsoText(chosenAt) }),
    ...(knownAt !== null && { knownAt: toIsoText(knownAt) }),
    ...(reason !== null && { reason: failedItem(reason) }),
  };
}

function outboxText(items: readonly OutboxItem[]): string {
  const rows = items.map((one) => [
    ...[
      one.ref,
      one.kind,
      one.state,
      String(one.attempts),
      toShownTime(nextTimeOf(one)),
      one.title,
    ],
    one.reason === null ? '' : whyText(one.state, one.reason),
  ]);
  const heading = ['REF', 'KIND', 'STATE', 'TRIES', 'NEXT', 'TITLE', 'WHY'];
  return table(heading, rows, 'The outbox is empty.');
}

/**
 * Returns the next time at which a row can move. For an unknown outcome, it is the time at which
 * the outcome is known.
 */
const nextTimeOf = ({ nextAt, doubt }: OutboxItem): number | null => doubt?.knownAt ?? nextAt;

function parseOutboxRef(text: string): OutboxRef {
  const parsed = OutboxRef.safeParse(text);
  if (parsed.success) return parsed.data;
  throw new AppError('not-found', `The outbox has no send with the reference ${text}`);
}

const SEND_REFERENCE_HELP = 'reference of the send, as `outbox list` shows it';
const DECISIONS_HELP = `
Decisions:
  sent:<ID>   the agreement was sent, and has this ID on the service
  keep:<ID>   the agreement was sent twice, and the one with this ID counts
  resend      the agreement was not sent: send it now
  abandon     the agreement is not to be sent: return it to the drafts`;
const EXAMPLE_REF = '7d3c1a90-52c4-4f7e-8a35-0c9f5b1e2d64';

export const outboxCommands: AddCommands = (group, run) => {
  for (const [name, about, work] of [
    ['list', 'list pending agreements, and agreements sent in the last 30 days', listOutbox],
    ['run', 'send everything that is due', runOutbox],
  ] as const) {
    const command = group
      .command(name)
      .description(about)
      .action(() => run.withDesk('data', work));
    example(command, `outbox ${name} --json`);
  }
  const show = group
    .command('show')
    .argument('<ref>', SEND_REFERENCE_HELP)
    .description('show a send, its attempts, and agreements on the service that may be its result')
    .action((ref: string) => run.withDesk('data', (session) => showOutbox(session, ref)));
  example(show, `outbox show ${EXAMPLE_REF}`);
  const cancel = group
    .command('cancel')
    .argument('<ref...>', SEND_REFERENCE_HELP)
    .description('return unsent agreements to the drafts')
    .action((refs: readonly string[]) =>
      run.withDesk('data', (session) => cancelOutbox(session, refs)),
    );
  example(cancel, `outbox cancel ${EXAMPLE_REF}`);
  const settle = group
    .command('settle')
    .argument('<ref>', SEND_REFERENCE_HELP)
    .description('record your decision about an unknown outcome or a held send')
    .requiredOption(
      '--as <decision>',
      'your decision: `sent:<ID>`, `keep:<ID>`, `resend` or `abandon`; see below',
      parseDecision,
    )
    .addHelpText('after', DECISIONS_HELP)
    .action((ref: string, options: { readonly as: ManualDecision }) =>
      run.withDesk('data', (session) => settleOutbox(session, ref, options)),
    );
  example(settle, `outbox settle ${EXAMPLE_REF} --as sent:004711000001`);
};

import type { Command } from 'commander';
import { NewRecipients } from '../../../../../shared/contract/actions.ts';
import type { AgreementKey } from '../../../../../shared/model/ids.ts';
import { AppError } from '../../../../../shared/errors.ts';
import { movesWith } from '../../../../../shared/rules/actions/email-correction.ts';
import { type Answer, answer } from '../../output/answer.ts';
import { notificationNamed, notificationsOf, partyNamed } from './parties.ts';
import { type Exit, exitOf, exits } from '../../output/exit-codes.ts';
import { example, type Runner } from '../../session/group.ts';
import { readJson } from '../../input/local-files.ts';
import { agreementNamed } from '../../session/names.ts';
import { wholeOption } from '../../input/options.ts';
import type { Session } from '../../session/session.ts';
import { untilOption } from '../../input/times.ts';
import { UsageError } from '../../input/usage.ts';

interface ChangeOptions {
  readonly expireOn?: number;
  readonly deleteOn?: number;
}
interface EmailOptions {
  readonly party: string;
  readonly to: string;
  readonly notify?: boolean;
}
interface PlaceOptions {
  readonly party: string;
  readonly notification: string;
}
interface RecipientOptions extends PlaceOptions {
  readonly set: string;
  readonly confirm?: number;
}

type Outcome =
  | { readonly outcome: 'done' | 'changed' }
  | { readonly outcome: 'unknown'; readonly failure: { readonly message: string } };

/** `agreements change` */
async function changeAgreement(
  session: Session,
  id: string,
  { expireOn, deleteOn }: ChangeOptions,
): Promise<Answer> {
  const key = await agreementNamed(session, id);
  const outcome = await session.api['actions.change']({
    key,
    ...(expireOn === undefined ? {} : { expiresAt: expireOn }),
    ...(deleteOn === undefined ? {} : { deletesAt: deleteOn }),
  });
  return outcomeAnswer(outcome, 'Changed.');
}

function requireDate({ expireOn, deleteOn }: ChangeOptions): void {
  if (expireOn !== undefined || deleteOn !== undefined) return;
  throw new UsageError('Write --expire-on, --delete-on, or both.');
}

/** `agreements email`: says which notifications move to the new address, and which stay. */
async function correctEmail(
  session: Session,
  id: string,
  { party, to, notify = false }: EmailOptions,
): Promise<Answer> {
  const { api } = session;
  const key = await agreementNamed(session, id);
  const partyId = await partyNamed(session, key, party);
  const { parties } = await api['agreements.show']({ ...key, refresh: false });
  const old = parties?.find((one) => one.id === partyId)?.email ?? null;
  const before = notificationsOf(await api['actions.extras']({ key }), partyId);
  const { moved, kept } = movesWith(before, old);
  const outcome = await api['actions.correctEmail']({ key, partyId, address: to, notify });
  const value = { ...outcome, moved, kept };
  if (outcome.outcome !== 'done') return outcomeAnswer(value, '');
  const { state, failure } = outcome.notice;
  const why = failure === null ? '' : `: ${failure.message}`;
  const moves = `Notifications that moved: ${moved.join(', ') || 'none'}; that stay: ${kept.join(', ') || 'none'}.`;
  return answer(value, `${noticed[state]}${why}\n${moves}`, exitOfNotice[state]);
}

const noticed = {
  'not-asked': 'Corrected. Nobody was told: --notify sends the invitation again.',
  reminded: 'Corrected. The invitation is scheduled to be sent again.',
  nobody: 'Corrected, not notified',
  failed: 'Corrected, not notified',
  unknown: 'Corrected. Whether the invitation is sent again is unknown',
} as const;

const exitOfNotice = {
  'not-asked': exits.done,
  reminded: exits.done,
  nobody: exits.inPart,
  failed: exits.inPart,
  unknown: exits.personDecides,
} as const;

/** `agreements recipients`: replaces them all. */
async function replaceRecipients(
  session: Session,
  id: string,
  { set, confirm, ...place }: RecipientOptions,
): Promise<Answer> {
  const recipients = NewRecipients.safeParse(await readJson(set));
  if (!recipients.success) {
    const form = '[{ "medium": "EMAIL", "address": "…" }]';
    throw new AppError('invalid', `The file ${set} is not a list like ${form}`);
  }
  if (recipients.data.length === 0 && confirm !== 1) {
    throw new AppError('invalid', 'An empty list tells nobody any more: add --confirm 1', {
      reason: 'count-differs',
    });
  }
  const where = await placeNamed(session, id, place);
  const nobody = recipients.data.length === 0;
  const input = { ...where, recipients: recipients.data, nobody };
  return outcomeAnswer(
    await session.api['actions.replaceRecipients'](input),
    'Replaced the recipients.',
  );
}

/** `agreements silence` */
async function silence(session: Session, id: string, place: PlaceOptions): Promise<Answer> {
  const where = await placeNamed(session, id, place);
  return outcomeAnswer(await session.api['actions.silence'](where), 'Deleted the notification.');
}

async function placeNamed(
  session: Session,
  id: string,
  { party, notification }: PlaceOptions,
): Promise<{ key: AgreementKey; partyId: string; notificationId: string }> {
  const key = await agreementNamed(session, id);
  const partyId = await partyNamed(session, key, party);
  const notificationId = await notificationNamed(session, key, partyId, notification);
  return { key, partyId, notificationId };
}

const exitOfOutcome: Readonly<Record<Outcome['outcome'], Exit>> = {
  done: exits.done,
  changed: exitOf({ code: 'conflict', message: '' }),
  unknown: exits.personDecides,
};

/** What became of one change; what somebody else changed meanwhile is in the value. */
export function outcomeAnswer(outcome: Outcome, done: string): Answer {
  const changed = 'It was changed on the service meanwhile; nothing was done. Look, and try again.';
  const text =
    outcome.outcome === 'unknown'
      ? `Outcome unknown: ${outcome.failure.message}`
      : { done, changed }[outcome.outcome];
  return answer(outcome, text, exitOfOutcome[outcome.outcome]);
}

/** The changes that only API v1 has, as commands of `agreements`. */
export function addChanges(group: Command, run: Runner): void {
  const change = group
    .command('change <id>')
    .description('v1: change when it expires or is deleted')
    .option('--expire-on <time>', 'a day, whose end is meant, or a time with its zone', untilOption)
    .option('--delete-on <time>', 'the same', untilOption)
    .action((id: string, options: ChangeOptions) => {
      requireDate(options);
      return run.withDesk('data', (session) => changeAgreement(session, id, options));
    });
  example(change, 'agreements change 004711000001 --expire-on 2027-01-31');
  const email = group
    .command('email <id>')
    .description("v1: correct a party's e-mail address")
    .requiredOption('--party <party>', 'its id, name or e-mail address')
    .requiredOption('--to <address>', 'the right address')
    .option('--notify', 'then send the invitation again')
    .action((id: string, options: EmailOptions) =>
      run.withDesk('data', (session) => correctEmail(session, id, options)),
    );
  example(email, 'agreements email 004711000001 --party "Bo Ek" --to bo@example.com --notify');
  const recipients = group
    .command('recipients <id>')
    .description('v1: replace the recipients of a notification')
    .requiredOption('--party <party>', 'its id, name or e-mail address')
    .requiredOption('--notification <notification>', 'its id, or its type')
    .requiredOption('--set <file.json>', '[{ "medium": "EMAIL", "address": "…" }]')
    .addOption(wholeOption('--confirm <count>', 'an empty list has to be confirmed with 1', 0, 1))
    .action((id: string, options: RecipientOptions) =>
      run.withDesk('data', (session) => replaceRecipients(session, id, options)),
    );
  const place = '004711000001 --party "Bo Ek" --notification READY_TO_SIGN';
  example(recipients, `agreements recipients ${place} --set recipients.json`);
  const quiet = group
    .command('silence <id>')
    .description('v1: delete a notification of a party')
    .requiredOption('--party <party>', 'its id, name or e-mail address')
    .requiredOption('--notification <notification>', 'its id, or its type')
    .action((id: string, options: PlaceOptions) =>
      run.withDesk('data', (session) => silence(session, id, options)),
    );
  example(quiet, `agreements silence ${place}`);
}

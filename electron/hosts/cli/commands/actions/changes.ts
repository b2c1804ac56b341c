import type { Command } from 'commander';
import { NewRecipients } from '../../../../../shared/contract/actions.ts';
import type { AgreementKey } from '../../../../../shared/model/ids.ts';
import { AppError } from '../../../../../shared/errors.ts';
import { splitByAddressChange } from '../../../../../shared/rules/actions/email-correction.ts';
import { type Answer, answer } from '../../output/answer.ts';
import { notificationNamed, notificationsOf, partyNamed } from './parties.ts';
import { type Exit, exitOf, exits } from '../../output/exit-codes.ts';
import { example, addExitSixHelp, type Runner } from '../../session/group.ts';
import { readJson } from '../../input/local-files.ts';
import { agreementNamed } from '../../session/names.ts';
import { AGREEMENT_ID_HELP, PARTY_HELP, wholeNumberOption } from '../../input/options.ts';
import type { Session } from '../../session/session.ts';
import { parseUntil } from '../../input/times.ts';
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
interface NotificationPlaceOptions {
  readonly party: string;
  readonly notification: string;
}
interface RecipientOptions extends NotificationPlaceOptions {
  readonly set: string;
  readonly confirm?: number;
}

type ChangeCommandOutcome =
  | { readonly outcome: 'done' | 'changed' }
  | { readonly outcome: 'unknown'; readonly failure: { readonly message: string } };

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
  return outcomeAnswer(outcome, 'Changed the agreement.');
}

function assertDateGiven({ expireOn, deleteOn }: ChangeOptions): void {
  if (expireOn !== undefined || deleteOn !== undefined) return;
  throw new UsageError('Add --expire-on, --delete-on, or both.');
}

/**
 * `agreements email`: corrects an address. Reports which notifications move to the new address, and
 * which stay.
 */
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
  const { moved, kept } = splitByAddressChange(before, old);
  const outcome = await api['actions.correctEmail']({ key, partyId, address: to, notify });
  const value = { ...outcome, moved, kept };
  if (outcome.outcome !== 'done') return outcomeAnswer(value, '');
  const { state, failure } = outcome.notice;
  const why = failure === null ? '' : `: ${failure.message}`;
  const moves = `Notifications sent to the new address: ${moved.join(', ') || 'none'}. Unchanged: ${kept.join(', ') || 'none'}.`;
  return answer(value, `${noticeTexts[state]}${why}\n${moves}`, exitOfNotice[state]);
}

const noticeTexts = {
  'not-asked': 'Corrected. No invitation was sent; --notify sends it again.',
  reminded: 'Corrected. The invitation is scheduled to be sent again.',
  nobody: 'Corrected, but the invitation was not sent again',
  failed: 'Corrected, but the invitation was not sent again',
  unknown: 'Corrected. It is not known whether the invitation is sent again',
} as const;

const exitOfNotice = {
  'not-asked': exits.done,
  reminded: exits.done,
  nobody: exits.inPart,
  failed: exits.inPart,
  unknown: exits.personDecides,
} as const;

async function replaceRecipients(
  session: Session,
  id: string,
  { set, confirm, ...place }: RecipientOptions,
): Promise<Answer> {
  const recipients = NewRecipients.safeParse(await readJson(set));
  if (!recipients.success) {
    const form = '[{ "medium": "EMAIL", "address": "…" }]';
    throw new AppError('invalid', `Nothing was changed: ${set} is not a list like ${form}`);
  }
  if (recipients.data.length === 0 && confirm !== 1) {
    const message = 'An empty list stops this notification. Nothing was changed; add --confirm 1';
    throw new AppError('invalid', message, { reason: 'count-differs' });
  }
  const where = await findNotification(session, id, place);
  const nobody = recipients.data.length === 0;
  const input = { ...where, recipients: recipients.data, nobody };
  return outcomeAnswer(
    await session.api['actions.replaceRecipients'](input),
    'Replaced the recipients.',
  );
}

async function deleteNotification(
  session: Session,
  id: string,
  place: NotificationPlaceOptions,
): Promise<Answer> {
  const where = await findNotification(session, id, place);
  return outcomeAnswer(await session.api['actions.silence'](where), 'Deleted the notification.');
}

async function findNotification(
  session: Session,
  id: string,
  { party, notification }: NotificationPlaceOptions,
): Promise<{ key: AgreementKey; partyId: string; notificationId: string }> {
  const key = await agreementNamed(session, id);
  const partyId = await partyNamed(session, key, party);
  const notificationId = await notificationNamed(session, key, partyId, notification);
  return { key, partyId, notificationId };
}

const exitOfOutcome: Readonly<Record<ChangeCommandOutcome['outcome'], Exit>> = {
  done: exits.done,
  changed: exitOf({ code: 'conflict', message: '' }),
  unknown: exits.personDecides,
};

/**
 * Returns the result of one change; the value includes changes that someone else made at the same
 * time.
 */
export function outcomeAnswer(outcome: ChangeCommandOutcome, done: string): Answer {
  const changed =
    'The agreement has changed on the service. Nothing was done. Check it, and try again.';
  const text =
    outcome.outcome === 'unknown'
      ? `Outcome unknown: ${outcome.failure.message}`
      : { done, changed }[outcome.outcome];
  return answer(outcome, text, exitOfOutcome[outcome.outcome]);
}

const NOTIFICATION_HELP = 'ID or type of the notification, as `agreements notifications` shows it';

/** Adds the `agreements` commands for changes that only API v1 supports. */
export function addChangeCommands(group: Command, run: Runner): void {
  const change = group
    .command('change')
    .argument('<id>', AGREEMENT_ID_HELP)
    .description('v1: change when an agreement expires or is deleted')
    .option(
      '--expire-on <time>',
      'when the agreement expires: at the end of a day, or at a time with a time zone',
      parseUntil,
    )
    .option(
      '--delete-on <time>',
      'when the agreement is deleted: at the end of a day, or at a time with a time zone',
      parseUntil,
    )
    .action((id: string, options: ChangeOptions) => {
      assertDateGiven(options);
      return run.withDesk('data', (session) => changeAgreement(session, id, options));
    });
  example(change, 'agreements change 004711000001 --expire-on 2027-01-31');
  const email = group
    .command('email')
    .argument('<id>', AGREEMENT_ID_HELP)
    .description('v1: correct the email address of a party')
    .requiredOption('--party <party>', PARTY_HELP)
    .requiredOption('--to <address>', 'the correct email address')
    .option('--notify', 'send the invitation again to the correct address')
    .action((id: string, options: EmailOptions) =>
      run.withDesk('data', (session) => correctEmail(session, id, options)),
    );
  addExitSixHelp(email, 'the address was corrected, but the invitation was not sent again');
  example(email, 'agreements email 004711000001 --party "Bo Ek" --to bo@example.com --notify');
  const recipients = group
    .command('recipients')
    .argument('<id>', AGREEMENT_ID_HELP)
    .description('v1: replace all recipients of a notification')
    .requiredOption('--party <party>', PARTY_HELP)
    .requiredOption('--notification <notification>', NOTIFICATION_HELP)
    .requiredOption(
      '--set <file.json>',
      'file with the recipients: [{ "medium": "EMAIL", "address": "…" }]',
    )
    .addOption(
      wholeNumberOption(
        '--confirm <count>',
        'required if the list of recipients is empty: enter 1',
        0,
        1,
      ),
    )
    .action((id: string, options: RecipientOptions) =>
      run.withDesk('data', (session) => replaceRecipients(session, id, options)),
    );
  const place = '004711000001 --party "Bo Ek" --notification READY_TO_SIGN';
  example(recipients, `agreements recipients ${place} --set recipients.json`);
  const deleting = group
    .command('delete-notification')
    .argument('<id>', AGREEMENT_ID_HELP)
    .description('v1: delete a notification of a party')
    .requiredOption('--party <party>', PARTY_HELP)
    .requiredOption('--notification <notification>', NOTIFICATION_HELP)
    .action((id: string, options: NotificationPlaceOptions) =>
      run.withDesk('data', (session) => deleteNotification(session, id, options)),
    );
  example(deleting, `agreements delete-notification ${place}`);
}

import type { Command } from 'commander';
import { ActionsResult } from '../../../../../shared/contract/actions.ts';
import type { AgreementKey, JobId } from '../../../../../shared/model/ids.ts';
import { type Answer, answer, failedItem } from '../../output/answer.ts';
import { partyNamed } from './parties.ts';
import { type Exit, exits } from '../../output/exit-codes.ts';
import { example, addExitSixHelp, type Runner } from '../../session/group.ts';
import { exitOfJob, followJob } from '../../session/jobs.ts';
import { agreementsNamed, connectionNames } from '../../session/names.ts';
import { AGREEMENT_ID_HELP, confirmOption, PARTY_HELP } from '../../input/options.ts';
import type { Session } from '../../session/session.ts';
import { parseUntil } from '../../input/times.ts';
import { plain } from '../../output/text.ts';

interface ConfirmOption {
  readonly confirm: number;
}
interface ExpiryOptions extends ConfirmOption {
  readonly on: number;
}
interface RemindOptions extends ConfirmOption {
  readonly party?: string;
}

async function revokeAgreements(
  session: Session,
  ids: readonly string[],
  { confirm }: ConfirmOption,
): Promise<Answer> {
  const keys = await agreementsNamed(session, ids);
  const { jobId } = await session.api['actions.revoke']({ keys, confirm });
  return answerAfterJob(session, jobId, 'Revoking', 'Revoked');
}

async function deleteAgreements(
  session: Session,
  ids: readonly string[],
  { confirm, archiveTo }: ConfirmOption & { readonly archiveTo?: string },
): Promise<Answer> {
  const keys = await agreementsNamed(session, ids);
  const archive = archiveTo === undefined ? {} : { archiveTo };
  const { jobId } = await session.api['actions.remove']({ keys, confirm, ...archive });
  return answerAfterJob(session, jobId, 'Deleting', 'Deleted');
}

/** `agreements remind`: reminds the named party, or every party whose turn it is. */
async function remindAgreements(
  session: Session,
  ids: readonly string[],
  { confirm, party }: RemindOptions,
): Promise<Answer> {
  const keys = await agreementsNamed(session, ids);
  const targets = await Promise.all(
    keys.map(async (key) => ({ ...key, ...(await optionalPartyOf(session, key, party)) })),
  );
  const { jobId } = await session.api['actions.remind']({ targets, confirm });
  return answerAfterJob(session, jobId, 'Reminding', 'Scheduled to be sent again');
}

async function setExpiry(
  session: Session,
  ids: readonly string[],
  { confirm, on }: ExpiryOptions,
): Promise<Answer> {
  const keys = await agreementsNamed(session, ids);
  const { jobId } = await session.api['actions.setExpiry']({ keys, expiresAt: on, confirm });
  return answerAfterJob(session, jobId, 'Changing', 'Changed');
}

async function optionalPartyOf(
  session: Session,
  key: AgreementKey,
  party: string | undefined,
): Promise<{ partyId?: string }> {
  return party === undefined ? {} : { partyId: await partyNamed(session, key, party) };
}

async function answerAfterJob(
  session: Session,
  jobId: JobId,
  doing: string,
  done: string,
): Promise<Answer> {
  const job = await followJob(session, jobId, doing);
  const result = ActionsResult.parse(job.result);
  const nameOf = await connectionNames(session);
  const value = {
    done: result.done.map(({ connectionId, ...one }) => ({
      connection: nameOf(connectionId),
      ...one,
    })),
    failed: result.failed.map(({ id, failure }) => ({ id, ...failedItem(failure) })),
    unknown: result.unknown.map(({ id, title }) => ({ id, title })),
  };
  const said = [
    ...result.done.map((one) => doneLine(done, one)),
    ...result.failed.map(({ title, failure }) => `Failed: ${plain(title)}: ${failure.message}`),
    ...result.unknown.map(({ title }) => `Outcome unknown: ${plain(title)}`),
  ];
  return answer(value, said.join('\n'), exitOfJob(job, exitOfActions(result)));
}

function doneLine(done: string, one: ActionsResult['done'][number]): string {
  const before = one.wasAlready ? ' (it already was)' : '';
  const words = one.told === null ? '' : ` - ${plain(one.told)}`;
  return `${done}: ${plain(one.title)}${before}${words}`;
}

function exitOfActions({ failed, unknown }: ActionsResult): Exit {
  if (unknown.length > 0) return exits.personDecides;
  return failed.length > 0 ? exits.inPart : exits.done;
}

const SOME_FAILED_HELP = 'some agreements failed; the output lists each one';

/** Adds the `agreements` commands that take several agreements. */
export function addBulkCommands(group: Command, run: Runner): void {
  const revoke = group
    .command('revoke')
    .argument('<id...>', AGREEMENT_ID_HELP)
    .description('revoke agreements, which then can no longer be signed')
    .addOption(confirmOption())
    .action((ids: readonly string[], options: ConfirmOption) =>
      run.withDesk('data', (session) => revokeAgreements(session, ids, options)),
    );
  addExitSixHelp(revoke, SOME_FAILED_HELP);
  example(revoke, 'agreements revoke Office:004711000001 --confirm 1');
  const remove = group
    .command('delete')
    .argument('<id...>', AGREEMENT_ID_HELP)
    .description('delete agreements permanently, with their attachments and history')
    .addOption(confirmOption())
    .option(
      '--archive-to <dir>',
      'save signed agreements in this folder first; agreements that cannot be saved are not deleted',
    )
    .action((ids: readonly string[], options: ConfirmOption & { readonly archiveTo?: string }) =>
      run.withDesk('data', (session) => deleteAgreements(session, ids, options)),
    );
  addExitSixHelp(remove, SOME_FAILED_HELP);
  example(remove, 'agreements delete Old:004711000001 --confirm 1 --archive-to ./archive');
  const remind = group
    .command('remind')
    .argument('<id...>', AGREEMENT_ID_HELP)
    .description('v1: send the invitation again to the parties whose turn it is')
    .option('--party <party>', `remind only this party: ${PARTY_HELP}`)
    .addOption(confirmOption())
    .action((ids: readonly string[], options: RemindOptions) =>
      run.withDesk('data', (session) => remindAgreements(session, ids, options)),
    );
  addExitSixHelp(remind, SOME_FAILED_HELP);
  example(remind, 'agreements remind 004711000001 --confirm 1');
  const expiry = group
    .command('expiry')
    .argument('<id...>', AGREEMENT_ID_HELP)
    .description('v1: change when agreements expire')
    .requiredOption(
      '--on <time>',
      'when the agreements expire: at the end of a day, or at a time with a time zone',
      parseUntil,
    )
    .addOption(confirmOption())
    .action((ids: readonly string[], options: ExpiryOptions) =>
      run.withDesk('data', (session) => setExpiry(session, ids, options)),
    );
  addExitSixHelp(expiry, SOME_FAILED_HELP);
  example(expiry, 'agreements expiry 004711000001 004711000002 --on 2027-01-31 --confirm 2');
}

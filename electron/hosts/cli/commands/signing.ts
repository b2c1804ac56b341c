import { Option } from 'commander';
import type { AgreementKey } from '../../../../shared/model/ids.ts';
import { OpenedReview, type SigningItem, SignResult } from '../../../../shared/contract/signing.ts';
import { AppError, type Failure } from '../../../../shared/errors.ts';
import { type Answer, answer, failedItem } from '../output/answer.ts';
import { type Exit, exits } from '../output/exit-codes.ts';
import { identityFor, identityNamed } from './identities.ts';
import { exitOfJob, followJob } from '../session/jobs.ts';
import {
  agreementNamed,
  agreementsNamed,
  connectionNames,
  connectionQuery,
} from '../session/names.ts';
import type { Session } from '../session/session.ts';
import { plain, table } from '../output/text.ts';
import { toIsoText, toShownTime } from '../input/times.ts';
import { type AddCommands, example, addExitSixHelp } from '../session/group.ts';
import { AGREEMENT_ID_HELP, confirmOption, connectionOption } from '../input/options.ts';

/** `signing list`: lists agreements that wait for a signature of the company. */
async function listSigning(
  session: Session,
  { connection }: { readonly connection?: string },
): Promise<Answer> {
  const found = await session.api['signing.list'](await connectionQuery(session, connection));
  const nameOf = await connectionNames(session);
  const items = found.map((one) => ({
    connection: nameOf(one.connectionId),
    id: one.id,
    party: one.partyName,
    title: one.title,
    state: one.state,
    since: toIsoText(one.since),
    expiresAt: toIsoText(one.expiresAt),
    reviewed: one.review === null || !one.review.isCurrent ? null : toIsoText(one.review.at),
    approved: one.approval === null ? null : toIsoText(one.approval.at),
  }));
  const rows = found.map((one) => [
    ...[one.id, nameOf(one.connectionId), one.state, one.partyName],
    ...[toShownTime(one.expiresAt), reviewStateText(one), one.title],
  ]);
  await noteOtherCompanies(session, connection);
  const heading = ['ID', 'CONNECTION', 'STATE', 'PARTY', 'EXPIRES', 'REVIEWED', 'TITLE'];
  return answer({ items }, table(heading, rows, 'No agreements are waiting for a signature.'));
}

/** Names connections whose agreements all name other companies than ours. */
async function noteOtherCompanies(session: Session, connection: string | undefined): Promise<void> {
  const query = await connectionQuery(session, connection);
  const nameOf = await connectionNames(session);
  for (const { connectionId, count, orgNos } of await session.api['signing.otherCompanies'](
    query,
  )) {
    const name = nameOf(connectionId);
    const which =
      count === 1
        ? '1 agreement names another organisation number'
        : `${count} agreements name other organisation numbers`;
    session.report.note(
      `${plain(name)}: ${which}: ${orgNos.map(plain).join(', ')}. If one of these is yours, use: connections org-no`,
    );
  }
}

function reviewStateText({ review, approval, readable }: SigningItem): string {
  if (review === null) return readable ? 'no' : 'no preview';
  if (!review.isCurrent) return 'changed';
  return approval === null ? 'yes' : 'approved';
}

interface ReviewOptions {
  readonly as?: string;
  readonly elsewhere?: true;
}

/**
 * `signing review`: fetches the documents to be signed and records their hashes. If an API provides
 * them only after the end, the user states that they were read in another program.
 */
export async function review(
  session: Session,
  id: string,
  { as: identity, elsewhere }: ReviewOptions,
): Promise<Answer> {
  const { id: identityId } = await identityFor(session, identity);
  const key = await agreementNamed(session, id);
  if (elsewhere === true) {
    const { number } = await session.api['signing.markReviewed']({ ...key, identityId });
    const recorded = `Recorded as reviewed elsewhere, evidence entry ${number}.${await approvalText(session)}`;
    return answer({ files: [], entry: number }, recorded);
  }
  const { jobId } = await session.api['signing.review'](key);
  const job = await followJob(session, jobId, 'Fetching documents');
  const { reviewId, documents } = OpenedReview.parse(job.result);
  const { number } = await session.api['signing.markReviewed']({ ...key, reviewId, identityId });
  const files = documents.map(({ name, bytes, sha256 }) => ({ name, bytes, sha256 }));
  const rows = files.map(({ name, bytes, sha256 }) => [name, String(bytes), sha256]);
  const text = table(['NAME', 'BYTES', 'SHA-256'], rows, 'The agreement has no documents.');
  return answer(
    { files, entry: number },
    `${text}\nReviewed, evidence entry ${number}.${await approvalText(session)}`,
  );
}

/** Text about the approval that a review needs before the agreement can be signed. */
async function approvalText({ api }: Session): Promise<string> {
  const { fourEyes, fourEyesElsewhere } = await api['settings.read']({});
  if (!fourEyes) return '';
  return fourEyesElsewhere
    ? ' Another computer of the office has to approve the review.'
    : ' A second person has to approve the review.';
}

/** `signing approve`: records the consent of a second person. */
async function approveReview(
  session: Session,
  id: string,
  { as: identity }: { readonly as: string },
): Promise<Answer> {
  const { id: identityId } = await identityNamed(session, identity);
  const key = await agreementNamed(session, id);
  const { number } = await session.api['signing.approve']({ ...key, identityId });
  return answer({ entry: number }, `Approved, evidence entry ${number}.`);
}

interface SignOptions {
  readonly as: string;
  readonly confirm: number;
  readonly stopOnFailure?: true;
}

/** `signing sign`: signs for the company, as a named person. A signature cannot be undone. */
export async function sign(
  session: Session,
  ids: readonly string[],
  { as: identity, confirm, stopOnFailure }: SignOptions,
): Promise<Answer> {
  const { id: identityId } = await identityNamed(session, identity);
  const waiting = await session.api['signing.list']({});
  const keys = await agreementsNamed(session, ids);
  const items = keys.map((key) => findSigningItem(waiting, key));
  for (const { title, allowed } of items) {
    if (allowed === null || allowed.includes(identityId)) continue;
    const who = `${identity} is not one of the people who may sign "${title}"`;
    session.report.note(`${who}. The service will probably refuse the signature.`);
  }
  const { jobId } = await session.api['signing.sign']({
    items: items.map(({ connectionId, id, partyId }) => ({ connectionId, id, partyId })),
    identityId,
    confirm,
    stopOnFailure: stopOnFailure === true,
  });
  const job = await followJob(session, jobId, 'Signing');
  const result = SignResult.parse(job.result);
  const { signed, failed, unknown } = await withConnectionNames(session, result);
  const said = [
    ...result.signed.map(({ title }) => `Signed: ${plain(title)}`),
    ...result.failed.map(
      ({ title, failure }) => `Failed: ${plain(title)}: ${reasonNotSigned(failure)}`,
    ),
    ...result.unknown.map(({ title }) => `Outcome unknown: ${plain(title)}`),
  ];
  const exit = exitOfJob(job, exitOfSigning(result));
  return answer({ signed, failed, unknown }, said.join('\n'), exit);
}

/**
 * Returns the reason why an agreement was not signed, with the time and the person that ended it.
 */
function reasonNotSigned({ message, end }: Failure): string {
  if (end === undefined) return message;
  const by = end.by === null ? '' : ` by ${plain(end.by)}`;
  const at = end.at === null ? '' : ` on ${toShownTime(end.at)}`;
  return `${capitalised(end.state)}${by}${at}`;
}

const capitalised = (word: string) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`;

function exitOfSigning({ failed, unknown }: SignResult): Exit {
  if (unknown.length > 0) return exits.personDecides;
  return failed.length > 0 ? exits.inPart : exits.done;
}

async function withConnectionNames(
  session: Session,
  result: SignResult,
): Promise<Record<string, object[]>> {
  const nameOf = await connectionNames(session);
  const view = (one: SignResult['signed'][number]): object => ({
    connection: nameOf(one.connectionId),
    id: one.id,
    title: one.title,
  });
  return {
    signed: result.signed.map(view),
    failed: result.failed.map(({ id, failure }) => {
      const { reason } = failure;
      const item = { id, ...failedItem(failure), message: reasonNotSigned(failure) };
      return reason === undefined ? item : { ...item, reason };
    }),
    unknown: result.unknown.map(view),
  };
}

function findSigningItem(waiting: readonly SigningItem[], key: AgreementKey): SigningItem {
  const ours = waiting.filter((one) => one.id === key.id && one.connectionId === key.connectionId);
  // Two of the user's own companies may sign the same agreement, one after the other.
  const item = ours.find(({ state }) => state === 'ready') ?? ours[0];
  if (item !== undefined) return item;
  const message = `Agreement ${key.id} is not waiting for your signature, so nothing was signed`;
  throw new AppError('invalid', message, { reason: 'not-your-turn' });
}

const fourEyesSettings = {
  off: { fourEyes: false, fourEyesElsewhere: false },
  person: { fourEyes: true, fourEyesElsewhere: false },
  desk: { fourEyes: true, fourEyesElsewhere: true },
} as const;
type FourEyes = keyof typeof fourEyesSettings;

const fourEyesText: Readonly<Record<FourEyes, string>> = {
  off: 'Reviews need no approval before you sign.',
  person: 'A second person must approve each review before you sign.',
  desk: 'Another computer of the office must approve each review before you sign.',
};

async function showSigningRules(
  { api }: Session,
  { fourEyes: wanted }: { readonly fourEyes?: FourEyes },
): Promise<Answer> {
  if (wanted !== undefined) await api['settings.write'](fourEyesSettings[wanted]);
  const { fourEyes: isOn, fourEyesElsewhere } = await api['settings.read']({});
  const who = isOn && fourEyesElsewhere ? 'desk' : isOn ? 'person' : 'off';
  return answer({ fourEyes: who }, fourEyesText[who]);
}

const IDENTITY_HELP = 'name of the person (see `identities list`)';

export const signingCommands: AddCommands = (group, run) => {
  const list = group
    .command('list')
    .description('list the agreements that are waiting for a signature of the company')
    .addOption(connectionOption())
    .action((options: { readonly connection?: string }) =>
      run.withDesk('data', (session) => listSigning(session, options)),
    );
  example(list, 'signing list --connection Office');
  const reviewing = group
    .command('review')
    .argument('<id>', AGREEMENT_ID_HELP)
    .description('fetch the documents to sign, and record their hashes as reviewed')
    .option(
      '--as <identity>',
      `${IDENTITY_HELP} who reviewed the documents; needed if there are several identities`,
    )
    .option('--elsewhere', 'v2: record that the documents were read outside this program')
    .action((id: string, options: ReviewOptions) =>
      run.withDesk('data', (session) => review(session, id, options)),
    );
  example(reviewing, 'signing review Office:8f6e2c1a-0000-11ef-8000-000000000001 --as maria');
  const approving = group
    .command('approve')
    .argument('<id>', AGREEMENT_ID_HELP)
    .description('approve a review as a second person')
    .requiredOption('--as <identity>', `${IDENTITY_HELP} who approves`)
    .action((id: string, options: { readonly as: string }) =>
      run.withDesk('data', (session) => approveReview(session, id, options)),
    );
  example(approving, 'signing approve Office:004711000001 --as erik');
  const rules = group
    .command('rules')
    .description('show or set who must approve a review before you sign')
    .addOption(
      new Option(
        '--four-eyes <who>',
        'who must approve: no one, another person, or another computer (`desk`) of the office',
      ).choices(Object.keys(fourEyesSettings)),
    )
    .action((options: { readonly fourEyes?: FourEyes }) =>
      run.withDesk('data', (session) => showSigningRules(session, options)),
    );
  example(rules, 'signing rules --four-eyes desk');
  const command = group
    .command('sign')
    .argument('<id...>', AGREEMENT_ID_HELP)
    .description('sign agreements for the company; a signature cannot be undone')
    .requiredOption('--as <identity>', `${IDENTITY_HELP} who signs`)
    .addOption(confirmOption())
    .option('--stop-on-failure', 'stop at the first agreement that could not be signed')
    .action((ids: readonly string[], options: SignOptions) =>
      run.withDesk('data', (session) => sign(session, ids, options)),
    );
  addExitSixHelp(command, 'some agreements were not signed; the output lists each one');
  example(command, 'signing sign Office:004711000001 --as maria --confirm 1');
};

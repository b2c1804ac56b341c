import type { Command } from 'commander';
import type { Rejection, SharePeriod, Sharing } from '../../../../../shared/contract/actions.ts';
import { isDay } from '../../../../../shared/rules/time/days.ts';
import { type Answer, answer } from '../../output/answer.ts';
import { outcomeAnswer } from './changes.ts';
import {
  acceptDoubtsOption,
  type DoubtOptions,
  rejectDoubtfulNumbers,
} from '../../input/doubtful-numbers.ts';
import { organisationNumber, personNumber } from './parties.ts';
import { example, type Runner } from '../../session/group.ts';
import { agreementNamed } from '../../session/names.ts';
import { AGREEMENT_ID_HELP, choiceOption, confirmOption } from '../../input/options.ts';
import type { Session } from '../../session/session.ts';
import { plain } from '../../output/text.ts';
import { toShownTime } from '../../input/times.ts';
import { UsageError } from '../../input/usage.ts';

interface RejectOptions extends DoubtOptions {
  readonly partyType: 'PRIVATE' | 'COMPANY';
  readonly personNo: string;
  readonly orgNo?: string;
  readonly confirm: number;
}
interface ShareOptions {
  readonly with: 'PERSON' | 'ORGANIZATION';
  readonly no: string;
  readonly email: string;
  readonly permanent?: boolean;
  readonly until?: string;
  readonly message?: string;
  readonly confirm: number;
}

/** `agreements reject`: rejects an agreement on behalf of the named person. */
async function rejectAgreement(
  session: Session,
  id: string,
  rejection: Rejection,
  confirm: number,
): Promise<Answer> {
  const key = await agreementNamed(session, id);
  const outcome = await session.api['actions.reject']({ key, rejection, confirm });
  const wasAlready = outcome.outcome === 'done' && outcome.wasAlready;
  const text = wasAlready ? 'The agreement was already rejected.' : 'Rejected the agreement.';
  return outcomeAnswer(outcome, text);
}

/**
 * Returns the rejection that the options describe.
 * @throws UsageError or AppError 'invalid', before any data is opened.
 */
function rejectionOf({ partyType, ...options }: Omit<RejectOptions, 'confirm'>): Rejection {
  const personNo = personNumber(options.personNo);
  rejectDoubtfulNumbers({ personNo: options.personNo, orgNo: options.orgNo }, options);
  if (partyType === 'PRIVATE') return { partyType, personNo };
  if (options.orgNo === undefined) throw new UsageError('Add --org-no: COMPANY requires it.');
  return { partyType, personNo, orgNo: organisationNumber(options.orgNo) };
}

async function shareAgreement(
  session: Session,
  id: string,
  sharing: Sharing,
  confirm: number,
): Promise<Answer> {
  const { api, report } = session;
  const key = await agreementNamed(session, id);
  const { connectionId, id: agreementId } = key;
  const before = await api['actions.list']({ connectionId, agreementId });
  const last = before.find(
    ({ kind, state }) => kind === 'share' && (state === 'done' || state === 'unknown'),
  );
  if (last !== undefined) {
    report.note(
      `It was already shared on ${toShownTime(last.updatedAt)}. The same recipient gets another email.`,
    );
  }
  const outcome = await api['actions.share']({ key, sharing, confirm });
  if (outcome.outcome === 'unknown') return outcomeAnswer(outcome, '');
  return answer(outcome, `Shared ${shareDurationText(outcome.shared)}.`);
}

/**
 * Returns the sharing that the options describe.
 * @throws UsageError or AppError 'invalid', before any data is opened.
 */
function sharingOf({
  permanent = false,
  until,
  ...options
}: Omit<ShareOptions, 'confirm'>): Sharing {
  if (permanent === (until !== undefined)) {
    throw new UsageError('Add either --permanent or --until.');
  }
  if (until !== undefined && !isDay(until))
    throw new UsageError('Write a day after --until, such as 2026-12-31.');
  const { no, email, message = null } = options;
  const other =
    options.with === 'PERSON'
      ? { type: options.with, personNo: personNumber(no) }
      : { type: options.with, orgNo: organisationNumber(no) };
  return { with: other, email, message, until: until ?? null };
}

function shareDurationText(shared: SharePeriod): string {
  if (shared.kind === 'permanent') return 'permanently';
  return shared.kind === 'until' ? `until ${plain(shared.day)}` : plain(shared.text);
}

/** Adds the `agreements` commands that only API v2 supports. */
export function addV2Actions(group: Command, run: Runner): void {
  const reject = group
    .command('reject')
    .argument('<id>', AGREEMENT_ID_HELP)
    .description('v2: reject an agreement for a named person; this cannot be undone')
    .addOption(
      choiceOption('--party-type <type>', 'kind of the party that rejects', [
        'PRIVATE',
        'COMPANY',
      ]).makeOptionMandatory(),
    )
    .requiredOption('--person-no <number>', 'personal number of the person who rejects')
    .option('--org-no <number>', 'organisation number of the company; required for COMPANY')
    .addOption(acceptDoubtsOption())
    .addOption(confirmOption())
    .action((id: string, { confirm, ...options }: RejectOptions) => {
      const rejection = rejectionOf(options);
      return run.withDesk('data', (session) => rejectAgreement(session, id, rejection, confirm));
    });
  const who = '--party-type PRIVATE --person-no 18900101-9802';
  example(reject, `agreements reject Old:004711000001 ${who} --confirm 1`);
  const share = group
    .command('share')
    .argument('<id>', AGREEMENT_ID_HELP)
    .description('v2: share an agreement with someone, who gets an email')
    .addOption(
      choiceOption('--with <kind>', 'kind of recipient', [
        'PERSON',
        'ORGANIZATION',
      ]).makeOptionMandatory(),
    )
    .requiredOption('--no <number>', 'personal or organisation number of the recipient')
    .requiredOption('--email <address>', 'email address of the recipient')
    .option('--permanent', 'share without an end date')
    .option('--until <date>', 'last day of sharing in Swedish time, such as 2026-12-31')
    .option('--message <text>', 'your own text in the email')
    .addOption(confirmOption())
    .action((id: string, { confirm, ...options }: ShareOptions) => {
      const sharing = sharingOf(options);
      return run.withDesk('data', (session) => shareAgreement(session, id, sharing, confirm));
    });
  const whom = '--with ORGANIZATION --no 556036-0793 --email bo@example.com';
  example(share, `agreements share Old:004711000001 ${whom} --until 2026-12-31 --confirm 1`);
}

import type { Command } from 'commander';
import type { Rejection, Shared, Sharing } from '../../../../../shared/contract/actions.ts';
import { isDay } from '../../../../../shared/rules/time/days.ts';
import { type Answer, answer } from '../../output/answer.ts';
import { outcomeAnswer } from './changes.ts';
import { organisationNumber, personNumber } from './parties.ts';
import { example, type Runner } from '../../session/group.ts';
import { agreementNamed } from '../../session/names.ts';
import { choiceOption, confirmOption } from '../../input/options.ts';
import type { Session } from '../../session/session.ts';
import { plain } from '../../output/text.ts';
import { shown } from '../../input/times.ts';
import { UsageError } from '../../input/usage.ts';

interface RejectOptions {
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

/** `agreements reject`: for the person that is named. */
async function rejectAgreement(
  session: Session,
  id: string,
  rejection: Rejection,
  confirm: number,
): Promise<Answer> {
  const key = await agreementNamed(session, id);
  const outcome = await session.api['actions.reject']({ key, rejection, confirm });
  const wasAlready = outcome.outcome === 'done' && outcome.wasAlready;
  return outcomeAnswer(outcome, wasAlready ? 'It was rejected already.' : 'Rejected.');
}

/** @throws UsageError or AppError 'invalid', before anything is opened. */
function rejectionOf({ partyType, ...options }: Omit<RejectOptions, 'confirm'>): Rejection {
  const personNo = personNumber(options.personNo);
  if (partyType === 'PRIVATE') return { partyType, personNo };
  if (options.orgNo === undefined) throw new UsageError('COMPANY needs --org-no.');
  return { partyType, personNo, orgNo: organisationNumber(options.orgNo) };
}

/** `agreements share` */
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
      `It was shared before, on ${shown(last.updatedAt)}; who is named again gets another e-mail.`,
    );
  }
  const outcome = await api['actions.share']({ key, sharing, confirm });
  if (outcome.outcome === 'unknown') return outcomeAnswer(outcome, '');
  return answer(outcome, `Shared ${termOf(outcome.shared)}.`);
}

/** @throws UsageError or AppError 'invalid', before anything is opened. */
function sharingOf({
  permanent = false,
  until,
  ...options
}: Omit<ShareOptions, 'confirm'>): Sharing {
  if (permanent === (until !== undefined)) {
    throw new UsageError('Write either --permanent or --until.');
  }
  if (until !== undefined && !isDay(until))
    throw new UsageError('--until takes a day: 2026-12-31.');
  const { no, email, message = null } = options;
  const other =
    options.with === 'PERSON'
      ? { type: options.with, personNo: personNumber(no) }
      : { type: options.with, orgNo: organisationNumber(no) };
  return { with: other, email, message, until: until ?? null };
}

function termOf(shared: Shared): string {
  if (shared.kind === 'permanent') return 'permanently';
  return shared.kind === 'until' ? `until ${plain(shared.day)}` : plain(shared.text);
}

/** What only API v2 can do, as commands of `agreements`. */
export function addOfV2(group: Command, run: Runner): void {
  const reject = group
    .command('reject <id>')
    .description('v2: reject for a named person; it cannot be taken back')
    .addOption(
      choiceOption('--party-type <type>', 'which kind of party', [
        'PRIVATE',
        'COMPANY',
      ]).makeOptionMandatory(),
    )
    .requiredOption('--person-no <number>', 'of the person who rejects')
    .option('--org-no <number>', 'of the company that rejects')
    .addOption(confirmOption())
    .action((id: string, { confirm, ...options }: RejectOptions) => {
      const rejection = rejectionOf(options);
      return run.withDesk('data', (session) => rejectAgreement(session, id, rejection, confirm));
    });
  const who = '--party-type PRIVATE --person-no 18900101-9802';
  example(reject, `agreements reject Old:004711000001 ${who} --confirm 1`);
  const share = group
    .command('share <id>')
    .description('v2: let somebody else read it, and tell them by e-mail')
    .addOption(
      choiceOption('--with <kind>', 'with whom', ['PERSON', 'ORGANIZATION']).makeOptionMandatory(),
    )
    .requiredOption('--no <number>', 'personal or organisation number')
    .requiredOption('--email <address>', 'where they are told')
    .option('--permanent', 'without an end')
    .option('--until <date>', 'the last day, counted in Sweden')
    .option('--message <text>', 'words of your own')
    .addOption(confirmOption())
    .action((id: string, { confirm, ...options }: ShareOptions) => {
      const sharing = sharingOf(options);
      return run.withDesk('data', (session) => shareAgreement(session, id, sharing, confirm));
    });
  const whom = '--with ORGANIZATION --no 556036-0793 --email bo@example.com';
  example(share, `agreements share Old:004711000001 ${whom} --until 2026-12-31 --confirm 1`);
}

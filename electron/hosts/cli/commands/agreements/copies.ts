import { type Command, InvalidArgumentError } from 'commander';
import { type Answer, answer } from '../../output/answer.ts';
import { example, type Runner } from '../../session/group.ts';
import { agreementsNamed, connectionNames } from '../../session/names.ts';
import { AGREEMENT_ID_HELP, confirmOption } from '../../input/options.ts';
import type { Session } from '../../session/session.ts';
import { count, table } from '../../output/text.ts';

const MEGABYTE = 1_000_000;
const FOREVER_WORD = 'forever';
/** Maximum number of months, a hundred years, which is the limit of the setting. */
const MAX_MONTHS = 1200;

/** `agreements forget`: removes copies from this computer only. */
async function forgetAgreements(
  session: Session,
  ids: readonly string[],
  { confirm }: { readonly confirm: number },
): Promise<Answer> {
  const keys = await agreementsNamed(session, ids);
  const { forgotten } = await session.api['agreements.forget']({ keys, confirm });
  const text = `Removed the copies of ${count(forgotten, 'agreement')} from this computer.`;
  return answer({ forgotten }, text);
}

/** `agreements storage`: shows how much space the copies take, and how long they are kept. */
async function showStorage(session: Session): Promise<Answer> {
  const { api } = session;
  const [storage, { keepClosedMonths }, nameOf] = await Promise.all([
    api['agreements.storage']({}),
    api['settings.read']({}),
    connectionNames(session),
  ]);
  const connections = storage.connections.map(({ connectionId, ...rest }) => ({
    connection: nameOf(connectionId),
    ...rest,
  }));
  const rows = connections.map((one) => [
    one.connection,
    String(one.agreements),
    String(one.closed),
    megabytes(one.bytes),
  ]);
  const kept = keepClosedMonths === null ? FOREVER_WORD : count(keepClosedMonths, 'month');
  const list = table(['CONNECTION', 'COPIES', 'CLOSED', 'SIZE'], rows, 'There are no copies.');
  const text = `${list}\nData file: ${megabytes(storage.fileBytes)}. Copies of closed agreements stay: ${kept}.`;
  return answer({ fileBytes: storage.fileBytes, keepClosedMonths, connections }, text);
}

/** `agreements keep`: sets how long closed agreements are kept on this computer. */
async function setClosedRetention(
  { api }: Session,
  keepClosedMonths: number | null,
): Promise<Answer> {
  await api['settings.write']({ keepClosedMonths });
  const text =
    keepClosedMonths === null
      ? 'Closed agreements stay on this computer permanently.'
      : `Archived agreements are removed from this computer ${count(keepClosedMonths, 'month')} after they close. The next sync starts this.`;
  return answer({ keepClosedMonths }, text);
}

const megabytes = (bytes: number) => `${(bytes / MEGABYTE).toFixed(1)} MB`;

function parseMonths(text: string): number | null {
  if (text === FOREVER_WORD) return null;
  const months = /^\d{1,4}$/.test(text) ? Number(text) : NaN;
  if (months >= 1 && months <= MAX_MONTHS) return months;
  throw new InvalidArgumentError(
    `Write a number of months from 1 to ${String(MAX_MONTHS)}, or ${FOREVER_WORD}.`,
  );
}

export function addCopyCommands(group: Command, run: Runner): void {
  const forget = group
    .command('forget')
    .argument('<id...>', AGREEMENT_ID_HELP)
    .description(
      'remove copies of agreements from this computer only, not from the service or the archive',
    )
    .addOption(confirmOption())
    .action((ids: readonly string[], options: { readonly confirm: number }) =>
      run.withDesk('data', (session) => forgetAgreements(session, ids, options)),
    );
  example(forget, 'agreements forget 004711000001 --confirm 1');
  const storage = group
    .command('storage')
    .description('show the size of the agreement copies on this computer, and how long they stay')
    .action(() => run.withDesk('data', showStorage));
  example(storage, 'agreements storage --json');
  const keep = group
    .command('keep')
    .argument(
      '<months>',
      `number of months from 1 to ${MAX_MONTHS}, or \`${FOREVER_WORD}\``,
      parseMonths,
    )
    .description('set how long copies of closed agreements stay on this computer')
    .action((months: number | null) =>
      run.withDesk('data', (session) => setClosedRetention(session, months)),
    );
  example(keep, 'agreements keep 24');
}

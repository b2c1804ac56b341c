import type { Erasure, ForgetPreview } from '../../../../../shared/contract/people.ts';
import { AppError } from '../../../../../shared/errors.ts';
import { wholeOption } from '../../input/options.ts';
import { iso } from '../../input/times.ts';
import { type Answer, answer } from '../../output/answer.ts';
import { pairs, plain, table } from '../../output/text.ts';
import { type AddCommands, example } from '../../session/group.ts';
import type { Session } from '../../session/session.ts';
import { personNamed } from './names.ts';

interface ForgetOptions {
  readonly drafts?: boolean;
  readonly keepCopies?: boolean;
  readonly confirm?: number;
}

/** `people forget`: without `--confirm`, what would be erased and what stays. */
async function forgetPerson(
  session: Session,
  named: string,
  { drafts = false, keepCopies = false, confirm }: ForgetOptions,
): Promise<Answer> {
  const { api } = session;
  const { id, title } = await personNamed(session, named);
  const preview = await api['people.forgetPreview']({ id });
  if (confirm === undefined) return answer(preview, previewText(preview));
  if (confirm !== 1) {
    throw new AppError('invalid', 'This concerns 1 person', { reason: 'count-differs' });
  }
  const chosen = drafts ? preview.drafts.map((one) => one.id) : [];
  const done = await api['people.forget']({ id, drafts: chosen, copies: !keepCopies });
  return answer(forOutput(done), `Erased ${plain(title)}. ${erasedText(done)}`);
}

function previewText({ title, drafts, batchRows, sheets, copies, stays }: ForgetPreview): string {
  const list = drafts.map(({ title: name, state }) => `${plain(name)} (${state})`);
  return pairs([
    ['would be erased', title],
    ['drafts, with --drafts', list.length === 0 ? '-' : list.join(', ')],
    ['rows of finished batches', `${batchRows} (${sheets} kept sheets)`],
    ['copies of ended agreements', String(copies)],
    ['stays: open agreements', String(stays.openCopies)],
    ['stays: rows of open batches', String(stays.openRows)],
    ['stays: what was sent and done', String(stays.records)],
    ['stays: evidence', String(stays.evidence)],
    ['stays: archive', String(stays.archive)],
    ['stays: templates', String(stays.templates)],
  ]);
}

const forOutput = ({ at, ...rest }: Erasure) => ({ at: iso(at), ...rest });

const erasedText = ({ drafts, batchRows, sheets, copies }: Erasure): string =>
  `Drafts: ${drafts}, batch rows: ${batchRows}, sheets: ${sheets}, copies: ${copies}.`;

/** `people erasures`: that something was erased, and never of whom. */
async function listErasures({ api }: Session): Promise<Answer> {
  const items = (await api['people.erasures']({})).map(forOutput);
  const rows = items.map((one) => [
    one.at ?? '-',
    ...[one.people, one.drafts, one.batchRows, one.sheets, one.copies].map(String),
  ]);
  const heads = ['TIME', 'PEOPLE', 'DRAFTS', 'BATCH ROWS', 'SHEETS', 'COPIES'];
  return answer({ items }, table(heads, rows, 'Nothing was erased.'));
}

/** `people forget` and `people erasures` */
export const forgetCommands: AddCommands = (group, run) => {
  const forget = group
    .command('forget <person>')
    .description('erase a person for good; without --confirm, say what that would be')
    .option('--drafts', 'the drafts that name the person, too')
    .option('--keep-copies', 'leave the copies of agreements that ended')
    .addOption(wholeOption('--confirm <count>', 'the number of people: 1', 0, 100_000))
    .action((named: string, options: ForgetOptions) =>
      run.withDesk('data', (session) => forgetPerson(session, named, options)),
    );
  example(forget, 'people forget maria@example.com --drafts --confirm 1');
  const erasures = group
    .command('erasures')
    .description('when something was erased, and never of whom')
    .action(() => run.withDesk('data', listErasures));
  example(erasures, 'people erasures');
};

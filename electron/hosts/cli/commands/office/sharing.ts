import { Argument, type Command, Option } from 'commander';
import {
  OfficeItemKind,
  OfficeQuestion,
  SharedItemSet,
} from '../../../../../shared/contract/office/items.ts';
import { WHOLE } from '../../../../../shared/rules/office/field-path.ts';
import { toIsoText, toShownTime } from '../../input/times.ts';
import { type Answer, answer, failedItem } from '../../output/answer.ts';
import { exits } from '../../output/exit-codes.ts';
import { count, table } from '../../output/text.ts';
import { example, addExitSixHelp, type Runner } from '../../session/group.ts';
import type { Session } from '../../session/session.ts';

/** Word for all fields of an item, instead of the path of one field. */
const ALL_FIELDS_WORD = 'all';

interface AnswerOptions {
  readonly take: 'here' | 'office';
}

/** `office share`: lists what this computer shares, or starts or stops sharing a set. */
async function changeSharing(
  session: Session,
  set: SharedItemSet | undefined,
  { off = false }: { readonly off?: boolean },
): Promise<Answer> {
  if (set !== undefined) await session.api['office.share']({ set, isShared: !off });
  return showSharing(session);
}

async function showSharing({ api }: Session): Promise<Answer> {
  const { sets, exchangedAt, failure } = await api['office.sharing']({});
  const rows = sets.map(({ set, isShared, items, questions }) => [
    set,
    isShared ? 'shared' : 'not shared',
    isShared ? String(items) : '',
    questions === 0 ? '' : count(questions, 'conflict'),
  ]);
  const when = exchangedAt === null ? '' : `\n\nExchanged ${toShownTime(exchangedAt)}.`;
  const failed = failure === null ? null : failedItem(failure);
  const why = failed === null ? '' : `\nNot exchanged: ${failed.message}`;
  const text = `${table(['WHAT', '', 'IN THE OFFICE', ''], rows, '')}${when}${why}`;
  const value = { sets, exchangedAt: toIsoText(exchangedAt), failure: failed };
  return answer(value, text, failure === null ? exits.done : exits.inPart);
}

/**
 * `office exchange`: exchanges shared items. Ends with exit code 6 if a conflict needs a decision.
 */
async function exchangeItems({ api }: Session): Promise<Answer> {
  const { received, sent } = await api['office.exchange']({});
  const questions = await api['office.questions']({});
  const text = `Received ${count(received, 'item')}, sent ${count(sent, 'item')}.`;
  const asked = questions.length === 0 ? '' : `\n\n${questionsText(questions)}`;
  const exit = questions.length === 0 ? exits.done : exits.inPart;
  return answer({ received, sent, questions }, `${text}${asked}`, exit);
}

async function listQuestions({ api }: Session): Promise<Answer> {
  const questions = await api['office.questions']({});
  return answer({ items: questions }, questionsText(questions));
}

function questionsText(questions: readonly OfficeQuestion[]): string {
  const rows = questions.map(({ kind, id, title, field, here, inOffice, seat }) => [
    ...[kind, id, field === WHOLE ? ALL_FIELDS_WORD : field, title],
    ...[here ?? '(none)', inOffice ?? '(none)', seat],
  ]);
  const heading = ['KIND', 'ID', 'FIELD', 'OF', 'HERE', 'IN THE OFFICE', 'BY'];
  return table(heading, rows, 'There are no conflicts.');
}

/** `office resolve`: chooses one of the two versions of a field. */
async function chooseVersion(
  { api }: Session,
  { kind, id, field }: Readonly<Record<'kind' | 'id' | 'field', string>>,
  { take }: AnswerOptions,
): Promise<Answer> {
  await api['office.answer']({
    kind: OfficeItemKind.parse(kind),
    id: OfficeQuestion.shape.id.parse(id),
    field: field === ALL_FIELDS_WORD ? WHOLE : field,
    take,
  });
  const text = 'Resolved. The other computers receive this version with their next exchange.';
  return answer({ answered: true }, text);
}

export function sharingCommands(group: Command, run: Runner): void {
  const sharingOne = group
    .command('share')
    .addArgument(new Argument('[what]', 'kind of data to share').choices(SharedItemSet.options))
    .description('list or change what this computer shares with its office')
    .option('--off', 'stop sharing this kind of data; your own data stays here')
    .action((set: SharedItemSet | undefined, options: { readonly off?: boolean }) =>
      run.withDesk('data', (session) => changeSharing(session, set, options)),
    );
  addExitSixHelp(
    sharingOne,
    'the last exchange with the office failed; the output shows the reason',
  );
  example(sharingOne, 'office share address-book');
  const exchanging = group
    .command('exchange')
    .description('exchange the shared data with the office now')
    .action(() => run.withDesk('data', exchangeItems));
  addExitSixHelp(exchanging, 'there are conflicts; `office resolve` resolves them');
  example(exchanging, 'office exchange');
  const asking = group
    .command('conflicts')
    .description('list data that was changed here and on another computer at the same time')
    .action(() => run.withDesk('data', listQuestions));
  example(asking, 'office conflicts');
  const answering = group
    .command('resolve')
    .argument('<kind>', 'kind of the conflict, as `office conflicts` shows it in the column KIND')
    .argument('<id>', 'ID of the item, as `office conflicts` shows it in the column ID')
    .argument(
      '<field>',
      `field of the item, as \`office conflicts\` shows it in the column FIELD, or \`${ALL_FIELDS_WORD}\``,
    )
    .description('resolve a conflict: choose your version, or the version of the office')
    .addOption(
      new Option('--take <which>', 'version to keep: of this computer, or of the office')
        .choices(['here', 'office'])
        .makeOptionMandatory(),
    )
    .action((kind: string, id: string, field: string, options: AnswerOptions) =>
      run.withDesk('data', (session) => chooseVersion(session, { kind, id, field }, options)),
    );
  example(answering, 'office resolve person 5f0c… email --take here');
}

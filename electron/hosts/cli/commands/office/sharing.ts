import { Argument, type Command, Option } from 'commander';
import {
  OfficeItemKind,
  OfficeQuestion,
  OfficeSet,
} from '../../../../../shared/contract/office/items.ts';
import { WHOLE } from '../../../../../shared/rules/office/field-path.ts';
import { iso, shown } from '../../input/times.ts';
import { type Answer, answer, failedItem } from '../../output/answer.ts';
import { exits } from '../../output/exit-codes.ts';
import { count, table } from '../../output/text.ts';
import { example, type Runner } from '../../session/group.ts';
import type { Session } from '../../session/session.ts';

/** How a question about all of an item is written. */
const ALL = 'all';

interface AnswerOptions {
  readonly take: 'here' | 'office';
}

/** `office share`: what this desk shares; or that it shares something, or no more. */
async function share(
  session: Session,
  set: OfficeSet | undefined,
  { off = false }: { readonly off?: boolean },
): Promise<Answer> {
  if (set !== undefined) await session.api['office.share']({ set, isShared: !off });
  return sharing(session);
}

async function sharing({ api }: Session): Promise<Answer> {
  const { sets, exchangedAt, failure } = await api['office.sharing']({});
  const rows = sets.map(({ set, isShared, items, questions }) => [
    set,
    isShared ? 'shared' : 'this desk alone',
    isShared ? String(items) : '',
    questions === 0 ? '' : count(questions, 'question'),
  ]);
  const when = exchangedAt === null ? '' : `\n\nExchanged ${shown(exchangedAt)}.`;
  const failed = failure === null ? null : failedItem(failure);
  const why = failed === null ? '' : `\nNot exchanged: ${failed.message}`;
  const text = `${table(['WHAT', '', 'IN THE OFFICE', ''], rows, '')}${when}${why}`;
  const value = { sets, exchangedAt: iso(exchangedAt), failure: failed };
  return answer(value, text, failure === null ? exits.done : exits.inPart);
}

/** `office exchange`: 6 where a person is asked something. */
async function exchange({ api }: Session): Promise<Answer> {
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
    ...[kind, id, field === WHOLE ? ALL : field, title],
    ...[here ?? '(none)', inOffice ?? '(none)', seat],
  ]);
  const heading = ['KIND', 'ID', 'FIELD', 'OF', 'HERE', 'IN THE OFFICE', 'BY'];
  return table(heading, rows, 'Nothing was changed here and at another desk at once.');
}

/** `office answer`: which of both is right. */
async function choose(
  { api }: Session,
  { kind, id, field }: Readonly<Record<'kind' | 'id' | 'field', string>>,
  { take }: AnswerOptions,
): Promise<Answer> {
  await api['office.answer']({
    kind: OfficeItemKind.parse(kind),
    id: OfficeQuestion.shape.id.parse(id),
    field: field === ALL ? WHOLE : field,
    take,
  });
  return answer({ answered: true }, 'It is so at every desk with their next exchange.');
}

export function sharingCommands(group: Command, run: Runner): void {
  const sharingOne = group
    .command('share')
    .addArgument(new Argument('[what]', 'to be shared from now on').choices(OfficeSet.options))
    .description('list what this desk shares with its office; or share it, or no more')
    .option('--off', 'no more; what this desk has stays here')
    .action((set: OfficeSet | undefined, options: { readonly off?: boolean }) =>
      run.withDesk('data', (session) => share(session, set, options)),
    );
  example(sharingOne, 'office share address-book');
  const exchanging = group
    .command('exchange')
    .description('send and receive what is shared; 6 if a person has to choose')
    .action(() => run.withDesk('data', exchange));
  example(exchanging, 'office exchange');
  const asking = group
    .command('questions')
    .description('list what was changed here and at another desk at once')
    .action(() => run.withDesk('data', listQuestions));
  example(asking, 'office questions');
  const answering = group
    .command('answer')
    .argument('<kind>', 'of the list of questions')
    .argument('<id>', 'of the list')
    .argument('<field>', `of the list; ${ALL} where one side removed it`)
    .description('say which is right, what is here or what the office has')
    .addOption(
      new Option('--take <which>', 'which is right')
        .choices(['here', 'office'])
        .makeOptionMandatory(),
    )
    .action((kind: string, id: string, field: string, options: AnswerOptions) =>
      run.withDesk('data', (session) => choose(session, { kind, id, field }, options)),
    );
  example(answering, 'office answer person 5f0c… email --take here');
}

import path from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { BackupPlan, BackupWhen } from '../../../../../shared/contract/backup.ts';
import { AppError } from '../../../../../shared/errors.ts';
import { wholeOption } from '../../input/options.ts';
import { shown, timeOfDay } from '../../input/times.ts';
import { type Answer, answer } from '../../output/answer.ts';
import { exits } from '../../output/exit-codes.ts';
import { plain, table } from '../../output/text.ts';
import { type AddCommands, example } from '../../session/group.ts';
import type { Session } from '../../session/session.ts';
import { confirmCommands } from './confirm.ts';
import { moveCommands } from './move.ts';
import { recoverCommands } from './recover.ts';
import { restoreCommands } from './restore.ts';
import { runBackup } from './run.ts';
import { secretFrom } from './secret.ts';
import { setAsideCommands } from './set-aside.ts';
import { contentsOf, problemOf, stateText } from './words.ts';

const USUAL_KEPT = 14;
const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

interface PlanOptions {
  readonly to?: string;
  readonly daily?: string;
  readonly weekly?: BackupWhen;
  readonly byHand?: true;
  readonly keep?: number;
  readonly credentials?: boolean;
  readonly administrator?: string;
  readonly phraseEnv?: string;
}

/** `backup phrase`: twelve new words, which nothing keeps. */
async function newPhrase({ api, report }: Session): Promise<Answer> {
  const { phrase } = await api['backup.newPhrase']({});
  report.note('Write these words on paper, in their order. Nobody can make them anew.');
  return answer({ phrase }, phrase);
}

/** `backup setup`: whoever sets it up types the words, and so has them. */
async function setUp(session: Session, options: PlanOptions): Promise<Answer> {
  const plan = planOf(options, null);
  for (const sentence of contentsOf(plan)) session.report.note(sentence);
  const phrase = await secretFrom(session, options.phraseEnv, 'The twelve words: ');
  const state = await session.api['backup.setUp']({ ...plan, phrase });
  const next = 'Make the first one now: signing-desk backup run';
  return answer(state, `Backups are set up.\n${stateText(state)}\n${next}`);
}

/** `backup plan`: changes what is named, and shows it. */
async function changePlan({ api }: Session, options: PlanOptions): Promise<Answer> {
  const { plan } = await api['backup.read']({});
  if (plan === null) {
    throw new AppError('not-found', 'Backups are not set up yet', { reason: 'not-set-up' });
  }
  const state = await api['backup.savePlan'](planOf(options, plan));
  return answer(state, stateText(state));
}

function planOf(options: PlanOptions, before: BackupPlan | null): BackupPlan {
  const { to, daily, weekly, byHand, keep, credentials, administrator } = options;
  const named: BackupWhen | undefined = daily === undefined ? weekly : { kind: 'daily', at: daily };
  const byHandOnly: BackupWhen = { kind: 'by-hand' };
  const folder = to === undefined ? before?.folder : path.resolve(to);
  if (folder === undefined) throw new AppError('invalid', 'Name a folder with --to');
  return {
    folder,
    when: (byHand === true ? byHandOnly : named) ?? before?.when ?? byHandOnly,
    keep: keep ?? before?.keep ?? USUAL_KEPT,
    isOn: before?.isOn ?? true,
    withCredentials: credentials ?? before?.withCredentials ?? false,
    administrator:
      administrator === 'none' ? null : (administrator ?? before?.administrator ?? null),
  };
}

/** `backup status`: for a person, and for a script that watches. */
async function status({ api }: Session): Promise<Answer> {
  const state = await api['backup.read']({});
  const isGood = state.plan !== null && problemOf(state) === null;
  return answer(state, stateText(state), isGood ? exits.done : exits.inPart);
}

async function list({ api }: Session): Promise<Answer> {
  const items = await api['backup.list']({});
  const rows = items.map(({ file, at, bytes }) => [shown(at), String(bytes), file]);
  const text = table(['MADE', 'BYTES', 'FILE'], rows, 'There is no backup of this desk there yet.');
  return answer({ items }, text);
}

async function switchOn({ api, report }: Session, isOn: boolean): Promise<Answer> {
  const { plan, restoredKeys } = await api['backup.read']({});
  if (isOn && plan !== null && restoredKeys.length > 0) {
    const opened = `whoever has ${restoredKeys.join(' or ')} opens them`;
    report.note(`From restored data: backups go on into ${plain(plan.folder)}, and ${opened}.`);
  }
  const state = await api['backup.switch']({ isOn });
  return answer(state, stateText(state));
}

/** `backup page`: to write the words on by hand. */
async function savePage(session: Session, { out }: { readonly out: string }): Promise<Answer> {
  const { file } = await session.api['backup.page']({ file: path.resolve(out) });
  return answer({ file }, `Wrote ${plain(file)}. It holds no word of the phrase.`);
}

/** `mon@02:30` */
function weekly(text: string): BackupWhen {
  const [name = '', at = ''] = text.split('@');
  const day = DAYS.indexOf(name.toLowerCase()) + 1;
  if (day === 0) throw new InvalidArgumentError('Write a day and a time, as in mon@02:30.');
  return { kind: 'weekly', day, at: timeOfDay(at) };
}

function planOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--daily <time>', 'every day at this time of this computer').argParser(timeOfDay),
    )
    .addOption(
      new Option('--weekly <day@time>', 'once a week, as in mon@02:30')
        .argParser(weekly)
        .conflicts('daily'),
    )
    .addOption(new Option('--by-hand', 'only when it is asked for').conflicts(['daily', 'weekly']))
    .addOption(wholeOption('--keep <number>', `how many stay; ${USUAL_KEPT} unless named`, 1, 365))
    .option('--credentials', 'keep tokens and access keys in backups, too')
    .option('--no-credentials', 'keep them out, as usual')
    .option(
      '--administrator <age1…>',
      "the office's public key of age, which opens them too; none",
    );
}

/** `backup …` */
export const backupCommands: AddCommands = (group, run) => {
  const phrase = group
    .command('phrase')
    .description('make a recovery phrase of twelve words; it is kept nowhere')
    .action(() => run.withDesk('data', newPhrase));
  example(phrase, 'backup phrase');
  const setup = planOptions(
    group
      .command('setup')
      .description('set backups up: reads the recovery phrase, which opens them')
      .requiredOption('--to <folder>', 'where they go; it must be there'),
  )
    .option('--phrase-env <variable>', 'read the phrase from this variable instead')
    .action((options: PlanOptions) => run.withDesk('data', (session) => setUp(session, options)));
  example(setup, 'backup setup --to /srv/backups --daily 02:30 --keep 14');
  const plan = planOptions(
    group.command('plan').description('change where they go, when, and how many stay'),
  )
    .option('--to <folder>', 'where they go; it must be there')
    .action((options: PlanOptions) =>
      run.withDesk('data', (session) => changePlan(session, options)),
    );
  example(plan, 'backup plan --weekly sun@03:00 --keep 8');
  const making = group
    .command('run')
    .description('make one now, and read it back')
    .action(() => run.withDesk('data', (session) => runBackup(session)));
  example(making, 'backup run');
  const listing = group
    .command('list')
    .description('list those of this desk in its folder, the newest first')
    .action(() => run.withDesk('data', list));
  example(listing, 'backup list');
  const showing = group
    .command('status')
    .description('say where, when, and how the last one went; 6 if it went wrong')
    .action(() => run.withDesk('data', status));
  example(showing, 'backup status');
  for (const [word, isOn] of [
    ['on', true],
    ['off', false],
  ] as const) {
    const switching = group
      .command(word)
      .description(isOn ? 'switch them on, also when paused' : 'make none by the clock')
      .action(() => run.withDesk('data', (session) => switchOn(session, isOn)));
    example(switching, `backup ${word}`);
  }
  const page = group
    .command('page')
    .description('write a page to keep with the phrase: what is backed up, and how it is restored')
    .requiredOption('--out <file.pdf>', 'the file, which must not exist')
    .action((options: { readonly out: string }) =>
      run.withDesk('data', (session) => savePage(session, options)),
    );
  example(page, 'backup page --out recovery.pdf');
  moveCommands(group, run);
  restoreCommands(group, run);
  confirmCommands(group, run);
  recoverCommands(group, run);
  setAsideCommands(group, run);
};

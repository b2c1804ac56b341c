import path from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { BackupPlan, BackupFrequency } from '../../../../../shared/contract/backup.ts';
import { AppError } from '../../../../../shared/errors.ts';
import { wholeNumberOption } from '../../input/options.ts';
import { toShownTime, parseTimeOfDay } from '../../input/times.ts';
import { type Answer, answer } from '../../output/answer.ts';
import { exits } from '../../output/exit-codes.ts';
import { plain, table } from '../../output/text.ts';
import { type AddCommands, example, addExitSixHelp } from '../../session/group.ts';
import type { Session } from '../../session/session.ts';
import { confirmCommands } from './confirm.ts';
import { moveCommands } from './move.ts';
import { recoverCommands } from './recover.ts';
import { restoreCommands } from './restore.ts';
import { runBackup } from './run.ts';
import { readSecretText } from './secret.ts';
import { setAsideCommands } from './set-aside.ts';
import { backupContentsText, problemOf, stateText } from './words.ts';

const DEFAULT_BACKUPS_KEPT = 14;
const WEEKDAY_WORDS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

interface PlanOptions {
  readonly to?: string;
  readonly daily?: string;
  readonly weekly?: BackupFrequency;
  readonly byHand?: true;
  readonly keep?: number;
  readonly credentials?: boolean;
  readonly administrator?: string;
  readonly phraseEnv?: string;
}

/** `backup phrase`: prints twelve new words, which are stored nowhere. */
async function createPhrase({ api, report }: Session): Promise<Answer> {
  const { phrase } = await api['backup.newPhrase']({});
  report.note('Write these words on paper, in this order. Lost words cannot be recovered.');
  return answer({ phrase }, phrase);
}

/** `backup setup`: sets up backups. The user types the words, which shows that they have them. */
async function setUpBackupPlan(session: Session, options: PlanOptions): Promise<Answer> {
  const plan = planOf(options, null);
  for (const sentence of backupContentsText(plan)) session.report.note(sentence);
  const phrase = await readSecretText(session, options.phraseEnv, 'The twelve words: ');
  const state = await session.api['backup.setUp']({ ...plan, phrase });
  const next = 'Make the first backup now: signing-desk backup run';
  return answer(state, `Backups are set up.\n${stateText(state)}\n${next}`);
}

/** `backup plan`: changes the given settings, and shows the plan. */
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
  const named: BackupFrequency | undefined =
    daily === undefined ? weekly : { kind: 'daily', at: daily };
  const byHandOnly: BackupFrequency = { kind: 'by-hand' };
  const folder = to === undefined ? before?.folder : path.resolve(to);
  if (folder === undefined) throw new AppError('invalid', 'Name the backup folder with --to');
  return {
    folder,
    when: (byHand === true ? byHandOnly : named) ?? before?.when ?? byHandOnly,
    keep: keep ?? before?.keep ?? DEFAULT_BACKUPS_KEPT,
    isOn: before?.isOn ?? true,
    withCredentials: credentials ?? before?.withCredentials ?? false,
    administrator:
      administrator === 'none' ? null : (administrator ?? before?.administrator ?? null),
  };
}

/** `backup status`: shows the state of backups, for users and for scripts that monitor backups. */
async function showBackupStatus({ api }: Session): Promise<Answer> {
  const state = await api['backup.read']({});
  const isGood = state.plan !== null && problemOf(state) === null;
  return answer(state, stateText(state), isGood ? exits.done : exits.inPart);
}

async function listBackups({ api }: Session): Promise<Answer> {
  const items = await api['backup.list']({});
  const rows = items.map(({ file, at, bytes }) => [toShownTime(at), String(bytes), file]);
  const none = 'The folder has no backups of this computer yet.';
  const text = table(['MADE', 'BYTES', 'FILE'], rows, none);
  return answer({ items }, text);
}

async function setBackupsOn({ api, report }: Session, isOn: boolean): Promise<Answer> {
  const { plan, restoredKeys } = await api['backup.read']({});
  if (isOn && plan !== null && restoredKeys.length > 0) {
    const opened = `${restoredKeys.join(' or ')} can open them`;
    report.note(`As in the restored data, backups go into ${plain(plan.folder)}; ${opened}.`);
  }
  const state = await api['backup.switch']({ isOn });
  return answer(state, stateText(state));
}

/** `backup recovery-page`: writes a page on which the user writes the words by hand. */
async function saveRecoveryPage(
  session: Session,
  { out }: { readonly out: string },
): Promise<Answer> {
  const { file } = await session.api['backup.page']({ file: path.resolve(out) });
  return answer({ file }, `Wrote ${plain(file)}. It does not contain the recovery phrase.`);
}

/** Parses `mon@02:30`. */
function weekly(text: string): BackupFrequency {
  const [name = '', at = ''] = text.split('@');
  const day = WEEKDAY_WORDS.indexOf(name.toLowerCase()) + 1;
  if (day === 0) throw new InvalidArgumentError('Write a day and a time, as in mon@02:30.');
  return { kind: 'weekly', day, at: parseTimeOfDay(at) };
}

function addPlanOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--daily <time>', 'back up every day at this local time, such as 02:30').argParser(
        parseTimeOfDay,
      ),
    )
    .addOption(
      new Option('--weekly <day@time>', 'back up once a week, such as mon@02:30')
        .argParser(weekly)
        .conflicts('daily'),
    )
    .addOption(
      new Option('--by-hand', 'back up only with `backup run`').conflicts(['daily', 'weekly']),
    )
    .addOption(
      wholeNumberOption(
        '--keep <number>',
        `number of backups to keep (default: ${DEFAULT_BACKUPS_KEPT})`,
        1,
        365,
      ),
    )
    .option('--credentials', 'include API keys (tokens and access keys) in backups')
    .option('--no-credentials', 'exclude API keys from backups (default)')
    .option(
      '--administrator <age1…>',
      'public key of an administrator, made with `age-keygen`, whose key file then also opens the backups; `none` removes it',
    );
}

const BACKUP_FOLDER_HELP = 'existing folder for the backups';

export const backupCommands: AddCommands = (group, run) => {
  const phrase = group
    .command('phrase')
    .description('create a recovery phrase of twelve words, which is not stored')
    .action(() => run.withDesk('data', createPhrase));
  example(phrase, 'backup phrase');
  const setup = addPlanOptions(
    group
      .command('setup')
      .description('set up backups; reads the recovery phrase from standard input')
      .requiredOption('--to <folder>', BACKUP_FOLDER_HELP),
  )
    .option('--phrase-env <variable>', 'read the phrase from this environment variable instead')
    .action((options: PlanOptions) =>
      run.withDesk('data', (session) => setUpBackupPlan(session, options)),
    );
  example(setup, 'backup setup --to /srv/backups --daily 02:30 --keep 14');
  const plan = addPlanOptions(
    group
      .command('plan')
      .description(
        'show or change the backup settings; settings without an option stay as they are',
      ),
  )
    .option('--to <folder>', BACKUP_FOLDER_HELP)
    .action((options: PlanOptions) =>
      run.withDesk('data', (session) => changePlan(session, options)),
    );
  example(plan, 'backup plan --weekly sun@03:00 --keep 8');
  const making = group
    .command('run')
    .description('make a backup now, and verify it')
    .action(() => run.withDesk('data', (session) => runBackup(session)));
  example(making, 'backup run');
  const listing = group
    .command('list')
    .description('list the backups of this computer in the backup folder, newest first')
    .action(() => run.withDesk('data', listBackups));
  example(listing, 'backup list');
  const showing = group
    .command('status')
    .description('show the backup settings, and the result of the last backup')
    .action(() => run.withDesk('data', showBackupStatus));
  addExitSixHelp(showing, 'backups are paused, overdue or not set up, or the last backup failed');
  example(showing, 'backup status');
  for (const [word, isOn] of [
    ['on', true],
    ['off', false],
  ] as const) {
    const switching = group
      .command(word)
      .description(
        isOn ? 'turn scheduled backups on, also if they are paused' : 'turn scheduled backups off',
      )
      .action(() => run.withDesk('data', (session) => setBackupsOn(session, isOn)));
    example(switching, `backup ${word}`);
  }
  const page = group
    .command('recovery-page')
    .description(
      'save a PDF page on which you can write the recovery phrase, with the steps of a restore',
    )
    .requiredOption('--out <file.pdf>', 'output file; an existing file is never overwritten')
    .action((options: { readonly out: string }) =>
      run.withDesk('data', (session) => saveRecoveryPage(session, options)),
    );
  example(page, 'backup recovery-page --out recovery.pdf');
  moveCommands(group, run);
  restoreCommands(group, run);
  confirmCommands(group, run);
  recoverCommands(group, run);
  setAsideCommands(group, run);
};

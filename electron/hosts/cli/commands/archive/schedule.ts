import path from 'node:path';
import type { Command } from 'commander';
import { Option } from 'commander';
import type { ArchiveRuleRun, ArchiveRuleView } from '../../../../../shared/contract/archive.ts';
import { type Answer, answer } from '../../output/answer.ts';
import {
  addRuleSwitches,
  exitOfRules,
  failureItems,
  lastWithoutFailures,
  type RuleKind,
  stateText,
  textWithFailures,
} from '../rules.ts';
import { addArchiveOptions, archiveSettingsFrom, type ArchiveOptions } from './options.ts';
import { recipeFor, type Scheduler, SCHEDULERS } from '../../../schedule/recipes.ts';
import { exits } from '../../output/exit-codes.ts';
import { example, type GlobalOptions, addExitSixHelp, type Runner } from '../../session/group.ts';
import type { Io } from '../../output/io.ts';
import { writeNewFile } from '../../input/local-files.ts';
import type { Session } from '../../session/session.ts';
import { count, plain, table } from '../../output/text.ts';
import { toIsoText, toShownTime, parseTimeOfDay } from '../../input/times.ts';
import { UsageError } from '../../input/usage.ts';
import { dataDir } from '../../../data-dir.ts';
import { readVaultChoice, VAULT_CHOICE_MESSAGE } from '../../../vault-choice.ts';
import { HOUR } from '../../../../../shared/rules/time/units.ts';

interface AddOptions extends ArchiveOptions {
  readonly daily?: string;
  readonly onCompletion?: true;
}

const archiveRules: RuleKind<ArchiveRuleView> = {
  path: 'archive schedule',
  noun: 'archive rule',
  exampleName: 'Nightly',
  list: (api) => api['archive.rules']({}),
  switch: (api, id, isOn) => api['archive.switchRule']({ id, isOn }),
  remove: (api, id) => api['archive.removeRule']({ id }),
};

async function addRule(session: Session, name: string, options: AddOptions): Promise<Answer> {
  const when =
    options.daily !== undefined
      ? ({ kind: 'daily', at: options.daily } as const)
      : ({ kind: options.onCompletion === true ? 'completion' : 'by-hand' } as const);
  const order = await archiveSettingsFrom(session, options);
  const rule = { ...order, name, when, folder: path.resolve(options.to) };
  const preview = await session.api['archive.preview']({
    folder: rule.folder,
    filter: rule.filter,
    ...(rule.subfolder !== undefined && { subfolder: rule.subfolder }),
    pattern: rule.pattern ?? (await session.api['settings.read']({})).archivePattern,
  });
  const saved = await session.api['archive.saveRule'](rule);
  const lines = [
    `Added "${plain(saved.name)}": ${whenText(saved.when)}, into ${plain(saved.folder)}.`,
    ...preview.names.map((one) => `  ${plain(one)}`),
    ...preview.collisions.map((one) => `Several files would have this name: ${plain(one)}`),
    ...preview.tooLong.map((one) => `Too long for Windows: ${plain(one)}`),
  ];
  return answer({ rule: saved, preview }, lines.join('\n'));
}

function outcomeText({ saved, failed, failure, doneBy }: ArchiveRuleRun): string {
  if (failure !== null) return failure.message;
  return doneBy === undefined ? `${saved} saved, ${failed} failed` : `done by ${plain(doneBy)}`;
}

async function listRules({ api }: Session): Promise<Answer> {
  const rules = await api['archive.rules']({});
  const rows = rules.map((one) => [
    one.rule.name,
    stateText(one),
    whenText(one.rule.when),
    toShownTime(one.dueAt),
    toShownTime(one.last?.at ?? null),
    one.last === null ? '' : outcomeText(one.last),
    one.rule.folder,
  ]);
  const heading = ['NAME', 'STATE', 'WHEN', 'DUE', 'LAST', 'OUTCOME', 'FOLDER'];
  const items = rules.map((one) => ({
    ...one.rule,
    state: stateText(one),
    last: one.last === null ? null : lastWithoutFailures(one.last),
    dueAt: toIsoText(one.dueAt),
    ...failureItems(one),
  }));
  const text = table(heading, rows, 'There are no archive rules yet.');
  const countOf = ({ last }: ArchiveRuleView) => last?.failed ?? 0;
  return answer({ items }, textWithFailures(text, rules, countOf), exitOfRules(rules));
}

/** Delay after which a run that has not begun means that no scheduler calls the program. */
const OVERDUE_MS = HOUR;

/** Shows whether scheduled work runs, for users and for scripts that monitor it. */
async function showScheduleStatus({ api }: Session): Promise<Answer> {
  const now = Date.now();
  const kept = (await api['archive.rules']({})).filter(
    ({ rule }) => rule.isOn && rule.when.kind !== 'by-hand',
  );
  const items = kept.map(({ rule: { name, when }, last, failures, dueAt, isPaused }) => ({
    name,
    when: whenText(when),
    last: last === null ? null : toIsoText(last.at),
    next: toIsoText(dueAt),
    problem: scheduleProblemOf({ last, dueAt, isPaused }, now),
    ...failureItems({ failures }),
  }));
  const rows = items.map((item, at) => {
    const { last = null, dueAt = null } = kept[at] ?? {};
    return [
      item.name,
      item.when,
      toShownTime(last?.at ?? null),
      toShownTime(dueAt),
      item.problem ?? 'good',
    ];
  });
  const heading = ['NAME', 'WHEN', 'LAST', 'NEXT', 'RESULT'];
  const text = table(heading, rows, 'There are no automatic archive rules.');
  const isGood = items.every(({ problem }) => problem === null);
  const countOf = ({ last }: ArchiveRuleView) => last?.failed ?? 0;
  const whole = textWithFailures(text, kept, countOf);
  return answer({ items }, whole, isGood ? exits.done : exits.inPart);
}

function scheduleProblemOf(
  { last, dueAt, isPaused }: Pick<ArchiveRuleView, 'last' | 'dueAt' | 'isPaused'>,
  now: number,
): string | null {
  if (isPaused) {
    const isDoubted = last?.failure?.reason === 'data-restored';
    return `paused${isDoubted ? '' : ' after failing three times'}: ${last?.failure?.message ?? ''}`;
  }
  if (dueAt !== null && dueAt < now - OVERDUE_MS) {
    return 'overdue: the window was closed, and no scheduler runs `run-due`';
  }
  if (last === null) return null;
  if (last.failure !== null) return last.failure.message;
  return last.failed > 0 ? `${count(last.failed, 'agreement')} could not be saved` : null;
}

function whenText(when: ArchiveRuleView['rule']['when']): string {
  switch (when.kind) {
    case 'daily':
      return `daily at ${when.at}`;
    case 'completion':
      return 'on completion';
    case 'by-hand':
      return 'by hand';
  }
}

interface InstallOptions extends GlobalOptions {
  readonly for: Scheduler;
  readonly out?: string;
  readonly keyfile?: string;
}

/** Writes or prints the scheduler's file. Changes no setting of the system. */
async function installScheduler(io: Io, options: InstallOptions): Promise<Answer> {
  const due = [...io.program, 'run-due'];
  const { files, next } = recipeFor(options.for, [...due, ...dataOptionsOf(io, options)]);
  const written: string[] = [];
  if (options.out !== undefined) {
    for (const { name, text } of files) {
      written.push(await writeNewFile(path.join(options.out, name), Buffer.from(text)));
    }
  }
  const shownFiles = files.map(({ name, text }) => `# ${name}\n${text}`);
  const head =
    options.out === undefined ? shownFiles : written.map((file) => `Wrote ${plain(file)}`);
  const text = [...head, 'Then:', ...next.map((line) => `  ${line}`)].join('\n');
  return answer({ files, written, next }, text);
}

/**
 * Returns the options for the current data folder and credential store. A scheduler would not find
 * them, because it has a folder and variables of its own. No user is present to unlock a store:
 * without a key file, the store must be open already.
 */
function dataOptionsOf({ env }: Io, { data, vault, keyfile }: InstallOptions): string[] {
  const store = vault ?? env['SIGNING_DESK_VAULT'] ?? '';
  const choice = readVaultChoice(keyfile === undefined ? store : `keyfile:${keyfile}`);
  if (choice === null) throw new UsageError(VAULT_CHOICE_MESSAGE);
  return [
    ...['--data', dataDir(env, process.platform, data)],
    ...['--vault', choice === 'keychain' ? choice : `keyfile:${choice.keyfile}`],
  ];
}

export function archiveScheduleCommands(archive: Command, run: Runner): void {
  const group = archive.command('schedule').description('manage scheduled archiving');
  const adding = addArchiveOptions(
    group
      .command('add')
      .argument('<name>', 'name for the new rule')
      .description('add a rule that archives signed agreements automatically'),
  )
    .addOption(
      new Option(
        '--daily <time>',
        'run the rule every day at this local time, such as 02:30',
      ).argParser(parseTimeOfDay),
    )
    .addOption(
      new Option('--on-completion', 'run the rule when new agreements are read').conflicts('daily'),
    )
    .action((name: string, options: AddOptions) =>
      run.withDesk('data', (session) => addRule(session, name, options)),
    );
  example(adding, 'archive schedule add Nightly --daily 02:30 --to ~/Signed');
  const listing = group
    .command('list')
    .description('list the archive rules with their last results')
    .action(() => run.withDesk('data', listRules));
  addExitSixHelp(
    listing,
    'at least one rule is paused; `archive schedule on NAME` turns it on again',
  );
  example(listing, 'archive schedule list');
  const showing = group
    .command('status')
    .description('show the last run, its result and the next run of each automatic rule')
    .action(() => run.withDesk('data', showScheduleStatus));
  addExitSixHelp(showing, 'the last run of a rule failed, or a rule is paused or overdue');
  example(showing, 'archive schedule status');
  addRuleSwitches(group, run, archiveRules);
  const installing = group
    .command('install')
    .description('print the files with which a scheduler of the operating system runs `run-due`')
    .addOption(
      new Option('--for <scheduler>', 'scheduler of the operating system')
        .choices(SCHEDULERS)
        .makeOptionMandatory(),
    )
    .option('--out <folder>', 'write the files into this folder instead of printing them')
    .option('--keyfile <path>', 'key file for unattended runs (see `vault create-keyfile`)')
    .action((_: unknown, command: Command) =>
      run.alone((io) => installScheduler(io, command.optsWithGlobals<InstallOptions>())),
    );
  example(installing, 'archive schedule install --for systemd --keyfile ~/.signing-desk.key');
}

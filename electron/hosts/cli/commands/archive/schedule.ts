import path from 'node:path';
import type { Command } from 'commander';
import { Option } from 'commander';
import type { ArchiveRuleShown } from '../../../../../shared/contract/archive.ts';
import { AppError } from '../../../../../shared/errors.ts';
import { type Answer, answer } from '../../output/answer.ts';
import { archiveAnswer, readFirst, type Unread } from './outcome.ts';
import { addArchiveOptions, archiveOrder, type ArchiveOptions, timeOfDay } from './options.ts';
import { recipeFor, type Scheduler, SCHEDULERS } from './recipes.ts';
import { type Exit, exits } from '../../output/exit-codes.ts';
import { example, type Runner } from '../../session/group.ts';
import type { Io } from '../../output/io.ts';
import { followJob } from '../../session/jobs.ts';
import { writeNew } from '../../input/local-files.ts';
import type { Session } from '../../session/session.ts';
import { plain, table } from '../../output/text.ts';
import { iso, shown } from '../../input/times.ts';

interface AddOptions extends ArchiveOptions {
  readonly daily?: string;
  readonly onCompletion?: true;
}

async function addRule(session: Session, name: string, options: AddOptions): Promise<Answer> {
  const when =
    options.daily !== undefined
      ? ({ kind: 'daily', at: options.daily } as const)
      : ({ kind: options.onCompletion === true ? 'completion' : 'by-hand' } as const);
  const order = await archiveOrder(session, options);
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
    ...preview.collisions.map((one) => `Several would have this name: ${plain(one)}`),
    ...preview.tooLong.map((one) => `Too long for Windows: ${plain(one)}`),
  ];
  return answer({ rule: saved, preview }, lines.join('\n'));
}

async function listRules({ api }: Session): Promise<Answer> {
  const rules = await api['archive.rules']({});
  const rows = rules.map(({ rule, last, dueAt }) => [
    ...[rule.name, whenText(rule.when), shown(dueAt), shown(last?.at ?? null)],
    last === null ? '' : (last.failure?.message ?? `${last.saved} saved, ${last.failed} failed`),
    rule.folder,
  ]);
  const heading = ['NAME', 'WHEN', 'DUE', 'LAST', 'OUTCOME', 'FOLDER'];
  const items = rules.map(({ rule, last, dueAt }) => ({ ...rule, last, dueAt: iso(dueAt) }));
  return answer({ items }, table(heading, rows, 'There is no archive rule yet.'));
}

async function removeRule(session: Session, name: string): Promise<Answer> {
  const { rule } = await ruleNamed(session, name);
  await session.api['archive.removeRule']({ id: rule.id });
  return answer({ removed: rule.name }, `Removed "${plain(rule.name)}". What it saved stays.`);
}

async function ruleNamed({ api }: Session, name: string): Promise<ArchiveRuleShown> {
  const found = (await api['archive.rules']({})).find(({ rule }) => rule.name === name);
  if (found === undefined) throw new AppError('not-found', `There is no archive rule "${name}"`);
  return found;
}

/** `run-due`: what a scheduler calls, as often as it likes. */
async function runDue(session: Session): Promise<Answer> {
  const now = Date.now();
  const rules = (await session.api['archive.rules']({})).filter(
    ({ rule, dueAt }) => rule.when.kind === 'completion' || (dueAt !== null && dueAt <= now),
  );
  if (rules.length === 0) return answer({ ran: [] }, 'Nothing is due.');
  const unread = await readFirst(session, undefined);
  const ran: Ran[] = [];
  for (const { rule } of rules) ran.push(await runOne(session, rule, unread));
  const exit = ran.find((one) => one.exit !== exits.done)?.exit ?? exits.done;
  const text = ran.map(({ name, text: output }) => `${plain(name)}\n${output}`).join('\n');
  return answer({ ran: ran.map(({ name, value }) => ({ name, ...value })) }, text, exit);
}

interface Ran {
  readonly name: string;
  readonly value: object;
  readonly text: string;
  readonly exit: Exit;
}

async function runOne(
  session: Session,
  { id, name }: ArchiveRuleShown['rule'],
  unread: Unread | null,
): Promise<Ran> {
  const { jobId } = await session.api['archive.runRule']({ id });
  try {
    const job = await followJob(session, jobId, `Archiving ${plain(name)}`);
    return { name, ...archiveAnswer(job, unread) };
  } catch (error) {
    if (!(error instanceof AppError) || error.failure.code === 'cancelled') throw error;
    const { code, message, reason } = error.failure;
    // The other process does the same work.
    if (reason === 'already-under-way') {
      return { name, value: { skipped: message }, text: `Skipped: ${message}.`, exit: exits.done };
    }
    return { name, value: { error: { code, message } }, text: message, exit: exits.inPart };
  }
}

function whenText(when: ArchiveRuleShown['rule']['when']): string {
  switch (when.kind) {
    case 'daily':
      return `daily at ${when.at}`;
    case 'completion':
      return 'on completion';
    case 'by-hand':
      return 'by hand';
  }
}

interface InstallOptions {
  readonly for: Scheduler;
  readonly out?: string;
  readonly keyfile?: string;
  /** Of all commands; what is scheduled works on the same data. */
  readonly data?: string;
}

/** Writes or prints what the system's scheduler needs. Nothing is changed on the system itself. */
async function install(io: Io, options: InstallOptions): Promise<Answer> {
  const { files, next } = recipeFor(options.for, {
    words: [...io.program, 'archive', 'schedule', 'run-due'],
    env: variables(io, options),
  });
  const written: string[] = [];
  if (options.out !== undefined) {
    for (const { name, text } of files) {
      written.push(await writeNew(path.join(options.out, name), Buffer.from(text)));
    }
  }
  const shownFiles = files.map(({ name, text }) => `# ${name}\n${text}`);
  const head =
    options.out === undefined ? shownFiles : written.map((file) => `Wrote ${plain(file)}`);
  const text = [...head, 'Then:', ...next.map((line) => `  ${line}`)].join('\n');
  return answer({ files, written, next }, text);
}

/** Nobody is there to unlock a credential store: without a key file it must be open anyway. */
function variables(
  { env }: Io,
  { data = env['SIGNING_DESK_DATA'], keyfile }: InstallOptions,
): Readonly<Record<string, string>> {
  const vault =
    keyfile === undefined ? env['SIGNING_DESK_VAULT'] : `keyfile:${path.resolve(keyfile)}`;
  return {
    // A scheduler calls from a folder of its own.
    ...(data !== undefined && data !== '' && { SIGNING_DESK_DATA: path.resolve(data) }),
    ...(vault !== undefined && vault !== '' && { SIGNING_DESK_VAULT: vault }),
  };
}

/** `archive schedule …` */
export function archiveScheduleCommands(archive: Command, run: Runner): void {
  const group = archive.command('schedule').description('archives that are kept by themselves');
  const adding = addArchiveOptions(
    group.command('add <name>').description('keep an archive of what is signed'),
  )
    .addOption(
      new Option('--daily <time>', 'every day at this time of this computer').argParser(timeOfDay),
    )
    .addOption(new Option('--on-completion', 'after every reading').conflicts('daily'))
    .action((name: string, options: AddOptions) =>
      run.withDesk('data', (session) => addRule(session, name, options)),
    );
  example(adding, 'archive schedule add Nightly --daily 02:30 --to ~/Signed');
  const listing = group
    .command('list')
    .description('list them, with how they went last')
    .action(() => run.withDesk('data', listRules));
  example(listing, 'archive schedule list');
  const removing = group
    .command('remove <name>')
    .description('remove one; what it saved stays')
    .action((name: string) => run.withDesk('data', (session) => removeRule(session, name)));
  example(removing, 'archive schedule remove Nightly');
  const due = group
    .command('run-due')
    .description('run those whose time has come; a missed time runs once')
    .action(() => run.withDesk('data', runDue));
  example(due, 'archive schedule run-due');
  const installing = group
    .command('install')
    .description("make what the system's scheduler needs to run them")
    .addOption(new Option('--for <scheduler>', 'which').choices(SCHEDULERS).makeOptionMandatory())
    .option('--out <folder>', 'write the files there instead of showing them')
    .option('--keyfile <path>', 'the key file of unattended runs; see vault create-keyfile')
    .action((_: unknown, command: Command) =>
      run.alone((io) => install(io, command.optsWithGlobals<InstallOptions>())),
    );
  example(installing, 'archive schedule install --for systemd --keyfile ~/.signing-desk.key');
}

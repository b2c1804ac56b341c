import { type Command, InvalidArgumentError, Option } from 'commander';
import {
  DatabaseName,
  type OfficeMembership,
  type OfficeOwner,
  type OfficeTask,
  OfficeUserRight,
} from '../../../../../shared/contract/office/office.ts';
import { AppError } from '../../../../../shared/errors.ts';
import {
  type DatabaseNames,
  databaseScript,
} from '../../../../../shared/rules/office/database-script.ts';
import { readText, writeNewFileWith } from '../../input/local-files.ts';
import { wholeNumberOption } from '../../input/options.ts';
import { toIsoText, toShownTime } from '../../input/times.ts';
import { type Answer, answer } from '../../output/answer.ts';
import { exits } from '../../output/exit-codes.ts';
import { count, pairs, plain, table, UNREADABLE } from '../../output/text.ts';
import { type AddCommands, example, addExitSixHelp, type Runner } from '../../session/group.ts';
import type { Session } from '../../session/session.ts';
import { allowCommand } from './allow.ts';
import { approvalCommands } from './approvals.ts';
import { addSharedDraftCommands } from './together.ts';
import { handoverCommands } from './handovers.ts';
import { addActivityCommands } from './open.ts';
import { addRestoredCommands, officeRestoreText, officeRestoreForOutput } from './put-back.ts';
import { userNamed } from './seat-named.ts';
import { sharingCommands } from './sharing.ts';

const DEFAULT_DATABASE_PORT = 5432;
const MAX_PORT = 65_535;
const DEFAULT_DATABASE_NAME = 'signing_desk';
const DEFAULT_OWNER_NAME = 'signing_desk_owner';

interface OwnerOptions {
  readonly owner: string;
  readonly passwordEnv?: string;
}

interface CreateOptions extends OwnerOptions {
  readonly host: string;
  readonly port?: number;
  readonly database: string;
  readonly trust?: string;
  readonly name: string;
  readonly allowUnchecked?: true;
}

/**
 * Reads a secret from the terminal, standard input or a variable; never from an argument. Does not
 * store the secret.
 */
async function readOfficeSecret(
  { io }: Session,
  variable: string | undefined,
  question: string,
): Promise<string> {
  if (variable === undefined) return (await io.readSecret(question)).trim();
  const found = io.env[variable];
  if (found === undefined) throw new AppError('invalid', `The variable ${variable} is not set`);
  return found;
}

async function readOwner(
  session: Session,
  { owner, passwordEnv }: OwnerOptions,
): Promise<OfficeOwner> {
  const password = await readOfficeSecret(session, passwordEnv, `Password of ${owner}: `);
  return { role: owner, password };
}

/** Needs neither data nor credentials: the administrator of a server may have no office yet. */
function printDatabaseScript(names: DatabaseNames): Promise<Answer> {
  const sql = databaseScript(names);
  return Promise.resolve(answer({ sql }, sql.trimEnd()));
}

function parseDatabaseName(text: string): string {
  const name = DatabaseName.safeParse(text);
  if (name.success) return name.data;
  throw new InvalidArgumentError(`${name.error.issues[0]?.message ?? ''}.`);
}

async function createOfficeDatabase(session: Session, options: CreateOptions): Promise<Answer> {
  const {
    host,
    port = DEFAULT_DATABASE_PORT,
    database,
    trust,
    name,
    allowUnchecked = false,
  } = options;
  const certificates = trust === undefined ? null : await readText(trust);
  const address = { host, port, database, trust: certificates };
  const owner = await readOwner(session, options);
  const order = { address, owner, name, goesOnWithout: allowUnchecked };
  const membership = await session.api['office.create'](order);
  const next = 'To invite others: signing-desk office invite NAME --out FILE';
  return answer(shownMembership(membership), `${membershipText(membership)}\n${next}`);
}

async function inviteOfficeUser(
  session: Session,
  name: string,
  options: OwnerOptions & { readonly may?: readonly OfficeUserRight[]; readonly out: string },
): Promise<Answer> {
  const owner = await readOwner(session, options);
  const { may = OfficeUserRight.options, out } = options;
  const order = { owner, name, rights: [...may] };
  const { seat, file, phrase } = await writeNewFileWith(out, async (target) => {
    const { out: sealed, fileName: _usual, ...made } = await session.api['office.invite'](order);
    return { data: await session.takeBytes(sealed), made: { ...made, file: target } };
  });
  session.report.note('Send the words separately from the file. Lost words cannot be recovered.');
  return answer({ seat, file, phrase }, `Wrote ${plain(file)}. These words open it:\n${phrase}`);
}

async function joinWithInvitation(
  session: Session,
  file: string,
  { phraseEnv }: { readonly phraseEnv?: string },
): Promise<Answer> {
  const phrase = await readOfficeSecret(session, phraseEnv, 'The twelve words: ');
  const invitation = await readText(file);
  const membership = await session.api['office.join']({ invitation, phrase });
  return answer(shownMembership(membership), membershipText(membership));
}

async function leaveJoinedOffice(
  { api }: Session,
  { confirm }: { readonly confirm?: true },
): Promise<Answer> {
  const membership = await api['office.read']({});
  if (membership === null) return answer({ left: false }, 'This computer is not in an office.');
  if (confirm !== true) {
    const text =
      'Nothing was changed. With --confirm, this computer leaves its office, and its sends are no longer checked there. Shared drafts in the outbox then need a decision. Shared reminder rules and watched folders are turned off.';
    return answer({ left: false }, text, exits.inPart);
  }
  const { open } = await api['office.leave']({});
  const rest =
    open === 0
      ? ''
      : ` ${count(open, 'send')} without a known outcome: another computer must find it out.`;
  return answer({ left: true, open }, `This computer left its office.${rest}`);
}

async function removeOfficeUser(
  session: Session,
  named: string,
  options: OwnerOptions,
): Promise<Answer> {
  const seat = await userNamed(session, named);
  const owner = await readOwner(session, options);
  const { sessions } = await session.api['office.remove']({ owner, seat: seat.id });
  const sentence =
    'is removed, and the keys are renewed. The user may still have data that was read before.';
  const rest =
    sessions === 0
      ? ''
      : ` The server has not ended ${count(sessions, 'connection')} of this user yet. These have no rights, but may still lock data. The administrator of the server can end them.`;
  return answer({ removed: seat.id, sessions }, `${plain(seat.name)} ${sentence}${rest}`);
}

async function upgradeOffice(session: Session, options: OwnerOptions): Promise<Answer> {
  await session.api['office.upgrade']({ owner: await readOwner(session, options) });
  return answer({ upgraded: true }, 'The office now has the version of this program.');
}

/** `office status`: shows this computer's office and user, and the other users. */
async function showOfficeStatus({ api }: Session): Promise<Answer> {
  const membership = await api['office.read']({});
  if (membership === null) return answer({ member: null }, 'This computer is not in an office.');
  const seats = await api['office.seats']({});
  const rows = seats.flatMap(({ name, rights, joinedAt, isOwn, desks }) => {
    const who = [isOwn ? `${name} (you)` : name, rights.join(', ') || 'none'];
    if (desks.length === 0) return [[...who, joinedAt === null ? 'invited' : 'none', '', '']];
    return desks.map(({ version, seenAt, isThis, open }) => [
      ...who,
      isThis ? 'this computer' : `seen ${toShownTime(seenAt)}`,
      version,
      String(open),
    ]);
  });
  const heading = ['SEAT', 'MAY', 'DESK', 'VERSION', 'OPEN'];
  const tasks = await api['office.tasks']({});
  const putBack = await api['office.putBack']({});
  const text = [
    membershipText(membership),
    ...(putBack === null ? [] : [officeRestoreText(putBack)]),
    table(heading, rows, ''),
    ...(tasks.length === 0 ? [] : [tasksText(tasks)]),
  ].join('\n\n');
  const items = seats.map(({ joinedAt, desks, ...seat }) => ({
    ...seat,
    joinedAt: toIsoText(joinedAt),
    desks: desks.map(({ seenAt, ...desk }) => ({ ...desk, seenAt: toIsoText(seenAt) })),
  }));
  const shownTasks = tasks.map(({ since, ...task }) => ({ ...task, since: toIsoText(since) }));
  const value = {
    member: shownMembership(membership),
    seats: items,
    tasks: shownTasks,
    putBack: putBack === null ? null : officeRestoreForOutput(putBack),
  };
  return answer(value, text);
}

function tasksText(tasks: readonly OfficeTask[]): string {
  const rows = tasks.map(({ kind, title, seat, since }) => [
    kind,
    title ?? UNREADABLE,
    seat,
    toShownTime(since),
  ]);
  return table(['DONE FOR ALL', '', 'BY', 'SINCE'], rows, '');
}

/** `office doctor`: checks the office. Ends with exit code 6 if a check fails. */
async function runOfficeDoctor({ api }: Session): Promise<Answer> {
  const checks = await api['office.check']({});
  const rows = checks.map(({ check, ok, said }) => [check, ok ? 'good' : 'NOT GOOD', said]);
  const isGood = checks.every(({ ok }) => ok);
  const text = table(['CHECK', '', ''], rows, '');
  return answer({ checks }, text, isGood ? exits.done : exits.inPart);
}

function shownMembership({ address, ...rest }: OfficeMembership) {
  const { trust, ...where } = address;
  return { ...rest, address: where, hasOwnCertificates: trust !== null };
}

function membershipText({ name, address, goesOnWithout }: OfficeMembership): string {
  const { host, port, database } = address;
  return pairs([
    ['You', name],
    ['Office', `${database} at ${host}, port ${String(port)}`],
    ['If unreachable', goesOnWithout ? 'you may send without a check' : 'sends wait'],
  ]);
}

function addOwnerOptions(command: Command): Command {
  return command
    .option('--owner <role>', 'PostgreSQL role that owns the database', DEFAULT_OWNER_NAME)
    .option(
      '--password-env <variable>',
      'read the password of the role from this environment variable',
    );
}

function parseRights(text: string): readonly OfficeUserRight[] {
  const rights = OfficeUserRight.array().safeParse(text.split(','));
  if (rights.success) return rights.data;
  throw new InvalidArgumentError('Write send, sign, numbers or templates, separated by commas.');
}

export const officeCommands: AddCommands = (group, run) => {
  addSetupCommands(group, run);
  seats(group, run);
  addActivityCommands(group, run);
  allowCommand(group, run);
  addRestoredCommands(group, run);
  sharingCommands(group, run);
  handoverCommands(group, run);
  addSharedDraftCommands(group, run);
  approvalCommands(group, run);
};

function addSetupCommands(group: Command, run: Runner): void {
  const printing = group
    .command('script')
    .description('print the SQL script that the administrator of PostgreSQL runs once')
    .option('--database <name>', 'database to create', parseDatabaseName, DEFAULT_DATABASE_NAME)
    .option('--owner <role>', 'role that owns the database', parseDatabaseName, DEFAULT_OWNER_NAME)
    .action((options: DatabaseNames) => run.alone(() => printDatabaseScript(options)));
  example(printing, 'office script > office.sql');
  const creating = addOwnerOptions(
    group
      .command('create')
      .description('create an office in a PostgreSQL database, with this computer as its first')
      .requiredOption(
        '--host <name>',
        'name of the PostgreSQL server, which must use TLS unless it is this computer',
      )
      .addOption(
        wholeNumberOption(
          '--port <number>',
          `port of the server (default: ${DEFAULT_DATABASE_PORT})`,
          1,
          MAX_PORT,
        ),
      )
      .option('--database <name>', 'database of the office', DEFAULT_DATABASE_NAME)
      .option('--trust <file.pem>', 'file with the certificates that verify the server')
      .requiredOption('--name <who>', 'your name, which the other users see')
      .option(
        '--allow-unchecked',
        'if the office is unreachable, allow sends without the check for earlier sends',
      ),
  ).action((options: CreateOptions) =>
    run.withDesk('data', (session) => createOfficeDatabase(session, options)),
  );
  example(creating, 'office create --host db.office.example --name "Anna Ek"');
  const upgrading = addOwnerOptions(
    group.command('upgrade').description('upgrade the office to the version of this program'),
  ).action((options: OwnerOptions) =>
    run.withDesk('data', (session) => upgradeOffice(session, options)),
  );
  example(upgrading, 'office upgrade');
}

function seats(group: Command, run: Runner): void {
  const inviting = addOwnerOptions(
    group
      .command('invite')
      .argument('<name>', 'name of the new user')
      .description('invite a user: write an invitation file, and print the words that open it')
      .addOption(
        new Option(
          '--may <rights>',
          'rights, separated by commas: send, sign, numbers, templates (default: all)',
        ).argParser(parseRights),
      )
      .requiredOption('--out <file>', 'output file; an existing file is never overwritten'),
  ).action(
    (
      name: string,
      options: OwnerOptions & { readonly may?: readonly OfficeUserRight[]; readonly out: string },
    ) => run.withDesk('data', (session) => inviteOfficeUser(session, name, options)),
  );
  example(inviting, 'office invite "Bo Lund" --may send --out bo.signoffice');
  const joining = group
    .command('join')
    .argument('<file>', 'invitation file that you received')
    .description('join an office with an invitation; reads its twelve words from standard input')
    .option('--phrase-env <variable>', 'read the words from this environment variable instead')
    .action((file: string, options: { readonly phraseEnv?: string }) =>
      run.withDesk('data', (session) => joinWithInvitation(session, file, options)),
    );
  example(joining, 'office join bo.signoffice');
  const looking = group
    .command('status')
    .description('show the office, its users and computers, and the jobs that run for all of them')
    .action(() => run.withDesk('data', showOfficeStatus));
  example(looking, 'office status');
  const checking = group
    .command('doctor')
    .description('check the connection, the database role and the clock')
    .action(() => run.withDesk('data', runOfficeDoctor));
  addExitSixHelp(checking, 'at least one check found a problem');
  example(checking, 'office doctor');
  const removing = addOwnerOptions(
    group
      .command('remove')
      .argument('<user>', 'name or ID of the user, as `office status` shows it')
      .description('remove a user from the office, and renew the keys of the others'),
  ).action((named: string, options: OwnerOptions) =>
    run.withDesk('data', (session) => removeOfficeUser(session, named, options)),
  );
  example(removing, 'office remove "Bo Lund"');
  const leaving = group
    .command('leave')
    .description('remove this computer and its keys from the office')
    .option('--confirm', 'leave the office; without this option, nothing is changed')
    .action((options: { readonly confirm?: true }) =>
      run.withDesk('data', (session) => leaveJoinedOffice(session, options)),
    );
  addExitSixHelp(leaving, '--confirm is missing, so nothing was changed');
  example(leaving, 'office leave --confirm');
}

import { type Command, InvalidArgumentError, Option } from 'commander';
import {
  type OfficeMembership,
  type OfficeOwner,
  type OfficeTask,
  SeatRight,
} from '../../../../../shared/contract/office/office.ts';
import { AppError } from '../../../../../shared/errors.ts';
import { readText, writeNewWith } from '../../input/local-files.ts';
import { wholeOption } from '../../input/options.ts';
import { iso, shown } from '../../input/times.ts';
import { type Answer, answer } from '../../output/answer.ts';
import { exits } from '../../output/exit-codes.ts';
import { count, pairs, plain, table, UNREADABLE } from '../../output/text.ts';
import { type AddCommands, example, type Runner } from '../../session/group.ts';
import type { Session } from '../../session/session.ts';
import { allowCommand } from './allow.ts';
import { approvalCommands } from './approvals.ts';
import { togetherCommands } from './together.ts';
import { handoverCommands } from './handovers.ts';
import { openCommands } from './open.ts';
import { putBackCommands, putBackText, shownPutBack } from './put-back.ts';
import { seatNamed } from './seat-named.ts';
import { sharingCommands } from './sharing.ts';

const PORT = 5432;
const MOST_PORT = 65_535;
const DATABASE = 'signing_desk';
const OWNER = 'signing_desk_owner';

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
  readonly goOnWithout?: true;
}

/** From the terminal, standard input or a variable; never from an argument, and kept nowhere. */
async function secret(
  { io }: Session,
  variable: string | undefined,
  question: string,
): Promise<string> {
  if (variable === undefined) return (await io.readSecret(question)).trim();
  const found = io.env[variable];
  if (found === undefined) throw new AppError('invalid', `The variable ${variable} is not set`);
  return found;
}

async function ownerOf(
  session: Session,
  { owner, passwordEnv }: OwnerOptions,
): Promise<OfficeOwner> {
  const password = await secret(session, passwordEnv, `Password of ${owner}: `);
  return { role: owner, password };
}

async function script(
  { api }: Session,
  { database, owner }: Pick<CreateOptions, 'database' | 'owner'>,
): Promise<Answer> {
  const { sql } = await api['office.script']({ database, owner });
  return answer({ sql }, sql.trimEnd());
}

async function create(session: Session, options: CreateOptions): Promise<Answer> {
  const { host, port = PORT, database, trust, name, goOnWithout = false } = options;
  const certificates = trust === undefined ? null : await readText(trust);
  const address = { host, port, database, trust: certificates };
  const owner = await ownerOf(session, options);
  const order = { address, owner, name, goesOnWithout: goOnWithout };
  const membership = await session.api['office.create'](order);
  const next = 'Others join by an invitation: signing-desk office invite NAME --out FILE';
  return answer(shownMembership(membership), `${membershipText(membership)}\n${next}`);
}

async function invite(
  session: Session,
  name: string,
  options: OwnerOptions & { readonly may?: readonly SeatRight[]; readonly out: string },
): Promise<Answer> {
  const owner = await ownerOf(session, options);
  const { may = SeatRight.options, out } = options;
  const order = { owner, name, rights: [...may] };
  const { seat, file, phrase } = await writeNewWith(out, async (target) => {
    const { out: sealed, fileName: _usual, ...made } = await session.api['office.invite'](order);
    return { data: await session.takeBytes(sealed), made: { ...made, file: target } };
  });
  session.report.note('Tell the words by other means than the file. Nobody can make them anew.');
  return answer({ seat, file, phrase }, `Wrote ${plain(file)}. It opens with:\n${phrase}`);
}

async function join(
  session: Session,
  file: string,
  { phraseEnv }: { readonly phraseEnv?: string },
): Promise<Answer> {
  const phrase = await secret(session, phraseEnv, 'The twelve words: ');
  const invitation = await readText(file);
  const membership = await session.api['office.join']({ invitation, phrase });
  return answer(shownMembership(membership), membershipText(membership));
}

async function leave({ api }: Session, { confirm }: { readonly confirm?: true }): Promise<Answer> {
  const membership = await api['office.read']({});
  if (membership === null) return answer({ left: false }, 'This desk is in no office.');
  if (confirm !== true) {
    const text =
      'With --confirm this desk forgets its office: its sends ask nobody any more. Shared drafts in its outbox wait for a person, and shared reminder rules and watched folders are switched off.';
    return answer({ left: false }, text, exits.inPart);
  }
  const { open } = await api['office.leave']({});
  const rest = open === 0 ? '' : ` ${count(open, 'send')} not settled: another desk settles it.`;
  return answer({ left: true, open }, `This desk left its office.${rest}`);
}

async function remove(session: Session, named: string, options: OwnerOptions): Promise<Answer> {
  const seat = await seatNamed(session, named);
  const owner = await ownerOf(session, options);
  const { sessions } = await session.api['office.remove']({ owner, seat: seat.id });
  const sentence =
    'is removed, and the keys are renewed. What that seat has read before, it may have kept.';
  const rest =
    sessions === 0
      ? ''
      : ` The server has not ended ${count(sessions, 'connection')} of that seat yet: without any right, but what was locked there stays locked until then. The administrator of the server can end it.`;
  return answer({ removed: seat.id, sessions }, `${plain(seat.name)} ${sentence}${rest}`);
}

async function upgrade(session: Session, options: OwnerOptions): Promise<Answer> {
  await session.api['office.upgrade']({ owner: await ownerOf(session, options) });
  return answer({ upgraded: true }, 'The office is of the version of this program.');
}

/** `office status`: where this desk sits, and who else does. */
async function status({ api }: Session): Promise<Answer> {
  const membership = await api['office.read']({});
  if (membership === null) return answer({ member: null }, 'This desk is in no office.');
  const seats = await api['office.seats']({});
  const rows = seats.flatMap(({ name, rights, joinedAt, isOwn, desks }) => {
    const who = [isOwn ? `${name} (this seat)` : name, rights.join(', ') || 'nothing'];
    if (desks.length === 0) return [[...who, joinedAt === null ? 'invited' : 'no desk', '', '']];
    return desks.map(({ version, seenAt, isThis, open }) => [
      ...who,
      isThis ? 'this desk' : `seen ${shown(seenAt)}`,
      version,
      String(open),
    ]);
  });
  const heading = ['SEAT', 'MAY', 'DESK', 'VERSION', 'OPEN'];
  const tasks = await api['office.tasks']({});
  const putBack = await api['office.putBack']({});
  const text = [
    membershipText(membership),
    ...(putBack === null ? [] : [putBackText(putBack)]),
    table(heading, rows, ''),
    ...(tasks.length === 0 ? [] : [tasksText(tasks)]),
  ].join('\n\n');
  const items = seats.map(({ joinedAt, desks, ...seat }) => ({
    ...seat,
    joinedAt: iso(joinedAt),
    desks: desks.map(({ seenAt, ...desk }) => ({ ...desk, seenAt: iso(seenAt) })),
  }));
  const shownTasks = tasks.map(({ since, ...task }) => ({ ...task, since: iso(since) }));
  const value = {
    member: shownMembership(membership),
    seats: items,
    tasks: shownTasks,
    putBack: putBack === null ? null : shownPutBack(putBack),
  };
  return answer(value, text);
}

function tasksText(tasks: readonly OfficeTask[]): string {
  const rows = tasks.map(({ kind, title, seat, since }) => [
    kind,
    title ?? UNREADABLE,
    seat,
    shown(since),
  ]);
  return table(['DONE FOR ALL', '', 'BY', 'SINCE'], rows, '');
}

/** `office doctor`: 6 where something is not as it should be. */
async function doctor({ api }: Session): Promise<Answer> {
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
    ['This seat', name],
    ['Office', `${database} at ${host}, port ${String(port)}`],
    ['Cannot be asked', goesOnWithout ? 'a person may let a send go out' : 'what needs it waits'],
  ]);
}

function withOwner(command: Command): Command {
  return command
    .option('--owner <role>', 'the role that owns the database', OWNER)
    .option('--password-env <variable>', 'read its password from this variable instead');
}

function rightsOf(text: string): readonly SeatRight[] {
  const rights = SeatRight.array().safeParse(text.split(','));
  if (rights.success) return rights.data;
  throw new InvalidArgumentError('Write send, sign, numbers and templates, with commas between.');
}

/** `office …` */
export const officeCommands: AddCommands = (group, run) => {
  making(group, run);
  seats(group, run);
  openCommands(group, run);
  allowCommand(group, run);
  putBackCommands(group, run);
  sharingCommands(group, run);
  handoverCommands(group, run);
  togetherCommands(group, run);
  approvalCommands(group, run);
};

function making(group: Command, run: Runner): void {
  const printing = group
    .command('script')
    .description('print what an administrator of the PostgreSQL server runs once')
    .option('--database <name>', 'the database to make', DATABASE)
    .option('--owner <role>', 'the role that owns it', OWNER)
    .action((options: Pick<CreateOptions, 'database' | 'owner'>) =>
      run.withDesk('data', (session) => script(session, options)),
    );
  example(printing, 'office script > office.sql');
  const creating = withOwner(
    group
      .command('create')
      .description('make an office in that database, with this desk as its first')
      .requiredOption('--host <name>', 'the server; encrypted unless it is this computer')
      .addOption(wholeOption('--port <number>', `${String(PORT)} unless named`, 1, MOST_PORT))
      .option('--database <name>', 'the database', DATABASE)
      .option('--trust <file.pem>', 'certificates that prove the server')
      .requiredOption('--name <who>', 'who sits at this desk')
      .option('--go-on-without', 'a person may let a send go out while it cannot be asked'),
  ).action((options: CreateOptions) => run.withDesk('data', (session) => create(session, options)));
  example(creating, 'office create --host db.office.example --name "Anna Ek"');
  const upgrading = withOwner(
    group.command('upgrade').description('bring the office up to the version of this program'),
  ).action((options: OwnerOptions) => run.withDesk('data', (session) => upgrade(session, options)));
  example(upgrading, 'office upgrade');
}

function seats(group: Command, run: Runner): void {
  const inviting = withOwner(
    group
      .command('invite')
      .argument('<name>', 'who will sit there')
      .description('make a seat, and a file that its desk joins with')
      .addOption(
        new Option('--may <rights>', 'send, sign, numbers, templates; all unless named').argParser(
          rightsOf,
        ),
      )
      .requiredOption('--out <file>', 'the invitation, which must not exist'),
  ).action(
    (
      name: string,
      options: OwnerOptions & { readonly may?: readonly SeatRight[]; readonly out: string },
    ) => run.withDesk('data', (session) => invite(session, name, options)),
  );
  example(inviting, 'office invite "Bo Lund" --may send --out bo.signoffice');
  const joining = group
    .command('join')
    .argument('<file>', 'the invitation')
    .description('take the seat of an invitation: reads its twelve words')
    .option('--phrase-env <variable>', 'read the words from this variable instead')
    .action((file: string, options: { readonly phraseEnv?: string }) =>
      run.withDesk('data', (session) => join(session, file, options)),
    );
  example(joining, 'office join bo.signoffice');
  const looking = group
    .command('status')
    .description('where this desk sits, who else does, and what one desk does for all now')
    .action(() => run.withDesk('data', status));
  example(looking, 'office status');
  const checking = group
    .command('doctor')
    .description('look at the connection, the role, the clock; 6 if something is not good')
    .action(() => run.withDesk('data', doctor));
  example(checking, 'office doctor');
  const removing = withOwner(
    group
      .command('remove')
      .argument('<seat>', 'its name or id')
      .description('take a seat away, and renew the keys for the others'),
  ).action((named: string, options: OwnerOptions) =>
    run.withDesk('data', (session) => remove(session, named, options)),
  );
  example(removing, 'office remove "Bo Lund"');
  const leaving = group
    .command('leave')
    .description('forget the office on this computer, with its keys')
    .option('--confirm', 'do it')
    .action((options: { readonly confirm?: true }) =>
      run.withDesk('data', (session) => leave(session, options)),
    );
  example(leaving, 'office leave --confirm');
}

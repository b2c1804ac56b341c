import { type Connection, Environment } from '../../../../../shared/contract/connections.ts';
import { ApiName } from '../../../../../shared/model/ids.ts';
import { AppError } from '../../../../../shared/errors.ts';
import { type Answer, answer } from '../../output/answer.ts';
import { withoutPersonNumbers } from '../../../../../shared/rules/text/mask.ts';
import {
  acceptDoubtsOption,
  type DoubtOptions,
  rejectDoubtfulNumbers,
} from '../../input/doubtful-numbers.ts';
import { isBlank } from '../../../../../shared/rules/drafts/parts/findings.ts';
import { UsageError } from '../../input/usage.ts';
import { testConnection } from './test-command.ts';
import { type AddCommands, example } from '../../session/group.ts';
import { connectionNamed, isDemoName } from '../../session/names.ts';
import { choiceOption, wholeNumberOption } from '../../input/options.ts';
import type { Session } from '../../session/session.ts';
import { plain, table } from '../../output/text.ts';

interface AddOptions extends DoubtOptions {
  readonly api: ApiName;
  readonly url: string;
  readonly account?: string;
  readonly orgNo?: string;
  readonly environment: 'production' | 'test' | 'demo';
  readonly secretEnv?: string;
  readonly samples?: boolean;
  readonly allow?: readonly string[];
}

/**
 * `connections add`: adds a connection. The secret comes from standard input or a variable, never
 * from an argument.
 */
async function addConnection(session: Session, name: string, options: AddOptions): Promise<Answer> {
  const { api, url, account = null, orgNo = null, environment, samples, allow } = options;
  if (samples && environment !== 'demo') {
    throw new AppError('invalid', 'Nothing was added: --samples requires --environment demo');
  }
  rejectDoubtfulNumbers({ orgNo: orgNo ?? undefined }, options);
  const added =
    environment === 'demo'
      ? await addDemo(session, name, options)
      : await session.api['connections.add']({
          name,
          api,
          url,
          environment,
          accountId: account,
          orgNo,
          allowed: allow === undefined ? null : [...allow],
          secret: await secretOf(session, options),
        });
  return answer(
    connectionRow(added),
    `Added ${plain(added.name)} (${added.api}, ${added.environment}).`,
  );
}

async function listConnections({ api }: Session): Promise<Answer> {
  const connections = await api['connections.list']({});
  const text = table(
    ['NAME', 'API', 'ENVIRONMENT', 'ADDRESS', 'REACHES'],
    connections.map((one) => [
      ...[one.name, one.api, one.environment, one.url],
      one.allowed?.join(', ') ?? 'everyone',
    ]),
    'There is no connection yet. Try: signing-desk connections test demo',
  );
  return answer({ items: connections.map(connectionRow) }, text);
}

/**
 * `connections replace-secret`: replaces the secret after a new one was issued, or data was
 * restored without it.
 */
async function replaceSecret(
  session: Session,
  name: string,
  options: Pick<AddOptions, 'secretEnv'>,
): Promise<Answer> {
  const { id } = await connectionNamed(session, name);
  const secret = await secretOf(session, options);
  const changed = await session.api['connections.replaceSecret']({ id, secret });
  return answer(connectionRow(changed), `${plain(name)} uses the new API key from now on.`);
}

/**
 * `connections allow`: sets the recipients that a trial connection may reach; an empty list allows
 * everyone.
 */
async function allowRecipients(
  session: Session,
  name: string,
  entries: readonly string[],
): Promise<Answer> {
  const { id } = await connectionNamed(session, name);
  const allowed = entries.length === 0 ? null : [...entries];
  const changed = await session.api['connections.allow']({ id, allowed });
  const whom = changed.allowed === null ? 'everyone' : changed.allowed.join(', ');
  return answer(connectionRow(changed), `${plain(name)} can now reach ${plain(whom)}.`);
}

interface OrgNoOptions extends DoubtOptions {
  readonly remove?: true;
}

/**
 * Rejects an empty number without --remove: a script whose variable is not set must not offer the
 * agreements of every company.
 * @throws UsageError before any data is opened.
 */
function assertNumberOrRemoval(number: string | undefined, { remove }: OrgNoOptions): void {
  if (remove === true && number !== undefined) {
    throw new UsageError('Write either a number or --remove.');
  }
  if (remove === true || !isBlank(number)) return;
  throw new UsageError(
    'The organisation number is empty. Write a number, or add --remove to offer every company party.',
  );
}

/**
 * `connections org-no`: sets our organisation number, by which the signing queue finds agreements;
 * after its removal, every company party is offered.
 */
async function changeOrgNo(
  session: Session,
  name: string,
  number: string | undefined,
  options: DoubtOptions,
): Promise<Answer> {
  const { id } = await connectionNamed(session, name);
  rejectDoubtfulNumbers({ orgNo: number }, options);
  const changed = await session.api['connections.setOrgNo']({ id, orgNo: number ?? null });
  const { orgNo } = changed;
  const text =
    orgNo === null
      ? `${plain(name)} has no organisation number now, so the signing queue offers every company party.`
      : `The signing queue now finds agreements of ${plain(name)} by ${plain(withoutPersonNumbers(orgNo))}.`;
  return answer(connectionRow(changed), text);
}

interface RemoveOptions {
  readonly agreements: 'keep' | 'delete';
  readonly drafts: 'keep' | 'delete';
  readonly confirm: number;
}

/**
 * `connections remove`: removes a connection. `--confirm` states the number of local copies that
 * are removed with it.
 */
async function removeConnection(
  session: Session,
  name: string,
  { agreements, drafts, confirm }: RemoveOptions,
): Promise<Answer> {
  const { id } = await connectionNamed(session, name);
  const { all } = await session.api['agreements.counts']({ connectionId: id });
  const concerned = agreements === 'delete' ? all : 0;
  if (confirm !== concerned) {
    const copies = `This would delete copies of ${concerned} agreements`;
    const message = `${copies}, but --confirm gives ${confirm}. Nothing was removed`;
    throw new AppError('invalid', message, { reason: 'count-differs' });
  }
  await session.api['connections.remove']({ id, agreements, drafts });
  return answer({}, `Removed ${plain(name)}.`);
}

function connectionRow(connection: Connection): object {
  const { id, name, api, url, environment, allowed, orgNo } = connection;
  return {
    id,
    name,
    api,
    url,
    environment,
    ...(allowed !== null && { allowed }),
    // The number of a sole trader is a personal number.
    ...(orgNo !== null && { orgNo: withoutPersonNumbers(orgNo) }),
  };
}

async function addDemo(
  { api }: Session,
  name: string,
  { api: which, samples }: AddOptions,
): Promise<Connection> {
  const demo = (await api['connections.addDemo']({})).find((one) => one.api === which);
  if (demo === undefined) throw new AppError('not-found', 'The demo service was not added');
  if (samples) await api['samples.add']({});
  return demo.name === name ? demo : api['connections.rename']({ id: demo.id, name });
}

async function secretOf(
  { io }: Session,
  { secretEnv }: Pick<AddOptions, 'secretEnv'>,
): Promise<string> {
  if (secretEnv === undefined) return (await io.readSecret('API key: ')).trim();
  const secret = io.env[secretEnv];
  if (secret === undefined) throw new AppError('invalid', `The variable ${secretEnv} is not set`);
  return secret.trim();
}

const REMOVAL_CHOICES = ['keep', 'delete'];
const CONNECTION_NAME_HELP = 'name of the connection, as `connections list` shows it';

export const connectionCommands: AddCommands = (group, run) => {
  const add = group
    .command('add')
    .argument('<name>', 'name for the new connection')
    .description(
      'add a connection; reads its API key (v1: token, v2: access key) from standard input',
    )
    .addOption(
      choiceOption('--api <api>', 'API of the service', ApiName.options).makeOptionMandatory(),
    )
    .requiredOption('--url <url>', 'address of the service; for the demo, any text')
    .option('--account <id>', 'v2: ID of the company user in whose name the program acts')
    .option('--org-no <number>', 'v2: organisation number of your company, as the signing party')
    .addOption(acceptDoubtsOption())
    .addOption(environmentOption())
    .option('--secret-env <variable>', 'read the API key from this environment variable instead')
    .option('--samples', 'demo: also add a sample template and a sample batch')
    .option(
      '--allow <recipient...>',
      'for tests: send only to these domains (@example.com), email addresses and phone numbers',
    )
    .action((name: string, options: AddOptions) => {
      if (options.orgNo !== undefined && isBlank(options.orgNo)) {
        throw new UsageError('The value of --org-no is empty. Write a number, or omit the option.');
      }
      return run.withDesk('data', (session) => addConnection(session, name, options));
    });
  example(add, 'connections add Office --api v1 --url https://api.example.com < token.txt');
  const list = group
    .command('list')
    .description('list the connections')
    .action(() => run.withDesk('data', listConnections));
  example(list, 'connections list --json');
  const replacing = group
    .command('replace-secret')
    .argument('<name>', CONNECTION_NAME_HELP)
    .description(
      'replace the API key (v1: token, v2: access key); reads the new key from standard input',
    )
    .option('--secret-env <variable>', 'read the API key from this environment variable instead')
    .action((name: string, options: Pick<AddOptions, 'secretEnv'>) =>
      run.withDesk('data', (session) => replaceSecret(session, name, options)),
    );
  example(replacing, 'connections replace-secret Office');
  const allow = group
    .command('allow')
    .argument('<name>', CONNECTION_NAME_HELP)
    .argument(
      '[recipient...]',
      'domains (@example.com), email addresses or phone numbers; without any, everyone is allowed',
    )
    .description('set which recipients a connection may reach')
    .action((name: string, recipients: readonly string[]) =>
      run.withDesk('data', (session) => allowRecipients(session, name, recipients)),
    );
  example(allow, 'connections allow Trial @example.com +46701234567');
  addOrgNoCommand(group, run);
  addRemoveCommand(group, run);
  const test = group
    .command('test')
    .argument('<name>', CONNECTION_NAME_HELP)
    .description('test a connection step by step; nothing is changed on the service')
    .action((name: string) =>
      run.withDesk(isDemoName(name) ? 'demo' : 'data', (session) => testConnection(session, name)),
    );
  example(test, 'connections test demo');
};

const addOrgNoCommand: AddCommands = (group, run) => {
  const change = group
    .command('org-no')
    .argument('<name>', CONNECTION_NAME_HELP)
    .argument('[number]', 'organisation number')
    .description('v2: set the organisation number by which the signing queue finds agreements')
    .option('--remove', 'remove the number: the signing queue then offers every company party')
    .addOption(acceptDoubtsOption())
    .action((name: string, number: string | undefined, options: OrgNoOptions) => {
      assertNumberOrRemoval(number, options);
      return run.withDesk('data', (session) => changeOrgNo(session, name, number, options));
    });
  example(change, 'connections org-no Old 559999-0008');
};

const addRemoveCommand: AddCommands = (group, run) => {
  const remove = group
    .command('remove')
    .argument('<name>', CONNECTION_NAME_HELP)
    .description('remove a connection and its API key')
    .addOption(
      choiceOption(
        '--agreements <what>',
        'keep or delete the copies of its agreements on this computer',
        REMOVAL_CHOICES,
      ).default('keep'),
    )
    .addOption(
      choiceOption('--drafts <what>', 'keep or delete its drafts', REMOVAL_CHOICES).default('keep'),
    )
    .addOption(
      wholeNumberOption(
        '--confirm <count>',
        'with --agreements delete: enter the number of copies to delete',
        0,
        1e8,
      ).default(0),
    )
    .action((name: string, options: RemoveOptions) =>
      run.withDesk('data', (session) => removeConnection(session, name, options)),
    );
  example(remove, 'connections remove Office --agreements delete --confirm 214');
};

function environmentOption() {
  const about = 'kind of environment; it is shown wherever the connection is used';
  return choiceOption('--environment <kind>', about, Environment.options).default('production');
}

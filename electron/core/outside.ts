import { type CallName, calls } from '../../shared/contract/index.ts';
import { AppError } from '../../shared/errors.ts';
import { serviceAddress } from '../../shared/rules/identifiers/service-address.ts';
import { recipientKeysOf, unconfirmedReaches } from './backup/reaches.ts';
import type { Connection } from '../../shared/contract/connections.ts';
import type { HostConfirmation } from '../../shared/contract/host.ts';
import type { HostFeatures } from './host-ports.ts';
import type { Offices } from './office/ports.ts';
import type { DescribeAuthorities, NetworkSettingsStore } from './network/ports.ts';
import { networkFolder } from './network-folders.ts';
import type { Files, Stores } from './ports.ts';
import { secretName } from './services/services.ts';
import { BACKUP_REACH_ID, isUnconfirmed } from './unconfirmed.ts';

interface OutsidePorts {
  readonly confirm: HostFeatures['confirm'];
  readonly stores: () => Stores | null;
  readonly network: () => Pick<NetworkSettingsStore, 'read'> | null;
  readonly offices: () => Promise<Pick<Offices, 'addressIn'>>;
  readonly resolveLocal: Files['resolveLocal'];
  readonly describeAuthorities: DescribeAuthorities;
  /**
   * Returns the fingerprint of an update feed's key, for people to compare; the key itself if the
   * key is invalid.
   */
  readonly fingerprint: (key: string) => string;
  /** Returns the scheme, host and port of a URL; the text itself if it is not a URL. */
  readonly originOf: (url: string) => string;
}

/**
 * Asks the user in a dialog outside of the page before the page changes the update source, the
 * backup administrator or the servers that may be reached. The page shows content written by
 * others, so it must not answer for the user.
 */
export class OutsideQuestions {
  readonly #ports: OutsidePorts;
  /**
   * Origins of the servers that the user has allowed: the paths of both APIs are on one server. An
   * origin is kept until a connection to it is added, so that testing a connection and then adding
   * it shows one question, not two. Any other answer applies to one call and is not kept.
   */
  readonly #tried = new Set<string>();

  constructor(ports: OutsidePorts) {
    this.#ports = ports;
  }

  /** Asks the user about a call, if this is required. Throws 'cancelled' if the user declined. */
  async check(name: CallName, input: unknown): Promise<void> {
    const { confirm, stores, originOf } = this.#ports;
    const open = stores();
    const ask = Object.hasOwn(questionsByCall, name) ? questionsByCall[name] : undefined;
    if (confirm === null || open === null) return;
    const folder = networkFolder(name, input, open, this.#ports);
    if (folder !== null) await this.#confirm(serverConfirmation(folder));
    const question = (await ask?.(input, open, this.#ports)) ?? null;
    if (question === null) return;
    const { what } = question;
    const isNew = name === 'connections.add' || isTrial(name);
    const server = isNew && what !== null ? originOf(what) : null;
    if (server === null || !this.#tried.has(server)) await this.#confirm(question);
    if (server === null) return;
    if (isTrial(name)) return void this.#tried.add(server);
    // The answer is used up: if the connection is removed later, the page must not add it again
    // without a new question.
    this.#tried.delete(server);
  }

  async #confirm(question: HostConfirmation): Promise<void> {
    if ((await this.#ports.confirm?.(question)) === true) return;
    throw new AppError('cancelled', 'You did not allow this action, so nothing was done');
  }
}

type QuestionFor = (
  /** Each question parses the input itself, so that the question matches what the call will do. */
  input: unknown,
  stores: Stores,
  ports: OutsidePorts,
) => HostConfirmation | null | Promise<HostConfirmation | null>;

const questionsByCall: { readonly [Name in CallName]?: QuestionFor } = {
  'updates.setFeed': (input, { updates }, { fingerprint }) => {
    const { feed } = calls['updates.setFeed'].input.parse(input);
    const known = updates.read().feed;
    if (feed === null || (feed.url === known?.url && feed.key === known.key)) return null;
    return {
      ...NO_CONFIRMATION_DETAILS,
      kind: 'updates',
      what: feed.url,
      fingerprint: fingerprint(feed.key),
    };
  },
  'host.setSchedule': (input) =>
    calls['host.setSchedule'].input.parse(input).isOn
      ? { ...NO_CONFIRMATION_DETAILS, kind: 'schedule', what: null }
      : null,
  'backup.setUp': (input, stores) =>
    administratorConfirmation(calls['backup.setUp'].input.parse(input).administrator, stores),
  'backup.savePlan': (input, stores) =>
    administratorConfirmation(calls['backup.savePlan'].input.parse(input).administrator, stores),
  'backup.switch': (input, stores) => {
    const { isOn } = calls['backup.switch'].input.parse(input);
    const stored = stores.backup.read();
    if (!isOn || stored === null || !isUnconfirmed(stores, BACKUP_REACH_ID)) return null;
    const fingerprint = recipientKeysOf(stored).join(', ');
    return { ...NO_CONFIRMATION_DETAILS, kind: 'backups', what: stored.plan.folder, fingerprint };
  },
  'connections.add': (input, stores, ports) =>
    confirmationForServerAt(calls['connections.add'].input.parse(input).url, stores, ports),
  'connections.try': (input, stores, ports) =>
    confirmationForServerAt(calls['connections.try'].input.parse(input).url, stores, ports),
  'connections.detect': (input, stores, ports) =>
    confirmationForServerAt(calls['connections.detect'].input.parse(input).url, stores, ports),
  'connections.allow': (input, { connections }) => {
    const { id, allowed } = calls['connections.allow'].input.parse(input);
    const connection = connections.get(id);
    const before = connection.allowed;
    if (before === null) return null;
    const added = allowed?.filter((entry) => !before.includes(entry)) ?? null;
    if (added?.length === 0) return null;
    const what = added?.join(', ') ?? null;
    return {
      kind: 'recipients',
      what,
      fingerprint: null,
      connection: connectionSummary(connection),
    };
  },
  // By entering the credential again, the user also confirms the address.
  'connections.replaceSecret': (input, stores) => {
    const { id } = calls['connections.replaceSecret'].input.parse(input);
    const connection = stores.connections.get(id);
    return isUnconfirmed(stores, secretName(id)) ? connectionConfirmation(connection) : null;
  },
  'office.create': (input, _, { fingerprint }) => {
    const { host, port, trust } = calls['office.create'].input.parse(input).address;
    return officeServerConfirmation(`${host}:${String(port)}`, trust, fingerprint);
  },
  'network.setProxy': async (input, _, { network }) => {
    const { proxy, proxyFindsLinks } = calls['network.setProxy'].input.parse(input);
    // Settings that cannot be read are replaced by the new ones, so the user is asked about all of
    // the new ones.
    const before = await network()
      ?.read()
      .catch(() => null);
    const isSame = JSON.stringify(before?.proxy) === JSON.stringify(proxy);
    if (isSame && (!proxyFindsLinks || before?.proxyFindsLinks === true)) return null;
    const kind = ({ none: 'proxy-none', system: 'proxy-system', fixed: 'proxy' } as const)[
      proxy.kind
    ];
    const what = proxy.kind === 'fixed' ? proxy.address.trim() : null;
    return { ...NO_CONFIRMATION_DETAILS, kind, what };
  },
  'network.setAuthorities': (input, _, { describeAuthorities }) => {
    const { pem } = calls['network.setAuthorities'].input.parse(input);
    if (pem === null) return null;
    const described = describeAuthorities(pem);
    const what = described.map(({ subject }) => subject).join('; ');
    const fingerprint = described.map((one) => one.fingerprint).join(', ');
    return { ...NO_CONFIRMATION_DETAILS, kind: 'authorities', what, fingerprint };
  },
  'office.join': async (input, _, { offices, fingerprint }) => {
    const { invitation, phrase } = calls['office.join'].input.parse(input);
    const { host, port, trust } = await (await offices()).addressIn(invitation, phrase);
    return officeServerConfirmation(`${host}:${String(port)}`, trust, fingerprint);
  },
  'backup.confirm': (input, stores, { fingerprint }) => {
    const { id } = calls['backup.confirm'].input.parse(input);
    const reach = unconfirmedReaches(stores).find((one) => one.id === id);
    if (reach === undefined) return null;
    const connection = stores.connections.list().find((one) => secretName(one.id) === id);
    if (connection !== undefined) return connectionConfirmation(connection);
    if (reach.kind === 'evidence')
      return { ...NO_CONFIRMATION_DETAILS, kind: 'folder', what: reach.where };
    const trust = stores.office.membership()?.address.trust ?? null;
    return officeServerConfirmation(reach.where, trust, fingerprint);
  },
};

/** Whether a call sends a key to a service whose connection is not stored yet. */
const isTrial = (name: CallName): boolean =>
  name === 'connections.try' || name === 'connections.detect';

const NO_CONFIRMATION_DETAILS = { fingerprint: null, connection: null } as const;

const serverConfirmation = (what: string): HostConfirmation => ({
  ...NO_CONFIRMATION_DETAILS,
  kind: 'server',
  what,
});

/**
 * Question for the server of an office. A certificate that is entered with the address identifies
 * the right server.
 */
const officeServerConfirmation = (
  what: string,
  trust: string | null,
  fingerprint: OutsidePorts['fingerprint'],
): HostConfirmation => ({
  ...serverConfirmation(what),
  fingerprint: trust === null ? null : fingerprint(trust),
});

const connectionSummary = ({ name, environment }: Connection): HostConfirmation['connection'] => ({
  name,
  environment,
});

const connectionConfirmation = (connection: Connection): HostConfirmation => ({
  ...serverConfirmation(serviceAddress(connection.url)),
  connection: connectionSummary(connection),
});

/**
 * Returns the question for a service's address; null if the user already has a connection to the
 * service.
 */
function confirmationForServerAt(
  url: string,
  stores: Stores,
  { originOf }: OutsidePorts,
): HostConfirmation | null {
  const origin = originOf(url);
  const chosen = stores.connections
    .list()
    .filter(({ id }) => !isUnconfirmed(stores, secretName(id)));
  return chosen.some((one) => originOf(one.url) === origin)
    ? null
    : serverConfirmation(serviceAddress(url));
}

function administratorConfirmation(
  administrator: string | null,
  stores: Stores,
): HostConfirmation | null {
  // In restored data, the maker of the backup chose the administrator, so the user is asked even if
  // the administrator does not change.
  const isTheirs = isUnconfirmed(stores, BACKUP_REACH_ID);
  const known = isTheirs ? null : (stores.backup.read()?.plan.administrator ?? null);
  if (administrator === null || administrator === known) return null;
  // A public key of `age` is as short as a fingerprint, so it is shown itself.
  return { ...NO_CONFIRMATION_DETAILS, kind: 'administrator', what: administrator };
}

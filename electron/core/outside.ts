import { type CallName, calls } from '../../shared/contract/index.ts';
import { AppError } from '../../shared/errors.ts';
import { serviceAddress } from '../../shared/rules/identifiers/service-address.ts';
import { keysOf, unconfirmedOf } from './backup/reaches.ts';
import type { Connection } from '../../shared/contract/connections.ts';
import type { OutsideQuestion } from '../../shared/contract/host.ts';
import type { HostFeatures } from './host-ports.ts';
import type { Offices } from './office/ports.ts';
import type { DescribeAuthorities, NetworkSettingsStore } from './network/ports.ts';
import { networkFolder } from './network-folders.ts';
import type { Files, Stores } from './ports.ts';
import { secretName } from './services/services.ts';
import { BACKUP_REACH, isUnconfirmed } from './unconfirmed.ts';

interface OutsidePorts {
  /** Null where the host has no dialog. */
  readonly confirm: HostFeatures['confirm'];
  /** Null while the data is closed. */
  readonly stores: () => Stores | null;
  /** Null while the data is closed. */
  readonly network: () => Pick<NetworkSettingsStore, 'read'> | null;
  readonly offices: () => Promise<Pick<Offices, 'addressIn'>>;
  /** See `Files`. */
  readonly resolveLocal: Files['resolveLocal'];
  readonly describeAuthorities: DescribeAuthorities;
  /** By which people compare keys of update feeds; the key itself where it is none. */
  readonly fingerprint: (key: string) => string;
  /** Scheme, host and port of an address; the text itself where it is none. */
  readonly originOf: (url: string) => string;
}

/**
 * Holds the page back where it would change from where the program is updated, who opens the backups, or who may be
 * reached: the page shows what others wrote, and cannot answer for the person who is asked outside of it.
 */
export class OutsideQuestions {
  readonly #ports: OutsidePorts;
  /**
   * Addresses that a person let the program try, until one is added: whoever tries a connection and adds it
   * is asked once. No other answer is kept: it was given for that one call.
   */
  readonly #tried = new Set<string>();

  constructor(ports: OutsidePorts) {
    this.#ports = ports;
  }

  /** Throws 'cancelled' when the person said no. */
  async check(name: CallName, input: unknown): Promise<void> {
    const { confirm, stores } = this.#ports;
    const open = stores();
    const ask = Object.hasOwn(asked, name) ? asked[name] : undefined;
    if (confirm === null || open === null) return;
    const folder = networkFolder(name, input, open, this.#ports);
    if (folder !== null) await this.#confirm(server(folder));
    const question = (await ask?.(input, open, this.#ports)) ?? null;
    if (question === null) return;
    const { what } = question;
    const isNew = name === 'connections.add' || name === 'connections.try';
    const isTried = isNew && what !== null && this.#tried.has(what);
    if (!isTried) await this.#confirm(question);
    if (what === null) return;
    if (name === 'connections.try') this.#tried.add(what);
    // Once it is removed, the page cannot add it again by what was said before.
    if (name === 'connections.add') this.#tried.delete(what);
  }

  async #confirm(question: OutsideQuestion): Promise<void> {
    if ((await this.#ports.confirm?.(question)) === true) return;
    throw new AppError('cancelled', 'You chose not to allow it');
  }
}

type Ask = (
  /** Parsed here, too: what is asked about is what is done. */
  input: unknown,
  stores: Stores,
  ports: OutsidePorts,
) => OutsideQuestion | null | Promise<OutsideQuestion | null>;

const asked: { readonly [Name in CallName]?: Ask } = {
  'updates.setFeed': (input, { updates }, { fingerprint }) => {
    const { feed } = calls['updates.setFeed'].input.parse(input);
    const known = updates.read().feed;
    if (feed === null || (feed.url === known?.url && feed.key === known.key)) return null;
    return { ...NOBODYS, kind: 'updates', what: feed.url, fingerprint: fingerprint(feed.key) };
  },
  'backup.setUp': (input, stores) =>
    administratorOf(calls['backup.setUp'].input.parse(input).administrator, stores),
  'backup.savePlan': (input, stores) =>
    administratorOf(calls['backup.savePlan'].input.parse(input).administrator, stores),
  'backup.switch': (input, stores) => {
    const { isOn } = calls['backup.switch'].input.parse(input);
    const stored = stores.backup.read();
    if (!isOn || stored === null || !isUnconfirmed(stores, BACKUP_REACH)) return null;
    const fingerprint = keysOf(stored).join(', ');
    return { ...NOBODYS, kind: 'backups', what: stored.plan.folder, fingerprint };
  },
  'connections.add': (input, stores, ports) =>
    serverAt(calls['connections.add'].input.parse(input).url, stores, ports),
  'connections.try': (input, stores, ports) =>
    serverAt(calls['connections.try'].input.parse(input).url, stores, ports),
  'connections.allow': (input, { connections }) => {
    const { id, allowed } = calls['connections.allow'].input.parse(input);
    const connection = connections.get(id);
    const before = connection.allowed;
    if (before === null) return null;
    const added = allowed?.filter((entry) => !before.includes(entry)) ?? null;
    if (added?.length === 0) return null;
    const what = added?.join(', ') ?? null;
    return { kind: 'recipients', what, fingerprint: null, connection: named(connection) };
  },
  // Whoever types the credential anew confirms the address with it.
  'connections.replaceSecret': (input, stores) => {
    const { id } = calls['connections.replaceSecret'].input.parse(input);
    const connection = stores.connections.get(id);
    return isUnconfirmed(stores, secretName(id)) ? serverOf(connection) : null;
  },
  'office.create': (input, _, { fingerprint }) => {
    const { host, port, trust } = calls['office.create'].input.parse(input).address;
    return officeServer(`${host}:${String(port)}`, trust, fingerprint);
  },
  'network.setProxy': async (input, _, { network }) => {
    const { proxy, proxyFindsLinks } = calls['network.setProxy'].input.parse(input);
    // Settings that cannot be read are replaced by new ones, which a person is asked about.
    const before = await network()
      ?.read()
      .catch(() => null);
    const isSame = JSON.stringify(before?.proxy) === JSON.stringify(proxy);
    if (isSame && (!proxyFindsLinks || before?.proxyFindsLinks === true)) return null;
    const kind = ({ none: 'proxy-none', system: 'proxy-system', fixed: 'proxy' } as const)[
      proxy.kind
    ];
    const what = proxy.kind === 'fixed' ? proxy.address.trim() : null;
    return { ...NOBODYS, kind, what };
  },
  'network.setAuthorities': (input, _, { describeAuthorities }) => {
    const { pem } = calls['network.setAuthorities'].input.parse(input);
    if (pem === null) return null;
    const described = describeAuthorities(pem);
    const what = described.map(({ subject }) => subject).join('; ');
    const fingerprint = described.map((one) => one.fingerprint).join(', ');
    return { ...NOBODYS, kind: 'authorities', what, fingerprint };
  },
  'office.join': async (input, _, { offices, fingerprint }) => {
    const { invitation, phrase } = calls['office.join'].input.parse(input);
    const { host, port, trust } = await (await offices()).addressIn(invitation, phrase);
    return officeServer(`${host}:${String(port)}`, trust, fingerprint);
  },
  'backup.confirm': (input, stores, { fingerprint }) => {
    const { id } = calls['backup.confirm'].input.parse(input);
    const reach = unconfirmedOf(stores).find((one) => one.id === id);
    if (reach === undefined) return null;
    const connection = stores.connections.list().find((one) => secretName(one.id) === id);
    if (connection !== undefined) return serverOf(connection);
    if (reach.kind === 'evidence') return { ...NOBODYS, kind: 'folder', what: reach.where };
    const trust = stores.office.membership()?.address.trust ?? null;
    return officeServer(reach.where, trust, fingerprint);
  },
};

const NOBODYS = { fingerprint: null, connection: null } as const;

const server = (what: string): OutsideQuestion => ({ ...NOBODYS, kind: 'server', what });

/** Whoever gave a certificate with the address says by it which server is the right one. */
const officeServer = (
  what: string,
  trust: string | null,
  fingerprint: OutsidePorts['fingerprint'],
): OutsideQuestion => ({
  ...server(what),
  fingerprint: trust === null ? null : fingerprint(trust),
});

const named = ({ name, environment }: Connection): OutsideQuestion['connection'] => ({
  name,
  environment,
});

const serverOf = (connection: Connection): OutsideQuestion => ({
  ...server(serviceAddress(connection.url)),
  connection: named(connection),
});

/** One more connection to a service that a person chose already reaches nobody new. */
function serverAt(url: string, stores: Stores, { originOf }: OutsidePorts): OutsideQuestion | null {
  const origin = originOf(url);
  const chosen = stores.connections
    .list()
    .filter(({ id }) => !isUnconfirmed(stores, secretName(id)));
  return chosen.some((one) => originOf(one.url) === origin) ? null : server(serviceAddress(url));
}

function administratorOf(administrator: string | null, stores: Stores): OutsideQuestion | null {
  // What restored data names, its maker chose.
  const isTheirs = isUnconfirmed(stores, BACKUP_REACH);
  const known = isTheirs ? null : (stores.backup.read()?.plan.administrator ?? null);
  if (administrator === null || administrator === known) return null;
  // A public key of age is as short as a fingerprint.
  return { ...NOBODYS, kind: 'administrator', what: administrator };
}

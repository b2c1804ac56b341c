import {
  type AllowedRecipients,
  type Capabilities,
  type Connection,
  type NewConnection,
  type TestResult,
  type TestStep,
  TestStepName,
} from '../../../shared/contract/connections.ts';
import { ConnectionId } from '../../../shared/model/ids.ts';
import type { Emit, HandlersOf } from '../../../shared/contract/index.ts';
import { AppError } from '../../../shared/errors.ts';
import { serviceAddress } from '../../../shared/rules/identifiers/service-address.ts';
import { allowedEntry } from '../../../shared/rules/identifiers/allowed.ts';
import type {
  AgreementService,
  Chance,
  Clock,
  DemoService,
  OpenService,
  Stores,
  Vault,
} from '../ports.ts';
import { confirmReach } from '../unconfirmed.ts';
import { secretName, type Services } from '../services/services.ts';
import { detectApi } from './detect.ts';

interface ConnectionPorts {
  readonly stores: Pick<
    Stores,
    'connections' | 'outbox' | 'settings' | 'agreements' | 'transaction'
  >;
  readonly vault: Vault;
  readonly services: Services;
  readonly openService: OpenService;
  readonly demo: DemoService;
  readonly capabilities: readonly Capabilities[];
  readonly profile: 'own' | 'demo';
  readonly clock: Clock;
  readonly chance: Chance;
  readonly emit: Emit;
}

const demoConnections = [
  { name: 'Head office', api: 'v1' },
  { name: 'Property office', api: 'v2' },
] as const;

export function createConnectionHandlers(ports: ConnectionPorts): HandlersOf<'connections'> {
  const { connections } = ports.stores;
  const { vault } = ports;

  return {
    'connections.list': async () => [...connections.list()],
    'connections.capabilities': async () => [...ports.capabilities],
    'connections.add': async (wanted) => {
      const { secret, ...rest } = validateNewConnection(wanted, ports);
      rejectTakenName(connections.list(), rest.name, null);
      const id = newId(ports);
      await vault.write(secretName(id), secret);
      return saveConnection(ports, { ...rest, id, createdAt: ports.clock.now() });
    },
    'connections.addDemo': async () => addDemo(ports),
    'connections.rename': async ({ id, name }) => {
      rejectTakenName(connections.list(), name, id);
      return saveConnection(ports, { ...connections.get(id), name });
    },
    'connections.allow': async ({ id, allowed }) =>
      saveConnection(ports, { ...connections.get(id), allowed: readAllowed(allowed) }),
    'connections.setOrgNo': async ({ id, orgNo }) => changeOrgNo(ports, id, orgNo),
    'connections.replaceSecret': async ({ id, secret }) => {
      const connection = connections.get(id);
      if (connection.environment === 'demo') {
        throw new AppError(
          'invalid',
          'The demo service has its own API key, which cannot be replaced',
        );
      }
      await requireAccepted(ports.openService(connection, secret.trim()));
      await vault.write(secretName(id), secret.trim());
      confirmReach(ports.stores, secretName(id));
      ports.services.forget(id);
      return saveConnection(ports, connection);
    },
    'connections.remove': async ({ id, agreements, drafts }) => {
      rejectOpenWork(id, ports.stores);
      if (connections.get(id).environment !== 'demo') await vault.remove(secretName(id));
      ports.services.forget(id);
      connections.remove(id, agreements, drafts);
      ports.emit('connections.changed', {});
      return {};
    },
    'connections.test': async ({ id }) => testStoredConnection(ports, connections.get(id)),
    'connections.try': async (wanted) => {
      const { secret, ...rest } = validateNewConnection(wanted, ports);
      const ok = (await vault.status()) === 'ready';
      const note = ok ? 'stored' : 'store-failed';
      const service = ports.openService(rest, secret);
      return testService(service, { step: 'vault', ok, note, value: null });
    },
    'connections.detect': async ({ url, secret }) => {
      rejectInDemo(ports);
      return { tries: await detectApi(ports.openService, url, secret.trim()) };
    },
  };
}

function newId({ chance }: ConnectionPorts): ConnectionId {
  return ConnectionId.parse(chance.uuid());
}

function saveConnection({ stores, emit }: ConnectionPorts, connection: Connection): Connection {
  stores.connections.save(connection);
  emit('connections.changed', {});
  return connection;
}

/**
 * Changes the number by which agreements that wait for our company are found, also in the local
 * copies. Throws 'invalid' for a connection that has no such number.
 */
function changeOrgNo(ports: ConnectionPorts, id: ConnectionId, typed: string | null): Connection {
  const { stores, services, emit } = ports;
  const connection = stores.connections.get(id);
  if (connection.api !== 'v2' || connection.environment === 'demo') {
    const message =
      connection.api === 'v2'
        ? 'The demo service has its own organisation number, which cannot be changed'
        : 'Only a connection of API v2 has an organisation number';
    throw new AppError('invalid', message, { fields: { orgNo: message } });
  }
  const orgNo = readOrgNo(typed);
  const changed = { ...connection, orgNo };
  const count = stores.transaction(() => {
    stores.connections.save(changed);
    return stores.agreements.recogniseCompany(id, orgNo);
  });
  services.forget(id);
  emit('connections.changed', {});
  emit('agreements.changed', { connectionId: id, added: 0, changed: count });
  return changed;
}

async function addDemo(ports: ConnectionPorts): Promise<Connection[]> {
  const { connections } = ports.stores;
  await ports.demo.urls();
  return demoConnections.map(({ name, api }) => {
    const there = connections.list().find((one) => one.environment === 'demo' && one.api === api);
    if (there !== undefined) return there;
    rejectTakenName(connections.list(), name, null);
    const known = {
      environment: 'demo',
      url: `demo:${api}`,
      accountId: null,
      orgNo: null,
      allowed: null,
    } as const;
    return saveConnection(ports, {
      ...known,
      name,
      api,
      id: newId(ports),
      createdAt: ports.clock.now(),
    });
  });
}

async function testStoredConnection(
  { services }: ConnectionPorts,
  { id, environment }: Connection,
) {
  // Reads the secret again, so that the test matches the next use.
  services.forget(id);
  const service = await services.open(id);
  const note = environment === 'demo' ? 'stored-demo' : 'stored';
  return testService(service, { step: 'vault', ok: true, note, value: null });
}

function rejectInDemo({ profile }: ConnectionPorts): void {
  if (profile !== 'demo') return;
  const message = 'The demo cannot store a real API key. Use your own data instead';
  throw new AppError('vault', message, { reason: 'vault-demo-only' });
}

/** Rejects impossible connections before any request. Throws 'invalid'. */
function validateNewConnection(wanted: NewConnection, ports: ConnectionPorts): NewConnection {
  rejectInDemo(ports);
  const accountId = wanted.api === 'v2' ? (wanted.accountId ?? '') : null;
  if (accountId === '') {
    const message = 'API v2 needs the ID of the company user in whose name the program acts';
    const fields = { accountId: message };
    throw new AppError('invalid', message, { reason: 'credential-blank', fields });
  }
  const orgNo = wanted.api === 'v2' ? readOrgNo(wanted.orgNo) : null;
  const allowed = readAllowed(wanted.allowed);
  const connection = { ...wanted, accountId, orgNo, allowed, secret: wanted.secret.trim() };
  // Checks address and credential; sends nothing.
  ports.openService(connection, connection.secret);
  return { ...connection, url: serviceAddress(connection.url) };
}

/**
 * Returns the number of our company; null for none. Numbers of other countries have other forms.
 * @throws AppError 'invalid' for a text without digits, which no agreement contains.
 */
function readOrgNo(typed: string | null): string | null {
  if (typed === null || typed === '') return null;
  if (/\d/.test(typed)) return typed;
  const message = 'The organisation number has no digits';
  throw new AppError('invalid', message, { fields: { orgNo: message } });
}

/**
 * Normalizes the entries of allowed recipients for comparison.
 * @throws AppError 'invalid' for an entry that allows no one.
 */
function readAllowed(allowed: AllowedRecipients): AllowedRecipients {
  if (allowed === null) return null;
  const entries = allowed.map((typed) => {
    const entry = allowedEntry(typed);
    if (entry !== null) return entry;
    const message = `"${typed}" is not a domain (@example.com), email address, mobile number or webhook host (https://hooks.example.com)`;
    throw new AppError('invalid', message, { fields: { allowed: message } });
  });
  return [...new Set(entries)];
}

function rejectTakenName(
  connections: readonly Connection[],
  name: string,
  own: ConnectionId | null,
): void {
  if (!connections.some((one) => one.name === name && one.id !== own)) return;
  const fields = { name: 'taken' };
  throw new AppError('conflict', `A connection named ${name} already exists`, { fields });
}

/**
 * Throws if sends may be in progress through the connection, which cannot be removed until they
 * end.
 */
function rejectOpenWork(id: ConnectionId, { outbox }: Pick<Stores, 'outbox'>): void {
  const states = ['queued', 'sending', 'unknown', 'absent', 'human', 'duplicate'] as const;
  // A refused send that may have succeeded can be checked only through this connection.
  const refused = (['rejected', 'abandoned'] as const).flatMap((state) => outbox.inState(state));
  const looked = refused.filter(({ verify }) => verify);
  const open = [...states.flatMap((state) => outbox.inState(state)), ...looked];
  if (!open.some(({ connectionId }) => connectionId === id)) return;
  const message =
    'The outbox still has agreements of this connection. Wait until they are sent, or resolve or cancel them first';
  throw new AppError('conflict', message, { reason: 'already-under-way' });
}

/** Throws 'signed-out' if the service refuses the key, so that it does not replace a valid key. */
async function requireAccepted(service: AgreementService): Promise<void> {
  for await (const { note } of service.test(new AbortController().signal)) {
    if (note !== 'refused') continue;
    throw new AppError('signed-out', 'The service does not accept this API key', {
      reason: 'credential-refused',
    });
  }
}

async function testService(service: AgreementService, last: TestStep): Promise<TestResult> {
  const tried: TestStep[] = [];
  for await (const step of service.test(new AbortController().signal)) tried.push(step);
  const steps = [...tried, ...skippedStepsAfter(tried), last];
  return { ok: steps.every(({ ok }) => ok), steps };
}

/**
 * Returns the steps that were not tried because an earlier one failed, with its cause, so that none
 * appears pending.
 */
function skippedStepsAfter(tried: readonly TestStep[]): TestStep[] {
  const cause = tried.find(({ ok }) => !ok)?.note;
  if (cause === undefined) return [];
  return TestStepName.options
    .filter((name) => name !== 'vault' && tried.every(({ step }) => step !== name))
    .map((step) => ({ step, ok: false, note: 'skipped', value: cause }));
}

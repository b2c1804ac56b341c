import type { Connection } from '../../shared/contract/connections.ts';
import type { ConnectionId } from '../../shared/contract/ids.ts';
import { AppError, type Failure } from '../../shared/errors.ts';
import type {
  AgreementService,
  ConnectionStore,
  DemoService,
  OpenService,
  Vault,
} from './ports.ts';

/** Where a connection's secret lies in the credential store. */
export const secretName = (id: ConnectionId) => `connection/${id}`;

/** The services of the connections, each opened once with its secret and forgotten with it. */
export interface Services {
  /** Throws 'vault' when the secret cannot be read, 'signed-out' when there is none. */
  open(id: ConnectionId): Promise<AgreementService>;
  /** Opens it and does one piece of work; notes when the service refused the credentials. */
  use<Result>(
    id: ConnectionId,
    work: (service: AgreementService) => Promise<Result>,
  ): Promise<Result>;
  /** Why the credentials were refused last; null since they were accepted or replaced. */
  refusal(id: ConnectionId): Failure | null;
  /** Takes note of a failure; only refused credentials are remembered. */
  note(id: ConnectionId, failure: Failure): void;
  /** The secret changed, or is to be tried again. */
  forget(id: ConnectionId): void;
}

interface ServicePorts {
  readonly connections: ConnectionStore;
  readonly vault: Vault;
  readonly openService: OpenService;
  readonly demo: DemoService;
}

export function createServices(ports: ServicePorts): Services {
  const opened = new Map<ConnectionId, Promise<AgreementService>>();
  const refusals = new Map<ConnectionId, Failure>();

  const open = (id: ConnectionId): Promise<AgreementService> => {
    const known = opened.get(id);
    if (known !== undefined) return known;
    const opening = openAnew(id, ports);
    opened.set(id, opening);
    opening.catch(() => opened.delete(id));
    return opening;
  };

  const note = (id: ConnectionId, failure: Failure) => {
    if (failure.code !== 'signed-out') return;
    refusals.set(id, failure);
    // Another process may have replaced the secret: the next use reads it again.
    opened.delete(id);
  };

  return {
    open,
    note,
    async use(id, work) {
      try {
        const result = await work(await open(id));
        refusals.delete(id);
        return result;
      } catch (error) {
        if (error instanceof AppError) note(id, error.failure);
        throw error;
      }
    },
    refusal: (id) => refusals.get(id) ?? null,
    forget(id) {
      opened.delete(id);
      refusals.delete(id);
    },
  };
}

async function openAnew(id: ConnectionId, ports: ServicePorts): Promise<AgreementService> {
  const connection = ports.connections.get(id);
  if (connection.environment === 'demo') return openDemo(connection, ports);
  const secret = await ports.vault.read(secretName(id));
  if (secret === null) {
    const message = `There is no credential for ${connection.name} on this computer`;
    throw new AppError('signed-out', message, { reason: 'credential-missing' });
  }
  return ports.openService(connection, secret);
}

async function openDemo(
  connection: Connection,
  { demo, openService }: ServicePorts,
): Promise<AgreementService> {
  const { v1Url, v2Url, token, accessKey, accountId, orgNo } = await demo.urls();
  const { api, environment } = connection;
  return api === 'v1'
    ? openService({ api, environment, url: v1Url, accountId: null, orgNo: null }, token)
    : openService({ api, environment, url: v2Url, accountId, orgNo }, accessKey);
}

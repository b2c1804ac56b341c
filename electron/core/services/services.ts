import type { Connection } from '../../../shared/contract/connections.ts';
import type { ConnectionId } from '../../../shared/model/ids.ts';
import { AppError, type Failure } from '../../../shared/errors.ts';
import { whyUnconfirmed } from '../unconfirmed.ts';
import type { AgreementActions, OpenActions } from './ports.ts';
import type {
  AgreementService,
  ConnectionStore,
  DemoService,
  OnServiceTime,
  OpenService,
  SettingStore,
  Vault,
} from '../ports.ts';

/** Name of a connection's secret in the credential store. */
export const secretName = (id: ConnectionId) => `connection/${id}`;

/** Services of the connections, each opened once with its secret. */
export interface Services {
  /**
   * Returns the service of a connection. Throws 'vault' if its secret cannot be read, 'signed-out'
   * if it has none.
   */
  open(id: ConnectionId): Promise<AgreementService>;
  /**
   * Opens the service and runs `work`. Records the failure if the service rejects the credentials.
   */
  use<Result>(
    id: ConnectionId,
    work: (service: AgreementService) => Promise<Result>,
  ): Promise<Result>;
  /** Like `use`, for actions other than sending, signing and downloading. */
  act<Result>(
    id: ConnectionId,
    work: (actions: AgreementActions) => Promise<Result>,
  ): Promise<Result>;
  /**
   * Returns the last failure by which the service rejected the credentials; null once they were
   * accepted or replaced.
   */
  refusal(id: ConnectionId): Failure | null;
  /** Records a failure, but only if the credentials were rejected. */
  note(id: ConnectionId, failure: Failure): void;
  /**
   * Forgets the opened service and the rejected credentials; to be called when the secret changed
   * or should be tried again.
   */
  forget(id: ConnectionId): void;
}

interface ServicePorts {
  readonly connections: ConnectionStore;
  readonly settings: Pick<SettingStore, 'read' | 'write'>;
  readonly vault: Vault;
  readonly openService: OpenService;
  readonly openActions: OpenActions;
  readonly demo: Pick<DemoService, 'urls'>;
  /** Receives the `Date` of each answer that a connection gets; see `OnServiceTime`. */
  readonly hearClock: (id: ConnectionId, serverTime: number | null) => void;
}

/** Both interfaces of one connection, opened with the same secret. */
interface OpenedService {
  readonly service: AgreementService;
  readonly actions: AgreementActions;
}

export function createServices(ports: ServicePorts): Services {
  const opened = new Map<
    ConnectionId,
    { readonly orgNo: string | null; readonly both: Promise<OpenedService> }
  >();
  const refusals = new Map<ConnectionId, Failure>();

  const open = (id: ConnectionId): Promise<OpenedService> => {
    const known = opened.get(id);
    // Another process may have changed the number of our company, which the service compares.
    const { orgNo } = ports.connections.get(id);
    if (known !== undefined && known.orgNo === orgNo) return known.both;
    const both = openConnection(id, ports);
    opened.set(id, { orgNo, both });
    both.catch(() => opened.delete(id));
    return both;
  };

  const note = (id: ConnectionId, failure: Failure) => {
    if (failure.code !== 'signed-out') return;
    refusals.set(id, failure);
    // Another process may have replaced the secret, so the next use reads it again.
    opened.delete(id);
  };

  const using = async <Result>(
    id: ConnectionId,
    work: (both: OpenedService) => Promise<Result>,
  ) => {
    try {
      const result = await work(await open(id));
      refusals.delete(id);
      return result;
    } catch (error) {
      if (error instanceof AppError) note(id, error.failure);
      throw error;
    }
  };

  return {
    open: async (id) => (await open(id)).service,
    note,
    use: (id, work) => using(id, ({ service }) => work(service)),
    act: (id, work) => using(id, ({ actions }) => work(actions)),
    refusal: (id) => refusals.get(id) ?? null,
    forget(id) {
      opened.delete(id);
      refusals.delete(id);
    },
  };
}

async function openConnection(id: ConnectionId, ports: ServicePorts): Promise<OpenedService> {
  const connection = ports.connections.get(id);
  const hearClock: OnServiceTime = (serverTime) => ports.hearClock(id, serverTime);
  if (connection.environment === 'demo') return openDemo(connection, ports, hearClock);
  const unconfirmed = whyUnconfirmed(ports, secretName(id), connection.name);
  if (unconfirmed !== null) throw unconfirmed;
  const secret = await ports.vault.read(secretName(id));
  if (secret === null) {
    const message = `The API key of ${connection.name} is not on this computer. Enter it again`;
    throw new AppError('signed-out', message, { reason: 'credential-missing' });
  }
  return openServiceAndActions(ports, connection, secret, hearClock);
}

async function openDemo(
  connection: Connection,
  ports: ServicePorts,
  hearClock: OnServiceTime,
): Promise<OpenedService> {
  const { v1Url, v2Url, token, accessKey, accountId, orgNo } = await ports.demo.urls();
  const { api, environment } = connection;
  return api === 'v1'
    ? openServiceAndActions(
        ports,
        { api, environment, url: v1Url, accountId: null, orgNo: null },
        token,
        hearClock,
      )
    : openServiceAndActions(
        ports,
        { api, environment, url: v2Url, accountId, orgNo },
        accessKey,
        hearClock,
      );
}

function openServiceAndActions(
  { openService, openActions }: ServicePorts,
  ...where: Parameters<OpenService>
): OpenedService {
  return { service: openService(...where), actions: openActions(...where) };
}

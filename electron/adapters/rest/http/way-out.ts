import { createSecureContext, type SecureContext, TLSSocket } from 'node:tls';
import { Socket } from 'node:net';
import { buildConnector, Client } from 'undici';
import { AppError, isReason } from '../../../../shared/errors.ts';
import { plainName } from '../../../../shared/rules/network/certificate-name.ts';
import type { Network, Route, Routes } from '../../../core/network/ports.ts';
import {
  codeOf,
  isUntrustedIssuer,
  isTlsFailure,
  SIGN_IN_ADVICE,
  untrustedServerError,
} from './failures.ts';
import type { LinkGuard } from './link-guard.ts';

type Target = buildConnector.Options;
type ProxyRoute = Extract<Route, { kind: 'proxy' }>;

interface WayOutParts {
  /**
   * Network settings; without them, all connections are direct and use Node's list of authorities.
   */
  readonly network: Network | undefined;
  readonly options: buildConnector.BuildOptions;
  /** Validates the targets of links; null for addresses that a user entered. */
  readonly guard: LinkGuard | null;
}

const DIRECT_CONNECTION_ROUTES: Routes = {
  routes: [{ kind: 'direct' }],
  unusable: null,
  proxyFindsLinks: false,
};
/** Timeout of a proxy's answer (ms), which includes the proxy's lookup and connection. */
const CONNECT_ANSWER_MS = 20_000;

/**
 * Opens connections to services, directly or through a proxy, trusting Node's list of authorities
 * and the system's. No part of a request is sent before the connection is open, even through a
 * proxy: a rejected or lost CONNECT proves that the request was not sent.
 */
export function createConnector({
  network,
  options,
  guard,
}: WayOutParts): buildConnector.connector {
  const opener = new ConnectionOpener(options, guard, network);
  return (target, done) => {
    opener.open(target).then(
      (socket) => done(null, socket),
      (error: unknown) => done(error instanceof Error ? error : new Error('No connection'), null),
    );
  };
}

/** Connectors that share a list of authorities; each keeps the TLS sessions of that list. */
interface Connectors {
  readonly plain: buildConnector.connector;
  readonly guarded: buildConnector.connector;
}

class ConnectionOpener {
  readonly #options: buildConnector.BuildOptions;
  readonly #guard: LinkGuard | null;
  readonly #network: Network | undefined;
  readonly #byList = new WeakMap<readonly string[], Connectors>();
  readonly #byNode: Connectors;

  constructor(
    options: buildConnector.BuildOptions,
    guard: LinkGuard | null,
    network: Network | undefined,
  ) {
    this.#options = options;
    this.#guard = guard;
    this.#network = network;
    this.#byNode = this.#build(null);
  }

  async open(target: Target): Promise<Socket | TLSSocket> {
    const url = new URL(`${target.protocol}//${target.host ?? target.hostname}`);
    const { routes, unusable, proxyFindsLinks } =
      (await this.#network?.routesTo(url)) ?? DIRECT_CONNECTION_ROUTES;
    let unreached: unknown = null;
    for (const route of routes) {
      try {
        if (route.kind === 'direct') return await this.#openDirectly(target, unusable);
        return await this.#openThrough(route, target, proxyFindsLinks);
      } catch (error) {
        if (!isProxyUnreachable(error)) throw error;
        unreached = error;
      }
    }
    throw unreached;
  }

  async #openDirectly(target: Target, unusable: AppError | null): Promise<Socket | TLSSocket> {
    await this.#guard?.validateNumeric(target.hostname);
    try {
      return await this.#trusting(target, ({ guarded }) => connect(guarded, target));
    } catch (error) {
      throw error instanceof AppError ? error : (unusable ?? error);
    }
  }

  async #openThrough(
    route: ProxyRoute,
    target: Target,
    proxyFindsLinks: boolean,
  ): Promise<Socket | TLSSocket> {
    const host =
      (await this.#guard?.judgedHost(target.hostname, proxyFindsLinks)) ?? target.hostname;
    const port = target.port === '' ? '443' : target.port;
    const authority = `${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${port}`;
    return this.#trusting(target, async ({ plain }) => {
      const httpSocket = await this.#tunnel(route, authority);
      try {
        return await connect(plain, { ...target, httpSocket });
      } catch (error) {
        httpSocket.destroy();
        throw error;
      }
    });
  }

  /**
   * Opens a tunnel through a proxy. Returns the proxy's socket, which then transfers all bytes to
   * the requested host.
   */
  async #tunnel({ origin, authorization }: ProxyRoute, authority: string): Promise<Socket> {
    const { host } = new URL(origin);
    const proxy = new Client(origin, {
      connect: (target, done) => {
        // undici sets the server name of the CONNECT target; the proxy has another name.
        const { servername: _, ...named } = target;
        this.#trusting(named, ({ plain }) => connect(plain, named)).then(
          (socket) => done(null, socket),
          (error: unknown) => done(error instanceof Error ? error : new Error('No proxy'), null),
        );
      },
      allowH2: false,
      pipelining: 0,
      headersTimeout: CONNECT_ANSWER_MS,
    });
    try {
      const answer = await proxy.connect({
        path: authority,
        headers: {
          host: authority,
          ...(authorization === null ? {} : { 'proxy-authorization': authorization }),
        },
      });
      const { socket } = answer;
      const isThrough = answer.statusCode >= 200 && answer.statusCode < 300;
      if (isThrough && socket instanceof Socket) return socket;
      socket.on('error', () => undefined).destroy();
      const challenge = answer.headers['proxy-authenticate'];
      throw proxyRefusalError(host, authority, answer.statusCode, {
        challenges: [challenge ?? []].flat().join(', '),
        hasCredentials: authorization !== null,
      });
    } catch (error) {
      await proxy.destroy();
      if (error instanceof AppError) throw error;
      throw new AppError(
        'offline',
        `The proxy ${host} does not answer (${codeOf(error) || 'no answer'})`,
        {
          reason: 'proxy-unreachable',
        },
      );
    }
  }

  /**
   * Opens a connection. Retries once with the system's authorities if the issuer of the certificate
   * is unknown.
   */
  async #trusting<Opened extends Socket>(
    { hostname }: Target,
    open: (connectors: Connectors) => Promise<Opened>,
  ): Promise<Opened> {
    const known = (await this.#network?.authorities()) ?? null;
    try {
      return await open(this.#trustedBy(known));
    } catch (error) {
      const failed = error instanceof ConnectFailure ? error : null;
      if (failed === null) throw error;
      if (this.#network !== undefined && isUntrustedIssuer(failed.reason)) {
        const wider = await this.#network.withSystemAuthorities();
        if (wider !== known) {
          return await open(this.#trustedBy(wider)).catch((again: unknown) => {
            throw again instanceof ConnectFailure ? again.explained(hostname) : again;
          });
        }
      }
      throw failed.explained(hostname);
    }
  }

  #trustedBy(list: readonly string[] | null): Connectors {
    if (list === null) return this.#byNode;
    const built = this.#byList.get(list) ?? this.#build(contextOf(list));
    this.#byList.set(list, built);
    return built;
  }

  #build(secureContext: SecureContext | null): Connectors {
    const options = { ...this.#options, ...(secureContext === null ? {} : { secureContext }) };
    const plain = buildConnector(options);
    const guard = this.#guard;
    return {
      plain,
      guarded: guard === null ? plain : buildConnector({ ...options, lookup: guard.lookup }),
    };
  }
}

/**
 * Creates a context of authorities. An office may provide only an intermediate authority without
 * its root, which is sufficient proof.
 */
const contextOf = (list: readonly string[]): SecureContext =>
  createSecureContext({ ca: [...list], allowPartialTrustChain: true });

/** Error of a failed connection, with the issuer of the presented certificate, if there was one. */
class ConnectFailure extends Error {
  readonly reason: unknown;
  readonly issuer: string | null;

  constructor(reason: unknown, issuer: string | null) {
    super('No connection');
    this.reason = reason;
    this.issuer = issuer;
  }

  explained(host: string): unknown {
    return isTlsFailure(this.reason)
      ? untrustedServerError(host, this.reason, this.issuer)
      : this.reason;
  }
}

function connect(connector: buildConnector.connector, target: Target): Promise<Socket | TLSSocket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket | TLSSocket>();
  let issuer: string | null = null;
  const started: unknown = connector(target, (error, socket) => {
    if (error === null && socket !== null) resolve(socket);
    else reject(new ConnectFailure(error, issuer));
  });
  if (started instanceof TLSSocket) {
    // Must run before Node verifies the certificate: afterwards the connection and its certificate
    // are gone. A call of `getPeerX509Certificate` would leave Node without the certificate's
    // names.
    started.prependOnceListener('secure', () => {
      const lines = Object.entries(started.getPeerCertificate().issuer ?? {});
      issuer =
        lines.length === 0 ? null : plainName(lines.map((line) => line.join('=')).join('\n'));
    });
  }
  return promise;
}

/** Whether the proxy was not reached, so that the next route may work. */
const isProxyUnreachable = (error: unknown): boolean => isReason(error, 'proxy-unreachable');

/** Pattern of quoted values of a challenge, which may contain any text. */
const QUOTED = /"(?:[^"\\]|\\.)*"/g;

function proxyRefusalError(
  proxy: string,
  authority: string,
  status: number,
  { challenges, hasCredentials }: { readonly challenges: string; readonly hasCredentials: boolean },
): AppError {
  if (status !== 407) {
    const leadsElsewhere = (status >= 300 && status < 400) || status === 511;
    const advice = leadsElsewhere ? `. ${SIGN_IN_ADVICE}` : '';
    const message = `The proxy ${proxy} did not let Signing Desk through to ${authority} (HTTP ${String(status)})${advice}`;
    return new AppError('offline', message, { reason: 'proxy-refused' });
  }
  const takesBasic = /(?:^|,)\s*basic(?:[\s,]|$)/i.test(challenges.replaceAll(QUOTED, ''));
  if (!takesBasic && challenges !== '') {
    const message = `The proxy ${proxy} requires a sign-in such as NTLM or Negotiate, but Signing Desk supports only Basic. Ask for an exception for ${authority}, or for a proxy with Basic sign-in`;
    return new AppError('offline', message, { reason: 'proxy-method' });
  }
  const message = hasCredentials
    ? `The proxy ${proxy} does not accept its user name and password. Set them again`
    : `The proxy ${proxy} requires a user name and a password. Set them for the proxy`;
  return new AppError('offline', message, { reason: 'proxy-sign-in' });
}

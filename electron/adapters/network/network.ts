import {
  DIRECT_ROUTE,
  isProxyException,
  isLoopbackHost,
  parseProxy,
  type NetworkRoute,
} from '../../../shared/rules/network/proxies.ts';
import { AppError } from '../../../shared/errors.ts';
import type {
  Destination,
  Network,
  NetworkSettings,
  NetworkSettingsStore,
  Route,
  Routes,
} from '../../core/network/ports.ts';
import type { Vault } from '../../core/ports.ts';
import { certificatesIn, builtInCertificates, systemList } from './authorities.ts';
import type { FindSystemRoutes } from './system-ways.ts';

interface NetworkPorts {
  readonly settings: Pick<NetworkSettingsStore, 'read'>;
  readonly vault: Pick<Vault, 'read'>;
  readonly systemWays: FindSystemRoutes;
  readonly systemList?: () => readonly string[];
}

const DIRECT_ROUTES: Routes = {
  routes: [{ kind: 'direct' }],
  unusable: null,
  proxyFindsLinks: false,
};

/** Chooses the route to each address by the network settings of this computer. */
export function createNetwork(ports: NetworkPorts): Network {
  const readSystem = ports.systemList ?? systemList;
  let password: { readonly name: string; readonly text: string | null } | null = null;
  let list: { readonly of: string; readonly pem: readonly string[] } | null = null;
  let system: readonly string[] | null = null;

  const passwordNamed = async (name: string | null): Promise<string | null> => {
    if (name === null) return null;
    // A new password gets a new name, so the cached text of a name stays valid.
    if (password?.name !== name) password = { name, text: await ports.vault.read(name) };
    return password.text;
  };

  const authorities = async (): Promise<readonly string[] | null> => {
    const { authorities: own } = await ports.settings.read();
    if (own === '' && system === null) return null;
    const of = `${system === null ? '' : 'system'} ${own}`;
    if (list?.of !== of) {
      const pem = [
        ...new Set([...builtInCertificates(), ...(system ?? []), ...certificatesIn(own)]),
      ];
      list = { of, pem };
    }
    return list.pem;
  };

  return {
    async routesTo(url) {
      // Local addresses never use a proxy regardless of the settings.
      if (isLoopbackHost(url.hostname) || url.protocol !== 'https:') return DIRECT_ROUTES;
      const settings = await ports.settings.read();
      const ways = await findRoutesTo(settings, url, ports.systemWays);
      const routes = ways.flatMap((way): Route[] => {
        if (way.kind === 'unusable') return [];
        return [way.kind === 'direct' ? way : routeThrough(way)];
      });
      const other = ways.find((way) => way.kind === 'unusable');
      const unusable = other === undefined ? null : unusableProxyError(other.what);
      // A PAC script may allow a direct connection, so a script alone is not a reason to throw.
      if (routes.length === 0 && unusable !== null && other?.what !== 'script') throw unusable;
      const { proxy, proxyFindsLinks } = settings;
      if (proxy.kind !== 'fixed' || settings.password === null || proxy.user === null) {
        const found = routes.length === 0 ? DIRECT_ROUTES.routes : routes;
        return { routes: found, unusable, proxyFindsLinks };
      }
      const authorization = basicAuthorization(
        proxy.user,
        (await passwordNamed(settings.password)) ?? '',
      );
      const signedIn = routes.map((one) =>
        one.kind === 'direct' ? one : { ...one, authorization },
      );
      return { routes: signedIn, unusable, proxyFindsLinks };
    },
    authorities,
    async withSystemAuthorities() {
      system ??= readSystem();
      return (await authorities()) ?? system;
    },
  };
}

async function findRoutesTo(
  { proxy }: NetworkSettings,
  url: Destination,
  systemWays: FindSystemRoutes,
): Promise<readonly NetworkRoute[]> {
  switch (proxy.kind) {
    case 'none':
      return [DIRECT_ROUTE];
    case 'system':
      return systemWays(url);
    case 'fixed': {
      const port = url.port === '' ? 443 : Number(url.port);
      const isPast = isProxyException(proxy.exceptions, url.hostname, port);
      return [isPast ? DIRECT_ROUTE : withProxyUser(parseProxy(proxy.address), proxy.user)];
    }
  }
}

/** Adds the user of a fixed proxy to a route. A user may have no password. */
const withProxyUser = (way: NetworkRoute, user: string | null): NetworkRoute =>
  way.kind === 'proxy' && user !== null ? { ...way, user, password: null } : way;

function routeThrough({
  origin,
  user,
  password,
}: NetworkRoute & { readonly kind: 'proxy' }): Route {
  const authorization = user === null ? null : basicAuthorization(user, password ?? '');
  return { kind: 'proxy', origin, authorization };
}

/** Returns a basic authorization (RFC 7617) in UTF-8. */
const basicAuthorization = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

const UNUSABLE_PROXY_MESSAGES = {
  socks:
    'The system’s proxy is a SOCKS proxy, which Signing Desk cannot use. Set an HTTP proxy, or no proxy, for Signing Desk',
  script:
    'The service cannot be reached directly. The system finds its proxy by a script (PAC), which Signing Desk cannot run. Set the proxy’s address for Signing Desk',
  address:
    'The proxy set by the system, or by a variable such as HTTPS_PROXY, has no valid address. Correct it, or set the proxy’s address for Signing Desk',
} as const;

const unusableProxyError = (what: keyof typeof UNUSABLE_PROXY_MESSAGES): AppError =>
  new AppError('offline', UNUSABLE_PROXY_MESSAGES[what], { reason: 'proxy-kind' });

import { headOf } from '../text/head-of-text.ts';

/** Route to a service: direct, through a proxy, or through one that this program cannot use. */
export type NetworkRoute =
  | { readonly kind: 'direct' }
  | {
      readonly kind: 'proxy';
      /** Address of the proxy: `http://host:port`, or https if the proxy itself uses TLS. */
      readonly origin: string;
      /** User in the address of an environment variable; null if the address has no user. */
      readonly user: string | null;
      readonly password: string | null;
    }
  | { readonly kind: 'unusable'; readonly what: 'socks' | 'script' | 'address' };

export const DIRECT_ROUTE: NetworkRoute = { kind: 'direct' };

/** Maximum length of a text; the address of a proxy is shorter. */
const MAX_PROXY_TEXT_LENGTH = 2000;
/** Maximum number of entries; a system returns fewer for one address. */
const MAX_PROXY_ROUTES = 10;

/**
 * Parses a proxy that a user typed or an environment variable has: `proxy.example:8080`,
 * `http://user:word@proxy:8080`, `https://proxy`.
 */
export function parseProxy(text: string): NetworkRoute {
  const [, scheme = 'http', rest = ''] =
    /^(?:([a-z][a-z0-9+.-]*):\/\/)?(.*)$/is.exec(headOf(text.trim(), MAX_PROXY_TEXT_LENGTH)) ?? [];
  const protocol = scheme.toLowerCase();
  if (protocol.startsWith('socks')) return { kind: 'unusable', what: 'socks' };
  const at = rest.lastIndexOf('@');
  const [, host = '', port] =
    /^(\[[0-9a-f:.]+\]|[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?)(?::(\d{1,5}))?\/?$/i.exec(
      rest.slice(at + 1),
    ) ?? [];
  const signIn = at === -1 ? '' : rest.slice(0, at);
  const colon = signIn.indexOf(':');
  const user = decodeProxyPart(colon === -1 ? signIn : signIn.slice(0, colon));
  const password = decodeProxyPart(colon === -1 ? '' : signIn.slice(colon + 1));
  const isAddress = /^https?$/.test(protocol) && host !== '' && Number(port ?? 80) <= 65_535;
  if (!isAddress || user === null || password === null)
    return { kind: 'unusable', what: 'address' };
  const hasUser = user !== '';
  return {
    kind: 'proxy',
    origin: `${protocol}://${host.toLowerCase()}${port === undefined ? '' : `:${port}`}`,
    user: hasUser ? user : null,
    password: hasUser ? password : null,
  };
}

function decodeProxyPart(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/**
 * Parses Chromium's result for an address: `PROXY a:8080; HTTPS b:443; SOCKS5 c:1080; DIRECT`.
 * Unknown entries are unusable: treating them as direct would bypass an office's proxy.
 */
export function parseProxyList(text: string): readonly NetworkRoute[] {
  return headOf(text, MAX_PROXY_TEXT_LENGTH)
    .split(';')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .slice(0, MAX_PROXY_ROUTES)
    .map(parseEntry);
}

function parseEntry(entry: string): NetworkRoute {
  const [kind = '', address = '', ...rest] = entry.split(/\s+/);
  const name = kind.toUpperCase();
  if (name.startsWith('SOCKS')) return { kind: 'unusable', what: 'socks' };
  if (name === 'DIRECT' && address === '') return DIRECT_ROUTE;
  if (name === 'PROXY' && rest.length === 0) return parseProxy(address);
  if (name === 'HTTPS' && rest.length === 0) return parseProxy(`https://${address}`);
  return { kind: 'unusable', what: 'address' };
}

/** Whether a name or IP address is this computer's loopback; nothing is resolved. */
export function isLoopbackHost(host: string): boolean {
  const bare = bareHost(host);
  return (
    /^(?:.*\.)?localhost$/.test(bare) ||
    /^(?:127(?:\.\d{1,3}){3}|0\.0\.0\.0|::1|::)$/.test(bare) ||
    /^::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4}$/.test(bare)
  );
}

/** Maximum number of exceptions; the rest of a longer list is ignored. */
const MAX_EXCEPTIONS = 500;
const MAX_EXCEPTION_LIST_LENGTH = 20_000;

/**
 * Whether a list of exceptions contains this host: `NO_PROXY`, and the lists of Windows and macOS.
 * An entry is a name, which includes its subdomains; a name with `*`; an IPv4 network such as
 * `10.0.0.0/8`; `<local>` for names without a dot; or `*` for all. A port may follow a name.
 */
export function isProxyException(list: string, host: string, port: number): boolean {
  const name = bareHost(host);
  return headOf(list, MAX_EXCEPTION_LIST_LENGTH)
    .toLowerCase()
    .split(/[,;\s|]+/)
    .slice(0, MAX_EXCEPTIONS)
    .some((entry) => entry !== '' && matchesException(entry, name, port));
}

function matchesException(entry: string, name: string, port: number): boolean {
  if (entry === '<local>') return !name.includes('.') && !name.includes(':');
  if (entry.includes('/') && !entry.includes('://')) return isInNetwork(entry, name);
  const [, host = '', wantedPort] =
    /^(?:[a-z]+:\/\/)?(\[[^\]]*\]|[^:]*(?::[^:]*:.*)?)(?::(\d+))?$/.exec(entry) ?? [];
  if (wantedPort !== undefined && Number(wantedPort) !== port) return false;
  const wanted = bareHost(host);
  if (wanted === '') return false;
  if (wanted === '*') return true;
  // A star before a dot matches only subdomains.
  if (wanted.startsWith('*.') && !wanted.slice(2).includes('*'))
    return name.endsWith(wanted.slice(1));
  if (wanted.includes('*')) return matchesWildcard(wanted, name);
  const suffix = wanted.replace(/^\./, '');
  // An IP address has no subdomains.
  return name === suffix || (parseIpv4(name) === null && name.endsWith(`.${suffix}`));
}

/** Whether a whole name matches a pattern with stars. */
function matchesWildcard(pattern: string, name: string): boolean {
  const parts = pattern.split('*');
  const last = parts.at(-1) ?? '';
  const [first = '', ...between] = parts.slice(0, -1);
  if (!name.startsWith(first) || !name.endsWith(last)) return false;
  let at = first.length;
  for (const part of between) {
    const found = name.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return at <= name.length - last.length;
}

/** Whether an IPv4 address is in a network; macOS omits zeros at the end: `169.254/16`. */
function isInNetwork(entry: string, name: string): boolean {
  const [network = '', bits = ''] = entry.split('/');
  const [address, start] = [
    parseIpv4(name),
    parseIpv4(`${network}${'.0'.repeat(Math.max(0, 4 - network.split('.').length))}`),
  ];
  const length = /^\d{1,2}$/.test(bits) ? Number(bits) : 99;
  if (address === null || start === null || length > 32) return false;
  const size = 2 ** (32 - length);
  return Math.floor(address / size) === Math.floor(start / size);
}

function parseIpv4(text: string): number | null {
  if (!/^\d{1,3}(?:\.\d{1,3}){3}$/.test(text)) return null;
  const parts = text.split('.').map(Number);
  return parts.some((part) => part > 255) ? null : parts.reduce((sum, part) => sum * 256 + part, 0);
}

/** Returns a host without brackets, and without the final dot of a full name. */
function bareHost(host: string): string {
  const bare = host.toLowerCase().replace(/^\[|\]$/g, '');
  return bare.length > 1 ? bare.replace(/\.$/, '') : bare;
}

import { lookup as resolve, type LookupAddress, type LookupOptions } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { AppError } from '../../../../shared/errors.ts';
import type { BaseAddress } from './address.ts';
import { replyMismatchError } from './failures.ts';

/**
 * Network of an address: the public internet, a private network, this computer, or a range that
 * cannot contain a file (link-local including cloud metadata, multicast, reserved).
 */
type AllowedNetwork = 'public' | 'private' | 'loopback' | 'nowhere';

/**
 * Networks by RFC 6890 and its registries. An IPv6 address that embeds an IPv4 address is
 * classified as that IPv4 address.
 */
const loopbackNetworks = blockListOf(['127.0.0.0/8', '0.0.0.0/8', '::1/128', '::/128']);
const privateNetworks = blockListOf([
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '100.64.0.0/10',
]);
const privateNetworksV6 = blockListOf(['fc00::/7', 'fec0::/10']);
/**
 * Metadata services of clouds outside the link-local range. Azure's address would otherwise count
 * as public; Alibaba's, Amazon's and Google's as private.
 */
const METADATA_NETWORKS = [
  '168.63.129.16/32',
  '100.100.100.200/32',
  'fd00:ec2::/32',
  'fd20:ce::254/128',
];
const unroutableNetworks = blockListOf([
  ...['169.254.0.0/16', '192.0.0.0/24', '192.0.2.0/24', '198.18.0.0/15', '198.51.100.0/24'],
  ...['203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
  ...METADATA_NETWORKS,
  ...['fe80::/10', 'ff00::/8', '100::/64', '2001:db8::/32', '2001::/32', '5f00::/16'],
]);
/** IPv6 forms with an embedded IPv4 address: mapped, compatible, translated (NAT64) and 6to4. */
const WRAPPED_IPV4_NETWORKS: readonly (readonly [list: BlockList, firstGroup: number])[] = [
  [blockListOf(['::ffff:0:0/96', '::/96', '64:ff9b::/96', '64:ff9b:1::/48']), 6],
  [blockListOf(['2002::/16']), 1],
];

/** Classifies a numeric address, IPv4 or IPv6 without brackets. @internal */
export function networkKindOf(address: string): AllowedNetwork {
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
  const isIn = (list: BlockList): boolean => list.check(address, family);
  if (isIn(loopbackNetworks)) return 'loopback';
  if (family === 'ipv6') {
    const wrap = WRAPPED_IPV4_NETWORKS.find(([list]) => isIn(list));
    if (wrap !== undefined) return networkKindOf(wrappedIpv4(address, wrap[1]));
  }
  if (isIn(unroutableNetworks)) return 'nowhere';
  return isIn(privateNetworks) || isIn(privateNetworksV6) ? 'private' : 'public';
}

export interface LinkGuard {
  /** Lookup function for Node that returns only validated addresses. */
  readonly lookup: LookupFunction;
  /** Validates a numeric host, which Node does not pass to `lookup`. */
  validateNumeric(hostname: string): Promise<void>;
  /**
   * Returns the host for a proxy's CONNECT. Usually this is the validated address, so that the
   * proxy's own lookup cannot lead to another one. If the proxy may resolve links, it is the name,
   * after the addresses known to this computer were validated.
   * @throws AppError 'link-unchecked' if this computer cannot resolve the name
   */
  judgedHost(hostname: string, proxyFindsLinks: boolean): Promise<string>;
}

/**
 * Guards links from a service. They must not lead into a private network, to this computer, or to a
 * cloud's metadata, unless the service itself is in such a network (metadata are never allowed).
 * Validates the very address of the connection, so a name that resolves differently the second time
 * gains nothing.
 * @param base the service's own address, whose network is allowed
 */
export function createLinkGuard(base: BaseAddress, lookUp: typeof resolve = resolve): LinkGuard {
  const reachesOf = (addresses: readonly LookupAddress[]): readonly AllowedNetwork[] =>
    addresses.map(({ address }) => networkKindOf(address));
  const judge = async (addresses: readonly LookupAddress[]): Promise<void> => {
    const reaches = reachesOf(addresses).filter((reach) => reach !== 'public');
    if (reaches.length === 0) return;
    const ours = new Set(reachesOf(await addressesOf(hostOf(base), lookUp)));
    if (reaches.every((reach) => reach !== 'nowhere' && ours.has(reach))) return;
    throw replyMismatchError('link', 'it leads to a network that the service does not belong to');
  };
  return {
    lookup: (host, wanted, done) => {
      addressesOf(host, lookUp, wanted)
        .then(async (addresses) => {
          await judge(addresses);
          const [first] = addresses;
          if (wanted.all === true) done(null, [...addresses]);
          else done(null, first?.address ?? '', first?.family);
        })
        .catch((error: unknown) => {
          done(error instanceof Error ? error : new Error('No address'), '');
        });
    },
    async validateNumeric(hostname) {
      const address = withoutBrackets(hostname);
      const family = isIP(address);
      if (family !== 0) await judge([{ address, family }]);
    },
    async judgedHost(hostname, proxyFindsLinks) {
      const host = withoutBrackets(hostname);
      const addresses = await addressesOf(host, lookUp).catch(() => []);
      const [first] = addresses;
      if (first === undefined) {
        if (proxyFindsLinks) return host;
        const message =
          'Only the proxy can look up where the link to the file leads, so the link was not opened. The network settings can allow the proxy to do this';
        throw new AppError('service', message, { reason: 'link-unchecked' });
      }
      await judge(addresses);
      return proxyFindsLinks ? host : first.address;
    },
  };
}

function addressesOf(
  host: string,
  lookUp: typeof resolve,
  { family, hints }: Pick<LookupOptions, 'family' | 'hints'> = {},
): Promise<readonly LookupAddress[]> {
  const numeric = isIP(host);
  if (numeric !== 0) return Promise.resolve([{ address: host, family: numeric }]);
  const { promise, resolve: found, reject } = Promise.withResolvers<readonly LookupAddress[]>();
  const wanted = {
    all: true,
    ...(family !== undefined && { family }),
    ...(hints !== undefined && { hints }),
  } as const;
  lookUp(host, wanted, (error, addresses) => {
    if (error === null) found(addresses);
    else reject(error);
  });
  return promise;
}

const hostOf = ({ origin }: BaseAddress): string => withoutBrackets(new URL(origin).hostname);

const withoutBrackets = (hostname: string): string => hostname.replace(/^\[|\]$/g, '');

/** Returns the IPv4 address that an IPv6 address embeds from the given group on. */
function wrappedIpv4(address: string, firstGroup: number): string {
  const groups = groupsOf(address).slice(firstGroup, firstGroup + 2);
  return groups.flatMap((group) => [group >> 8, group & 0xff]).join('.');
}

/** Returns the eight groups of an IPv6 address in any notation. */
function groupsOf(address: string): readonly number[] {
  // WHATWG URLs have one notation only: no dots, the longest run of zeros as `::`.
  const written = withoutBrackets(new URL(`http://[${address}]/`).hostname);
  const [before = '', after = ''] = written.split('::');
  const numbers = (text: string): number[] =>
    text.split(':').flatMap((group) => (group === '' ? [] : [Number.parseInt(group, 16)]));
  const [front, back] = [numbers(before), numbers(after)];
  return [...front, ...Array.from({ length: 8 - front.length - back.length }, () => 0), ...back];
}

function blockListOf(subnets: readonly string[]): BlockList {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [network = '', bits] = subnet.split('/');
    list.addSubnet(network, Number(bits), network.includes(':') ? 'ipv6' : 'ipv4');
  }
  return list;
}

import { lookup as resolve, type LookupAddress, type LookupOptions } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { AppError } from '../../../../shared/errors.ts';
import type { Base } from './address.ts';
import { mismatch } from './failures.ts';

/**
 * Where an address leads: to anybody's computer, into the network of an office, to this computer,
 * or where no file can lie (link-local with the metadata of clouds, multicast, reserved).
 */
type AllowedNetwork = 'public' | 'private' | 'loopback' | 'nowhere';

/** RFC 6890 and its registries; what an IPv6 address wraps is judged as that IPv4 address. */
const loopback = listOf(['127.0.0.0/8', '0.0.0.0/8', '::1/128', '::/128']);
const inside = listOf(['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10']);
const insideV6 = listOf(['fc00::/7', 'fec0::/10']);
/**
 * What clouds tell their own machines, outside of the link-local range: Azure's, which else is a public
 * address; Alibaba's, Amazon's and Google's, which else are of a private network.
 */
const METADATA = ['168.63.129.16/32', '100.100.100.200/32', 'fd00:ec2::/32', 'fd20:ce::254/128'];
const nowhere = listOf([
  ...['169.254.0.0/16', '192.0.0.0/24', '192.0.2.0/24', '198.18.0.0/15', '198.51.100.0/24'],
  ...['203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
  ...METADATA,
  ...['fe80::/10', 'ff00::/8', '100::/64', '2001:db8::/32', '2001::/32', '5f00::/16'],
]);
/** Forms that hold an IPv4 address: mapped, compatible, translated (NAT64) and 6to4. */
const WRAPS: readonly (readonly [list: BlockList, firstGroup: number])[] = [
  [listOf(['::ffff:0:0/96', '::/96', '64:ff9b::/96', '64:ff9b:1::/48']), 6],
  [listOf(['2002::/16']), 1],
];

/** Where a numeric address leads, IPv4 or IPv6 without brackets. @internal */
export function reachOf(address: string): AllowedNetwork {
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
  const isIn = (list: BlockList): boolean => list.check(address, family);
  if (isIn(loopback)) return 'loopback';
  if (family === 'ipv6') {
    const wrap = WRAPS.find(([list]) => isIn(list));
    if (wrap !== undefined) return reachOf(wrappedIn(address, wrap[1]));
  }
  if (isIn(nowhere)) return 'nowhere';
  return isIn(inside) || isIn(insideV6) ? 'private' : 'public';
}

/** Judges where links lead before anything is sent there. */
export interface LinkGuard {
  /** Looks names up for Node, and gives it only addresses that were judged. */
  readonly lookup: LookupFunction;
  /** Judges a host that is written in numbers, which Node does not look up. */
  validateNumeric(hostname: string): Promise<void>;
  /**
   * What a proxy is told to connect to: the very address that was judged here, so that the proxy's own look-up
   * cannot lead elsewhere. Where the proxy may find links, the name once what is known of it here was judged.
   * @throws AppError 'link-unchecked' when this computer cannot look the name up
   */
  judgedHost(hostname: string, proxyFindsLinks: boolean): Promise<string>;
}

/**
 * A guard for links that a service gives, which may lead anywhere but into a network that
 * the service itself does not lie in: a computer of this office, this computer, or a cloud's
 * metadata. The very address that is connected to is judged, so that a name which leads somewhere
 * else the second time it is asked gains nothing.
 * @param base the service's own address: what it is, links may be
 */
export function createLinkGuard(base: Base, lookUp: typeof resolve = resolve): LinkGuard {
  const reachesOf = (addresses: readonly LookupAddress[]): readonly AllowedNetwork[] =>
    addresses.map(({ address }) => reachOf(address));
  const judge = async (addresses: readonly LookupAddress[]): Promise<void> => {
    const reaches = reachesOf(addresses).filter((reach) => reach !== 'public');
    if (reaches.length === 0) return;
    const ours = new Set(reachesOf(await addressesOf(hostOf(base), lookUp)));
    if (reaches.every((reach) => reach !== 'nowhere' && ours.has(reach))) return;
    throw mismatch('link', 'it leads to a network that the service does not belong to');
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
      const address = bare(hostname);
      const family = isIP(address);
      if (family !== 0) await judge([{ address, family }]);
    },
    async judgedHost(hostname, proxyFindsLinks) {
      const host = bare(hostname);
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

const hostOf = ({ origin }: Base): string => bare(new URL(origin).hostname);

const bare = (hostname: string): string => hostname.replace(/^\[|\]$/g, '');

/** The IPv4 address that begins with this group of an IPv6 address. */
function wrappedIn(address: string, firstGroup: number): string {
  const groups = groupsOf(address).slice(firstGroup, firstGroup + 2);
  return groups.flatMap((group) => [group >> 8, group & 0xff]).join('.');
}

/** The eight numbers of an IPv6 address in any of its writings. */
function groupsOf(address: string): readonly number[] {
  // WHATWG URLs write one form only: no dots, the longest run of zeros as `::`.
  const written = bare(new URL(`http://[${address}]/`).hostname);
  const [before = '', after = ''] = written.split('::');
  const numbers = (text: string): number[] =>
    text.split(':').flatMap((group) => (group === '' ? [] : [Number.parseInt(group, 16)]));
  const [front, back] = [numbers(before), numbers(after)];
  return [...front, ...Array.from({ length: 8 - front.length - back.length }, () => 0), ...back];
}

function listOf(subnets: readonly string[]): BlockList {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [network = '', bits] = subnet.split('/');
    list.addSubnet(network, Number(bits), network.includes(':') ? 'ipv6' : 'ipv4');
  }
  return list;
}

import * as z from 'zod';
import { call } from './call.ts';

/**
 * How this computer reaches services. Stored next to the data; excluded from backups and exports.
 */
export const ProxyChoice = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('none') }),
  /** Proxy of the system, or of the environment variables for a command. */
  z.object({ kind: z.literal('system') }),
  z.object({
    kind: z.literal('fixed'),
    /** `http://host:port`, or https if the proxy itself uses TLS. */
    address: z.string().max(2000),
    user: z.string().max(200).nullable(),
    /** Hosts reached without the proxy, in the format of `NO_PROXY`. */
    exceptions: z.string().max(5000),
  }),
]);
export type ProxyChoice = z.infer<typeof ProxyChoice>;

export const TrustedAuthority = z.object({
  subject: z.string(),
  /** SHA-256 in hex, with colons. */
  fingerprint: z.string(),
  /** Epoch milliseconds. */
  validUntil: z.number(),
});
export type TrustedAuthority = z.infer<typeof TrustedAuthority>;

export const NetworkState = z.object({
  proxy: ProxyChoice,
  hasPassword: z.boolean(),
  /** The proxy resolves, unchecked, file links whose host names this computer cannot resolve. */
  proxyFindsLinks: z.boolean(),
  /** Trusted on this computer in addition to those of Node and the system. */
  authorities: z.array(TrustedAuthority),
});
export type NetworkState = z.infer<typeof NetworkState>;

export const networkCalls = {
  'network.read': call(z.object({}), NetworkState),
  /**
   * `password` null keeps the stored password if address and user do not change. Throws 'invalid'
   * for `address`, `user` or `password`.
   */
  'network.setProxy': call(
    z.object({
      proxy: ProxyChoice,
      password: z.string().max(500).nullable(),
      proxyFindsLinks: z.boolean(),
    }),
    NetworkState,
  ),
  /**
   * PEM of one or more authorities, replacing the previous ones; null removes them. Throws
   * 'invalid' for `pem`.
   */
  'network.setAuthorities': call(
    z.object({ pem: z.string().max(1_000_000).nullable() }),
    NetworkState,
  ),
} as const;

export const networkEvents = { 'network.changed': z.object({}) } as const;

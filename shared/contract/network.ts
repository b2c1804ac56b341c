import * as z from 'zod';
import { call } from './call.ts';

/**
 * How this computer reaches services. The choice is stored next to the data, and is excluded from
 * backups and exports.
 */
export const ProxyChoice = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('none') }),
  /** The proxy of the system or, for a command, of the environment variables. */
  z.object({ kind: z.literal('system') }),
  z.object({
    kind: z.literal('fixed'),
    /** Address as `http://host:port`, or https if the proxy itself uses TLS. */
    address: z.string().max(2000),
    user: z.string().max(200).nullable(),
    /** Hosts reached without the proxy, in the format of `NO_PROXY`. */
    exceptions: z.string().max(5000),
  }),
]);
export type ProxyChoice = z.infer<typeof ProxyChoice>;

export const TrustedAuthority = z.object({
  subject: z.string(),
  /** SHA-256 fingerprint in hexadecimal, with colons. */
  fingerprint: z.string(),
  /** Time at which the certificate expires (epoch ms). */
  validUntil: z.number(),
});
export type TrustedAuthority = z.infer<typeof TrustedAuthority>;

export const NetworkState = z.object({
  proxy: ProxyChoice,
  hasPassword: z.boolean(),
  /**
   * Whether the proxy resolves the host names of file links that this computer cannot resolve;
   * their addresses are then not checked.
   */
  proxyFindsLinks: z.boolean(),
  /** Authorities that this computer trusts in addition to those of Node and the system. */
  authorities: z.array(TrustedAuthority),
});
export type NetworkState = z.infer<typeof NetworkState>;

export const networkCalls = {
  'network.read': call(z.object({}), NetworkState),
  /**
   * Sets the proxy. If `password` is null, the stored password is kept, unless address or user
   * change. Throws 'invalid' for `address`, `user` or `password`.
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
   * Sets the trusted authorities to those in a PEM text, which replace the previous ones; null
   * removes them. Throws 'invalid' for `pem`.
   */
  'network.setAuthorities': call(
    z.object({ pem: z.string().max(1_000_000).nullable() }),
    NetworkState,
  ),
} as const;

export const networkEvents = { 'network.changed': z.object({}) } as const;

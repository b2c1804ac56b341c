import * as z from 'zod';
import { call } from './call.ts';

/** How this computer reaches services. It is kept beside the data, in no backup and no export. */
export const ProxyChoice = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('none') }),
  /** What the system, or the variables of the command, say. */
  z.object({ kind: z.literal('system') }),
  z.object({
    kind: z.literal('fixed'),
    /** `http://host:port`, or https where the proxy itself speaks TLS. */
    address: z.string().max(2000),
    user: z.string().max(200).nullable(),
    /** Hosts that are reached past it, as in `NO_PROXY`. */
    exceptions: z.string().max(5000),
  }),
]);
export type ProxyChoice = z.infer<typeof ProxyChoice>;

/** A certificate of an authority, in words of its own. */
export const Authority = z.object({
  subject: z.string(),
  /** SHA-256 in hex, with colons. */
  fingerprint: z.string(),
  /** Epoch milliseconds. */
  validUntil: z.number(),
});
export type Authority = z.infer<typeof Authority>;

export const NetworkState = z.object({
  proxy: ProxyChoice,
  hasPassword: z.boolean(),
  /** Links to files whose names this computer cannot look up are left to the proxy, unchecked. */
  proxyFindsLinks: z.boolean(),
  /** Trusted on this computer beside Node's and the system's. */
  authorities: z.array(Authority),
});
export type NetworkState = z.infer<typeof NetworkState>;

export const networkCalls = {
  'network.read': call(z.object({}), NetworkState),
  /**
   * `password` null keeps the stored one as long as address and user stay. Throws 'invalid' for `address`,
   * `user` or `password`.
   */
  'network.setProxy': call(
    z.object({
      proxy: ProxyChoice,
      password: z.string().max(500).nullable(),
      proxyFindsLinks: z.boolean(),
    }),
    NetworkState,
  ),
  /** PEM of one authority or several in place of those before; null removes them. Throws 'invalid' for `pem`. */
  'network.setAuthorities': call(
    z.object({ pem: z.string().max(1_000_000).nullable() }),
    NetworkState,
  ),
} as const;

export const networkEvents = { 'network.changed': z.object({}) } as const;

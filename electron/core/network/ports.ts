import type { AppError } from '../../../shared/errors.ts';
import type { TrustedAuthority, ProxyChoice } from '../../../shared/contract/network.ts';

/** One route to an address: direct, or through a proxy with CONNECT. */
export type Route =
  | { readonly kind: 'direct' }
  | {
      readonly kind: 'proxy';
      readonly origin: string;
      /** Value of `Proxy-Authorization`; null for none. Never in logs or errors. */
      readonly authorization: string | null;
    };

/** Parts of an address that determine its route; a `URL` fits. */
export interface Destination {
  readonly origin: string;
  readonly protocol: string;
  readonly hostname: string;
  readonly port: string;
}

export interface Routes {
  /**
   * Routes in the order in which they are tried: the next one is used if a proxy does not answer.
   */
  readonly routes: readonly Route[];
  /**
   * Error to throw if the direct route fails, in case the system named a route that the program
   * cannot use; otherwise null.
   */
  readonly unusable: AppError | null;
  /** See `NetworkState`. */
  readonly proxyFindsLinks: boolean;
}

/** Routes of requests, and the certificate authorities that verify servers. */
export interface Network {
  /**
   * Returns the routes to an address. Throws 'proxy-kind' if the system's proxy cannot be used, and
   * 'vault' if the proxy's password cannot be read.
   */
  routesTo(url: Destination): Promise<Routes>;
  /**
   * Returns the PEM certificates of all trusted authorities, including those of Node's own list;
   * null if only Node's own list is used. Returns the same array until something changes. Reading
   * the system's authorities is slow, so they are included only after they were needed.
   */
  authorities(): Promise<readonly string[] | null>;
  withSystemAuthorities(): Promise<readonly string[]>;
}

/** Network settings, which are stored outside of the data. */
export interface NetworkSettings {
  readonly proxy: ProxyChoice;
  /** Credential store entry of the proxy's password; null for none. */
  readonly password: string | null;
  readonly proxyFindsLinks: boolean;
  /** Certificates of further authorities (PEM); empty if there are none. */
  readonly authorities: string;
}

export interface NetworkSettingsStore {
  /** Throws 'storage' if settings exist but cannot be read or parsed. */
  read(): Promise<NetworkSettings>;
  write(settings: NetworkSettings): Promise<void>;
}

/**
 * Describes the authorities of PEM certificates. Throws 'invalid' for `pem` if an entry is not the
 * certificate of an authority.
 */
export type DescribeAuthorities = (pem: string) => readonly TrustedAuthority[];

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
  /** In the order of attempts; the next one is used if a proxy does not answer. */
  readonly routes: readonly Route[];
  /**
   * Thrown if a direct route fails and the system named another that cannot be used; otherwise
   * null.
   */
  readonly unusable: AppError | null;
  /** See `NetworkState`. */
  readonly proxyFindsLinks: boolean;
}

/** Routes of requests, and the certificate authorities that verify servers. */
export interface Network {
  /** @throws AppError 'proxy-kind' when the system's proxy cannot be used; 'vault' */
  routesTo(url: Destination): Promise<Routes>;
  /**
   * PEM certificates of authorities to use instead of Node's own list, which they include; null for
   * that list alone. Returns the same array until something changes. Includes the system's
   * authorities only after they were needed, because reading them is slow.
   */
  authorities(): Promise<readonly string[] | null>;
  withSystemAuthorities(): Promise<readonly string[]>;
}

/** Settings stored outside the data of this computer. */
export interface NetworkSettings {
  readonly proxy: ProxyChoice;
  /** Credential store entry of the proxy's password; null for none. */
  readonly password: string | null;
  readonly proxyFindsLinks: boolean;
  /** PEM; empty for none. */
  readonly authorities: string;
}

export interface NetworkSettingsStore {
  /** @throws AppError 'storage' when they exist but cannot be read or parsed */
  read(): Promise<NetworkSettings>;
  write(settings: NetworkSettings): Promise<void>;
}

/** @throws AppError 'invalid' for `pem` when an entry is not a certificate of an authority */
export type DescribeAuthorities = (pem: string) => readonly TrustedAuthority[];

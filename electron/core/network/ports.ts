import type { AppError } from '../../../shared/errors.ts';
import type { Authority, ProxyChoice } from '../../../shared/contract/network.ts';

/** One way to an address: past all proxies, or through one by CONNECT. */
export type Route =
  | { readonly kind: 'direct' }
  | {
      readonly kind: 'proxy';
      readonly origin: string;
      /** Value of `Proxy-Authorization`; null for none. In no log and no error. */
      readonly authorization: string | null;
    };

/** An address, in the parts that the way to it depends on; a `URL` is one. */
export interface Destination {
  readonly origin: string;
  readonly protocol: string;
  readonly hostname: string;
  readonly port: string;
}

export interface Routes {
  /** In the order in which they are tried; the next one when a proxy does not answer. */
  readonly routes: readonly Route[];
  /** Thrown where a direct way fails and the system named another that cannot be used; else null. */
  readonly unusable: AppError | null;
  /** See `NetworkState`. */
  readonly proxyFindsLinks: boolean;
}

/** How requests leave this computer, and who proves that a server is the right one. */
export interface Network {
  /** @throws AppError 'proxy-kind' when what the system names cannot be used; 'vault' */
  routesTo(url: Destination): Promise<Routes>;
  /**
   * PEM certificates of authorities in place of Node's own list, which they include; null for that list alone. The
   * same array as long as nothing changed. The system's are among them once they were needed: reading them takes
   * a while.
   */
  authorities(): Promise<readonly string[] | null>;
  withSystemAuthorities(): Promise<readonly string[]>;
}

/** What is kept beside the data of this computer. */
export interface NetworkSettings {
  readonly proxy: ProxyChoice;
  /** The entry of the credential store with the proxy's password; null for none. */
  readonly password: string | null;
  readonly proxyFindsLinks: boolean;
  /** PEM; empty for none. */
  readonly authorities: string;
}

export interface NetworkSettingsStore {
  /** @throws AppError 'storage' when they are there and cannot be read or understood */
  read(): Promise<NetworkSettings>;
  write(settings: NetworkSettings): Promise<void>;
}

/** @throws AppError 'invalid' for `pem` when one of the certificates is none, or is of no authority */
export type DescribeAuthorities = (pem: string) => readonly Authority[];

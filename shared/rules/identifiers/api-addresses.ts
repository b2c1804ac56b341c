import type { ApiName } from '../../model/ids.ts';
import { serviceAddress } from './service-address.ts';

/** Address of one API of a service. */
export interface ApiAddress {
  readonly api: ApiName;
  readonly url: string;
}

/** Version of API v2 if an address has none (API v2, "Base URL"). */
const V2_PATH = '/v2';

/**
 * Addresses of both APIs on the host of `text`, the likelier one first: an address of API v1 has no
 * version, and one of API v2 ends in its version.
 */
export function apiAddresses(text: string): readonly [ApiAddress, ApiAddress] {
  const address = serviceAddress(text);
  const [version = ''] = /\/v\d+$/i.exec(address) ?? [];
  const base = address.slice(0, address.length - version.length);
  const v1 = { api: 'v1', url: base } as const;
  if (version === '' || version.toLowerCase() === '/v1') {
    return [v1, { api: 'v2', url: `${base}${V2_PATH}` }];
  }
  return [{ api: 'v2', url: address }, v1];
}

import * as z from 'zod';
import { serviceAddress } from '../identifiers/service-address.ts';

/** Name of a service, equal on every computer of an office: only its normalised address. */
export const serviceName = (url: string): string => JSON.stringify([serviceAddress(url), null]);

/** Format of a name; earlier versions used the address as typed, and an account. */
const Name = z.tuple([z.string(), z.string().nullable()]);

export function isSameService(one: string, other: string): boolean {
  return one === other || currentName(one) === currentName(other);
}

/** Names that earlier versions may have used for the service at this address with this account. */
export function olderNames(url: string, accountId: string | null): readonly string[] {
  const address = serviceAddress(url);
  return [url, address, `${address}/`].map((typed) => JSON.stringify([typed, accountId]));
}

function currentName(service: string): string {
  try {
    const named = Name.safeParse(JSON.parse(service));
    return named.success ? serviceName(named.data[0]) : service;
  } catch {
    return service;
  }
}

import * as z from 'zod';
import { serviceAddress } from '../identifiers/service-address.ts';

/** A service as every desk of an office names it: by its address alone, in one spelling. */
export const serviceName = (url: string): string => JSON.stringify([serviceAddress(url), null]);

/** Earlier versions named the address as it was typed, and an account. */
const Name = z.tuple([z.string(), z.string().nullable()]);

/** Whether both name one service. */
export function isSameService(one: string, other: string): boolean {
  return one === other || currentName(one) === currentName(other);
}

/** How earlier versions may have named the service at this address, in which this account was used. */
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

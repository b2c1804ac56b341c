import { start } from './0001-start.ts';
import { leases } from './0002-leases.ts';

/** In order; one that was shipped is never changed. */
export const migrations: readonly string[] = [start, leases];
